/** Commands as no feed, operator or client should send them: refused with the field, never thrown at the writer (D8). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, Event, MarketSnapshot } from '../src/exchange.ts';
import { apply, audit, hashState, restore, sealed, snapshot, stakesOf, wallet } from '../src/exchange.ts';
import { ANN, BOB, CAT, MARKET, marketDef, of, runners, Site } from './site.ts';

const SESSION = 8;
const CARDS = 9;
const GONE = 10;
const SHORT = 11;
const LARGE = 12;
const COMING = 13;
const move = {
  provider: 'alder',
  roundId: 'r1',
  accountId: ANN,
  game: 'g',
  currency: 'EUR',
  label: 'Alder / Game',
};

const own = { type: 'conditional.make', accountId: ANN, marketId: MARKET } as const;
const priced = { ...own, runnerId: 2, side: 'LAY', sizeMinor: 100, persistence: 'LAPSE' } as const;
const stop = { ...priced, kind: 'STOP', trigger: 500, price: 510 } as const;

/** Cat loses more than she has: a result was taken back after she had paid out what it brought. */
function makeShort(s: Site): void {
  s.market({ marketId: SHORT });
  s.back(CAT, 1, 300, 1000, { marketId: SHORT });
  s.lay(BOB, 1, 300, 1000, { marketId: SHORT });
  s.go({ type: 'market.declare', marketId: SHORT, result: { kind: 'winners', runnerIds: [1] } });
  s.fund(CAT, -10_002_000);
  s.go({ type: 'market.undeclare', marketId: SHORT });
  s.go({ type: 'market.declare', marketId: SHORT, result: { kind: 'winners', runnerIds: [2] } });
}

/** A site with something of everything, and its archived market. */
function build() {
  const s = new Site(3, 10_000_000);
  s.market({ runners: runners(3).map((one) => ({ ...one, adjustmentFactor: 3000 })), removable: true });
  s.market({ marketId: SESSION, kind: 'session', runners: runners(1) });
  s.market({ marketId: CARDS, kind: 'card', runners: runners(2).map((one) => ({ ...one, group: 1 })) });
  s.market({ marketId: GONE });
  s.match(ANN, BOB, 1, 300, 1000);
  s.lay(BOB, 2, 400, 500);
  s.back(ANN, 1, 300, 100, { marketId: GONE });
  s.lay(BOB, 1, 300, 100, { marketId: GONE });
  s.go(stop);
  s.go({ type: 'purse.reserve', accountId: ANN, pool: 'racing', transfer: 1, amountMinor: 50 });
  const quote = { price: 90, sizeMinor: 100_000, line: 40 };
  s.go({
    type: 'house.quotes',
    marketId: SESSION,
    rows: [{ runnerId: 1, back: quote, lay: quote, status: 'ACTIVE' }],
  });
  s.go({ type: 'game.debit', txId: 't1', amountMinor: 100, ...move });
  makeShort(s);
  s.go({ type: 'market.declare', marketId: GONE, result: { kind: 'winners', runnerIds: [1] } });
  const archived = of(s.go({ type: 'market.archive', marketId: GONE }), 'archived')[0]!.snapshot;
  const large = leaveInParts(s, LARGE).recall;
  const coming = leaveInParts(s, COMING);
  s.go(coming.recall);
  return { s, archived, large, part: coming.parts[0]! };
}

function leaveInParts(s: Site, marketId: number) {
  s.market({ marketId });
  for (let i = 0; i < 3; i++) {
    s.back(ANN, 1, 300, 100, { marketId });
    s.lay(BOB, 1, 300, 100, { marketId });
  }
  s.go({ type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [1] } });
  const events = s.go({ type: 'market.archive', marketId, units: 1 });
  for (let i = 0; i < 2; i++) events.push(...s.go({ type: 'work', units: 1, marketId }));
  const parts = of(events, 'archivePart').map(({ text }) => text);
  const archived = of(events, 'archived')[0]!.snapshot;
  return { recall: { type: 'market.recall', marketId, archived, seal: parts.reduce(sealed, '') } as const, parts };
}

const built = build();
const kept = JSON.stringify(snapshot(built.s.state));

/** The same site anew. */
function busy(): { s: Site; archived: MarketSnapshot } {
  const s = new Site(0);
  Object.assign(s, { state: restore(JSON.parse(kept)), lastBetId: built.s.lastBetId });
  return { s, archived: structuredClone(built.archived) };
}

