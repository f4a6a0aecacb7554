import { type AnyCall, allCalls, CALLS, type InputOf } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Told } from './server.ts';
import { IDS, makeSite, type Site } from './site.ts';

/**
 * The authorisation matrix: what player A may do, done again with B's token and with a demo token, with all of A's ids,
 * keys and words in it. Nobody else gets A's data or changes it, and A's own token shows that the call itself was good.
 */
interface Row {
  input: (a: Marks) => object;
  /** What another player gets: `refused`, or an answer without a trace of A. */
  other: 'refused' | 'own';
  /** A demo player; as another player where not said. */
  demo?: 'refused' | 'own';
  /** What A gets; 200 where not said, `any` where it depends on what A did before. */
  own?: number | 'any';
}

interface Marks {
  userId: number;
  userName: string;
  password: string;
  token: string;
  /** Resting in the book, and matched. */
  resting: number;
  matched: number;
  key: string;
  sessionId: string;
}

const MARK_STAKE = 12_347;
const MARK_BUTTON = '{"MarkOfA":7731}';
const { football, race, cricket } = IDS;
let site: Site;
let a: Marks;
let b: string;
let demo: string;
let keys = 0;
const key = () => `matrix-key-${String(++keys).padStart(10, '0')}`;

const placing = (more: object = {}) => ({
  body: {
    key: key(),
    matchId: football.event,
    betId: football.odds,
    runnerId: football.home,
    bettingType: 'BACK',
    // Far from any lay: it rests, and nothing of it can match what A has resting.
    odd: 900,
    stake: MARK_STAKE,
    ...more,
  },
});
const none = () => ({});
const reads = (input: (a: Marks) => object = none): Row => ({ input, other: 'own' });
const refused = (input: (a: Marks) => object, more: Partial<Row> = {}): Row => ({ input, other: 'refused', ...more });

