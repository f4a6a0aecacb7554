/**
 * Time that this process could have used: a pause of it (a long piece of work, a stopped machine) counts as one tick, since
 * what came meanwhile may be waiting behind it. How long a commit has been out and how long a command has waited are counted
 * in it, so the writer never takes its own stalled event loop for a stalled database, nor for a crowd at its door. The pause
 * itself is told too: prices are as old as it was long.
 */
import { performance } from 'node:perf_hooks';

const TICK_MS = 100;

export interface StallWatch {
  begin(): void;
  /** The commit is back; answers how long it was out. */
  end(): number;
  /** How long the commit has been out so far; 0 when none is. */
  ms(): number;
  /** Milliseconds of that time since the watch began. */
  now(): number;
  stop(): void;
}

/** `onTick` comes about every 100 ms while a commit is out, `onPause` after the process stood for `pauseMs` or longer. */
export function createStallWatch(options: {
  pauseMs: number;
  onTick: () => void;
  onPause: (ms: number) => void;
  steady?: () => number;
}): StallWatch {
  const steady = options.steady ?? (() => performance.now());
  let out = false;
  let begun = 0;
  let passed = 0;
  let counted = steady();
  const now = () => passed + Math.min(steady() - counted, 2 * TICK_MS);

  const timer = setInterval(() => {
    const gap = steady() - counted;
    passed = now();
    counted = steady();
    if (gap >= options.pauseMs) options.onPause(gap);
    if (out) options.onTick();
  }, TICK_MS);
  timer.unref();

  return {
    begin() {
      out = true;
      begun = now();
    },
    end() {
      const ms = this.ms();
      out = false;
      return ms;
    },
    ms: () => (out ? now() - begun : 0),
    now,
    stop: () => clearInterval(timer),
  };
}
