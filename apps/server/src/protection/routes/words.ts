/** What the answers of these routes have in common. */
import type { Session } from '../../http/http.ts';
import { profileOf, type Record } from '../records.ts';

export const iso = (at: number): string => new Date(at).toISOString();
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** A player's own acts in the audit log. */
export const playerActor = (session: Session): string => `player:${session.userId}`;

/** Whether only support may end the player's exclusion. */
export const needsSupport = (record: Record): boolean =>
  record.restriction?.state === 'self-excluded' && profileOf(record).exclusionNeedsSupport;
