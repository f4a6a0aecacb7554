/**
 * The wallet's addresses for providers: what is the same in every dialect. A call must be signed with a live key, by a clock
 * within five minutes of ours and under a nonce not seen in ten minutes; at most 50 of a provider are worked on at a time;
 * each is answered within 2.5 s, by RETRY where it is not decided by then (the same transaction id then tells the outcome).
 * A movement that is sent again while the first is at work waits for the first, and is no second work.
 */
import { CodedError } from '@fairgame/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db, Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { ProviderMetrics } from '../ops/ops.ts';
import {
  type CallAnswer,
  type Dialect,
  Malformed,
  type Opened,
  type RawRequest,
  type WalletCall,
} from './adapters/dialect.ts';
import type { ProviderWallet } from './movement.ts';
import { createNonces, type Nonces } from './nonces.ts';

const SKEW_MS = 5 * 60_000;
const ANSWER_MS = 2500;
const MOST_AT_ONCE = 50;
const BODY_LIMIT = 64 * 1024;

export interface CallbackOptions {
  db: Pick<Db, 'query'>;
  provider: string;
  dialect: Dialect;
  wallet: ProviderWallet;
  clock: () => number;
  log: Log;
  metrics: ProviderMetrics | undefined;
  /** No: no new session and no stake; what is under way still ends. */
  open(): boolean;
  /** For tests: how long an answer may take. */
  answerMs?: number;
}

export function callbackRoutes(http: Http, opts: CallbackOptions): void {
  const { provider, dialect, clock, log, metrics } = opts;
  const nonces = createNonces(opts);
  let atWork = 0;
  /** Calls whose nonce is being noted. */
  let entering = 0;
  /** Movements at work, by all that is said of them. */
  const moving = new Map<string, Promise<CallAnswer>>();

  /** Begins the work, or joins the same one; null where there is too much of it. */
  function workOn(call: WalletCall): Promise<CallAnswer> | null {
    const name = 'movement' in call ? JSON.stringify(call) : null;
    const first = name === null ? undefined : moving.get(name);
    if (first) return first.then((answer) => (answer.code === 'OK' ? { ...answer, repeated: true } : answer));
    if (atWork >= MOST_AT_ONCE) return null;
    atWork += 1;
    // Work that outlasts its answer still counts: it is what the bound is for.
    const work = carryOut(opts, call).finally(() => {
      atWork -= 1;
      if (name !== null) moving.delete(name);
    });
    if (name !== null) moving.set(name, work);
    return work;
  }

  async function answerTo(call: WalletCall): Promise<CallAnswer> {
    const work = workOn(call);
    if (!work) return { code: 'RETRY' };
    const late = deadline(opts.answerMs ?? ANSWER_MS);
    try {
      return await Promise.race([work, late.reached]);
    } catch (error) {
      log.error({ err: error, provider, op: call.op }, 'a call of a provider was not decided');
      return { code: 'RETRY' };
    } finally {
      late.off();
      work.catch(() => undefined);
    }
  }

  async function serve(req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const started = performance.now();
    const raw = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const request: RawRequest = { headers: req.headers, raw, call: (req.params as { call?: string }).call ?? '' };
    const opened = dialect.open(request);
    // What nobody can work on is not brought before the database either.
    if (opened && entering >= MOST_AT_ONCE) {
      metrics?.called(provider, 'unread', 'RETRY', (performance.now() - started) / 1000);
      return say(reply, request, opened, { code: 'RETRY' });
    }
    entering += 1;
    const refused = await whyNot(opened, clock(), nonces).finally(() => {
      entering -= 1;
    });
    if (refused !== null) {
      log.info({ security: 'provider-call', provider, reason: refused, ip: req.ip }, 'security');
      http.refused(req);
      metrics?.called(provider, 'unsigned', 'INVALID_SIGNATURE', (performance.now() - started) / 1000);
      return reply.code(401).type('application/json').send(dialect.unsigned);
    }
    let op = 'unread';
    let answer: CallAnswer;
    try {
      const call = dialect.read(request, opened!);
      op = call.op;
      answer = await answerTo(call);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      log.warn({ provider, field: error.message }, 'a call of a provider is not of its dialect');
      answer = { code: error.code };
    }
    metrics?.called(provider, op, answer.code, (performance.now() - started) / 1000);
    return say(reply, request, opened!, answer);
  }

  function say(reply: FastifyReply, request: RawRequest, opened: Opened, answer: CallAnswer): FastifyReply {
    const { text, headers } = dialect.write(request, opened, answer);
    if (answer.code === 'RETRY') reply.header('retry-after', '1');
    return reply
      .code(answer.code === 'RETRY' ? 503 : 200)
      .headers(headers)
      .type('application/json')
      .send(text);
  }

  // The signature is over the bytes as they came, so this corner of the server does not parse them first.
  void http.app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_req, body, done) =>
      done(null, body),
    );
    scope.post(dialect.path, { config: { callName: `provider.${provider}`, pace: 'provider' } }, serve);
  });
}

async function whyNot(opened: Opened | null, now: number, nonces: Nonces): Promise<string | null> {
  if (!opened) return 'signature';
  if (Math.abs(now - opened.at) > SKEW_MS) return 'clock';
  return (await nonces.take(opened.nonce)) ? null : 'replay';
}

async function carryOut(opts: CallbackOptions, call: WalletCall): Promise<CallAnswer> {
  const { provider, wallet, log } = opts;
  if (!opts.open() && (call.op === 'debit' || call.op === 'debitCredit' || call.op === 'authenticate'))
    return { code: 'INVALID_GAME' };
  try {
    switch (call.op) {
      case 'authenticate': {
        const answer = await wallet.authenticate(provider, call.token);
        if (!answer.session || answer.session.game === call.game) return answer;
        // The token is spent; a session for another game than it was made for is none.
        await wallet.sessionEnd(provider, answer.session.sessionId);
        return { code: 'INVALID_GAME' };
      }
      case 'balance':
        return await wallet.balance(provider, call.sessionId);
      case 'sessionEnd':
        return await wallet.sessionEnd(provider, call.sessionId);
      case 'debit':
        return await wallet.debit(call.movement);
      case 'credit':
        return await wallet.credit(call.movement);
      case 'debitCredit':
        return await wallet.debitCredit(call.movement);
      case 'rollback':
        return await wallet.rollback(call.movement);
      case 'promoCredit':
        return await wallet.promoCredit(call.movement);
      case 'roundEnd':
        return await wallet.roundEnd(call.movement);
    }
  } catch (error) {
    // Whether anything was taken is not known here: the same transaction id tells when the call comes again.
    const known = error instanceof CodedError && (error.code === 'BUSY' || error.code === 'UNAVAILABLE');
    if (!known) log.error({ err: error, provider, op: call.op }, 'a call of a provider failed');
    return { code: 'RETRY' };
  }
}

function deadline(ms: number): { reached: Promise<CallAnswer>; off(): void } {
  let timer: ReturnType<typeof setTimeout>;
  const reached = new Promise<CallAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ code: 'RETRY' }), ms);
  });
  return { reached, off: () => clearTimeout(timer) };
}
