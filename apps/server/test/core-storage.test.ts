/** How the core keeps what it must: log, months, snapshots in pieces, and what may go. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CoreOptions, openCore } from '../src/core/core.ts';
import { dropKeys, dropMonths, keepMonths, makeMonths, monthStart, monthsMade } from '../src/core/months.ts';
import { createSnapshotDue } from '../src/core/snapshot-due.ts';
import { type Db, silent } from '../src/db/db.ts';
import { verify } from '../src/ledger/ledger.ts';
import { playDay } from './day.ts';
import { betOf, type Fixture, type FixtureOptions, makeCore, makeDb, refusedWith, type TestDb } from './fixture.ts';

let f: Fixture;
let database: TestDb;
beforeAll(async () => {
  database = await makeDb();
});
afterEach(() => f.close());
afterAll(() => database.drop());
const make = (options: FixtureOptions = {}) => makeCore(options, database);
const open = (options: Partial<CoreOptions> & { db: Db }) =>
  openCore({ log: silent, onFenced: () => {}, clock: () => f.time.now, ...options });
const clean = async () => (await verify(f.db)).checks.filter((check) => check.breaks > 0);

describe('the log', () => {
  it('keeps what moved money, and what only quoted no longer than two snapshots', async () => {
    f = await make({ snapshotCommands: 20 });
    const seqs = (table: string) =>
      f.db.query<{ first_seq: number; last_seq: number }>(
        `SELECT first_seq, last_seq FROM ${table} ORDER BY first_seq`,
      );
    const bet = await f.bet(f.anna, 'BACK', 300, 1000);
    for (let i = 0; i < 120; i++) await quote(300 - (i % 2) * 2);
    await until(async () => (await seqs('core_log_short'))[0]!.first_seq > bet.seq);
    const kept = await seqs('core_log');
    expect(kept.some((row) => row.first_seq <= bet.seq && row.last_seq >= bet.seq)).toBe(true);
    expect(kept.every((row) => row.first_seq <= bet.seq)).toBe(true);
    const [older] = await f.db.query<{ seq: number }>('SELECT min(seq) AS seq FROM core_snapshots');
    expect((await seqs('core_log_short')).length).toBeLessThan(120);
    expect((await seqs('core_log_short')).at(-1)!.last_seq).toBeGreaterThan(older!.seq);
    await f.restart();
    expect(await clean()).toEqual([]);
  });

  it('a batch of bets and quotes stands in both tables, and the start puts it together again', async () => {
    f = await make();
    await Promise.all([f.bet(f.anna, 'BACK', 300, 1000), quote(298), f.bet(f.ben, 'LAY', 310, 700), quote(296)]);
    const [both] = await f.db.query<{ n: number }>(
      'SELECT count(*) AS n FROM core_log k JOIN core_log_short s ON s.first_seq = k.first_seq',
    );
    expect(both!.n).toBeGreaterThan(0);
    const before = f.core.read.depth('real', f.book.marketId, f.book.runnerIds[0], 9);
    const other = await open({ db: f.db });
    expect(other.read.depth('real', f.book.marketId, f.book.runnerIds[0], 9)).toEqual(before);
    await other.stop();
  });

  it('of other rules is not replayed: the start says which program has to end first', async () => {
    f = await make();
    await f.bet(f.anna, 'BACK', 300, 1000);
    await f.db.query('UPDATE core_log SET logic = logic - 1');
    await expect(open({ db: f.db })).rejects.toThrow(/rules of an older program .* Start the program that wrote them/);
    await f.db.query('UPDATE core_log SET logic = logic + 2');
    await expect(open({ db: f.db })).rejects.toThrow(/rules of a newer program/);
    // With a snapshot at its end nothing has to be replayed, and other rules take over.
    await f.db.query('UPDATE core_log SET logic = logic - 1');
    await f.restart();
    await f.db.query('UPDATE core_log SET logic = logic - 1');
    await f.db.query('UPDATE core_log_short SET logic = logic - 1');
    await f.core.stop();
    const other = await open({ db: f.db });
    expect(other.read.wallet('real', f.anna).exposureMinor).toBe(1000);
    await other.stop();
  });

  it('that newer rules take over: what bets may cost is counted anew and written back, money has to agree', async () => {
    f = await make();
    await f.bet(f.anna, 'BACK', 300, 1000);
    await f.core.stop();
    const row = async () =>
      (
        await f.db.query<{ exposure: number; balance: number }>(
          'SELECT exposure, balance FROM accounts WHERE id = $1',
          [f.anna],
        )
      )[0]!;
    const { balance } = await row();
    await f.db.query('UPDATE accounts SET exposure = 970 WHERE id = $1', [f.anna]);
    await expect(open({ db: f.db })).rejects.toThrow(`account ${f.anna} (real): the table says ${balance}/970/0`);
    // As an older program would have left it, which counted otherwise.
    await f.db.query('UPDATE core_snapshots SET logic = logic - 1');
    await f.db.query('UPDATE accounts SET balance = balance - 1 WHERE id = $1', [f.anna]);
    await expect(open({ db: f.db })).rejects.toThrow('the table says');
    await f.db.query('UPDATE accounts SET balance = balance + 1 WHERE id = $1', [f.anna]);
    const other = await open({ db: f.db });
    expect(other.read.wallet('real', f.anna).exposureMinor).toBe(1000);
    expect(await row()).toEqual({ exposure: 1000, balance });
    await other.stop();
    expect(await clean()).toEqual([]);
  });
});

describe('a snapshot', () => {
  const short = (commands: number) => Array.from({ length: commands }, () => ({ applyMs: 0.01 }));
  const dueAfter = (behind = 0) => {
    const steady = { ms: 0 };
    const due = createSnapshotDue({
      commands: 1000,
      ms: 300_000,
      restMs: 15_000,
      now: 0,
      behind,
      steady: () => steady.ms,
    });
    return { due, steady };
  };

  it('is due by what a start would have to do again: commands, long ones for several, those it began with', () => {
    const { due } = dueAfter();
    due.count(short(999));
    expect(due.isDue(1)).toBe(false);
    due.count(short(1));
    expect(due.isDue(1)).toBe(true);
    const slices = dueAfter().due;
    slices.count(Array.from({ length: 9 }, () => ({ applyMs: 5 })));
    expect(slices.isDue(1)).toBe(false);
    slices.count([{ applyMs: 5 }]);
    expect(slices.isDue(1)).toBe(true);
    expect(dueAfter(1000).due.isDue(1)).toBe(true);
  });

  it('of a large state waits for more of it, rests after each, and comes in time where little happens', () => {
    const { due, steady } = dueAfter(1);
    expect(due.isDue(299_999)).toBe(false);
    expect(due.isDue(300_000)).toBe(true);
    due.begun(300_000, 20_000);
    steady.ms = 1000;
    due.ended();
    expect(due.isDue(900_000)).toBe(false);
    due.count(short(1999));
    steady.ms = 16_000;
    expect(due.isDue(300_001)).toBe(false);
    due.count(short(1));
    expect(due.isDue(300_001)).toBe(true);
    steady.ms = 15_999;
    expect(due.isDue(300_001)).toBe(false);
  });

  it('in pieces by a thread of its own leads to the same state', async () => {
    f = await make({ snapshotCommands: 30, smallRows: 1 });
    await playDay(f);
    await until(async () => {
      for (let i = 0; i < 40; i++) await quote(300 - (i % 2) * 2);
      return (await f.db.query('SELECT 1 FROM core_snapshots')).length === 2;
    });
    const [row] = await f.db.query<{ seq: number }>('SELECT max(seq) AS seq FROM core_snapshots');
    expect(row!.seq).toBeLessThanOrEqual(f.core.health().seq);
    const before = picture();
    const other = await open({ db: f.db });
    expect(picture(other)).toEqual(before);
    await other.stop();
    expect(await clean()).toEqual([]);
  }, 60_000);

  it('[FLT-15] with a damaged or missing piece is passed over for the one before it', async () => {
    f = await make({ snapshotCommands: 10 });
    await playDay(f);
    const before = picture();
    await f.restart();
    const [newest, older] = await f.db.query<{ seq: number; slot: number }>(
      'SELECT seq, slot FROM core_snapshots ORDER BY seq DESC',
    );
    expect(older).toBeDefined();
    const damage = [
      `UPDATE core_snapshot_parts SET body = set_byte(body, 40, get_byte(body, 40) # 1) WHERE slot = ${newest!.slot}`,
      `DELETE FROM core_snapshot_parts WHERE slot = ${newest!.slot}`,
    ];
    for (const sql of damage) {
      await f.db.query(sql);
      const warnings: object[] = [];
      const log = { ...silent, error: (fields: object) => warnings.push(fields) };
      const other = await open({ db: f.db, log });
      expect(picture(other)).toEqual(before);
      expect(warnings).toMatchObject([{ seq: newest!.seq }]);
      await f.db.query('DELETE FROM core_snapshots WHERE seq > $1', [newest!.seq]);
    }
  });

  it('that was broken off counts for nothing, and its pieces are in nobody’s way', async () => {
    f = await make({ snapshotCommands: 1_000_000 });
    await f.bet(f.anna, 'BACK', 300, 1000);
    for (const slot of [0, 1, 2])
      await f.db.query("INSERT INTO core_snapshot_parts VALUES ($1, 0, '\\x00', 'left by a kill')", [slot]);
    await f.restart();
    await f.restart();
    expect(f.core.read.wallet('real', f.anna).exposureMinor).toBe(1000);
    const rows = await f.db.query("SELECT 1 FROM core_snapshot_parts WHERE checksum = 'left by a kill'");
    expect(rows.length).toBeLessThan(3);
  });
});

describe('closed markets', () => {
  const result = { kind: 'void', reason: 'Abandoned' } as const;
  const declare = (marketId: number, world: 'all' | 'real' | 'demo') =>
    f.send({ type: 'market.declare', marketId, result }, { world });
  /** The next look at what may leave, and the commands that it breeds. */
  async function later(ms: number): Promise<void> {
    f.time.now += ms;
    await quote(300).catch(() => undefined);
    await f.send({ type: 'clock' });
  }
  const inMemory = () => f.core.read.markets().map((market) => market.marketId);

  it('leave memory after half an hour, those with many bets as soon as there are too many of them', async () => {
    f = await make({ archiveRows: 30 });
    const { book, bookmaker, session } = f;
    await f.bet(f.anna, 'BACK', 300, 1000);
    await declare(book.marketId, 'all');
    await later(11_000);
    await declare(session.marketId, 'all');
    // A market counts as ten rows in each world, so these are 41; but one that has just closed is still looked at.
    await later(30_000);
    expect(inMemory()).toEqual([book.marketId, bookmaker.marketId, session.marketId]);
    await later(31_000);
    await later(61_000);
    expect(inMemory()).toEqual([bookmaker.marketId, session.marketId]);
    await later(30 * 60_000);
    expect(inMemory()).toEqual([bookmaker.marketId]);
    await f.send({ type: 'market.undeclare', marketId: book.marketId }, { world: 'all' });
    expect(f.core.read.openBets('real', f.anna)).toHaveLength(1);
    expect(await clean()).toEqual([]);
  });

  it('stay while a world has work left in them', async () => {
    f = await make({ archiveMs: 60_000 });
    await declare(f.book.marketId, 'real');
    await later(61_000);
    await later(61_000);
    expect(f.core.read.market(f.book.marketId)?.status).toBe('CLOSED');
    await declare(f.book.marketId, 'demo');
    await later(11_000);
    await later(61_000);
    expect(f.core.read.market(f.book.marketId)).toBeUndefined();
    expect(f.core.read.market(f.book.marketId, 'demo')).toBeUndefined();
  });
});

