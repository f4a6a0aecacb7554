/** Mounts calls of the contract: who may call, how often, with what; then the handler, then the envelope. */
import { type AnyCall, CodedError, DEADLINE_HEADER, type Envelope, SEEN_HEADER, UNATTENDED } from '@fairgame/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AnyAsked, deviceOf, type Handler } from './asked.ts';
import { checkReply } from './check-reply.ts';
import { createDoor, type Door } from './door.ts';
import { type SentFile, sendFile } from './file.ts';
import { isJsonType } from './input.ts';
import { type Ask, type LineCall, lineCalls } from './line.ts';
import type { ListenerOptions } from './options.ts';
import { aboutOf, createRefusals, type RefusalOf } from './refusals.ts';
import type { OperatorGate, Session, Sessions } from './session.ts';
import { acceptsGzip, type SharedAnswer, SharedAnswers, zip } from './shared.ts';

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
  useSessions: (sessions: Sessions) => void;
  useOperators: (gate: OperatorGate) => void;
  /** Makes a call of the contract that came over an open socket. */
  ask: Ask;
  /** The methods a path is served by; none where it is not served at all. */
  methodsOf(path: string): string[];
}

export function createCalls(opts: ListenerOptions): Calls {
  const { config } = opts;
  const door = createDoor(opts);
  const refusalOf = createRefusals(opts);
  const onLine = new Map<string, LineCall>();
  const answers = new SharedAnswers(config.limitFactor === 0 ? 0 : SHARED_MS);
  const served: Array<{ method: string; path: RegExp }> = [];

  return {
    useSessions: door.useSessions,
    useOperators: door.useOperators,
    ask: lineCalls(opts, door, refusalOf, onLine),
    methodsOf: (path) => [...new Set(served.filter((route) => route.path.test(path)).map((route) => route.method))],
    mount(app, call, handler, shared) {
      if (call.line) onLine.set(call.name, { call, answerTo });
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
            const { authorization, [UNATTENDED]: unattended } = req.headers;
            const shown = { token: tokenOf(authorization), attended: unattended === undefined };
            const enter = (): void => {
              try {
                door.enter(call, req, shown);
                done(null, payload);
              } catch (error) {
                done(error as Error);
              }
            };
            const looking = door.look(call, shown);
            if (looking) looking.then(enter, done);
            else enter();
          },
          handler: async (req, reply) => {
            const asked = checked(call, door, refusalOf, req, reply);
            const told = req.headers[SEEN_HEADER];
            if (told !== undefined && opts.seen) await untilSeen(opts.seen, told);
            if (call.file) return sendFile(reply, call, (await handler(asked)) as unknown as SentFile);
            if (!shared) {
              const text = JSON.stringify(await answerTo(asked));
              if (opts.seen) reply.header(SEEN_HEADER, opts.seen.seq());
              return sendOwn(req, reply, text);
            }
            const { session, params, query } = asked;
            const name = `${call.name} ${session?.world} ${JSON.stringify([params, query])}`;
            return sendShared(req, reply, await answers.get(name, async () => JSON.stringify(await answerTo(asked))));
          },
        });
      }

      async function answerTo(asked: AnyAsked): Promise<Envelope<unknown>> {
        const [data, message] = unfold(await handler(asked));
        if (config.checkReplies) checkReply(call, data);
        return message === undefined ? { statusCode: 200, data } : { statusCode: 200, message, data };
      }
    },
  };
}

/** Throws UNAVAILABLE where this server has not seen what its asker was told of elsewhere. */
async function untilSeen(seen: NonNullable<ListenerOptions['seen']>, told: unknown): Promise<void> {
  const seq = Number(told);
  if (!Number.isSafeInteger(seq) || seq < 0) throw new CodedError('BAD_INPUT', { field: SEEN_HEADER });
  if (seq <= seen.seq() || (await seen.reached(seq))) return;
  throw new CodedError('UNAVAILABLE', {
    message: 'This server is late. Please try again in a moment.',
    retryAfterS: 1,
  });
}

function checked(call: AnyCall, door: Door, refusalOf: RefusalOf, req: FastifyRequest, reply: FastifyReply): AnyAsked {
  if (call.body !== undefined && !isJsonType(req.headers['content-type'])) throw new CodedError('UNSUPPORTED_TYPE');
  const { params, body } = req;
  const deadline = req.headers[DEADLINE_HEADER];
  return Object.assign(door.pass(call, req, { params, query: queryOf(call, req), body, deadline }), {
    ip: req.ip,
    device: deviceOf(req.headers['user-agent']),
    requestId: req.id,
    refused: (error: unknown) => refusalOf(error, aboutOf(req)).body,
    req,
    header: (name: string, value: string) => void reply.header(name, value),
  }) as AnyAsked;
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
  if (typeof req.body !== 'object' || req.body === null || Array.isArray(req.body))
    throw new CodedError('BAD_INPUT', { field: 'body' });
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
