/** How long an event may wait to be played before its bets are void, or a person has to say what became of it. */
import type { SportKey } from '@fairgame/contract';
import { FOOTBALL_VOID_AFTER_MS, footballStands, type VoidReason } from '@fairgame/exchange';
import type { LiveEvent } from './events.ts';

const DAY_MS = 86_400_000;

/**
 * From the first start on. Football's is the rule's own; the others have no hours in their rules, and after these nobody
 * expects them to be open: a Test with its reserve day, the end of a tournament's round, another day's race, a count of votes.
 */
const OPEN_MS: Readonly<Record<SportKey, number>> = {
  cricket: 7 * DAY_MS,
  football: FOOTBALL_VOID_AFTER_MS,
  tennis: 4 * DAY_MS,
  horseRacing: DAY_MS,
  greyHound: DAY_MS,
  politics: 30 * DAY_MS,
};

/** When an event should be over at the latest, milliseconds since 1970; never where its times are not the calendar's. */
export const overBy = (live: LiveEvent): number =>
  live.event.ownTime ? Number.POSITIVE_INFINITY : live.firstStartAt + OPEN_MS[live.matchType];

/** What the hours of its sport say of an event. `playedAt`: when it was played, null for not yet. Null: bets stand. */
export function voidByHours(live: LiveEvent, playedAt: number | null, now: number): VoidReason {
  if (live.matchType !== 'football' || live.event.ownTime) return null;
  return footballStands({ startAt: live.firstStartAt, playedAt }, now);
}