/** One command of every type that the site above takes. */
function samples(s: Site, archived: MarketSnapshot) {
  const quote = { price: 95, sizeMinor: 100_000, line: 41 };
  const betId = s.lastBetId + 1;
  return [
    { type: 'account.open', accountId: 500, currency: 'EUR', kind: 'player' },
    { type: 'account.close', accountId: 501 },
    { type: 'account.transfer', accountId: ANN, amountMinor: 500, reason: 'deposit', text: 'x' },
    {
      type: 'account.restrict',
      accountId: BOB,
      betBlocked: false,
      exposureLimitMinor: 0,
      lossFloorMinor: -5,
      balanceMinor: wallet(s.state, BOB)!.balanceMinor,
      stakeLimitMinor: 500,
      wager: { leftMinor: -5, from: 1, stakes: stakesOf(s.state, BOB) },
    },
    {
      type: 'market.create',
      market: marketDef({ marketId: 20, cap: 100, rateThan100: true, tieRule: 'VOID', placeMarket: false }),
    },
    {
      type: 'market.state',
      marketId: MARKET,
      status: 'SUSPENDED',
      inPlay: true,
      betDelayMs: 5,
      reason: 'x',
      lapse: true,
      runners: [{ runnerId: 1, status: 'SUSPENDED' }],
      limits: { minStakeMinor: 1, maxStakeMinor: 100 },
    },
    { type: 'house.book', marketId: MARKET, runners: [{ runnerId: 3, backable: [[300, 50]], layable: [[310, 50]] }] },
    {
      type: 'house.quotes',
      marketId: SESSION,
      rows: [{ runnerId: 1, back: quote, lay: null, status: 'ACTIVE' }],
      names: { 1: 'Six overs' },
    },
    {
      ...s.order(ANN, 1, 'BACK', 200, 100),
      minFillMinor: 0,
      marketVersion: 50,
      offset: { ticks: 2, level: true, persistence: 'LAPSE' },
      expireMs: 5000,
    },
    {
      type: 'quote.take',
      betId,
      accountId: ANN,
      marketId: SESSION,
      runnerId: 1,
      side: 'BACK',
      price: 90,
      stakeMinor: 100,
      line: 40,
      box: 0,
      marketVersion: 50,
    },
    { type: 'order.cancel', accountId: BOB, betId: 3, byMinor: 10 },
    { type: 'order.cancelAll', accountId: BOB, marketId: MARKET, runnerId: 1, side: 'BACK' },
    {
      type: 'order.replace',
      accountId: BOB,
      betId: 3,
      newBetId: betId,
      price: 410,
      sizeMinor: 400,
      remainingMinor: 500,
      persistence: 'LAPSE',
      marketVersion: 50,
    },
    { type: 'order.persistence', accountId: BOB, betId: 3, persistence: 'PERSIST' },
    { ...stop, link: 1 },
    { ...priced, kind: 'PROFIT', trigger: 200, price: 200 },
    { ...priced, kind: 'TRAIL', ticks: 3, slip: 5 },
    { ...own, accountId: BOB, kind: 'OFFSET', betId: 3, ticks: 2, level: true, persistence: 'LAPSE' },
    { ...own, accountId: BOB, kind: 'EXPIRE', betId: 3, afterMs: 5000 },
    { type: 'conditional.cancel', accountId: ANN, conditionalId: 1, marketId: MARKET },
    { type: 'work', units: 5, marketId: MARKET },
    { type: 'clock' },
    { type: 'house.limits', marketMinor: 1_000_000_000, eventMinor: 1_000_000_000 },
    {
      type: 'orders.place',
      betId,
      accountId: ANN,
      marketId: MARKET,
      orders: [
        {
          runnerId: 2,
          side: 'BACK',
          price: 400,
          sizeMinor: 100,
          persistence: 'LAPSE',
          minFillMinor: 100,
          offset: { ticks: 2, level: true, persistence: 'LAPSE' },
          expireMs: 5000,
        },
      ],
      marketVersion: 50,
    },
    {
      type: 'quotes.take',
      betId,
      accountId: ANN,
      marketId: SESSION,
      takes: [{ runnerId: 1, side: 'BACK', price: 90, stakeMinor: 100, line: 40 }],
      marketVersion: 50,
    },
    {
      type: 'bets.hedge',
      betId,
      accountId: ANN,
      marketId: MARKET,
      legs: [{ runnerId: 2, side: 'BACK', price: 400, sizeMinor: 100, box: 0 }],
      cancel: true,
      marketVersion: 50,
    },
    { type: 'runner.remove', marketId: MARKET, runnerId: 3, factor: 3000, factors: [{ runnerId: 1, factor: 5000 }] },
    { type: 'runner.reinstate', marketId: MARKET, runnerId: 3, factor: 3000, factors: [], force: 'x' },
    { type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] } },
    { type: 'market.declare', marketId: SESSION, result: { kind: 'score', score: 4 } },
    {
      type: 'market.declare',
      marketId: CARDS,
      result: { kind: 'cards', text: 'A', pays: [{ runnerId: 1, is: 'WIN' } as const, { runnerId: 2, is: 'LOSE' }] },
    },
    { type: 'market.undeclare', marketId: GONE, archived },
    structuredClone(built.large),
    { type: 'market.recallPart', marketId: COMING, part: 0, text: built.part },
    { type: 'bets.void', marketId: MARKET, betIds: [1], reason: 'x' },
    { type: 'market.archive', marketId: MARKET },
    { type: 'hold.release', accountId: CAT, marketId: SHORT, reason: 'x' },
    { type: 'debt.writeOff', accountId: CAT, amountMinor: 10, reason: 'x' },
    { type: 'game.debit', txId: 't2', amountMinor: 5, ...move },
    { type: 'game.debitCredit', txId: 't3', amountMinor: 5, creditMinor: 3, roundClosed: false, ...move },
    { type: 'game.credit', txId: 't4', amountMinor: 5, refTx: 't1', roundClosed: false, ...move },
    { type: 'game.rollback', txId: 't5', refTx: 't1', ...move },
    { type: 'game.promo', txId: 't6', amountMinor: 5, reason: 'x', ...move },
    { type: 'game.end', ...move },
    { type: 'game.forget', before: 5 },
    { type: 'purse.reserve', accountId: BOB, pool: 'racing', transfer: 1, amountMinor: 50 },
    { type: 'purse.open', accountId: 600, pool: 'racing', transfer: 1, amountMinor: 50, currency: 'EUR' },
    { type: 'purse.done', accountId: ANN, pool: 'racing', transfer: 1 },
  ] satisfies Command[];
}

