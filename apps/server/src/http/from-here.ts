import type { IncomingMessage } from 'node:http';

const LOCAL = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
/** A proxy on this machine says for whom it speaks. */
const FOR_OTHERS = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded'];

/** Whether it comes from this machine itself: over no network, and not through a proxy. */
export const isFromHere = ({ socket, headers }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean =>
  LOCAL.has(socket.remoteAddress ?? '') && FOR_OTHERS.every((name) => headers[name] === undefined);
