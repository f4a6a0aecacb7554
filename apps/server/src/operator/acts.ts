/**
 * Acts of people behind the site. Each is in the audit log before it happens; one that cannot be recorded does not happen.
 * Some need a second person: then the call only files a request, and the act is carried out when somebody else agrees.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type AnyCall, type BodyOf, CodedError, operator as calls, type ReplyOf } from '@fairgame/contract';
import type { Request } from '../core/types.ts';
import type { Http, Session } from '../http/http.ts';
import type { Audit } from '../ops/ops.ts';
import type { People } from './people.ts';
import type { AskedRow, Requests } from './requests.ts';

/** What an act gets: the checked body and who asks, as `operator:anna`. */
export interface ActAsked<C extends AnyCall> {
  body: BodyOf<C>;
  actor: string;
  userId: number;
}

interface Told<C extends AnyCall> {
  data: ReplyOf<C>;
  message: string;
}

/** One line of what an act would change, for the one who is to agree. */
export interface Effect {
  what: string;
  before: string;
  after: string;
  /** Moves by itself (a balance): shown, but agreeing does not hang on it. */
  moving?: boolean;
}

interface TwoPeople<C extends AnyCall> {
  /** Whether this one needs a second person. */
  needed(asked: ActAsked<C>): boolean | Promise<boolean>;
  effect(body: BodyOf<C>): Promise<Effect[]>;
  /** What the call answers while it waits. */
  waiting(request: number): ReplyOf<C>;
}

/** Serves a call with its record. `two`: for what needs a second person. */
export type Acts = <C extends AnyCall>(
  call: C,
  objectOf: (body: BodyOf<C>) => string,
  run: (asked: ActAsked<C>) => Promise<Told<C>>,
  two?: TwoPeople<C>,
) => void;

interface Kept {
  call: AnyCall;
  run(asked: ActAsked<AnyCall>): Promise<Told<AnyCall>>;
  effect(body: unknown): Promise<Effect[]>;
}

export function createActs(parts: { http: Http; audit: Audit; people: People; requests: Requests }): Acts {
  const { http, audit, requests } = parts;
  const kept = new Map<string, Kept>();
  requestRoutes(parts, kept);
  return (call, objectOf, run, two) => {
    if (two)
      kept.set(call.name, { call, run: run as unknown as Kept['run'], effect: (body) => two.effect(body as never) });
    http.route(call, async ({ body, session, ip }) => {
      const asked = { body, actor: actorOf(session), userId: session.userId };
      const { reason, password: _, newPassword: __, ...detail } = body as Record<string, unknown>;
      const why = typeof reason === 'string' ? reason : undefined;
      const record = { actor: asked.actor, action: actionOf(call), object: objectOf(body), reason: why };
      const whole = { ...record, detail: { ...detail, ip, session: session.sessionId } };
      if (two && (await two.needed(asked))) {
        const key = String((body as { key?: string }).key ?? randomUUID());
        const request = await requests.file({ ...record, reason: why ?? '', call: call.name, body, key });
        await audit.record({ ...whole, action: `${record.action}.asked`, detail: { ...whole.detail, request } });
        return { data: two.waiting(request), message: `A second person has to agree: request ${request}.` };
      }
      await audit.record(whole);
      return recorded(audit, record, () => run(asked));
    });
  };
}

const actorOf = (session: Session): string => `operator:${session.userName}`;
const actionOf = (call: AnyCall): string => call.name.replace('operator.', '');

/** Carries an act out; when it is refused a second record says so. */
async function recorded<T>(
  audit: Audit,
  record: { actor: string; action: string; object: string; reason?: string | undefined },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await audit.record({ ...record, action: `${record.action}.refused`, detail: { code: codeOf(error) } });
    throw error;
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : 'INTERNAL';
}

