/** What an operator does to a player's account for his protection. */
import { CodedError, protection as calls } from '@fairgame/contract';
import type { Http } from '../../http/http.ts';
import type { AccountStates } from '../account-states.ts';
import type { Parts } from '../parts.ts';
import { profileOf } from '../records.ts';
import { coolOffEnd, exclusionEnd } from '../rules.ts';

export function operatorRoutes(http: Http, parts: Parts, states: AccountStates): void {
  http.route(calls.operatorState, async ({ session, body }) => {
    const user = await parts.auth.userNamed(body.userName);
    const record = await parts.mustKnow(user.id);
    const actor = `operator:${session.userName}`;
    return parts.alone(record, async () => {
      await parts.record(actor, 'protection.setState', user.id, { state: body.state }, body.reason);
      const now = parts.clock();
      const profile = profileOf(record);
      const { state } = body;
      if (state === 'self-excluded' || state === 'cooling off') {
        const until = state === 'cooling off' ? coolOffEnd('24h', now, profile) : exclusionEnd(6, now, profile);
        await states.restrict(record, { state, since: now, until, revokeAskedAt: null }, actor);
      } else {
        if (state === 'active' && states.running(record)) throw new CodedError('RESTRICTION_RUNS');
        await states.setBase(record, state, actor);
      }
      return { data: null, message: `The account is ${state}.` };
    });
  });

  http.route(calls.operatorSettings, async ({ session, body }) => {
    const user = await parts.auth.userNamed(body.userName);
    const record = await parts.mustKnow(user.id);
    const actor = `operator:${session.userName}`;
    const { userName: _, reason, ...changes } = body;
    return parts.alone(record, async () => {
      // Another country's rules may let a restriction end sooner, or by itself.
      const moves = body.jurisdiction !== undefined && body.jurisdiction !== record.jurisdiction;
      if (moves && states.running(record))
        throw new CodedError('RESTRICTION_RUNS', {
          field: 'jurisdiction',
          message: 'The jurisdiction cannot change while the account is restricted.',
        });
      await parts.record(actor, 'protection.settings', user.id, changes, reason);
      await parts.records.change(record, () => {
        if (body.jurisdiction !== undefined) {
          record.jurisdiction = body.jurisdiction;
          // A choice the new profile has not is given up for its own.
          const minutes = record.realityMinutes;
          if (minutes !== null && !profileOf(record).realityMinutes.includes(minutes)) record.realityMinutes = null;
        }
        if (body.sessionMinutes !== undefined) record.sessionMinutes = body.sessionMinutes;
        if (body.ageVerified !== undefined) record.ageVerified = body.ageVerified;
      });
      await states.settle(record, actor);
      await states.limitsChanged(record);
      return { data: null, message: 'The settings are changed.' };
    });
  });
}
