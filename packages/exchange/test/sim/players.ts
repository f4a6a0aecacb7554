/**
 * Who sends commands in the simulation: ordinary players, adversaries, the house's feed and the operator. All see the
 * model's world only, as a real client sees prices, and pick with the seeded numbers.
 */
import { LADDER, moveTicks, tickIndex } from '@fairgame/contract';
import type {
  AccountId,
  BetId,
  Command,
  MarketDef,
  QuoteKind,
  QuoteRow,
  Result,
  RunnerDef,
  Side,
} from '../../src/types.ts';
import { FIRST_PLAYER } from '../../src/types.ts';
import { exposureOf } from './money.ts';
import type { Random } from './random.ts';
import type { Market, ModelBet, Runner, World } from './world.ts';

export const LINE_KINDS: QuoteKind[] = ['session', 'overByover', 'ballByBall', 'khado', 'meter'];
const KINDS: QuoteKind[] = [...LINE_KINDS, 'fancy1', 'oddEven', 'cricketCasino', 'tied', 'completed'];
const RATE_KINDS: QuoteKind[] = [...LINE_KINDS, 'bookmaker'];

/** First commands of a run: players with money, books and quoted markets, first prices. */
export function opening(random: Random): Command[] {
  const commands: Command[] = [];
  const players = random.int(5, random.chance(0.2) ? 40 : 12);
  for (let i = 0; i < players; i++) {
    const accountId = FIRST_PLAYER + i;
    commands.push({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
    const amountMinor = random.weighted([
      [5, random.int(50_000, 500_000)],
      [2, random.int(100, 3000)],
      [1, 100_000_000],
    ]);
    commands.push({ type: 'account.transfer', accountId, amountMinor, reason: 'deposit', text: 'Deposit' });
  }
  let marketId = 1000;
  const books = random.int(1, 2);
  for (let i = 0; i < books; i++) commands.push({ type: 'market.create', market: newBook(random, marketId++) });
  const quoted = random.int(1, 3);
  for (let i = 0; i < quoted; i++) {
    const kind = random.chance(0.4) ? 'bookmaker' : random.pick(KINDS);
    commands.push({ type: 'market.create', market: newQuoted(random, marketId++, kind) });
  }
  return commands;
}

export function newBook(random: Random, marketId: number): MarketDef {
  const race = random.chance(0.4);
  const count = race ? random.int(4, 6) : random.int(2, 4);
  const winners = race && random.chance(0.4) ? random.int(2, 3) : 1;
  return {
    ...newMarket(random, marketId),
    kind: 'book',
    name: race ? 'Race' : 'Match Odds',
    winners,
    runners: Array.from(
      { length: count },
      (_, i): RunnerDef => ({
        runnerId: marketId * 10 + i,
        name: `Runner ${i + 1}`,
        ...(race ? { adjustmentFactor: Math.floor(10_000 / count) } : {}),
      }),
    ),
    ...(winners > 1 ? { placeMarket: true } : {}),
    tieRule: random.pick(['VOID', 'DEAD_HEAT'] as const),
    lapseOnSuspend: random.chance(0.4),
  };
}

function newQuoted(random: Random, marketId: number, kind: QuoteKind): MarketDef {
  const count =
    kind === 'cricketCasino'
      ? 10
      : kind === 'bookmaker'
        ? random.int(2, 4)
        : LINE_KINDS.includes(kind)
          ? random.int(1, 2)
          : 2;
  return {
    ...newMarket(random, marketId),
    kind,
    name: kind,
    winners: 1,
    runners: Array.from(
      { length: count },
      (_, i): RunnerDef => ({
        runnerId: marketId * 10 + i,
        name: `Row ${i + 1}`,
        ...(kind === 'khado' ? { width: random.int(1, 10) } : {}),
      }),
    ),
    lapseOnSuspend: random.chance(0.5),
    ...(kind === 'meter' ? { cap: random.int(80, 140) } : {}),
    ...(kind === 'bookmaker' ? { rateThan100: random.chance(0.6) } : {}),
  };
}

function newMarket(random: Random, marketId: number) {
  return {
    marketId,
    eventId: 1,
    commissionBps: random.pick([0, 200, 500]),
    minStakeMinor: 100,
    maxStakeMinor: random.pick([20_000, 500_000, 5_000_000]),
    maxExposureMinor: random.chance(0.2) ? 30_000 : 0,
    maxBets: random.chance(0.15) ? 6 : 0,
    inPlay: random.chance(0.35),
    status: random.chance(0.85) ? ('OPEN' as const) : ('SUSPENDED' as const),
    betDelayMs: random.pick([0, 0, 1000, 5000]),
  };
}

/** The next command of somebody, chosen by what the world looks like. */
export function nextCommand(world: World, random: Random, past: readonly Command[]): Command {
  const actor = random.weighted([
    [54, 'player'],
    [8, 'canceller'],
    [12, 'adversary'],
    [12, 'feed'],
    [4, 'clock'],
    [7, 'operator'],
    [3, 'cashier'],
  ] as const);
  const markets = [...world.markets.values()];
  if (markets.length === 0) return { type: 'market.create', market: newBook(random, 1000 + world.archive.size + 50) };
  const halted = markets.filter((one) => one.status !== 'OPEN' && one.status !== 'CLOSED');
  if (halted.length > 0 && random.chance(0.08)) {
    return { type: 'market.state', marketId: random.pick(halted).id, status: 'OPEN', reason: '' };
  }
  // Most of the life is where bets are taken; the others are still tried.
  const live = markets.filter((one) => one.status === 'OPEN');
  const market = random.pick(live.length > 0 && random.chance(0.75) ? live : markets);
  const accountId = somePlayer(world, random);
  switch (actor) {
    case 'player':
      return market.def.kind === 'book'
        ? order(world, random, market, accountId, {})
        : take(world, random, market, accountId);
    case 'canceller':
      return cancelOrChange(world, random, market, accountId);
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
  }
}

function somePlayer(world: World, random: Random): AccountId {
  const players = [...world.accounts.keys()].filter((id) => id >= FIRST_PLAYER);
  return players.length ? random.pick(players) : FIRST_PLAYER;
}

function freshId(world: World, random: Random): BetId {
  return world.lastBetId + (random.chance(0.9) ? 1 : random.int(1, 5));
}

type Place = Extract<Command, { type: 'order.place' }>;
type Take = Extract<Command, { type: 'quote.take' }>;

/** A price near the action of a runner: around the best waiting orders, or around a price of its own. */
function near(random: Random, market: Market, runner: Runner): number {
  const waiting = market.queue.filter((one) => one.runnerId === runner.id);
  const centre = waiting.length ? random.pick(waiting).price : 150 + ((runner.id * 37) % 500);
  return moveTicks(centre, random.int(-3, 3));
}

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
  return { ...place, ...more };
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

function ownOpen(world: World, accountId: AccountId): ModelBet[] {
  return [...world.markets.values()].flatMap((market) =>
    market.bets.filter((bet) => bet.accountId === accountId && bet.remainingMinor > 0),
  );
}

function cancelOrChange(world: World, random: Random, market: Market, accountId: AccountId): Command {
  const open = ownOpen(world, accountId);
  if (open.length === 0 || random.chance(0.08)) {
    return random.chance(0.5)
      ? { type: 'order.cancelAll', accountId, marketId: market.id }
      : { type: 'order.cancelAll', accountId };
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
      };
  }
}

const GARBAGE = [Number.NaN, -1, 0, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53), 1e300, 99, 100_001, 0.1 + 0.2];

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
      const account = world.accounts.get(accountId);
      const free = Math.max(1, (account?.ledger ?? 0) - exposureOf(world, accountId));
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

