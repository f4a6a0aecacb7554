import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';

/**
 * An orderly end on SIGTERM or SIGINT (trust 6.4): readiness says no, the balancer gets time, then everything is closed
 * from the outside in; a hard stop in case a step hangs. A second signal ends at once.
 */
export function endOnSignals(opts: { config: Config; http: Http; log: Log; close: () => Promise<void> }): void {
  const { config, http, log, close } = opts;
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
    http.drain();
    await sleep(config.drainWaitMs);
    try {
      await close();
      log.info({}, 'stopped');
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
}
