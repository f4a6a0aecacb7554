/**
 * Who sends commands in the simulation: ordinary players and adversaries here, feed and operator in operator.ts. All see
 * the model's world only, as a real client sees prices, and pick with the seeded numbers.
 */
import { moveTicks, tickAtOrBelow } from '@fairgame/contract';
import type { AccountId, Command, HedgeLeg, PlacedOrder, Side } from '../../src/types.ts';
import { someAttached, someConditional } from './conditionals.ts';
import { freeOf } from './exposure.ts';
import { freshId, GARBAGE, near, somePlayer } from './glance.ts';
import { opposite } from './matching.ts';
import { feed, giveUp, operate } from './operator.ts';
import type { Random } from './random.ts';
import { someMovement } from './rounds.ts';
import { newBook } from './setup.ts';
import type { Market, ModelBet, World } from './world.ts';

/** The next command of somebody, chosen by what the world looks like. */
export function nextCommand(world: World, random: Random, past: readonly Command[], plan: Command[]): Command {
  if (plan.length > 0 && random.chance(0.6)) return renumbered(world, plan.shift()!);
  const actor = random.weighted([
    [54, 'player'],
    [8, 'canceller'],
    [7, 'trader'],
    [12, 'adversary'],
    [12, 'feed'],
    [4, 'clock'],
    [7, 'operator'],
    [3, 'cashier'],
    [9, 'provider'],
    [2.5, 'coalition'],
  ] as const);
  const markets = [...world.markets.values()];
  if (markets.length === 0) return { type: 'market.create', market: newBook(random, 1000 + world.archive.size + 50) };
  const halted = markets.filter((one) => one.status !== 'OPEN' && one.status !== 'CLOSED');
  if (halted.length > 0 && random.chance(0.08)) {
    return { type: 'market.state', marketId: random.pick(halted).id, status: 'OPEN', reason: '' };
  }
  // Few owe anybody anything, and not for long.
  if (world.holds.size > 0 && random.chance(0.15)) return giveUp(world, random);
  // Most of the life is where bets are taken; the others are still tried.
  const live = markets.filter((one) => one.status === 'OPEN');
  const market = random.pick(live.length > 0 && random.chance(0.75) ? live : markets);
  const accountId = somePlayer(world, random);
  switch (actor) {
    case 'player':
      if (random.chance(0.07)) return someHedge(world, random, market, accountId);
      if (market.def.kind === 'book' && random.chance(0.04)) return together(world, random, market, accountId);
      if (market.def.kind !== 'book' && random.chance(0.05)) return takes(world, random, market, accountId);
      return market.def.kind === 'book'
        ? order(world, random, market, accountId, {})
        : take(world, random, market, accountId);
    case 'canceller':
      return cancelOrChange(world, random, market, accountId);
    case 'trader':
      return someConditional(world, random, market, accountId);
    case 'adversary':
      return attack(world, random, market, accountId, past);
    case 'feed':
      return feed(random, market);
    case 'clock':
      return { type: 'clock' };
    case 'operator':
      return operate(world, random, market);
    case 'cashier':
      return cash(world, random, accountId);
    case 'provider':
      return someMovement(world, random);
    case 'coalition':
      plan.push(...layTheField(world, random, market, accountId));
      return { type: 'clock' };
  }
}

/**
 * Two who work together: one lays every runner of a field to the other for about the same return, so that whoever wins
 * costs neither anything; then they wait for a runner to go. Sometimes for all they have.
 */
function layTheField(world: World, random: Random, market: Market, layer: AccountId): Command[] {
  const backer = somePlayer(world, random);
  if (market.def.kind !== 'book' || backer === layer) return [];
  const standing = market.runners.filter((runner) => runner.status !== 'REMOVED');
  const fair = tickAtOrBelow(Math.max(101, standing.length * 100));
  const sizeMinor = random.chance(0.5) ? random.int(10, 200) * 100 : Math.max(100, freeOf(world, layer));
  const bet = { type: 'order.place' as const, betId: 0, marketId: market.id, sizeMinor, price: fair };
  const persistence = 'PERSIST' as const;
  return standing.flatMap(({ id: runnerId }): Command[] => [
    { ...bet, accountId: layer, runnerId, side: 'LAY', persistence },
    { ...bet, accountId: backer, runnerId, side: 'BACK', persistence },
  ]);
}

