/** A player's limits: what lowers one counts at once, a raise later. */
import { CodedError, protection as calls } from '@fairgame/contract';
import type { Http } from '../../http/http.ts';
import type { AccountStates } from '../account-states.ts';
import type { Parts } from '../parts.ts';
import { profileOf } from '../records.ts';
import { change, ripe, spanFits } from '../rules.ts';
import { iso, playerActor } from './words.ts';

export function limitRoutes(http: Http, parts: Parts, states: AccountStates): void {
  http.route(calls.setLimit, async ({ session, body }) => {
    if (!spanFits(body.kind, body.span)) throw new CodedError('BAD_INPUT', { field: 'span' });
    const record = await parts.mustKnow(session.userId);
    return parts.alone(record, async () => {
      const now = parts.clock();
      const stored = record.limits.find((limit) => limit.kind === body.kind && limit.span === body.span);
      const held = stored ? ripe(stored, now) : null;
      if (!held && body.amountMinor === null) throw new CodedError('LIMIT_UNKNOWN');
      const { limit, when } = change(held, body, now, profileOf(record));
      // A raise is a step back from protection: after an idle hour the password is needed again (PP-11).
      if (when === 'later' && session.stepUpDue) throw new CodedError('STEP_UP_REQUIRED');
      await parts.record(playerActor(session), 'protection.limit', record.userId, {
        ...body,
        before: held?.amountMinor ?? null,
        from: limit?.pending?.at ?? now,
      });
      await parts.records.saveLimit(record, body.kind, body.span, limit);
      await states.limitsChanged(record);
      return {
        data: { when, at: iso(limit?.pending?.at ?? now) },
        message: when === 'now' ? 'Your limit is set.' : 'Your limit changes later. Until then the old one counts.',
      };
    });
  });

  http.route(calls.cancelRaise, async ({ session, body }) => {
    const record = await parts.mustKnow(session.userId);
    return parts.alone(record, async () => {
      const stored = record.limits.find((limit) => limit.kind === body.kind && limit.span === body.span);
      const held = stored ? ripe(stored, parts.clock()) : null;
      if (!held?.pending) throw new CodedError('LIMIT_UNKNOWN');
      await parts.record(playerActor(session), 'protection.limit.keep', record.userId, body);
      await parts.records.saveLimit(record, body.kind, body.span, { ...held, pending: null });
      await states.limitsChanged(record);
      return { data: null, message: 'Your limit stays as it is.' };
    });
  });
}
