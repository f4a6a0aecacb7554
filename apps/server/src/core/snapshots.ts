/**
 * Snapshots of the state in the database: in packed pieces of bounded size, in a ring of three tables of which two hold whole
 * ones. A snapshot counts once its row is there, and only with all its pieces; a damaged one is passed over for the one
 * before it.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Restoring, restore, restoring, snapshotParts } from '@fairgame/exchange';
import type { Log, Query } from '../db/db.ts';
import { checksum } from './log.ts';
import type { CommittedState } from './state.ts';
import { openWorlds, type World, type Worlds } from './worlds.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Text of so many characters is packed into one row. */
const PIECE = 2_000_000;
/** Rows read at a time. */
const PAGE = 4;
const SLOTS = [0, 1, 2];

interface SnapshotRow {
  seq: number;
  slot: number | null;
  parts: number;
  logic: number;
  checksum: string;
}

/**
 * The state as lines of JSON, some thousand rows each. Take it between commands, to the end: nothing may be applied before
 * the last line is out.
 */
function* lines({ seq, at, lastBetId, worlds }: CommittedState): Generator<string> {
  yield JSON.stringify({ seq, at, lastBetId });
  for (const world of openWorlds(worlds)) {
    for (const part of snapshotParts(worlds[world])) yield JSON.stringify([world, part]);
  }
}

/** Lines together to pieces. */
export function* piecesOf(taken: CommittedState): Generator<string> {
  let piece = '';
  for (const line of lines(taken)) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/**
 * Writes a snapshot, piece by piece; `owner` must lead. Throws when it does not any more, or the database refuses.
 * `now` is noted as its time.
 */
export async function writeSnapshot(
  q: Query,
  who: { owner: string; logic: number; now: number },
  seq: number,
  pieces: Iterable<string>,
): Promise<void> {
  const slot = await freeSlot(q, who.owner);
  const sums: string[] = [];
  for (const piece of pieces) {
    const body = await pack(piece, { level: 1 });
    const sum = checksum(body);
    const written = await q(
      `INSERT INTO core_snapshot_parts (slot, n, body, checksum)
         SELECT $1, $2, $3, $4 FROM leader WHERE owner = $5 RETURNING n`,
      [slot, sums.length, body, sum, who.owner],
    );
    if (written.length === 0) throw new Error('another process leads');
    sums.push(sum);
  }
  await q(
    `INSERT INTO core_snapshots (seq, at, logic, slot, parts, checksum) SELECT $1, $2, $3, $4, $5, $6 FROM leader
       WHERE owner = $7`,
    [seq, who.now, who.logic, slot, sums.length, checksum(sums.join()), who.owner],
  );
}

/** The slot of neither of the two newest, emptied. What an interrupted one left behind goes with it. */
async function freeSlot(q: Query, owner: string): Promise<number> {
  const newest = await snapshotRows(q);
  const slot = SLOTS.find((one) => !newest.slice(0, 2).some((row) => row.slot === one))!;
  // One statement, so that nobody else can come to lead between the question and the act. A reader is waited for a little.
  await q(`DO $$ BEGIN
    PERFORM set_config('lock_timeout', '2s', true);
    IF NOT EXISTS (SELECT 1 FROM leader WHERE owner = '${owner}' FOR SHARE) THEN
      RAISE EXCEPTION 'another process leads';
    END IF;
    DELETE FROM core_snapshots WHERE slot = ${slot};
    TRUNCATE core_snapshot_parts_${slot};
  END $$`);
  return slot;
}

/** The newest first. */
function snapshotRows(q: Query, before = Number.MAX_SAFE_INTEGER): Promise<SnapshotRow[]> {
  return q<SnapshotRow>(
    'SELECT seq, slot, parts, logic, checksum FROM core_snapshots WHERE seq < $1 ORDER BY seq DESC',
    [before],
  );
}

/** The newest good snapshot older than command `before`, with the version of its rules; null when there is none. */
export async function readSnapshot(
  q: Query,
  log: Log,
  before?: number,
): Promise<{ taken: CommittedState; logic: number } | null> {
  for (const row of await snapshotRows(q, before)) {
    try {
      return { taken: row.slot === null ? await readWhole(q, row) : await readPieces(q, row), logic: row.logic };
    } catch (error) {
      log.error({ err: error, seq: row.seq }, 'a snapshot is damaged; the one before it is used');
    }
  }
  return null;
}

async function readPieces(q: Query, { slot, parts, checksum: sum }: SnapshotRow): Promise<CommittedState> {
  let head: Omit<CommittedState, 'worlds'> | null = null;
  const states = new Map<World, Restoring>();
  const sums: string[] = [];
  while (sums.length < parts) {
    const rows = await q<{ n: number; body: Uint8Array; checksum: string }>(
      `SELECT n, body, checksum FROM core_snapshot_parts WHERE slot = $1 AND n >= $2 ORDER BY n LIMIT ${PAGE}`,
      [slot, sums.length],
    );
    if (rows.length === 0) throw new Error('a piece is missing');
    for (const row of rows) {
      if (checksum(row.body) !== row.checksum) throw new Error('the checksum does not fit');
      sums.push(row.checksum);
      for (const line of (await unpack(row.body)).toString('utf8').split('\n')) {
        if (line === '') continue;
        if (head === null) {
          head = JSON.parse(line) as Omit<CommittedState, 'worlds'>;
          continue;
        }
        const [world, part] = JSON.parse(line) as [World, unknown];
        if (!states.has(world)) states.set(world, restoring());
        states.get(world)!.add(part);
      }
    }
  }
  if (checksum(sums.join()) !== sum || head === null) throw new Error('the checksum does not fit');
  return { ...head, worlds: Object.fromEntries([...states].map(([world, state]) => [world, state.done()])) as Worlds };
}

/** A snapshot as it was before there were pieces. */
async function readWhole(q: Query, { seq, checksum: sum }: SnapshotRow): Promise<CommittedState> {
  const [row] = await q<{ body: Uint8Array }>('SELECT body FROM core_snapshots WHERE seq = $1', [seq]);
  if (!row || checksum(row.body) !== sum) throw new Error('the checksum does not fit');
  const { real, demo, ...head } = JSON.parse((await unpack(row.body)).toString('utf8')) as {
    seq: number;
    at: number;
    lastBetId: number;
    real: unknown;
    demo: unknown;
  };
  return { ...head, worlds: { real: restore(real), demo: restore(demo) } as Worlds };
}