/** A planned bet takes its id when it is sent. */
function renumbered(world: World, command: Command): Command {
  return command.type === 'order.place' ? { ...command, betId: world.lastBetId + 1 } : command;
}

type Place = Extract<Command, { type: 'order.place' }>;

type Take = Extract<Command, { type: 'quote.take' }>;

function order(world: World, random: Random, market: Market, accountId: AccountId, more: Partial<Place>): Place {
  const runner = random.pick(market.runners);
  const sizeMinor = random.weighted([
    [6, random.int(1, 40) * 100],
    [3, random.int(100, 20_000)],
    [1, market.maxStake],
  ]);
  const place: Place = {
    type: 'order.place',
    betId: freshId(world, random),
    accountId,
    marketId: market.id,
    runnerId: runner.id,
    side: random.pick(['BACK', 'LAY'] as const),
    price: near(random, market, runner),
    sizeMinor,
    persistence: random.pick(['LAPSE', 'PERSIST'] as const),
  };
  if (random.chance(0.12)) place.minFillMinor = random.chance(0.5) ? sizeMinor : random.int(1, sizeMinor);
  if (random.chance(0.2)) place.marketVersion = market.version - (random.chance(0.3) ? random.int(0, 3) : 0);
  if (random.chance(0.15)) Object.assign(place, someAttached(random));
  // Not drawn, so that each seed goes as it went.
  if (place.betId % 5 === 0) place.takesAside = true;
  return { ...place, ...more };
}

/** Several orders at once, some of them across each other; now and then for more than the purse holds together. */
function together(world: World, random: Random, market: Market, accountId: AccountId): Command {
  const count = random.int(1, 4);
  const orders = Array.from({ length: count }, (): PlacedOrder => {
    const asked = order(world, random, market, accountId, {});
    const { runnerId, side, price, sizeMinor, persistence, minFillMinor, offset, expireMs } = asked;
    const size = random.chance(0.1) ? Math.max(1, Math.ceil(freeOf(world, accountId) / count)) : sizeMinor;
    const least = minFillMinor === undefined ? {} : { minFillMinor: Math.min(size, minFillMinor) };
    const attached = { ...(offset && { offset }), ...(expireMs !== undefined && { expireMs }) };
    const at = random.chance(0.01) ? 101.5 : price;
    return { runnerId, side, price: at, sizeMinor: size, persistence, ...least, ...attached };
  });
  const version = random.chance(0.2) ? { marketVersion: market.version - random.int(0, 1) } : {};
  return { type: 'orders.place', betId: freshId(world, random), accountId, marketId: market.id, orders, ...version };
}

function take(world: World, random: Random, market: Market, accountId: AccountId): Take {
  const row = [...market.quotes.values()].length ? random.pick([...market.quotes.values()]) : undefined;
  const side: Side = random.chance(0.55) ? 'BACK' : 'LAY';
  const quote = (side === 'BACK' ? row?.back : row?.lay) ?? row?.back ?? row?.lay;
  const bookmaker = market.def.kind === 'bookmaker';
  const box = bookmaker ? random.int(0, 2) : 0;
  const stale = random.chance(0.06) ? random.pick([-1, 1]) : 0;
  const command: Take = {
    type: 'quote.take',
    betId: freshId(world, random),
    accountId,
    marketId: market.id,
    runnerId: row?.runnerId ?? market.runners[0]!.id,
    side,
    price: (quote?.price ?? 90) + (side === 'BACK' ? -box : box) + stale,
    stakeMinor: random.chance(0.9) ? random.int(1, 60) * 100 : random.int(1, market.maxStake),
  };
  if (quote?.line !== undefined) command.line = quote.line + (random.chance(0.03) ? 1 : 0);
  if (bookmaker && (box > 0 || random.chance(0.5))) command.box = box;
  if (random.chance(0.1)) command.marketVersion = market.version;
  return command;
}

