/**
 * npm run faults -- [--rounds N] [--only kill-leader,freeze-database-5] [--players P] [--list] [--keep]
 * Breaks a cluster (scripts/cluster.ts) in every way there is, one a round, while players bet over its gateways. After each round it is
 * asked: does the site take bets again at every gateway; is every acknowledged bet there once and none that was refused; is the
 * database clean; has every process followed the log to a hash that was written afterwards. Prints a line of JSON a round and one
 * at the end; exits with 1 on any fault. `--keep` leaves what the processes said.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Db, openDatabase, silent } from '../apps/server/src/db/db.ts';
import { verify } from '../apps/server/src/ledger/ledger.ts';
import { openNetwork } from './cluster/network.ts';
import { type Cluster, type Ended, missing, standsBy, startCluster } from './cluster/site.ts';
import { type Fault, faultsOf, type Site } from './faults/faults.ts';
import { createLoad, type Load, makePlayers } from './faults/load.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    only: { type: 'string' },
    players: { type: 'string', default: '12' },
    list: { type: 'boolean' },
    keep: { type: 'boolean' },
  },
});
/** What ended is started again after so long, as a supervisor does it. */
const AGAIN_MS = 1000;
const CALM_MS = 2000;
const AGAIN_WHOLE_MS = 180_000;
/**
 * Ends of a process that are as they must be: another leads, or what it had cannot be told from the log any more; and the starts of one
 * that gave its place away because NATS is cut from it, until that is back.
 */
const MAY_END = /another fairGame|has taken over|leads this database|writes no more|NATS at \S+( \S+)* cannot be used/;

const lacks = missing();
if (lacks.length > 0) {
  process.stderr.write(`missing: ${lacks.join(', ')}\n`);
  process.exit(2);
}
const network = openNetwork();
const all = faultsOf(network);
const wanted = values.only?.split(',');
// In the order in which they are named.
const faults = wanted
  ? wanted.flatMap((one) => all.filter(({ name }) => name === one || name.startsWith(`${one}-`)))
  : all;
const unknown = wanted?.filter((one) => !faults.some(({ name }) => name.startsWith(one)));
if (values.list || unknown?.length) {
  process.stdout.write(`${all.map(({ name }) => name).join('\n')}\n`);
  process.exit(unknown?.length ? 2 : 0);
}
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(130));
if (network.whyWhole) say({ leftOut: 'cuts, and the loss of the primary', why: network.whyWhole });

const cluster = await startCluster({
  network,
  say: (text) => process.stderr.write(`${text}\n`),
  againMs: AGAIN_MS,
  env: { FAIRGAME_LIMIT_FACTOR: '0', FAIRGAME_DEMO_PLAYERS: 'off', FAIRGAME_LOG: 'info' },
  prepare: (env) => makePlayers(env, Number(values.players)),
});
const db = await openDatabase({ url: cluster.databaseUrl, dataDir: '', log: silent });
const site: Site = { cluster, network, query: db.query };
const gateways = [...cluster.addresses].flatMap(([name, url]) => (name.startsWith('gateway') ? [url] : []));
const load = await createLoad(gateways, Number(values.players));
await load.takesBets(AGAIN_WHOLE_MS);
const rounds: Round[] = [];
const many = Number(values.rounds ?? faults.length);
const order = values.only ? faults : shuffled(faults);
for (let n = 0; n < many; n++) {
  const round = await play(order[n % order.length]!);
  rounds.push(round);
  say({ round: n + 1, ...round });
}
const faulty = rounds.filter((round) => round.faults.length > 0);
say({
  clean: faulty.length === 0,
  rounds: rounds.length,
  faulty: faulty.map(({ fault }) => fault),
  longestOutageMs: Math.max(...rounds.map(({ outageMs }) => outageMs)),
  ...load.counts(),
});
await db.close();
if (values.keep || faulty.length > 0) process.stderr.write(`what its processes said: ${await keptLogs(cluster)}\n`);
await cluster.stop();
process.exit(faulty.length === 0 ? 0 : 1);

interface Round {
  fault: string;
  /** The process that was struck. */
  at: string;
  /** The longest time without an acknowledged bet, from the fault on. */
  outageMs: number;
  /** The same at one of the gateways that were not struck. */
  elsewhereMs: number;
  /** From the moment the fault was over to a bet taken at every gateway; of one that was killed that is its start. */
  wholeAgainMs: number;
  /** From the fault to the first acknowledged bet. */
  firstAcceptedMs: number;
  refusals: Record<string, number>;
  ended: string[];
  faults: string[];
}

