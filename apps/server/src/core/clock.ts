/**
 * The core's time: milliseconds since 1970 that pass evenly, whatever is done to the machine's clock (FLT-09). It goes on
 * from a stored base by the steady clock of the process:
 *
 * - A step back of the machine's clock freezes nothing: time goes on a tenth slower until the machine's clock is reached.
 * - A step forward releases nothing early (INV-14): it is taken over only while no bet waits for its time.
 * - At the start the last time in the log is the witness: a machine that is behind it, or more than a year ahead of it, is
 *   not believed. Somebody has to say which of the two is right.
 */
import { performance } from 'node:perf_hooks';

export interface CoreClock {
  /** Milliseconds since 1970, whole; never lower than before. */
  now(): number;
}

export interface ClockOptions {
  /** The machine's clock, milliseconds since 1970. */
  wall?: () => number;
  /** Milliseconds that pass evenly and never go back. With a `wall` of one's own that is the default, so that tests rule both. */
  steady?: () => number;
  /** The time of the last command in the log; 0 for none. */
  lastAt: number;
  /** Go by the machine's clock even where it contradicts the log. */
  trust: boolean;
  /** Whether a bet waits for its time. */
  isWaiting: () => boolean;
}

/** Differences below this are no steps. */
const STEP_MS = 20;
const SLOWER = 0.9;
const BEHIND_MS = 60_000;
const AHEAD_MS = 366 * 86_400_000;

/** Throws where the machine's clock and the log contradict each other. */
export function createClock(options: ClockOptions): CoreClock {
  const { lastAt, isWaiting } = options;
  const wall = options.wall ?? Date.now;
  const steady = options.steady ?? options.wall ?? (() => performance.now());
  const started = wall();
  if (!options.trust) mustFit(started, lastAt);
  let time = options.trust ? started : Math.max(started, lastAt);
  let read = steady();

  return {
    now() {
      const at = steady();
      const passed = Math.max(0, at - read);
      read = at;
      const ahead = time + passed - wall();
      if (ahead < -STEP_MS && !isWaiting()) time = wall();
      else time += ahead > STEP_MS ? passed * SLOWER : passed;
      return Math.floor(time);
    },
  };
}

function mustFit(now: number, lastAt: number): void {
  if (lastAt === 0) return;
  const behind = now < lastAt - BEHIND_MS;
  if (!behind && now <= lastAt + AHEAD_MS) return;
  throw new Error(
    `this machine's clock says ${text(now)}, the last command of this database is of ${text(lastAt)}: ` +
      `the clock is ${span(Math.abs(now - lastAt))} ${behind ? 'behind' : 'ahead'}. Set the clock right. Where it is right ` +
      '(the command came under a wrong clock, or the site really stood still for so long), start once with FAIRGAME_CLOCK=trust',
  );
}

function text(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : String(ms);
}

function span(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours < 1) return `${Math.round(ms / 60_000)} minutes`;
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
}