/** Calls of a player, in the order they are made: those that end sessions come last. */
const ROWS: Record<string, Row> = {
  'user.profile': reads(),
  'transaction.list': refused((of) => ({ params: { userId: String(of.userId) } })),
  'transaction.file': refused((of) => ({ params: { userId: String(of.userId) } })),
  'transaction.year': refused((of) => ({ params: { userId: String(of.userId) }, query: { year: '2026' } })),
  'button.list': reads(() => ({ query: { type: 'Match' } })),
  'button.insert': reads(() => ({ body: { type: 'Match', value: '{"Other":1}' } })),
  'user.saveLanguage': reads(() => ({ body: { language: 'mr' } })),
  'user.saveTimeZone': reads(() => ({ body: { timeZone: 'Asia/Kolkata' } })),
  'expert.notification': reads(),
  'rules.list': reads(),
  'user.favourites': reads(),
  'user.saveFavourites': reads(() => ({ body: { matchIds: [cricket.event], tables: [] } })),
  'button.templates': reads(() => ({ body: { templates: [] } })),
  'user.workspaces': reads(),
  'user.saveWorkspace': reads(() => ({ body: { name: 'Mine', panes: [] } })),
  'user.removeWorkspace': reads(() => ({ body: { name: 'Mine' } })),
  'bet.place': reads(() => placing()),
  'bet.placeMany': reads(() => ({ body: { bets: [placing().body, placing().body] } })),
  'bet.match': reads(() => placing()),
  'bet.session': reads(() =>
    placing({
      matchId: cricket.event,
      betId: cricket.session,
      runnerId: cricket.sessionRow,
      bettingType: 'YES',
      odd: 100,
      line: 48,
      stake: 1000,
    }),
  ),
  'bet.otherMatch': reads(() =>
    placing({ matchId: IDS.politics.event, betId: IDS.politics.odds, runnerId: IDS.politics.left }),
  ),
  'bet.race': reads(() => placing({ matchId: race.event, betId: race.win, runnerId: race.horses[0] })),
  'bet.tournament': reads(() => placing()),
  'bet.card': { input: () => placing(), other: 'refused', own: 400 },
  'bet.byKey': refused((of) => ({ params: { key: of.key } })),
  'bet.settleKey': refused((of) => ({ body: { key: of.key } })),
  'bet.persistence': refused((of) => ({ body: { key: key(), id: of.resting, persistence: 'PERSIST' } })),
  'bet.list': refused((of) => ({ query: { createBy: `eq${of.userId}`, result: 'inArr[PENDING,UNDECLARE]' } })),
  'bet.file': refused((of) => ({ query: { createBy: `eq${of.userId}` } })),
  'bet.runAmount': reads(() => ({
    params: { id: String(cricket.session) },
    query: { matchId: String(cricket.event) },
  })),
  'bet.profitLoss': reads(() => ({ body: { level: 'market', matchId: football.event } })),
  'bet.myMarket': reads(),
  'bet.positions': reads(() => ({ query: { matchId: String(football.event) } })),
  'bet.cancel': refused((of) => ({ body: { key: key(), id: of.resting, by: 500 } })),
  'bet.replace': refused((of) => ({ body: { key: key(), id: of.resting, odd: 960, stake: 11_000 } })),
  'bet.cashOutQuote': reads(() => ({ query: { betId: String(football.odds) } })),
  'bet.cashOut': reads(() => ({
    body: {
      key: key(),
      betId: football.odds,
      legs: [{ runnerId: football.home, bettingType: 'BACK', odd: 200, stake: 1000 }],
      cancel: false,
    },
  })),
  'trader.conditionals': reads(() => ({ query: { betId: String(football.odds) } })),
  'trader.conditionalHistory': reads(() => ({ query: { betId: String(football.odds) } })),
  'trader.conditionalFile': reads(() => ({ query: { betId: String(football.odds) } })),
  'trader.conditional': reads(() => ({
    body: {
      key: key(),
      betId: football.odds,
      kind: 'TRAIL',
      runnerId: football.home,
      bettingType: 'LAY',
      ticks: 100,
      slip: 5,
      stake: 1000,
    },
  })),
  'trader.cancelConditional': reads(() => ({ body: { key: key(), betId: football.odds } })),
  'trader.hedge': {
    input: () => ({ body: { key: key(), betId: football.odds, percent: 1, cancel: false } }),
    other: 'own',
    own: 'any',
  },
  'bet.cancelAll': reads(() => ({ body: { key: key(), betId: football.odds } })),
  'card.table': { input: () => ({ query: { type: 'teen20' } }), other: 'own', own: 'any' },
  'card.initial': { input: () => ({ query: { type: 'teen20' } }), other: 'own', own: 'any' },
  'card.results': reads(() => ({ params: { id: 'teen20' } })),
  'card.resultDetail': { input: () => ({ query: { mid: '1' } }), other: 'refused', own: 404 },
  'card.report': reads(() => ({ params: { type: 'teen20' } })),
  'mac88.list': reads(() => ({ body: {} })),
  'mac88.login': {
    input: () => ({ body: { game_id: '1', provider_name: 'x', game_code: 'y', platform: 'desktop' } }),
    other: 'refused',
    own: 409,
  },
  'mac88.round': { input: () => ({ params: { id: '1' } }), other: 'refused', own: 404 },
  'mac88.providers': reads(),
  'mac88.bets': refused((of) => ({ params: { id: String(of.userId) } })),
  'match.list': reads(),
  'expert.blinkingTabs': reads(),
  'match.search': reads(() => ({ params: { keyword: 'Rovers' } })),
  'user.searchlist': reads(() => ({ query: { keyword: 'Rovers' } })),
  'match.get': reads(() => ({ params: { id: String(football.event) } })),
  'match.other': reads(() => ({ params: { id: String(IDS.politics.event) } })),
  'expert.competitions': reads(() => ({ params: { id: 'football' } })),
  'expert.dates': reads(() => ({ params: { id: '702' } })),
  'expert.matchesOn': reads(() => ({ params: { id: '702', date: '2026-07-01' } })),
  'market.list': reads(() => ({ query: { type: 'football' } })),
  cricketScore: reads(() => ({ query: { eventId: `b${cricket.event}` } })),
  sportScore: reads(() => ({ query: { eventId: `b${cricket.event}` } })),
  getIframeUrl: reads(() => ({ params: { id: String(cricket.event) } })),
  'market.event': reads(() => ({ params: { id: String(football.odds) } })),
  'market.past': reads(() => ({ params: { id: String(football.event) } })),
  'market.trades': reads(() => ({ params: { id: String(football.odds) } })),
  'market.history': reads(() => ({
    params: { id: String(football.odds) },
    query: { runners: String(football.home) },
  })),
  'racing.countries': reads(),
  'racing.list': reads(),
  'racing.get': reads(() => ({ params: { id: String(race.event) } })),
  'protection.status': reads(),
  'protection.setLimit': reads(() => ({ body: { kind: 'stake', span: 'bet', amountMinor: 900_000 } })),
  'protection.cancelRaise': { input: () => ({ body: { kind: 'stake', span: 'bet' } }), other: 'own', own: 'any' },
  'protection.setReality': reads(() => ({ body: { minutes: 60 } })),
  'protection.answerReality': { input: () => ({ body: {} }), other: 'own', own: 'any' },
  'protection.revoke': { input: () => ({ body: {} }), other: 'own', own: 'any' },
  'protection.wake': { input: () => ({ body: {} }), other: 'own', own: 'any' },
  // Nothing in these names a player; a wrong body keeps A and B able to bet.
  'protection.coolOff': { input: () => ({ body: {} }), other: 'own', own: 'any' },
  'protection.selfExclude': { input: () => ({ body: {} }), other: 'own', own: 'any' },
  'programs.list': { input: none, other: 'own', demo: 'refused' },
  'programs.create': {
    input: () => ({ body: { name: 'bot', rights: 'bet', addresses: [] } }),
    other: 'own',
    demo: 'refused',
  },
  'programs.revoke': { input: () => ({ body: { id: 999_999 } }), other: 'refused', own: 404 },
  'alerts.list': { input: none, other: 'own' },
  'alerts.create': { input: () => ({ body: { kind: 'BET', betId: football.odds, every: false } }), other: 'own' },
  'alerts.change': {
    input: () => ({ body: { id: 999_999, kind: 'BET', every: false } }),
    other: 'refused',
    own: 404,
  },
  'alerts.remove': { input: () => ({ body: { id: 999_999 } }), other: 'refused', own: 404 },
  'alerts.setQuiet': {
    input: () => ({ body: { quiet: { SOUND: { from: 0, to: 60, zone: 'UTC' }, NOTICE: null, PUSH: null } } }),
    other: 'own',
  },
  'alerts.pushKey': { input: none, other: 'own' },
  'alerts.subscribe': {
    input: () => ({
      body: { endpoint: 'https://push.example.org/a', p256dh: 'B'.repeat(87), auth: 'A'.repeat(22), keep: false },
    }),
    other: 'own',
  },
  'alerts.unsubscribe': { input: () => ({ body: { endpoint: 'https://push.example.org/a' } }), other: 'own' },
  'auth.sessions': { input: none, other: 'own', demo: 'refused' },
  'auth.authenticator': { input: none, other: 'own', demo: 'refused' },
  // A's password is nobody else's: it proves nothing of theirs.
  'auth.checkOldPassword': {
    input: (of) => ({ body: { oldPassword: of.password } }),
    other: 'own',
    demo: 'refused',
  },
  // A demo player has no password to prove.
  'auth.stepUp': refused((of) => ({ body: { password: of.password } }), { demo: 'own' }),
  'auth.verify': refused(() => ({ body: { authToken: '123456' } }), { own: 400 }),
  'auth.resend': refused(() => ({ body: {} }), { own: 409 }),
  'auth.remove': refused((of) => ({ body: { authToken: '123456', password: of.password } }), { own: 409 }),
  'auth.generate': refused((of) => ({ body: { type: 2, password: of.password } })),
  'auth.endSession': refused((of) => ({ body: { id: of.sessionId } })),
  'auth.changePassword': refused((of) => ({
    body: { oldPassword: of.password, newPassword: 'another-long-password-of-a' },
  })),
  // The new password has ended A's session too.
  'auth.logout': { input: none, other: 'own', own: 401 },
};

