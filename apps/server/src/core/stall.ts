/**
 * How long a commit has been out, in time that this process could have heard of its end: a pause of the process (a long
 * piece of work, a stopped machine) counts as one tick, since the answer may have been waiting behind it. So the writer never
 * takes its own stalled event loop for a stalled database. The pause itself is told too: prices are as old as it was long.
 */
import { performance } from 'node:perf_hooks';

const TICK_MS = 100;

export interface StallWatch {
  begin(): void;
  /** The commit is back; answers how long it was out. */
  end(): number;
  /** How long the commit has been out so far; 0 when none is. */
  ms(): number;
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
  let waited = 0;
  let counted = steady();
  const passed = () => Math.min(steady() - counted, 2 * TICK_MS);

  const timer = setInterval(() => {
    const gap = steady() - counted;
    if (out) waited += passed();
    counted = steady();
    if (gap >= options.pauseMs) options.onPause(gap);
    if (out) options.onTick();
  }, TICK_MS);
  timer.unref();

  return {
    begin() {
      out = true;
      waited = -passed();
    },
    end() {
      const ms = this.ms();
      out = false;
      return ms;
    },
    ms: () => (out ? Math.max(0, waited + passed()) : 0),
    stop: () => clearInterval(timer),
  };
}
