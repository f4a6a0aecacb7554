/**
 * What the edge costs: processor time of the server for one small signed-in POST through our whole stack (session, pace,
 * schema, envelope, headers, metrics, log) and for the same POST to a bare Fastify, in turns in the same run.
 *
 * - `http.post`: microseconds of processor time a request, ours beside bare;
 * - `http.rate`: requests a second of one process as fast as 32 connections ask, ours beside bare.
 *
 * `npm run bench -- http [--seconds 3] [--turns 3]`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { report, round } from './report.ts';
import { FLAGS, shipped } from './shipped.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, turns: { type: 'string', default: '3' } },
});
const SECONDS = Number(values.seconds);
const TURNS = Number(values.turns);
const CONNECTIONS = 32;
const BODY = JSON.stringify({ matchIds: [101, 102, 103], tables: ['teen20'] });

interface Figures {
  cpuUs: number;
  perSecond: number;
}

const [bare, ours] = [await host('bare'), await host('ours')];
const figures: Record<'bare' | 'ours', Figures[]> = { bare: [], ours: [] };
for (const one of [bare, ours]) await load(one, 1);
for (let turn = 0; turn < TURNS; turn++) {
  figures.bare.push(await load(bare, SECONDS));
  figures.ours.push(await load(ours, SECONDS));
}
bare.child.kill();
ours.child.kill();

const best = (list: readonly Figures[]): Figures => list.reduce((a, b) => (b.cpuUs < a.cpuUs ? b : a));
const [base, own] = [best(figures.bare), best(figures.ours)];
report({
  name: 'http.post',
  unit: 'us CPU',
  value: round(own.cpuUs, 1),
  baseline: round(base.cpuUs, 1),
  ratio: round(base.cpuUs / own.cpuUs),
});
report({
  name: 'http.rate',
  unit: 'requests/s',
  value: Math.round(own.perSecond),
  baseline: Math.round(base.perSecond),
  ratio: round(own.perSecond / base.perSecond),
});
process.exit(0);

interface Host {
  child: ChildProcess;
  port: number;
  path: string;
  token: string;
}

async function host(kind: 'bare' | 'ours'): Promise<Host> {
  const file = await shipped(fileURLToPath(new URL('./http-host.ts', import.meta.url)));
  const child = fork(file, [kind], { execArgv: FLAGS, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ready = await heard<Omit<Host, 'child'>>(child);
  return { child, ...ready };
}

function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`the host ended with ${code}`)));
  });
}

async function load(one: Host, seconds: number): Promise<Figures> {
  const request = Buffer.from(
    `POST ${one.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${one.token}\r\n` +
      `Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  );
  const cpu = async (): Promise<number> => {
    one.child.send('cpu');
    return heard<number>(one.child);
  };
  const [before, started] = [await cpu(), performance.now()];
  const until = started + seconds * 1000;
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(one.port, request, until)));
  const count = counts.reduce((sum, n) => sum + n, 0);
  return { cpuUs: ((await cpu()) - before) / count, perSecond: (count / (performance.now() - started)) * 1000 };
}

/** One request after the other on one connection; gives how many were answered with 200. */
function ask(port: number, request: Buffer, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      // Answers are small: one comes whole in one piece.
      if (!chunk.subarray(0, 15).toString('latin1').startsWith('HTTP/1.1 200')) {
        reject(new Error(chunk.toString('latin1').slice(0, 300)));
        return;
      }
      count += 1;
      if (performance.now() < until) socket.write(request);
      else socket.end(() => resolve(count));
    });
  });
}
