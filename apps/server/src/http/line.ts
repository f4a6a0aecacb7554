/**
 * Calls over an open socket: the same door, handler, answer and refusals as when they are posted, without the cost of a request.
 * A call is served so where its contract says `line`.
 */
import { performance } from 'node:perf_hooks';
import {
  type AnyCall,
  CodedError,
  type Envelope,
  type ErrorBody,
  lineCall,
  type LineCall as Message,
} from '@fairgame/contract';
import type { AnyAsked } from './asked.ts';
import type { Comer, Door } from './door.ts';
import { restarting } from './ending.ts';
import { FieldTwice, refuseHostile } from './input.ts';
import type { ListenerOptions } from './options.ts';
import type { RefusalOf } from './refusals.ts';
import { requestId } from './request-id.ts';
import { surelyFits } from './surely-fits.ts';

export interface LineCall {
  call: AnyCall;
  answerTo: (asked: AnyAsked) => Promise<Envelope<unknown>>;
}

/** The socket a call comes from. */
export interface LineFrom {
  token: string;
  ip: string;
  device: string;
}

/** What the POST would answer; `seen` and `retryAfterS` are its headers. */
export type LineAnswer = (Envelope<unknown> & { seen?: number }) | (ErrorBody & { retryAfterS?: number });
/** Never rejects. */
export type Ask = (from: LineFrom, message: unknown) => Promise<LineAnswer>;

export function lineCalls(
  opts: ListenerOptions,
  door: Door,
  refusalOf: RefusalOf,
  calls: ReadonlyMap<string, LineCall>,
): Ask {
  const { ending, metrics, log, callLog = log } = opts;

  return async (from, message) => {
    const startedAt = performance.now();
    const id = requestId();
    const comer: Comer = { ip: from.ip, fairSession: null };
    let name: string | undefined;
    const about = () => ({ requestId: id, ip: from.ip, call: name, session: comer.fairSession });
    metrics?.started();
    ending.began();
    let answer: LineAnswer;
    try {
      if (ending.draining()) throw restarting();
      const { found, body, deadline, unattended } = read(calls, message);
      const { call, answerTo } = found;
      name = call.name;
      const shown = { token: from.token, attended: unattended !== true };
      const looking = door.look(call, shown);
      if (looking) await looking;
      door.enter(call, comer, shown);
      refuseHostile(body);
      const passed = door.pass(call, comer, { params: undefined, query: undefined, body, deadline });
      const { ip, device } = from;
      const refused = (error: unknown) => refusalOf(error, about()).body;
      const told: LineAnswer = await answerTo(
        Object.assign(passed, { ip, device, requestId: id, refused }) as AnyAsked,
      );
      if (opts.seen) told.seen = opts.seen.seq();
      answer = told;
    } catch (error) {
      const { body, retryAfterS } = refusalOf(error, about());
      answer = retryAfterS === undefined ? body : { ...body, retryAfterS };
    }
    ending.answered();
    const ms = performance.now() - startedAt;
    const status = answer.statusCode;
    metrics?.answered(name ?? 'none', 'LINE', status, ms / 1000);
    callLog.info(
      {
        call: name ?? 'none',
        method: 'LINE',
        status,
        ms: Math.round(ms),
        user: comer.fairSession?.userId,
        requestId: id,
      },
      'call',
    );
    return answer;
  };
}

/** Throws BAD_INPUT, UNKNOWN_FIELD for another shape, NOT_FOUND for a call that is not served here. */
function read(calls: ReadonlyMap<string, LineCall>, message: unknown) {
  FieldTwice.refuse(message);
  const result = surelyFits(lineCall, message)
    ? { success: true as const, data: message as Message }
    : lineCall.safeParse(message);
  if (!result.success) {
    const [issue] = result.error.issues;
    if (issue?.code === 'unrecognized_keys') throw new CodedError('UNKNOWN_FIELD', { field: issue.keys[0] });
    throw new CodedError('BAD_INPUT', { field: issue?.path.map(String).join('.') || 'call' });
  }
  const { call, body, deadline, unattended } = result.data;
  const found = calls.get(call);
  if (!found) throw new CodedError('NOT_FOUND', { field: 'call' });
  return { found, body, deadline, unattended };
}
