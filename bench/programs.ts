/**
 * The door for programs. The stream: SUBSCRIBERS connections with all 40 markets of a feed that changes them 10 times a second, and
 * as many sockets of the website that watch the same, in the same server. Then orders: two players whose bots meet each other, by
 * calls of one instruction and by calls of 200.
 *
 * - `programs.orders`: bets a second by calls of 200 beside single calls;
 * - `programs.stream.p99`: from the feed's word to the line read by a subscriber, every one, market and change;
 * - `programs.stream.cpu`: processor time of a message beside a frame of the website with the same markets (the feed alone taken off).
 *
 * `npm run bench -- programs [--subscribers 500] [--seconds 10]`. Server and subscribers are processes of their own.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CALLS } from '@fairgame/contract';
import { WebSocket } from 'ws';
import { Exchange, type Instruction, type PlaceReport, type Report } from '../examples/bot/exchange.ts';
import { EVENTS, FIRST_SIZE, openPriceSite } from './price-site.ts';
import { heard } from './processes.ts';
import { percentile, report, round } from './report.ts';

const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
    role: { type: 'string', default: 'lead' },
  },
});
const SUBSCRIBERS = Number(values.subscribers);
const SECONDS = Number(values.seconds);
const TURN_MS = 100;
/** Of one key, and of one address. */
const PER_KEY = 10;
const PER_ADDRESS = 50;
const GOAL_P99_MS = 100;
const GOAL_TIMES = 3;
const GOAL_CPU = 2;
const PASSWORD = 'bots-of-a-bench-4';

const now = (): number => performance.timeOrigin + performance.now();
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Access {
  appKey: string;
  token: string;
}
type Message = Record<string, unknown> & { what: string };
type Ready = Message & { calls: string; stream: string; url: string; siteToken: string; players: Access[] };

// Neither outlives who started it.
if (values.role !== 'lead') process.once('disconnect', () => process.exit(0));
if (values.role === 'server') await server();
else if (values.role === 'client') client();
else await lead();

async function lead(): Promise<void> {
  const site = child('server');
  const ready = await heard<Ready>(site, 'ready');
  site.send({ what: 'run' });
  // The first turns are slower than all that follow.
  await pause(3000);
  const subscribers = child('client');
  const streamed = await watched(site, subscribers, { ...ready, what: 'subscribe' });
  await stop(subscribers);
  await pause(1000);
  const sockets = child('client');
  const framed = await watched(site, sockets, { ...ready, what: 'watch' });
  await stop(sockets);
  await pause(1000);
  // When all of it is as quick as it was under them.
  const idle = await measure(site);
  site.send({ what: 'rest' });
  // Last: the tables are swept for a while after so many bets, and that is no cost of the stream.
  await orders(ready);
  await stop(site);

  const p99 = round(streamed.p99, 1);
  report({
    name: 'programs.stream.p99',
    unit: 'ms',
    value: p99,
    baseline: GOAL_P99_MS,
    ratio: round(GOAL_P99_MS / p99),
    p50: round(streamed.p50, 1),
    delivered: round(streamed.delivered, 4),
    subscribers: SUBSCRIBERS,
  });
  const each = (one: Watched) =>
    ((one.cpuMs - (idle.cpuMs / idle.turns) * one.turns) * 1000) / Math.max(1, one.messages);
  report({
    name: 'programs.stream.cpu',
    unit: 'us a message',
    value: round(each(streamed), 1),
    baseline: round(each(framed), 1),
    ratio: round(each(framed) / each(streamed)),
    goal: 1 / GOAL_CPU,
    // Of a turn, whole: with nobody, the stream's and the website's readers.
    turnMs: [idle, streamed, framed].map((one) => round(one.cpuMs / one.turns, 1)).join(),
    messages: streamed.messages,
    bytes: Math.round(streamed.bytes / Math.max(1, streamed.messages)),
    frames: framed.messages,
    bytesOfFrame: Math.round(framed.bytes / Math.max(1, framed.messages)),
  });
  process.exit(0);
}

/** Backs of one and lays of the other at one price, so that all of them are matched. */
async function orders({ calls, stream, players }: Ready): Promise<void> {
  const bots = players.slice(0, 2).map(({ appKey, token }) => {
    const exchange = new Exchange({ base: calls, stream, appKey });
    exchange.token = token;
    return exchange;
  });
  const marketId = `1.${200_000_000 + EVENTS[0]! + 1000}`;
  let refs = 0;
  const instruction = (bot: number): Instruction => ({
    orderType: 'LIMIT',
    selectionId: EVENTS[0]! * 10 + 2,
    side: bot === 0 ? 'BACK' : 'LAY',
    customerOrderRef: `n${++refs}`,
    limitOrder: { size: 2, price: 3, persistenceType: 'LAPSE' },
  });
  const rate = async (count: number, together: number): Promise<number> => {
    const [began, until] = [performance.now(), performance.now() + (SECONDS * 1000) / 2];
    let placed = 0;
    const one = async (n: number) => {
      for (let turn = n; performance.now() < until; turn++) {
        const bot = turn % 2;
        const instructions = Array.from({ length: count }, () => instruction(bot));
        const told = await bots[bot]!.rest<Report<PlaceReport>>('betting', 'placeOrders', { marketId, instructions });
        if (told.status !== 'SUCCESS') throw new Error(`not placed: ${told.errorCode}`);
        placed += told.instructionReports.length;
      }
    };
    await Promise.all(Array.from({ length: together }, (_, n) => one(n)));
    return (placed * 1000) / (performance.now() - began);
  };
  await rate(1, 32);
  const single = await rate(1, 32);
  const many = await rate(200, 4);
  report({
    name: 'programs.orders',
    unit: 'bets/s',
    value: Math.round(many),
    baseline: Math.round(single),
    ratio: round(many / single),
    goal: GOAL_TIMES,
  });
}

