/** Who may write a PostgreSQL, what happens to who may not any more, and what the operator is told. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PrivatePostgres, startPostgres } from '../../../scripts/postgres.ts';
import { createApp, openSite, type Site } from '../src/app.ts';
import { LocalHub } from '../src/bus/bus.ts';
import { loadConfig } from '../src/config.ts';
import { databaseProblems } from '../src/config-database.ts';
import { readPlace, takePlace } from '../src/core/place.ts';
import { migrate, openDatabase, silent } from '../src/db/db.ts';
import { leadershipOf, takeOver } from '../src/db/takeover.ts';
import { type Fixture, makeCore, makeDb, refusedWith } from './fixture.ts';

const none = findPostgres() === null;
const folder = mkdtempSync(join(tmpdir(), 'fairgame-lead-'));
let own: PrivatePostgres;
beforeAll(async () => {
  if (!none) own = (await startPostgres())!;
});
afterAll(async () => {
  await own?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A core that leads a database of its own; `ended` resolves with why it had to end. */
async function leader(): Promise<{ f: Fixture; ended: Promise<string> }> {
  let tell: (why: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    tell = resolve;
  });
  return { f: await makeCore({ onFenced: (why) => tell(why) }, own.url), ended };
}

describe.skipIf(none)('one leader', () => {
  it('[INV-20] a second server changes nothing, not even the schema, and says who leads since when and where', async () => {
    const { f } = await leader();
    // To the second server the database looks older than it is: it would migrate, were it to begin with that.
    await f.db.query('DELETE FROM schema_migrations WHERE n = 20');
    const second = createApp({
      config: loadConfig({ DATABASE_URL: f.test.url!, FAIRGAME_DATA: folder, FAIRGAME_LOG: 'silent', PORT: '0' }),
    });
    const error = await second.then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).toMatch(/^another fairGame leads this database \(since 20\d\d-\S+Z, host /);
    expect(error?.message).toContain(`host ${hostname()}`.slice(0, 25));
    expect(error?.message).toContain(`process ${process.pid})`);
    expect(await f.db.query('SELECT n FROM schema_migrations WHERE n = 20')).toEqual([]);
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100))).toBe('taken');
    await f.close();
  }, 30_000);

  it('[INV-20] a leader whose commit function is gone ends, and suspends or quarantines nothing', async () => {
    const { f, ended } = await leader();
    const [own] = await f.db.query<{ name: string }>(
      "SELECT proname AS name FROM pg_proc WHERE proname LIKE 'core_commit%'",
    );
    await f.db.exec(`ALTER FUNCTION ${own!.name} RENAME TO core_commit_of_another_version`);
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100))).toBe('UNAVAILABLE');
    expect(await ended).toMatch(/another version of the program has changed the database/);
    expect(await f.db.query('SELECT 1 FROM core_quarantine')).toEqual([]);
    expect(f.core.health().available).toBe(false);
    await f.close();
  });

  it('[FLT-12] a leader that hangs is ended by command; it takes nothing more and says why', async () => {
    const { f, ended } = await leader();
    const seq = f.core.health().seq;
    expect(await leadershipOf(f.test.url!)).toMatchObject({
      holder: expect.stringContaining(`process ${process.pid}`),
      seq,
    });
    await takeOver(f.test.url!);
    expect(await ended).toMatch(/another fairGame (has taken over|leads) this database/);
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100))).toBe('UNAVAILABLE');
    expect(await leadershipOf(f.test.url!)).toMatchObject({ holder: null, seq });
    const next = await openDatabase({ url: f.test.url!, dataDir: '', log: silent });
    await next.lead();
    await next.close();
    await f.close();
  }, 30_000);

  it('comes back by itself when only its connection was cut, its old one still known to the server', async () => {
    const { f } = await leader();
    await on(own.url, (client) =>
      client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'fairgame-writer%'",
      ),
    );
    await expect.poll(() => f.core.health().available).toBe(true);
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100))).toBe('taken');
    await f.close();
  });
});

