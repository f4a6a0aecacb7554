/** What the house may lose, outcome by outcome from the world's own lists, and the bounds that are set on it. */
import type { Command } from '../../src/types.ts';
import { HOUSE } from '../../src/types.ts';
import { oracleOutcomes, oracleProfitE4 } from '../oracle/quotes-oracle.ts';
import { worstOfBook } from './exposure.ts';
import { oracleBet, quoteView } from './money.ts';
import type { Market, ModelBet, Waiting, World } from './world.ts';

type Book = Extract<Command, { type: 'house.book' }>['runners'][number];

export const isBounded = ({ bounds }: World): boolean => bounds.market > 0 || bounds.event > 0;

/** Bets on quotes that the house may not take beside those it has. */
export function isTooMuch(world: World, market: Market, bets: readonly ModelBet[]): boolean {
  if (!isBounded(world) || market.def.kind === 'book') return false;
  return isBeyond(world, market, worstOfTaken(market, []), worstOfTaken(market, bets));
}

/** Whether the house's whole ladder for a runner would be too much beside what else it offers in the market. */
export function isTooLong(world: World, market: Market, { runnerId, backable, layable }: Book): boolean {
  if (!isBounded(world)) return false;
  const level = (side: 'BACK' | 'LAY') => (pair: [number, number]) => {
    const [price, size] = pair;
    return { betId: 0, accountId: HOUSE, runnerId, side, price, size };
  };
  const others = ladder(market).filter((one) => one.runnerId !== runnerId);
  const wanted = [...others, ...backable.map(level('LAY')), ...layable.map(level('BACK'))];
  return isBeyond(world, market, worstOfBooked(market, []), worstOfBooked(market, wanted));
}

/** Whether what stands in the books of a market is too much by now. */
export function isOutgrown(world: World, market: Market): boolean {
  return market.def.kind === 'book' && isBeyond(world, market, worstOfBooked(market, []), reach(market));
}

/**
 * Whether the bounds may be judged otherwise than here: the house's side of cards has no model, and of an event in which a
 * result is just booked it is the core's business which part of it still counts.
 */
export function isUnsure(world: World, { marketId }: { marketId?: number }): boolean {
  const market = world.markets.get(marketId ?? 0);
  if (!isBounded(world) || !market) return false;
  return market.def.kind === 'card' || (world.bounds.event > 0 && isUnsettled(world));
}

export function isUnsettled(world: World): boolean {
  return world.settling.size > 0 || world.coming.size > 0;
}

function isBeyond({ bounds, markets }: World, market: Market, before: number, after: number): boolean {
  if (after <= before) return false;
  if (bounds.market > 0 && after > bounds.market) return true;
  const others = [...markets.values()].filter(({ id, def }) => id !== market.id && def.eventId === market.def.eventId);
  return bounds.event > 0 && others.reduce((sum, one) => sum + reach(one), after) > bounds.event;
}

/** What it may lose with all that it offers taken. */
const reach = (market: Market): number =>
  market.def.kind === 'book' ? worstOfBooked(market, ladder(market)) : worstOfTaken(market, []);

const ladder = ({ queue }: Market): Waiting[] => queue.filter(({ accountId }) => accountId === HOUSE);

function worstOfBooked(market: Market, offers: readonly Waiting[]): number {
  if (market.status === 'CLOSED') return 0;
  // The house has one number in all matches: here it is another one on each runner, as bets are.
  const ofRunner = (runnerId: number, betId: number) => (betId === 0 ? -runnerId : betId);
  const fills = market.fills.map((fill) => ({
    ...fill,
    back: ofRunner(fill.runnerId, fill.back),
    lay: ofRunner(fill.runnerId, fill.lay),
  }));
  const taken = market.runners.map(({ id }) => ({ betId: -id, runnerId: id, remainingMinor: 0 }));
  const open = offers.map(({ runnerId, side, price, size }) => ({ runnerId, side, price, remainingMinor: size }));
  return -worstOfBook({ ...market, fills }, [...taken, ...open] as ModelBet[]) || 0;
}

function worstOfTaken(market: Market, more: readonly ModelBet[]): number {
  if (market.status === 'CLOSED' || market.def.kind === 'card') return 0;
  const bets = [...market.bets.filter(({ group, status }) => group === undefined || status !== 'PENDING'), ...more];
  const live = bets.filter(({ result }) => result === 'PENDING');
  const view = quoteView(market);
  const told = live.map(oracleBet);
  let worst = 0;
  for (const outcome of oracleOutcomes(view, told)) {
    const sum = live.reduce((all, { status }, i) => {
      const made = -oracleProfitE4(view, told[i]!, outcome);
      // One that waits may lapse: what it would bring does not count.
      return all + (status === 'PENDING' ? Math.min(0, made) : made);
    }, 0);
    worst = Math.min(worst, sum);
  }
  return Math.ceil(-worst / 100) || 0;
}
