/** Exhaustion of one kind of connection is BUSY for those who use it, and nothing to everybody else. */
import { CALLS } from '@fairgame/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PrivatePostgres, startPostgres } from '../../../scripts/postgres.ts';
import { openDatabase, silent } from '../src/db/db.ts';
import { createReportDesk } from '../src/ledger/ledger.ts';
import { makeDb } from './fixture.ts';
import { freshDatabase } from './fresh-database.ts';
import { IDS, makeSite, prices, type Site } from './site.ts';

const none = findPostgres() === null;
let own: PrivatePostgres;
beforeAll(async () => {
  if (!none) own = (await startPostgres({ max_connections: '40' }))!;
});
afterAll(() => own?.stop());

describe.skipIf(none)('slow reports', () => {
  let site: Site;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshDatabase(own.url);
    drop = fresh.drop;
    site = await makeSite({ DATABASE_URL: fresh.url });
  });
  afterAll(async () => {
    await site.close();
    await drop();
  });

  it('are BUSY for who asks for them; bets, profiles, sign-in and readiness go on, and the reports afterwards', async () => {
    const players = await Promise.all(Array.from({ length: 8 }, () => site.player()));
    await site.feed(prices(IDS.football.odds, [IDS.football.home, 200, 204]));
    const locker = new pg.Client({ connectionString: site.config.databaseUrl! });
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    const reports = players.flatMap(({ token }) =>
      Array.from({ length: 6 }, () => site.call(CALLS.bets.list, { query: {} }, { token })),
    );
    const settled: number[] = [];
    for (const report of reports) void report.then(({ status }) => settled.push(status));
    await expect.poll(() => settled.length, { timeout: 10_000 }).toBeGreaterThan(10);
    expect(new Set(settled)).toEqual(new Set([503]));
    const refused = (await Promise.race(
      reports.map(async (report) => ((await report).status === 503 ? report : new Promise<never>(() => {}))),
    ))!;
    expect(refused.error?.code).toBe('BUSY');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const [{ token, userName, password }] = players as [(typeof players)[number]];
    expect((await site.fetch('/readyz')).status).toBe(200);
    expect((await site.call(CALLS.account.profile, {}, { token })).status).toBe(200);
    expect((await site.call(CALLS.auth.login, { body: { userName, password } })).status).toBe(200);
    const body = {
      key: 'lanes-key-0000000001',
      betId: IDS.football.odds,
      matchId: IDS.football.event,
      runnerId: IDS.football.home,
      bettingType: 'BACK' as const,
      odd: 200,
      stake: 1000,
    };
    expect((await site.call(CALLS.bets.place, { body }, { token })).data.bet.matched).toBe(1000);

    await locker.query('ROLLBACK');
    await locker.end();
    await Promise.all(reports);
    const { data } = await site.call(CALLS.bets.list, { query: {} }, { token });
    expect(data.total).toBe(1);
  }, 60_000);
});

describe.skipIf(none)('a PostgreSQL without a free connection', () => {
  it('is BUSY, not lost: who writes goes on writing', async () => {
    const test = await makeDb(own.url);
    const db = await openDatabase({ url: test.url!, dataDir: '', log: silent });
    await db.lead();
    const others: pg.Client[] = [];
    for (;;) {
      const client = new pg.Client({ connectionString: own.url });
      if (
        await client.connect().then(
          () => false,
          () => true,
        )
      )
        break;
      others.push(client);
    }
    const refused = await db
      .lane('reports')
      .query('SELECT 1')
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'BUSY', statusCode: 503, retryAfterS: 2 });
    expect(db.healthy()).toBe(true);
    expect(await db.write('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(db.lanes().find(({ lane }) => lane === 'reports')!.refused).toBe(1);
    await Promise.all(others.map((client) => client.end()));
    await expect
      .poll(() =>
        db
          .lane('reports')
          .query('SELECT 1 AS one')
          .catch(() => null),
      )
      .toEqual([{ one: 1 }]);
    await db.close();
    await test.drop();
  });
});

describe('the report desk', () => {
  it('gives each account two readings at once and a few places to wait, whatever the others do', async () => {
    const test = await makeDb('');
    const desk = createReportDesk(test.db, () => 0);
    let free = () => {};
    const blocked = new Promise<void>((resolve) => {
      free = resolve;
    });
    let running = 0;
    const read = async () => {
      running++;
      await blocked;
      return 'read';
    };
    const mine = Array.from({ length: 10 }, () => desk.run(1, read).catch((error: { code: string }) => error.code));
    const other = desk.run(2, read);
    await expect.poll(() => running).toBe(3);
    expect(await Promise.all(mine.slice(8))).toEqual(['BUSY', 'BUSY']);
    free();
    expect(await other).toBe('read');
    expect(await Promise.all(mine.slice(0, 8))).toEqual(Array.from({ length: 8 }, () => 'read'));
    expect(await desk.run(1, () => Promise.resolve('again'))).toBe('again');
    await test.drop();
  });
});

it.skipIf(none)(
  'while rooms are built a connection that is not to be had is waited for',
  async () => {
    const fresh = await freshDatabase(own.url);
    const said: string[] = [];
    const log = { ...silent, warn: (_: object, text: string) => void said.push(text) };
    const db = await openDatabase({ url: fresh.url, dataDir: '', log });
    const people = db.lane('people');
    const ends: Array<() => void> = [];
    // All of its connections are in use.
    const held = Array.from({ length: 4 }, () => people.tx(() => new Promise<void>((resolve) => ends.push(resolve))));
    await expect.poll(() => ends.length, { timeout: 10_000 }).toBe(4);
    const waits = db.patiently(() => people.query<{ one: number }>('SELECT 1 AS one'));
    await expect.poll(() => said, { timeout: 20_000 }).toContain('no connection to the database yet; tried again');
    for (const end of ends) end();
    expect(await waits).toEqual([{ one: 1 }]);
    await Promise.all(held);
    await db.close();
    await fresh.drop();
  },
  40_000,
);
