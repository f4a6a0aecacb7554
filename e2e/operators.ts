/** The people behind a site under test: what they ask for over HTTP, with codes, and with a second one where two are needed. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allCalls } from '@fairgame/contract';
import { AuthenticatorApp } from './authenticator.ts';

interface Person {
  userName: string;
  password: string;
  secret: string;
}

interface Answer {
  status: number;
  data: unknown;
  code?: string;
}

type Call = (method: 'GET' | 'POST', path: string, token: string, body?: unknown) => Promise<Answer>;

/** Carries out calls of the operator; a local site keeps its people in a file of its data folder. */
export function createOperators(call: Call, dataDir: string): (path: string, body: unknown) => Promise<unknown> {
  const tokens = new Map<string, string>();
  const apps = new Map<string, AuthenticatorApp>();
  const people = (): Person[] => JSON.parse(readFileSync(join(dataDir, 'operator-people.json'), 'utf8')) as Person[];
  const named = (userName: string): Person => people().find((person) => person.userName === userName)!;

  async function signIn(userName: string): Promise<string> {
    const { password } = named(userName);
    const told = await coded(userName, (code) => call('POST', '/operator/login', '', { userName, password, code }));
    const { token } = told.data as { token: string };
    tokens.set(userName, token);
    return token;
  }

  /** A code may have been used before a restart: then the next one counts. */
  async function coded(userName: string, send: (code: string) => Promise<Answer>): Promise<Answer> {
    const app = apps.get(userName) ?? new AuthenticatorApp(named(userName).secret);
    apps.set(userName, app);
    for (let tries = 0; ; tries++) {
      const told = await send(await app.code());
      if (told.status === 200) return told;
      if (told.code !== 'CODE_WRONG' || tries === 2) throw new Error(`${userName}: ${told.status} ${told.code}`);
    }
  }

  async function as(userName: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
    let token = tokens.get(userName) ?? (await signIn(userName));
    let told = await call(method, path, token, body);
    if (told.status === 401) {
      token = await signIn(userName);
      told = await call(method, path, token, body);
    }
    if (told.code === 'PROOF_REQUIRED') {
      const { password } = named(userName);
      await coded(userName, (code) => call('POST', '/operator/prove', token, { password, code }));
      told = await call(method, path, token, body);
    }
    return told;
  }

  /** The first of the others who may agree does. */
  async function agreed(request: number): Promise<unknown> {
    for (const { userName } of people()) {
      if (userName === 'operator') continue;
      const look = await as(userName, 'GET', `/operator/request/${request}`);
      if (look.code === 'RIGHT_MISSING') continue;
      const { seen } = look.data as { seen: string };
      const told = await as(userName, 'POST', '/operator/request/approve', { id: request, seen });
      if (told.status === 200) return (told.data as { outcome: unknown }).outcome;
      throw new Error(`${userName} could not agree to ${request}: ${told.status} ${told.code}`);
    }
    throw new Error(`nobody may agree to ${request}`);
  }

  return async (path, body) => {
    const keyed = allCalls().some((one) => one.keyed && one.path === `/operator${path}`);
    const keys = keyed ? { key: `e2e-${randomUUID()}` } : {};
    const told = await as('operator', 'POST', `/operator${path}`, { ...keys, ...(body as object) });
    if (told.status !== 200) throw new Error(`operator ${path}: ${told.status} ${told.code}`);
    const { request } = (told.data ?? {}) as { request?: number | null };
    return typeof request === 'number' ? agreed(request) : told.data;
  };
}