async function play(fault: Fault): Promise<Round> {
  const found: string[] = [];
  await calm();
  cluster.ended();
  for (const code of Object.keys(load.refusals)) delete load.refusals[code];
  load.start();
  await sleep(CALM_MS);
  const struck = performance.now();
  const at = await fault.strike(site).catch((error: Error) => {
    found.push(`it could not be struck: ${error.message}`);
    return '';
  });
  const over = performance.now();
  await load.takesBets(AGAIN_WHOLE_MS).catch((error: Error) => found.push(error.message));
  const wholeAgainMs = performance.now() - over;
  await sleep(CALM_MS);
  const calmed = performance.now();
  await load.stop();
  const after = load.accepted.filter((one) => one.at >= struck);
  const others = gateways.filter((url) => url !== cluster.addresses.get(at));
  const gapAt = (url: string) =>
    longestGap([struck, ...timesOf(after.filter(({ gateway }) => gateway === url)), calmed]);
  const ended = cluster.ended();
  found.push(...wrongEnds(ended));
  found.push(...(await check(load, db)));
  return {
    fault: fault.name,
    at,
    outageMs: longestGap([struck, ...timesOf(after)]),
    elsewhereMs: Math.max(...others.map(gapAt)),
    wholeAgainMs: Math.round(wholeAgainMs),
    firstAcceptedMs: Math.round((after[0]?.at ?? Number.NaN) - struck),
    refusals: { ...load.refusals },
    ended: ended.map(({ name }) => name),
    faults: found,
  };
}

function timesOf(accepted: Load['accepted']): number[] {
  return accepted.map(({ at }) => at);
}

function longestGap(times: readonly number[]): number {
  return Math.round(Math.max(0, ...times.slice(1).map((time, i) => time - times[i]!)));
}

async function check(of: Load, on: Db): Promise<string[]> {
  const found = await of.settle();
  found.push(...(await of.compare(on)));
  const report = await verify(on);
  for (const { id, breaks, examples } of report.checks) if (breaks > 0) found.push(`${id}: ${examples.join('; ')}`);
  return [...found, ...(await followed(on))];
}

/** A hash that was written from now on, and every process that follows beyond it: one that differs has ended. */
async function followed(on: Db): Promise<string[]> {
  const newest = async () => (await on.query<{ seq: number }>('SELECT max(seq) AS seq FROM core_hashes'))[0]?.seq ?? 0;
  const before = await newest();
  let until = Date.now() + AGAIN_WHOLE_MS;
  let hash = before;
  for (; hash === before; hash = await newest()) {
    if (Date.now() > until) return ['no new hash of the state was written'];
    await sleep(200);
  }
  // A slow machine needs its time to write one; to follow is another matter.
  until = Date.now() + AGAIN_WHOLE_MS;
  const behind = new Set([...cluster.addresses.keys()].filter((name) => !name.startsWith('core-')));
  for (; behind.size > 0; await sleep(200)) {
    for (const name of behind) if ((await seqOf(name)) >= hash) behind.delete(name);
    if (Date.now() > until) return [`${[...behind].join()} did not follow to command ${hash}`];
  }
  return wrongEnds(cluster.ended());
}

function wrongEnds(ended: readonly Ended[]): string[] {
  return ended.filter(({ said }) => !MAY_END.test(said)).map(({ name, said }) => `${name} ended: ${said}`);
}

async function seqOf(name: string): Promise<number> {
  const headers = { authorization: `Bearer ${cluster.env.FAIRGAME_METRICS_TOKEN}` };
  const answer = await fetch(`${cluster.addresses.get(name)}/metrics`, { headers }).catch(() => null);
  return Number(/^xch_core_seq(?:\{[^}]*\})? (\d+)/m.exec((await answer?.text()) ?? '')?.[1] ?? 0);
}

/** All of it stands: somebody leads, another stands by, all ask for bets, the standby of the database follows. */
async function calm(): Promise<void> {
  for (const until = Date.now() + AGAIN_WHOLE_MS; ; await sleep(200)) {
    const isCalm = await Promise.all([
      db.query("SELECT 1 / count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'"),
      ...[...cluster.addresses].flatMap(([name, url]) => (name.startsWith('core-') ? [] : [isReady(url)])),
      standsBy(db.query, cluster),
    ]).then(
      () => true,
      (error: Error) => {
        if (Date.now() > until) throw new Error(`the cluster did not come to rest: ${error.message}`);
        return false;
      },
    );
    if (isCalm) return;
  }
}

async function isReady(url: string): Promise<void> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
  if (!answer.ok) throw new Error(`${url} is not ready: ${await answer.text()}`);
}

async function keptLogs({ logs }: Cluster): Promise<string> {
  const { cp } = await import('node:fs/promises');
  const to = `${logs.replace(/\/logs$/, '')}-logs`;
  await cp(logs, to, { recursive: true });
  return to;
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