describe('the tables of the months', () => {
  it('are there ahead of time, and made when the month turns', async () => {
    f = await make();
    const latest = async () => (await monthsMade(f.db)).get('bets')!.at(-1)!;
    const last = await latest();
    expect(last.to).toBeGreaterThanOrEqual(monthStart(f.time.now, 3));
    // The machine slept for months: the next batch has no table, and gets one.
    f.time.now = last.to + 86_400_000;
    const bet = await f.bet(f.anna, 'BACK', 300, 1000);
    expect((await latest()).to).toBe(monthStart(f.time.now, 3));
    const [row] = await f.db.query<{ t: string }>('SELECT tableoid::regclass::text AS t FROM bets WHERE seq = $1', [
      bet.seq,
    ]);
    expect(row!.t).toMatch(/^bets_\d{4}_\d\d$/);
    expect(f.core.health().breaks).toBe(0);
    expect(await clean()).toEqual([]);
  });

  it('a bet of a month before is changed where it stands', async () => {
    f = await make();
    const bet = await f.bet(f.anna, 'BACK', 500, 1000);
    const where = () => f.db.query('SELECT tableoid::regclass::text AS t, cancelled FROM bets ORDER BY id');
    const [before] = await where();
    f.time.now = (await monthsMade(f.db)).get('bets')![0]!.to + 1000;
    await f.send({ type: 'order.cancel', accountId: f.anna, betId: betOf(bet).betId });
    const [after] = await where();
    expect(after).toEqual({ ...before, cancelled: 1000 });
    expect(await clean()).toEqual([]);
  });

  it('[INV-08] refuse a second row under one key, one bet, one line of the ledger, as one table did', async () => {
    f = await make();
    await f.bet(f.anna, 'BACK', 300, 1000, { key: 'client-made-key-0001' });
    for (const table of ['core_log', 'bets', 'idempotency', 'ledger', 'ledger_entries', 'fills']) {
      const again = f.db.query(`INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`);
      expect(await refusedWith(again)).toBe('23505');
    }
  });

  it('are append-only where the ledger is', async () => {
    f = await make();
    f.time.now = (await monthsMade(f.db)).get('ledger')![0]!.to + 1000;
    await f.send({ type: 'account.transfer', accountId: f.anna, amountMinor: 5, reason: 'deposit', text: 'Five' });
    const tables = (await monthsMade(f.db)).get('ledger_entries')!.map((month) => month.table);
    expect(tables.length).toBeGreaterThan(1);
    for (const table of ['ledger', 'ledger_entries', ...tables]) {
      const [row] = await f.db.query(`SELECT 1 FROM ${table} LIMIT 1`);
      if (!row) continue;
      await expect(f.db.query(`DELETE FROM ${table}`)).rejects.toThrow(/append-only/);
      await expect(f.db.query(`UPDATE ${table} SET world = 'demo'`)).rejects.toThrow(/append-only/);
    }
  });

  it('go as a whole, with a note of what is gone; a try that was killed is made up for', async () => {
    f = await make();
    const [first] = (await monthsMade(f.db)).get('fills')!;
    expect(await dropMonths(f.db, 'fills', first!.to - 1)).toEqual([]);
    expect(await dropMonths(f.db, 'fills', first!.to)).toEqual([first]);
    expect(await f.db.query("SELECT before_at FROM retired WHERE table_name = 'fills'")).toEqual([
      { before_at: first!.to },
    ]);
    await makeMonths(f.db, f.time.now);
    const made = (await monthsMade(f.db)).get('fills')!;
    expect(made[0]!.from).toBeLessThanOrEqual(f.time.now);
    await f.db.query('DELETE FROM retired');
  });

  it('of conditional orders that are over go after twenty-five months', async () => {
    f = await make();
    const bet = betOf(await f.bet(f.anna, 'BACK', 500, 1000));
    const order = { type: 'conditional.make', accountId: f.anna, marketId: f.book.marketId } as const;
    await f.send({ ...order, kind: 'EXPIRE', betId: bet.betId, afterMs: 1000 });
    await f.send({ type: 'order.cancel', accountId: f.anna, betId: bet.betId });
    const kept = () => f.db.query('SELECT status, code FROM conditional_ends');
    const [first] = (await monthsMade(f.db)).get('conditional_ends')!;
    let now = monthStart(first!.to, 25) - 1;
    const months = keepMonths({ db: f.db, log: silent, clock: () => now, keysMonths: 14 });
    await months.make();
    expect(await kept()).toEqual([{ status: 'ENDED', code: 'BET_ENDED' }]);
    now += 1;
    await months.make();
    expect(await kept()).toEqual([]);
    expect(await clean()).toEqual([]);
    await f.db.query('DELETE FROM retired');
  });

  it('[INV-08] of keys go after fourteen months, but not before their bets are settled', async () => {
    f = await make();
    const open = await f.bet(f.anna, 'BACK', 500, 1000, { key: 'client-made-key-0001' });
    const [first] = (await monthsMade(f.db)).get('idempotency')!;
    expect(await dropKeys(f.db, monthStart(first!.to, 14) - 1, 14)).toEqual([]);
    f.time.now = monthStart(first!.to, 14);
    await f.restart({ trustClock: true });
    const again = () => f.bet(f.anna, 'BACK', 500, 1000, { key: 'client-made-key-0001' });
    expect(await again()).toMatchObject({ seq: open.seq, replayed: true });
    await f.send({ type: 'order.cancel', accountId: f.anna, betId: betOf(open).betId });
    const result = { kind: 'void' as const, reason: 'Abandoned' };
    await f.send({ type: 'market.declare', marketId: f.book.marketId, result }, { world: 'all' });
    await f.restart({ trustClock: true });
    expect((await monthsMade(f.db)).get('idempotency')!.map((month) => month.from)).not.toContain(first!.from);
    expect(await f.core.answerOf(`player:${f.anna}`, 'client-made-key-0001')).toBeNull();
    expect(await clean()).toEqual([]);
    await f.db.query('DELETE FROM retired');
  });
});

function quote(price: number) {
  return f.send(
    {
      type: 'house.book',
      marketId: f.book.marketId,
      runners: [{ runnerId: f.book.runnerIds[0], backable: [[price, 50_000]], layable: [[310, 50_000]] }],
    },
    { world: 'all', actor: 'feed' },
  );
}

/** All a player could see, as one value. */
function picture(core = f.core): unknown {
  const { read } = core;
  return JSON.parse(
    JSON.stringify({
      wallets: [f.anna, f.ben].map((id) => read.wallet('real', id)),
      markets: read.markets(),
      bets: [f.anna, f.ben].map((id) => read.openBets('real', id)).concat(read.openBets('demo', f.dora)),
      depth: f.book.runnerIds.map((id) => read.depth('real', f.book.marketId, id, 20)),
      quotes: read.quotes('real', f.session.marketId),
    }),
  );
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it did not come about in 30 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
