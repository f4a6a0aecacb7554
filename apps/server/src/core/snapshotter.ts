/** Who takes a snapshot: this thread where the state is small, or nobody waits any more; else a thread of its own. */
import type { Worker } from 'node:worker_threads';
import { LOGIC_VERSION } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import { startThread } from '../thread.ts';
import type { FromThread, ToThread } from './snapshot-thread.ts';
import { piecesOf, writeSnapshot } from './snapshots.ts';
import type { Writer } from './writer.ts';

/** Rows that are read out of the state in some twenty milliseconds. */
export const SMALL_ROWS = 20_000;

export interface Snapshotter {
  /** Answers the last command in the snapshot. One at a time; `rows` is the size of the state. */
  take(now: number, rows: number): Promise<number>;
  /** A last one, of the state as it is now; nothing may be applied any more. */
  takeLast(now: number): Promise<number>;
  stop(): Promise<void>;
}

export function createSnapshotter(options: {
  db: Pick<Db, 'query'>;
  writer: Pick<Writer, 'state'>;
  owner: string;
  smallRows?: number;
}): Snapshotter {
  const { db, writer, owner, smallRows = SMALL_ROWS } = options;
  let thread: Worker | null = null;

  const pieces = () => piecesOf(writer.state);

  async function write(now: number, seq: number, of: Iterable<string>): Promise<number> {
    await writeSnapshot(db.query, { owner, logic: LOGIC_VERSION, now }, seq, of);
    return seq;
  }

  async function inThread(now: number): Promise<number> {
    thread ??= startThread('snapshot-thread', import.meta.url);
    const worker = thread;
    worker.unref();
    const tell = (message: ToThread) => worker.postMessage(message);
    const answer = await new Promise<number>((resolve, reject) => {
      worker.removeAllListeners();
      worker.on('message', (message: FromThread) => {
        if ('taken' in message) resolve(message.taken);
        else if ('failed' in message) reject(new Error(message.failed));
        else
          db.query(message.sql, message.params.map(asBuffer)).then(
            (rows) => tell({ id: message.id, rows }),
            (error: unknown) => tell({ id: message.id, error: String((error as Error).message) }),
          );
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of the snapshots ended with ${code}`)));
      tell({ take: { owner, now } });
    }).catch(async (error: unknown) => {
      // Its memory may be what was at fault: the next one begins anew.
      thread = null;
      await worker.terminate();
      throw error;
    });
    return answer;
  }

  return {
    take: (now, rows) => (rows > smallRows ? inThread(now) : write(now, writer.state.seq, [...pieces()])),
    takeLast: (now) => write(now, writer.state.seq, pieces()),
    async stop() {
      await thread?.terminate();
      thread = null;
    },
  };
}

/** Bytes come from the other thread as plain arrays; the database's client wants its own kind. */
function asBuffer(param: unknown): unknown {
  return param instanceof Uint8Array ? Buffer.from(param.buffer, param.byteOffset, param.byteLength) : param;
}
