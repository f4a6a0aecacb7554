/**
 * Prices to many sockets: SOCKETS sockets each watching 5 of 40 markets that change 10 times a second, through the whole
 * server (feed, core, commit, image, frame). Then a server of plain `ws` sends as many frames of the same size to as many
 * sockets, in the same run.
 *
 * - `fanout.latency.p99`: from the feed's word to the client's socket, for every socket, market and change;
 * - `fanout.delivered`: share of (socket, market) whose last change arrived;
 * - `fanout.cpu`: share of a core the sockets cost (the same feed without sockets taken off) beside what `ws` takes.
 *
 * `npm run bench -- fanout [--sockets 1000] [--seconds 20]`. Server and clients are processes of their own.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WebSocketServer } from 'ws';
import { EVENTS, FIRST_SIZE, openPriceSite } from './price-site.ts';
import { heard } from './processes.ts';
import { type OnText, openRawLine, type RawLine } from './raw-line.ts';
import { percentile, report, round } from './report.ts';

const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    role: { type: 'string', default: 'lead' },
  },
});
const SOCKETS = Number(values.sockets);
const SECONDS = Number(values.seconds);
const WATCHED = 5;
/** Prime to the number of markets: every set has five different ones, and there are 320 sets. */
const STEPS = [1, 3, 7, 9, 11, 13, 17, 19];
const TURN_MS = 100;
const GOAL_P99_MS = 250;
const FRAME = Buffer.from('42/match,["frame"');
const PIECE_BYTES = 64 * 1024 * 1024;

const now = (): number => performance.timeOrigin + performance.now();
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Message = Record<string, unknown> & { what: string };

if (values.role === 'server') await server();
else if (values.role === 'ws') await plainServer();
else if (values.role === 'client') await client();
else await lead();

async function lead(): Promise<void> {
  const site = child('server');
  const ready = await heard<Message>(site, 'ready');
  const idle = await ask(site, { what: 'measure', seconds: 5 }, 'measured');
  const clients = child('client');
  clients.send({ what: 'connect', url: ready.url, token: ready.token, eventIds: ready.eventIds });
  await heard<Message>(clients, 'connected');
  await pause(1000);
  const busy = await ask(site, { what: 'measure', seconds: SECONDS, counting: true }, 'measured');
  await pause(1500);
  const got = await ask(clients, { what: 'tell', ticks: busy.ticks }, 'told');
  await stop(clients);
  await stop(site);

  const plain = child('ws');
  const open = await heard<Message>(plain, 'ready');
  const readers = child('client');
  readers.send({ what: 'connect', url: open.url, token: '', eventIds: [] });
  await heard<Message>(readers, 'connected');
  const framesPerTurn = (got.frames as number) / ((SECONDS * 1000) / TURN_MS);
  const bytes = Math.round((got.bytes as number) / (got.frames as number));
  const baseline = await ask(plain, { what: 'measure', seconds: SECONDS, framesPerTurn, bytes }, 'measured');
  await stop(readers);
  await stop(plain);

  const more = {
    sockets: SOCKETS,
    framesPerSecond: Math.round((got.frames as number) / SECONDS),
    bytesPerFrame: bytes,
  };
  const p99 = round(got.p99 as number, 1);
  report({
    name: 'fanout.latency.p99',
    unit: 'ms',
    value: p99,
    baseline: GOAL_P99_MS,
    ratio: round(GOAL_P99_MS / p99),
    p50: round(got.p50 as number, 1),
    ...more,
  });
  report({
    name: 'fanout.delivered',
    unit: 'share',
    value: round(got.delivered as number, 4),
    baseline: 1,
    ratio: round(got.delivered as number, 4),
    gaps: got.gaps,
  });
  // What the sockets cost: the same feed without them is taken off, turn by turn.
  const feedMs = ((idle.cpuMs as number) / (idle.turns as number)) * (busy.turns as number);
  const perFrameUs = (((busy.cpuMs as number) - feedMs) * 1000) / (got.frames as number);
  const plainUs = ((baseline.cpuMs as number) * 1000) / (baseline.sent as number);
  const share = (us: number) => round((us * (got.frames as number)) / SECONDS / 1e6, 3);
  report({
    name: 'fanout.cpu',
    unit: 'share of a core',
    value: share(perFrameUs),
    baseline: share(plainUs),
    ratio: round(plainUs / perFrameUs),
    usPerFrame: round(perFrameUs, 1),
    usPerFrameOfWs: round(plainUs, 1),
    maxRssMb: busy.rssMb,
  });
  process.exit(0);
}

