/**
 * What is on its way to sockets: all that one socket is told in one turn of the program, events and answers alike, leaves as
 * one write, in the order it was put. A write costs more than all else that is done for a bet.
 */
import type { Socket } from 'socket.io';
import { encodeAnswer, type Packet, writeAll } from './packet.ts';

export interface Outbox {
  /** Leaves when all is done that follows at once from what is done now. */
  push(socket: Socket, packet: Packet): void;
  /** Leaves now: before something that goes another way and must not come first. */
  flush(): void;
  /** What the socket asks is answered through here, too. */
  answers(socket: Socket): void;
}

export function createOutbox(): Outbox {
  const waiting = new Map<Socket, Packet[]>();
  let isDue = false;

  function push(socket: Socket, packet: Packet): void {
    const packets = waiting.get(socket);
    if (packets) packets.push(packet);
    else waiting.set(socket, [packet]);
    if (isDue) return;
    isDue = true;
    // Behind the promises that are kept now: the answers to what the same commit holds.
    queueMicrotask(() => process.nextTick(flush));
  }

  function flush(): void {
    isDue = false;
    for (const [socket, packets] of waiting) writeAll(socket, packets);
    waiting.clear();
  }

  return {
    push,
    flush,
    answers(socket) {
      const ack = (id: number) => {
        let isGiven = false;
        return (reply: unknown): void => {
          if (isGiven) return;
          isGiven = true;
          push(socket, encodeAnswer(socket.nsp.name, id, JSON.stringify(reply)));
        };
      };
      // Private to the library's types; a library that asked by another name would answer by itself, and as well.
      Object.assign(socket, { ack });
    },
  };
}
