import { divCeil, divFloor, type MarketImage } from '@fairgame/contract';
import { betAmounts, type QuoteKind, whatIf, whatIfRate } from '@fairgame/exchange';
import type { Draft } from '../slip/slip.ts';
import { kindOf } from './kinds.ts';
import type { MarketPosition } from './positions.ts';

export interface Outcome {
  profitMinor: number;
  /** What the bet can cost, positive. */
  liabilityMinor: number;
}

/** Profit and liability of the bet as typed; the house's own rounding for house quotes. */
export function outcomeOf(draft: Pick<Draft, 'kind' | 'side' | 'price' | 'line'>, stakeMinor: number): Outcome {
  if (draft.kind === 'book') {
    const prize = stakeMinor * (draft.price - 100);
    return draft.side === 'BACK'
      ? { profitMinor: divFloor(prize, 100), liabilityMinor: stakeMinor }
      : { profitMinor: stakeMinor, liabilityMinor: divCeil(prize, 100) };
  }
  const { winMinor, lossMinor } = betAmounts(draft.kind as QuoteKind, {
    side: draft.side,
    price: draft.price,
    stakeMinor,
    ...(draft.line === undefined ? {} : { line: draft.line }),
  });
  return { profitMinor: winMinor, liabilityMinor: lossMinor };
}

/** Results per runner, now and with the bet in the slip matched; null where the market has no one result per runner. */
export function positionAfter(
  market: MarketImage | undefined,
  position: MarketPosition | undefined,
  draft: Draft | null,
  stakeMinor: number,
): Map<number, { now: number; next: number | null }> | null {
  if (
    market?.winners !== 1 ||
    !(market.kind === 'book' || market.kind === 'bookmaker' || market.kind === 'tied' || market.kind === 'completed')
  )
    return null;
  const nets = market.runners.map((runner) => ({
    runnerId: runner.id,
    netMinor: position?.runners.find((one) => one.runnerId === runner.id)?.net ?? 0,
  }));
  const mine = draft && draft.marketId === market.id && stakeMinor > 0 && draft.phase !== 'done' ? draft : null;
  const after = mine
    ? (kindOf(market.kind).rate ? whatIfRate : whatIf)(nets, {
        runnerId: mine.runnerId,
        side: mine.side,
        price: mine.price,
        sizeMinor: stakeMinor,
      })
    : null;
  return new Map(
    nets.map(({ runnerId, netMinor }, at) => [runnerId, { now: netMinor, next: after?.[at]?.netMinor ?? null }]),
  );
}
