import { createHash } from 'node:crypto';
import type { AnyCall, BodyOf, ReplyOf } from '@fairgame/contract';
import type { Request } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import type { Audit } from '../ops/ops.ts';

/** What an act of the operator gets: the checked body and who asks, as `operator:anna`. */
interface ActAsked<C extends AnyCall> {
  body: BodyOf<C>;
  actor: string;
}

/**
 * Serves a call of the operator with its record in the audit log: the record is written first, and an act that cannot be
 * recorded does not happen; when the act is then refused, a second record says so.
 */
export type Acts = <C extends AnyCall>(
  call: C,
  objectOf: (body: BodyOf<C>) => string,
  run: (asked: ActAsked<C>) => Promise<{ data: ReplyOf<C>; message: string }>,
) => void;

export function createActs(http: Http, audit: Audit): Acts {
  return (call, objectOf, run) => {
    http.route(call, async ({ body, session, ip }) => {
      const actor = `operator:${session.userName}`;
      const { reason, password: _, ...detail } = body as { reason?: string; password?: string };
      const record = { actor, action: call.name.replace('operator.', ''), object: objectOf(body), reason };
      await audit.record({ ...record, detail: { ...detail, ip, session: session.sessionId } });
      try {
        return await run({ body, actor });
      } catch (error) {
        const code = (error as { code?: unknown }).code;
        await audit.record({
          ...record,
          action: `${record.action}.refused`,
          detail: { code: typeof code === 'string' ? code : 'INTERNAL' },
        });
        throw error;
      }
    });
  };
}

/** What makes a repeated money call act once: the operator's key, and a hash of everything that was asked under it. */
export function signed(
  call: AnyCall,
  actor: string,
  body: { key: string },
  part = '',
): Required<Pick<Request, 'actor' | 'key' | 'payloadHash'>> {
  const payloadHash = createHash('sha256')
    .update(`${call.name} ${JSON.stringify(body)}`)
    .digest('hex');
  return { actor, key: body.key + part, payloadHash };
}
