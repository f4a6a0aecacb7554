/** Time and timers of the host, so that tests can move them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Does the work once, later; the answer calls it off. */
  after(delayMs: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};