/** A command no gateway should let through: the core must refuse it without a trace. */
export function nonsense(world: World, random: Random): Command {
  const accountId = somePlayer(world, random);
  const market = [...world.markets.values()][0];
  const marketId = market?.id ?? 1000;
  const runnerId = market?.runners[0]?.id ?? 10_000;
  const def = newBook(random, 900_000);
  const odd = random.pick([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, 1e300]);
  const bet = { betId: world.lastBetId + 1, accountId, marketId, runnerId, side: 'BACK', price: 200 };
  const row = { runnerId, back: { price: 90, sizeMinor: 100 }, lay: null, status: 'ACTIVE' };
  const { kind: _, ...noKind } = def;
  return random.pick<unknown>([
    { type: 'market.create', market: null },
    { type: 'market.create', market: { ...def, runners: [] } },
    { type: 'market.create', market: { ...def, runners: [def.runners[0], def.runners[0]] } },
    { type: 'market.create', market: { ...def, winners: odd } },
    { type: 'market.create', market: { ...def, commissionBps: 10_001 } },
    { type: 'market.create', market: { ...def, minStakeMinor: 500, maxStakeMinor: 100 } },
    { type: 'market.create', market: { ...def, status: 'CLOSED' } },
    { type: 'market.create', market: noKind },
    { type: 'market.state', marketId, status: 'CLOSED' },
    { type: 'market.state', marketId, inPlay: 'yes' },
    { type: 'market.state', marketId, betDelayMs: odd },
    { type: 'market.state', marketId, limits: { minStakeMinor: 100, maxStakeMinor: odd } },
    { type: 'market.state', marketId, runners: [{ runnerId, status: 'WINNER' }] },
    { type: 'market.state', marketId, runners: [{ runnerId: 5, status: 'ACTIVE' }] },
    { type: 'house.book', marketId, runners: [{ runnerId, backable: [[odd, 100]], layable: [] }] },
    { type: 'house.book', marketId, runners: [{ runnerId, backable: [[200, odd]], layable: [] }] },
    { type: 'house.book', marketId, runners: [{ runnerId, backable: [[300, 100]], layable: [[200, 100]] }] },
    {
      type: 'house.book',
      marketId,
      runners: [
        {
          runnerId,
          backable: [
            [300, 100],
            [300, 50],
          ],
          layable: [],
        },
      ],
    },
    { type: 'house.quotes', marketId, rows: [{ ...row, back: { price: odd, sizeMinor: 100 } }] },
    { type: 'house.quotes', marketId, rows: [{ ...row, lay: { price: 90, sizeMinor: 100, line: odd } }] },
    { type: 'house.quotes', marketId, rows: [{ ...row, status: 'OPEN' }] },
    { type: 'runner.remove', marketId, runnerId, factor: odd },
    { type: 'runner.remove', marketId, runnerId, factor: 10_000 },
    { type: 'account.open', accountId: odd, currency: 'EUR', kind: 'player' },
    { type: 'account.open', accountId: 1, currency: 'EUR', kind: 'player' },
    { type: 'account.restrict', accountId, betBlocked: false, exposureLimitMinor: odd },
    { type: 'account.transfer', accountId, amountMinor: 100, reason: 'settle', text: '' },
    { type: 'account.transfer', accountId: 2, amountMinor: 100, reason: 'deposit', text: '' },
    { ...bet, type: 'order.place', sizeMinor: 200, persistence: 'FOREVER' },
    { ...bet, type: 'order.place', sizeMinor: 200, persistence: 'LAPSE', side: 'BOTH' },
    { ...bet, type: 'order.place', sizeMinor: '200', persistence: 'LAPSE' },
    { ...bet, type: 'order.place', sizeMinor: 200, price: '200', persistence: 'LAPSE' },
    { ...bet, type: 'quote.take', stakeMinor: 200, box: 3 },
    { ...bet, type: 'quote.take', stakeMinor: 200, side: '' },
    { type: 'bets.void', marketId, betIds: [], reason: 'none' },
    { type: 'market.declare', marketId, result: null },
    { type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [runnerId, runnerId] } },
    { type: 'market.undeclare', marketId: 999_999, archived: { snapshot: 1, market: { id: 999_999 } } },
    { type: 'money.print', accountId },
  ]) as Command;
}

