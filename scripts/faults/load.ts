/**
 * Players who bet over all gateways of a cluster, and a record of their own of what each was told: to be compared with what the
 * database has afterwards.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BetAnswer, MatchItem } from '@fairgame/contract';
import { createApp } from '../../apps/server/src/app.ts';
import { loadConfig } from '../../apps/server/src/config.ts';
import type { Db } from '../../apps/server/src/db/db.ts';
import { bodyOf, compareRows, type Placed } from './placed.ts';

const PASSWORD = 'bets-through-every-storm';
const CALL_MS = 5000;
const SIGN_IN_MS = 60_000;
/** A gateway that did not answer is left alone for so long, as what stands in front of them would do. */
const AVOID_MS = 1000;
const PAUSE_MS = 150;
const SETTLE_MS = 120_000;

export interface Load {
  /** Every bet that was acknowledged in time: when, and by which gateway. */
  accepted: Array<{ at: number; gateway: string }>;
  /** Codes of the answers that were none, with how many. */
  refusals: Record<string, number>;
  start(): void;
  stop(): Promise<void>;
  /** Resolves when each gateway has taken a bet that was placed from now on. Throws with what it heard when it is too late. */
  takesBets(withinMs: number): Promise<void>;
  /** Asks what became of every bet without an answer; some bets that stand are placed again under their key. Answers faults. */
  settle(): Promise<string[]>;
  /** Compares the whole record with the rows. Answers faults. */
  compare(db: Pick<Db, 'query'>): Promise<string[]>;
  counts(): Record<Placed['state'], number>;
}

/** Accounts with money, by the site's own rooms, before any other process has begun. */
export async function makePlayers(env: Record<string, string>, many: number): Promise<void> {
  const alone = { ...process.env, ...env, NATS_URL: '', FAIRGAME_FEED: 'none', FAIRGAME_DEMO_PLAYERS: 'off' };
  const app = await createApp({ config: loadConfig({ ...alone, FAIRGAME_ROLES: '', HOST: '', PORT: '0' }) });
  for (let i = 0; i < many; i++)
    await app.auth.createPlayer({
      userName: `storm${i}`,
      password: PASSWORD,
      creditMinor: 100_000_000,
      forceChangePassword: false,
      actor: 'faults',
    });
  await app.close();
}

