/** Mounts calls of the contract: who may call, how often, with what; then the handler, then the envelope. */
import {
  type AnyCall,
  type BodyOf,
  CodedError,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  tooLate,
  UNATTENDED,
} from '@fairgame/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { expiryOf } from './age.ts';
import { checkPart, isJsonType } from './input.ts';
import type { ListenerOptions } from './listener.ts';
import { paceOf } from './pace.ts';
import type { OperatorGate, Session, Sessions } from './session.ts';
import { acceptsGzip, type SharedAnswer, SharedAnswers, zip } from './shared.ts';

/** What a handler gets. All of it is checked against the contract before. */
export interface Asked<C extends AnyCall, S = Session> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  session: S;
  ip: string;
  device: string;
  requestId: string;
  /** Moment of the process' steady clock from which the asker wants the act no more; undefined when he set no end. */
  expiresAt: number | undefined;
  req: FastifyRequest;
  /** Adds a header to the answer. */
  header: (name: string, value: string) => void;
}

/** A handler answers the call's data, or data with a message for the player: exactly the keys `data` and `message`. */
type Told<C extends AnyCall> = ReplyOf<C> | { data: ReplyOf<C>; message: string };
export type Handler<C extends AnyCall, S = Session> = (asked: Asked<C, S>) => Promise<Told<C>> | Told<C>;

/** How old an answer may be that was made for somebody else. */
const SHARED_MS = 250;

export interface Calls {
  mount(
    app: FastifyInstance,
    call: AnyCall,
    handler: Handler<AnyCall, Session | null>,
    /** The answer is the same for everybody of a world: made once, sent to all who ask within a moment. */
    shared: boolean,
  ): void;
  useSessions(sessions: Sessions): void;
  useOperators(gate: OperatorGate): void;
  /** The methods a path is served by; none where it is not served at all. */
  methodsOf(path: string): string[];
}

