import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnyCall,
  CALLS,
  type ErrorBody,
  type InputOf,
  isOperators,
  OPERATOR_CALLS,
  type ReplyOf,
  ROLES,
  type Role,
} from '@fairgame/contract';
import type { AppOptions } from '../src/app/ground.ts';
import { type App, createLog, openSite, type Site } from '../src/app.ts';
import { appCode, type Message } from '../src/auth/auth.ts';
import { type Config, type Env, loadConfig } from '../src/config.ts';
import { isInParts, openParts } from './behind.ts';
import { copyEmptyDatabase } from './empty-database.ts';

/** A clock that stands until it is moved. */
export interface TestClock {
  (): number;
  now: number;
  advance(ms: number): void;
}

export interface TestServer {
  app: App;
  config: Config;
  /** http://127.0.0.1:port */
  url: string;
  clock: TestClock;
  /** Messages "sent" to players, oldest first. */
  messages: Message[];
  /** Everything logged so far, as JSON lines. */
  logText(): string;
  /** Makes a call as a client would. `token` signs it in; throws nothing, gives status, body and headers. */
  call<C extends AnyCall>(call: C, input?: InputOf<C>, more?: CallOptions): Promise<Told<C>>;
  /** A plain request below the address. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A player with money who has already signed in. */
  player(
    userName?: string,
    creditMinor?: number,
  ): Promise<{ userId: number; userName: string; password: string; token: string }>;
  /** A token of "chief", who has every role; `anew` signs him in again. */
  operator(anew?: boolean): Promise<string>;
  /** A token of a person behind the site, made with these roles. */
  person(userName: string, roles: readonly Role[], anew?: boolean): Promise<string>;
  /** What the authenticator of such a person shows now. */
  codeOf(userName: string): string;
  /** A second person with every role agrees to a request; answers what came of it. */
  agree(request: number | null): Promise<unknown>;
  close(): Promise<void>;
}

interface CallOptions {
  token?: string;
  headers?: Record<string, string>;
}

export interface Told<C extends AnyCall> {
  status: number;
  /** The data of a success. Reading it of a failure throws. */
  data: ReplyOf<C>;
  message: string | undefined;
  error: ErrorBody | undefined;
  headers: Headers;
}

export const PASSWORD = 'violet-kettle-37-march';

let keys = 0;
/** A fresh key for a call that moves money. */
export const newKey = (): string => `test-key-${String(++keys).padStart(8, '0')}`;

/** How far a clock has gone on; set back, it goes on from where it was. */
function onwards(clock: TestClock): () => number {
  let passed = 0;
  let before = clock.now;
  return () => {
    passed += Math.max(0, clock.now - before);
    before = clock.now;
    return passed;
  };
}

/** A whole server on a free port: an empty database (the data folder's own where that is named), a clock that stands still, no feed, every reply checked against the contract. */
export async function makeServer(env: Env = {}, own: Pick<AppOptions, 'bus' | 'db'> = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-'));
  const settings: Env = {
    FAIRGAME_DATA: folder,
    FAIRGAME_FEED: 'none',
    FAIRGAME_LOG: 'info',
    FAIRGAME_LIMIT_FACTOR: '0',
    FAIRGAME_CHECK_REPLIES: 'on',
    FAIRGAME_DEMO_PLAYERS: 'off',
    PORT: '0',
    ...env,
  };
  if (!env.FAIRGAME_DATA && !env.DATABASE_URL && !isInParts(env)) await copyEmptyDatabase(join(folder, 'db'));
  const clock: TestClock = Object.assign(() => clock.now, {
    now: Date.UTC(2026, 6, 1, 12, 0, 0),
    advance: (ms: number) => {
      clock.now += ms;
    },
  });
  const messages: Message[] = [];
  const lines: string[] = [];
  // One for all parts of a site: each sees what another saw of a clock that was set back.
  const steady = onwards(clock);
  const open = (config: Config): Promise<Site> =>
    openSite({
      steady,
      ...own,
      config,
      clock,
      log: createLog(config, { write: (line: string) => void lines.push(line) }),
      deliver: (message) => {
        messages.push(message);
        return Promise.resolve();
      },
    });
  const parts = isInParts(env)
    ? await openParts((more) => open(loadConfig({ ...settings, ...more })), settings)
    : await open(loadConfig(settings));
  // A test of some roles asks for what their process has.
  const app = parts as App;
  const { config } = app;
  const url = await app.listen();
  let players = 0;
  const people = new Map<string, { token: string; secret: string; at: number }>();

  const server: TestServer = {
    app,
    config,
    url,
    clock,
    messages,
    logText: () => lines.join(''),
    async call(call, input, more = {}) {
      const parts = (input ?? {}) as {
        params?: Record<string, string>;
        query?: Record<string, string>;
        body?: unknown;
      };
      const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
        encodeURIComponent(parts.params?.[name] ?? ''),
      );
      const query = parts.query ? `?${new URLSearchParams(parts.query).toString()}` : '';
      const base = isOperators(call) ? app.http.insideAddress() : url;
      const response = await fetch(`${base}/api${path}${query}`, {
        method: call.method,
        headers: {
          'content-type': 'application/json',
          ...(more.token ? { authorization: `Bearer ${more.token}` } : {}),
          ...more.headers,
        },
        ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      });
      const isFile = !response.headers.get('content-type')?.startsWith('application/json');
      const json = (isFile ? { data: await response.text() } : await response.json()) as {
        data?: unknown;
        message?: string;
      };
      const failed = response.status !== 200;
      return {
        status: response.status,
        get data(): never {
          if (failed) throw new Error(`${call.name} answered ${response.status}: ${JSON.stringify(json)}`);
          return json.data as never;
        },
        message: json.message,
        error: failed ? (json as ErrorBody) : undefined,
        headers: response.headers,
      };
    },
    fetch: (path, init) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    async player(userName, creditMinor = 1_000_000) {
      players += 1;
      const name = userName ?? `player${players}`;
      const { userId } = await app.auth.createPlayer({
        userName: name,
        password: PASSWORD,
        creditMinor,
        forceChangePassword: false,
        actor: 'test',
      });
      await app.protection.verifyAge(userId, 'test');
      const { data } = await server.call(CALLS.auth.login, { body: { userName: name, password: PASSWORD } });
      return { userId, userName: name, password: PASSWORD, token: data.token };
    },
    operator: (anew = false) => server.person('chief', ROLES, anew),
    async person(userName, roles, anew = false) {
      const known = people.get(userName);
      // A session of a person behind the site ends after half an idle hour, and a proof is old after a quarter.
      if (known && !anew && clock.now - known.at < 10 * 60_000) return known.token;
      const made = await app.operator.people.ensure({ userName, password: PASSWORD, roles, factor: 'missing' });
      const secret = made ?? known!.secret;
      // A code counts once.
      if (known && Math.floor(known.at / 30_000) === Math.floor(clock.now / 30_000)) clock.advance(30_000);
      const code = appCode(secret, Math.floor(clock.now / 30_000));
      const { data } = await server.call(OPERATOR_CALLS.login, { body: { userName, password: PASSWORD, code } });
      people.set(userName, { token: data.token, secret, at: clock.now });
      return data.token;
    },
    codeOf: (userName) => appCode(people.get(userName)!.secret, Math.floor(clock.now / 30_000)),
    async agree(request) {
      const token = await server.person('second', ROLES);
      const { seen } = (await server.call(OPERATOR_CALLS.request, { params: { id: String(request) } }, { token })).data;
      return (await server.call(OPERATOR_CALLS.approve, { body: { id: request!, seen } }, { token })).data.outcome;
    },
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}
