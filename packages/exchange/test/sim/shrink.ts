/** Cuts a failing list of steps down while the same invariant still breaks. */

import type { Step } from './run.ts';
import { replay } from './run.ts';

/** The part of a message that says what broke, without the numbers of the case. */
function kind(message: string): string {
  return message.replace(/\d+/g, '#').slice(0, 40);
}

/** Tries ever smaller cuts until none works or the time is over. */
export function shrink(steps: readonly Step[], message: string, until: () => boolean): Step[] {
  let best = [...steps];
  const wanted = kind(message);
  const fails = (candidate: Step[]) => {
    const found = replay(candidate);
    return found !== null && kind(found) === wanted;
  };
  if (!fails(best)) return best;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = best.length - size; at > -size; at -= size) {
      if (until()) return best;
      const candidate = [...best.slice(0, Math.max(0, at)), ...best.slice(at + size)];
      if (candidate.length < best.length && fails(candidate)) best = candidate;
    }
  }
  return best;
}
