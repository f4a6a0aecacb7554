/** A client's tab as far as its sockets go: one connection for events, calls and prices, to the site's one address. */
import { createServer, connect as dial, type Socket as Line } from 'node:net';
import { CALLS, type Frame, type LiveImages, RECONNECT } from '@fairgame/contract';
import { Manager, type Socket } from 'socket.io-client';
import type { LineAnswer } from '../src/http/http.ts';
import { Client } from './price-client.ts';

/** Gives each new connection to the first of the gateways that says that it is ready, as a balancer does. */
export async function balance(gateways: ReadonlyArray<{ url: string }>): Promise<{ url: string; close(): void }> {
  const open = new Set<Line>();
  const server = createServer((line) => {
    const keep = (one: Line): void => {
      open.add(one);
      one.on('error', () => one.destroy()).on('close', () => open.delete(one));
    };
    keep(line);
    void firstReady(gateways).then((url) => {
      if (url === undefined || line.destroyed) return void line.destroy();
      const on = dial(Number(url.port), url.hostname);
      keep(on);
      line.pipe(on).pipe(line);
      on.on('close', () => line.destroy());
      line.on('close', () => on.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      for (const line of open) line.destroy();
    },
  };
}

async function firstReady(gateways: ReadonlyArray<{ url: string }>): Promise<URL | undefined> {
  for (const { url } of gateways) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return new URL(url);
  }
  return undefined;
}

export class Tab {
  readonly prices = new Client();
  /** Of the gateways that told it prices, in order. */
  readonly epochs: number[] = [];
  /** Changes that came without the image they are against. */
  readonly wrong: string[] = [];
  /** When this tab should come back, once it was told. */
  readonly sentAway: Promise<number>;
  private readonly manager: Manager;
  private readonly main: Socket;
  private readonly match: Socket;

  constructor(url: string, token: string, matchId: number) {
    this.manager = new Manager(url, {
      ...RECONNECT,
      reconnectionDelay: 50,
      reconnectionDelayMax: 200,
      transports: ['websocket'],
    });
    const auth = { token, matchIdArray: String(matchId), frames: '1' };
    this.main = this.manager.socket('/', { auth });
    this.match = this.manager.socket('/match', { auth });
    this.sentAway = new Promise((resolve) =>
      this.main.on('reconnectSoon', ({ afterMs }: { afterMs: number }) => resolve(afterMs)),
    );
    this.match.on('connect', () => this.match.emit('watch', { full: [matchId], head: [] }));
    this.match.onAny((_name, message: LiveImages | Frame) => this.take(message));
  }

  /** As the client does it: the library finds its transport gone and opens another. */
  move(): void {
    this.manager.engine.close();
  }

  /** Asks over the socket; nothing where that is gone before the answer is here. */
  ask(call: keyof typeof CALLS.bets, body: object): Promise<LineAnswer | undefined> {
    const { name } = CALLS.bets[call];
    const answered = this.main.timeout(30_000).emitWithAck('call', { call: name, body }) as Promise<LineAnswer>;
    return answered.catch(() => undefined);
  }

  /** The frame that came last says that prices are old. */
  get isLate(): boolean {
    return this.prices.frames.at(-1)?.h === 'late';
  }

  close(): void {
    this.main.disconnect();
    this.match.disconnect();
  }

  private take(message: LiveImages | Frame): void {
    if (this.epochs.at(-1) !== message.e) this.epochs.push(message.e);
    const { held, epoch } = this.prices;
    if ('images' in message) this.prices.images(message);
    else {
      for (const { id, b, d } of message.m)
        if (d && (epoch !== message.e || held.get(id)?.seq !== b)) this.wrong.push(JSON.stringify([message.e, id, b]));
      this.prices.frame(message);
    }
  }
}