interface Measured extends Message {
  cpuMs: number;
  turns: number;
  ticks: number[];
}
interface Watched extends Measured {
  messages: number;
  bytes: number;
  p50: number;
  p99: number;
  delivered: number;
}

async function measure(site: ChildProcess, seconds = SECONDS): Promise<Measured> {
  const answer = heard<Measured>(site, 'measured');
  site.send({ what: 'measure', seconds });
  return answer;
}

async function watched(site: ChildProcess, clients: ChildProcess, wish: Message): Promise<Watched> {
  const connected = heard(clients, 'connected');
  clients.send(wish);
  await connected;
  await pause(1000);
  const counting = heard(clients, 'counting');
  clients.send({ what: 'count' });
  await counting;
  const busy = await measure(site);
  const counted = heard(clients, 'counted');
  clients.send({ what: 'counted' });
  await counted;
  // The last change may be under way.
  await pause(1500);
  const answer = heard<Watched>(clients, 'told');
  clients.send({ what: 'tell', ticks: busy.ticks });
  return { ...busy, ...(await answer) };
}

async function server(): Promise<void> {
  const site = await openPriceSite(0, { PROGRAMS_PORT: '0', PROGRAMS_STREAM_PORT: '0' });
  const url = await site.app.http.listen();
  const told = (await site.app.programs.listen())!;
  const [calls, stream] = [told.calls, told.stream!];
  let tick = 0;
  let ticks: number[] = [];
  const turn = () => {
    ticks.push(++tick, now());
    site.tell(tick);
  };
  // A silent feed would stop all betting.
  let feed = setInterval(turn, 2000);
  const go = (ms: number) => {
    clearInterval(feed);
    feed = setInterval(turn, ms);
  };
  const count = Math.max(2, Math.ceil(SUBSCRIBERS / PER_KEY));
  const players = await Promise.all(Array.from({ length: count }, (_, n) => player(n)));
  process.on('message', (message: Message) => {
    void (async () => {
      if (message.what === 'stop') {
        await site.close();
        process.exit(0);
      }
      if (message.what === 'run') go(TURN_MS);
      if (message.what === 'rest') go(2000);
      if (message.what !== 'measure') return;
      ticks = [];
      const from = process.cpuUsage();
      await pause((message.seconds as number) * 1000);
      const used = process.cpuUsage(from);
      process.send!({ what: 'measured', cpuMs: (used.user + used.system) / 1000, turns: ticks.length / 2, ticks });
    })();
  });
  process.send!({ what: 'ready', calls, stream, url, siteToken: site.token, players });

  async function player(n: number): Promise<Access> {
    const { auth, core, http } = site.app;
    const userName = `bot${n}`;
    const created = { userName, password: PASSWORD, forceChangePassword: false, actor: 'bench' };
    const { userId } = await auth.createPlayer(created);
    const deposit = { amountMinor: 10_000_000_000, reason: 'deposit', text: 'Bench' } as const;
    const command = { type: 'account.transfer', accountId: userId, ...deposit } as const;
    await core.submit({ world: 'real', actor: 'bench', command });
    const inject = async (path: string, payload: object, headers = {}) =>
      (await http.app.inject({ method: 'POST', url: `/api${path}`, payload, headers })).json<{
        data: { token: string; key: string };
      }>().data;
    const { token } = await inject(CALLS.auth.login.path, { userName, password: PASSWORD });
    const body = { name: 'bench', rights: 'bet', addresses: [] };
    const { key } = await inject(CALLS.programs.create.path, body, { authorization: `Bearer ${token}` });
    const exchange = new Exchange({ base: calls, stream, appKey: key });
    await exchange.login(userName, PASSWORD);
    exchange.close();
    return { appKey: key, token: exchange.token };
  }
}

