/**
 * Where who comes by a notification is to be led. A new page has no session, and one that stood over night has none any more: he
 * signs in first, and would find himself at home, far from what he was called for. Kept by this page alone, for a while.
 */

/** At the end of an address that the service worker opens (sw/sw.ts). */
const MARK = '#asked';
const KEPT_MS = 10 * 60_000;
let kept: { path: string; at: number } | null = null;

/** Takes the mark off the page's address. */
export function noteAsked(): void {
  if (location.hash !== MARK) return;
  const { pathname, search } = location;
  kept = { path: pathname + search, at: Date.now() };
  history.replaceState(history.state, '', pathname + search);
}

/** Told once. */
export function takeAsked(): string | null {
  const { path = null, at = 0 } = kept ?? {};
  kept = null;
  return Date.now() - at < KEPT_MS ? path : null;
}