describe.skipIf(none)('a core that starts beside one that is silent', () => {
  const start = (url: string): Promise<Site> =>
    openSite({
      config: loadConfig({
        DATABASE_URL: url,
        NATS_URL: 'nats://127.0.0.1:1',
        FAIRGAME_ROLES: 'core',
        FAIRGAME_SECRET: randomBytes(32).toString('hex'),
        FAIRGAME_DATA: folder,
        FAIRGAME_CLOCK: 'trust',
        FAIRGAME_LOG: 'silent',
        PORT: '0',
      }),
      bus: new LocalHub().bus(),
    });
  /** The place as another process has it: the lock, and a row of which `renewed` says since when it was silent. */
  async function held(renewed: string): Promise<{ url: string; other: pg.Client; drop: () => Promise<void> }> {
    const { f } = await leader();
    await f.core.stop();
    await f.db.query(`UPDATE leader SET renewed_at = ${renewed}`);
    const url = f.test.url!;
    const other = new pg.Client({ connectionString: url });
    other.on('error', () => undefined);
    await other.connect();
    await other.query('SELECT pg_advisory_lock(7305190211)');
    return { url, other, drop: () => f.close() };
  }

  it('stands by for it, and leads when it stays silent', async () => {
    const { url, other, drop } = await held("clock_timestamp() - interval '1 hour'");
    const gone = new Promise((resolve) => other.once('end', resolve));
    const site = await start(url);
    expect(site.core.health()).toMatchObject({ leads: true, available: true });
    await gone;
    await site.close();
    await drop();
  }, 60_000);

  it('waits for one that has just begun, and leads where that one ends', async () => {
    const { url, other, drop } = await held('NULL');
    const site = start(url);
    // Its first connection for the lock was refused it; that of the core before it is still open.
    const seen = new Set<number>();
    const connections = async (): Promise<number> => {
      const { rows } = await other.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'fairgame-writer%'",
      );
      for (const { pid } of rows) seen.add(pid);
      return seen.size;
    };
    await expect.poll(connections, { timeout: 30_000 }).toBe(3);
    await other.end();
    expect((await site).core.health()).toMatchObject({ leads: true, available: true });
    await (await site).close();
    await drop();
  }, 60_000);
});

describe.skipIf(none)('the place of a leader', () => {
  it('is free after two seconds of silence, and after one where its connection has ended as with its process', async () => {
    const { f } = await leader();
    await f.core.stop();
    const silentFor = async (seconds: number): Promise<boolean | undefined> => {
      await f.db.query("UPDATE leader SET renewed_at = clock_timestamp() - $1 * interval '1 second'", [seconds]);
      return (await readPlace(f.db))?.silent;
    };
    const take = async () => takePlace(f.db, silent, (await readPlace(f.db))!.epoch);
    const other = new pg.Client({ connectionString: f.test.url! });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(7305190211)');
    expect(await silentFor(1.5)).toBe(false);
    expect(await take()).toBeNull();
    expect(await silentFor(2.5)).toBe(true);
    expect(await silentFor(1.5)).toBe(false);
    await other.end();
    await expect.poll(() => silentFor(1.5)).toBe(true);
    const taken = await take();
    expect(taken).not.toBeNull();
    taken!.stop();
    // It has the place, and not yet the lock.
    expect(await silentFor(0.5)).toBe(false);
    expect(await take()).toBeNull();
    await f.close();
  });
});

describe.skipIf(none)('migrations', () => {
  it('wait for a lock only a little, then say so', async () => {
    const test = await makeDb(own.url);
    await test.db.exec('CREATE TABLE busy (id int)');
    const steps = mkdtempSync(join(tmpdir(), 'fairgame-steps-'));
    for (const { name } of await test.db.query<{ name: string }>('SELECT name FROM schema_migrations'))
      await test.db.query('DELETE FROM schema_migrations WHERE name = $1', [name]);
    writeFileSync(join(steps, '999-busy.sql'), 'ALTER TABLE busy ADD COLUMN more int;');
    const where = pathToFileURL(`${steps}/`);
    await on(test.url!, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE busy');
      await expect(migrate(test.db, where, { lockMs: 50, tries: 2 })).rejects.toThrow(
        /migration 999-busy.sql cannot begin: another program keeps a table locked/,
      );
      await client.query('ROLLBACK');
    });
    await migrate(test.db, where);
    expect(await test.db.query('SELECT more FROM busy')).toEqual([]);
    rmSync(steps, { recursive: true });
    await test.drop();
  });
});