/** Several takes at once, some on one quote, some on what it is no more; now and then for more than the purse holds together. */
function takes(world: World, random: Random, market: Market, accountId: AccountId): Command {
  const several = Array.from({ length: random.int(1, 4) }, () => {
    const { runnerId, side, price, stakeMinor, line = 0 } = take(world, random, market, accountId);
    return { runnerId, side, price: Math.max(1, price), stakeMinor, line };
  });
  const version = random.chance(0.1) ? { marketVersion: market.version - random.int(0, 1) } : {};
  const betId = freshId(world, random);
  return { type: 'quotes.take', betId, accountId, marketId: market.id, takes: several, ...version };
}

/** A few bets as one: at the prices there are, now and then for more than there is. */
function someHedge(world: World, random: Random, market: Market, accountId: AccountId): Command {
  const count = random.int(1, Math.min(3, market.runners.length));
  const chosen = [...market.runners].sort(() => (random.chance(0.5) ? 1 : -1)).slice(0, count);
  const legs = chosen.map((runner): HedgeLeg => {
    const side = random.pick(['BACK', 'LAY'] as const);
    if (market.def.kind !== 'book') {
      const { price, stakeMinor } = take(world, random, market, accountId);
      const row = market.quotes.get(runner.id);
      const quote = side === 'BACK' ? row?.back : row?.lay;
      return { runnerId: runner.id, side, price: quote?.price ?? price, sizeMinor: stakeMinor };
    }
    const [best] = opposite(market, runner.id, side, side === 'BACK' ? 101 : 100_000);
    const price = best && random.chance(0.9) ? best.price : near(random, market, runner);
    const size = best && random.chance(0.8) ? random.int(1, best.size) : random.int(1, 20_000);
    return { runnerId: runner.id, side, price, sizeMinor: Math.max(1, Math.min(size, market.maxStake)) };
  });
  const version = random.chance(0.2) ? { marketVersion: market.version - random.int(0, 1) } : {};
  const betId = freshId(world, random);
  return { type: 'bets.hedge', betId, accountId, marketId: market.id, legs, cancel: random.chance(0.7), ...version };
}

function ownOpen(world: World, accountId: AccountId): ModelBet[] {
  return [...world.markets.values()].flatMap((market) =>
    market.bets.filter((bet) => bet.accountId === accountId && bet.remainingMinor > 0),
  );
}

function cancelOrChange(world: World, random: Random, market: Market, accountId: AccountId): Command {
  const open = ownOpen(world, accountId);
  if (open.length === 0 || random.chance(0.08)) {
    const all = { type: 'order.cancelAll', accountId } as const;
    if (random.chance(0.5)) return random.chance(0.8) ? all : { ...all, side: random.pick(['BACK', 'LAY'] as const) };
    const of = { ...all, marketId: market.id };
    if (random.chance(0.5)) return of;
    const runnerId = random.chance(0.95) ? random.pick(market.runners).id : 999_999;
    return random.chance(0.5) ? { ...of, runnerId } : { ...of, runnerId, side: random.pick(['BACK', 'LAY'] as const) };
  }
  const bet = random.pick(open);
  switch (random.int(0, 3)) {
    case 0:
      return { type: 'order.cancel', accountId, betId: bet.betId };
    case 1:
      return { type: 'order.cancel', accountId, betId: bet.betId, byMinor: random.int(1, bet.remainingMinor + 50) };
    case 2:
      return {
        type: 'order.persistence',
        accountId,
        betId: bet.betId,
        persistence: random.pick(['LAPSE', 'PERSIST'] as const),
      };
    default:
      return {
        type: 'order.replace',
        accountId,
        betId: bet.betId,
        newBetId: freshId(world, random),
        price: random.chance(0.4) ? bet.price : moveTicks(bet.price, random.int(-4, 4)),
        sizeMinor: random.chance(0.5) ? random.int(1, bet.remainingMinor) : random.int(100, 30_000),
        ...(random.chance(0.2) ? { marketVersion: market.version } : {}),
        ...(random.chance(0.3) ? { remainingMinor: bet.remainingMinor - (random.chance(0.3) ? 1 : 0) } : {}),
        ...(random.chance(0.2) ? { persistence: random.pick(['LAPSE', 'PERSIST'] as const) } : {}),
      };
  }
}

