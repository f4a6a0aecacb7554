import { SOCKETS } from '@fairgame/contract';
import type { Socket } from 'socket.io-client';

const shapes = new Map(
  SOCKETS.flatMap(({ namespace, hears }) => hears.map((one) => [`${namespace} ${one.event}`, one] as const)),
);
/** As the documents write an event whose name carries a number or a code. */
const plain = (name: string) =>
  name
    .replace(/^liveData\d+$/, 'liveData{matchId}')
    .replace(/^cardData\w+$/, 'cardData{code}')
    .replace(/^feedData\w+$/, 'feedData{type}');

/** Holds all that a socket hears to docs/sockets.md: what does not fit, as text, goes into `misfits`. */
export function holdToDocuments(socket: Socket, misfits: string[]): void {
  const namespace = (socket as unknown as { nsp: string }).nsp;
  socket.onAny((name: string, data: unknown = {}) => {
    const told = shapes.get(`${namespace} ${plain(name)}`);
    if (!told) {
      misfits.push(`${namespace} ${name} stands in no document`);
      return;
    }
    // What crossed the wire: fields without a value are not there.
    const answer = told.shape?.safeParse(data);
    if (answer && !answer.success) misfits.push(`${namespace} ${name}: ${JSON.stringify(answer.error.issues)}`);
  });
}
