/** Who does not read is cut off, whatever namespace he is in (trust SEC-W3). */
import type { Socket } from 'socket.io';
import { afterEach, expect, it, vi } from 'vitest';
import { silent } from '../src/db/db.ts';
import { createCutter } from '../src/live/slow.ts';

/** A connection as the library keeps it: packets of a polling client wait in it, bytes of a websocket in its own socket. */
function connection(waiting: number, bufferedAmount?: number) {
  const conn = {
    transport: { writable: true, ...(bufferedAmount === undefined ? {} : { socket: { bufferedAmount } }) },
    writeBuffer: Array.from({ length: waiting }, () => ({ data: 'x'.repeat(1000) })),
    close: vi.fn(),
  };
  return { conn, socket: { conn } as unknown as Socket };
}

afterEach(() => vi.useRealTimers());

it('[SEC-W3] cuts who takes nothing for half a minute, and spares who reads again in time', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const cut = createCutter(silent, () => 7);
  const [dead, lazy, quick] = [connection(1), connection(1), connection(0)];
  const all = [dead, lazy, quick].map(({ socket }) => socket);
  for (let s = 0; s < 70; s++) {
    cut(all);
    lazy.conn.writeBuffer.length = s % 25 === 24 ? 0 : 1;
    vi.advanceTimersByTime(500);
  }
  expect(dead.conn.close).toHaveBeenCalledWith(true);
  expect(lazy.conn.close).not.toHaveBeenCalled();
  expect(quick.conn.close).not.toHaveBeenCalled();
});

it('[SEC-W3] cuts at once who has a megabyte waiting, on a websocket and by polling', () => {
  const cut = createCutter(silent, () => 7);
  const [polling, websocket, little] = [connection(1001), connection(1, 1_000_001), connection(900)];
  cut([polling.socket, websocket.socket, little.socket]);
  expect(polling.conn.close).toHaveBeenCalledWith(true);
  expect(websocket.conn.close).toHaveBeenCalledWith(true);
  expect(little.conn.close).not.toHaveBeenCalled();
});