/** In the order of the rows; a call that has none yet comes before those that end sessions. */
const placeOf = (call: AnyCall): number => {
  const order = Object.keys(ROWS);
  return order.indexOf(ROWS[call.name] ? call.name : 'auth.sessions');
};
const PLAYER_CALLS = allCalls()
  .filter((call) => call.who !== 'public' && call.who !== 'operator')
  .sort((one, two) => placeOf(one) - placeOf(two));
const answers: Headers[] = [];

beforeAll(async () => {
  site = await makeSite();
  // Ids that no button or version on an answer has by chance.
  for (let n = 0; n < 500; n++) site.app.core.nextId();
  const one = await player('a-of-the-matrix', 'only-a-knows-this-one-8');
  const marked = (stake: number, odd: number, own = key()) =>
    send(CALLS.bets.place, placing({ stake, odd, key: own }), one.token).then((told) => told.data.bet.id);
  const own = key();
  const matched = await marked(MARK_STAKE, 200, own);
  const resting = await marked(MARK_STAKE, 940);
  await send(CALLS.account.saveButtons, { body: { type: 'Match', value: MARK_BUTTON } }, one.token);
  const sessions = await send(CALLS.auth.sessions, {}, one.token);
  const second = await signIn(one.userName, one.password);
  expect(second).not.toBe(one.token);
  a = { ...one, resting, matched, key: own, sessionId: sessions.data[0]!.id, token: second };
  b = (await player('b-of-the-matrix', 'only-b-knows-this-one-9')).token;
  demo = (await site.call(CALLS.auth.demo, {})).data.token;
});
afterAll(() => site.close());

