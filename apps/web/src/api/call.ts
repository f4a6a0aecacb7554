import {
  type AnyCall,
  type ErrorBody,
  type ErrorCode,
  type InputOf,
  type ReplyOf,
  SEEN_HEADER,
  TIME,
  UNATTENDED,
} from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { learnDate } from '../platform/clock.ts';
import { say } from '../platform/language.ts';
import { toast } from '../platform/toasts.ts';
import { authState, endSession, isUnattended } from '../session/session.ts';
import { earlyAnswer } from './early.ts';
import { baseOf, joinUrl } from './hosts.ts';
import { overLine, type Reply, requestAnswered } from './line-call.ts';

/**
 * A failed call. `status` is the HTTP status, 0 when no answer came (network, time-out).
 * `field` names the input at fault; the form shows the message there.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'NETWORK' | 'TIMEOUT' | 'CANCELED';
  readonly field: string | undefined;
  readonly current: ErrorBody['current'];
  constructor(status: number, code: ApiError['code'], message: string, field?: string, current?: ErrorBody['current']) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.field = field;
    this.current = current;
  }
  /**
   * What became of the call is not known: no answer came, or one that is not a refusal of our server (a gateway's 502, a
   * broken body), or the server itself could not tell. Only a coded refusal is proof that nothing was taken.
   */
  get unknown(): boolean {
    if (this.code === 'CANCELED') return false;
    return this.status === 0 || this.code === 'INTERNAL' || this.code === 'UNAVAILABLE';
  }
}

interface Options {
  timeoutMs?: number;
  /** No toasts: the screen shows the outcome itself, or only what went well. */
  quiet?: boolean | 'success';
  signal?: AbortSignal;
}

interface Pending {
  abort: () => void;
  promise: Promise<unknown>;
}

/** Calls after which the token is another or none: the old one ends on the server a moment before the answer is here. */
const RENEWS: readonly string[] = ['auth.verify', 'auth.changePassword'];
let renewing = 0;

const reads = new Map<string, Pending>();
const writes = new Map<string, Promise<unknown>>();

/**
 * Makes a call of the contract and answers its data. Rejects with an ApiError that carries the HTTP status.
 * A read with the same address and parameters cancels the earlier one, whose callers then get the newer answer; a
 * state-changing call with the same key joins the one on its way (decisions.md).
 */
export function api<C extends AnyCall>(call: C, input: InputOf<C>, options: Options = {}): Promise<ReplyOf<C>> {
  const parts = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: { key?: string } };
  const url = addressOf(call, parts.params, parts.query);
  const body = parts.body === undefined ? undefined : JSON.stringify(parts.body);
  if (call.method === 'GET' || call.reads) return read(call, url, body, options) as Promise<ReplyOf<C>>;

  const key = parts.body?.key;
  if (key === undefined) return send(call, url, body, options, new AbortController()) as Promise<ReplyOf<C>>;
  const id = `${url} ${key}`;
  const twin = writes.get(id);
  if (twin) return twin as Promise<ReplyOf<C>>;
  const promise = send(call, url, body, options, new AbortController()).finally(() => writes.delete(id));
  writes.set(id, promise);
  return promise as Promise<ReplyOf<C>>;
}

/** Plain text of what went wrong, for a place in the page. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : t`Something went wrong.`;
}

/** Address of a call with its parameters, in a fixed order. */
export function addressOf(
  call: AnyCall,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const name of Object.keys(query).sort()) {
    const value = query[name] as string | number | boolean | undefined;
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return joinUrl(baseOf(call.path), path) + (text ? `?${text}` : '');
}

function read(call: AnyCall, url: string, body: string | undefined, options: Options): Promise<unknown> {
  const id = `${call.method} ${url} ${body ?? ''}`;
  const earlier = reads.get(id);
  const controller = new AbortController();
  const pending: Pending = { abort: () => controller.abort('twin'), promise: Promise.resolve() };
  pending.promise = send(call, url, body, options, controller)
    .catch((error: unknown) => {
      const newer = reads.get(id);
      // Cancelled by its twin: whoever waits here is served by the newer request.
      if (error instanceof ApiError && error.code === 'CANCELED' && newer && newer !== pending) return newer.promise;
      throw error;
    })
    .finally(() => {
      if (reads.get(id) === pending) reads.delete(id);
    });
  reads.set(id, pending);
  earlier?.abort();
  return pending.promise;
}

