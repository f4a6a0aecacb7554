/**
 * What the client holds of a player is forgotten when he signs out, and when another signs in. Each register says for itself
 * how it forgets, where it is: there is no list to keep.
 */
const registers = new Set<() => void>();

export function perPlayer(forget: () => void): void {
  registers.add(forget);
}

/** The session's own: nothing of the player stays in this tab. */
export function forgetPlayer(): void {
  for (const forget of registers) forget();
}
