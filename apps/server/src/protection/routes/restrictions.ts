/** A player's breaks and exclusions, and their end. */
import { CodedError, protection as calls } from '@fairgame/contract';
import type { Http, Session } from '../../http/http.ts';
import type { AccountStates } from '../account-states.ts';
import type { Parts } from '../parts.ts';
import { profileOf, type Record } from '../records.ts';
import { coolOffEnd, exclusionEnd } from '../rules.ts';
import { iso, isoOrNull, needsSupport, playerActor } from './words.ts';

export function restrictionRoutes(http: Http, parts: Parts, states: AccountStates): void {
  /** A restriction of the player's own. Blocked and closed accounts have none to ask for. */
  async function restrict(
    session: Session,
    state: 'cooling off' | 'self-excluded',
    endOf: (record: Record, now: number) => number | null,
  ): Promise<string | null> {
    const record = await parts.mustKnow(session.userId);
    return parts.alone(record, async () => {
      const standing = await states.settle(record);
      if (standing === 'closed' || standing === 'blocked') throw new CodedError('STATE_NOT_FITTING');
      if (state === 'cooling off' && standing === 'self-excluded') throw new CodedError('RESTRICTION_RUNS');
      const now = parts.clock();
      const until = endOf(record, now);
      await parts.record(playerActor(session), 'protection.restrict', record.userId, {
        state,
        until: isoOrNull(until),
      });
      await states.restrict(record, { state, since: now, until, revokeAskedAt: null }, playerActor(session));
      return isoOrNull(record.restriction?.until ?? null);
    });
  }

  http.route(calls.coolOff, async ({ session, body }) => {
    const until = await restrict(session, 'cooling off', (record, now) => {
      const profile = profileOf(record);
      if (!profile.coolOffs.includes(body.length)) throw new CodedError('BAD_INPUT', { field: 'length' });
      return coolOffEnd(body.length, now, profile);
    });
    return { data: { until }, message: 'Your break has begun. Betting is off.' };
  });

  http.route(calls.selfExclude, async ({ session, body }) => {
    const until = await restrict(session, 'self-excluded', (record, now) => {
      const profile = profileOf(record);
      if (!profile.exclusionMonths.includes(body.months)) throw new CodedError('BAD_INPUT', { field: 'months' });
      return exclusionEnd(body.months, now, profile);
    });
    return { data: { until }, message: 'You have excluded yourself. Betting is off.' };
  });

  http.route(calls.revoke, async ({ session }) => {
    const record = await parts.mustKnow(session.userId);
    return parts.alone(record, async () => {
      await states.settle(record);
      if (needsSupport(record)) throw new CodedError('SUPPORT_NEEDED');
      if (session.stepUpDue) throw new CodedError('STEP_UP_REQUIRED');
      const at = iso(await states.revoke(record, playerActor(session)));
      return { data: { at }, message: 'Your request is noted.' };
    });
  });

  http.route(calls.wake, async ({ session }) => {
    const record = await parts.mustKnow(session.userId);
    return parts.alone(record, async () => {
      const state = await states.settle(record);
      if (state === 'dormant') throw new CodedError('SUPPORT_NEEDED');
      if (state !== 'inactive') throw new CodedError('STATE_NOT_FITTING');
      await parts.record(playerActor(session), 'protection.wake', record.userId, {});
      await states.setBase(record, 'active', playerActor(session));
      return { data: null, message: 'Your account is active again.' };
    });
  });
}