/** Types of command without a sample; the type checker holds it empty. */
type Forgotten = Exclude<Command['type'], ReturnType<typeof samples>[number]['type']>;
const forgotten: [Forgotten] extends [never] ? [] : Forgotten = [];

/** Every place in a value that holds something: the paths a mutation may go to. */
function paths(value: unknown, at: Array<string | number> = []): Array<Array<string | number>> {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, part]) => paths(part, [...at, key]));
  return at.length === 0 ? inner : [at, ...inner];
}

function put(value: unknown, path: Array<string | number>, garbage: unknown): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as typeof holder;
  holder[path.at(-1)!] = garbage;
  return copy;
}

const nonsense: unknown[] = [
  null,
  undefined,
  Number.NaN,
  -1,
  1.5,
  2 ** 53,
  Number.POSITIVE_INFINITY,
  1e300,
  '',
  '5',
  'constructor',
  true,
  [],
  [null],
  {},
  [[]],
  1n,
];
const anything = fc.anything({ maxDepth: 2 });

function holds(s: Site, events: readonly Event[], sent: unknown): void {
  const [first] = events;
  if (first?.type === 'refused') {
    expect(events).toHaveLength(1);
    expect(typeof first.code).toBe('string');
  }
  expect(audit(s.state)).toEqual([]);
  const hash = hashState(s.state);
  const back = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
  expect(
    hashState(back),
    JSON.stringify(sent, (_, v) => (typeof v === 'bigint' ? `${v}n` : v)),
  ).toBe(hash);
}

