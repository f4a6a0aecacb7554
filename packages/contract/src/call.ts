import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { Right } from './rights.ts';

/**
 * Who may make a call.
 * - public: anyone;
 * - pending: a session, also one whose security code or forced password change is still due;
 * - player: a whole session, real or demo;
 * - real: a whole session that is not a demo;
 * - operator: a person behind the site, with the call's `right`.
 */
export type Who = 'public' | 'pending' | 'player' | 'real' | 'operator';

export type Method = 'GET' | 'POST';
type Schema = z.ZodMiniType;
type Out<S> = S extends Schema ? z.output<S> : undefined;

export interface Call<P = unknown, Q = unknown, B = unknown, R = unknown> {
  /** Unique name, used in code, logs and metrics. */
  name: string;
  method: Method;
  /** Below /api, with :params. Spelled as in the specification. */
  path: string;
  who: Who;
  summary: string;
  params: P;
  query: Q;
  body: B;
  /** The `data` of the envelope. */
  reply: R;
  /** Codes of its own, beside those every call may answer (shape, session, pace). */
  errors: readonly ErrorCode[];
  /** The body has a client-made `key`; the same key acts once. */
  keyed?: boolean;
  /**
   * Of an operator call: the right it needs. `any`: every person who is wholly signed in; `entering`: also who has still to
   * set up the second factor.
   */
  right?: Right | 'any' | 'entering';
  /** Of an operator call: the second factor must have been given in the last quarter of an hour. */
  proof?: boolean;
  /** A read made by POST: its success is no news to the player (no toast), and a twin may be cancelled. */
  reads?: boolean;
  /** Also served under these paths. */
  aliases?: readonly string[];
  /** A GET that is also answered by POST, with its query as the body. */
  alsoPost?: boolean;
  /** A POST without params and query that is also taken over the open socket (`lineCall`). */
  line?: boolean;
  /** The field of the body that holds several instructions, each counted by what limits the pace of a player. */
  many?: string;
  /** Its success is a file of this type, without an envelope; its failures are those of every call. */
  file?: string;
}

/** Made by operators and their programs, never by a player's client. */
export const isOperators = (call: Call): boolean => call.who === 'operator' || call.path.startsWith('/operator/');

type Left = 'params' | 'query' | 'body' | 'errors';
interface Spec<P, Q, B, R> extends Omit<Call<P, Q, B, R>, 'name' | Left>, Partial<Pick<Call<P, Q, B, R>, Left>> {}

/** Makes the one object that route, client, validation and documents of a call come from. */
export function call<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema = Schema,
>(name: string, spec: Spec<P, Q, B, R>): Call<P, Q, B, R> {
  return {
    name,
    ...spec,
    params: spec.params as P,
    query: spec.query as Q,
    body: spec.body as B,
    errors: spec.errors ?? [],
  };
}

export type AnyCall = Call<Schema | undefined, Schema | undefined, Schema | undefined, Schema>;
export type ParamsOf<C extends AnyCall> = Out<C['params']>;
export type QueryOf<C extends AnyCall> = Out<C['query']>;
export type BodyOf<C extends AnyCall> = Out<C['body']>;
export type ReplyOf<C extends AnyCall> = z.output<C['reply']>;

/** What a caller passes: only the parts the call has. */
export type InputOf<C extends AnyCall> = (C['params'] extends Schema ? { params: z.input<C['params']> } : unknown) &
  (C['query'] extends Schema ? { query?: z.input<C['query']> } : unknown) &
  (C['body'] extends Schema ? { body: z.input<C['body']> } : unknown);

/** The envelope of every answer. */
export interface Envelope<T> {
  statusCode: number;
  message?: string;
  data: T;
}

// ------------------------------------------------------------------------------------------- common pieces

/** Positive safe integer in a body. */
export const id = () => z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER));
/** The same as text, in a path or query. */
export const idText = () => z.string().check(z.regex(/^[1-9]\d{0,15}$/));
/** Money in minor units: 1/100 of the currency of the account. */
export const minor = () => z.int().check(z.meta({ unit: 'minor units' }));
/** Decimal odds in hundredths (1.85 is 185); in markets that quote rates the whole rate per 100. */
export const odds = () => z.int().check(z.meta({ unit: 'hundredths' }));
/** Money a player names: more than nothing, at most ten billion minor units. */
export const stakeMinor = () => z.int().check(z.minimum(1), z.maximum(10_000_000_000), z.meta({ unit: 'minor units' }));
/** What a number market counts: runs, goals, points. */
export const runs = () => z.int().check(z.meta({ unit: 'runs' }));
/** Made by the client for every act that moves money or bets: 16 to 64 characters. */
export const key = () => z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/));
export const text = (max: number) => z.string().check(z.maxLength(max));
export const page = () => z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/)));
export const limit = () => z.optional(z.string().check(z.regex(/^([1-9]\d?|100)$/)));
/** Languages of the client, by their tags. */
export const languageTag = z.enum(['en', 'hi', 'bn', 'ta', 'te', 'mr', 'pt-BR', 'es', 'ur']);
export type LanguageTag = z.output<typeof languageTag>;
/** Whose days and hours they are, as Europe/Berlin; by default the player's own, UTC where none is known. */
export const timeZone = () => z.optional(z.string().check(z.maxLength(60)));
export const CSV = 'text/csv; charset=utf-8';
/** Filter text in a query; read by parseFilter on the server. */
export const filterText = () => z.optional(z.string().check(z.maxLength(2000)));
export const sortText = () => z.optional(z.string().check(z.maxLength(200)));
export const keyword = () => z.optional(z.string().check(z.maxLength(100)));
/** Dates of requests: ISO date or date with time, UTC when no offset is given. */
export const isoDate = () =>
  z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/));
/** Nothing to say beyond the message. */
export const nothing = z.null();

export function paged<T extends Schema>(row: T) {
  return z.object({ rows: z.array(row), total: z.int(), page: z.int(), limit: z.int() });
}

/**
 * A request may say until when its asker wants it, in the server's time (milliseconds since 1970, as in the frames of prices):
 * after that it is refused with UNAVAILABLE and nothing is taken, wherever it has waited.
 */
export const DEADLINE_HEADER = 'x-request-deadline';
