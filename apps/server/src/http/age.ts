/** How old an act may get before nobody wants it any more (a bet at the price of half a minute ago). */
import { performance } from 'node:perf_hooks';
import { CodedError, DEADLINE_HEADER, tooLate } from '@fairgame/contract';

/**
 * The end its asker set, in the server's time (milliseconds since 1970), as a moment of the steady clock; undefined without
 * one. Throws when it has passed already, BAD_INPUT when it is no time.
 */
export function expiryOf(given: unknown, now: number): number | undefined {
  if (given === undefined) return undefined;
  const at = Number(given);
  if (!Number.isSafeInteger(at) || at <= 0) throw new CodedError('BAD_INPUT', { field: DEADLINE_HEADER });
  if (at <= now) throw tooLate();
  return performance.now() + (at - now);
}
