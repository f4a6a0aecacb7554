/**
 * Calls over the open socket, where that is faster than a request: a connection that was not used for a while is closed, and a
 * request would have to open another first, which takes two or three ways there and back before the bet itself.
 */
import { type AnyCall, type Envelope, type ErrorBody, type LineCall, TIME } from '@fairgame/contract';

type LineAnswer = Envelope<unknown> | ErrorBody;
/** What came back of a call, whichever way it went; without an `answer` it was nothing readable. */
export interface Reply {
  status: number;
  answer: ({ message?: string; data?: unknown; seen?: number } & Partial<ErrorBody>) | null;
}
/** Says the call; null at once when the line is not there, null later when it ended or was silent for `ms`. */
export type SayCall = (message: LineCall, ms: number) => Promise<LineAnswer | null> | null;

/** A line that says nothing for so long is given up: its network may be gone, and a request finds another way. */
const SILENT_MS = 2500;
/** The server may have closed the connection a little before it said it would. */
const MARGIN_MS = 2000;

let say: SayCall | null = null;
let usedAt = Number.NEGATIVE_INFINITY;

/** Whoever keeps the line offers it, and takes it back with null. */
export function offerLine(given: SayCall | null): void {
  say = given;
}

/** A request was answered: its connection is open for another. */
export function requestAnswered(): void {
  usedAt = performance.now();
}

/** The answer over the line; null where a request is to be made, under the same key: nothing is done twice. */
export function overLine(call: AnyCall, body: string | undefined, unattended: boolean): Promise<Reply | null> | null {
  if (!say || !call.line || body === undefined) return null;
  if (performance.now() - usedAt < TIME.keepAliveMs - MARGIN_MS) return null;
  const message: LineCall = { call: call.name, body: JSON.parse(body), ...(unattended ? { unattended } : {}) };
  const said = say(message, SILENT_MS);
  return said && said.then((answer) => answer && { status: answer.statusCode, answer });
}
