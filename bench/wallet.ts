/**
 * The providers' wallet under load (LOAD-9, PRV-15): 200 pairs of debit and credit a second on a fixed schedule over signed
 * HTTP against the embedded database, 2 % of the calls sent twice, 1 % of the debits taken back instead of paid.
 *
 * - `wallet.pairs`: pairs a second that were carried out, beside the goal;
 * - `wallet.p99`: answer time of a call, counted from when a debit was due and a credit was sent; the goal stands as baseline;
 * - `wallet.over`: a thousand debits in one moment, far over what is worked on at once: how long a refusal takes (503), with how
 *   many were refused; they are taken back, and the players' money proves that nothing stays taken for them. Beside it the same
 *   calls of a server that does nothing;
 * - `wallet.ledger`: breaks that `verify` found in the ledger afterwards: 0.
 *
 * `npm run bench -- wallet [--seconds 30] [--pairs 200] [--players 2000] [--busy N]`; with `--busy` so many processes keep the
 * machine busy meanwhile.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import { verify } from '../apps/server/src/ledger/ledger.ts';
import { Wallet } from '../apps/server/src/providers/wallet.ts';
import { startHost } from './hosts.ts';
import { heard, measured } from './processes.ts';
import { percentile, report, round } from './report.ts';
import { FLAGS, ROOT, shipped } from './shipped.ts';

const GOAL_P99_MS = 300;
/** Dialect A's word for it. */
const RETRY = 90;
const GAME = 'keno';
const STAKE = 100;
const OPENING = 1_000_000;
/** Debits of the storm. */
const STORM = 1000;
/** Longer than a round, so that nobody is too fast in the next run. */
const REST_MS = 6000;

interface Seat {
  session: string;
  player: string;
}
interface Ready {
  what: 'ready';
  url: string;
  seats: Seat[];
}
interface Checked {
  what: 'checked';
  breaks: number;
  examples: string[];
  movements: number;
  balances: number;
  rssMb: number;
}

if (process.env.BENCH_ROLE === 'server') await server();
else await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '30' },
      pairs: { type: 'string', default: '200' },
      players: { type: 'string', default: '2000' },
      busy: { type: 'string', default: '0' },
    },
  });
  const [seconds, perSecond, players] = [Number(values.seconds), Number(values.pairs), Number(values.players)];
  const secret = randomBytes(32);
  const provider = await gameList(secret);
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-bench-wallet-'));
  const child = await startServer(folder, secret, provider.url, players);
  const { url, seats } = await heard<Ready>(child, 'ready');
  const send = caller(url, secret);

  await ready(send, seats);
  const warm = await atPace(send, seats, perSecond, 2, 'warm');
  await sleep(REST_MS);
  const calm = busy(Number(values.busy));
  const started = performance.now();
  const before = await measured<{ cpuMs: number }>(child);
  const { latencies, won, refused, retried } = await atPace(send, seats, perSecond, seconds, 'pair');
  const rate = (perSecond * seconds) / ((performance.now() - started) / 1000);
  const after = await measured<{ cpuMs: number }>(child);
  await sleep(REST_MS);
  const cpuMs = async () => (await measured<{ cpuMs: number }>(child)).cpuMs;
  const over = await storm(caller(url, secret, STORM), send, seats, cpuMs);
  const bare = await bareStorm(secret, seats, latencies.length);
  calm();
  child.send({ what: 'check' });
  const checked = await heard<Checked>(child, 'checked');

  const p99 = round(percentile(latencies, 99), 1);
  report({
    name: 'wallet.pairs',
    unit: 'pairs/s',
    value: round(rate, 1),
    baseline: perSecond,
    ratio: round(rate / perSecond),
    calls: latencies.length,
    refused,
    retried,
    cpuUsPerCall: Math.round(((after.cpuMs - before.cpuMs) * 1000) / latencies.length),
    busy: Number(values.busy),
  });
  report({
    name: 'wallet.p99',
    unit: 'ms',
    value: p99,
    baseline: GOAL_P99_MS,
    ratio: round(GOAL_P99_MS / p99),
    p50ms: round(percentile(latencies, 50), 1),
    slowestMs: round(Math.max(...latencies), 1),
    rssMb: checked.rssMb,
  });
  const slow = round(percentile(over.refused, 99), 1);
  report({
    name: 'wallet.over',
    unit: 'ms',
    value: slow,
    baseline: GOAL_P99_MS,
    ratio: round(GOAL_P99_MS / slow),
    debits: STORM,
    refused: over.refused.length,
    // As many calls in one moment of a server that does nothing but answer: what this machine and the bench take of it.
    bareMs: round(percentile(bare, 99), 1),
    // Of the server (threads of the database included); and until this side had made the last request.
    cpuMs: Math.round(over.cpuMs),
    sentMs: Math.round(over.sentMs),
  });
  report({
    name: 'wallet.ledger',
    unit: 'breaks',
    value: checked.breaks,
    baseline: 0,
    ratio: null,
    movements: checked.movements,
    // What the players have must be what they began with and what this side was told they won.
    balanceOff: checked.balances - players * OPENING - warm.won - won - over.won,
    examples: checked.examples,
  });
  child.send({ what: 'stop' });
  await new Promise((resolve) => child.once('exit', resolve));
  provider.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(checked.breaks === 0 && refused === 0 ? 0 : 1);
}

