/** Clock window and replay guard of signed calls: a time within five minutes of ours, a nonce once in ten. */
const SKEW_MS = 300_000;
const KEPT_MS = 600_000;
const SHAPE = /^[A-Za-z0-9_-]{16,64}$/;

export interface Nonces {
  /** True once for a nonce whose time is within the window. Ask after the signature has been checked. */
  take(tsMs: number, nonce: string, nowMs?: number): boolean;
}

export function createNonces(): Nonces {
  const seen = new Map<string, number>();
  return {
    take(tsMs, nonce, nowMs = Date.now()) {
      if (!Number.isSafeInteger(tsMs) || Math.abs(nowMs - tsMs) > SKEW_MS || !SHAPE.test(nonce)) return false;
      // Insertion is in the order of time: the old ones stand first.
      for (const [old, at] of seen) {
        if (nowMs - at <= KEPT_MS) break;
        seen.delete(old);
      }
      if (seen.has(nonce)) return false;
      seen.set(nonce, nowMs);
      return true;
    },
  };
}
