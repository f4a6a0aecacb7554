import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The desktop's service of notifications, as Chromium on Linux finds it: over a message bus (the D-Bus specification) on a socket of the
 * test's own. What the browser wants shown is noted here, and pressed as a person presses it: to the browser it is a true press, which
 * no script of a page and no tool of the browser can make.
 */
export interface Notices {
  /** For `DBUS_SESSION_BUS_ADDRESS` of the browser. */
  address: string;
  /** What stands there now, oldest first. */
  shown(): Array<{ id: number; title: string; body: string }>;
  press(id: number): void;
  close(): Promise<void>;
}

/** Names on the bus: the browser's, and this service's. */
const GUEST = ':1.1';
const OWN = ':1.2';
const SERVICE = 'org.freedesktop.Notifications';
const CALL = 1;
const RETURN = 2;
const ERROR = 3;
const SIGNAL = 4;
/** Fields of a message's head. */
const FIELD = { path: 1, interface: 2, member: 3, error: 4, replyTo: 5, to: 6, from: 7, signature: 8 } as const;

export async function startNotices(): Promise<Notices> {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-bus-'));
  const shown = new Map<number, { id: number; title: string; body: string }>();
  const lines = new Set<Line>();
  const server = createServer((socket) => {
    const line = new Line(socket, shown);
    lines.add(line);
    socket.on('close', () => lines.delete(line)).on('error', () => undefined);
  });
  const path = join(folder, 'bus');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    address: `unix:path=${path}`,
    shown: () => [...shown.values()],
    press: (id) => {
      for (const line of lines) line.signal('ActionInvoked', 'us', [id, 'default']);
    },
    close: async () => {
      for (const line of lines) line.end();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One connection of the browser. */
class Line {
  private readonly socket: Socket;
  private readonly shown: Map<number, { id: number; title: string; body: string }>;
  private unread: Buffer = Buffer.alloc(0);
  private isIn = false;
  private serial = 0;

  constructor(socket: Socket, shown: Line['shown']) {
    this.socket = socket;
    this.shown = shown;
    socket.on('data', (piece) => {
      this.unread = Buffer.concat([this.unread, piece]);
      if (!this.isIn) this.greet();
      if (this.isIn) this.read();
    });
  }

  end(): void {
    this.socket.destroy();
  }

  signal(member: string, signature: string, values: readonly Value[]): void {
    this.send(
      SIGNAL,
      { path: '/org/freedesktop/Notifications', interface: SERVICE, member, from: OWN },
      signature,
      values,
    );
  }

  /** Whoever reaches the socket is let in. */
  private greet(): void {
    for (;;) {
      const end = this.unread.indexOf('\r\n');
      if (end < 0) return;
      const said = this.unread.subarray(0, end).toString('latin1').replace(/^\0/, '');
      this.unread = this.unread.subarray(end + 2);
      if (said === 'BEGIN') {
        this.isIn = true;
        return;
      }
      this.socket.write(said.startsWith('AUTH EXTERNAL') ? 'OK 0123456789abcdef0123456789abcdef\r\n' : 'ERROR\r\n');
    }
  }

  private read(): void {
    while (this.unread.length >= 16) {
      const bodyLength = this.unread.readUInt32LE(4);
      const start = aligned(16 + this.unread.readUInt32LE(12), 8);
      if (this.unread.length < start + bodyLength) return;
      const head = readHead(this.unread.subarray(0, start));
      const body = new Reader(this.unread.subarray(start, start + bodyLength));
      this.unread = this.unread.subarray(start + bodyLength);
      if (head.type === CALL) this.answer(head, body);
    }
  }

  private answer({ serial, member, flags }: Head, body: Reader): void {
    const reply = (signature: string, ...values: Value[]) => {
      // Bit 1: nobody waits for it.
      if ((flags & 1) === 0) this.send(RETURN, { replyTo: serial, from: OWN, to: GUEST }, signature, values);
    };
    if (member === 'Hello') reply('s', GUEST);
    else if (member === 'NameHasOwner') reply('b', body.text() === SERVICE);
    else if (member === 'GetNameOwner' && body.text() === SERVICE) reply('s', OWN);
    else if (member === 'ListNames' || member === 'ListActivatableNames') reply('as', [SERVICE]);
    else if (member === 'StartServiceByName') reply('u', 2);
    else if (member === 'RequestName') reply('u', 1);
    else if (member === 'AddMatch' || member === 'RemoveMatch') reply('');
    else if (member === 'GetCapabilities') reply('as', ['actions', 'body']);
    else if (member === 'GetServerInformation') reply('ssss', 'test', 'test', '1', '1.2');
    else if (member === 'Notify') reply('u', this.show(body));
    else if (member === 'CloseNotification') {
      this.shown.delete(body.number());
      reply('');
    } else
      this.send(ERROR, { error: 'org.freedesktop.DBus.Error.UnknownMethod', replyTo: serial, from: OWN, to: GUEST });
  }

  private show(body: Reader): number {
    body.text();
    const before = body.number();
    body.text();
    const id = before || Math.max(0, ...this.shown.keys()) + 1;
    this.shown.set(id, { id, title: body.text(), body: body.text() });
    return id;
  }

  private send(
    type: number,
    fields: Partial<Record<keyof typeof FIELD, Value>>,
    signature = '',
    values: readonly Value[] = [],
  ) {
    const body = new Writer();
    for (const [at, kind] of kindsIn(signature).entries()) body.put(kind, values[at]!);
    const head = new Writer();
    head.bytes(0x6c, type, 0, 1);
    head.put('u', body.length);
    head.put('u', ++this.serial);
    const all = { ...fields, ...(signature && { signature }) };
    const listed = new Writer();
    for (const [name, value] of Object.entries(all) as Array<[keyof typeof FIELD, Value]>) listed.field(name, value);
    head.put('u', listed.length);
    this.socket.write(Buffer.concat([head.done(), listed.done(8), body.done()]));
  }
}

type Value = string | number | boolean | string[];

interface Head {
  type: number;
  flags: number;
  serial: number;
  member: string;
}

function readHead(bytes: Buffer): Head {
  const reader = new Reader(bytes, 16);
  const end = 16 + bytes.readUInt32LE(12);
  let member = '';
  while (reader.at < end) {
    reader.align(8);
    const field = reader.byte();
    const kind = reader.signature();
    const value = kind === 'u' ? String(reader.number()) : kind === 'g' ? reader.signature() : reader.text();
    if (field === FIELD.member) member = value;
  }
  return { type: bytes[1]!, flags: bytes[2]!, serial: bytes.readUInt32LE(8), member };
}

const aligned = (at: number, by: number): number => Math.ceil(at / by) * by;
const kindsIn = (signature: string): string[] => signature.match(/a?[a-z]/g) ?? [];

class Reader {
  at: number;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  align(by: number): void {
    this.at = aligned(this.at, by);
  }

  byte(): number {
    return this.bytes[this.at++]!;
  }

  number(): number {
    this.align(4);
    this.at += 4;
    return this.bytes.readUInt32LE(this.at - 4);
  }

  text(): string {
    return this.take(this.number());
  }

  signature(): string {
    return this.take(this.byte());
  }

  private take(length: number): string {
    const said = this.bytes.toString('utf8', this.at, this.at + length);
    this.at += length + 1;
    return said;
  }
}

class Writer {
  length = 0;
  private readonly pieces: Buffer[] = [];

  bytes(...values: number[]): void {
    this.add(Buffer.from(values));
  }

  put(kind: string, value: Value): void {
    if (kind === 'as') {
      const list = new Writer();
      for (const one of value as string[]) list.put('s', one);
      this.put('u', list.length);
      this.add(list.done());
    } else {
      this.align(4);
      const text = Buffer.from(typeof value === 'string' ? `${value}\0` : '');
      const number = Buffer.alloc(4);
      number.writeUInt32LE(typeof value === 'string' ? text.length - 1 : Number(value));
      this.add(Buffer.concat([number, text]));
    }
  }

  field(name: keyof typeof FIELD, value: Value): void {
    this.align(8);
    const kind = name === 'path' ? 'o' : name === 'replyTo' ? 'u' : name === 'signature' ? 'g' : 's';
    this.bytes(FIELD[name], 1, kind.charCodeAt(0), 0);
    if (kind === 'g') this.bytes(String(value).length, ...Buffer.from(String(value)), 0);
    else this.put(kind, value);
  }

  done(alignment = 1): Buffer {
    this.align(alignment);
    return Buffer.concat(this.pieces);
  }

  private align(by: number): void {
    this.add(Buffer.alloc(aligned(this.length, by) - this.length));
  }

  private add(piece: Buffer): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }
}
