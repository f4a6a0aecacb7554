import { type AnyCall, allCalls, CALLS, ERRORS, jsonSchema } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeServer, PASSWORD, type TestServer } from './server.ts';

/**
 * Every route against broken, hostile and merely odd input: never a 5xx, always a coded error with a message, which names its
 * field where the input is at fault; and nothing of another player. Seeded: a failure names the seed's request. FUZZ_ROUNDS
 * raises the number of tries a call.
 */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 30);
const SEED = Number(process.env.FUZZ_SEED ?? 7);

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
}

type Init = Omit<RequestInit, 'body'> & { body?: string };

let server: TestServer;
let random: () => number;
/** Whose ids are guessed, and words that no answer to anybody else has. */
const victim = { ids: [] as string[], words: ['victim-of-the-fuzz', 'victim-own', 'victims-own-workspace'] };
beforeAll(async () => {
  server = await makeServer();
  random = generator(SEED);
  const { userId, token } = await server.player(victim.words[0]!);
  const template = { label: victim.words[1]!, kind: 'percent' as const, value: 7 };
  const kept = [
    await server.call(CALLS.account.saveTemplates, { body: { templates: [template] } }, { token }),
    await server.call(CALLS.account.saveWorkspace, { body: { name: victim.words[2]!, panes: [] } }, { token }),
  ];
  expect(kept.map(({ status }) => status)).toEqual([200, 200]);
  const sessions = await server.call(CALLS.auth.sessions, {}, { token });
  victim.ids = [String(userId), sessions.data[0]!.id];
});
afterAll(() => server?.close());

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  '99999999999999999999999',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  "' OR 1=1 --",
  '"; DROP TABLE users; --',
  '%',
  '_',
  '\\',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '💥'.repeat(50),
  'x'.repeat(3000),
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\r\nset-cookie: a=b',
  'eq5',
  'inArr[1,2,3]',
  'inArr[]',
  'between1|2',
  'between2020-01-01|2020-12-31',
  'isNull',
  'match.startAt:ASC',
  'users.password_hash:DESC',
  '__proto__',
  '2026-07-01',
  '9999-99-99',
  'cricket',
  'horseRacing',
  'banner1',
  'Match',
  '7',
];
const VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  -0.0001,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53 + 2,
  1e21,
  1e308,
  -1e308,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  { toString: 1 },
  { length: 1e9 },
];

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A value that fits the schema, or nearly. */
function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(schema.enum);
  if (schema.anyOf) return sample(pick(schema.anyOf));
  if (schema.type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => (schema.required?.includes(name) ?? false) || random() < 0.5)
        .map(([name, value]) => [name, sample(value)]),
    );
  }
  if (schema.type === 'array')
    return schema.prefixItems ? schema.prefixItems.map(sample) : [sample(schema.items ?? {})];
  if (schema.type === 'integer' || schema.type === 'number')
    return pick([
      schema.minimum ?? 1,
      1,
      100,
      150,
      200,
      7,
      Number(victim.ids[0]),
      Math.min(schema.maximum ?? 1000, 1_000_000),
    ]);
  if (schema.type === 'boolean') return random() < 0.5;
  return textFor(schema);
}

function textFor({ pattern = '', minLength = 0 }: Schema): string {
  if (pattern.includes('{16,64}')) return `fuzz-key-${Math.floor(random() * 1e12)}-0000`;
  if (pattern.includes('[1-9]')) return pick(['1', '7', '101', '15', victim.ids[0]!]);
  if (pattern.includes('\\d{6}')) return '123456';
  if (pattern.includes('\\d{4}-')) return '2026-07-01';
  if (pattern.includes('{3,32}')) return pick(['fuzzy', 'nobody', 'chief', 'player1']);
  return pick([
    'cricket',
    'Reds v Blues',
    'x'.repeat(Math.max(1, minLength)),
    PASSWORD,
    victim.ids[1]!,
    '{"a":1}',
    'eq5',
    '2026-07-01T10:00:00Z',
  ]);
}

/** One change somewhere in a value. */
function mutate(value: unknown): unknown {
  const roll = random();
  if (roll < 0.12) return pick(VALUES);
  if (roll < 0.24) return pick(TEXTS);
  if (roll < 0.27) return deep(pick([3, 9, 200]));
  if (Array.isArray(value))
    return random() < 0.3
      ? [...value, ...Array<unknown>(pick([1, 60, 300])).fill(value[0] ?? 1)]
      : value.map((item, i) => (i === 0 ? mutate(item) : item));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0 || roll > 0.9)
      return { ...value, [pick(['extra', 'userId', 'isAdmin', 'constructor', '', 'key'])]: pick(VALUES) };
    const at = Math.floor(random() * entries.length);
    if (roll > 0.8) return Object.fromEntries(entries.filter((_, i) => i !== at));
    return Object.fromEntries(entries.map(([name, item], i) => [name, i === at ? mutate(item) : item]));
  }
  return pick([...VALUES, ...TEXTS]);
}

/** These may end the session they are called with, so they come last and with fresh ones. */
const ENDERS = new Set(['auth.logout', 'auth.changePassword', 'auth.verify', 'auth.remove', 'operator.forceLogout']);

/** As text without lone surrogates, which no address can carry. */
function asText(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\p{Surrogate}/gu, '?');
}

const TWICE = '{"key":"fuzz-twice-000000001","key":"fuzz-twice-000000002"}';

const schemaOf = (schema: AnyCall['body']): Schema => (schema ? (jsonSchema(schema) as Schema) : {});