describe('every call of A with the tokens of others', () => {
  for (const call of PLAYER_CALLS) {
    it(`[SEC-Z1] [SEC-Z2] ${call.name}`, async () => {
      const row = ROWS[call.name] ?? guess(call);
      const input = row.input(a);
      const before = await rowsOf(a.userId);
      const real = await realBooks();

      const asDemo = await send(call, input, demo);
      const demoExpects = row.demo ?? (call.who === 'real' ? 'refused' : row.other);
      expectAnswer(call, asDemo, demoExpects);
      if (call.who === 'real') expect(asDemo.error?.code).toBe('DEMO_NOT_ALLOWED');
      expect(await realBooks()).toEqual(real);

      const asB = await send(call, input, b);
      expectAnswer(call, asB, row.other);
      expect(await rowsOf(a.userId)).toEqual(before);

      // The same request with A's own token shows that it was the token that was refused.
      const asA = await send(call, input, a.token);
      if (row.own === 'any') expect(asA.status).toBeLessThan(500);
      else expect([asA.status, asA.error?.code]).toEqual([row.own ?? 200, asA.error?.code]);
    });
  }

  it('every row of the matrix is a call', () => {
    const names = new Set(allCalls().map((call) => call.name));
    expect(Object.keys(ROWS).filter((name) => !names.has(name))).toEqual([]);
  });

  it('[SEC-Z1] the key of A still answers A, whatever others did with it', async () => {
    const token = await signIn(a.userName, 'another-long-password-of-a');
    const told = await send(CALLS.bets.byKey, { params: { key: a.key } }, token);
    expect(told.data.bet).toMatchObject({ id: a.matched, amount: MARK_STAKE });
  });
});

