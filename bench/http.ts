/**
 * What the edge costs: processor time of the server for one small signed-in POST through our whole stack (session, pace,
 * schema, envelope, headers, metrics, log) and for the same POST to a bare Fastify, in turns in the same run.
 *
 * - `http.post`: microseconds of processor time a request, ours beside bare;
 * - `http.rate`: requests a second of one process as fast as 32 connections ask, ours beside bare.
 *
 * `npm run bench -- http [--seconds 3] [--turns 3]`.
 */
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { type Host, startHost } from './hosts.ts';
import { report, round } from './report.ts';

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

const [bare, ours] = [await startHost('bare'), await startHost('ours')];
const figures: Record<'bare' | 'ours', Figures[]> = { bare: [], ours: [] };
for (const one of [bare, ours]) await load(one, 1);
for (let turn = 0; turn < TURNS; turn++) {
  figures.bare.push(await load(bare, SECONDS));
  figures.ours.push(await load(ours, SECONDS));
}
bare.end();
ours.end();

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

async function load(one: Host, seconds: number): Promise<Figures> {
  const request = Buffer.from(
    `POST ${one.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${one.token}\r\n` +
      `Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  );
  const [before, started] = [await one.cpuUs(), performance.now()];
  const until = started + seconds * 1000;
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(one.port, request, until)));
  const count = counts.reduce((sum, n) => sum + n, 0);
  return { cpuUs: ((await one.cpuUs()) - before) / count, perSecond: (count / (performance.now() - started)) * 1000 };
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
