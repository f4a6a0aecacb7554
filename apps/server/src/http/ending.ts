import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { CodedError } from '@fairgame/contract';

/** How far the site is with its end, and how many requests are under way. */
export interface Ending {
  /** Readiness says no, and connections are not kept for another call; every call is still served. */
  leave(): void;
  leaving(): boolean;
  /** Every call answers 503 from now on. Resolves when those under way have their answers, or after `ms`. */
  drain(ms: number): Promise<void>;
  draining(): boolean;
  began(): void;
  answered(): void;
}

export function createEnding(): Ending {
  let [leaving, draining] = [false, false];
  let underWay = 0;
  let quiet: () => void = () => {};
  return {
    leave() {
      leaving = true;
    },
    leaving: () => leaving,
    async drain(ms) {
      leaving = true;
      draining = true;
      if (underWay > 0) await Promise.race([new Promise<void>((resolve) => (quiet = resolve)), sleep(ms)]);
      // What is answered over a socket leaves at the end of the turn in which it is answered.
      await turn();
    },
    draining: () => draining,
    began() {
      underWay += 1;
    },
    answered() {
      underWay -= 1;
      if (underWay === 0) quiet();
    },
  };
}

/** What every call is told then. */
export function restarting(): CodedError {
  return new CodedError('UNAVAILABLE', {
    message: 'The site is restarting. Please try again in a moment.',
    retryAfterS: 5,
  });
}
