import { isDeepStrictEqual } from 'node:util';
import type { AnyCall } from '@fairgame/contract';

/** Throws where the data of a good answer, as it crosses the wire, lacks what the contract says or tells what it does not. */
export function checkReply(call: AnyCall, data: unknown): void {
  const wire: unknown = JSON.parse(JSON.stringify(data));
  const read = call.reply.safeParse(wire);
  if (!read.success)
    throw new Error(`reply of ${call.name} does not fit the contract: ${JSON.stringify(read.error.issues)}`);
  // Reading leaves out what the contract does not name.
  if (!isDeepStrictEqual(read.data, wire))
    throw new Error(`reply of ${call.name} tells more than the contract: ${JSON.stringify(wire)}`);
}