/** The calls with which somebody else looks at a request, agrees to it or refuses it. */
function requestRoutes(
  { http, audit, people, requests }: { http: Http; audit: Audit; people: People; requests: Requests },
  kept: ReadonlyMap<string, Kept>,
): void {
  const actOf = ({ call }: AskedRow): Kept => {
    const act = kept.get(call);
    if (!act) throw new CodedError('REQUEST_UNKNOWN', { field: 'id' });
    return act;
  };
  const mayDecide = (row: AskedRow, session: Session): boolean => {
    const { right } = actOf(row).call;
    const person = people.all().find(({ userId }) => userId === session.userId);
    return row.askedBy !== actorOf(session) && right !== undefined && person?.rights.has(right as never) === true;
  };
  const shown = (row: AskedRow, session: Session) => ({
    id: row.id,
    call: row.call,
    object: row.object,
    reason: row.reason,
    askedBy: row.askedBy,
    askedAt: new Date(row.askedAt).toISOString(),
    expiresAt: new Date(row.expiresAt).toISOString(),
    state: row.state,
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt === null ? null : new Date(row.decidedAt).toISOString(),
    outcome: row.outcome,
    mayDecide: row.state === 'OPEN' && mayDecide(row, session),
  });
  /** Who neither asked nor could decide has no business with it. */
  const mustConcern = (row: AskedRow, session: Session): void => {
    if (row.askedBy !== actorOf(session) && !mayDecide(row, session)) throw new CodedError('RIGHT_MISSING');
  };

  http.route(calls.requests, async ({ session }) => {
    const rows = await requests.list();
    return rows
      .filter((row) => kept.has(row.call))
      .filter((row) => row.askedBy === actorOf(session) || mayDecide(row, session))
      .map((row) => shown(row, session));
  });

  http.route(calls.request, async ({ params, session }) => {
    const row = await requests.one(Number(params.id));
    mustConcern(row, session);
    const lines = row.state === 'OPEN' ? await actOf(row).effect(row.body) : [];
    const effect = lines.map(({ what, before, after }) => ({ what, before, after }));
    return { row: shown(row, session), body: row.body, effect, seen: digestOf(lines) };
  });

  http.route(calls.approve, async ({ body, session, ip }) => {
    const row = await requests.one(body.id);
    const actor = actorOf(session);
    if (row.askedBy === actor) throw new CodedError('SAME_PERSON');
    if (!mayDecide(row, session)) throw new CodedError('RIGHT_MISSING');
    if (row.state !== 'OPEN') throw new CodedError('REQUEST_OVER', { field: 'id' });
    const act = actOf(row);
    const { userId, active, rights } = people.named(row.askedBy.replace('operator:', ''));
    // Nothing is done any more in the name of somebody who may no longer do it.
    if (!active || !rights.has(act.call.right as never)) throw new CodedError('REQUEST_OVER', { field: 'id' });
    if (digestOf(await act.effect(row.body)) !== body.seen) throw new CodedError('EFFECT_CHANGED', { field: 'seen' });
    const record = { actor: row.askedBy, action: actionOf(act.call), object: row.object, reason: row.reason };
    await audit.record({
      ...record,
      detail: { ...(row.body as object), request: row.id, agreedBy: actor, ip, session: session.sessionId },
    });
    let told: Told<AnyCall>;
    try {
      told = await recorded(audit, record, () => act.run({ body: row.body as never, actor: row.askedBy, userId }));
    } catch (error) {
      const code = codeOf(error);
      // What was not taken may be agreed to again; what was refused is over.
      if (code !== 'UNAVAILABLE' && code !== 'BUSY' && code !== 'INTERNAL')
        await requests.close(row.id, 'FAILED', actor, code);
      throw error;
    }
    await requests.close(row.id, 'DONE', actor, null);
    return { data: { outcome: told.data }, message: told.message };
  });

  http.route(calls.refuse, async ({ body, session }) => {
    const row = await requests.one(body.id);
    const actor = actorOf(session);
    mustConcern(row, session);
    if (row.state !== 'OPEN') throw new CodedError('REQUEST_OVER', { field: 'id' });
    const state = row.askedBy === actor ? 'WITHDRAWN' : 'REFUSED';
    await audit.record({
      actor,
      action: `${row.call.replace('operator.', '')}.${state.toLowerCase()}`,
      object: row.object,
      reason: body.reason,
      detail: { request: row.id },
    });
    await requests.close(row.id, state, actor, body.reason);
    return { data: null, message: state === 'WITHDRAWN' ? 'The request is withdrawn.' : 'The request is refused.' };
  });
}

function digestOf(lines: readonly Effect[]): string {
  const fixed = lines.filter(({ moving }) => !moving).map(({ what, before, after }) => [what, before, after]);
  return createHash('sha256').update(JSON.stringify(fixed)).digest('hex').slice(0, 16);
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