export function createCalls(opts: ListenerOptions): Calls {
  const { config, clock, pace, metrics, pauses } = opts;
  const answers = new SharedAnswers(config.limitFactor === 0 ? 0 : SHARED_MS);
  const served: Array<{ method: string; path: RegExp }> = [];
  let sessions: Sessions | undefined;
  let operators: OperatorGate | undefined;

  /** The session that asks, when it may make this call. Throws why not. */
  function whoAsks(call: AnyCall, req: FastifyRequest): Session | null {
    if (call.who === 'public') return null;
    const token = tokenOf(req.headers.authorization);
    if (token === undefined) throw new CodedError('NOT_SIGNED_IN');
    const session = sessions?.sessionOf(token) ?? null;
    if (!session) throw new CodedError('SESSION_ENDED');
    sessions?.touch(session, req.headers[UNATTENDED] === undefined);
    req.fairSession = session;
    if (call.who === 'operator') {
      if (session.role !== 'operator' || !operators) throw new CodedError('NOT_ALLOWED');
      operators.mayCall(session, call);
      return session;
    }
    if (call.who === 'pending') return session;
    if (session.pending) throw new CodedError('CODE_REQUIRED');
    if (session.forceChangePassword) throw new CodedError('PASSWORD_CHANGE_REQUIRED');
    if (session.role !== 'user') throw new CodedError('NOT_ALLOWED');
    if (call.who === 'real' && session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
    return session;
  }

  return {
    useSessions(given) {
      sessions = given;
    },
    useOperators(given) {
      operators = given;
    },
    methodsOf: (path) => [...new Set(served.filter((route) => route.path.test(path)).map((route) => route.method))],
    mount(app, call, handler, shared) {
      const { kind, cost } = paceOf(call);
      for (const path of [call.path, ...(call.aliases ?? [])]) {
        const url = `/api${path}`;
        const methods = call.alsoPost ? [call.method, 'POST'] : [call.method];
        for (const method of methods) {
          served.push({ method, path: new RegExp(`^${url.replace(/:[A-Za-z]+/g, '[^/]+')}$`) });
        }
        app.route({
          method: methods,
          url,
          config: { callName: call.name },
          preParsing: (req, _reply, payload, done) => {
            // Who may call, and how often, is decided before a byte of the body is read.
            try {
              // Nobody knows how long it waited while the process stood: what would act is refused, nothing was taken.
              if (call.method !== 'GET' && pauses.isRecent()) throw tooLate();
              const session = whoAsks(call, req);
              const asking = [clock(), req.ip, session?.userId] as const;
              const waitS = pace.wait('refused', ...asking) || pace.take(kind, ...asking, cost);
              if (waitS > 0) {
                metrics?.limited(kind);
                throw new CodedError('RATE_LIMITED', { retryAfterS: waitS });
              }
              done(null, payload);
            } catch (error) {
              done(error as Error);
            }
          },
          handler: async (req, reply) => {
            const asked = checked(call, req, reply, clock);
            if (!shared) return sendOwn(req, reply, await answerTo(asked));
            const { session, params, query } = asked;
            const name = `${call.name} ${session?.world} ${JSON.stringify([params, query])}`;
            return sendShared(req, reply, await answers.get(name, () => answerTo(asked)));
          },
        });
      }

      async function answerTo(asked: Asked<AnyCall, Session | null>): Promise<string> {
        const [data, message] = unfold(await handler(asked));
        if (config.checkReplies) checkReply(call, data);
        return JSON.stringify(message === undefined ? { statusCode: 200, data } : { statusCode: 200, message, data });
      }
    },
  };
}

function checked(
  call: AnyCall,
  req: FastifyRequest,
  reply: FastifyReply,
  clock: () => number,
): Asked<AnyCall, Session | null> {
  if (call.body !== undefined && !isJsonType(req.headers['content-type'])) throw new CodedError('UNSUPPORTED_TYPE');
  const session = req.fairSession;
  const asked = {
    params: checkPart(call, 'params', call.params === undefined ? undefined : req.params),
    query: checkPart(call, 'query', queryOf(call, req)),
    body: call.method === 'POST' ? checkPart(call, 'body', req.body) : undefined,
    session,
    ip: req.ip,
    device: String(req.headers['user-agent'] ?? '').slice(0, 200),
    requestId: req.id,
    expiresAt: call.method === 'GET' ? undefined : expiryOf(req, clock()),
    req,
    header: (name: string, value: string) => void reply.header(name, value),
  } as Asked<AnyCall, Session | null>;
  if (session?.stepUpDue && call.errors.includes('STEP_UP_REQUIRED')) throw new CodedError('STEP_UP_REQUIRED');
  return asked;
}

async function sendOwn(req: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8');
  const zipped = acceptsGzip(req.headers['accept-encoding']) ? zip(text) : null;
  if (zipped === null) return reply.send(text);
  return reply
    .header('content-encoding', 'gzip')
    .header('vary', 'accept-encoding')
    .send(await zipped);
}

/** An answer that has not changed since its reader had it is 304 and no more. */
export async function sendShared(
  req: FastifyRequest,
  reply: FastifyReply,
  answer: SharedAnswer,
  type = 'application/json; charset=utf-8',
): Promise<FastifyReply> {
  const zipped = acceptsGzip(req.headers['accept-encoding']) ? answer.zipped() : null;
  const tag = `"${answer.tag}${zipped ? '-gz' : ''}"`;
  reply.headers({ vary: 'accept-encoding', etag: tag });
  if (req.headers['if-none-match'] === tag) return reply.code(304).send();
  reply.type(type);
  if (!zipped) return reply.send(answer.text);
  return reply.header('content-encoding', 'gzip').send(await zipped);
}

/** A GET asked by POST may carry its query as the body. */
function queryOf(call: AnyCall, req: FastifyRequest): unknown {
  if (!call.alsoPost || req.method !== 'POST' || req.body === undefined) return req.query;
  if (typeof req.body !== 'object' || req.body === null || Array.isArray(req.body)) throw new CodedError('BAD_INPUT');
  return { ...req.body, ...(req.query as object) };
}

function tokenOf(header: string | undefined): string | undefined {
  const match = /^Bearer ([A-Za-z0-9_-]{20,128})$/.exec(header ?? '');
  return match?.[1];
}

function unfold(told: unknown): [unknown, string | undefined] {
  if (
    typeof told === 'object' &&
    told !== null &&
    'data' in told &&
    'message' in told &&
    typeof told.message === 'string'
  ) {
    if (Object.keys(told).length === 2) return [told.data, told.message];
  }
  return [told ?? null, undefined];
}

function checkReply(call: AnyCall, data: unknown): void {
  const result = call.reply.safeParse(data);
  if (result.success) return;
  const issue = result.error.issues[0]!;
  throw new Error(`reply of ${call.name} does not fit the contract at ${issue.path.join('.')}: ${issue.code}`);
}
