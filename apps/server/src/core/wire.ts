/** What goes between the process that leads and those that follow it: committed batches, and requests with their answers. */
import { performance } from 'node:perf_hooks';
import { CodedError, type ErrorBody, type ErrorCode } from '@fairgame/contract';
import { LOGIC_VERSION } from '@fairgame/exchange';
import type { PackedAnswer } from './answers.ts';
import type { Batch } from './batch.ts';
import { type Logged, type Packed, unpackItems } from './log.ts';
import type { Answer, Request } from './types.ts';

/** The stream of committed batches. */
export const LOG_STREAM = 'core';
/** Where the same batches are told by the shortest way: who misses one has it from the stream or from the database. */
export const LOG_NOW = 'now.core';

/** Names a batch on its way. */
export const toldId = (epoch: number, first: number): string => `${epoch}:${first}`;

/** Whether the message is of a batch that who stands at `at` has, so that it need not be read. */
export function isKnown(id: string, at: { epoch: number; seq: number }): boolean {
  const [epoch, first] = id.split(':').map(Number);
  return epoch === at.epoch && first! <= at.seq;
}

/** Where a leader takes requests: no other ever takes one that was meant for it, not even after it was frozen. */
export const askedAt = (owner: string): string => `cmd.${owner}`;

/** A batch as it stands in the log, told after its commit. */
export interface Told {
  epoch: number;
  /** Names the process that leads. */
  owner: string;
  /** It has given its place back. */
  leaves?: true;
  /** It was off the bus: answers of it may be lost. */
  back?: true;
  /** First and last command. Where none is between them the leader only says that it leads. */
  first: number;
  last: number;
  logic: number;
  /** The commands; null where they are too large for a message, and stand in the database only. */
  items: Logged[] | null;
  /** Of the state behind it, where the log notes one. */
  hash: string | null;
}

/** A message takes a megabyte. */
const MOST_BYTES = 900_000;

type Head = Omit<Told, 'items'>;

export function packTold(
  batch: Pick<Batch, 'first' | 'last' | 'logged'>,
  from: Pick<Told, 'epoch' | 'owner' | 'leaves' | 'back'>,
): Buffer {
  const { first, last } = batch;
  const { kept, short, hash } = batch.logged;
  const head: Head = { ...from, first, last, logic: LOGIC_VERSION, hash };
  const isLarge = (kept?.length ?? 0) + (short?.length ?? 0) > MOST_BYTES / 3;
  return Buffer.from(`[${JSON.stringify(head)},${isLarge ? 'null' : `[${kept ?? '[]'},${short ?? '[]'}]`}]`);
}

export function unpackTold(body: Uint8Array): Told {
  const [head, bodies] = JSON.parse(Buffer.from(body).toString()) as [Head, Packed[][] | null];
  const items = bodies?.flatMap(unpackItems).sort((a, b) => a.seq - b.seq) ?? null;
  return { ...head, items };
}

interface Refused {
  code: ErrorCode;
  message: string;
  field?: string | undefined;
  current?: ErrorBody['current'];
  retryAfterS?: number | undefined;
}

export type Ask =
  | { do: 'submit'; request: Request }
  | { do: 'refuse'; request: Request; error: Refused }
  | { do: 'answerOf' | 'isBurnt' | 'burn'; actor: string; key: string }
  | { do: 'ids'; count: number };

/**
 * What a leader can be asked for: one of an older program leaves out what it does not know, without a word. It says its number with
 * each block of ids. 1: before it was said. 2: payouts within bounds (`Request.within`).
 */
export const WIRE = 2;

/** A block of ids that a leader gives, and its number. */
export interface Given {
  first: number;
  wire: number;
}

/** `taken`: the answer under a key, as it is kept. `value`: any other Answer, null, whether a key is burnt, or the first of the ids. */
export type Reply =
  | { taken: PackedAnswer; replayed?: true }
  | { value: Answer | boolean | number | null; wire?: number }
  | { refused: Refused };

/** Of a request's time goes what is left: a moment of this process' clock says nothing to another. */
export function packAsk(ask: Ask): string {
  if (!('request' in ask) || ask.request.expiresAt === undefined) return JSON.stringify(ask);
  return JSON.stringify({ ...ask, leftMs: ask.request.expiresAt - performance.now() });
}

export function unpackAsks(body: Uint8Array): Ask[] {
  return unpackTexts<Ask & { leftMs?: number }>(body).map(({ leftMs, ...ask }) => {
    if ('request' in ask && leftMs !== undefined) ask.request.expiresAt = performance.now() + leftMs;
    return ask;
  });
}

export function packError(error: unknown): Refused {
  const { code, message, field, current, retryAfterS } =
    error instanceof CodedError ? error : new CodedError('INTERNAL');
  return { code, message, field, current, retryAfterS };
}

export function unpackError({ code, ...more }: Refused): CodedError {
  return new CodedError(code, more as ConstructorParameters<typeof CodedError>[1]);
}

/** How many of the texts, from the first on, one message takes; at least one. */
export function fitting(texts: readonly string[]): number {
  const fit = capped(texts, '').indexOf('');
  return fit < 0 ? texts.length : Math.max(1, fit);
}

/** The texts that one message takes, `instead` in place of those that are too much. */
export function capped(texts: readonly string[], instead: string): string[] {
  let room = MOST_BYTES;
  return texts.map((text) => {
    const bytes = Buffer.byteLength(text);
    if (bytes > room) return instead;
    room -= bytes;
    return text;
  });
}

export const packTexts = (texts: readonly string[]): Buffer => Buffer.from(`[${texts.join()}]`);

export function unpackTexts<T>(body: Uint8Array): T[] {
  return JSON.parse(Buffer.from(body).toString()) as T[];
}