async function send(
  call: AnyCall,
  url: string,
  body: string | undefined,
  options: Options,
  controller: AbortController,
): Promise<unknown> {
  const { authToken } = authState();
  const renews = RENEWS.includes(call.name);
  if (renews) renewing += 1;
  const timer = setTimeout(() => controller.abort('timeout'), options.timeoutMs ?? TIME.requestTimeoutMs);
  const outer = () => controller.abort('canceled');
  options.signal?.addEventListener('abort', outer, { once: true });
  try {
    const said = overLine(call, body, isUnattended());
    const overSocket = said && (await said);
    learnSeen(overSocket?.answer?.seen);
    const { status, answer } = overSocket ?? (await overHttp(call, url, body, authToken, controller.signal));
    if (status >= 200 && status < 300 && answer !== null) {
      if (call.method !== 'GET' && !call.reads && answer.message && !options.quiet) toast.success(say(answer.message));
      return answer.data;
    }
    throw refusal(call, status, answer, options, authToken);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw noAnswer(call, controller.signal, options);
  } finally {
    if (renews) renewing -= 1;
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', outer);
  }
}

/** How far the servers that answered knew the site's log: the next one must know it as far. */
let seen = 0;
/** How often in a row none knew it as far. A site that was brought back to an earlier moment never will again. */
let behind = 0;
const BEHIND_MOST = 5;

/** Headers with how far that is. */
export const withSeen = (headers: Record<string, string> = {}): Record<string, string> =>
  seen > 0 ? { ...headers, [SEEN_HEADER]: String(seen) } : headers;

function learnSeen(told: string | number | null | undefined): void {
  seen = Math.max(seen, Number(told) || 0);
}

function learnBehind(status: number): void {
  behind = status === 503 ? behind + 1 : 0;
  if (behind >= BEHIND_MOST) seen = 0;
}

async function overHttp(
  call: AnyCall,
  url: string,
  body: string | undefined,
  authToken: string | null,
  signal: AbortSignal,
): Promise<Reply> {
  const early = call.method === 'GET' ? earlyAnswer(url, authToken, signal) : null;
  const response =
    (early && (await early)) ??
    (await fetch(url, {
      method: call.method,
      headers: {
        'Cache-Control': 'no-cache',
        'Content-Type': 'application/json',
        ...(authToken ? { Authorization: `Bearer ${authToken}` } : {}),
        ...(isUnattended() ? { [UNATTENDED]: '1' } : {}),
        ...withSeen(),
      },
      signal,
      credentials: 'omit',
      ...(body === undefined ? {} : { body }),
    }));
  requestAnswered();
  learnDate(response.headers.get('date'));
  learnSeen(response.headers.get(SEEN_HEADER));
  learnBehind(response.status);
  return { status: response.status, answer: (await response.json().catch(() => null)) as Reply['answer'] };
}

function refusal(
  call: AnyCall,
  status: number,
  answer: Partial<ErrorBody> | null,
  options: Options,
  token: string | null,
): ApiError {
  const message = answer?.message ? say(answer.message) : t`The server gave no readable answer.`;
  const error = new ApiError(status, answer?.code ?? 'INTERNAL', message, answer?.field, answer?.current);
  // The logout call itself may meet a session that is already over; that is no news. Nor is a token that was given up for a
  // new one while this call was on its way.
  const stale = (renewing > 0 && !RENEWS.includes(call.name)) || token !== authState().authToken;
  if (status === 401 && call.name !== 'auth.logout' && !stale) endSession('ended');
  else if (options.quiet !== true && status !== 401) toast.error(message);
  return error;
}

function noAnswer(call: AnyCall, signal: AbortSignal, options: Options): ApiError {
  if (signal.reason === 'twin' || signal.reason === 'canceled') {
    console.info(`canceled: ${call.name}`);
    return new ApiError(0, 'CANCELED', 'Canceled.');
  }
  const error =
    signal.reason === 'timeout'
      ? new ApiError(0, 'TIMEOUT', t`The server took too long to answer.`)
      : new ApiError(0, 'NETWORK', t`No answer from the server. Check your connection.`);
  if (options.quiet !== true) toast.error(error.message);
  return error;
}
