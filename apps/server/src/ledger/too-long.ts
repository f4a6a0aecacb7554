import { CodedError } from '@fairgame/contract';

/** Entries or bets that one reading looks at each of: for words, or to sort them by what no index has in order. A file has as many. */
export const MOST_LOOKED_AT = 50_000;

/** Throws TIME_TOO_LONG where there are more of them. */
export function mustNotBeTooLong(count: number): void {
  if (count > MOST_LOOKED_AT) throw new CodedError('TIME_TOO_LONG');
}
