/** The reality check of a player. */
import { CodedError, protection as calls } from '@fairgame/contract';
import type { Http } from '../../http/http.ts';
import type { Parts } from '../parts.ts';
import { realityDue } from '../reality.ts';
import { profileOf } from '../records.ts';
import { isoOrNull, playerActor } from './words.ts';

export function realityRoutes(http: Http, parts: Parts): void {
  http.route(calls.setReality, async ({ session, body }) => {
    const record = await parts.mustKnow(session.userId);
    if (!profileOf(record).realityMinutes.includes(body.minutes))
      throw new CodedError('BAD_INPUT', { field: 'minutes' });
    await parts.record(playerActor(session), 'protection.reality', record.userId, { minutes: body.minutes });
    await parts.records.change(record, () => {
      record.realityMinutes = body.minutes;
    });
    parts.profileChanged(record.userId);
    return { data: null, message: 'The reality check is set.' };
  });

  http.route(calls.answerReality, async ({ session }) => {
    const record = await parts.mustKnow(session.userId);
    await parts.records.change(record, () => {
      record.realityAnsweredAt = parts.clock();
    });
    return { nextAt: isoOrNull(realityDue(parts, record).dueAt) };
  });
}
