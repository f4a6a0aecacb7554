/** When a table goes on: how long a phase lasts, how long it rests between two rounds, and when nobody is there any more. */

/** A table goes on for this long after the last player left, so that a reload finds the round it left. */
const LINGER_MS = 30_000;
/** At least this between the starts of two rounds (PP-13). */
const LEAST_ROUND_MS = 5000;
const LEAST_PHASE_MS = 50;

/** `speed`: phases last their time divided by this. */
export function phaseMs(lastsMs: number, speed: number): number {
  return Math.max(LEAST_PHASE_MS, lastsMs / speed);
}

/** From the end of a round to the start of the next one, by a clock that only goes on. */
export function restMs(openedAt: number, now: number, speed: number): number {
  return Math.max(0, LEAST_ROUND_MS / speed - (now - openedAt));
}

/** Whether no further round starts. `leftAt`: when the last one left. */
export function isDeserted(watchers: number, leftAt: number, now: number): boolean {
  return watchers === 0 && now - leftAt > LINGER_MS;
}
