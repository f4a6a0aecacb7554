import { memo, useEffect, useRef } from 'react';
import { useLevel, useRunner } from '../live/hooks.ts';
import { market as marketNow, runner as runnerNow } from '../live/store.ts';
import { useSelected } from '../slip/hooks.ts';
import { oneClickStake, place, type Selection, select } from '../slip/slip.ts';
import { useBettingOff } from '../slip/standing.ts';
import { flash } from '../ui/flash.ts';
import { formatShort } from '../ui/format.ts';
import { PriceCell } from '../ui/price-cell.tsx';
import { rememberOpener } from './keep-focus.ts';
import { cellText, kindOf, lineOf, priceText, sideWord } from './kinds.ts';

interface Props {
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

/** One live price: follows its level alone, marks moves, and goes into the slip when pressed. */
export const LivePrice = memo(function LivePrice({
  matchId,
  eventName,
  marketId,
  runnerId,
  kind,
  name,
  side,
  depth = 0,
  small = false,
  hasBet = false,
  off = false,
}: Props) {
  const level = useLevel(marketId, runnerId, side === 'BACK' ? 'back' : 'lay', depth);
  const runner = useLine(marketId, runnerId, kindOf(kind).line);
  const box = kind === 'bookmaker' ? depth : undefined;
  const selected = useSelected(marketId, runnerId, side, level?.[0] ?? 0, box);
  const stopped = useBettingOff() !== null;
  const ref = useRef<HTMLButtonElement>(null);
  const text = cellText(kind, runner, side, level);
  const size = small && text && !kindOf(kind).line && level ? formatShort(level[1]) : text?.size;

  const line = lineOf(kind, runner, side) ?? 0;
  const before = useRef<{ price: number; line: number } | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = level ? { price: level[0], line } : null;
    if (!was || !level || !ref.current) return;
    const move = line - was.line || level[0] - was.price;
    if (move !== 0) flash(ref.current, move > 0 ? 'up' : 'down');
  }, [level, line]);

  const word = sideWord(kind, side);
  return (
    <PriceCell
      ref={ref}
      side={side === 'BACK' ? 'back' : 'lay'}
      depth={(depth + 1) as 1 | 2 | 3}
      price={text?.price ?? null}
      size={size}
      small={small}
      selected={selected}
      hasBet={hasBet && depth === 0}
      label={
        kindOf(kind).line
          ? `${word} ${name} at ${text?.price ?? ''} runs, rate ${text?.size ?? ''}`
          : `${word} ${name} at ${text?.price ?? ''}, ${text?.size ?? ''} available`
      }
      onPress={
        off || stopped || !text ? undefined : () => pressPrice({ matchId, eventName, marketId, runnerId, side, depth })
      }
    />
  );
});

/** The runner, for kinds whose cells show a line; other cells do not follow it. */
function useLine(marketId: number, runnerId: number, follow: boolean) {
  const runner = useRunner(follow ? marketId : 0, follow ? runnerId : 0);
  return follow ? runner : undefined;
}

/** Puts the price as it is known at this moment into the slip; with one-click on it is placed at once. */
export function pressPrice({
  matchId,
  eventName,
  marketId,
  runnerId,
  side,
  depth = 0,
  price,
}: {
  matchId: number;
  eventName: string;
  marketId: number;
  runnerId: number;
  side: 'BACK' | 'LAY';
  depth?: number;
  price?: number;
}): void {
  const market = marketNow(marketId);
  const runner = runnerNow(marketId, runnerId);
  const level = runner?.[side === 'BACK' ? 'back' : 'lay'][depth];
  const at = price ?? level?.[0];
  if (!market || !runner || at === undefined) return;
  const line = lineOf(market.kind, runner, side);
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
    marketVersion: market.version,
    betDelayMs: market.inPlay ? market.betDelayMs : 0,
    minStakeMinor: market.minStakeMinor,
    maxStakeMinor: market.maxStakeMinor,
  };
  rememberOpener();
  select(selection);
  const stake = oneClickStake();
  if (stake !== null) void place(stake);
}

/** "1.84", or "222 at 100" for a line. */
export function selectionPrice(bet: { kind: string; price: number; line?: number | null }): string {
  return bet.line === undefined || bet.line === null ? priceText(bet.kind, bet.price) : `${bet.line} at ${bet.price}`;
}
