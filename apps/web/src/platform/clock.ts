/**
 * The server's clock as this browser knows it: what counts down or says how long ago goes by it and not by the device, whose
 * clock may be minutes wrong. Messages only ever come late, so the least delay seen gives the truest clock.
 */
/** What to add to this clock, by the messages of this minute and of the one before: a clock that was set heals by itself. */
let best = Number.NEGATIVE_INFINITY;
let before = Number.NEGATIVE_INFINITY;
let windowEnds = 0;
/** By the header of a call, which is cut to the second: until a message with milliseconds comes. */
let rough: number | null = null;

const WINDOW_MS = 60_000;
/** A difference no delay explains. */
const JUMP_MS = 5000;

/** The server's time now, ms. Until anything has come from it, this device's. */
export function serverNow(): number {
  const offset = Math.max(best, before);
  return Date.now() + (Number.isFinite(offset) ? offset : (rough ?? 0));
}

/** Takes the time a message of the server carries, ms. */
export function learnTime(serverMs: number): void {
  const seen = serverMs - Date.now();
  const now = performance.now();
  if (Math.max(best, before) - seen > JUMP_MS) best = before = Number.NEGATIVE_INFINITY;
  if (now >= windowEnds) {
    before = best;
    best = Number.NEGATIVE_INFINITY;
    windowEnds = now + WINDOW_MS;
  }
  best = Math.max(best, seen);
}

/** Takes the Date header of an answer. */
export function learnDate(header: string | null): void {
  const at = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(at)) return;
  // Anywhere in that second.
  const seen = at + 500 - Date.now();
  if (rough === null || Math.abs(seen - rough) > 1000) rough = seen;
}