/** The whole server with 40 events, each with one order book, and a feed that changes all of them every turn. */
async function server(): Promise<void> {
  const site = await openPriceSite();
  const url = await site.app.http.listen();
  let tick = 0;
  let counted: number[] | null = null;
  setInterval(() => {
    tick += 1;
    counted?.push(tick, now());
    site.tell(tick);
  }, TURN_MS);
  process.on('message', (message: Message) => {
    void (async () => {
      if (message.what === 'stop') {
        await site.close();
        process.exit(0);
      }
      if (message.counting) counted = [];
      const before = tick;
      const cpuMs = await cpuTime(message.seconds as number);
      const ticks = counted;
      counted = null;
      const rssMb = Math.round(process.memoryUsage.rss() / 1e6);
      process.send!({ what: 'measured', cpuMs, turns: tick - before, ticks, rssMb });
    })();
  });
  process.send!({ what: 'ready', url, token: site.token, eventIds: EVENTS });
}

/** Frames of a given size and number to every socket, each built once a turn for each socket, as different sets need. */
async function plainServer(): Promise<void> {
  const wss = new WebSocketServer({ port: 0, perMessageDeflate: false });
  await new Promise<void>((resolve) => wss.once('listening', () => resolve()));
  process.on('message', (message: Message) => {
    void (async () => {
      if (message.what === 'stop') process.exit(0);
      const bytes = message.bytes as number;
      const perTurn = message.framesPerTurn as number;
      const sockets = [...wss.clients];
      let due = 0;
      let at = 0;
      const timer = setInterval(() => {
        for (due += perTurn; due >= 1; due--) {
          const socket = sockets[at++ % sockets.length]!;
          socket.send(`${at % 10}${'x'.repeat(bytes - 1)}`);
        }
      }, TURN_MS);
      const cpuMs = await cpuTime(message.seconds as number);
      clearInterval(timer);
      process.send!({ what: 'measured', cpuMs, sent: at });
    })();
  });
  const { port } = wss.address() as { port: number };
  process.send!({ what: 'ready', url: `http://127.0.0.1:${port}` });
}

/** What this process uses of the processor in so many seconds, ms. */
async function cpuTime(seconds: number): Promise<number> {
  const from = process.cpuUsage();
  await pause(seconds * 1000);
  const used = process.cpuUsage(from);
  return (used.user + used.system) / 1000;
}

/**
 * Raw sockets that speak just enough of the protocol; what they cost must not hide what the server does. So a frame that comes is
 * only noted with its time, and read when all is over.
 */
async function client(): Promise<void> {
  let frames = 0;
  let bytes = 0;
  let gaps = 0;
  let sockets: RawLine[] = [];
  /** By socket and watched market: change number and when it came. */
  const arrivals: number[][][] = [];
  const seqs: Array<Map<number, number>> = [];
  const watches: number[][] = [];
  const came = createNotes();

  function read(index: number, at: number, text: string): void {
    const watched = watches[index]!;
    const frame = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf(']'))) as {
      m: Array<{ id: number; s: number; b: number; d?: { runners?: Array<{ back?: Array<[number, number]> }> } }>;
    };
    for (const part of frame.m) {
      const known = seqs[index]!.get(part.id);
      if (known !== undefined && part.d && part.b !== known) gaps += 1;
      seqs[index]!.set(part.id, part.s);
      const size = part.d?.runners?.[0]?.back?.[0]?.[1];
      if (size !== undefined && size > FIRST_SIZE)
        arrivals[index]![watched.indexOf(part.id - 1000)]?.push(size - FIRST_SIZE, at);
    }
  }

  async function connect(url: string, token: string, eventIds: number[]): Promise<void> {
    const address = url.replace('http', 'ws');
    for (let i = 0; i < SOCKETS; i++) {
      const step = STEPS[Math.floor(i / EVENTS.length) % STEPS.length]!;
      const watched = Array.from({ length: WATCHED }, (_, k) => eventIds[(i + k * step) % EVENTS.length]!);
      watches.push(watched);
      arrivals.push(watched.map(() => []));
      seqs.push(new Map());
      const query = `EIO=4&transport=websocket&matchIdArray=${watched.join(',')}&roleName=user&frames=1`;
      await new Promise<void>((resolve, reject) => {
        const listen: OnText = (raw, from, to, line) => {
          if (!token) return;
          if (isFrame(raw, from, to)) {
            frames += 1;
            bytes += to - from;
            came.note(i, raw, from, to);
            return;
          }
          const text = raw.toString('utf8', from, to);
          if (text === '2') line.send('3');
          else if (text.startsWith('0')) line.send(`40/match,${JSON.stringify({ token })}`);
          else if (text.startsWith('40')) {
            line.send(`42/match,${JSON.stringify(['watch', { full: [], head: watched }])}`);
            resolve();
          } else if (text.startsWith('44')) reject(new Error(text));
        };
        openRawLine(new URL(token ? `${address}/socket.io/?${query}` : address), listen).then((line) => {
          sockets.push(line);
          if (!token) resolve();
        }, reject);
      });
    }
    frames = 0;
    bytes = 0;
    process.send!({ what: 'connected' });
  }

  function tell(ticks: number[]): Message {
    came.each(read);
    const sent = new Map<number, number>();
    for (let i = 0; i < ticks.length; i += 2) sent.set(ticks[i]!, ticks[i + 1]!);
    const last = Math.max(...sent.keys());
    const delays: number[] = [];
    let whole = 0;
    let all = 0;
    for (const perMarket of arrivals)
      for (const list of perMarket) {
        all += 1;
        let next = Math.min(...sent.keys());
        for (let i = 0; i < list.length; i += 2)
          // A frame with a later change brings the earlier ones with it.
          for (; next <= list[i]!; next++) {
            const at = sent.get(next);
            if (at !== undefined) delays.push(list[i + 1]! - at);
          }
        if (next > last) whole += 1;
      }
    return {
      what: 'told',
      frames,
      bytes,
      gaps,
      p50: percentile(delays, 50),
      p99: percentile(delays, 99),
      delivered: whole / all,
    };
  }

  process.on('message', (message: Message) => {
    if (message.what === 'connect')
      connect(message.url as string, message.token as string, message.eventIds as number[]).catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
    else if (message.what === 'tell') process.send!(tell(message.ticks as number[]));
    else {
      for (const socket of sockets) socket.end();
      sockets = [];
      process.exit(0);
    }
  });
  await Promise.resolve();
}

