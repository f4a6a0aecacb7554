/** A program on the stream, as tests of it listen. */
import { connect } from 'node:tls';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Json } from './program-door.ts';

/** A program on the stream: what it was told, and what its markets are as it folds them. */
export class Line {
  readonly socket: { destroy: () => unknown; write: (line: string) => unknown };
  readonly told: Json[] = [];
  readonly lines: string[] = [];
  readonly books = new Map<string, Json>();
  closed = false;
  private rest = '';

  /** `ca`: the authority of the site's certificate. */
  constructor(to: { port: number; ca: string } | WebSocket) {
    this.socket = to instanceof WebSocket ? this.byWebSocket(to) : this.byTls(to);
  }

  private byTls({ port, ca }: { port: number; ca: string }) {
    const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' });
    socket.setEncoding('utf8');
    socket.on('data', (piece) => this.heard(String(piece)));
    socket.on('close', () => this.ended());
    socket.on('error', () => undefined);
    return socket;
  }

  private byWebSocket(socket: WebSocket) {
    const opened = new Promise((resolve) => socket.on('open', resolve));
    socket.on('message', (data) => this.heard((data as Buffer).toString()));
    socket.on('close', () => this.ended());
    socket.on('error', () => undefined);
    return {
      destroy: () => socket.terminate(),
      write: (line: string) => opened.then(() => socket.send(line)),
    };
  }

  private heard(piece: string): void {
    this.rest += piece;
    const lines = this.rest.split('\r\n');
    this.rest = lines.pop()!;
    for (const line of lines) {
      this.lines.push(line);
      const message = JSON.parse(line);
      this.told.push(message);
      if (message.op === 'mcm') for (const mc of message.mc ?? []) fold(this.books, mc);
    }
  }

  private ended(): void {
    this.closed = true;
  }

  send(message: object | string): void {
    this.socket.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\r\n`);
  }

  /** The first message that fits; waits for it. */
  async hears(fits: (message: Json) => boolean): Promise<Json> {
    await expect.poll(() => this.told.some(fits), { timeout: 20_000 }).toBe(true);
    return this.told.find(fits);
  }

  status = (id: number) => this.hears((one) => one.op === 'status' && one.id === id);
  changes = (id: number) => this.told.filter((one) => one.op === 'mcm' && one.id === id && one.ct !== 'HEARTBEAT');
  last = () => this.told.findLast((one) => one.clk !== undefined);
}

/** As every client of the format folds: images replace, prices are absolute, size 0 deletes. */
function fold(books: Map<string, Json>, mc: Json): void {
  const book = mc.img ? { runners: new Map() } : books.get(mc.id);
  if (!book) throw new Error(`a change of ${mc.id} before its image`);
  books.set(mc.id, book);
  if (mc.marketDefinition) book.definition = mc.marketDefinition;
  if (mc.tv !== undefined) book.tv = mc.tv;
  for (const rc of mc.rc ?? []) {
    const runner = book.runners.get(rc.id) ?? {
      atb: new Map(),
      atl: new Map(),
      trd: new Map(),
      batb: new Map(),
      batl: new Map(),
    };
    book.runners.set(rc.id, runner);
    for (const name of ['atb', 'atl', 'trd'])
      for (const [price, size] of rc[name] ?? [])
        if (size === 0) runner[name].delete(price);
        else runner[name].set(price, size);
    for (const name of ['batb', 'batl'])
      for (const [level, price, size] of rc[name] ?? [])
        if (size === 0) runner[name].delete(level);
        else runner[name].set(level, [price, size]);
    if (rc.ltp !== undefined) runner.ltp = rc.ltp;
    if (rc.tv !== undefined) runner.tv = rc.tv;
  }
}