describe.skipIf(none)('a PostgreSQL that may lose what was acknowledged', () => {
  const strict = { strict: true, asyncReplica: false };

  it('[INV-09] synchronous_commit is switched on for the writer, whatever the server says', async () => {
    const test = await makeDb(own.url);
    await on(own.url, (client) =>
      client.query(`ALTER DATABASE ${new URL(test.url!).pathname.slice(1)} SET synchronous_commit = off`),
    );
    const db = await openDatabase({ url: test.url!, dataDir: '', log: silent, durability: strict });
    expect(await db.query('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'off' }]);
    await db.lead();
    expect(await db.write('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    await db.close();
    await test.drop();
  });

  it('is refused in production: a role that could change the audit log, in one list with the rest', async () => {
    const test = await makeDb(own.url);
    const live = { FAIRGAME_PROFILE: 'production', DATABASE_URL: test.url! };
    const problems = await databaseProblems(live);
    expect(problems).toEqual([
      expect.stringMatching(/its role could change the audit log \(superuser, owner, .*FAIRGAME_AUDIT_OWNER/),
    ]);
    expect(() => loadConfig(live, problems)).toThrow(/FAIRGAME_SECRET is missing; .*could change the audit log/);
    expect(await databaseProblems({ ...live, FAIRGAME_AUDIT_OWNER: 'accept' })).toEqual([]);
    expect(await databaseProblems({ DATABASE_URL: test.url! })).toEqual([]);
    // The first start makes the log, and can be judged only then.
    const local = loadConfig({ DATABASE_URL: test.url!, FAIRGAME_DATA: folder, FAIRGAME_LOG: 'silent', PORT: '0' });
    const app = await createApp({ config: { ...local, profile: 'production' } });
    await expect(app.start()).rejects.toThrow('could change the audit log');
    await app.close();
    await test.db.exec('DROP TABLE audit');
    expect(await databaseProblems(live)).toEqual([]);
    await test.drop();
    expect(await databaseProblems(live)).toEqual([]);
  }, 30_000);

  it('[INV-09] is refused in production: no fsync, torn pages; elsewhere it is said', async () => {
    const careless = (await startPostgres({ fsync: 'off', full_page_writes: 'off' }))!;
    try {
      const db = await openDatabase({ url: careless.url, dataDir: '', log: silent, durability: strict });
      await expect(db.lead()).rejects.toThrow(/may lose acknowledged bets: fsync is off.*full_page_writes is off/);
      await db.close();
      const said: string[] = [];
      const log = { ...silent, warn: (_: object, text: string) => void said.push(text) };
      const local = await openDatabase({ url: careless.url, dataDir: '', log });
      await local.lead();
      expect(said.filter((text) => /may lose acknowledged bets/.test(text))).toHaveLength(2);
      await local.close();
    } finally {
      await careless.stop();
    }
  });

  it('[INV-09] is refused in production: an asynchronous replica, unless its loss is accepted; a replica is never led', async () => {
    const primary = (await startPostgres())!;
    const replica = await primary.replica();
    try {
      await expect
        .poll(() =>
          on(primary.url, async (client) => (await client.query('SELECT 1 FROM pg_stat_replication')).rowCount),
        )
        .toBe(1);
      const open = (url: string, asyncReplica: boolean) =>
        openDatabase({ url, dataDir: '', log: silent, durability: { strict: true, asyncReplica } });
      const db = await open(primary.url, false);
      await expect(db.lead()).rejects.toThrow(
        /a replica is attached and synchronous_standby_names is empty.*FAIRGAME_ASYNC_REPLICA=accept/,
      );
      await db.close();
      const accepted = await open(primary.url, true);
      await accepted.lead();
      await accepted.close();
      const standby = await open(replica.url, true);
      await expect(standby.lead()).rejects.toThrow('this PostgreSQL is a replica: point DATABASE_URL at the primary');
      await standby.close();
    } finally {
      await replica.stop();
      await primary.stop();
    }
  }, 60_000);
});
