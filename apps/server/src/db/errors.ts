/** What an error of PostgreSQL says to the rooms: gone, busy, out of room, or refused for what was asked. */
import { CodedError } from '@fairgame/contract';
import { DbLost } from './types.ts';

/** Errors of the line, of a server going down or starting up: classes 08, 57P and the system's own. */
export function isConnectionError(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return /^(08|57P|E[A-Z]+)/.test(code);
  return typeof message === 'string' && /connection|not queryable/i.test(message);
}

/** No connection to be had although the server is there: ours are all in use, or its own are. */
export function isExhausted(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '53300' || (code === undefined && message === 'timeout exceeded when trying to connect');
}

/** Cancelled for its time, a lock not had in time, a deadlock, a conflict: the same may go well in a moment. */
const PASSING = new Set(['57014', '55P03', '40P01', '40001']);

/** An error of a reading as the rooms see it. What is none of the database's own troubles comes back as it was. */
export function translated(error: unknown): unknown {
  if (error instanceof CodedError || error instanceof DbLost) return error;
  const { code = '' } = error as { code?: string };
  if (isExhausted(error) || PASSING.has(code))
    return Object.assign(new CodedError('BUSY', { retryAfterS: 2 }), { cause: error });
  // Disk full, out of memory, input or output errors: nothing was taken, and somebody has to look.
  if (/^(53|58)/.test(code)) return Object.assign(new CodedError('UNAVAILABLE', { retryAfterS: 5 }), { cause: error });
  return isConnectionError(error) ? new DbLost(true, error) : error;
}
