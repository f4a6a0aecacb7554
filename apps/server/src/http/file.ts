import { Readable } from 'node:stream';
import type { AnyCall } from '@fairgame/contract';
import type { FastifyReply } from 'fastify';

/** What a call of the contract that says `file` answers. */
export interface SentFile {
  /** As what it is saved. */
  name: string;
  /** Made while it is sent: a reader who is slow or gone makes no more of it. */
  chunks: AsyncIterable<string | Uint8Array>;
}

/** What goes wrong before the first part is an error as any other; later the answer is cut off, which its reader sees. */
export async function sendFile(reply: FastifyReply, call: AnyCall, { name, chunks }: SentFile): Promise<FastifyReply> {
  const parts = chunks[Symbol.asyncIterator]();
  const first = await parts.next();
  async function* all(): AsyncGenerator<string | Uint8Array> {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => parts };
  }
  return reply
    .type(call.file!)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(all(), { objectMode: false }));
}
