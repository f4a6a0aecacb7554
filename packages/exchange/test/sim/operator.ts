/** The house's feed and the operator: prices, states, removals, results, corrections; and commands that make no sense. */
import { LADDER, tickIndex } from '@fairgame/contract';
import type { Command, QuoteRow, Result } from '../../src/types.ts';
import { FIRST_PLAYER } from '../../src/types.ts';
import { recallOf } from './archives.ts';
import { someCards } from './cards.ts';
import { freeOf } from './exposure.ts';
import { near, somePlayer } from './glance.ts';
import { isUnsettled } from './house.ts';
import type { Random } from './random.ts';
import { isInUse } from './refusals.ts';
import { LINE_KINDS, newBook, RATE_KINDS } from './setup.ts';
import type { Market, Runner, World } from './world.ts';

/** New prices of the house for some runners of a market. */
export function feed(random: Random, market: Market): Command {
  if (market.def.kind !== 'book') {
    const rows = quoteRows(random, market);
    if (market.def.kind === 'bookmaker' && market.runners.length < 6 && random.chance(0.06)) rows.push(newRow(market));
    return { type: 'house.quotes', marketId: market.id, rows };
  }
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

/** An outcome nobody reckoned with. */
function newRow(market: Market): QuoteRow {
  const quote = { price: 90, sizeMinor: 100_000 };
  return { runnerId: market.id * 10 + market.runners.length, back: quote, lay: { ...quote }, status: 'ACTIVE' };
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

export function operate(world: World, random: Random, market: Market): Command {
  const { id: marketId } = market;
  const racing = market.runners.length > 2 && (market.def.kind === 'book' || market.def.kind === 'bookmaker');
  const shorts = [...world.accounts.keys()].filter((id) => freeOf(world, id) < 0);
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
    [0.7, 'bar'],
    [0.7, 'lapse'],
    [isUnsettled(world) ? 0 : 0.8, 'bounds'],
    [0.5, 'enter'],
    [0.7, 'leave'],
    [world.holds.size > 0 ? 2 : 0.1, 'release'],
    [shorts.length > 0 ? 1 : 0.1, 'writeOff'],
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
      return { type: 'market.state', marketId, status, reason: 'Goal', ...pieces(random) };
    }
    case 'inPlay':
      return {
        type: 'market.state',
        marketId,
        inPlay: !market.inPlay || random.chance(0.2),
        betDelayMs: random.pick([0, 1000, 3000]),
        ...pieces(random),
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
        ...gone(random, random.pick(market.runners)),
        ...(random.chance(0.3) ? { factors: rescaled(random, market) } : {}),
        ...(market.def.removable && random.chance(0.9) ? {} : { force: 'Withdrawn' }),
        ...pieces(random),
      };
    case 'reinstate':
      return {
        type: 'runner.reinstate',
        marketId,
        runnerId: (market.runners.find((runner) => runner.status === 'REMOVED') ?? market.runners[0]!).id,
        factor: random.pick([0, 1000]),
        ...(random.chance(0.3) ? { force: 'Put back by the stewards' } : {}),
        ...pieces(random),
      };
    case 'declare':
      return { type: 'market.declare', marketId, result: someResult(random, market), ...pieces(random) };
    case 'undeclare':
      return { type: 'market.undeclare', marketId, ...pieces(random) };
    case 'void': {
      const bets = market.bets.slice(-20);
      if (bets.length === 0) return { type: 'clock' };
      const betIds = [...new Set(Array.from({ length: random.int(1, 3) }, () => random.pick(bets).betId))];
      return { type: 'bets.void', marketId, betIds, reason: 'Wrong rate', ...pieces(random) };
    }
    case 'archive':
      return { type: 'market.archive', marketId, ...pieces(random) };
    case 'unarchive': {
      const [id, { snapshot, market: old }] = random.pick([...world.archive]);
      const archived = snapshot!;
      const recall = recallOf(world, id);
      if (recall && random.chance(0.9)) return random.chance(0.95) ? recall : { ...recall, seal: '' };
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
    case 'release':
      return giveUp(world, random);
    case 'writeOff': {
      const accountId = shorts.length > 0 ? random.pick(shorts) : somePlayer(world, random);
      const lacking = Math.max(1, -freeOf(world, accountId));
      const amountMinor = random.pick([lacking, Math.ceil(lacking / 2), lacking + 1]);
      return { type: 'debt.writeOff', accountId, amountMinor, reason: 'Written off' };
    }
    case 'bar': {
      // Somebody whose bet waits out its delay.
      const waiting = market.bets.filter((bet) => bet.status === 'PENDING');
      const accountId = waiting.length > 0 ? random.pick(waiting).accountId : somePlayer(world, random);
      return { type: 'account.restrict', accountId, betBlocked: true, exposureLimitMinor: 0 };
    }
    case 'lapse':
      return {
        type: 'market.state',
        marketId,
        lapse: true,
        ...(random.chance(0.7) && { status: 'SUSPENDED' as const }),
        ...pieces(random),
      };
    case 'bounds':
      return {
        type: 'house.limits',
        marketMinor: random.pick([0, 0, random.int(1000, 100_000)]),
        eventMinor: random.pick([0, 0, random.int(5000, 300_000)]),
      };
    case 'enter':
      return {
        type: 'account.open',
        accountId: FIRST_PLAYER + random.int(1000, 1_000_000),
        currency: 'EUR',
        kind: 'player',
      };
    case 'leave': {
      // Who has bets in a market that may come back stays, as on the site.
      const kept = new Set(
        Array.from(world.archive.values()).flatMap((one) => one.market.bets.map((bet) => bet.accountId)),
      );
      const idle = [...world.accounts.keys()].filter(
        (id) => id >= FIRST_PLAYER && !kept.has(id) && !isInUse(world, id),
      );
      const accountId = idle.length > 0 ? random.pick(idle) : somePlayer(world, random);
      return kept.has(accountId) && !isInUse(world, accountId)
        ? { type: 'clock' }
        : { type: 'account.close', accountId };
    }
    case 'restrict': {
      const restriction = {
        type: 'account.restrict' as const,
        accountId: somePlayer(world, random),
        betBlocked: random.chance(0.3),
        exposureLimitMinor: random.chance(0.5) ? 0 : random.int(1000, 100_000),
        ...(random.chance(0.3) && { stakeLimitMinor: random.int(100, 5000) }),
      };
      if (!random.chance(0.5)) return restriction;
      const wager = { leftMinor: random.int(-100, 20_000), from: someMoment(world, random) };
      // Not drawn, so that each seed goes as it went.
      const isSet = wager.leftMinor > 0 && wager.leftMinor % 3 === 0;
      const isKept = wager.leftMinor % 3 === 1;
      const aside = {
        ...(isSet && { asideMinor: Math.ceil(wager.leftMinor / 4) }),
        ...(isKept && { keepsAside: true as const }),
      };
      return { ...restriction, wager: { ...wager, ...aside } };
    }
  }
}

/** Somebody's hold is paid out. */
export function giveUp(world: World, random: Random): Command {
  const hold =
    world.holds.size > 0
      ? random
          .pick([...world.holds.keys()])
          .split('/')
          .map(Number)
      : [1, 1];
  const accountId = hold[1]!;
  const reason = 'Looked into';
  return random.chance(0.5)
    ? { type: 'hold.release', accountId, marketId: hold[0]!, reason }
    : { type: 'hold.release', accountId, reason };
}

/** From which a limit counts: always, or since some bet was placed. */
function someMoment(world: World, random: Random): number {
  const bets = [...world.markets.values()].flatMap((market) => market.bets);
  return bets.length === 0 || random.chance(0.3) ? 0 : random.pick(bets).placedAt;
}

/** Whole, or in so small pieces that others' commands come between. */
export function pieces(random: Random): { units?: number } {
  return random.chance(0.6) ? { units: random.int(1, 8) } : {};
}

/** Mostly at the factor that was known. */
function gone(random: Random, { id: runnerId, def }: Runner): { runnerId: number; factor: number } {
  const known = def.adjustmentFactor ?? 0;
  return { runnerId, factor: random.chance(0.8) ? known : random.pick([0, 100, 249, 250, 1620, 2500, 5000]) };
}

function rescaled(random: Random, market: Market): Array<{ runnerId: number; factor: number }> {
  return market.runners.map(({ id: runnerId }) => ({ runnerId, factor: random.pick([0, 249, 1000, 3000]) }));
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
      { kind: 'ranks', ranks: [] },
      { kind: 'ranks', ranks: [{ runnerId: market.runners[0]!.id, rank: 0 }] },
      { kind: 'score', score: -1 },
      { kind: 'score', score: 1.5 },
      { kind: 'yes', yes: true },
    ]);
  }
  if (kind === 'book' || kind === 'bookmaker') {
    const active = random
      .shuffle(market.runners.filter((runner) => runner.status !== 'REMOVED'))
      .map((runner) => runner.id);
    if (random.chance(0.5)) {
      // A whole finish, in which some are level with the one before.
      let rank = 0;
      const ranks = active.map((runnerId, at) => {
        if (at === 0 || random.chance(0.65)) rank = at + 1;
        return { runnerId, rank };
      });
      const named = random.int(Math.min(winners, active.length), active.length);
      return { kind: 'ranks', ranks: random.shuffle(ranks.slice(0, named)) };
    }
    const heat = kind === 'book' && random.chance(0.15) ? 1 : 0;
    return { kind: 'winners', runnerIds: active.slice(0, Math.min(winners, active.length) + heat) };
  }
  if (kind === 'card') return someCards(random, market);
  if (kind === 'fancy1' || kind === 'tied' || kind === 'completed') return { kind: 'yes', yes: random.chance(0.5) };
  return { kind: 'score', score: random.int(0, random.chance(0.1) ? 300 : 70) };
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
    { type: 'house.quotes', marketId, rows: [null] },
    { type: 'house.quotes', marketId, rows: null },
    { type: 'house.book', marketId, runners: [null] },
    { type: 'market.state', marketId, reason: null },
    { type: 'market.create', market: { ...def, tieRule: 'HEADS' } },
    { type: 'runner.remove', marketId, runnerId, factor: odd },
    { type: 'runner.remove', marketId, runnerId, factor: 10_000 },
    { type: 'account.open', accountId: odd, currency: 'EUR', kind: 'player' },
    { type: 'account.open', accountId: 1, currency: 'EUR', kind: 'player' },
    { type: 'account.restrict', accountId, betBlocked: false, exposureLimitMinor: odd },
    {
      type: 'account.restrict',
      accountId,
      betBlocked: false,
      exposureLimitMinor: 0,
      wager: { leftMinor: 1, from: odd },
    },
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
    { type: 'game.debit', accountId },
    { type: 'game.forget', before: odd },
    { type: 'money.print', accountId },
  ]) as Command;
}
