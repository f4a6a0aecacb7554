/** How long to wait before the next try: each wait is twice the last, up to a longest one. */
export interface BackOff {
  /** The next wait, milliseconds. */
  next(): number;
  /** A try went well: the next wait is the shortest again. */
  reset(): void;
}

export function createBackOff(shortestMs: number, longestMs: number): BackOff {
  let ms = shortestMs;
  return {
    next() {
      const now = ms;
      ms = Math.min(longestMs, ms * 2);
      return now;
    },
    reset() {
      ms = shortestMs;
    },
  };
}
