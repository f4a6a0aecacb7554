/**
 * A circuit breaker for one provider (trust 4.2): open when half of the calls of the last 10 s failed, and then nothing is
 * sent for 5 s; after that one call is tried, and its fate decides.
 */
const WINDOW_MS = 10_000;
const REST_MS = 5000;
/** Fewer calls than these say nothing about a share. */
const LEAST_CALLS = 4;

export type BreakerState = 'closed' | 'open' | 'half-open';

export interface Breaker {
  state(): BreakerState;
  /** Whether a call may be sent now. After a yes exactly one `ended` must follow. */
  may(): boolean;
  ended(well: boolean): void;
}

export function createBreaker(steady: () => number): Breaker {
  let calls: Array<{ at: number; well: boolean }> = [];
  let openedAt: number | null = null;
  let trying = false;

  function state(): BreakerState {
    if (openedAt === null) return 'closed';
    return steady() - openedAt >= REST_MS ? 'half-open' : 'open';
  }

  return {
    state,
    may() {
      const now = state();
      if (now === 'closed') return true;
      if (now === 'open' || trying) return false;
      trying = true;
      return true;
    },
    ended(well) {
      const now = steady();
      if (trying) {
        trying = false;
        calls = [];
        openedAt = well ? null : now;
        return;
      }
      // Calls that were under way when it opened change nothing any more.
      if (openedAt !== null) return;
      calls = calls.filter(({ at }) => now - at < WINDOW_MS);
      calls.push({ at: now, well });
      const failed = calls.filter((call) => !call.well).length;
      if (calls.length >= LEAST_CALLS && failed * 2 >= calls.length) openedAt = now;
    },
  };
}
