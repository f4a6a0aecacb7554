/** The folder of the embedded database: one process at a time, never initialised over what may hold bets. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openCore } from '../src/core/core.ts';
import { Fenced, silent } from '../src/db/db.ts';
import { makeEmbedded } from './fixture.ts';

const removing: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const remove of removing.splice(0)) await remove();
});

async function made() {
  const folder = await makeEmbedded();
  removing.push(folder.remove);
  return { ...folder, lock: join(folder.dir, 'lock'), pg: join(folder.dir, 'pg') };
}
const lockOf = (host: string, pid = 4711) => JSON.stringify({ pid, started: '1', host, since: '2026-01-10T12:00:00Z' });

describe('files that are not whole', () => {
  it.each([
    ['PG_VERSION', /damaged: PG_VERSION missing/],
    ['global/pg_control', /damaged: global\/pg_control missing/],
    ['pg_wal', /damaged: pg_wal missing/],
  ])('are never initialised over: %s missing', async (part, said) => {
    const { dir, pg, open } = await made();
    rmSync(join(pg, part), { recursive: true });
    const before = readdirSync(join(pg, 'base')).sort();
    await expect(open()).rejects.toThrow(said);
    await expect(open()).rejects.toThrow(/Nothing was changed. Restore a backup/);
    expect(readdirSync(join(pg, 'base')).sort()).toEqual(before);
    expect(readFileSync(join(dir, 'lock'), 'utf8')).toBe('free');
  });

  it('nor when the whole folder is gone', async () => {
    const { pg, open } = await made();
    rmSync(pg, { recursive: true });
    await expect(open()).rejects.toThrow(/is gone: its folder is missing or empty/);
    mkdirSync(pg);
    await expect(open()).rejects.toThrow(/is gone: its folder is missing or empty/);
  });

  it('are told of in words for an operator, not for a builder of engines', async () => {
    const { pg, open } = await made();
    truncateSync(join(pg, 'global', 'pg_control'), 0);
    const error = await open().catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(/cannot be opened: its files are damaged, or the disk is full/);
    expect((error as Error).message).not.toMatch(/ASSERTIONS|Aborted|unreachable/);
  });

  it('of a first start that was killed on the way do not count', async () => {
    const { dir, pg, open } = await made();
    renameSync(pg, join(dir, 'pg.new'));
    rmSync(join(dir, 'made'));
    rmSync(join(dir, 'pg.new', 'PG_VERSION'));
    const db = await open();
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await db.close();
  });
});

describe('a second process', () => {
  it('is refused although the lock file was deleted under the first', async () => {
    const { lock, open } = await made();
    const db = await open();
    rmSync(lock);
    await expect(open()).rejects.toThrow(`is in use by process ${process.pid}`);
    await db.close();
    expect(readFileSync(lock, 'utf8')).toBe('free');
  });

  it('of another host that touches its lock is alive; a lock nobody touched for long was left behind', async () => {
    const { lock, open } = await made();
    writeFileSync(lock, lockOf('another-container'));
    const touching = setInterval(() => utimesSync(lock, new Date(), new Date()), 200);
    await expect(open()).rejects.toThrow('is in use by process 4711 of host another-container since 2026-01-10');
    clearInterval(touching);
    utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    await (await open()).close();
  });

  it('that took the folder ends the first one before it writes again', async () => {
    const { lock, open } = await made();
    const db = await open();
    let lost = '';
    await db.lead({
      owner: 'first',
      lost: (why) => {
        lost = why;
      },
    });
    writeFileSync(lock, lockOf('thief'));
    await expect.poll(() => lost, { timeout: 5000 }).toMatch(/was taken by process 4711 of host thief/);
    expect(db.healthy()).toBe(false);
    await expect(db.write('SELECT 1')).rejects.toBeInstanceOf(Fenced);
    await db.close();
    expect(readFileSync(lock, 'utf8')).toBe(lockOf('thief'));
  });
});

it('its write-ahead log stays short, whatever is written', async () => {
  const { pg, open } = await made();
  const db = await open();
  const place = join(pg, 'pg_wal');
  const files = () => readdirSync(place).filter((name) => /^[0-9A-F]{24}$/.test(name)).length;
  const time = { now: Date.UTC(2026, 0, 10, 12) };
  const core = await openCore({ db, log: silent, clock: () => time.now, onFenced: () => {} });
  // Each begins another file of 16 MiB.
  for (let i = 0; i < 3; i++) await db.exec('CREATE TABLE scratch (); DROP TABLE scratch; SELECT pg_switch_wal()');
  expect(files()).toBeGreaterThan(3);
  time.now += 10_000;
  await core.submit({ world: 'real', actor: 'test', command: { type: 'clock' } });
  await vi.waitFor(() => expect(files()).toBeLessThanOrEqual(2), { timeout: 30_000 });
  await core.stop();
  await db.close();
});
