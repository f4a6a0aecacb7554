/** An operator's wallet in memory with the rules of docs/providers.md, a clock that tests move, and a page to play with. */
import { setImmediate as turn } from 'node:timers/promises';
import type { AnyGame } from '../../src/game.ts';
import {
  type Clock,
  createHost,
  type Dialect,
  type Host,
  type HostOptions,
  type OperatorWallet,
  type WalletCode,
  type WalletReply,
} from '../../src/host/host.ts';
import type { PageError } from '../../src/wire.ts';

// -------------------------------------------------------------------------------------------------------------- clock

export interface ManualClock extends Clock {
  /** Moves on, doing what falls due in its order; calls on their way get their turns between. */
  advance(ms: number): Promise<void>;
}

export function manualClock(start = 1_790_000_000_000): ManualClock {
  let now = start;
  let order = 0;
  const timers = new Map<number, { at: number; work: () => void }>();
  return {
    now: () => now,
    after(delayMs, work) {
      const id = ++order;
      timers.set(id, { at: now + delayMs, work });
      return () => void timers.delete(id);
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers]
          .filter(([, timer]) => timer.at <= end)
          .sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
        if (due === undefined) break;
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].work();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}

/** Lets everything go on that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) await turn();
}

// ------------------------------------------------------------------------------------------------------------- wallet

type Kind = 'authenticate' | 'balance' | 'debit' | 'credit' | 'debitCredit' | 'rollback' | 'roundEnd' | 'sessionEnd';
/** `lost`: done, but the answer never comes. `dead`: nothing happens and no answer comes. */
type Fault = 'lost' | 'dead' | WalletCode;

export interface FakeWallet extends OperatorWallet {
  balanceMinor: number;
  readonly calls: { kind: Kind; tx: string; amountMinor: number }[];
  /** Decides what goes wrong with a call; undefined is nothing. */
  fault: (kind: Kind, tx: string) => Fault | undefined;
  /** Waited for before each movement is looked at. */
  before: (kind: Kind) => Promise<void>;
  /** Of a round or one bet of a shared round: stakes taken less rolled back, paid, whether the round is closed. */
  round(id: string): { stakeMinor: number; paidMinor: number; closed: boolean };
}

interface Effect {
  readonly kind: 'debit' | 'credit' | 'debitCredit' | 'rollback';
  readonly content: string;
  readonly round: string;
  readonly outMinor: number;
  readonly inMinor: number;
  undone: boolean;
}

export function fakeWallet(options: { inOneCall: boolean; player?: string; currency?: string }): FakeWallet {
  const effects = new Map<string, Effect>();
  const tombstones = new Set<string>();
  const closed = new Set<string>();
  const tokens = new Set<string>();
  const ended = new Set<string>();
  let sessions = 0;

  const ok = (more: Partial<WalletReply> = {}): WalletReply => ({
    code: 'OK',
    balanceMinor: self.balanceMinor,
    ...more,
  });
  const no = (code: WalletCode): WalletReply => ({ code, balanceMinor: self.balanceMinor });

  async function run<T extends WalletReply>(kind: Kind, tx: string, amountMinor: number, work: () => T): Promise<T> {
    self.calls.push({ kind, tx, amountMinor });
    await self.before(kind);
    const fault = self.fault(kind, tx);
    if (fault === 'dead') throw new Error('no answer');
    if (fault === 'lost') {
      work();
      throw new Error('the answer was lost');
    }
    if (fault !== undefined) return { code: fault } as T;
    return work();
  }

  function take(
    tx: string,
    kind: Effect['kind'],
    round: string,
    outMinor: number,
    inMinor: number,
    closes: boolean,
  ): WalletReply {
    const content = JSON.stringify([kind, round, outMinor, inMinor]);
    const before = effects.get(tx);
    if (before !== undefined) return before.content === content ? ok() : no('DUPLICATE_MISMATCH');
    if (tombstones.has(tx)) return no('ALREADY_ROLLED_BACK');
    const stands = [...effects.values()].some((one) => one.round === round && one.outMinor > 0 && !one.undone);
    if (kind === 'credit' && !stands) return no('BET_NOT_FOUND');
    if (closed.has(round)) return no('ALREADY_SETTLED');
    if (self.balanceMinor < outMinor) return no('INSUFFICIENT_FUNDS');
    self.balanceMinor += inMinor - outMinor;
    effects.set(tx, { kind, content, round, outMinor, inMinor, undone: false });
    if (closes) closed.add(round);
    return ok();
  }

  const self: FakeWallet = {
    balanceMinor: 1_000_000,
    calls: [],
    fault: () => undefined,
    before: () => Promise.resolve(),
    round(id) {
      const all = [...effects].filter(([tx]) => tx.startsWith(`${id}.`)).map(([, one]) => one);
      const own = all.filter((one) => !one.undone);
      return {
        stakeMinor: own.reduce((sum, one) => sum + one.outMinor, 0),
        paidMinor: own.reduce((sum, one) => sum + one.inMinor, 0),
        closed: all.some((one) => closed.has(one.round)),
      };
    },
    authenticate: (token) =>
      run('authenticate', token, 0, () => {
        if (tokens.has(token)) return no('INVALID_TOKEN');
        tokens.add(token);
        sessions += 1;
        return {
          ...ok(),
          session: `ws-${sessions}`,
          player: options.player ?? 'p-1',
          currency: options.currency ?? 'EUR',
        };
      }),
    balance: () => run('balance', '', 0, () => ok()),
    debit: (at) =>
      run('debit', at.tx, at.amountMinor, () =>
        ended.has(at.session) ? no('INVALID_TOKEN') : take(at.tx, 'debit', at.round, at.amountMinor, 0, false),
      ),
    credit: (at) =>
      run('credit', at.tx, at.amountMinor, () => take(at.tx, 'credit', at.round, 0, at.amountMinor, at.roundClosed)),
    rollback: (at) =>
      run('rollback', at.tx, 0, () => {
        const debit = effects.get(at.refTx);
        if (debit === undefined) {
          tombstones.add(at.refTx);
          return ok({ tombstone: true });
        }
        if (debit.undone) return ok();
        if (debit.kind === 'debit' && closed.has(debit.round)) return no('ALREADY_SETTLED');
        debit.undone = true;
        self.balanceMinor += debit.outMinor - debit.inMinor;
        return ok();
      }),
    roundEnd: (at) =>
      run('roundEnd', at.round, 0, () => {
        closed.add(at.round);
        return ok();
      }),
    sessionEnd: (session) =>
      run('sessionEnd', session, 0, () => {
        ended.add(session);
        return ok();
      }),
  };
  if (options.inOneCall)
    self.debitCredit = (at) =>
      run('debitCredit', at.tx, at.amountMinor, () =>
        take(at.tx, 'debitCredit', at.round, at.amountMinor, at.creditMinor, at.roundClosed),
      );
  return self;
}

