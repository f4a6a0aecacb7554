/**
 * Moves old months of the log out of the database: each into a file that was read back before the month goes. What the file
 * ended with stays in the database (`moved_out`), so the chain over the log goes on unbroken from file to file to what is left.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import {
  carriedChain,
  chainAfter,
  dropLogMonth,
  type LogRow,
  type Month,
  monthStart,
  monthsMade,
  unpackRow,
} from '../../apps/server/src/core/core.ts';
import type { Db } from '../../apps/server/src/db/db.ts';
import { toDisk } from '../backup/manifest.ts';

/** What a file holds: lines of JSON, this one first. */
interface Head {
  format: 1;
  table: string;
  /** End of the chain before it; empty at the very beginning. */
  before: string;
}

type Row = LogRow & { epoch: number; at: number; chain: string };

export interface LogFile {
  file: string;
  rows: number;
  lastSeq: number;
  before: string;
  chain: string;
  sha256: string;
}

const ENDING = '.ndjson.gz';
const PAGE = 200;

/**
 * Moves every month that ended `keep` whole months before the one of `now`, the oldest first. Throws a sentence, with
 * what was moved until then in its files, where a month is still needed.
 */
export async function moveOut(db: Db, options: { out: string; keep: number; now: number }): Promise<LogFile[]> {
  const { out, keep, now } = options;
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const moved: LogFile[] = [];
  for (const month of (await monthsMade(db)).get('core_log')!) {
    if (month.to > monthStart(now, -keep)) break;
    await refuseNeeded(db, month);
    const file = join(out, `${month.table}${ENDING}`);
    // Of a try that ended between the file and the database.
    if (!existsSync(file)) await write(db, month, file);
    const whole = await readFile(file);
    await dropLogMonth(db, month, { ...whole, movedAt: now });
    moved.push(whole);
  }
  return moved;
}

/** Reads every file of a folder and holds it to the one before and to what the database noted. Throws at the first fault. */
export async function check(db: Pick<Db, 'query'>, folder: string): Promise<LogFile[]> {
  const noted = await db.query<{ file: string; sha256: string }>(
    "SELECT file, sha256 FROM moved_out WHERE table_name = 'core_log' ORDER BY to_at",
  );
  const files: LogFile[] = [];
  for (const { file, sha256 } of noted) {
    const one = await readFile(join(folder, file));
    if (one.sha256 !== sha256) throw new Error(`${file} is not the file that was written when its month was moved`);
    const before = files.at(-1)?.chain ?? '';
    if (one.before !== before) throw new Error(`${file} does not go on from the one before it`);
    files.push(one);
  }
  const unknown = readdirSync(folder).filter(
    (name) => name.endsWith(ENDING) && !noted.some((row) => row.file === name),
  );
  if (unknown.length > 0) throw new Error(`the database knows nothing of ${unknown.join(', ')}`);
  return files;
}

/** The next start reads what lies behind the older snapshot; a bet that is open may still be asked about. */
async function refuseNeeded(db: Pick<Db, 'query'>, { table, from, to }: Month): Promise<void> {
  const [late] = await db.query<{ late: boolean }>(
    `SELECT COALESCE((SELECT max(last_seq) FROM ${table}), 0) >
       COALESCE((SELECT min(seq) FROM (SELECT seq FROM core_snapshots ORDER BY seq DESC LIMIT 2) s), 0) AS late`,
  );
  if (late!.late)
    throw new Error(`${table} holds commands that the next start needs: no two snapshots are behind it yet`);
  const [open] = await db.query<{ id: number }>(
    "SELECT id FROM bets WHERE result = 'PENDING' AND placed_at >= $1 AND placed_at < $2 LIMIT 1",
    [Math.max(0, from), to],
  );
  if (open) throw new Error(`${table} stays: bet ${open.id} of that month is still open`);
}

async function write(db: Db, { table }: Month, file: string): Promise<void> {
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  await pipeline(
    Readable.from(lines(db, table)),
    createGzip(),
    createWriteStream(partial, { flags: 'wx', mode: 0o600 }),
  );
  toDisk(partial);
  renameSync(partial, file);
  toDisk(join(file, '..'));
}

async function* lines(db: Db, table: string): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: 1, table, before: (await carriedChain(db.query)) ?? '' } satisfies Head)}\n`;
  for (let after = -1; ; ) {
    const rows = await db.query<Row>(
      `SELECT first_seq, last_seq, epoch, at, logic, body, checksum, chain FROM ${table} WHERE first_seq > $1
         ORDER BY first_seq LIMIT ${PAGE}`,
      [after],
    );
    for (const row of rows) {
      yield `${JSON.stringify(row)}\n`;
      after = row.first_seq;
    }
    if (rows.length < PAGE) return;
  }
}

/** Throws a sentence when a line is missing, changed or out of place. */
async function readFile(file: string): Promise<LogFile> {
  const hash = createHash('sha256');
  const source = createReadStream(file);
  source.on('data', (chunk) => hash.update(chunk));
  const unpacked = createGunzip();
  const packed = pipeline(source, unpacked);
  let head: Head | null = null;
  const found = { rows: 0, lastSeq: 0, chain: '' };
  try {
    for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })) {
      const value = JSON.parse(line) as Head | Row;
      if ('before' in value) {
        head = value;
        found.chain = value.before;
        continue;
      }
      unpackRow(value);
      if (value.chain !== chainAfter(found.chain, value)) throw new Error(`row ${value.first_seq} does not follow`);
      found.chain = value.chain;
      found.rows++;
      found.lastSeq = value.last_seq;
    }
    await packed;
  } catch (error) {
    // Of what was not read yet an error would be told to nobody, which ends the process.
    unpacked.destroy();
    await packed.catch(() => undefined);
    throw new Error(`${file} is damaged: ${(error as Error).message}`);
  }
  if (head?.format !== 1) throw new Error(`${file} is no month of the log, or was written by a newer program`);
  return { file, before: head.before, ...found, sha256: hash.digest('hex') };
}