type Send = (call: string, fields: object, from: number) => Promise<{ code: number; ms: number }>;

/** Begins each pair when it is due. `won` is what the answers make of the players' money. */
async function atPace(
  send: Send,
  seats: Seat[],
  perSecond: number,
  seconds: number,
  name: string,
): Promise<{ latencies: number[]; won: number; refused: number; retried: number }> {
  const latencies: number[] = [];
  let won = 0;
  let refused = 0;
  let retried = 0;
  const call = async (what: string, fields: object, from: number, money: number): Promise<boolean> => {
    // A repetition on its way together with the first, as after a time-out at the provider.
    const twice = Math.random() < 0.02;
    const answers = await Promise.all([send(what, fields, from), ...(twice ? [send(what, fields, from)] : [])]);
    for (const { ms } of answers) latencies.push(ms);
    let ok = answers.some(({ code }) => code === 0);
    // As a provider does: what was not decided is sent again under the same id.
    for (let i = 0; !ok && answers.every(({ code }) => code === RETRY) && i < 100; i++) {
      retried += 1;
      await new Promise((resolve) => setTimeout(resolve, 200));
      ok = (await send(what, fields, performance.now())).code === 0;
    }
    if (ok) won += money;
    else refused += 1;
    return ok;
  };
  const pair = async (n: number, due: number): Promise<void> => {
    const { session, player } = seats[n % seats.length]!;
    const tx = `${name}-${n}`;
    const at = { session, player, round: `r-${tx}`, game: GAME, currency: 'EUR' };
    if (!(await call('debit', { ...at, tx, amount: STAKE }, due, -STAKE))) return;
    if (Math.random() < 0.01) {
      await call('rollback', { ...at, tx: `${tx}-b`, refTx: tx }, performance.now(), STAKE);
      return;
    }
    const amount = n % 3 === 0 ? 2 * STAKE : 0;
    await call('credit', { ...at, tx: `${tx}-c`, refTx: tx, amount, roundClosed: true }, performance.now(), amount);
  };
  const started = performance.now();
  const waiting: Array<Promise<void>> = [];
  for (let n = 0; n < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - started) / 1000) * perSecond));
    for (; n < due; n++) waiting.push(pair(n, started + (n * 1000) / perSecond));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(waiting);
  return { latencies, won, refused, retried };
}

/**
 * All at once, each by another player. What was refused is taken back, as a provider does who can't know what came of it.
 * Answers how long the refusals took, and what the others make of the players' money.
 */
async function storm(
  all: Send,
  calm: Send,
  seats: Seat[],
  cpuMs: () => Promise<number>,
): Promise<{ refused: number[]; won: number; cpuMs: number; sentMs: number }> {
  const before = await cpuMs();
  const sent = performance.now();
  const debits = seats.slice(0, STORM).map((_, n) => debitOf(seats, n, 'over'));
  const asked = debits.map((debit) => all('debit', debit, sent));
  const sentMs = performance.now() - sent;
  const answers = await Promise.all(asked);
  const after = await cpuMs();
  const refused = debits.filter((_, n) => answers[n]!.code === RETRY);
  for (const { amount: _, tx, ...at } of refused) {
    const back = { ...at, tx: `${tx}-b`, refTx: tx };
    while ((await calm('rollback', back, sent)).code === RETRY) await sleep(200);
  }
  return {
    refused: answers.filter(({ code }) => code === RETRY).map(({ ms }) => ms),
    won: -STAKE * answers.filter(({ code }) => code === 0).length,
    cpuMs: after - before,
    sentMs,
  };
}