/** Subscribers or sockets. They look for one figure of each market and parse nothing, or they would be what is measured. */
function client(): void {
  let messages = 0;
  let bytes = 0;
  let counts = false;
  /** By subscriber: change number and when it came. */
  const arrivals: number[][] = [];
  const took = (index: number, text: string) => {
    if (counts) {
      messages += 1;
      bytes += text.length;
    }
    const size = sizeIn(text);
    if (size !== null) arrivals[index]!.push(size, now());
  };
  process.on('message', (message: Message) => {
    const failed = (error: unknown) => {
      console.error(error);
      process.exit(1);
    };
    if (message.what === 'stop') process.exit(0);
    if (message.what === 'subscribe' || message.what === 'watch') {
      for (let n = 0; n < SUBSCRIBERS; n++) arrivals.push([]);
      const open = message.what === 'subscribe' ? subscribe : watch;
      open(message as Ready, took).then(() => process.send!({ what: 'connected' }), failed);
    }
    if (message.what === 'count') {
      counts = true;
      process.send!({ what: 'counting' });
    }
    if (message.what === 'counted') {
      counts = false;
      process.send!({ what: 'counted' });
    }
    if (message.what === 'tell') process.send!({ what: 'told', messages, bytes, ...delays(message.ticks as number[]) });
  });

  function delays(ticks: number[]) {
    const found: number[] = [];
    let whole = 0;
    const [first, last] = [ticks[0]!, ticks.at(-2)!];
    for (const list of arrivals) {
      let next = first;
      // Images came before the first change that counts.
      for (let at = 0; at < list.length; at += 2)
        // A message with a later change brings the earlier ones with it.
        for (; next <= Math.min(last, list[at]!); next++) found.push(list[at + 1]! - ticks[(next - first) * 2 + 1]!);
      if (next > last) whole += 1;
    }
    return { p50: percentile(found, 50), p99: percentile(found, 99), delivered: whole / arrivals.length };
  }
}

/** The number of the change that a message brings of its last market; all change together. No other size begins so. */
function sizeIn(text: string): number | null {
  const at = text.lastIndexOf(',100');
  const found = at < 0 ? null : /^,([\d.]+)/.exec(text.slice(at, at + 16));
  if (!found) return null;
  const size = Number(found[1]);
  // Decimal on the stream, minor units in a frame.
  const minor = size < FIRST_SIZE / 10 ? Math.round(size * 100) : size;
  return minor > FIRST_SIZE ? minor - FIRST_SIZE : null;
}

async function subscribe({ stream, players }: Ready, took: (n: number, text: string) => void): Promise<void> {
  const port = Number(stream.split(':').at(-1));
  for (let n = 0; n < SUBSCRIBERS; n++) {
    const { appKey, token } = players[Math.floor(n / PER_KEY)]!;
    const localAddress = `127.0.0.${2 + Math.floor(n / PER_ADDRESS)}`;
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.setEncoding('latin1');
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('a subscriber was closed')));
      const send = (message: object) => socket.write(`${JSON.stringify(message)}\r\n`);
      send({ op: 'authentication', id: 1, appKey, session: token });
      send({
        op: 'marketSubscription',
        id: 2,
        marketFilter: {},
        marketDataFilter: { fields: ['EX_ALL_OFFERS', 'EX_MARKET_DEF'] },
      });
      let rest = '';
      socket.on('data', (piece) => {
        rest += String(piece);
        for (let at = rest.indexOf('\r\n'); at >= 0; at = rest.indexOf('\r\n')) {
          const line = rest.slice(0, at);
          rest = rest.slice(at + 2);
          if (line.includes('SUB_IMAGE')) resolve();
          else if (line.startsWith('{"op":"mcm"')) took(n, line);
          else if (line.includes('FAILURE')) reject(new Error(line));
        }
      });
    });
  }
}

async function watch({ url, siteToken }: Ready, took: (n: number, text: string) => void): Promise<void> {
  const query = `EIO=4&transport=websocket&matchIdArray=${EVENTS.join(',')}&roleName=user&frames=1`;
  for (let n = 0; n < SUBSCRIBERS; n++)
    await new Promise<void>((resolve, reject) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?${query}`, { perMessageDeflate: false });
      socket.on('error', reject);
      socket.on('message', (raw: Buffer) => {
        const text = raw.toString('latin1');
        if (text === '2') socket.send('3');
        else if (text.startsWith('0')) socket.send(`40/match,${JSON.stringify({ token: siteToken })}`);
        else if (text.startsWith('40')) {
          socket.send(`42/match,${JSON.stringify(['watch', { full: [], head: EVENTS }])}`);
          resolve();
        } else if (text.startsWith('42/match,["frame"')) took(n, text);
        else if (text.startsWith('44')) reject(new Error(text));
      });
    });
}

function child(role: string): ChildProcess {
  const args = ['--role', role, '--subscribers', String(SUBSCRIBERS), '--seconds', String(SECONDS)];
  const made = fork(
    fileURLToPath(import.meta.url),
    args,
    process.env.PROF && role === 'server'
      ? { execArgv: [...process.execArgv, '--cpu-prof', '--cpu-prof-dir=/tmp/prof'] }
      : {},
  );
  made.on('exit', (code) => {
    if (!code) return;
    console.error(`the ${role} process ended with ${code}`);
    process.exit(1);
  });
  return made;
}

function stop(one: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    one.on('exit', () => resolve());
    one.send({ what: 'stop' });
  });
}