/** New prices of the house for some runners of a market. */
export function feed(random: Random, market: Market): Command {
  if (market.def.kind !== 'book') return { type: 'house.quotes', marketId: market.id, rows: quoteRows(random, market) };
  const runners = random.shuffle(market.runners).slice(0, random.int(1, market.runners.length));
  return {
    type: 'house.book',
    marketId: market.id,
    runners: runners.map((runner) => {
      const centre = tickIndex(near(random, market, runner));
      const depth = random.int(0, 3);
      const step = (from: number, by: number): Array<[number, number]> =>
        Array.from({ length: depth }, (_, i) => from + by * i)
          .filter((tick) => tick >= 0 && tick < LADDER.length)
          .map((tick) => [LADDER[tick]!, random.int(1, 60) * 100]);
      // `backable` is laid by the house, so it stands under what is layable.
      return { runnerId: runner.id, backable: step(centre - 1, -1), layable: step(centre + random.int(0, 2), 1) };
    }),
  };
}

function quoteRows(random: Random, market: Market): QuoteRow[] {
  const { kind } = market.def;
  if (kind === 'book') return [];
  return random
    .shuffle(market.runners)
    .slice(0, random.int(1, market.runners.length))
    .map((runner): QuoteRow => {
      const rate = RATE_KINDS.includes(kind);
      const price = rate
        ? random.weighted([
            [8, random.int(20, 120)],
            [1, random.int(0, 3)],
            [1, random.int(101, 300)],
          ])
        : random.int(101, 900);
      const line = LINE_KINDS.includes(kind) ? { line: random.int(0, 60) } : {};
      const sizeMinor = random.pick([market.maxStake, 5000, 100_000]);
      return {
        runnerId: runner.id,
        back: random.chance(0.9) ? { price, sizeMinor, ...line } : null,
        lay: random.chance(0.8)
          ? { price: price + (rate ? random.int(0, 10) : random.int(0, 30)), sizeMinor, ...line }
          : null,
        status: random.weighted([
          [14, 'ACTIVE'],
          [1, 'SUSPENDED'],
          [1, 'BALL_RUNNING'],
          [0.3, 'CLOSED'],
        ] as const),
      };
    });
}