/** The same calls in one moment, of the bare framework once it has answered `first` others; answers how long each took. */
async function bareStorm(secret: Buffer, seats: Seat[], first: number): Promise<number[]> {
  const host = await startHost('bare');
  const at = (sockets?: number) => caller(`http://127.0.0.1:${host.port}`, secret, sockets, () => host.path);
  const calm = at();
  for (let n = 0; n < first; n += 50)
    await Promise.all(Array.from({ length: 50 }, (_, i) => calm('debit', debitOf(seats, n + i, 'warm'), 0)));
  await sleep(REST_MS);
  const all = at(STORM);
  const sent = performance.now();
  const answers = await Promise.all(seats.slice(0, STORM).map((_, n) => all('debit', debitOf(seats, n, 'over'), sent)));
  host.end();
  return answers.map(({ ms }) => ms);
}

function debitOf(seats: Seat[], n: number, name: string) {
  const { session, player } = seats[n % seats.length]!;
  const tx = `${name}-${n}`;
  return { session, player, round: `r-${tx}`, game: GAME, currency: 'EUR', tx, amount: STAKE };
}

/** Keeps so many cores busy; answers what ends it. */
function busy(count: number): () => void {
  const work =
    "process.once('disconnect', () => process.exit()); setInterval(() => { for (const end = Date.now() + 50; Date.now() < end; ); })";
  const all = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', work], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  // Without it what was measured would not be what is said.
  for (const one of all)
    one.once('exit', (_, signal) => {
      if (signal !== 'SIGKILL') throw new Error('a core that was to be kept busy is not');
    });
  return () => {
    for (const one of all) one.kill('SIGKILL');
  };
}

