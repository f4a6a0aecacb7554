import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PrivatePostgres, startPostgres } from '../../../scripts/postgres.ts';
import { type Db, DbLost, migrate, openDatabase, silent } from '../src/db/db.ts';
import { verify } from '../src/ledger/ledger.ts';
import { playDay } from './day.ts';
import { makeCore, makeDb, makeEmbedded, refusedWith, type TestDb } from './fixture.ts';

/** What every engine must do; the same text for both. */
function sameForBoth(name: string, make: () => Promise<TestDb>): void {
  describe(name, () => {
    let test: TestDb;
    let db: Db;
    beforeAll(async () => {
      test = await make();
      db = test.db;
      await db.exec('CREATE TABLE things (id bigint PRIMARY KEY, name text, data json, raw bytea)');
    });
    afterAll(() => test.drop());

    it('gives whole numbers as numbers, JSON as values, bytes as bytes', async () => {
      await db.query('INSERT INTO things VALUES ($1, $2, $3, $4)', [
        9_007_199_254_740_991,
        'x',
        '{"a":[1]}',
        new Uint8Array([1, 255]),
      ]);
      const [row] = await db.query<{ id: number; data: unknown; raw: Uint8Array; n: number }>(
        "SELECT id, data, raw, count(*) OVER () AS n FROM things WHERE name = 'x'",
      );
      expect(row).toMatchObject({ id: 9_007_199_254_740_991, data: { a: [1] }, n: 1 });
      expect([...row!.raw]).toEqual([1, 255]);
      expect(
        await db.query('SELECT id FROM things WHERE id = ANY($1::bigint[])', [[9_007_199_254_740_991, 5]]),
      ).toHaveLength(1);
    });

    it('refuses whole numbers a number cannot hold, instead of rounding them', async () => {
      await expect(db.query('SELECT 9007199254740993::bigint AS n')).rejects.toThrow(RangeError);
    });

    it('rolls a transaction back when its function throws, and keeps others out of it', async () => {
      const failing = db.tx(async (q) => {
        await q("INSERT INTO things VALUES (1, 'one')");
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error('no');
      });
      const beside = db.query('SELECT 1 FROM things WHERE id = 1');
      await expect(failing).rejects.toThrow('no');
      expect(await beside).toEqual([]);
      expect(await db.query('SELECT 1 FROM things WHERE id = 1')).toEqual([]);
      await db.tx((q) => q("INSERT INTO things VALUES (2, 'two')"));
      expect(await db.query('SELECT 1 FROM things WHERE id = 2')).toHaveLength(1);
    });

    it('tells a refused statement from a lost connection', async () => {
      const refused = await db.write("INSERT INTO things VALUES (2, 'again')").catch((error: unknown) => error);
      expect(refused).not.toBeInstanceOf(DbLost);
      expect(refused).toMatchObject({ code: '23505' });
      expect(await db.write('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('knows its migrations: nothing twice, nothing unknown, nothing changed', async () => {
      await migrate(db);
      const folder = mkdtempSync(join(tmpdir(), 'fairgame-migrations-'));
      const url = pathToFileURL(`${folder}/`);
      await expect(migrate(db, url)).rejects.toThrow(/which this program does not know/);
      const rows = await db.query<{ n: number; name: string }>('SELECT n, name FROM schema_migrations');
      mkdirSync(folder, { recursive: true });
      for (const { name } of rows) writeFileSync(join(folder, name), 'SELECT 1;');
      await expect(migrate(db, url)).rejects.toThrow(/is not the one this database was made with/);
      rmSync(folder, { recursive: true });
    });
  });
}

sameForBoth('the embedded database', () => makeDb(''));

describe('the embedded database on disk', () => {
  it('is closed to other users, and to a second process', async () => {
    const { dir, open, remove } = await makeEmbedded();
    const db = await open();
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    await expect(open()).rejects.toThrow(`is in use by process ${process.pid}`);
    await db.close();
    writeFileSync(join(dir, 'lock'), '999999999 1');
    const again = await open();
    await again.close();
    await remove();
  });

  it('writes its log through to the disk', async () => {
    const test = await makeDb('');
    expect(await test.db.query('SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(await test.db.query('SHOW wal_sync_method')).toEqual([{ wal_sync_method: 'open_datasync' }]);
    await test.drop();
  });
});

const given = process.env.DATABASE_URL;
if (!given && findPostgres() === null) {
  it('PostgreSQL: this machine has none and DATABASE_URL is not set, so only the embedded database was tried', () => {
    expect(findPostgres()).toBeNull();
  });
} else {
  let own: PrivatePostgres | null = null;
  const server = async () => {
    if (given) return given;
    own ??= await startPostgres();
    return own!.url;
  };
  afterAll(() => own?.stop());

  sameForBoth('PostgreSQL', async () => makeDb(await server()));

  it('PostgreSQL: a connection that is lost between two statements fails its transaction, and not the process', async () => {
    const made = await makeDb(await server());
    const { db } = made;
    const cut = db.tx(async (query) => {
      const [own] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await db.query('SELECT pg_terminate_backend($1)', [own!.pid]);
      const left = () => db.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [own!.pid]);
      await expect.poll(left, { timeout: 20_000 }).toHaveLength(0);
      await query('SELECT 1');
    });
    await expect(cut).rejects.toBeInstanceOf(DbLost);
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await made.drop();
  });

  describe('the core on PostgreSQL', () => {
    it('[INV-10] plays a whole day, restarts, and verify is clean', async () => {
      const f = await makeCore({ snapshotCommands: 25 }, await server());
      await playDay(f);
      await f.restart();
      expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
      await f.close();
    });

    it('[INV-20] lets no second process lead', async () => {
      const f = await makeCore({}, await server());
      const other = await openDatabase({ url: f.test.url!, dataDir: '', log: silent });
      await expect(other.lead()).rejects.toThrow();
      await other.close();
      await f.close();
    }, 30_000);

    it.runIf(!given)(
      '[FLT-02] survives the crash of PostgreSQL: nothing taken is lost, and it goes on by itself',
      async () => {
        const f = await makeCore({}, await server());
        const taken: string[] = [];
        for (let round = 0; round < 3; round++) {
          const bets = Array.from({ length: 40 }, (_, i) => `round-${round}-bet-${i}-000000`).map(async (key, i) => {
            await new Promise((resolve) => setTimeout(resolve, i * 2));
            const outcome = await refusedWith(f.bet(f.anna, 'BACK', 300, 100, { key }));
            if (outcome === 'taken') taken.push(key);
            return outcome;
          });
          const crashed = own!.crashAndRestart();
          const outcomes = await Promise.all(bets);
          await crashed;
          expect(outcomes.filter((outcome) => outcome !== 'taken' && outcome !== 'UNAVAILABLE')).toEqual([]);
          const until = Date.now() + 10_000;
          while (!f.core.health().available && Date.now() < until)
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
        expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100, { key: 'after-the-crash-0001' }))).toBe('taken');
        const rows = await f.db.query<{ key: string }>("SELECT key FROM idempotency WHERE key LIKE 'round-%'");
        expect(rows.map((row) => row.key).sort()).toEqual(taken.sort());
        expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
        await f.close();
      },
    );
  });
}
