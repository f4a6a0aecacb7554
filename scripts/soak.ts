/**
 * npm run soak [-- --minutes 120] [--every 300] [--speed 20] [--players 24] [--url postgres://... | --postgres] [--json]
 * Hours of a whole site: the simulated feed many times as fast, players who bet over HTTP, and a SIGKILL every so many
 * seconds. Its own record of every acknowledged bet is compared with what is there after each start and at the end, and
 * what the site takes of memory and disk is told as it goes. Exits with 1 on any fault.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BetAnswer, MatchItem } from '@fairgame/contract';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import { openDatabase, silent } from '../apps/server/src/db/db.ts';
import { verify } from '../apps/server/src/ledger/ledger.ts';
import { freshDatabase } from '../apps/server/test/fresh-database.ts';
import { freePort, type Program, root, startProgram } from '../apps/server/test/program.ts';
import { bodyOf, compareRows, type Placed } from './faults/placed.ts';
import { startPostgres } from './postgres.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    every: { type: 'string', default: '300' },
    speed: { type: 'string', default: '20' },
    players: { type: 'string', default: '24' },
    url: { type: 'string' },
    postgres: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const PASSWORD = 'soaks-for-hours-and-hours';
const CALL_MS = 10_000;
/** Every bet of a player comes so long after his last answer. */
const PAUSE_MS = 250;

const own = values.postgres ? await startPostgres() : null;
const server = values.url ?? own?.url;
const fresh = server ? await freshDatabase(server) : null;
const data = mkdtempSync(join(tmpdir(), 'fairgame-soak-'));
const port = await freePort();
const env = {
  FAIRGAME_DATA: data,
  FAIRGAME_FEED: 'simulated',
  FAIRGAME_FEED_SPEED: values.speed,
  FAIRGAME_LIMIT_FACTOR: '0',
  FAIRGAME_LOG: 'error',
  PORT: String(port),
  DATABASE_URL: fresh?.url ?? '',
};
const placed: Placed[] = [];
const faults: string[] = [];
const say = values.json ? () => {} : (line: string) => process.stdout.write(`${line}\n`);
const tokens: string[] = [];
let matches: MatchItem[] = [];
let slowestStartMs = 0;
let kills = 0;

await makePlayers(Number(values.players));
const end = Date.now() + Number(values.minutes) * 60_000;
while (Date.now() < end && faults.length === 0) {
  const program = await start();
  await settleOpen();
  await underLoad(program, Math.min(end, Date.now() + Number(values.every) * 1000));
  tellCycle(program);
  program.child.kill('SIGKILL');
  await program.ended;
  kills++;
}
const last = await start();
await settleOpen();
last.child.kill('SIGTERM');
const code = await last.ended;
if (code !== 0) faults.push(`the last end in order had the code ${code}`);
const report = await compare();
const clean = faults.length === 0 && report.ok;
const count = (state: Placed['state']) => placed.filter((one) => one.state === state).length;
const sums = {
  clean,
  kills,
  taken: count('taken'),
  refused: count('refused'),
  notTaken: count('not taken'),
  slowestStartMs,
};
for (const fault of faults) say(fault);
for (const check of report.checks.filter((one) => one.breaks > 0)) say(`${check.id}: ${check.examples.join('; ')}`);
if (values.json) process.stdout.write(`${JSON.stringify({ ...sums, faults, verify: report })}\n`);
else
  say(
    `${clean ? 'clean' : 'NOT CLEAN'}: ${kills} kills, ${sums.taken} bets taken, ${sums.refused} refused, ${sums.notTaken} ` +
      `unanswered and not taken, slowest start ${slowestStartMs} ms`,
  );
rmSync(data, { recursive: true, force: true });
await fresh?.drop();
await own?.stop();
process.exit(clean ? 0 : 1);

/** Before the first start, by the site's own rooms: accounts with money, no feed yet. */
async function makePlayers(many: number): Promise<void> {
  const config = loadConfig({
    ...process.env,
    ...env,
    FAIRGAME_ROOT: root,
    FAIRGAME_FEED: 'none',
    FAIRGAME_DEMO_PLAYERS: 'off',
  });
  const app = await createApp({ config });
  for (let i = 0; i < many; i++)
    await app.auth.createPlayer({
      userName: `soak${i}`,
      password: PASSWORD,
      creditMinor: 100_000_000,
      forceChangePassword: false,
      actor: 'soak',
    });
  tokens.length = many;
  await app.close();
}