function operate(world: World, random: Random, market: Market): Command {
  const { id: marketId } = market;
  const racing = market.runners.length > 2 && (market.def.kind === 'book' || market.def.kind === 'bookmaker');
  const act = random.weighted([
    [market.status === 'SUSPENDED' ? 14 : 4, 'status'],
    [2.5, 'inPlay'],
    [2, 'runner'],
    [0.7, 'limits'],
    [racing ? 2 : 0.1, 'remove'],
    [market.runners.some((runner) => runner.status === 'REMOVED') ? 3 : 0.1, 'reinstate'],
    [market.status === 'CLOSED' ? 0.3 : 1.2, 'declare'],
    [market.status === 'CLOSED' ? 5 : 0.3, 'undeclare'],
    [1.2, 'void'],
    [market.status === 'CLOSED' ? 1 : 0.1, 'archive'],
    [world.archive.size ? 0.8 : 0, 'unarchive'],
    [0.5, 'create'],
    [0.7, 'restrict'],
  ] as const);
  switch (act) {
    case 'status': {
      const status =
        market.status === 'OPEN'
          ? random.chance(0.95)
            ? 'SUSPENDED'
            : 'INACTIVE'
          : random.chance(0.9)
            ? 'OPEN'
            : 'SUSPENDED';
      return { type: 'market.state', marketId, status, reason: 'Goal' };
    }
    case 'inPlay':
      return {
        type: 'market.state',
        marketId,
        inPlay: !market.inPlay || random.chance(0.2),
        betDelayMs: random.pick([0, 1000, 3000]),
        ...(random.chance(0.5) ? { status: random.pick(['OPEN', 'SUSPENDED'] as const) } : {}),
      };
    case 'runner':
      return {
        type: 'market.state',
        marketId,
        runners: [
          {
            runnerId: random.pick(market.runners).id,
            status: random.pick(['ACTIVE', 'ACTIVE', 'SUSPENDED', 'BALL_RUNNING'] as const),
          },
        ],
      };
    case 'limits':
      return {
        type: 'market.state',
        marketId,
        limits: { minStakeMinor: random.int(1, 500), maxStakeMinor: random.int(5000, 900_000) },
      };
    case 'remove':
      return {
        type: 'runner.remove',
        marketId,
        runnerId: random.pick(market.runners).id,
        factor: random.pick([0, 100, 249, 250, 1620, 2500, 5000]),
      };
    case 'reinstate':
      return {
        type: 'runner.reinstate',
        marketId,
        runnerId: (market.runners.find((runner) => runner.status === 'REMOVED') ?? market.runners[0]!).id,
        factor: random.pick([0, 1000]),
      };
    case 'declare':
      return { type: 'market.declare', marketId, result: someResult(random, market) };
    case 'undeclare':
      return { type: 'market.undeclare', marketId };
    case 'void': {
      const bets = market.bets.slice(-20);
      if (bets.length === 0) return { type: 'clock' };
      const betIds = [...new Set(Array.from({ length: random.int(1, 3) }, () => random.pick(bets).betId))];
      return { type: 'bets.void', marketId, betIds, reason: 'Wrong rate' };
    }
    case 'archive':
      return { type: 'market.archive', marketId };
    case 'unarchive': {
      const [id, { snapshot, market: old }] = random.pick([...world.archive]);
      const archived = snapshot as { snapshot: 1; market: unknown };
      if (random.chance(0.4) && old.bets.length) {
        return {
          type: 'bets.void',
          marketId: id,
          betIds: [random.pick(old.bets).betId],
          reason: 'Late correction',
          archived,
        };
      }
      return { type: 'market.undeclare', marketId: id, archived };
    }
    case 'create':
      return {
        type: 'market.create',
        market: newBook(random, random.chance(0.2) ? marketId : 2000 + world.markets.size + world.archive.size),
      };
    case 'restrict':
      return {
        type: 'account.restrict',
        accountId: somePlayer(world, random),
        betBlocked: random.chance(0.3),
        exposureLimitMinor: random.chance(0.5) ? 0 : random.int(1000, 100_000),
      };
  }
}

