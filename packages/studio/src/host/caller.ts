/** Sends a signed call to the operator, with the faults on purpose of chaos.ts on the way. */
import { type Chaos, happens } from './chaos.ts';

export interface SignedCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The header that carries the signature. */
  readonly signedBy: string;
}

export interface CallReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Rejects where no answer came in time. */
export type Send = (call: SignedCall) => Promise<CallReply>;

export function createSend(timeoutMs: number, chaos: Chaos): Send {
  const post = async (call: SignedCall): Promise<CallReply> => {
    const response = await fetch(call.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...call.headers },
      body: call.body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  return async (call) => {
    const { badSignature, replay, lostReply } = chaos;
    if (happens(badSignature)) await post(broken(call)).catch(() => {});
    const reply = await post(call);
    // The very same bytes again: the operator must see the nonce.
    if (happens(replay)) await post(call).catch(() => {});
    if (happens(lostReply)) throw new Error('The answer was lost on purpose.');
    return reply;
  };
}

function broken(call: SignedCall): SignedCall {
  const signature = call.headers[call.signedBy] ?? '';
  const first = signature.startsWith('0') ? '1' : '0';
  return { ...call, headers: { ...call.headers, [call.signedBy]: first + signature.slice(1) } };
}