export async function createLoad(gateways: readonly string[], players: number): Promise<Load> {
  const placed: Placed[] = [];
  const accepted: Load['accepted'] = [];
  const refusals: Record<string, number> = {};
  const avoided = gateways.map(() => 0);
  let matches: MatchItem[] = [];
  let running: Promise<unknown> | null = null;
  let isOver = false;
  const tokens: string[] = [];
  for (let i = 0; i < players; i++) tokens.push(await signIn(gateways[i % gateways.length]!, `storm${i}`));

  function pick(): number {
    const now = performance.now();
    const able = gateways.map((_, i) => i).filter((i) => avoided[i]! <= now);
    return able[Math.floor(Math.random() * able.length)] ?? Math.floor(Math.random() * gateways.length);
  }

  async function ask<T>(at: number, player: number, path: string, body?: object): Promise<Told<T> | null> {
    const told = await call<T>(gateways[at]!, path, tokens[player]!, body).catch(() => null);
    if (told === null) avoided[at] = performance.now() + AVOID_MS;
    return told;
  }

  /** Answers what became of it, in a word; null where nothing can be bet on. */
  async function bet(player: number, at: number): Promise<string | null> {
    const open = matches.filter(({ head }) => head?.status === 'OPEN' && !head.inPlay);
    const head = open[Math.floor(Math.random() * open.length)]?.head;
    const runner = head?.runners[Math.floor(Math.random() * head.runners.length)];
    if (!head || !runner) return null;
    const isBack = Math.random() < 0.5;
    const one: Placed = { key: `storm-${randomUUID()}`, player, betId: null, state: 'open' };
    placed.push(one);
    const told = await ask<BetAnswer>(at, player, '/placeBet', bodyOf(head, runner, isBack, one.key));
    if (told === null) return count('no answer');
    if (told.status === 200) {
      Object.assign(one, { state: 'taken', betId: told.data.bet.id });
      accepted.push({ at: performance.now(), gateway: gateways[at]! });
      return 'taken';
    }
    // Only INTERNAL leaves open what became of it; all else says that nothing was taken.
    if (told.code !== 'INTERNAL') one.state = 'refused';
    return count(told.code ?? String(told.status));
  }

  function count(code: string): string {
    refusals[code] = (refusals[code] ?? 0) + 1;
    return code;
  }

  async function read(): Promise<void> {
    const list = await ask<{ matches: MatchItem[] }>(pick(), 0, '/match/list?limit=50');
    if (list?.status === 200) matches = list.data.matches;
  }

  async function settleOne(one: Placed): Promise<string | null> {
    for (const until = Date.now() + SETTLE_MS; ; await sleep(200)) {
      const told = await ask<BetAnswer>(pick(), one.player, '/bet/key/settle', { key: one.key });
      if (told?.status === 200 || told?.code === 'KEY_UNKNOWN') {
        const betId = told.status === 200 ? told.data.bet.id : null;
        if (one.state !== 'open')
          return betId === one.betId ? null : `${one.key} was ${one.state} as bet ${one.betId} and is now ${betId}`;
        Object.assign(one, { betId, state: betId === null ? 'not taken' : 'taken' });
        return null;
      }
      if (Date.now() > until) return `${one.key}: its fate cannot be learnt: ${told?.status} ${told?.code}`;
    }
  }

  return {
    accepted,
    refusals,
    start() {
      isOver = false;
      const loop = async (work: () => Promise<unknown>, pauseMs: number) => {
        while (!isOver) {
          await work();
          await sleep(pauseMs * (0.5 + Math.random()));
        }
      };
      running = Promise.all([
        loop(read, 1000),
        ...tokens.map((_, player) => loop(() => bet(player, pick()), PAUSE_MS)),
      ]);
    },
    async stop() {
      isOver = true;
      await running;
    },
    async takesBets(withinMs) {
      const until = Date.now() + withinMs;
      for (let at = 0; at < gateways.length; at++) {
        let heard: string | null = 'nothing';
        for (let player = 0; heard !== 'taken'; player = (player + 1) % players) {
          await read();
          heard = await bet(player, at);
          if (heard !== 'taken' && Date.now() > until)
            throw new Error(`${gateways[at]} takes no bets: ${heard ?? 'nothing can be bet on'}`);
          if (heard !== 'taken') await sleep(200);
        }
      }
    },
    async settle() {
      const asked = placed.filter(({ state }) => state === 'open' || (state === 'taken' && Math.random() < 0.02));
      const faults: Array<string | null> = [];
      for (let i = 0; i < asked.length; i += 8)
        faults.push(...(await Promise.all(asked.slice(i, i + 8).map(settleOne))));
      return faults.filter((fault) => fault !== null);
    },
    compare: (db) => compareRows(db, placed, 'storm-'),
    counts() {
      const sums = { open: 0, taken: 0, refused: 0, 'not taken': 0 };
      for (const { state } of placed) sums[state]++;
      return sums;
    },
  };
}

interface Told<T> {
  status: number;
  code: string | undefined;
  data: T;
}

async function signIn(gateway: string, userName: string): Promise<string> {
  const told = await call<{ token: string }>(gateway, '/auth/login', '', { userName, password: PASSWORD }, SIGN_IN_MS);
  if (told.status !== 200) throw new Error(`${userName} cannot sign in: ${told.code}`);
  return told.data.token;
}

async function call<T>(gateway: string, path: string, token: string, body?: object, ms = CALL_MS): Promise<Told<T>> {
  const answer = await fetch(`${gateway}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(ms),
  });
  const { data, code } = (await answer.json()) as { data: T; code?: string };
  return { status: answer.status, code, data };
}