describe('the operator', () => {
  it('[SEC-Z1] no player, real or demo, makes a call of the operator', async () => {
    const calls = allCalls().filter((call) => call.who === 'operator');
    expect(calls.length).toBeGreaterThan(15);
    b = await signIn('b-of-the-matrix', 'only-b-knows-this-one-9');
    demo = (await site.call(CALLS.auth.demo, {})).data.token;
    for (const call of calls) {
      for (const token of [b, demo]) {
        const told = await send(call, bare(call), token);
        expect([call.name, told.status, told.error?.code]).toEqual([call.name, 403, 'NOT_ALLOWED']);
      }
    }
  });

  it('[SEC-Z1] and without a token, or with a made-up one, nobody gets anything', async () => {
    for (const call of allCalls().filter((one) => one.who !== 'public')) {
      const input = ROWS[call.name]?.input(a) ?? bare(call);
      expect([call.name, (await send(call, input)).status]).toEqual([call.name, 401]);
      const forged = await send(call, input, 'A'.repeat(43));
      expect([call.name, forged.status]).toEqual([call.name, 401]);
    }
  });
});

describe('what the answers carry', () => {
  it('[SEC-S7] not one of them may be stored', () => {
    expect(answers.length).toBeGreaterThan(300);
    for (const headers of answers) expect(headers.get('cache-control')).toBe('no-store');
  });

  it('[SEC-S6] [SEC-L2] the log of all this has no token, no password and no part of one', () => {
    const log = site.logText();
    expect(log).toContain('bet.place');
    for (const secret of [a.token, b, demo, a.password, 'only-b-knows-this-one-9', 'another-long-password-of-a']) {
      expect(log).not.toContain(secret.slice(0, 12));
    }
  });
});

describe('reading', () => {
  it('[SEC-Z8] not one GET changes anything: the database and the core stand as before', async () => {
    const token = await signIn(a.userName, 'another-long-password-of-a');
    const marks = { ...a, token };
    const gets = PLAYER_CALLS.filter((call) => call.method === 'GET' && ROWS[call.name]);
    expect(gets.length).toBeGreaterThan(25);
    const before = await everything();
    const seq = site.app.core.health().seq;
    for (const call of gets) {
      const told = await send(call, ROWS[call.name]!.input(marks), token);
      const own = ROWS[call.name]!.own === 'any' ? told.status : (ROWS[call.name]!.own ?? 200);
      expect([call.name, told.status]).toEqual([call.name, own]);
    }
    for (const path of ['/', '/login', '/api/docs', '/livez', '/readyz', '/metrics']) await site.fetch(path);
    expect(site.app.core.health().seq).toBe(seq);
    expect(await everything()).toEqual(before);
  });

  it('[SEC-Z8] a call that changes something is not served to GET', async () => {
    const gets = allCalls().filter((one) => one.method === 'GET');
    const readable = (path: string) =>
      gets.some((one) => new RegExp(`^${one.path.replace(/:[A-Za-z]+/g, '[^/]+')}$`).test(path));
    const acts = allCalls().filter((one) => one.method === 'POST' && !readable(one.path));
    expect(acts.length).toBeGreaterThan(35);
    for (const call of acts) {
      const path = call.path.replace(/:[A-Za-z]+/g, '1');
      const response = await site.fetch(`/api${path}`, { headers: { authorization: `Bearer ${b}` } });
      const { code } = (await response.json()) as { code: string };
      expect([call.name, response.status, code]).toEqual([call.name, 405, 'METHOD_NOT_ALLOWED']);
    }
  });
});

async function player(userName: string, password: string) {
  const { userId } = await site.app.auth.createPlayer({
    userName,
    password,
    creditMinor: 1_000_000,
    forceChangePassword: false,
    actor: 'test',
  });
  return { userId, userName, password, token: await signIn(userName, password) };
}

async function signIn(userName: string, password: string): Promise<string> {
  return (await site.call(CALLS.auth.login, { body: { userName, password } })).data.token;
}

