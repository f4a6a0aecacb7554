import { t } from '@lingui/core/macro';
import { memo, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { canBet, keys, marketNow, runnerNow, subscribe } from '../live/live.ts';
import { formatShort } from '../platform/format.ts';
import {
  ANY_PRICE,
  oneClickStake,
  place,
  type Selection,
  select,
  useBettingOff,
  usedOneClick,
  usePicked,
} from '../slip/slip.ts';
import { flash } from '../ui/flash.ts';
import { PriceCell, paintCell } from '../ui/price-cell.tsx';
import { rememberOpener } from './keep-focus.ts';
import { cellText, kindOf, lineOf, priceText, sideWord, veilOf } from './kinds.ts';

export interface LivePriceProps {
  matchId: number;
  eventName: string;
  marketId: number;
  runnerId: number;
  kind: string;
  name: string;
  side: 'BACK' | 'LAY';
  /** 0 is the best price; for a bookmaker the box. */
  depth?: 0 | 1 | 2;
  small?: boolean;
  hasBet?: boolean;
  /** Prices are covered or known to be old: shown or hidden by the row, never pressed. */
  off?: boolean;
}

/**
 * One live price: follows its level alone, marks moves, and goes into the slip when pressed. Figures are written into the
 * mounted cell by the store's own frame: with hundreds of cells a rendering of each would take several frames. It renders
 * when its shape changes: a price comes or goes, it is picked, covered, or bet on.
 */
export const LivePrice = memo(function LivePrice(props: LivePriceProps) {
  const { matchId, eventName, marketId, runnerId, kind, side, depth = 0, small = false, hasBet = false } = props;
  const box = kind === 'bookmaker' ? depth : undefined;
  const picked = usePicked(marketId, runnerId, side, box);
  const stopped = useBettingOff() !== null;
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const ref = useRef<HTMLButtonElement>(null);
  const shown = figuresOf(props, picked);
  /** What stands in the cell, whoever wrote it. */
  const held = useRef(shown);
  const follow = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    const paint = (whole: boolean) => {
      const cell = ref.current;
      const was = held.current;
      // The runner's other levels moved.
      if (!whole && was && !kindOf(kind).line && was.level === levelOf(props)) return;
      const next = figuresOf(props, picked);
      if ((next === null) !== (shown === null)) draw();
      else if (cell && next) {
        const move = was ? next.line - was.line || next.level[0] - was.level[0] : 0;
        if (whole || !was || next.price !== was.price || next.size !== was.size || next.selected !== was.selected)
          paintCell(cell, { ...next, move: null });
        if (move !== 0) flash(cell, move > 0 ? 'up' : 'down');
      }
      held.current = next;
    };
    follow.current = () => paint(false);
    // What React has just written, or not written, is not what was painted since its last time.
    paint(true);
  });
  useEffect(() => subscribe(keys.runner(marketId, runnerId), () => follow.current()), [marketId, runnerId]);
  return (
    <PriceCell
      ref={ref}
      side={side === 'BACK' ? 'back' : 'lay'}
      depth={(depth + 1) as 1 | 2 | 3}
      price={shown?.price ?? null}
      size={shown?.size}
      small={small}
      selected={shown?.selected ?? false}
      hasBet={hasBet && depth === 0}
      label={shown?.label ?? emptyLabelOf(props)}
      onPress={
        props.off || stopped || !shown
          ? undefined
          : () =>
              pressPrice({ matchId, eventName, marketId, runnerId, side, depth, painted: held.current ?? undefined })
      }
    />
  );
});

interface Figures {
  price: string;
  size: string;
  label: string;
  selected: boolean;
  /** As the store has it: the same object while it does not change. */
  level: readonly [number, number];
  line: number;
  /** The market's version this was painted from. */
  version: number;
}

const levelOf = ({ marketId, runnerId, side, depth = 0 }: LivePriceProps): readonly [number, number] | null =>
  runnerNow(marketId, runnerId)?.[side === 'BACK' ? 'back' : 'lay'][depth] ?? null;

/** What the cell shows of the store as it is now; null without a price. */
function figuresOf(props: LivePriceProps, picked: number | null): Figures | null {
  const { marketId, runnerId, kind, side, small } = props;
  const runner = runnerNow(marketId, runnerId);
  const level = levelOf(props);
  const text = cellText(kind, runner, side, level);
  if (!level || !text) return null;
  const size = small && !kindOf(kind).line ? formatShort(level[1]) : text.size;
  return {
    price: text.price,
    size,
    label: labelOf(props, text.price, text.size),
    selected: picked !== null && (picked === ANY_PRICE || picked === level[0]),
    level,
    line: lineOf(kind, runner, side) ?? 0,
    version: marketNow(marketId)?.version ?? 0,
  };
}

function emptyLabelOf({ kind, name, side }: LivePriceProps): string {
  const word = sideWord(kind, side);
  return t`${word} ${name}, no price`;
}

function labelOf({ kind, name, side }: LivePriceProps, price: string, size: string): string {
  const word = sideWord(kind, side);
  return kindOf(kind).line
    ? t`${word} ${name} at ${price} runs, rate ${size}`
    : t`${word} ${name} at ${price}, ${size} available`;
}

/**
 * Puts a price into the slip; with one-click on it is placed at once. What counts is what the player saw: the figures
 * painted in the cell, which may have moved since, or the price of a ladder's row. Nothing happens where prices are covered,
 * old or held back, though the screen may not have drawn that yet. Gives the bet of the slip that it became.
 */
export function pressPrice({
  matchId,
  eventName,
  marketId,
  runnerId,
  side,
  depth = 0,
  price,
  painted,
}: {
  matchId: number;
  eventName: string;
  marketId: number;
  runnerId: number;
  side: 'BACK' | 'LAY';
  depth?: number;
  price?: number;
  painted?: Pick<Figures, 'level' | 'line' | 'version'> | undefined;
}): number | null {
  const market = marketNow(marketId);
  const runner = runnerNow(marketId, runnerId);
  const at = price ?? painted?.level[0];
  if (!market || !runner || at === undefined || !canBet(marketId) || veilOf(market, runner) !== null) return null;
  const line = kindOf(market.kind).line ? painted?.line : undefined;
  const selection: Selection = {
    matchId,
    marketId,
    runnerId,
    kind: market.kind,
    side,
    price: at,
    ...(line === undefined ? {} : { line }),
    ...(market.kind === 'bookmaker' ? { box: depth } : {}),
    runnerName: kindOf(market.kind).yesNo ? market.name : runner.name,
    marketName: market.name,
    eventName,
    marketVersion: painted?.version ?? market.version,
    betDelayMs: market.inPlay ? market.betDelayMs : 0,
    minStakeMinor: market.minStakeMinor,
    maxStakeMinor: market.maxStakeMinor,
  };
  rememberOpener();
  const id = select(selection);
  const stake = oneClickStake();
  if (id !== null && stake !== null) {
    usedOneClick();
    void place(stake, id);
  }
  return id;
}

/** "1.84", or "222 at 100" for a line. */
export function selectionPrice(bet: { kind: string; price: number; line?: number | null }): string {
  const { line, price } = bet;
  return line === undefined || line === null ? priceText(bet.kind, price) : t`${line} at ${price}`;
}
