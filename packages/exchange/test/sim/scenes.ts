/**
 * What players and operators seldom come to by themselves: short scenes behind each run, with accounts, markets and random
 * numbers of their own, so that the run before them goes as it went.
 */
import type { Command, MarketDef } from '../../src/types.ts';
import { FIRST_PLAYER } from '../../src/types.ts';
import { marketDef } from '../market-def.ts';
import { freeOf } from './exposure.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';
import { must, owedBy } from './world.ts';

/** A command, so long after the one before it. */
export type Played = [afterMs: number, command: Command];

type Six = [number, number, number, number, number, number];

const FIRST_MARKET = 900_000;

export function* scenes(world: World, random: Random): Generator<Played> {
  const players = [1, 2, 3, 4, 5, 6].map((n) => FIRST_PLAYER + 2_000_000 + n) as Six;
  const [ann, bob, cat, dan, eve, fay] = players;
  yield [0, { type: 'house.limits', marketMinor: 0, eventMinor: 0 }];
  for (const accountId of players) yield [0, { type: 'account.open', accountId, currency: 'EUR', kind: 'player' }];
  yield* reachTheBound(world, random, FIRST_MARKET, [ann, bob]);
  yield* oweInTwoMarkets(world, random, [FIRST_MARKET + 1, FIRST_MARKET + 2], [ann, bob]);
  yield* tellLimits(random, FIRST_MARKET + 3, bob);
  yield* leaveAnOrder(world, random, FIRST_MARKET + 4, cat);
  yield* freeWhatIsOwed(world, random, [FIRST_MARKET + 5, FIRST_MARKET + 6], [dan, eve, fay]);
}

/** Groups wait out a delay beside one another, or beside a bound that is lowered: each was judged without the other. */
function* reachTheBound(world: World, random: Random, marketId: number, players: readonly number[]): Generator<Played> {
  const bound = random.int(5000, 50_000);
  yield [0, { type: 'market.create', market: { ...market(marketId, 'bookmaker'), inPlay: true, betDelayMs: 1000 } }];
  const rows = [1, 2].map((n) => ({
    runnerId: marketId * 10 + n,
    back: { price: 100, sizeMinor: 1_000_000 },
    lay: null,
    status: 'ACTIVE' as const,
  }));
  yield [0, { type: 'house.quotes', marketId, rows }];
  yield [0, { type: 'house.limits', marketMinor: bound, eventMinor: 0 }];
  for (const accountId of players) {
    yield [0, deposit(accountId, 100_000)];
    const sizeMinor = random.int(Math.ceil(bound / 3), bound);
    const leg = { runnerId: marketId * 10 + 1, side: 'BACK' as const, price: 100, sizeMinor, box: 0 };
    const betId = world.lastBetId + 1;
    yield [0, { type: 'bets.hedge', betId, accountId, marketId, legs: [leg], cancel: true }];
  }
  if (random.chance(0.3)) yield [0, { type: 'house.limits', marketMinor: random.int(1, bound), eventMinor: 0 }];
  yield [1000, { type: 'clock' }];
  yield [0, { type: 'house.limits', marketMinor: 0, eventMinor: 0 }];
  yield [0, { type: 'market.declare', marketId, result: { kind: 'void', reason: 'Practice' } }];
}

/** Somebody spends what he won in two markets before both results turn against him; what he owes in one of them is given up. */
function* oweInTwoMarkets(
  world: World,
  random: Random,
  markets: readonly [number, number],
  [debtor, creditor]: readonly number[] & { 0: number; 1: number },
): Generator<Played> {
  for (const marketId of markets) yield* win(world, random, marketId, debtor, creditor);
  yield [0, takeOut(world, debtor)];
  for (const marketId of markets) yield* turnAgainst(marketId);
  const given = { accountId: debtor, reason: 'Looked into' };
  yield [0, { type: 'hold.release', marketId: random.pick(markets), ...given }];
  yield [0, { type: 'hold.release', ...given }];
}

/**
 * Somebody owes what he lost in one market while stakes of his in another wait for their turn after a removal: he is the last of
 * its accounts, and what it frees covers what he owes when the field changes.
 */
function* freeWhatIsOwed(
  world: World,
  random: Random,
  [lostIn, marketId]: readonly [number, number],
  [layer, backer, debtor]: readonly [number, number, number],
): Generator<Played> {
  const runnerId = marketId * 10 + 2;
  yield [0, { type: 'market.create', market: { ...market(marketId, 'book'), removable: true } }];
  // More than he can lose in the other: what he has taken out is missing behind that.
  for (const one of [backer, debtor]) yield* match(world, marketId, runnerId, random.int(301, 600) * 100, [layer, one]);
  yield* win(world, random, lostIn, debtor, layer);
  yield [0, takeOut(world, debtor)];
  yield* turnAgainst(lostIn);
  must(owedBy(world, debtor) > 0, 'scene', () => `${debtor} owes nothing of what was lost in ${lostIn}`);
  yield [0, { type: 'runner.remove', marketId, runnerId, factor: 0, units: 1 }];
  while (world.settling.has(marketId)) yield [0, { type: 'work', marketId, units: 1 }];
}