async function send<C extends AnyCall>(call: C, input: object, token?: string): Promise<Told<C>> {
  const told = await site.call(call, input as InputOf<C>, token ? { token } : {});
  answers.push(told.headers);
  return told;
}

/** Every id a call may take in its path, all of A. */
const bare = (call: AnyCall) => ({
  params: { userId: String(a.userId), id: String(a.userId), userName: a.userName },
  ...(call.method === 'POST' ? { body: {} } : {}),
});

/** A call nobody wrote a row for yet: it must change nothing of A's and show nothing, whatever it answers. */
function guess(call: AnyCall): Row {
  return {
    input: () => bare(call),
    other: 'own',
    own: 'any',
  };
}

function expectAnswer(call: AnyCall, told: Told<AnyCall>, expected: 'refused' | 'own'): void {
  expect(told.status).toBeLessThan(500);
  if (expected === 'refused') {
    expect(told.status).toBeGreaterThanOrEqual(400);
    expect(tracesOf(told.error)).toEqual([]);
  } else if (told.status === 200) {
    // The id of a set of buttons is its kind, not a person; orders that wait have numbers of their own.
    const traces = tracesOf(told.data, call.name).filter(
      (trace) => !/(button[^:]*\.id: [12]|conditional\.order\.id: \d+)$/i.test(trace),
    );
    expect(traces).toEqual([]);
  }
}

/** Where an answer shows something that is A's alone. */
function tracesOf(value: unknown, path = ''): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => tracesOf(inner, `${path}.${name}`));
  const words = [a.userName, a.password, a.token, a.sessionId, a.key, 'MarkOfA'];
  const isId = /\.(id|userId|uniqueId|betId\.\d+|betIds\.\d+)$/.test(path);
  const hit =
    (isId && [a.userId, a.resting, a.matched].includes(value as number)) ||
    (typeof value === 'string' && words.some((word) => value.includes(word)));
  return hit ? [`${path}: ${String(value)}`] : [];
}

/** Every stored row that is A's, without when a session was last seen. */
async function rowsOf(userId: number): Promise<Record<string, unknown[]>> {
  const { db } = site.app;
  const columns = await db.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
     AND (column_name IN ('user_id', 'account_id') OR (table_name IN ('users', 'accounts') AND column_name = 'id'))
     ORDER BY table_name`,
  );
  const rows: Record<string, unknown[]> = {};
  for (const { table_name: table, column_name: column } of columns)
    rows[table] = await db.query(
      `SELECT to_jsonb(t) - 'last_seen_at' AS row FROM ${table} t WHERE ${column} = $1 ORDER BY to_jsonb(t)::text`,
      [userId],
    );
  expect(rows.users).toHaveLength(1);
  return rows;
}

/** Accounts, bets and ledger of the real world: a demo player leaves them as they are. */
async function realBooks(): Promise<unknown[]> {
  const { db } = site.app;
  const books: unknown[] = [];
  for (const table of ['accounts', 'bets', 'fills', 'ledger', 'ledger_entries'])
    books.push(
      await db.query(`SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${table} t WHERE world = 'real'`),
    );
  return books;
}

async function everything(): Promise<Record<string, unknown>> {
  const { db } = site.app;
  // Processes give signs of life by the clock, and take turns to look at accounts.
  const tables = await db.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'bus_signs' ORDER BY table_name`,
  );
  const sums: Record<string, unknown> = {};
  for (const { table_name: table } of tables) {
    const byClock = ['last_seen_at', 'renewed_at', ...(table === 'protection_turns' ? ['holder', 'until'] : [])];
    const [row] = await db.query(
      `SELECT count(*)::int AS n, md5(string_agg(line, '' ORDER BY line)) AS sum
         FROM (SELECT (to_jsonb(t) - $1::text[])::text AS line FROM ${table} t) AS lines`,
      [byClock],
    );
    sums[table] = row;
  }
  return sums;
}
