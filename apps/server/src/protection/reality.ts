/** The reality check and the time a player has set himself for a day. */
import { CodedError } from '@fairgame/contract';
import type { Parts } from './parts.ts';
import { profileOf, type Record } from './records.ts';
import { realityDueAt } from './rules.ts';

/** When the player's next reality check is due, and how often one is; null and 0 where he has none. */
export function realityDue(
  { visits, clock }: Parts,
  record: Record,
): { dueAt: number | null; due: boolean; minutes: number } {
  const minutes = record.realityMinutes ?? profileOf(record).realityMinutes[0]!;
  const since = visits.since(record.userId) ?? clock();
  const dueAt = realityDueAt(since, record.realityAnsweredAt, minutes);
  return { dueAt, due: dueAt !== null && dueAt <= clock(), minutes };
}

/** Whether that is known here and nothing of it is due. */
export function isAwake(parts: Parts, record: Record): boolean {
  const here = parts.visits.since(record.userId) !== null;
  return here && record.sessionMinutes === null && !realityDue(parts, record).due;
}

/** Throws REALITY_CHECK_DUE, SESSION_TIME_LIMIT. */
export async function mustBeAwake(parts: Parts, record: Record): Promise<void> {
  // Known to another gateway, perhaps: the visit goes on here.
  if (parts.visits.since(record.userId) === null) await parts.seen(record);
  if (realityDue(parts, record).due) throw new CodedError('REALITY_CHECK_DUE');
  const { sessionMinutes, userId } = record;
  if (sessionMinutes !== null && (await parts.visits.playedMs(userId, parts.dayOf(record))) >= sessionMinutes * 60_000)
    throw new CodedError('SESSION_TIME_LIMIT');
}
