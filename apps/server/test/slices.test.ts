/** Large results under the one writer: others' commands come between, a restart goes on, and nothing said meanwhile is lost. */
import type { Command } from '@fairgame/exchange';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Committed } from '../src/core/core.ts';
import { openCore } from '../src/core/core.ts';
import { type Db, DbLost, silent } from '../src/db/db.ts';
import { createBridge } from '../src/feed/bridge.ts';
import { createLines } from '../src/feed/settling.ts';
import { verify } from '../src/ledger/ledger.ts';
import { privateEvents, type TellSources } from '../src/live/private.ts';
import { onceBooked } from '../src/operator/booked.ts';
import { type Fixture, makeCore, makeDb, marketDef, refusedWith, type TestDb } from './fixture.ts';

let f: Fixture;
let database: TestDb;
beforeAll(async () => {
  database = await makeDb();
});
afterEach(() => f.close());
afterAll(() => database.drop());

const BETS = 40;

/** Holds commits back or refuses them, by what is in their log. */
function gate() {
  let stops: ((log: string) => boolean) | null = null;
  let refuses: ((log: string) => boolean) | null = null;
  let isLost = false;
  const hanging: Array<(error: Error) => void> = [];
  const wrap = (db: Db): Db => ({
    ...db,
    write: (sql, params) => {
      const log = sql.includes('core_commit') ? JSON.stringify(params) : '';
      if (isLost || stops?.(log)) {
        isLost = true;
        return new Promise((_, reject) => hanging.push(reject));
      }
      if (refuses?.(log)) return Promise.reject(Object.assign(new Error('does not fit'), { code: '23502' }));
      return db.write(sql, params);
    },
  });
  return {
    wrap,
    /** From the first such commit on the database answers nothing more, as if the process had been cut off. */
    stopAt: (when: (log: string) => boolean) => {
      stops = when;
    },
    /** Whoever still waits hears that the line broke, and may ask who leads. */
    end: () => {
      isLost = false;
      stops = null;
      for (const reject of hanging) reject(new DbLost(true, null));
    },
    refuse: (when: ((log: string) => boolean) | null) => {
      refuses = when;
    },
  };
}

const isSlice = (log: string) => log.includes('\\"type\\":\\"work\\"');

async function make(options: Parameters<typeof makeCore>[0] = {}, world: 'real' | 'demo' = 'real'): Promise<Fixture> {
  const made = await makeCore(options, database);
  const accountId = world === 'real' ? made.anna : made.dora;
  await Promise.all(
    Array.from({ length: BETS }, (_, i) =>
      made.bet(accountId, 'BACK', 300, 100, { world, runner: made.book.runnerIds[i % 3]! }),
    ),
  );
  return made;
}

const declare = (runner = 0) => ({
  type: 'market.declare' as const,
  marketId: f.book.marketId,
  result: { kind: 'winners' as const, runnerIds: [f.book.runnerIds[runner]!] },
  // Only begun.
  units: 1,
});
const statusOf = (world: 'real' | 'demo' = 'real') => f.core.read.market(f.book.marketId, world)!.status;
const all = { world: 'all' } as const;

