/**
 * From the tables back to the state in memory: the newest good snapshot and the log behind it. Everything is checked on
 * the way; what does not fit stops the start with a plain message instead of going on with wrong money.
 */
import { gunzipSync, gzip } from 'node:zlib';
import type { Event, State } from '@fairgame/exchange';
import { apply, createState, hashState, restore, snapshot, wallet } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import { checksum, type Logged, unpackBatch } from './log.ts';
import type { AccountRow, Books } from './rows.ts';
import type { World } from './types.ts';

export type Worlds = Record<World, State>;
export const WORLDS: readonly World[] = ['real', 'demo'];

export interface Loaded {
  worlds: Worlds;
  seq: number;
  at: number;
  lastBetId: number;
  /** Where the replay began. */
  fromSeq: number;
}

interface SnapshotBody {
  seq: number;
  at: number;
  lastBetId: number;
  real: unknown;
  demo: unknown;
}

const PAGE = 200;

export function emptyWorlds(): Worlds {
  return { real: createState(), demo: createState() };
}

/** An independent copy. */
export function copyWorlds(worlds: Worlds): Worlds {
  return { real: restore(snapshot(worlds.real)), demo: restore(snapshot(worlds.demo)) };
}

export function hashWorlds(worlds: Worlds): string {
  return `${hashState(worlds.real)}.${hashState(worlds.demo)}`;
}

/** The body of a snapshot: taken at once, packed in the background. */
export function packSnapshot(loaded: Omit<Loaded, 'fromSeq'>): Promise<{ body: Buffer; checksum: string }> {
  const body: SnapshotBody = {
    seq: loaded.seq,
    at: loaded.at,
    lastBetId: loaded.lastBetId,
    real: snapshot(loaded.worlds.real),
    demo: snapshot(loaded.worlds.demo),
  };
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    gzip(text, { level: 1 }, (error, packed) => {
      if (error) reject(error);
      else resolve({ body: packed, checksum: checksum(packed) });
    });
  });
}

/**
 * State as of the end of the log (`upTo`: of that command). A damaged snapshot is passed over for the one before it; a
 * damaged or missing log row throws. `onBatch` sees each replayed batch after it was applied.
 */
export async function loadState(
  db: Pick<Db, 'query'>,
  log: Log,
  options: { before?: number; onBatch?: (seq: number, worlds: Worlds, events: Event[][]) => void } = {},
): Promise<Loaded> {
  const loaded = await loadSnapshot(db, log, options.before ?? Number.MAX_SAFE_INTEGER);
  for (;;) {
    const rows = await db.query<{ first_seq: number; last_seq: number; body: string; checksum: string }>(
      `SELECT first_seq, last_seq, body, checksum FROM core_log WHERE first_seq > $1 ORDER BY first_seq LIMIT ${PAGE}`,
      [loaded.seq],
    );
    for (const row of rows) {
      if (row.first_seq !== loaded.seq + 1) throw new Error(`the log lacks the commands behind ${loaded.seq}`);
      const events: Event[][] = [];
      for (const item of unpackBatch(row)) {
        for (const one of applyLogged(loaded.worlds, item)) events.push(one);
        loaded.lastBetId = Math.max(loaded.lastBetId, betIdOf(item));
        loaded.at = item.at;
      }
      loaded.seq = row.last_seq;
      options.onBatch?.(loaded.seq, loaded.worlds, events);
    }
    if (rows.length < PAGE) return loaded;
  }
}

/** Applies one logged command in its worlds; the events of each. */
export function applyLogged(worlds: Worlds, item: Logged): Event[][] {
  return item.applied.map(({ world, command }) => apply(worlds[world], command, item.at));
}

/** The books from their rows, compared with the replayed state (INV-02 and the agreement of log and rows). */
export async function loadBooks(db: Pick<Db, 'query'>, worlds: Worlds): Promise<Books> {
  const accounts = new Map<string, AccountRow>();
  const rows = await db.query<AccountRow>(
    `SELECT world, id, kind, currency, balance, exposure, version, bet_blocked AS "betBlocked",
            exposure_limit AS "exposureLimit", entries, seq FROM accounts`,
  );
  for (const row of rows) {
    accounts.set(`${row.world}${row.id}`, row);
    const held = wallet(worlds[row.world], row.id);
    if (!held || held.balanceMinor !== row.balance || (row.kind === 'player' && held.exposureMinor !== row.exposure)) {
      throw new Error(
        `account ${row.id} (${row.world}): the table says ${row.balance}/${row.exposure}, ` +
          `the log ${held?.balanceMinor}/${held?.exposureMinor}`,
      );
    }
  }
  const [last] = await db.query<{ id: number | null }>('SELECT max(id) AS id FROM ledger');
  return { accounts, ledgerId: last?.id ?? 0 };
}

async function loadSnapshot(db: Pick<Db, 'query'>, log: Log, before: number): Promise<Loaded> {
  const seqs = await db.query<{ seq: number }>('SELECT seq FROM core_snapshots WHERE seq < $1 ORDER BY seq DESC', [
    before,
  ]);
  for (const { seq } of seqs) {
    const [row] = await db.query<{ body: Uint8Array; checksum: string }>(
      'SELECT body, checksum FROM core_snapshots WHERE seq = $1',
      [seq],
    );
    try {
      if (!row || checksum(row.body) !== row.checksum) throw new Error('the checksum does not fit');
      const body = JSON.parse(gunzipSync(row.body).toString('utf8')) as SnapshotBody;
      return {
        worlds: { real: restore(body.real as never), demo: restore(body.demo as never) },
        seq: body.seq,
        at: body.at,
        lastBetId: body.lastBetId,
        fromSeq: body.seq,
      };
    } catch (error) {
      log.error({ err: error, seq }, 'a snapshot is damaged; the one before it is used');
    }
  }
  return { worlds: emptyWorlds(), seq: 0, at: 0, lastBetId: 0, fromSeq: 0 };
}

function betIdOf(item: Logged): number {
  const command = item.applied[0]?.command;
  if (command?.type === 'order.place' || command?.type === 'quote.take') return command.betId;
  return command?.type === 'order.replace' ? command.newBetId : 0;
}
