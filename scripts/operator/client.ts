/** The running server, asked by HTTP. Signs in when it must, and keeps the token in the data folder beside the server. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AnyCall, CALLS, type ErrorBody } from '@fairgame/contract';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Told {
  readonly data: unknown;
  readonly message: string | undefined;
}

export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** No answer came: whether it was carried out is not known. */
export class NoAnswer extends Error {}

export interface Client {
  /** Throws Error with words for a person, NoAnswer. */
  send(call: AnyCall, input: Input): Promise<Told>;
}

interface Answer {
  status: number;
  json: { data?: unknown; message?: string; code?: string; field?: string };
}

export function createClient(env: Env): Client {
  const base = (env.FAIRGAME_URL ?? `http://127.0.0.1:${env.OPERATOR_PORT ?? env.PORT ?? '3000'}`).replace(/\/$/, '');
  const dataDir = resolve(env.FAIRGAME_DATA ?? 'data');
  const tokenFile = join(dataDir, 'operator.token');

  async function request(call: AnyCall, { params, query, body }: Input, token?: string): Promise<Answer> {
    const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(query).toString();
    let response: Response;
    try {
      response = await fetch(`${base}/api${path}${search === '' ? '' : `?${search}`}`, {
        method: call.method,
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        ...(call.body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: (await response.json()) as Answer['json'] };
    } catch {
      throw new NoAnswer(
        `No server answers at ${base}. Is it running? (FAIRGAME_URL, OPERATOR_PORT or PORT name another one.)`,
      );
    }
  }

  async function signIn(): Promise<string> {
    const told = outcome(await request(CALLS.operator.login, { params: {}, query: {}, body: credentials() }));
    const { token } = told.data as { token: string };
    if (existsSync(dataDir)) writeFileSync(tokenFile, token, { mode: 0o600 });
    return token;
  }

  function credentials(): { userName: string; password: string } {
    const { FAIRGAME_OPERATOR_USER: userName = 'operator', FAIRGAME_OPERATOR_PASSWORD: password } = env;
    if (password) return { userName, password };
    const file = join(dataDir, 'operator.json');
    if (!existsSync(file))
      throw new Error(`No sign-in: start the server once, or set FAIRGAME_OPERATOR_PASSWORD (looked for ${file}).`);
    return JSON.parse(readFileSync(file, 'utf8')) as { userName: string; password: string };
  }

  return {
    async send(call, input) {
      const given = env.FAIRGAME_OPERATOR_TOKEN;
      const known = given ?? (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : undefined);
      if (known) {
        const told = await request(call, input, known);
        if (told.status !== 401 || given) return outcome(told);
      }
      return outcome(await request(call, input, await signIn()));
    },
  };
}

function outcome({ status, json }: Answer): Told {
  if (status === 200) return { data: json.data, message: json.message };
  const { code, field, message } = json as ErrorBody;
  throw new Error(`${message} (${status} ${code}${field ? `, ${field}` : ''})`);
}
