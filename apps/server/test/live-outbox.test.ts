/** What a socket is told in one turn leaves as one write. */
import { Socket } from 'socket.io';
import { expect, it, vi } from 'vitest';
import { createOutbox } from '../src/live/outbox.ts';
import { encode } from '../src/live/packet.ts';

/** A connection as the library keeps it, and the texts of each write to it. */
function connection(transport: 'websocket' | 'polling') {
  const writes: string[][] = [];
  const write = vi.fn((text: string, { wsPreEncodedFrame: frames }: { wsPreEncodedFrame?: Buffer[] }) => {
    writes.push(frames ? textsOf(Buffer.concat(frames)) : [text]);
  });
  const socket = { nsp: { name: '/' }, conn: { transport: { name: transport }, write } } as unknown as Socket;
  return { socket, writes };
}

/** The texts of short frames, without the type of the message around each. */
function textsOf(frames: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < frames.length; ) {
    const length = frames[at + 1]!;
    texts.push(frames.subarray(at + 3, at + 2 + length).toString());
    at += 2 + length;
  }
  return texts;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const ackOf = (socket: Socket) => (socket as unknown as { ack(id: number): (reply: unknown) => void }).ack(7);

it('events of a commit and the answers it releases are one write, in their order', async () => {
  const outbox = createOutbox();
  const { socket, writes } = connection('websocket');
  outbox.answers(socket);
  const answer = ackOf(socket);
  const decided = Promise.resolve();
  outbox.push(socket, encode('/', 'userMatchBetPlaced', '{"n":1}', false));
  outbox.push(socket, encode('/', 'updateUserBalance', '{"n":2}', false));
  // As a handler gives it: some promises later.
  void decided.then(async () => answer(await Promise.resolve({ statusCode: 200 })));
  expect(writes).toEqual([]);
  await nextTurn();
  expect(writes).toEqual([
    ['2["userMatchBetPlaced",{"n":1}]', '2["updateUserBalance",{"n":2}]', '37[{"statusCode":200}]'],
  ]);
  answer({ statusCode: 500 });
  outbox.push(socket, encode('/', 'updateUserBalance', '{"n":3}', false));
  await nextTurn();
  expect(writes[1]).toEqual(['2["updateUserBalance",{"n":3}]']);
  expect(writes).toHaveLength(2);
});

it('leaves at once before what goes another way, and packet by packet to who polls', async () => {
  const outbox = createOutbox();
  const { socket, writes } = connection('polling');
  outbox.push(socket, encode('/', 'addMatch', '{"n":1}', false));
  outbox.push(socket, encode('/', 'addMatch', '{"n":2}', false));
  outbox.flush();
  expect(writes).toEqual([['2["addMatch",{"n":1}]'], ['2["addMatch",{"n":2}]']]);
  await nextTurn();
  expect(writes).toHaveLength(2);
});

it('takes the place of the answers of the library as it is', () => {
  expect(Socket.prototype).toHaveProperty('ack');
});
