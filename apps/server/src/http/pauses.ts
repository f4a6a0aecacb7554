/**
 * Notices that the process stood still (stopped, swapped out, a frozen machine): what it reads right afterwards may be as old
 * as the pause was long.
 */
import { performance } from 'node:perf_hooks';

const TICK_MS = 250;
const LONG_MS = 5000;
/** What waited in the sockets is read within this time. */
const AFTER_MS = 500;

export interface Pauses {
  /** The process has just stood for longer than five seconds. */
  isRecent(): boolean;
  stop(): void;
}

export function createPauses(steady: () => number = () => performance.now()): Pauses {
  let tickedAt = steady();
  let until = 0;
  const look = (): void => {
    const now = steady();
    if (now - tickedAt > LONG_MS) until = now + AFTER_MS;
    tickedAt = now;
  };
  const timer = setInterval(look, TICK_MS);
  timer.unref();
  return {
    // A request may be read before the timer of the same turn has run.
    isRecent() {
      look();
      return steady() < until;
    },
    stop: () => clearInterval(timer),
  };
}
