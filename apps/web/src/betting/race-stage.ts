import type { CALLS, ReplyOf } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { named } from '../platform/named.ts';

type Race = ReplyOf<typeof CALLS.racing.list>[number]['races'][number];

/** Where the race itself is behind its line; where nothing is told of it, its market is closed. */
const OVER = ['PHOTOGRAPH', 'FINISHED', 'RESULT', 'WEIGHEDIN', 'CLOSED'];

/**
 * What a list of races says in place of the time until the off, once a race is off; null before. By its own progress: many are
 * run without bets in play, and one that was run stays in the list until it is settled.
 */
export function raceStage({ status, inPlay }: Pick<Race, 'status' | 'inPlay'>): string | null {
  if (OVER.includes(status)) return t`Finished`;
  return inPlay || status === 'OFF' ? named('Off') : null;
}
