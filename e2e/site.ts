import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOperators } from './operators.ts';
import { until } from './wait.ts';

/**
 * A whole site of its own for a test file: the built server and client on a free port with a database as a first start
 * leaves it: of its own, or a copy of the data folder that FAIRGAME_E2E_DATA names.
 */
export interface Site {
  url: string;
  port: number;
  /** SIGKILL, as a crash; `start` brings the same data back on the same port. */
  kill(): Promise<void>;
  /** SIGTERM, as an update: what is open is told and let go. */
  shutDown(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** An operator call: path below /api/operator, answer's data. */
  operator<T = unknown>(path: string, body: unknown): Promise<T>;
  /** A call as a player, with a token. */
  call<T = unknown>(
    method: 'GET' | 'POST',
    path: string,
    token: string,
    body?: unknown,
  ): Promise<{ status: number; data: T; code?: string }>;
  signIn(userName: string, password: string): Promise<string>;
  /** What the server printed. */
  output(): string;
}

/** The built project; FAIRGAME_E2E_ROOT names a copy of it, so that a build under way does not disturb a run. */
export const root = process.env.FAIRGAME_E2E_ROOT ?? dirname(dirname(fileURLToPath(import.meta.url)));
const OPERATOR_PASSWORD = 'operator-of-the-test-site';

export async function startSite(env: Record<string, string> = {}): Promise<Site> {
  const data = mkdtempSync(join(tmpdir(), 'fairgame-e2e-'));
  const first = process.env.FAIRGAME_E2E_DATA;
  if (first) cpSync(first, data, { recursive: true });
  let port = await freePort();
  let url = `http://localhost:${port}`;
  let child: ChildProcess | null = null;
  let printed = '';

  let ending = false;
  const start = async () => {
    ending = false;
    const before = printed.length;
    child = spawn(process.execPath, [join(root, 'apps/server/dist/main.js')], {
      cwd: root,
      env: {
        ...process.env,
        FAIRGAME_ROOT: root,
        FAIRGAME_DATA: data,
        FAIRGAME_FEED: 'none',
        FAIRGAME_CHECK_REPLIES: 'on',
        FAIRGAME_LIMIT_FACTOR: '100',
        FAIRGAME_CREDIT_ALONE_MINOR: '1000000000',
        FAIRGAME_OPERATOR_USER: 'operator',
        FAIRGAME_OPERATOR_PASSWORD: OPERATOR_PASSWORD,
        PORT: String(port),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.once('exit', (code, signal) => {
      if (!ending) console.error(`The server ended by itself (${signal ?? code}):\n${printed.slice(-4000)}`);
    });
    const started = child;
    await until(
      () => `The server did not get ready:\n${printed}`,
      async () => {
        if (started.exitCode !== null) throw new Error(`The server ended with ${started.exitCode}:\n${printed}`);
        // Its own word first: on a port that was taken meanwhile another server would answer.
        if (!printed.includes('is ready at', before)) return false;
        return (await fetch(`${url}/readyz`).catch(() => null))?.ok;
      },
      { timeout: 180_000 },
    );
  };
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      ending = true;
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill(signal);
    });

  const call: Site['call'] = async (method, path, token, body) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: never; code?: string };
    return { status: response.status, data: answer.data, ...(answer.code ? { code: answer.code } : {}) };
  };

  for (let tries = 1; ; tries++) {
    try {
      await start();
      break;
    } catch (error) {
      // Between the look for a free port and the start somebody else took it.
      if (tries === 3 || !printed.includes('EADDRINUSE')) throw error;
      printed = '';
      port = await freePort();
      url = `http://localhost:${port}`;
    }
  }
  const operators = createOperators(call, data);
  return {
    url,
    port,
    start,
    kill: () => end('SIGKILL'),
    shutDown: () => end('SIGTERM'),
    stop: async () => {
      await end('SIGTERM');
      rmSync(data, { recursive: true, force: true });
    },
    call,
    async signIn(userName, password) {
      const { status, data } = await call<{ token: string }>('POST', '/auth/login', '', { userName, password });
      if (status !== 200) throw new Error(`${userName} could not sign in: ${status}`);
      return data.token;
    },
    operator: (path, body) => operators(path, body) as never,
    output: () => printed,
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
