/** Backups and their return, by the commands an operator runs: nothing but what was saved may come back, and all of it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { wallet } from '@fairgame/exchange';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { backUp, backupsIn } from '../../../scripts/backup/backup.ts';
import { MANIFEST, type Manifest, stateOf } from '../../../scripts/backup/manifest.ts';
import { restoreBackup } from '../../../scripts/backup/restore.ts';
import { findPostgres, type PrivatePostgres, privateFolder, startPostgres } from '../../../scripts/postgres.ts';
import { loadState } from '../src/core/core.ts';
import { openDatabase, silent } from '../src/db/db.ts';
import { verifyAudit } from '../src/ops/ops.ts';
import { betOf, makeCore, makeEmbedded, refusedWith } from './fixture.ts';
import { freshDatabase } from './fresh-database.ts';
import { makeServer } from './server.ts';

/** Copies, engines that start, a whole check: seconds on a free machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });
const SECRET = '8f1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff0';
const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'fairgame-backup-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A command of package.json, as `npm run` starts it. */
function command(name: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    const env = { ...process.env, DATABASE_URL: '' };
    execFile(
      process.execPath,
      ['--import', 'tsx', join(ROOT, `scripts/${name}.ts`), ...args],
      { cwd: ROOT, env },
      (error, out, err) => done({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** The data folder of a site, with an empty database in it. */
async function dataFolder(name: string): Promise<string> {
  const dir = at(name);
  mkdirSync(dir, { mode: 0o700 });
  renameSync((await makeEmbedded()).dir, join(dir, 'db'));
  return dir;
}

const manifestOf = (backup: string): Manifest => JSON.parse(readFileSync(join(backup, MANIFEST), 'utf8')) as Manifest;

describe('an embedded database', () => {
  it('[FLT-21] is saved by the server that runs on it, and comes back as it was then', async () => {
    const home = await dataFolder('running');
    const server = await makeServer({ FAIRGAME_DATA: home });
    const env = { FAIRGAME_URL: server.url, FAIRGAME_OPERATOR_TOKEN: await server.operator() };
    const anna = await server.player('anna', 70_000);
    const age = async () =>
      Number(
        /^xch_backup_last_success_timestamp_seconds (\S+)$/m.exec(await (await server.fetch('/metrics')).text())![1],
      );
    expect(await age()).toBe(0);
    await server.app.db.query(
      "INSERT INTO card_chains (code, chain, commit, sealed, length, used, made_at) VALUES ('x', 1, 'c', 's', 9, 3, 0)",
    );

    const { folder: backup, manifest } = await backUp({ out: at('out'), dataDir: home, env });
    expect(await age()).toBe(Date.parse(manifest.at) / 1000);
    expect(manifest.state.seq).toBe(server.app.core.health().seq);
    // What comes after it is not in it.
    await server.player('later', 5000);
    await server.app.close();
    expect(readdirSync(at('out'))).toEqual([backup.slice(at('out').length + 1)]);

    await expect(restoreBackup({ from: backup, dataDir: home, env })).rejects.toThrow(
      /there is a database .* --replace/,
    );
    const { aside, kept } = await restoreBackup({ from: at('out'), dataDir: home, replace: true, env });
    expect(readdirSync(aside!)).toContain('pg');
    expect(kept).toContain(join(home, 'secret'));
    const db = await openDatabase({ dataDir: join(home, 'db'), log: silent });
    expect(await db.query('SELECT balance FROM accounts WHERE id = $1', [anna.userId])).toEqual([{ balance: 70_000 }]);
    expect(await db.query("SELECT 1 FROM users WHERE user_name = 'later'")).toEqual([]);
    // A session that was ended since would live again, and seeds that players have seen since would be dealt from again.
    expect(await db.query('SELECT 1 FROM sessions')).toEqual([]);
    expect(await db.query("SELECT used FROM card_chains WHERE code = 'x'")).toEqual([{ used: 9 }]);
    expect(await db.query('SELECT action FROM audit ORDER BY n DESC LIMIT 1')).toEqual([{ action: 'site.restore' }]);
    expect(await verifyAudit(db, server.config.keyring, [])).toMatchObject({ brokenAt: null });
    await db.close();
  });

  it('[FLT-21] is saved and brought back by the commands while no server runs; older backups go', async () => {
    const data = await dataFolder('stopped');
    writeFileSync(join(data, 'secret'), SECRET);
    let db = await openDatabase({ dataDir: join(data, 'db'), log: silent });
    const f = await makeCore({}, { db, reopen: () => Promise.resolve(db), drop: () => Promise.resolve() });
    const bet = betOf(await f.bet(f.anna, 'BACK', 300, 500));
    await f.core.stop();
    const before = await stateOf(db);
    await db.close();

    const older = join(at('many'), 'fairgame-20260101T000000000Z');
    mkdirSync(older, { recursive: true });
    const saved = await command('backup', '--out', at('many'), '--data', data, '--keep', '1', '--json');
    expect([saved.code, saved.err]).toEqual([0, '']);
    expect(JSON.parse(saved.out)).toMatchObject({ ...before, removed: ['fairgame-20260101T000000000Z'] });
    expect(backupsIn(at('many'))).toHaveLength(1);
    const elsewhere = at('elsewhere');
    const { code, out, err } = await command('restore', '--from', at('many'), '--data', elsewhere);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('every invariant holds');
    expect(readFileSync(join(elsewhere, 'secret'), 'utf8')).toBe(SECRET);
    db = await openDatabase({ dataDir: join(elsewhere, 'db'), log: silent });
    const { worlds } = await loadState(db, silent);
    expect(wallet(worlds.real, f.anna)).toMatchObject({ balanceMinor: 100_000, exposureMinor: 500 });
    expect(await db.query('SELECT id FROM bets')).toEqual([{ id: bet.betId }]);
    await db.close();

    expect((await command('backup', '--data', data)).code).toBe(2);
    await expect(restoreBackup({ from: data, dataDir: at('none'), env: {} })).rejects.toThrow(
      /is no backup: it has no backup.json/,
    );
    await expect(backUp({ out: at('none'), dataDir: at('nobody'), env: {} })).rejects.toThrow(/no database in/);
    expect(readdirSync(at('none'))).toEqual([]);
  });

  it('is not brought back from a backup that is damaged, and what was there stays', async () => {
    const backup = join(at('many'), backupsIn(at('many'))[0]!);
    const home = at('elsewhere');
    const untouched = readdirSync(home).sort();
    const attempt = () => restoreBackup({ from: backup, dataDir: home, replace: true, env: {} });
    const control = join(backup, 'pg', 'global', 'pg_control');
    const whole = readFileSync(control);
    const damaged = Buffer.from(whole);
    damaged[100]! ^= 1;
    writeFileSync(control, damaged);
    await expect(attempt()).rejects.toThrow(/is damaged: pg\/global\/pg_control is not what it was/);
    rmSync(control);
    await expect(attempt()).rejects.toThrow(/is not whole: pg\/global\/pg_control is missing/);
    writeFileSync(control, whole);
    const manifest = manifestOf(backup);
    writeFileSync(
      join(backup, MANIFEST),
      JSON.stringify({ ...manifest, state: { ...manifest.state, hash: 'another' } }),
    );
    await expect(attempt()).rejects.toThrow(/what came back is not what was saved/);
    expect(readdirSync(home).sort()).toEqual(untouched);
    // And what is there can still be opened.
    await (await openDatabase({ dataDir: join(home, 'db'), log: silent })).close();
  });
});

describe.skipIf(findPostgres() === null)('a PostgreSQL', () => {
  let own: PrivatePostgres;
  let archive = '';
  beforeAll(async () => {
    archive = privateFolder();
    own = (await startPostgres({ archive_mode: 'on', archive_command: `cp %p ${archive}/%f` }))!;
  });
  afterAll(async () => {
    await own?.stop();
    rmSync(archive, { recursive: true, force: true });
  });

  it('[FLT-21] comes back to any moment from a base backup and the archived log, and no command after it does', async () => {
    const f = await makeCore({}, own.url);
    await f.bet(f.anna, 'BACK', 300, 100);
    const recover = own.baseBackup();
    await f.bet(f.anna, 'BACK', 300, 200);
    const wanted = await stateOf(f.db);
    await f.db.query("SELECT pg_create_restore_point('before the mistake')");
    await f.bet(f.ben, 'BACK', 300, 300);
    const [{ file } = { file: '' }] = await f.db.query<{ file: string }>(
      'SELECT pg_walfile_name(pg_switch_wal()) AS file',
    );
    const archived = 'SELECT last_archived_wal >= $1 AS is FROM pg_stat_archiver';
    await expect.poll(() => f.db.query(archived, [file]), { timeout: 30_000 }).toEqual([{ is: true }]);
    await f.close();

    const recovered = await recover({
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_name: 'before the mistake',
      recovery_target_action: 'promote',
    });
    const url = new URL(recovered.url);
    url.pathname = new URL(f.test.url!).pathname;
    const db = await openDatabase({ url: url.href, dataDir: '', log: silent });
    const promoted = 'SELECT pg_is_in_recovery() AS is';
    await expect.poll(() => db.query(promoted), { timeout: 30_000 }).toEqual([{ is: false }]);
    const { out } = await command('restore', '--recovered', 'before the mistake', '--url', url.href);
    expect(out).toContain(`recovered to before the mistake: command ${wanted.seq}, every invariant holds`);
    expect(await stateOf(db)).toEqual(wanted);
    expect(await db.query('SELECT account_id AS who, matched FROM bets ORDER BY id')).toEqual([
      { who: f.anna, matched: 100 },
      { who: f.anna, matched: 200 },
    ]);
    await db.close();
    await recovered.stop();
  });

  it('[FLT-21] is saved while bets go on, and comes back to the command; never over another database', async () => {
    const f = await makeCore({}, own.url);
    // What a busy machine refuses is no part of this.
    let taken = 0;
    for (let n = 0; n < 20; n++) if ((await refusedWith(f.bet(f.anna, 'BACK', 300, 100))) === 'taken') taken++;
    expect(taken).toBeGreaterThan(0);
    const first = f.core.health().seq;
    let going = true;
    const betting = (async () => {
      while (going) await refusedWith(f.bet(f.ben, 'LAY', 250, 100));
    })();
    const saving = backUp({ out: at('pg'), url: f.test.url, dataDir: '', env: {} });
    const { folder: backup, manifest } = await saving.finally(() => {
      going = false;
    });
    await betting;
    expect(manifest.state.seq).toBeGreaterThanOrEqual(first);
    expect(f.core.health().seq).toBeGreaterThan(manifest.state.seq);
    expect(await f.db.query('SELECT seq FROM backups')).toEqual([{ seq: manifest.state.seq }]);
    await expect(restoreBackup({ from: backup, url: f.test.url, dataDir: '', env: {} })).rejects.toThrow(
      /this database is not empty/,
    );
    await f.close();

    const fresh = await freshDatabase(own.url);
    await restoreBackup({ from: backup, url: fresh.url, dataDir: '', env: {} });
    const db = await openDatabase({ url: fresh.url, dataDir: '', log: silent });
    expect(await stateOf(db)).toEqual(manifest.state);
    expect(await db.query('SELECT count(*) AS n FROM bets WHERE account_id = $1', [f.anna])).toEqual([{ n: taken }]);
    await db.close();
    await fresh.drop();
  });
});
