import { type BetAnswer, type BodyOf, CALLS, type PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { ApiError, api, atItsPace } from '../api/api.ts';
import { newKey } from '../platform/key.ts';
import { answerOf } from '../slip/slip.ts';

/**
 * Changes of a waiting bet, each made once or never: an answer that was lost is asked for under the same key until there is one.
 */

type To = Pick<BodyOf<typeof CALLS.bets.replace>, 'odd' | 'stake' | 'persistence'>;

/** Price or size; refused as BET_CHANGED where another part of it waits than the player saw. */
export const replaceBet = (id: number, to: To, seen: number): Promise<BetAnswer> =>
  settled((key) => api(CALLS.bets.replace, { body: { key, id, ...to, remaining: seen } }, { quiet: true }));

export const keepBet = (id: number, persistence: PlacedBet['persistence']): Promise<BetAnswer> =>
  settled((key) => api(CALLS.bets.persistence, { body: { key, id, persistence } }, { quiet: true }));

function settled(send: (key: string) => Promise<BetAnswer>): Promise<BetAnswer> {
  const key = newKey();
  return answerOf(key, () => atItsPace(() => send(key)));
}

/**
 * Does something to several bets that wait, one after the other. One that was met or ended meanwhile keeps nothing from the others;
 * where every one has, that is thrown. For how many it was done.
 */
export async function eachWaiting(ids: readonly number[], change: (id: number) => Promise<unknown>): Promise<number> {
  let count = 0;
  let over: ApiError | null = null;
  for (const id of ids) {
    try {
      await change(id);
      count += 1;
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== 'BET_NOT_OPEN') throw failure;
      over = failure;
    }
  }
  if (count === 0 && over) throw over;
  return count;
}

export function whyNotChanged(failure: unknown): string {
  if (!(failure instanceof ApiError)) return t`The bet was not changed.`;
  if (failure.code === 'KEY_UNKNOWN') return t`The bet was not changed: the connection was lost before it arrived.`;
  return failure.message;
}