// --------------------------------------------------------------------------------------------------------------- host

export interface Bench {
  readonly host: Host;
  readonly wallet: FakeWallet;
  readonly clock: ManualClock;
  /** A session that has begun. */
  session(game: string, more?: { mode?: 'real' | 'demo'; player?: string; maxStakeMinor?: number }): Promise<string>;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  /** What a call is refused with. */
  refusal(path: string, body?: object): Promise<PageError & { status: number }>;
  key(): string;
}

export interface BenchOptions extends Partial<HostOptions> {
  readonly codes: readonly string[];
  readonly wallet?: FakeWallet;
  readonly manual?: ManualClock;
}

let keys = 0;

export function bench({ codes, wallet = fakeWallet({ inOneCall: false }), manual, ...options }: BenchOptions): Bench {
  const clock = manual ?? manualClock();
  const dialect: Dialect = { wallet: () => wallet, routes: () => {} };
  const host = createHost({
    provider: { code: 'a', name: 'Test Games', look: 'a', subProvider: 'Test', games: codes },
    dialect,
    publicOrigin: 'http://localhost:7101',
    parentOrigins: ['http://localhost:3000'],
    dataFolder: null,
    pageFolder: null,
    clock,
    patienceMs: 50,
    ...options,
  });
  const call = async (path: string, body?: object) => {
    const reply =
      body === undefined
        ? await host.http.inject({ method: 'GET', url: path })
        : await host.http.inject({ method: 'POST', url: path, payload: body });
    return { status: reply.statusCode, json: reply.json() as unknown };
  };
  const good = async <T>(path: string, body?: object): Promise<T> => {
    const { status, json } = await call(path, body);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
    return json as T;
  };
  return {
    host,
    wallet,
    clock,
    async session(game, { mode = 'real', player = 'p-1', maxStakeMinor } = {}) {
      const token = mode === 'real' ? { player, token: `token-${++keys}` } : {};
      const { sessionId } = host.operator.launch({ mode, game, currency: 'EUR', maxStakeMinor, ...token });
      await good(`/page/session?s=${sessionId}`);
      return sessionId;
    },
    get: (path) => good(path),
    post: (path, body) => good(path, body),
    async refusal(path, body) {
      const { status, json } = await call(path, body);
      const { error } = json as { error?: PageError };
      if (error === undefined) throw new Error(`${path} was not refused: ${status} ${JSON.stringify(json)}`);
      return { status, ...error };
    },
    key: () => `k${++keys}`,
  };
}

export const gamesOf = (...games: AnyGame[]): ReadonlyMap<string, AnyGame> =>
  new Map(games.map((game) => [game.code, game]));