function pathFor(call: AnyCall, wild: boolean): string {
  const params = (call.params ? sample(schemaOf(call.params)) : {}) as Record<string, unknown>;
  const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = wild ? asText(pick([...TEXTS, ...VALUES])) : String(params[name]);
    return encodeURIComponent(value) || '%20';
  });
  const query = call.query ? (sample(schemaOf(call.query)) as Record<string, unknown>) : {};
  const changed = wild && random() < 0.7 ? mutate(query) : query;
  const pairs: Array<[string, unknown]> =
    typeof changed === 'object' && changed !== null ? Object.entries(changed) : [['x', changed]];
  if (wild && pairs.length > 0 && random() < 0.1) pairs.push([pairs[0]![0], pick(TEXTS)]);
  const text = pairs
    .map(([name, value]) => `${encodeURIComponent(String(name))}=${encodeURIComponent(asText(value))}`)
    .join('&');
  return `/api${path}${text ? `?${text}` : ''}`;
}

async function tokens(): Promise<Record<'player' | 'demo' | 'operator' | 'forced', string>> {
  const name = `fuzz${Math.floor(random() * 1e9)}`;
  const forced = `forced${Math.floor(random() * 1e9)}`;
  const player = await server.player(name);
  await server.app.auth.createPlayer({ userName: forced, password: PASSWORD, actor: 'test' });
  const login = await server.call(CALLS.auth.login, { body: { userName: forced, password: PASSWORD } });
  return {
    player: player.token,
    demo: (await server.call(CALLS.auth.demo)).data.token,
    operator: await server.operator(true),
    forced: login.data.token,
  };
}

/** What is wrong with the input is said of a field. */
const NAMED: ReadonlySet<string> = new Set(['BAD_INPUT', 'UNKNOWN_FIELD', 'KEY_REQUIRED']);

async function check(call: AnyCall, what: string, path: string, init: Init): Promise<number> {
  const response = await server.fetch(path, init);
  const text = await response.text();
  const about = `${call.name} ${what}: ${init.method} ${path} ${(init.body ?? '').slice(0, 300)} -> ${response.status} ${text.slice(0, 300)}`;
  if (response.status >= 500) throw new Error(about);
  if (response.ok && call.file) {
    if (response.headers.get('content-type') !== call.file) throw new Error(about);
    return response.status;
  }
  // The data of a good one the server has held to the contract (FAIRGAME_CHECK_REPLIES).
  const told = JSON.parse(text) as { statusCode?: number; code?: string; field?: string; message?: string };
  if (told.statusCode !== response.status) throw new Error(about);
  if (response.status >= 400 && (!told.code || !(told.code in ERRORS) || !told.message)) throw new Error(about);
  if (NAMED.has(told.code!) && told.field === undefined) throw new Error(`names no field: ${about}`);
  if (!what.startsWith('as operator') && victim.words.some((word) => text.includes(word)))
    throw new Error(`of another player: ${about}`);
  return response.status;
}

describe('every route under odd input', () => {
  it('[OPN-29] [SEC-Z3] [ERR-11] answers without a 5xx, with a coded error', async () => {
    const statuses = new Map<number, number>();
    const enders = allCalls().filter((call) => ENDERS.has(call.name));
    let known = await tokens();
    for (const call of [...allCalls().filter((one) => !ENDERS.has(one.name)), ...enders]) {
      if (ENDERS.has(call.name)) known = await tokens();
      for (let round = 0; round < ROUNDS; round++) {
        const wild = round > 3;
        const who =
          call.who === 'operator'
            ? pick(['operator', 'operator', 'player'] as const)
            : pick(['player', 'player', 'player', 'demo', 'operator', 'forced'] as const);
        const headers: Record<string, string> = { authorization: `Bearer ${known[who]}` };
        const init: Init = { method: call.method, headers };
        if (call.method === 'POST') {
          const good = sample(schemaOf(call.body));
          const value = wild ? mutate(good) : good;
          init.body =
            random() < 0.06
              ? pick(['{', '[[[', '"', '{"a":1,}', '\u0000', '['.repeat(5000), TWICE, '"x"', '[1]'])
              : JSON.stringify(value === undefined ? {} : value);
          headers['content-type'] =
            random() < 0.06
              ? pick([
                  'text/plain',
                  'application/xml',
                  'multipart/form-data; boundary=a',
                  'application/json; charset=utf-16',
                ])
              : 'application/json';
        }
        const status = await check(call, `as ${who}, seed ${SEED}, round ${round}`, pathFor(call, wild), init);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    // The fuzzing reached past the checks, not only against them.
    expect(statuses.get(200)).toBeGreaterThan(allCalls().length);
    expect(statuses.get(400)).toBeGreaterThan(allCalls().length);
    const ready = await server.fetch('/readyz');
    expect(ready.status).toBe(200);
  }, 240_000);

  it('unknown ids, values out of range and foreign ids are refused by code', async () => {
    const { token, userId } = await server.player('ids');
    const ask = async (path: string) =>
      (await (await server.fetch(`/api${path}`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
        code?: string;
        field?: string;
      };
    expect(await ask('/match/999999999')).toMatchObject({ code: 'MATCH_UNKNOWN' });
    expect(await ask('/match/99999999999999999')).toMatchObject({ code: 'BAD_INPUT', field: 'id' });
    expect(await ask('/match/-1')).toMatchObject({ code: 'BAD_INPUT', field: 'id' });
    expect(await ask('/match/1e5')).toMatchObject({ code: 'BAD_INPUT', field: 'id' });
    expect(await ask(`/transaction/get/${userId}?page=0`)).toMatchObject({ code: 'BAD_INPUT', field: 'page' });
    expect(await ask('/match/search/%00')).toMatchObject({ code: 'BAD_INPUT' });
  });
});
