/**
 * The thread that takes snapshots of a large state, so that the writer never stops for one. It follows the log in the
 * database with a state of its own, as a second server would, and writes that; the writer's states are not touched. Its
 * statements go through the main thread, which has the connections.
 */
import { parentPort } from 'node:worker_threads';
import { LOGIC_VERSION } from '@fairgame/exchange';
import type { Query } from '../db/db.ts';
import { silent } from '../db/types.ts';
import { follow, loadState, readWorlds } from './recovery.ts';
import { piecesOf, writeSnapshot } from './snapshots.ts';
import type { CommittedState } from './state.ts';

export type ToThread =
  | { take: { owner: string; now: number } }
  | { id: number; rows: unknown[] }
  | { id: number; error: string };
export type FromThread = { id: number; sql: string; params: unknown[] } | { taken: number } | { failed: string };

const port = parentPort!;
const waiting = new Map<number, { resolve: (rows: never[]) => void; reject: (error: Error) => void }>();
let asked = 0;
let state: CommittedState | null = null;

const query: Query = (sql, params = []) =>
  new Promise((resolve, reject) => {
    const id = ++asked;
    waiting.set(id, { resolve, reject });
    tell({ id, sql, params });
  });

function tell(message: FromThread): void {
  port.postMessage(message);
}

port.on('message', (message: ToThread) => {
  if ('take' in message) {
    take(message.take).then(
      (seq) => tell({ taken: seq }),
      (error: unknown) => {
        // Half a step may have been done: from the tables again next time.
        state = null;
        tell({ failed: error instanceof Error ? error.message : String(error) });
      },
    );
    return;
  }
  const one = waiting.get(message.id);
  waiting.delete(message.id);
  if ('rows' in message) one?.resolve(message.rows as never[]);
  else one?.reject(new Error(message.error));
});

async function take({ owner, now }: { owner: string; now: number }): Promise<number> {
  if (state === null) state = await loadState({ query }, silent);
  else {
    const [leader] = await query<{ last_seq: number }>('SELECT last_seq FROM leader');
    await follow(query, state, leader!.last_seq, { currencies: await readWorlds(query) });
  }
  await writeSnapshot(query, { owner, logic: LOGIC_VERSION, now }, state.seq, piecesOf(state));
  return state.seq;
}
