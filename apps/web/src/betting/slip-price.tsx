import { moveTicks, type RunnerImage, tickInFavour } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useMarket, useRunner } from '../live/live.ts';
import { formatMoney, formatWhole, typedOdds } from '../platform/format.ts';
import { type Draft, edit, isBusy } from '../slip/slip.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { announce } from '../ui/live-region.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { takes } from './funds.ts';
import { kindOf, lineOf, priceText } from './kinds.ts';
import { selectionPrice } from './live-price.tsx';
import { outcomeOf } from './sums.ts';
import controlsCss from '../ui/controls.module.css';
import slipCss from '../ui/slip.module.css';

/** Odds with tick steps on the ladder; a house price stands as it is. */
export function PriceBox({ draft }: { draft: Draft }) {
  const look = kindOf(draft.kind);
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? priceText(draft.kind, draft.price);
  const typed = text === null ? draft.price : typedOdds(text);
  const valid = look.ladder ? typed !== null && typed >= 101 && typed <= 100_000 : true;
  // A typed price goes to the tick in the player's favour, and the box shows what will be sent.
  const take = () => {
    if (text !== null && typed !== null && valid) edit({ price: tickInFavour(typed, draft.side) }, draft.pressed);
    setText(null);
  };
  return (
    <Stepper
      label={look.rate ? t`Rate` : t`Odds`}
      value={shown}
      locked={!look.ladder || isBusy(draft)}
      invalid={!valid}
      onChange={setText}
      onBlur={take}
      onEnter={(event) => {
        if (!valid) event.preventDefault();
        else take();
      }}
      onStep={(ticks) => {
        setText(null);
        const from = typed !== null && valid ? tickInFavour(typed, draft.side) : draft.price;
        edit({ price: moveTicks(from, ticks) }, draft.pressed);
      }}
    />
  );
}

interface Offered {
  text: string;
  /** The price to go on with in place of the one in the slip. */
  instead?: { words: string; price: number; line?: number };
}

/**
 * What the market says to the price in the slip, as it moves (exchange reference 11.4). The line is always there, so that
 * nothing below it moves while a finger is on its way.
 */
export function OnOffer({ draft, stakeMinor, off }: { draft: Draft; stakeMinor: number; off: boolean }) {
  const market = useMarket(draft.marketId);
  const runner = useRunner(draft.marketId, draft.runnerId);
  const offered = off
    ? { text: '' }
    : kindOf(draft.kind).ladder
      ? inBook(draft, stakeMinor, runner)
      : atHouse(draft, stakeMinor, runner);
  const { instead } = offered;
  // What the player asks for beyond the market is his own choice; what the market went away from him is a warning.
  const bet = `${draft.pressed}.${draft.price}.${draft.line}`;
  const could = useRef({ bet, take: false });
  if (could.current.bet !== bet) could.current = { bet, take: false };
  if (!instead && !off) could.current.take = true;
  const moved = instead !== undefined && (could.current.take || draft.kind !== 'book');
  // Said when it moves away, not at each step it takes from there; prices of a book are spoken by themselves (A11Y-01).
  const said = useRef(false);
  useEffect(() => {
    if (moved && !said.current && draft.kind !== 'book') announce(offered.text, 'polite');
    said.current = moved;
  }, [moved, offered.text, draft.kind]);
  return (
    <div className={cx(slipCss.now, moved && 'is-moved')}>
      <span className="grow num">{offered.text}</span>
      {instead && (
        <Button
          size="sm"
          className={controlsCss.reach}
          onClick={() =>
            edit(
              {
                price: instead.price,
                ...(instead.line === undefined ? {} : { line: instead.line }),
                ...(market ? { marketVersion: market.version } : {}),
              },
              draft.pressed,
            )
          }
        >
          {instead.words}
        </Button>
      )}
    </div>
  );
}

function inBook(draft: Draft, stakeMinor: number, runner: RunnerImage | undefined): Offered {
  const levels = runner?.[draft.side === 'BACK' ? 'back' : 'lay'] ?? [];
  const best = levels[0];
  const own = priceText(draft.kind, draft.price);
  if (!best) return { text: t`Nothing on offer now. At ${own} your bet waits.` };
  const now = priceText(draft.kind, best[0]);
  if (!takes(draft, best[0]))
    return { text: t`Now ${now}. At ${own} your bet waits.`, instead: { words: t`Take ${now}`, price: best[0] } };
  const taken = levels.filter(([price]) => takes(draft, price));
  const size = taken.reduce((sum, [, at]) => sum + at, 0);
  // The image has three levels; only where the last of them is beyond the price is their sum all there is.
  if (stakeMinor > size && (taken.length < levels.length || levels.length < 3))
    return {
      text: draft.fillOrKill
        ? t`${{ amount: formatWhole(size) }} on offer at ${own}: not enough for fill or kill.`
        : t`${{ amount: formatWhole(size) }} on offer at ${own}, the rest waits.`,
    };
  if (best[0] !== draft.price) return { text: t`Now ${now}: you get the better price.` };
  return { text: t`${{ amount: formatWhole(best[1]) }} on offer at ${own}` };
}

/** A house quote is taken as it stands or not at all. */
function atHouse(draft: Draft, stakeMinor: number, runner: RunnerImage | undefined): Offered {
  const level = runner?.[draft.side === 'BACK' ? 'back' : 'lay'][draft.box ?? 0];
  const line = lineOf(draft.kind, runner, draft.side);
  const price = draft.movedTo ?? level?.[0];
  if (price === undefined || (price === draft.price && (line === undefined || line === draft.line)))
    return { text: '' };
  const target = { price, ...(line === undefined ? {} : { line }) };
  const { profitMinor } = outcomeOf({ ...draft, ...target }, stakeMinor);
  const [from, to] = [selectionPrice(draft), selectionPrice({ kind: draft.kind, ...target })];
  const moved = kindOf(draft.kind).rate ? t`Price moved from ${from} to ${to}.` : t`Odds moved from ${from} to ${to}.`;
  const profit = `+${formatMoney(profitMinor)}`;
  return {
    text: stakeMinor > 0 ? `${moved} ${t`Profit is now ${profit}.`}` : moved,
    instead: { words: t`Accept`, ...target },
  };
}
