/**
 * The running server, asked by HTTP. Signs in when it must, gives password and code again when a call asks for it, and keeps
 * the token in the data folder beside the server.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyCall, type ErrorBody, OPERATOR_CALLS } from '@fairgame/contract';
import { appCode } from '../../apps/server/src/auth/codes.ts';
import { type KnownPerson, PEOPLE_FILE } from '../../apps/server/src/operator/first-people.ts';
import { PORTS, readSettings } from '../../apps/server/src/settings.ts';

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

/** Who signs in: by name where there are several, with a code where it is typed. */
export interface As {
  readonly name?: string | undefined;
  readonly code?: string | undefined;
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

interface Credentials {
  userName: string;
  password: string;
  /** Of the authenticator, where this machine knows it. */
  secret?: string | undefined;
}

const STEP_MS = 30_000;

export function createClient(env: Env, as: As = {}): Client {
  // A live site has a port for operators, said or not.
  const port =
    env.OPERATOR_PORT ?? (env.FAIRGAME_PROFILE === 'production' ? PORTS.operators : (env.PORT ?? PORTS.players));
  const base = (env.FAIRGAME_URL ?? `http://127.0.0.1:${port}`).replace(/\/$/, '');
  const dataDir = resolve(env.FAIRGAME_DATA ?? 'data');
  const who = credentials();
  const tokenFile = join(dataDir, `operator-${who.userName}.token`);

  /** From the settings, else from what a local site keeps of its people. */
  function credentials(): Credentials {
    const { value } = readSettings(env);
    const [first, password] = [value('FAIRGAME_OPERATOR_USER'), value('FAIRGAME_OPERATOR_PASSWORD')];
    const userName = as.name ?? first ?? 'operator';
    const file = join(dataDir, PEOPLE_FILE);
    const people = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KnownPerson[]) : [];
    const known = people.find((person) => person.userName === userName);
    const own = password !== undefined && (as.name === undefined || as.name === first);
    return {
      userName,
      password: own ? password : (known?.password ?? ''),
      secret: value('FAIRGAME_OPERATOR_TOTP') ?? known?.secret,
    };
  }

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

  /** Sends what needs a code; one that was used a moment ago is followed by the next. */
  async function withCode(send: (code: string) => Promise<Answer>): Promise<Answer> {
    if (who.secret === undefined || as.code !== undefined) return send(as.code ?? (await asked()));
    const { secret } = who;
    const now = () => appCode(secret, Math.floor(Date.now() / STEP_MS));
    const told = await send(now());
    if (told.json.code !== 'CODE_WRONG') return told;
    await sleep(STEP_MS - (Date.now() % STEP_MS) + 50);
    return send(now());
  }

  async function asked(): Promise<string> {
    if (!process.stdin.isTTY)
      throw new Error(
        `A code of the authenticator of ${who.userName} is needed: --totp 123456, or FAIRGAME_OPERATOR_TOTP.`,
      );
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    const code = await prompt.question(`Code of ${who.userName}'s authenticator: `);
    prompt.close();
    return code.trim();
  }

  async function signIn(): Promise<string> {
    if (who.password === '')
      throw new Error(
        `No sign-in for ${who.userName}: start the server once on this machine, or set FAIRGAME_OPERATOR_PASSWORD (looked in ${dataDir}).`,
      );
    const { userName, password } = who;
    const login = (code?: string) =>
      request(OPERATOR_CALLS.login, { params: {}, query: {}, body: { userName, password, ...(code ? { code } : {}) } });
    let told = await login();
    if (told.json.code === 'CODE_REQUIRED') told = await withCode(login);
    return keep((outcome(told).data as { token: string }).token);
  }

  /** What one command began the next goes on with: an authenticator is set up by two of them. */
  function keep(token: string): string {
    // A site whose secrets all come from outside has made no folder.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(tokenFile, token, { mode: 0o600 });
    return token;
  }

  async function prove(token: string): Promise<void> {
    const { password } = who;
    outcome(
      await withCode((code) =>
        request(OPERATOR_CALLS.prove, { params: {}, query: {}, body: { password, code } }, token),
      ),
    );
  }

  return {
    async send(call, input) {
      const given = as.name === undefined ? env.FAIRGAME_OPERATOR_TOKEN : undefined;
      let token = given ?? (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : await signIn());
      let told = await request(call, input, token);
      if (told.status === 401 && !given) {
        token = await signIn();
        told = await request(call, input, token);
      }
      if (told.json.code === 'PROOF_REQUIRED' && !given) {
        await prove(token);
        told = await request(call, input, token);
      }
      const done = outcome(told);
      // Setting the authenticator up ends the token it was done with.
      if (call.name === OPERATOR_CALLS.confirm.name) keep((done.data as { token: string }).token);
      return done;
    },
  };
}

function outcome({ status, json }: Answer): Told {
  if (status === 200) return { data: json.data, message: json.message };
  const { code, field, message } = json as ErrorBody;
  throw new Error(`${message} (${status} ${code}${field ? `, ${field}` : ''})`);
}
