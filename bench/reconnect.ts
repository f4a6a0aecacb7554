/**
 * A server that comes back after a crash, met by all its clients at once: SOCKETS sockets that try again by the contract's own
 * pace (RECONNECT), each with the player's line and a line of prices that watches 5 of 40 markets, while a feed changes all of
 * these ten times a second.
 *
 * - `reconnect.whole`: from the moment the server listens to the moment the last client has its images; the goal of 2,000
 *   in 15 s, in proportion, stands as baseline;
 * - `reconnect.cpu`: what the server spends on one client, beside the goal's time by the number of clients.
 *
 * `npm run bench -- reconnect [--sockets 2000]`. Server and clients are processes of their own.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RECONNECT } from '@fairgame/contract';
import { WebSocket } from 'ws';
import { EVENTS, openPriceSite } from './price-site.ts';
import { heard } from './processes.ts';
import { percentile, report, round } from './report.ts';

const { values } = parseArgs({
  options: { sockets: { type: 'string', default: '2000' }, role: { type: 'string', default: 'lead' } },
});
const SOCKETS = Number(values.sockets);
const GOAL_MS = (SOCKETS / 2000) * 15_000;
const WATCHED = 5;
const PORT = 4900 + Math.floor(Math.random() * 90);
const TURN_MS = 100;

interface Message {
  what: string;
  url: string;
  token: string;
  tries: number;
  waits: number[];
  cpuMs: number;
}

if (values.role === 'server') await server();
else if (values.role === 'client') client();
else await lead();

async function lead(): Promise<void> {
  const site = child('server');
  const ready = await heard<Message>(site, 'ready');
  const clients = child('client');
  clients.send({ what: 'connect', url: ready.url, token: ready.token });
  // All of them have tried and are somewhere in their waits, as after a crash that lasted a while.
  await heard(clients, 'waiting');
  site.send({ what: 'open' });
  await heard(site, 'opened');
  const opened = performance.timeOrigin + performance.now();
  const { waits, tries } = await heard<Message>(clients, 'whole');
  site.send({ what: 'tell' });
  const { cpuMs } = await heard<Message>(site, 'told');
  const tookMs = waits.map((at) => at - opened);
  const more = { sockets: SOCKETS, tries };
  const whole = Math.max(...tookMs);
  report({
    name: 'reconnect.whole',
    unit: 'ms',
    value: round(whole, 0),
    baseline: GOAL_MS,
    ratio: round(GOAL_MS / whole),
    p50: round(percentile(tookMs, 50), 0),
    p90: round(percentile(tookMs, 90), 0),
    ...more,
  });
  const each = cpuMs / SOCKETS;
  report({
    name: 'reconnect.cpu',
    unit: 'ms a client',
    value: round(each),
    baseline: round(GOAL_MS / SOCKETS),
    ratio: round(GOAL_MS / SOCKETS / each),
    ...more,
  });
  clients.kill('SIGKILL');
  process.exit(0);
}

/** Ready to listen, with the feed running; opens its door when it is told. */
async function server(): Promise<void> {
  const site = await openPriceSite(PORT);
  let tick = 0;
  setInterval(() => site.tell(++tick), TURN_MS);
  let since = process.cpuUsage();
  process.on('message', ({ what }: Message) => {
    if (what === 'open') {
      since = process.cpuUsage();
      void site.app.http.listen().then(() => process.send!({ what: 'opened' }));
    } else {
      const { user, system } = process.cpuUsage(since);
      process.send!({ what: 'told', cpuMs: (user + system) / 1000 }, () => process.exit(0));
    }
  });
  process.send!({ what: 'ready', url: `http://127.0.0.1:${PORT}`, token: site.token });
}

function client(): void {
  process.on('message', ({ url, token }: Message) => {
    const waits: number[] = [];
    let tries = 0;
    let failed = 0;
    const connect = (index: number, attempt: number): void => {
      tries++;
      const watched = Array.from({ length: WATCHED }, (_, k) => EVENTS[(index + k * 7) % EVENTS.length]!);
      const query = `EIO=4&transport=websocket&matchIdArray=${watched.join(',')}&roleName=user&frames=1`;
      const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?${query}`, {
        perMessageDeflate: false,
        handshakeTimeout: RECONNECT.timeout,
      });
      let isWhole = false;
      socket.on('message', (raw: Buffer) => {
        const text = raw.toString();
        if (text === '2') socket.send('3');
        else if (text.startsWith('0'))
          for (const path of ['', '/match,']) socket.send(`40${path}${JSON.stringify({ token })}`);
        else if (text.startsWith('40/match'))
          socket.send(`42/match,${JSON.stringify(['watch', { full: [], head: watched }])}`);
        else if (text.startsWith('42/match,') && !isWhole) {
          isWhole = true;
          waits.push(performance.timeOrigin + performance.now());
          if (waits.length === SOCKETS) process.send!({ what: 'whole', waits, tries });
        }
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        if (isWhole) throw new Error('a socket was lost again');
        if (++failed === SOCKETS) process.send!({ what: 'waiting' });
        const longest = Math.min(RECONNECT.reconnectionDelayMax, RECONNECT.reconnectionDelay * 2 ** attempt);
        setTimeout(() => connect(index, attempt + 1), longest * (0.5 + Math.random()));
      });
    };
    for (let index = 0; index < SOCKETS; index++)
      setTimeout(() => connect(index, 3), Math.random() * RECONNECT.reconnectionDelayMax);
  });
}

function child(role: string): ChildProcess {
  return fork(fileURLToPath(import.meta.url), ['--role', role, '--sockets', String(SOCKETS)]);
}