/** Many accounts, since an account's turn is one piece. */
async function crowd(count: number): Promise<void> {
  const one = async (i: number) => {
    const accountId = f.core.nextId();
    await f.send({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
    await f.send({ type: 'account.transfer', accountId, amountMinor: 10_000, reason: 'deposit', text: 'Deposit' });
    await Promise.all([0, 1].map((at) => f.bet(accountId, 'BACK', 300, 100 + i, { runner: f.book.runnerIds[at]! })));
  };
  await Promise.all(Array.from({ length: count }, (_, i) => one(i)));
}

describe('a large result', () => {
  it('is booked to its end by the core itself, and others are served between its slices', async () => {
    f = await makeCore({}, database);
    await crowd(110);
    const told: Committed[] = [];
    f.core.onCommitted((batch) => told.push(batch));
    await f.send(declare(), all);
    expect(statusOf()).toBe('SETTLING');
    while (statusOf() === 'SETTLING') {
      await f.send({ type: 'account.transfer', accountId: f.ben, amountMinor: 1, reason: 'deposit', text: 'Deposit' });
    }
    const kinds = told.flatMap(({ items }) => items).map(({ command }) => command.type);
    expect(kinds.filter((kind) => kind === 'work').length).toBeGreaterThan(1);
    expect(kinds.slice(kinds.indexOf('market.declare'), kinds.lastIndexOf('work'))).toContain('account.transfer');
    expect(statusOf()).toBe('CLOSED');
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('that cannot be written stays locked and is told, the rest of the site goes on, and the next start tries again', async () => {
    const line = gate();
    f = await make({ wrap: line.wrap });
    line.refuse(isSlice);
    await f.send(declare(), all);
    while (f.core.health().stuck.length === 0) await new Promise(setImmediate);
    expect(f.core.health().stuck).toEqual([{ world: 'real', marketId: f.book.marketId }]);
    const quiet = f.core.health().seq;
    await f.send({ type: 'account.transfer', accountId: f.ben, amountMinor: 1, reason: 'deposit', text: 'Deposit' });
    expect(f.core.health()).toMatchObject({ seq: quiet + 1, available: true });
    expect(await refusedWith(f.bet(f.ben, 'BACK', 300, 100))).toBe('MARKET_SETTLING');
    line.refuse(null);
    await f.restart();
    while (f.core.read.isSettling(f.book.marketId)) await new Promise(setImmediate);
    expect(statusOf()).toBe('CLOSED');
    expect(f.core.health().stuck).toEqual([]);
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('that a start finds half done keeps nobody waiting at the start', async () => {
    const line = gate();
    f = await makeCore({ wrap: line.wrap }, database);
    await crowd(110);
    // The start has commits of its own: what was in play is suspended.
    await f.send({ type: 'market.state', marketId: f.bookmaker.marketId, inPlay: true }, all);
    line.refuse(isSlice);
    await f.send(declare(), all);
    while (f.core.health().stuck.length === 0) await new Promise(setImmediate);
    line.refuse(null);
    await f.restart();
    expect(f.core.read.market(f.bookmaker.marketId, 'real')!.status).toBe('SUSPENDED');
    expect(statusOf()).toBe('SETTLING');
    while (f.core.read.isSettling(f.book.marketId)) await new Promise(setImmediate);
    expect(statusOf()).toBe('CLOSED');
  });
});

describe('a large market that leaves memory', () => {
  const away: Command = { type: 'market.archive', marketId: 0, units: 1 };
  const archive = () => f.send({ ...away, marketId: f.book.marketId } as Command, all);
  const bets = () =>
    f.db.query('SELECT id, status, result, profit, matched FROM bets WHERE world = $1 ORDER BY id', ['real']);

  it('goes part by part, cut off between two as well, and comes back from its parts as it was', async () => {
    const line = gate();
    f = await make({ wrap: line.wrap });
    const open = await bets();
    await f.send({ ...declare(), units: 100_000 }, all);
    let cut = false;
    line.stopAt((log) => {
      cut ||= isSlice(log);
      return cut;
    });
    await archive();
    await expect.poll(() => cut).toBe(true);
    expect(statusOf()).toBe('CLOSED');
    const heads = 'SELECT world FROM market_archives WHERE market_id = $1';
    expect(await f.db.query(heads, [f.book.marketId])).toEqual([{ world: 'demo' }]);
    const stopped = f.restart();
    line.end();
    await stopped;
    await expect.poll(() => f.core.read.market(f.book.marketId, 'real')).toBeUndefined();
    const rows = await f.db.query<{ part: number }>(
      'SELECT part FROM market_archive_parts WHERE market_id = $1 AND world = $2 ORDER BY part',
      [f.book.marketId, 'real'],
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map(({ part }) => part)).toEqual(rows.map((_, i) => i));
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
    // It comes back part by part as well, cut off between two; not at all where a part was changed.
    const back: Command = { type: 'market.undeclare', marketId: f.book.marketId };
    const settled = await bets();
    const put = (to: string) => f.db.query(`UPDATE market_archive_parts SET ${to}`);
    await put(`text = text || ' '`);
    expect(await refusedWith(f.send(back, all))).toBe('MARKET_UNKNOWN');
    await put('text = rtrim(text)');
    // A part goes while it comes back: the market stays locked, and a restart goes on.
    let gone: Promise<unknown> | undefined;
    line.stopAt((log) => {
      if (log.includes('market.recallPart')) gone ??= put('part = -part');
      return false;
    });
    expect(await refusedWith(f.send(back, all))).toBe('MARKET_SETTLING');
    await expect.poll(() => f.core.health().stuck).toEqual([{ world: 'real', marketId: f.book.marketId }]);
    expect([statusOf(), f.core.read.isSettling(f.book.marketId)]).toEqual(['CLOSED', true]);
    await gone;
    await put('part = -part');
    await f.restart();
    await expect.poll(() => f.core.read.isSettling(f.book.marketId)).toBe(false);
    expect([statusOf(), await bets()]).toEqual(['CLOSED', settled]);
    await f.send(back, all);
    await expect.poll(statusOf).toBe('SUSPENDED');
    expect(await bets()).toEqual(open);
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('is not undeclared before it has left: the operator waits', async () => {
    f = await make();
    await f.send({ ...declare(), units: 100_000 }, all);
    const left = archive();
    const undeclare: Command = { type: 'market.undeclare', marketId: f.book.marketId };
    const back = f.send(undeclare, all);
    await left;
    expect(await refusedWith(back)).toBe('MARKET_SETTLING');
    const again = { ...all, actor: 'test', command: undeclare, key: 'operator-key-0001', payloadHash: 'hash' };
    expect((await onceBooked(f.core, again)).replayed).toBe(false);
    await expect.poll(statusOf).toBe('SUSPENDED');
  });
});

describe('cut off between two slices', () => {
  const runner = (at: number) => f.book.runnerIds[at]!;
  const declared = () => f.send({ ...declare(), units: 100_000 }, all);
  const unlocked = async () => {
    while (f.core.read.isSettling(f.book.marketId)) await new Promise(setImmediate);
  };
  const remove = (units?: number): Command => ({
    type: 'runner.remove',
    marketId: f.book.marketId,
    runnerId: runner(1),
    factor: 2000,
    force: 'Withdrawn',
    ...(units === undefined ? {} : { units }),
  });
  const acts: Array<[string, () => Promise<unknown>, () => Promise<Command>]> = [
    ['a result', async () => {}, async () => declare()],
    ['its withdrawal', declared, async () => ({ type: 'market.undeclare', marketId: f.book.marketId })],
    ['a removal', async () => {}, async () => remove()],
    [
      'a return',
      () => f.send(remove(100_000), all),
      async () => ({ ...remove(), type: 'runner.reinstate' }) as Command,
    ],
    [
      'a void',
      async () => {},
      async () => {
        const bets = await f.db.query<{ id: number }>('SELECT id FROM bets WHERE market_id = $1 AND side = $2', [
          f.book.marketId,
          'BACK',
        ]);
        return {
          type: 'bets.void',
          marketId: f.book.marketId,
          betIds: bets.map(({ id }) => id),
          reason: 'Wrong rate',
        };
      },
    ],
  ];

  /** 120 players who meet each other and the house; whoever they are called, what they have follows from their place. */
  async function pairs(): Promise<void> {
    await f.send(
      {
        type: 'house.book',
        marketId: f.book.marketId,
        runners: [{ runnerId: runner(0), backable: [[290, 200_000]], layable: [] }],
      },
      all,
    );
    const open = async () => {
      const accountId = f.core.nextId();
      await f.send({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
      await f.send({ type: 'account.transfer', accountId, amountMinor: 50_000, reason: 'deposit', text: 'Deposit' });
      return accountId;
    };
    const ids = await Promise.all(Array.from({ length: 120 }, open));
    await Promise.all(ids.map((id, i) => f.bet(id, 'LAY', 300 + 5 * (i % 20), 1000 + i, { runner: runner(1) })));
    await Promise.all(
      ids.map((_, i) => f.bet(ids[(i + 7) % ids.length]!, 'BACK', 300 + 5 * (i % 20), 1000 + i, { runner: runner(1) })),
    );
    await Promise.all(ids.map((id, i) => f.bet(id, 'BACK', 290, 500 + i, { runner: runner(0) })));
  }

  /** What everybody has in the tables, without ids and commands. */
  async function standing(db: Db): Promise<string[]> {
    const bets = await db.query(
      `SELECT side, price, size, matched, matched_sum, remaining, cancelled, lapsed, voided, status, result, profit, reason
         FROM bets ORDER BY size, side, price`,
    );
    const accounts = await db.query(
      "SELECT balance, exposure, held FROM accounts WHERE kind = 'player' ORDER BY balance, exposure, held",
    );
    return [...bets, ...accounts].map((row) => JSON.stringify(row));
  }

  const sources: TellSources = {
    listens: () => true,
    market: () => ({ kind: 'book', name: 'Winner', eventId: 1, eventName: 'Race', marketType: 'matchOdd' }),
    placedBet: (bet) => bet as never,
    conditionalOrder: () => ({}) as never,
    isNumber: () => false,
    resultText: () => '',
    isDeclared: () => false,
  };

  const breaks = async () => (await verify(f.db)).checks.filter((check) => check.breaks > 0);

  it('an account that is told later is not taken for broken by the watchdog', async () => {
    f = await makeCore({}, database);
    await pairs();
    const players = await f.db.query<{ id: number }>(
      "SELECT id FROM accounts WHERE kind = 'player' AND world = 'real'",
    );
    // Whichever batch is looked at: his wallet is told in it, and then the removal changes what his bets may cost.
    for (let i = 0; i < 17; i++) {
      const deposits = players.slice(-60).map(({ id: accountId }) => ({
        world: 'real' as const,
        actor: 'test',
        command: { type: 'account.transfer', accountId, amountMinor: 1, reason: 'deposit', text: 'Deposit' } as Command,
      }));
      const act = i % 2 === 0 ? remove() : ({ ...remove(), type: 'runner.reinstate' } as Command);
      const answers = await f.core.submitAll([...deposits, { world: 'all', actor: 'test', command: act }]);
      expect(answers.filter((answer) => answer instanceof Error)).toEqual([]);
      await unlocked();
    }
    expect(f.core.health()).toMatchObject({ breaks: 0 });
  });

  it('bets that are taken out in slices are told to their players as taken out, with the reason', async () => {
    f = await makeCore({}, database);
    await pairs();
    const told = new Map<number, string[]>();
    f.core.onCommitted(({ items }) => {
      for (const item of items.filter(({ command }) => command.type === 'work')) {
        for (const { accountId, event, payload } of privateEvents(item, sources))
          if (event === 'matchDeleteBet')
            told.set(accountId!, [...(told.get(accountId!) ?? []), String(payload.deleteReason)]);
      }
    });
    await f.send(await acts.find(([name]) => name === 'a void')![2](), all);
    await unlocked();
    expect(told.size).toBe(120);
    expect([...told.values()]).toEqual(Array.from({ length: 120 }, () => ['Wrong rate']));
  });

  it.each(acts)(
    '[FLT-16] %s is gone on with at the next start, to the same bets and money',
    async (_, prepare, act) => {
      f = await makeCore({}, database);
      await pairs();
      await prepare();
      await unlocked();
      await f.send(await act(), all);
      await unlocked();
      const whole = await standing(f.db);
      await f.close();

      const line = gate();
      f = await makeCore({ wrap: line.wrap }, database);
      await pairs();
      await prepare();
      await unlocked();
      const before = await standing(f.db);
      let slices = 0;
      line.stopAt((log) => isSlice(log) && ++slices > 1);
      await f.send(await act(), all);
      while (slices < 2) await new Promise(setImmediate);
      expect(statusOf()).toBe('SETTLING');
      const half = await standing(f.db);
      expect(half).not.toEqual(before);
      expect(half).not.toEqual(whole);
      // While it stands still the books are in order too.
      expect(await breaks()).toEqual([]);
      const next = await openCore({ db: f.db, log: silent, clock: () => f.time.now, onFenced: () => {} });
      while (next.read.isSettling(f.book.marketId)) await new Promise(setImmediate);
      expect(await standing(f.db)).toEqual(whole);
      expect(await breaks()).toEqual([]);
      await next.stop();
      line.end();
    },
  );
});

describe('what is said of a market that is settling', () => {
  it('is taken by all worlds or none, and its key stays free', async () => {
    f = await make({}, 'demo');
    const answers = f.core.submitAll([
      { world: 'all', actor: 'operator', command: declare() },
      {
        world: 'all',
        actor: 'operator',
        key: 'the-withdrawal-01',
        command: { type: 'market.undeclare', marketId: f.book.marketId },
      },
    ]);
    expect(
      (await answers).map((answer) => (answer instanceof Error ? (answer as { code?: string }).code : 'taken')),
    ).toEqual(['taken', 'MARKET_SETTLING']);
    // The real world had no bets in it, and keeps its result until both may lose it.
    expect([statusOf('real'), statusOf('demo')]).toEqual(['CLOSED', 'SETTLING']);
    const undeclare = { type: 'market.undeclare' as const, marketId: f.book.marketId };
    const request = { world: 'all' as const, actor: 'operator', key: 'the-withdrawal-01', command: undeclare };
    expect((await onceBooked(f.core, request)).replayed).toBe(false);
    while (f.core.read.isSettling(f.book.marketId)) await new Promise(setImmediate);
    expect([statusOf('real'), statusOf('demo')]).toEqual(['SUSPENDED', 'SUSPENDED']);
  });

  it('by a feed waits in its order while other markets go on, and comes behind the result', async () => {
    f = await make({}, 'demo');
    await f.send(declare(), all);
    while (f.core.read.isSettling(f.book.marketId)) await new Promise(setImmediate);
    const bridge = createBridge({
      core: f.core,
      catalog: { place: () => ({ manual: false }), event: () => undefined, closeEvent: () => {} } as never,
      holds: { isHeld: () => false, onRelease: () => () => {} },
      clock: () => f.time.now,
      log: silent,
    });
    const { marketId, runnerIds } = f.book;
    const price = (id: number, runnerId: number, level: number) => ({
      type: 'command' as const,
      command: {
        type: 'house.book' as const,
        marketId: id,
        runners: [{ runnerId, backable: [[level, 7000]] as Array<[number, number]>, layable: [] }],
      },
    });
    const state = (status: 'OPEN' | 'SUSPENDED') => ({
      type: 'command' as const,
      command: { type: 'market.state' as const, marketId, status, reason: '' },
    });
    const other = f.core.nextId();
    const otherRunner = f.core.nextId();
    await f.send(
      {
        type: 'market.create',
        market: marketDef(other, f.eventId, {
          runners: [
            { runnerId: otherRunner, name: 'Yes' },
            { runnerId: f.core.nextId(), name: 'No' },
          ],
        }),
      },
      all,
    );
    await bridge.start({
      start: (sink) =>
        sink(
          [
            { type: 'command', command: { type: 'market.undeclare', marketId, units: 1 } },
            price(marketId, runnerIds[0], 150),
            state('SUSPENDED'),
            price(marketId, runnerIds[0], 160),
            price(marketId, runnerIds[0], 162),
            state('OPEN'),
            price(other, otherRunner, 250),
          ],
          f.time.now,
        ),
      stop: () => Promise.resolve(),
    });
    expect(f.core.read.depth('real', other, otherRunner, 1).back).toEqual([[250, 7000]]);
    await expect.poll(() => [bridge.stats().waiting, statusOf('real'), statusOf('demo')]).toEqual([0, 'OPEN', 'OPEN']);
    for (const world of ['real', 'demo'] as const)
      expect(f.core.read.depth(world, marketId, runnerIds[0], 1).back).toEqual([[162, 7000]]);
    expect(bridge.stats().refused).toEqual({});
    await bridge.stop();
  });

  it('stands behind what came too early, though it was taken, and newest prices alone wait', () => {
    f = { close: async () => {} } as unknown as Fixture;
    let settling = false;
    const lines = createLines(() => settling);
    const request = (command: object) => ({ world: 'all' as const, actor: 'feed', command: command as never });
    const state = (marketId: number, status: string) => request({ type: 'market.state', marketId, status });
    const price = (level: number) =>
      request({ type: 'house.book', marketId: 1, runners: [{ runnerId: 5, backable: [[level, 1]], layable: [] }] });
    const sent = [state(1, 'OPEN'), state(2, 'OPEN'), state(1, 'SUSPENDED'), state(1, 'OPEN')];
    expect(lines.pass(sent)).toEqual(sent);
    expect([...lines.early(sent, (i) => i === 2)]).toEqual([2, 3]);
    expect(lines.pass([price(200), state(2, 'OPEN'), price(210)])).toEqual([state(2, 'OPEN')]);
    settling = true;
    expect([lines.hasReady(), lines.ready(), lines.waiting()]).toEqual([false, [], 3]);
    settling = false;
    expect(lines.ready()).toEqual([state(1, 'SUSPENDED'), state(1, 'OPEN'), price(210)]);
    expect([lines.hasReady(), lines.waiting()]).toEqual([false, 0]);
  });
});