async function start(): Promise<Program> {
  const started = Date.now();
  // A machine that does other work meanwhile is slow, not wrong: the report says how slow.
  const program = await startProgram(env, 10 * 60_000);
  slowestStartMs = Math.max(slowestStartMs, Date.now() - started);
  for (let i = 0; i < tokens.length; i++) {
    const known = tokens[i] && (await call('GET', '/user/balance', tokens[i]!).catch(() => null));
    if (known && known.status === 200) continue;
    const signed = await call<{ token: string }>('POST', '/auth/login', '', {
      userName: `soak${i}`,
      password: PASSWORD,
    });
    tokens[i] = signed.data.token;
  }
  return program;
}

/** Players bet until then, or until the site is gone. */
async function underLoad(program: Program, until: number): Promise<void> {
  const alive = () => Date.now() < until && program.child.exitCode === null;
  const reader = (async () => {
    while (alive()) {
      const list = await call<{ matches: MatchItem[] }>('GET', '/match/list?limit=50', tokens[0]!).catch(() => null);
      if (list?.status === 200) matches = list.data.matches;
      await sleep(1000);
    }
  })();
  await Promise.all([
    reader,
    ...tokens.map(async (_, player) => {
      while (alive()) {
        await bet(player);
        await sleep(PAUSE_MS * (0.5 + Math.random()));
      }
    }),
  ]);
  if (program.child.exitCode !== null) faults.push(`the site ended by itself with ${program.child.exitCode}`);
}

async function bet(player: number): Promise<void> {
  const open = matches.filter(({ head }) => head?.status === 'OPEN');
  const head = open[Math.floor(Math.random() * open.length)]?.head;
  const runner = head?.runners[Math.floor(Math.random() * head.runners.length)];
  if (!head || !runner) return;
  const isBack = Math.random() < 0.5;
  const one: Placed = { key: `soak-${randomUUID()}`, player, betId: null, state: 'open' };
  placed.push(one);
  const body = bodyOf(head, runner, isBack, one.key);
  const answer = await call<BetAnswer>('POST', '/placeBet', tokens[player]!, body).catch(() => null);
  if (answer === null || answer.code === 'INTERNAL' || answer.code === 'UNAVAILABLE') return;
  one.state = answer.status === 200 ? 'taken' : 'refused';
  if (answer.status === 200) one.betId = answer.data.bet.id;
}

/** Settles the keys without an answer, and asks some of the others whether they still have theirs. */
async function settleOpen(): Promise<void> {
  for (const one of placed) {
    const asks = one.state === 'open' || (one.state === 'taken' && Math.random() < 0.01);
    if (!asks) continue;
    const answer = await call<BetAnswer>('POST', '/bet/key/settle', tokens[one.player]!, { key: one.key });
    const betId = answer.status === 200 ? answer.data.bet.id : null;
    if (answer.status !== 200 && answer.code !== 'KEY_UNKNOWN')
      faults.push(`${one.key}: its fate is not known: ${answer.status} ${answer.code}`);
    else if (one.state === 'taken') {
      if (betId !== one.betId) faults.push(`${one.key} was bet ${one.betId} and is now ${betId}`);
    } else Object.assign(one, { betId, state: betId === null ? 'not taken' : 'taken' });
  }
}

function tellCycle(program: Program): void {
  const bytes = fresh ? null : bytesBelow(data);
  const status = `/proc/${program.child.pid}/status`;
  const rss = existsSync(status) ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  say(
    `kill ${kills + 1}: ${placed.length} bets asked for` +
      `${rss === undefined ? '' : `, memory ${Math.round(Number(rss) / 1000)} MB`}` +
      `${bytes === null ? '' : `, disk ${Math.round(bytes / 1e6)} MB`}, slowest start ${slowestStartMs} ms`,
  );
}

async function compare() {
  const db = await openDatabase({ url: fresh?.url, dataDir: join(data, 'db'), log: silent });
  faults.push(...(await compareRows(db, placed, 'soak-')));
  const found = await verify(db);
  await db.close();
  return found;
}

async function call<T = unknown>(
  method: 'GET' | 'POST',
  path: string,
  token: string,
  body?: object,
): Promise<{ status: number; code: string | undefined; data: T }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const { data, code } = (await answer.json()) as { data: T; code?: string };
  return { status: answer.status, code, data };
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
