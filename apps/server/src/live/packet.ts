/**
 * Socket.IO events encoded by hand from JSON text, so that one text serves every socket that gets the same. The packet is
 * the protocol's own (type 2, namespace, JSON array); on a websocket the whole frame is made once, as the library does for
 * its rooms, on a polling transport the packet goes the usual way.
 */
import type { Socket } from 'socket.io';

export interface Packet {
  /** Without the number of what it is about: it is counted by it. Null for an answer. */
  event: string | null;
  text: string;
  /** The same options object for every socket: the library reads the frame from it. */
  options: { compress: false; wsPreEncodedFrame?: Buffer[] };
}

/** `json` is the one argument of the event, as JSON text. `shared`: more than one socket gets it. */
export function encode(namespace: string, event: string, json: string, shared: boolean): Packet {
  const name = event.replace(/\d+$/, '');
  const text = `2${prefix(namespace)}["${event}",${json}]`;
  if (!shared) return { event: name, text, options: { compress: false } };
  return { event: name, text, options: { compress: false, wsPreEncodedFrame: [frame(text)] } };
}

/** The answer to what a client asked under this number (type 3). */
export function encodeAnswer(namespace: string, id: number, json: string): Packet {
  return { event: null, text: `3${prefix(namespace)}${id}[${json}]`, options: { compress: false } };
}

const prefix = (namespace: string): string => (namespace === '/' ? '' : `${namespace},`);

type Conn = Socket['conn'];
interface Inside {
  writeBuffer?: Array<{ data?: string | { length: number } }>;
  transport: { writable: boolean; socket?: { bufferedAmount?: number } };
}
const inside = (conn: Conn): Inside => conn as unknown as Inside;

/** True when the last packet has left this process and nothing waits: only then may a price go out. */
export function writable(socket: Socket): boolean {
  const conn = inside(socket.conn);
  return conn.transport.writable && (conn.writeBuffer?.length ?? 0) === 0;
}

/** Bytes that wait in this process for a slow reader. */
export function buffered(socket: Socket): number {
  const { transport, writeBuffer = [] } = inside(socket.conn);
  // What a polling client has not fetched yet, and what a websocket has not sent.
  return writeBuffer.reduce((sum, { data }) => sum + (data?.length ?? 0), transport.socket?.bufferedAmount ?? 0);
}

/** Events that this process sent to a socket, by name. */
export const sent: Record<string, number> = {};

export function write(socket: Socket, packet: Packet): void {
  count(packet);
  send(socket, packet);
}

function count({ event }: Packet): void {
  if (event !== null) sent[event] = (sent[event] ?? 0) + 1;
}

function send(socket: Socket, packet: Pick<Packet, 'text' | 'options'>): void {
  // The library types only what its users need; `write` takes options as its own rooms pass them.
  socket.conn.write(packet.text, packet.options as Parameters<Conn['write']>[1]);
}

/** Several events to one socket, in their order: on a websocket one write, however many they are. */
export function writeAll(socket: Socket, packets: readonly Packet[]): void {
  const [first] = packets;
  if (!first || packets.length === 1 || socket.conn.transport.name !== 'websocket') {
    for (const packet of packets) write(socket, packet);
    return;
  }
  for (const packet of packets) count(packet);
  send(socket, { text: first.text, options: { compress: false, wsPreEncodedFrame: [framesOf(packets)] } });
}

/** All of them in one buffer. */
function framesOf(packets: readonly Packet[]): Buffer {
  let size = 0;
  const lengths = packets.map(({ text, options }) => {
    const made = options.wsPreEncodedFrame?.[0];
    // With the 4 before it.
    const length = made ? made.length : 1 + Buffer.byteLength(text);
    size += made ? length : headOf(length) + length;
    return length;
  });
  const buffer = Buffer.allocUnsafe(size);
  let at = 0;
  packets.forEach(({ text, options }, i) => {
    const made = options.wsPreEncodedFrame?.[0];
    at = made ? at + made.copy(buffer, at) : putFrame(buffer, at, text, lengths[i]!);
  });
  return buffer;
}

/** The whole frame of a packet that more than one socket gets. */
function frame(text: string): Buffer {
  const length = 1 + Buffer.byteLength(text);
  const buffer = Buffer.allocUnsafe(headOf(length) + length);
  putFrame(buffer, 0, text, length);
  return buffer;
}

const headOf = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10);

/** A whole unmasked text frame (RFC 6455, 5.2) of a packet behind its 4, `length` bytes in all; answers where it ends. */
function putFrame(buffer: Buffer, start: number, text: string, length: number): number {
  const head = headOf(length);
  buffer[start] = 0x81;
  if (head === 2) buffer[start + 1] = length;
  else if (head === 4) {
    buffer[start + 1] = 126;
    buffer.writeUInt16BE(length, start + 2);
  } else {
    buffer[start + 1] = 127;
    buffer.writeUInt32BE(0, start + 2);
    buffer.writeUInt32BE(length, start + 6);
  }
  buffer[start + head] = 0x34;
  buffer.write(text, start + head + 1, 'utf8');
  return start + head + length;
}