/** The list of games is asked for when the server starts; until it is known every stake is refused. */
async function ready(send: Send, seats: Seat[]): Promise<void> {
  const { session, player } = seats.at(-1)!;
  for (let i = 0; i < 100; i++) {
    const at = { session, player, round: `first-${i}`, game: GAME, currency: 'EUR', tx: `first-${i}` };
    const { code } = await send('debit', { ...at, amount: STAKE }, performance.now());
    if (code === 0) {
      await send('rollback', { ...at, tx: `first-${i}-b`, refTx: at.tx }, performance.now());
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the server takes no stake');
}

function caller(url: string, secret: Buffer, maxSockets = 64, pathOf = (call: string) => `/provider/a/${call}`): Send {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const { hostname, port } = new URL(url);
  return (call, fields, from) => {
    const body = JSON.stringify({ call, ...fields });
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          hostname,
          port,
          path: pathOf(call),
          method: 'POST',
          agent,
          headers: { ...signed(secret, body), 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () => {
            const { code } = JSON.parse(text) as { code: number };
            resolve({ code, ms: performance.now() - from });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  };
}

function signed(secret: Buffer, text: string, nonce = randomBytes(18).toString('base64url')): Record<string, string> {
  const ts = String(Date.now());
  const sig = createHmac('sha256', secret).update(`${ts}.${nonce}.${text}`).digest('hex');
  return { 'content-type': 'application/json', 'x-key': 'k1', 'x-ts': ts, 'x-nonce': nonce, 'x-sig': sig };
}

/** A provider that has one game and nothing else. */
async function gameList(secret: Buffer): Promise<{ url: string; close(): void }> {
  const text = JSON.stringify({
    code: 0,
    games: [
      {
        code: GAME,
        name: 'Keno',
        category: 'Others',
        family: 'keno',
        subProvider: 'Alder Games',
        thumb: '/thumb.svg',
        status: 'ACTIVE',
      },
    ],
  });
  const http = createServer((req, res) => {
    res.writeHead(200, signed(secret, text, String(req.headers['x-nonce'])));
    res.end(text);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, close: () => http.close() };
}

async function startServer(
  folder: string,
  secret: Buffer,
  providerUrl: string,
  players: number,
): Promise<ChildProcess> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const text = (key: Buffer) => `k1:${key.toString('base64')}`;
  return fork(await shipped(fileURLToPath(import.meta.url)), [], {
    execArgv: FLAGS,
    env: {
      ...process.env,
      DATABASE_URL: '',
      BENCH_ROLE: 'server',
      BENCH_PLAYERS: String(players),
      FAIRGAME_ROOT: ROOT,
      FAIRGAME_DATA: folder,
      FAIRGAME_FEED: 'none',
      FAIRGAME_LOG: 'error',
      FAIRGAME_DEMO_PLAYERS: 'off',
      FAIRGAME_LIMIT_FACTOR: '0',
      PORT: '0',
      FAIRGAME_PROVIDER_A_URL: providerUrl,
      FAIRGAME_PROVIDER_A_KEYS: `k1:${secret.toString('hex')}`,
      FAIRGAME_PROVIDER_B_URL: 'http://127.0.0.1:9',
      FAIRGAME_PROVIDER_B_PRIVATE_KEYS: text(privateKey.export({ format: 'der', type: 'pkcs8' })),
      FAIRGAME_PROVIDER_B_PUBLIC_KEYS: text(publicKey.export({ format: 'der', type: 'spki' })),
    },
  });
}

async function server(): Promise<void> {
  const app = await createApp({ config: loadConfig(process.env) });
  const url = await app.http.listen();
  const seats = await seated(app, Number(process.env.BENCH_PLAYERS));
  await app.start();
  process.on('message', (message: { what: string }) => {
    if (message.what === 'stop') void app.close().then(() => process.exit(0));
    else if (message.what === 'measure') {
      const { user, system } = process.cpuUsage();
      process.send!({ what: 'measured', cpuMs: (user + system) / 1000 });
    } else
      void check(app).then((checked) => {
        process.send!(checked);
      });
  });
  process.send!({ what: 'ready', url, seats } satisfies Ready);
}

type App = Awaited<ReturnType<typeof createApp>>;

/** Real players with money, each with a session at the provider. */
async function seated(app: App, count: number): Promise<Seat[]> {
  const wallet = new Wallet({
    db: app.db,
    core: app.protection.guarded,
    mayPlay: (userId) => app.protection.mayPlay(userId),
    slotRules: (userId) => app.protection.slotRules(userId),
    clock: Date.now,
    steady: () => performance.now(),
    log: app.log,
    limitsOf: () => ({ winMinor: 1e12, winTimes: 1e6, dayMinor: 1e12, promoMinor: 1e12 }),
    gameOf: () => ({ providerName: 'Alder Games', gameName: 'Keno', minRoundMs: 5000, slots: false }),
  });
  const ids = Array.from({ length: count }, () => app.core.nextId());
  await app.db.query(
    `INSERT INTO users (id, user_name, name_key, role, world, currency, password_hash, created_at, last_login_at)
       SELECT id, 'seat' || id, 'seat' || id, 'user', 'real', 'EUR', '', $2, $2 FROM unnest($1::bigint[]) AS id`,
    [ids, Date.now()],
  );
  const submit = (command: Parameters<typeof app.core.submit>[0]['command']) =>
    app.core.submit({ world: 'real', actor: 'bench', command });
  const seats: Seat[] = [];
  for (let i = 0; i < count; i += 100) {
    const part = ids.slice(i, i + 100);
    await Promise.all(
      part.map(async (accountId) => {
        await submit({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
        await submit({ type: 'account.transfer', accountId, amountMinor: OPENING, reason: 'deposit', text: 'Bench' });
        const { token } = await wallet.issueToken({ userId: accountId, provider: 'a', game: GAME });
        const { session } = await wallet.authenticate('a', token);
        seats.push({ session: session!.sessionId, player: session!.playerRef });
      }),
    );
  }
  return seats;
}

async function check(app: App): Promise<Checked> {
  const { checks } = await verify(app.db);
  const found = checks.filter((one) => one.breaks > 0);
  const [txs] = await app.db.query<{ n: number }>('SELECT count(*) AS n FROM provider_txs');
  const [money] = await app.db.query<{ sum: number }>(
    "SELECT sum(balance)::bigint AS sum FROM accounts WHERE world = 'real' AND kind = 'player'",
  );
  return {
    what: 'checked',
    breaks: found.reduce((sum, one) => sum + one.breaks, 0),
    examples: found.flatMap((one) => one.examples).slice(0, 5),
    movements: txs!.n,
    balances: money!.sum,
    rssMb: Math.round(process.memoryUsage.rss() / 1e6),
  };
}