/** Somebody wins an even bet on the first runner, of all that both brought. */
function* win(world: World, random: Random, marketId: number, winnerId: number, loserId: number): Generator<Played> {
  yield [0, { type: 'market.create', market: market(marketId, 'book') }];
  yield* match(world, marketId, marketId * 10 + 1, random.int(10, 300) * 100, [loserId, winnerId]);
  yield [0, { type: 'market.declare', marketId, result: winner(marketId * 10 + 1) }];
}

function* match(
  world: World,
  marketId: number,
  runnerId: number,
  sizeMinor: number,
  [layer, backer]: readonly [number, number],
): Generator<Played> {
  for (const [accountId, side] of [
    [layer, 'LAY'],
    [backer, 'BACK'],
  ] as const) {
    yield [0, deposit(accountId, sizeMinor)];
    const bet = { accountId, marketId, runnerId, side, price: 200, sizeMinor };
    yield [0, { type: 'order.place', betId: world.lastBetId + 1, ...bet, persistence: 'LAPSE' }];
  }
}

function* turnAgainst(marketId: number): Generator<Played> {
  yield [0, { type: 'market.undeclare', marketId }];
  yield [0, { type: 'market.declare', marketId, result: winner(marketId * 10 + 2) }];
}

/** Limits are told by somebody else while part of one is set aside for a bet, and an order that waits is met before it. */
function* tellLimits(random: Random, marketId: number, accountId: number): Generator<Played> {
  const sizeMinor = random.int(10, 100) * 100;
  const limit = (wager: { leftMinor: number; asideMinor?: number; keepsAside?: true }): Command => ({
    type: 'account.restrict',
    accountId,
    betBlocked: false,
    exposureLimitMinor: 0,
    wager: { from: 0, ...wager },
  });
  yield [0, { type: 'market.create', market: market(marketId, 'book') }];
  yield [0, deposit(accountId, 10 * sizeMinor)];
  yield [0, stop(marketId, accountId, sizeMinor)];
  yield [0, limit({ leftMinor: sizeMinor - 1, asideMinor: sizeMinor })];
  yield [0, limit({ leftMinor: 2 * sizeMinor - random.int(1, 2), keepsAside: true })];
  const layable = { runnerId: marketId * 10 + 1, backable: [], layable: [[300, 1_000_000] as [number, number]] };
  yield [0, { type: 'house.book', marketId, runners: [layable] }];
}

/** Somebody without bets and money leaves while an order of his waits. */
function* leaveAnOrder(world: World, random: Random, marketId: number, accountId: number): Generator<Played> {
  const sizeMinor = random.int(10, 100) * 100;
  yield [0, { type: 'market.create', market: market(marketId, 'book') }];
  yield [0, deposit(accountId, 10 * sizeMinor)];
  yield [0, stop(marketId, accountId, sizeMinor)];
  yield [0, takeOut(world, accountId)];
  yield [0, { type: 'account.close', accountId }];
}

const stop = (marketId: number, accountId: number, sizeMinor: number): Command => ({
  type: 'conditional.make',
  accountId,
  marketId,
  kind: 'STOP',
  runnerId: marketId * 10 + 1,
  side: 'LAY',
  trigger: 300,
  price: 300,
  sizeMinor,
  persistence: 'LAPSE',
});

const market = (marketId: number, kind: 'book' | 'bookmaker'): MarketDef =>
  marketDef({
    marketId,
    kind,
    name: 'Scene',
    runners: [1, 2].map((n) => ({ runnerId: marketId * 10 + n, name: `Runner ${n}` })),
    minStakeMinor: 100,
    maxStakeMinor: 5_000_000,
    ...(kind === 'book' ? { tieRule: 'VOID' as const } : { rateThan100: true }),
  });

const winner = (runnerId: number) => ({ kind: 'winners' as const, runnerIds: [runnerId] });

const deposit = (accountId: number, amountMinor: number): Command => ({
  type: 'account.transfer',
  accountId,
  amountMinor,
  reason: 'deposit',
  text: 'Deposit',
});

const takeOut = (world: World, accountId: number): Command => ({
  type: 'account.transfer',
  accountId,
  amountMinor: -Math.max(1, freeOf(world, accountId)),
  reason: 'withdrawal',
  text: 'All of it',
});
