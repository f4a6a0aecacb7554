/** Work that one process of the site does and no other: begun where the lease is, and elsewhere when that process is gone. */
import type { Log } from '../db/db.ts';
import { type Lease, takeLease } from './lease.ts';
import type { Bus } from './types.ts';

/** Between two tries of what could not begin. */
const AGAIN_MS = 5000;

export interface AloneOptions<T> {
  bus: Bus;
  /** What is done: `feed`, `desk`, `table.teen`. */
  name: string;
  /** Names this process. */
  owner: string;
  log: Log;
  begin: () => Promise<T>;
}

export interface Alone<T> {
  /** What `begin` gave, while this process does it. */
  now(): T | null;
  /** Whether it is this process that may do it, at this moment: asked before what another asks for, since it may have stood still. */
  holds(): boolean;
  /** On a bus without others it has begun when this resolves, and throws what `begin` throws; else it begins with the lease. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function doAlone<T extends { stop(): Promise<void> }>(options: AloneOptions<T>): Alone<T> {
  const { bus, name, owner, log, begin } = options;
  let wanted = false;
  let current: T | null = null;
  let lease: Lease | undefined;
  let again: NodeJS.Timeout | undefined;
  /** Begin and end follow one another, whatever comes between. */
  let turn: Promise<void> = Promise.resolve();

  async function settle(): Promise<void> {
    if (wanted && !current) {
      current = await begin();
      log.info({ work: name }, 'this process does it');
    } else if (!wanted && current) {
      const ended = current;
      current = null;
      await ended.stop();
    }
  }
  function become(now: boolean): void {
    wanted = now;
    clearTimeout(again);
    turn = turn.then(settle).catch((error: unknown) => {
      log.error({ err: error, work: name }, 'could not begin or end');
      again = setTimeout(() => become(wanted), AGAIN_MS).unref();
    });
  }

  return {
    now: () => current,
    holds: () => (bus.alone ? current !== null : (lease?.held() ?? false)),
    async start() {
      if (bus.alone) {
        current = await begin();
        return;
      }
      lease = takeLease(bus, { name, owner, gained: () => become(true), lost: () => become(false) });
    },
    async stop() {
      // What is under way ends before another process may begin.
      become(false);
      await turn;
      clearTimeout(again);
      await lease?.release();
      await turn;
    },
  };
}
