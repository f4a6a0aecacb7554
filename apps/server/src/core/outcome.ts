/** What a failed commit means for what was in it, where it does not mean the end of this process (`fencedBy`). */
import { DbLost } from '../db/db.ts';

/**
 * - `again`: nothing was done, and the same may go well in a moment (a deadlock, a lock, a cancelled statement).
 * - `noTable`: nothing was done, the table of its month is not there.
 * - `full`: nothing was done, since there is no room for it (disk, memory, connections), and none may come for long.
 * - `unknown`: it may have been done, or the database is in trouble: decided by reading.
 * - `refused`: nothing was done, for what is in it.
 */
export type Failure = 'again' | 'noTable' | 'full' | 'unknown' | 'refused';

/** Serialization, deadlock, lock not available, cancelled. */
const AGAIN = new Set(['40001', '40P01', '55P03', '57014']);
/** Class of an engine out of room; classes of one in trouble, or read only. */
const FULL = '53';
const TROUBLE = ['58', '25'];

export function failureOf(error: unknown): Failure {
  if (error instanceof DbLost) return 'unknown';
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (code === '23514' && message.startsWith('no partition of relation')) return 'noTable';
  if (AGAIN.has(code)) return 'again';
  if (code.startsWith(FULL)) return 'full';
  return TROUBLE.includes(code.slice(0, 2)) ? 'unknown' : 'refused';
}
