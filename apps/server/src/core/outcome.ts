/** What a failed commit means for what was in it, where it does not mean the end of this process (`fencedBy`). */
import { DbLost } from '../db/db.ts';

/**
 * - `again`: nothing was done, and the same may go well in a moment (a deadlock, a lock, a cancelled statement).
 * - `unknown`: it may have been done, or the database is in trouble: decided by reading.
 * - `refused`: nothing was done, for what is in it.
 */
export type Failure = 'again' | 'unknown' | 'refused';

/** Serialization, deadlock, lock not available, cancelled. */
const AGAIN = new Set(['40001', '40P01', '55P03', '57014']);
/** Classes of an engine out of room, in trouble, or read only. */
const TROUBLE = ['53', '58', '25'];

export function failureOf(error: unknown): Failure {
  if (error instanceof DbLost) return 'unknown';
  const code = (error as { code?: string } | null)?.code ?? '';
  if (AGAIN.has(code)) return 'again';
  return TROUBLE.includes(code.slice(0, 2)) ? 'unknown' : 'refused';
}
