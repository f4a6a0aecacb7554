/** Months of the log that are moved into files: nothing is lost on the way, and the chain goes on from file to database. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { check, moveOut } from '../../../scripts/archive/archive.ts';
import { monthStart, monthsMade } from '../src/core/months.ts';
import { verify } from '../src/ledger/ledger.ts';
import { betOf, type Fixture, makeCore } from './fixture.ts';

/** Months pass: seconds on a free machine. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
let f: Fixture;
let out: string;
beforeEach(async () => {
  out = mkdtempSync(join(tmpdir(), 'fairgame-archive-'));
  f = await makeCore({ snapshotCommands: 1 });
});
afterEach(async () => {
  await f.close();
  rmSync(out, { recursive: true, force: true });
});

const broken = async () => (await verify(f.db)).checks.filter(({ breaks }) => breaks > 0).map(({ id }) => id);
const moved = (keep = 3) => moveOut(f.db, { out, keep, now: f.time.now });
const deposit = () =>
  f.send({ type: 'account.transfer', accountId: f.anna, amountMinor: 5, reason: 'deposit', text: 'Five' });

/** Goes on in a later month, with two snapshots behind what was before it. */
async function nextMonth(months = 1): Promise<void> {
  const [last] = await f.db.query<{ seq: number }>('SELECT last_seq AS seq FROM leader');
  f.time.now = monthStart(f.time.now, months) + 3_600_000;
  for (let older = 0; older < last!.seq; ) {
    await deposit();
    const [row] = await f.db.query<{ seq: number }>(
      'SELECT min(seq) AS seq FROM (SELECT seq FROM core_snapshots ORDER BY seq DESC LIMIT 2) s',
    );
    older = row!.seq ?? 0;
  }
}

it('the log goes month by month, and what is left is verified from where the last file ended', async () => {
  const rowsOf = async () => (await f.db.query<{ n: number }>('SELECT count(*) AS n FROM core_log'))[0]!.n;
  const started = f.time.now;
  const first = (await monthsMade(f.db)).get('core_log')![0]!;
  await deposit();
  const early = await rowsOf();
  f.time.now = first.to;
  await nextMonth();
  await nextMonth(4);
  const all = await rowsOf();
  expect(await moveOut(f.db, { out, keep: 3, now: started })).toEqual([]);

  const files = await moved();
  expect(files.map(({ rows }) => rows)[0]).toBe(early);
  expect(await rowsOf()).toBe(all - files.reduce((sum, { rows }) => sum + rows, 0));
  expect((await monthsMade(f.db)).get('core_log')!.map(({ table }) => table)).not.toContain(first.table);
  expect(await check(f.db, out)).toEqual(files);
  expect(await broken()).toEqual([]);

  // Starts, writes on, moves on.
  await f.restart({ trustClock: true, snapshotCommands: 1 });
  await nextMonth(5);
  expect(await broken()).toEqual([]);
  const more = await moved();
  expect(await check(f.db, out)).toEqual([...files, ...more]);
  expect(more[0]!.before).toBe(files.at(-1)!.chain);
  expect(await broken()).toEqual([]);

  await f.db.query("UPDATE moved_out SET chain = 'changed' WHERE to_at = (SELECT max(to_at) FROM moved_out)");
  expect(await broken()).toEqual(['INV-09']);
});

it('a month stays while a bet of it is open, or a start would need it', async () => {
  const bet = await f.bet(f.anna, 'BACK', 500, 1000);
  f.time.now = (await monthsMade(f.db)).get('core_log')![0]!.to;
  await nextMonth(4);
  await expect(moved()).rejects.toThrow(/bet \d+ of that month is still open/);
  await f.send({ type: 'order.cancel', accountId: f.anna, betId: betOf(bet).betId });
  await f.db.query('DELETE FROM core_snapshots');
  await expect(moved()).rejects.toThrow(/commands that the next start needs/);
});

it('a file that is not whole is not taken for the month; one that was changed later is found', async () => {
  f.time.now = (await monthsMade(f.db)).get('core_log')![0]!.to;
  await nextMonth(2);
  await nextMonth(4);
  const [first, ...others] = await moved();
  expect(others.length).toBeGreaterThan(0);
  const text = gunzipSync(readFileSync(first!.file)).toString();
  const put = (what: string) => writeFileSync(first!.file, gzipSync(what));
  const lines = text.split('\n');
  put(lines.toSpliced(2, 1).join('\n'));
  await expect(check(f.db, out)).rejects.toThrow(/is damaged: row \d+ does not follow/);
  // Damaged further on, too: what is not read any more does not end the process.
  const torn = gzipSync(lines.toSpliced(2, 1).join('\n') + randomBytes(4_000_000).toString('hex'));
  writeFileSync(first!.file, torn.fill(0, torn.length - 1_000_000, torn.length - 500_000));
  await expect(check(f.db, out)).rejects.toThrow(/is damaged: row \d+ does not follow/);
  put(text.replace('deposit', 'Deposit'));
  await expect(check(f.db, out)).rejects.toThrow(/the checksum does not fit/);
  put(`${lines.slice(0, -2).join('\n')}\n`);
  await expect(check(f.db, out)).rejects.toThrow(/is not the file that was written/);
  // Left by a try that ended on the way: another month's rows under this month's name.
  await nextMonth(5);
  const next = (await monthsMade(f.db)).get('core_log')![0]!;
  writeFileSync(join(out, `${next.table}.ndjson.gz`), gzipSync(text));
  await expect(moved()).rejects.toThrow(/has other rows than/);
});
