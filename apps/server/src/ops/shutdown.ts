import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';

interface Ending {
  config: Pick<Config, 'drainWaitMs' | 'hardStopMs'>;
  http: Pick<Http, 'leave' | 'drain'>;
  /** Tells the sockets to come back after at least so many milliseconds, and lets no new ones in. */
  sendAway: (afterMs: number) => void;
  close: () => Promise<void>;
}

/** A call that has not got its answer by then is cut off with the rest. */
const ANSWER_MS = 5000;

/**
 * An orderly end (trust 6.4): readiness says no and the sockets are told to move, while everything is still served and the
 * balancer gets its time; then calls are refused, those under way get their answers, and everything is closed from the
 * outside in.
 */
export async function endInOrder({ config, http, sendAway, close }: Ending): Promise<void> {
  http.leave();
  sendAway(config.drainWaitMs);
  await sleep(config.drainWaitMs);
  await http.drain(ANSWER_MS);
  await close();
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * A process that only starts, or stands by, has nothing to end in order: it goes at once. It has to ask for the signal all the same,
 * since the first process of a container is not ended by one that it does not ask for. Ends the asking.
 */
export function endBeforeStart(): () => void {
  const end = (): never => process.exit(0);
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

/** Ends in order on SIGTERM or SIGINT; a hard stop in case a step hangs. A second signal ends at once. */
export function endOnSignals(opts: Ending & { log: Log }): void {
  const { config, log } = opts;
  let ending = false;
  const end = async (signal: string): Promise<void> => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, 'shutting down');
    const hard = setTimeout(() => {
      log.error({ afterMs: config.hardStopMs }, 'hard stop');
      process.exit(1);
    }, config.hardStopMs);
    hard.unref();
    try {
      await endInOrder(opts);
      log.info({}, 'stopped');
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, () => void end(signal));
}