function attack(world: World, random: Random, market: Market, accountId: AccountId, past: readonly Command[]): Command {
  const book = market.def.kind === 'book';
  const any = (): Place | Take =>
    book ? order(world, random, market, accountId, {}) : take(world, random, market, accountId);
  switch (random.int(0, 9)) {
    case 0: {
      // The same bet once more, as after a lost answer.
      const placed = past.filter((one) => one.type === 'order.place' || one.type === 'quote.take');
      return placed.length ? random.pick(placed.slice(-30)) : any();
    }
    case 1: // A fresh bet under a used id.
      return { ...any(), betId: random.int(1, Math.max(1, world.lastBetId)) };
    case 2: // The ends of the ladder.
      return book
        ? order(world, random, market, accountId, { price: random.pick([101, 100_000, 102, 99_000]) })
        : { ...take(world, random, market, accountId), price: random.pick([101, 100_000, 1, 0]) };
    case 3: {
      // Somebody else's bet.
      const others = [...world.markets.values()]
        .flatMap((one) => one.bets)
        .filter((bet) => bet.accountId !== accountId);
      if (others.length === 0) return any();
      const { betId } = random.pick(others.slice(-20));
      return random.chance(0.5)
        ? { type: 'order.cancel', accountId, betId }
        : { type: 'order.replace', accountId, betId, newBetId: freshId(world, random), price: 200, sizeMinor: 200 };
    }
    case 4: // At the limits of the stake.
      return withStake(
        any(),
        random.pick([market.minStake - 1, market.minStake, market.maxStake, market.maxStake + 1, 1]),
      );
    case 5:
      return withStake(any(), random.pick([10_000_000_000, 9_000_000_000_000_000, 2 ** 53 - 1]));
    case 6: {
      // Just what the purse holds, or one more.
      const free = Math.max(1, freeOf(world, accountId));
      return withStake(any(), free + random.int(0, 1));
    }
    case 7: {
      // Both sides of one price: an account must not match itself.
      const own = market.queue.filter((one) => one.accountId === accountId);
      if (own.length === 0) return any();
      const { runnerId, side, price, size } = random.pick(own);
      return order(world, random, market, accountId, {
        runnerId,
        price,
        side: side === 'BACK' ? 'LAY' : 'BACK',
        sizeMinor: size,
      });
    }
    case 8:
      return garbage(random, any());
    default: {
      const wrong: Array<Partial<Place>> = [
        { marketId: 999_999 },
        { runnerId: 999_999 },
        { accountId: 77 },
        { accountId: 1 },
        { marketVersion: 1 },
      ];
      return { ...any(), ...random.pick(wrong) } as Command;
    }
  }
}

function withStake(command: Place | Take, stake: number): Command {
  return command.type === 'order.place' ? { ...command, sizeMinor: stake } : { ...command, stakeMinor: stake };
}

/** One number of the command replaced by something no client should send. */
function garbage(random: Random, command: Place | Take): Command {
  const fields = Object.entries(command)
    .filter(([name, value]) => typeof value === 'number' && name !== 'accountId')
    .map(([name]) => name);
  return { ...command, [random.pick(fields)]: random.pick(GARBAGE) } as Command;
}

function cash(world: World, random: Random, accountId: AccountId): Command {
  const free = freeOf(world, accountId);
  const amountMinor = random.weighted([
    [4, random.int(100, 100_000)],
    [3, -random.int(1, Math.max(1, free))],
    [1, -(free + random.int(0, 1)) || 5],
    [0.5, random.pick(GARBAGE)],
  ]);
  const reason =
    amountMinor > 0
      ? random.pick(['deposit', 'correction', 'creditReference'] as const)
      : random.pick(['withdrawal', 'correction'] as const);
  return { type: 'account.transfer', accountId, amountMinor, reason, text: 'Cashier' };
}