describe('malformed commands', () => {
  const { s: first, archived: snap } = busy();
  const types = samples(first, snap).map((command) => command.type);

  it('the samples are of every type and are taken', () => {
    const { s, archived } = busy();
    for (const command of samples(s, archived)) {
      const { s: fresh } = busy();
      if (command.type === 'account.close')
        fresh.go({ type: 'account.open', accountId: 501, currency: 'EUR', kind: 'player' });
      if (command.type === 'market.archive')
        fresh.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'tie' } });
      if (command.type === 'runner.reinstate')
        fresh.go({ type: 'runner.remove', marketId: MARKET, runnerId: 3, factor: 3000 });
      expect(apply(fresh.state, command, fresh.now)[0]?.type, command.type).not.toBe('refused');
    }
    expect(forgotten).toEqual([]);
  });

  /** The insides of an archive are another test's: here they are one value. */
  const placesOf = (sample: Command) => paths(sample).filter((path) => path[0] !== 'archived' || path.length === 1);

  it.each([...types.keys()])('sample %i: nonsense at each of its places is refused or does no harm', (at) => {
    for (const path of placesOf(samples(first, snap)[at]!))
      for (const value of nonsense) {
        const { s, archived } = busy();
        const sent = put(samples(s, archived)[at]!, path, value) as Command;
        holds(s, apply(s.state, sent, s.now), sent);
      }
  });

  it.each([...types.keys()])('sample %i: any value at any place is refused or does no harm', (at) => {
    fc.assert(
      fc.property(fc.nat(), anything, (pick, value) => {
        const { s, archived } = busy();
        const sample = samples(s, archived)[at]!;
        const places = placesOf(sample);
        const sent = put(sample, places[pick % places.length]!, value) as Command;
        holds(s, apply(s.state, sent, s.now), sent);
      }),
      { numRuns: 40 },
    );
  });

  it('names the field', () => {
    const { s } = busy();
    const bad: Array<[object, string]> = [
      [{ type: 'market.state', marketId: MARKET, reason: null }, 'reason'],
      // Text that a database refuses, and the whole commit with it.
      [{ type: 'market.state', marketId: MARKET, reason: 'half of \ud83d' }, 'reason'],
      [{ type: 'bets.void', marketId: MARKET, betIds: [1], reason: 'a\0b' }, 'reason'],
      [{ type: 'market.create', market: { ...marketDef({ marketId: 30 }), name: '\udc00' } }, 'market.name'],
      [{ type: 'market.create', market: { ...marketDef({ marketId: 30 }), name: 7 } }, 'market.name'],
      [{ type: 'market.create', market: { ...marketDef({ marketId: 30 }), runners: [null] } }, 'market.runners.0'],
      [{ type: 'market.create', market: { ...marketDef({ marketId: 30 }), inPlay: 1 } }, 'market.inPlay'],
      [{ type: 'house.quotes', marketId: SESSION, rows: [null] }, 'rows.0'],
      [
        { type: 'house.quotes', marketId: SESSION, rows: [{ runnerId: 1, status: 'ACTIVE', lay: null }] },
        'rows.0.back',
      ],
      [
        { type: 'house.book', marketId: MARKET, runners: [{ runnerId: 1, backable: [[1]], layable: [] }] },
        'runners.0.backable.0',
      ],
      [{ type: 'game.credit', ...move, txId: 'a', amountMinor: 1, roundClosed: 'yes' }, 'roundClosed'],
    ];
    for (const [command, field] of bad) s.refused(command as Command, 'BAD_INPUT', field);
    for (const command of [null, undefined, 5, 'clock', []])
      s.refused(command as unknown as Command, 'BAD_INPUT', 'command');
    for (const type of ['constructor', '__proto__', 'toString', null])
      s.refused({ type } as unknown as Command, 'WRONG_KIND', 'type');
    const { s: other } = busy();
    other.refused(
      { type: 'market.create', market: { ...marketDef({ marketId: 30 }), tieRule: 'HEADS' as 'VOID' } },
      'MARKET_INVALID',
      'tieRule',
    );
    other.refused(
      { type: 'market.declare', marketId: CARDS, result: { kind: 'cards', text: 'A', pays: [null] } as never },
      'RESULT_INVALID',
      'result',
    );
  });

  it('an archive that was changed, or is none, is refused', () => {
    fc.assert(
      fc.property(fc.nat(), fc.oneof(fc.constantFrom(...nonsense), anything), fc.boolean(), (pick, value, inParts) => {
        const { s } = busy();
        const archived = structuredClone(inParts ? built.large.archived : built.archived);
        const places = paths(archived);
        const sent = put(archived, places[pick % places.length]!, value) as MarketSnapshot;
        const command = inParts
          ? { ...built.large, archived: sent }
          : ({ type: 'market.undeclare', marketId: GONE, archived: sent } as const);
        holds(s, apply(s.state, command, s.now), sent);
      }),
      { numRuns: 150 },
    );
  });

  it('[INV-10] an earlier time than the last counts as the last', () => {
    const { s } = busy();
    s.go({ type: 'market.state', marketId: MARKET, inPlay: true, betDelayMs: 1000 });
    const back = apply(s.state, s.order(ANN, 1, 'BACK', 300, 100), s.now - 5000);
    expect(of(back, 'bet')[0]!.bet).toMatchObject({ placedAt: s.now, dueAt: s.now + 1000 });
    expect(apply(s.state, { type: 'clock' }, s.now - 1)).toEqual([]);
    const copy = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(copy)).toBe(hashState(s.state));
    expect(of(apply(copy, { ...s.order(ANN, 1, 'BACK', 300, 100), betId: 99 }, 0), 'bet')[0]!.bet.placedAt).toBe(s.now);
  });

  it('a state is of one currency', () => {
    const { s } = busy();
    s.refused({ type: 'account.open', accountId: 700, currency: 'BRL', kind: 'player' }, 'WRONG_CURRENCY', 'currency');
    s.state.accounts.get(ANN)!.currency = 'BRL';
    expect(audit(s.state).join()).toContain('INV-01');
  });
});
