import type { MarketImage } from '@fairgame/contract';
import { type CashOut, cashOut, cashOutRate, type RunnerStatus } from '@fairgame/exchange';
import { type MarketPosition, sideOf, useMarketBets } from './positions.ts';

/** Money waiting in the book: the side of the bets that wait. */
interface Waiting {
  runnerId: number;
  side: 'BACK' | 'LAY';
  odds: number;
  remaining: number;
}

/** The prices in sight a side; behind them there may be more. */
const DEPTHS = 3;

/**
 * What cashing out brings at the prices in sight, for the figure of a button at rest; the server's quote decides. Own waiting
 * bets are left out: nobody is his own other side. Null where the kind of market knows no cash out.
 */
export function offerOf(market: MarketImage, position: MarketPosition, own: readonly Waiting[]): CashOut | null {
  if (market.kind !== 'book' && market.kind !== 'bookmaker') return null;
  const nets = market.runners
    .filter((runner) => runner.status !== 'REMOVED')
    .map((runner) => ({
      runnerId: runner.id,
      netMinor: position.runners.find((one) => one.runnerId === runner.id)?.net ?? 0,
    }));
  const status = market.status as 'OPEN' | 'SUSPENDED' | 'SETTLING' | 'CLOSED' | 'INACTIVE';
  const { minStakeMinor, maxStakeMinor, commissionBps } = market;
  if (market.kind === 'book') {
    return cashOut(nets, {
      status,
      winners: market.winners,
      runners: market.runners.map((runner) => ({
        runnerId: runner.id,
        status: runner.status as RunnerStatus,
        backable: without(own, runner.id, 'LAY', runner.back),
        layable: without(own, runner.id, 'BACK', runner.lay),
      })),
      minStakeMinor,
      maxStakeMinor,
      commissionBps,
    });
  }
  return cashOutRate(nets, {
    status,
    minStakeMinor,
    maxStakeMinor,
    commissionBps,
    rows: market.runners.map((runner) => ({
      runnerId: runner.id,
      back: runner.back[0] ? { price: runner.back[0][0], sizeMinor: runner.back[0][1] } : null,
      lay: runner.lay[0] ? { price: runner.lay[0][0], sizeMinor: runner.lay[0][1] } : null,
      status: runner.status === 'ACTIVE' ? 'ACTIVE' : 'SUSPENDED',
    })),
  });
}

/** Whether more may be on offer than the prices in sight. */
export const mayBeDeeper = ({ kind, runners }: MarketImage): boolean =>
  kind === 'book' && runners.some(({ back, lay }) => back.length >= DEPTHS || lay.length >= DEPTHS);

/** Levels less the player's own bets in them. */
export function without(
  own: readonly Waiting[],
  runnerId: number,
  side: Waiting['side'],
  levels: ReadonlyArray<[number, number]>,
): Array<[number, number]> {
  return levels.flatMap(([price, size]): Array<[number, number]> => {
    const mine = own.filter((bet) => bet.runnerId === runnerId && bet.side === side && bet.odds === price);
    const left = size - mine.reduce((sum, bet) => sum + bet.remaining, 0);
    return left > 0 ? [[price, left]] : [];
  });
}

/** The player's bets that wait in the book of this market. */
export function useWaiting({ id, matchId }: MarketImage) {
  return useMarketBets(matchId, id)
    .rows.filter((bet) => bet.betId === id && bet.status === 'EXECUTABLE' && bet.remaining > 0)
    .map((bet) => ({
      id: bet.id,
      runnerId: bet.runnerId,
      side: sideOf(bet),
      odds: bet.odds,
      remaining: bet.remaining,
    }));
}
