/** Cuts off who does not read: what waits for him would grow in this process, whatever namespace it is for. */
import type { Socket } from 'socket.io';
import type { Log } from '../db/db.ts';
import { buffered, writable } from './packet.ts';

const SLOW_BYTES = 1_000_000;
const SLOW_MS = 30_000;

/**
 * Asked twice a second with all sockets. A connection that takes nothing for half a minute, or has a megabyte waiting, is
 * cut off: its client comes back and asks for what it missed.
 */
export function createCutter(log: Log, userOf: (socket: Socket) => number): (sockets: Iterable<Socket>) => void {
  const slowSince = new WeakMap<Socket['conn'], number>();
  return (sockets) => {
    const now = performance.now();
    for (const socket of sockets) {
      const { conn } = socket;
      if (writable(socket)) {
        slowSince.delete(conn);
        continue;
      }
      const since = slowSince.get(conn) ?? now;
      slowSince.set(conn, since);
      if (buffered(socket) <= SLOW_BYTES && now - since <= SLOW_MS) continue;
      log.info({ user: userOf(socket) }, 'a slow reader is cut off');
      // Its transport, not its session: it comes back by itself.
      conn.close(true);
    }
  };
}