const isFrame = (raw: Buffer, from: number, to: number): boolean =>
  to - from > FRAME.length && raw.compare(FRAME, 0, FRAME.length, from, from + FRAME.length) === 0;

/**
 * What came, without an object for each: hundreds of thousands of them would keep the collector of garbage busy. A text that the one
 * before it of the same watch equals is not kept again.
 */
function createNotes() {
  const pieces: Buffer[] = [Buffer.alloc(PIECE_BYTES)];
  let used = 0;
  /** By watch: piece, beginning and end of its last text. */
  const last = Array.from({ length: EVENTS.length * STEPS.length }, () => [0, 0, 0] as [number, number, number]);
  let notes = new Float64Array(1 << 22).fill(0);
  let size = 0;

  function placeOf(watch: number, raw: Buffer, from: number, to: number): [number, number, number] {
    const [piece, start, end] = last[watch]!;
    if (end - start === to - from && raw.compare(pieces[piece]!, start, end, from, to) === 0) return last[watch]!;
    if (used + to - from > PIECE_BYTES) {
      pieces.push(Buffer.alloc(PIECE_BYTES));
      used = 0;
    }
    raw.copy(pieces.at(-1)!, used, from, to);
    used += to - from;
    last[watch] = [pieces.length - 1, used - (to - from), used];
    return last[watch];
  }

  return {
    note(index: number, raw: Buffer, from: number, to: number): void {
      const at = now();
      const [piece, start, end] = placeOf(index % last.length, raw, from, to);
      if (size + 5 > notes.length) {
        const more = new Float64Array(notes.length * 2);
        more.set(notes);
        notes = more;
      }
      notes[size++] = index;
      notes[size++] = at;
      notes[size++] = piece;
      notes[size++] = start;
      notes[size++] = end;
    },
    each(read: (index: number, at: number, text: string) => void): void {
      for (let i = 0; i < size; i += 5) {
        const [piece, from, to] = [notes[i + 2]!, notes[i + 3]!, notes[i + 4]!];
        read(notes[i]!, notes[i + 1]!, pieces[piece]!.toString('utf8', from, to));
      }
    },
  };
}

function child(role: string): ChildProcess {
  const made = fork(fileURLToPath(import.meta.url), [
    '--role',
    role,
    '--sockets',
    String(SOCKETS),
    '--seconds',
    String(SECONDS),
  ]);
  made.on('exit', (code) => {
    if (code) {
      console.error(`the ${role} process ended with ${code}`);
      process.exit(1);
    }
  });
  return made;
}

function ask(to: ChildProcess, message: Message, answer: string): Promise<Message> {
  const told = heard<Message>(to, answer);
  to.send(message);
  return told;
}

function stop(one: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    one.on('exit', () => resolve());
    one.send({ what: 'stop' });
  });
}