/** A result that mostly fits the market. */
export function someResult(random: Random, market: Market): Result {
  if (random.chance(0.1)) return { kind: 'void', reason: 'Abandoned' };
  if (random.chance(0.08)) return { kind: 'tie' };
  const { kind, winners } = market.def;
  if (random.chance(0.04)) {
    return random.pick<Result>([
      { kind: 'winners', runnerIds: [] },
      { kind: 'winners', runnerIds: [5] },
      { kind: 'score', score: -1 },
      { kind: 'score', score: 1.5 },
      { kind: 'yes', yes: true },
    ]);
  }
  if (kind === 'book' || kind === 'bookmaker') {
    const active = random
      .shuffle(market.runners.filter((runner) => runner.status !== 'REMOVED'))
      .map((runner) => runner.id);
    const heat = kind === 'book' && random.chance(0.15) ? 1 : 0;
    return { kind: 'winners', runnerIds: active.slice(0, Math.min(winners, active.length) + heat) };
  }
  if (kind === 'fancy1' || kind === 'tied' || kind === 'completed') return { kind: 'yes', yes: random.chance(0.5) };
  return { kind: 'score', score: random.int(0, random.chance(0.1) ? 300 : 70) };
}

function cash(world: World, random: Random, accountId: AccountId): Command {
  const account = world.accounts.get(accountId);
  const free = (account?.ledger ?? 0) - exposureOf(world, accountId);
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
