/**
 * What a bet costs the server: processor time (all threads of its process, user and system) of one bet by POST, over an open
 * socket, and as one of fifty in a call, beside that of a POST of the same size to a bare Fastify, in turns in the same run.
 * Prices hardly move meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { type Ready, startServer } from './bets-host.ts';
import { startHost } from './hosts.ts';
import { heard, measured } from './processes.ts';
import { report, round } from './report.ts';

const CONNECTIONS = 64;
const TURNS = 4;
const AT_ONCE = 50;
/** Goals of a bet beside the empty POST. */
const GOALS = { post: 2.5, socket: 1, many: 0.4 } as const;
type Way = 'bare' | keyof typeof GOALS;

let keys = 0;
function bet(ready: Ready): { token: string; body: object } {
  keys += 1;
  const market = ready.markets[keys % ready.markets.length]!;
  return {
    token: ready.tokens[keys % ready.tokens.length]!,
    body: {
      key: `bench-cpu-${Date.now().toString(36)}-${keys.toString(36).padStart(8, '0')}`,
      betId: market.marketId,
      matchId: market.eventId,
      runnerId: market.runnerId,
      bettingType: keys % 2 === 0 ? 'BACK' : 'LAY',
      odd: keys % 2 === 0 ? 220 : 110,
      stake: 100,
    },
  };
}

/** `count` bets each way and turn. */
export async function cpuFigures(options: {
  database: string;
  url: string | undefined;
  dataDir: string;
  count: number;
}): Promise<void> {
  const { database, count } = options;
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-bench-cpu-'));
  const server = await startServer({ FAIRGAME_DATA: options.dataDir || folder, DATABASE_URL: options.url ?? '' });
  const ready = await heard<Ready>(server, 'ready');
  server.send({ what: 'still' });
  const bare = await startHost('bare');
  const { hostname, port } = new URL(ready.url);
  const requests = await lines(CONNECTIONS, hostname, Number(port));
  const empty = await lines(CONNECTIONS, hostname, bare.port);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => openSocket(ready, i)));

  const one = (host: Socket[], path: string) =>
    share(host, count, (line) => {
      const { token, body } = bet(ready);
      return post(line, path, token, body);
    });
  const ways: Record<Way, () => Promise<void>> = {
    bare: () => one(empty, bare.path),
    post: () => one(requests, '/api/placeBet'),
    socket: () => share(sockets, count, (socket) => socket('bet.place', bet(ready).body)),
    many: () =>
      share(requests.slice(0, 4), Math.ceil(count / AT_ONCE), (line) => {
        const bets = Array.from({ length: AT_ONCE }, () => bet(ready));
        return post(line, '/api/bet/placeMany', bets[0]!.token, { bets: bets.map(({ body }) => body) });
      }),
  };
  const cpuOf = async (way: Way): Promise<number> =>
    way === 'bare' ? bare.cpuUs() : (await measured<{ cpuMs: number }>(server)).cpuMs * 1000;
  const costs: Record<Way, number[]> = { bare: [], post: [], socket: [], many: [] };
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const way of ['bare', 'post', 'socket', 'many'] as const) {
      const before = await cpuOf(way);
      await ways[way]();
      const done = way === 'many' ? Math.ceil(count / AT_ONCE) * AT_ONCE : count;
      // The first turn only warms.
      if (turn > 0) costs[way].push(((await cpuOf(way)) - before) / done);
    }
  }
  const best = (way: Way) => Math.min(...costs[way]);
  for (const way of ['post', 'socket', 'many'] as const)
    report({
      name: `bets.cpu.${database}.${way}`,
      unit: 'us CPU',
      value: round(best(way), 1),
      baseline: round(best('bare'), 1),
      ratio: round(best(way) / best('bare')),
      goal: GOALS[way],
    });
  for (const line of [...requests, ...empty]) line.destroy();
  bare.end();
  server.send({ what: 'stop' });
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}

/** Does `count` things, one after the other on each of the lines. */
export async function share<L>(all: L[], count: number, act: (line: L) => Promise<void>): Promise<void> {
  let left = count;
  await Promise.all(
    all.map(async (line) => {
      while (left-- > 0) await act(line);
    }),
  );
}

export function lines(count: number, host: string, port: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, host);
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    }),
  );
}

export function post(line: Socket, path: string, token: string, body: object): Promise<void> {
  const text = JSON.stringify(body);
  line.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Length: ${text.length}\r\n\r\n${text}`,
  );
  return new Promise((resolve, reject) => {
    let answer = '';
    const take = (chunk: Buffer): void => {
      answer += chunk.toString('latin1');
      const head = answer.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      if (answer.length < head + 4 + length) return;
      line.off('data', take);
      if (answer.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(answer.slice(0, 500)));
    };
    line.on('data', take);
  });
}

type Ask = (call: string, body: object) => Promise<void>;

function openSocket(ready: Ready, n: number): Promise<Ask> {
  const token = ready.tokens[n % ready.tokens.length];
  const address = `${ready.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  let asked = 0;
  const ask: Ask = (call, body) => {
    asked += 1;
    socket.send(`42${asked}${JSON.stringify(['call', { call, body }])}`);
    return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
  };
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (raw: Buffer) => {
      const text = raw.toString();
      if (text === '2') socket.send('3');
      else if (text.startsWith('0')) socket.send(`40${JSON.stringify({ token })}`);
      else if (text.startsWith('40')) resolve(ask);
      else if (text.startsWith('44')) reject(new Error(text));
      else if (text.startsWith('43')) {
        const [, id] = /^43(\d+)/.exec(text)!;
        const one = waiting.get(Number(id))!;
        waiting.delete(Number(id));
        if (text.startsWith(`43${id}[{"statusCode":200`)) one.resolve();
        else one.reject(new Error(text.slice(0, 500)));
      }
    });
  });
}
