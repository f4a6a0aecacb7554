/** Placing over the open socket, and many bets at once: one call of the contract, whichever way it comes. */
import {
  type AnyCall,
  type BetAnswer,
  type BodyOf,
  CALLS,
  type LineCall,
  MOST_AT_ONCE,
  OPERATOR_CALLS,
} from '@fairgame/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { LineAnswer } from '../src/http/http.ts';
import { codeOf, programDoor, type Answer as Told } from './program-door.ts';
import { Line } from './program-line.ts';
import { newKey } from './server.ts';
import { IDS, makeSite, type Site, state } from './site.ts';

const { bets, auth } = CALLS;
const { football, cricket } = IDS;
type PlaceBody = BodyOf<typeof bets.place>;
const sockets: Socket[] = [];
let site: Site;

beforeAll(async () => {
  site = await makeSite({ FAIRGAME_SOCKETS_PER_ADDRESS: '60' });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});
afterAll(() => site.close());

async function line(token: string, where: Site = site, transports = ['websocket']): Promise<Socket> {
  const socket = io(`${where.url}/`, {
    auth: { token },
    forceNew: true,
    reconnection: false,
    transports,
  });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  return socket;
}

type Answer = LineAnswer & { code?: string; field?: string; data?: unknown };
const say = (socket: Socket, message: unknown): Promise<Answer> =>
  socket.timeout(5000).emitWithAck('call', message) as Promise<Answer>;
const ask = (socket: Socket, call: AnyCall, body: unknown, more: Partial<LineCall> = {}): Promise<Answer> =>
  say(socket, { call: call.name, body, ...more });
const bet = (more: Partial<PlaceBody> = {}): PlaceBody => ({
  key: newKey(),
  betId: football.odds,
  matchId: football.event,
  runnerId: football.home,
  bettingType: 'BACK',
  odd: 200,
  stake: 1000,
  ...more,
});
const idOf = (answer: Answer): number => (answer.data as BetAnswer).bet.id;
/** What the POST of the same says, as it is. */
async function posted(token: string, call: AnyCall, body: unknown, headers: Record<string, string> = {}) {
  const response = await site.fetch(`/api${call.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}
const without = (answer: Answer & { requestId?: string }) => ({ ...answer, requestId: undefined, seen: undefined });
const openBets = async (token: string) =>
  (await site.call(bets.list, { query: { result: 'inArr[PENDING,UNDECLARE]' } }, { token })).data;

describe('a call over the open socket', () => {
  it('places a bet as the POST does: same answer, same key, nothing placed twice', async () => {
    const { token } = await site.player();
    const socket = await line(token);
    const body = bet();
    const first = await ask(socket, bets.place, body);
    expect(first).toMatchObject({ statusCode: 200, message: 'Bet placed.', data: { bet: { matched: 1000 } } });
    // Again over the socket, by POST, over another socket, and all at once.
    const again = await line(token);
    const more = await Promise.all([
      ask(socket, bets.place, body),
      posted(token, bets.place, body),
      ask(again, bets.place, body),
    ]);
    expect(more.map(idOf)).toEqual([idOf(first), idOf(first), idOf(first)]);
    const together = bet();
    const twins = await Promise.all([
      posted(token, bets.place, together),
      ask(socket, bets.place, together),
      ask(again, bets.place, together),
    ]);
    expect(new Set(twins.map(idOf)).size).toBe(1);
    expect((await openBets(token)).total).toBe(2);
    // The key belongs to what was sent under it, whichever way.
    expect(await ask(socket, bets.place, { ...body, stake: 2000 })).toMatchObject({
      statusCode: 422,
      code: 'KEY_REUSED',
    });
  });

  it('places a bet with its offset and its end, and tells both again to whoever asks by its key', async () => {
    const { token } = await site.player();
    const socket = await line(token);
    const body = bet({ odd: 900, offset: { ticks: 3, level: true }, seconds: 600 });
    const first = await ask(socket, bets.place, body);
    const orders = [
      { kind: 'OFFSET', ticks: 3, status: 'WAITING' },
      { kind: 'EXPIRE', status: 'WAITING' },
    ];
    expect(first).toMatchObject({ statusCode: 200, data: { bet: { remaining: 1000 }, orders } });
    expect((await ask(socket, bets.settleKey, { key: body.key })).data).toEqual(first.data);
    expect((await posted(token, bets.place, body)).data).toEqual(first.data);
    const bad = await ask(socket, bets.place, bet({ odd: 101, offset: { ticks: 3, level: true } }));
    expect(bad).toMatchObject({ statusCode: 400, code: 'PRICE_INVALID', field: 'offset.ticks' });
    expect((await openBets(token)).total).toBe(1);
  });

  it('settles a key, cancels and changes a bet', async () => {
    const { token } = await site.player();
    const socket = await line(token);
    const lost = newKey();
    expect(await ask(socket, bets.settleKey, { key: lost })).toMatchObject({ statusCode: 404, code: 'KEY_UNKNOWN' });
    expect(await ask(socket, bets.place, bet({ key: lost }))).toMatchObject({ statusCode: 409, code: 'KEY_BURNT' });
    const resting = idOf(await ask(socket, bets.place, bet({ odd: 900 })));
    const changed = await ask(socket, bets.replace, { key: newKey(), id: resting, odd: 960, stake: 1000 });
    expect(changed).toMatchObject({ statusCode: 200, data: { bet: { odds: 960, remaining: 1000 } } });
    const gone = await ask(socket, bets.cancel, { key: newKey(), id: idOf(changed) });
    expect(gone).toMatchObject({ statusCode: 200, data: { bet: { remaining: 0, cancelled: 1000 } } });
  });

  it('refuses what the POST refuses, in the same words', async () => {
    const { token } = await site.player();
    const socket = await line(token);
    await site.feed(state(cricket.odds, { status: 'SUSPENDED' }));
    const deep = JSON.parse(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`) as object;
    const wrong: unknown[] = [
      bet({ stake: -1 }),
      bet({ stake: 1.5 }),
      { ...bet(), odds: 200 },
      { ...bet(), key: undefined },
      bet({ key: 'short' }),
      { ...bet(), ...(JSON.parse('{"__proto__": {"a": 1}}') as object) },
      JSON.parse(`{"constructor": 1}`),
      { ...bet(), extra: deep },
      bet({ odd: 201 }),
      bet({ odd: 1_000_000 }),
      bet({ stake: 1 }),
      bet({ stake: 500_000_000 }),
      bet({ betId: 77 }),
      bet({ betId: cricket.odds, matchId: cricket.event, runnerId: cricket.teamA, odd: 180 }),
      'text',
      null,
      [],
      undefined,
    ];
    for (const body of wrong) {
      const told = await ask(socket, bets.place, body);
      expect([body, told.statusCode >= 400]).toEqual([body, true]);
      expect(without(told)).toEqual(without(await posted(token, bets.place, body)));
    }
    expect((await openBets(token)).total).toBe(0);
    await site.feed(state(cricket.odds, { status: 'OPEN' }));
  });

  it('takes the calls whose contract says so, and no other word', async () => {
    const { token } = await site.player();
    const socket = await line(token);
    for (const call of [auth.logout, bets.list, OPERATOR_CALLS.deleteBet, CALLS.account.saveFavourites])
      expect(await ask(socket, call, {})).toMatchObject({ statusCode: 404, code: 'NOT_FOUND', field: 'call' });
    expect(await say(socket, { call: 'toString', body: {} })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await say(socket, { call: 'bet.place', body: bet(), unattended: 1 })).toMatchObject({ field: 'unattended' });
    expect(await say(socket, { call: 7, body: {} })).toMatchObject({ code: 'BAD_INPUT', field: 'call' });
    expect(await say(socket, 'bet.place')).toMatchObject({ code: 'BAD_INPUT' });
    expect(await say(socket, { call: 'bet.place', body: bet(), as: 'operator' })).toMatchObject({
      code: 'UNKNOWN_FIELD',
      field: 'as',
    });
  });

  it('a field that stands twice is refused by its name, in a call, a greeting and any other word', async () => {
    const { token } = await site.player();
    const heard: string[] = [];
    const socket = new WebSocket(`${site.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    socket.on('message', (data: Buffer) => heard.push(data.toString()));
    const answer = async (begin: string) => {
      await expect.poll(() => heard.find((text) => text.startsWith(begin))).toBeDefined();
      return JSON.parse(heard.find((text) => text.startsWith(begin))!.slice(begin.length)) as unknown;
    };
    await answer('0');
    socket.send(`40{"token":"none","token":"${token}"}`);
    expect(await answer('44')).toMatchObject({ data: { code: 'NOT_SIGNED_IN' } });
    socket.send(`40{"token":"${token}"}`);
    await answer('40');
    const text = JSON.stringify({ call: 'bet.place', body: bet() });
    socket.send(`421["call",${text.replace('"stake":1000', '"stake":1,"stake":1000')}]`);
    expect(await answer('431')).toMatchObject([{ statusCode: 400, code: 'BAD_INPUT', field: 'stake' }]);
    socket.send(`422["call",${text.replace('"call":', '"c\\u0061ll":"auth.logout","call":')}]`);
    expect(await answer('432')).toMatchObject([{ code: 'BAD_INPUT', field: 'call' }]);
    socket.send('423["joinUser",{"id":1,"id":1}]');
    expect(await answer('433')).toEqual([{ error: 'BAD_INPUT' }]);
    // The same once.
    socket.send(`424["call",${text}]`);
    expect(await answer('434')).toMatchObject([{ statusCode: 200 }]);
    socket.close();
  });

  it('holds to the session: idle hour, forced password, sign-out, idle clock', async () => {
    const { token } = await site.player();
    const socket = await line(token);
    const session = site.app.auth.sessionOf(token)!;
    session.stepUpDue = true;
    const body = bet();
    expect(await ask(socket, bets.place, body)).toMatchObject({ statusCode: 403, code: 'STEP_UP_REQUIRED' });
    session.stepUpDue = false;
    session.forceChangePassword = true;
    expect(await ask(socket, bets.place, body)).toMatchObject({ statusCode: 403, code: 'PASSWORD_CHANGE_REQUIRED' });
    session.forceChangePassword = false;
    const before = session.lastSeenAt;
    site.clock.advance(5000);
    // What the client does by itself is no act of the player.
    expect(await ask(socket, bets.settleKey, { key: newKey() }, { unattended: true })).toMatchObject({
      statusCode: 404,
    });
    expect(session.lastSeenAt).toBe(before);
    expect(await ask(socket, bets.place, body)).toMatchObject({ statusCode: 200 });
    expect(session.lastSeenAt).toBe(before + 5000);
    // Signed out a moment ago: the socket is still open for its last word.
    await site.call(auth.logout, {}, { token });
    expect(await ask(socket, bets.place, bet())).toMatchObject({ statusCode: 401, code: 'SESSION_ENDED' });
  });

  it('is refused when nobody wants it any more', async () => {
    const { token } = await site.player();
    const socket = await line(token);
    const now = site.clock();
    expect(await ask(socket, bets.place, bet(), { deadline: now - 1 })).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await ask(socket, bets.place, bet(), { deadline: -5 })).toMatchObject({
      code: 'BAD_INPUT',
      field: 'x-request-deadline',
    });
    expect(await ask(socket, bets.place, bet(), { deadline: now + 60_000 })).toMatchObject({ statusCode: 200 });
    expect((await openBets(token)).total).toBe(1);
  });

  it('stands in the log and in the metrics', async () => {
    const { token, userId } = await site.player();
    const socket = await line(token);
    const refusal = await ask(socket, bets.place, { ...bet(), stake: 'x' });
    const lines = site
      .logText()
      .split('\n')
      .filter((text) => text.includes(`"user":${userId}`))
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(lines).toContainEqual(expect.objectContaining({ call: 'bet.place', method: 'LINE', status: 400 }));
    const { requestId } = refusal as { requestId?: string };
    expect(lines).toContainEqual(expect.objectContaining({ security: 'refused', code: 'BAD_INPUT', requestId }));
    expect(await (await site.fetch('/metrics')).text()).toMatch(/call="bet\.place"|route="bet\.place"/);
  });
});

describe('many at once', () => {
  const many = (token: string, list: unknown[]) => posted(token, bets.placeMany, { bets: list });
  /** The writer ends a batch early when it took too long; on a busy machine that can be any, so no time passes. */
  const inOneBatch = (token: string, list: unknown[]) => {
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    return many(token, list).finally(() => time.mockRestore());
  };
  const answersOf = (answer: Answer) => (answer.data as { answers: Answer[] }).answers;

  it('answers each in its place, takes none with another, and again the same under the same keys', async () => {
    const { token, userId } = await site.player();
    const batches: number[] = [];
    const off = site.app.core.onCommitted((batch) => {
      const mine = batch.items.filter(
        ({ actor, events }) => actor === `player:${userId}` && events.some(({ type }) => type === 'bet'),
      ).length;
      if (mine > 0) batches.push(mine);
    });
    const list = [
      bet(),
      bet({ odd: 201 }),
      bet({ betId: cricket.odds, matchId: cricket.event, runnerId: cricket.teamA, odd: 180 }),
      bet({ betId: 77 }),
      bet({ odd: 900, persistence: 'PERSIST' }),
    ];
    const first = answersOf(await inOneBatch(token, list));
    off();
    expect(first.map(({ statusCode, code, field }) => [statusCode, code, field])).toEqual([
      [200, undefined, undefined],
      [400, 'PRICE_INVALID', 'odd'],
      [200, undefined, undefined],
      [404, 'MARKET_UNKNOWN', 'betId'],
      [200, undefined, undefined],
    ]);
    // One write of the database for all that were taken.
    expect(batches).toEqual([3]);
    // What the POST of one says.
    const single = await posted(token, bets.place, list[1]);
    expect(without(first[1]!)).toEqual(without(single));
    const socket = await line(token);
    const again = answersOf(await ask(socket, bets.placeMany, { bets: list }));
    expect(again.filter(({ statusCode }) => statusCode === 200).map(idOf)).toEqual(
      first.filter(({ statusCode }) => statusCode === 200).map(idOf),
    );
    expect((await openBets(token)).total).toBe(3);
  });

  it('is told to every socket of the player, each event in its place, on either transport', async () => {
    const { token } = await site.player();
    const heard = await Promise.all(
      ['websocket', 'polling'].map(async (transport) => {
        const list: Array<[string, number, number | undefined]> = [];
        const socket = await line(token, site, [transport]);
        socket.onAny((event: string, { n, bet: told, bets: all }: { n: number; bet?: object; bets?: object[] }) => {
          if (told) expect(all).toEqual([told]);
          if (n > 0) list.push([event, n, (told as { id: number } | undefined)?.id]);
        });
        return list;
      }),
    );
    const ids = answersOf(await inOneBatch(token, [bet(), bet(), bet({ odd: 900 })])).map(idOf);
    // The balance once, as the commit left it.
    const told = [...ids.map((id, at) => ['userMatchBetPlaced', at + 1, id]), ['updateUserBalance', 4, undefined]];
    for (const list of heard) await expect.poll(() => list).toEqual(told);
  });

  it('knows a key that stands in it twice', async () => {
    const { token, userId } = await site.player();
    const body = bet();
    const [one, two, other] = answersOf(await many(token, [body, body, { ...body, stake: 2000 }]));
    expect(idOf(one!)).toBe(idOf(two!));
    expect(other).toMatchObject({ statusCode: 422, code: 'KEY_REUSED' });
    expect((await openBets(token)).total).toBe(1);
    // Security hears of a part as of a call.
    const { requestId } = other as { requestId?: string };
    const told = site
      .logText()
      .split('\n')
      .filter((text) => text.includes('"security"') && text.includes(requestId!));
    expect(told.map((text) => JSON.parse(text) as object)).toEqual([
      expect.objectContaining({ code: 'KEY_REUSED', call: 'bet.placeMany', user: userId }),
    ]);
  });

  it('takes 1 to 50 whole instructions, or none of them', async () => {
    const { token } = await site.player();
    const shape = async (list: unknown) => {
      const { statusCode, code, field } = await posted(token, bets.placeMany, { bets: list });
      return [statusCode, code, field];
    };
    expect(await shape([])).toEqual([400, 'BAD_INPUT', 'bets']);
    expect(await shape(Array.from({ length: MOST_AT_ONCE + 1 }, () => bet()))).toEqual([400, 'BAD_INPUT', 'bets']);
    expect(await shape([bet(), { ...bet(), stake: 0 }])).toEqual([400, 'BAD_INPUT', 'bets.1.stake']);
    expect(await shape([bet(), { ...bet(), more: 1 }])).toEqual([400, 'UNKNOWN_FIELD', 'bets.1.more']);
    expect((await openBets(token)).total).toBe(0);
    const all = answersOf(
      await many(
        token,
        Array.from({ length: MOST_AT_ONCE }, () => bet({ stake: 100 })),
      ),
    );
    expect(all.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: MOST_AT_ONCE }, () => 200));
    expect(new Set(all.map(idOf)).size).toBe(MOST_AT_ONCE);
  });

  it('wants the password after an idle hour before any of them', async () => {
    const { token } = await site.player();
    const session = site.app.auth.sessionOf(token)!;
    session.stepUpDue = true;
    expect(await many(token, [bet(), bet()])).toMatchObject({ statusCode: 403, code: 'STEP_UP_REQUIRED' });
    session.stepUpDue = false;
    expect((await openBets(token)).total).toBe(0);
  });
});

describe('limits of the whole site', () => {
  let strict: Site;
  beforeAll(async () => {
    strict = await makeSite({ FAIRGAME_LIMIT_FACTOR: '1', PROGRAMS_PORT: '0' });
  });
  afterAll(() => strict.close());

  it('the pace of bets counts every instruction, whichever way it comes', async () => {
    const { token } = await strict.player();
    const socket = await line(token, strict);
    const list = (count: number) => ({ bets: Array.from({ length: count }, () => bet({ stake: 100 })) });
    const at = { token };
    // A burst of twenty: eighteen, one and one.
    expect(await ask(socket, bets.placeMany, list(18))).toMatchObject({ statusCode: 200 });
    expect(await ask(socket, bets.place, bet({ stake: 100 }))).toMatchObject({ statusCode: 200 });
    const two = await strict.call(bets.placeMany, { body: list(2) }, at);
    expect([two.status, two.error?.code, two.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1']);
    expect((await strict.call(bets.place, { body: bet({ stake: 100 }) }, at)).status).toBe(200);
    const full = { statusCode: 429, code: 'RATE_LIMITED', retryAfterS: 1 };
    expect(await ask(socket, bets.place, bet())).toMatchObject(full);
    expect(await ask(socket, bets.placeMany, list(1))).toMatchObject(full);
    // More than a burst is taken from a full bucket only, and paid for afterwards.
    strict.clock.advance(2000);
    expect(await ask(socket, bets.placeMany, list(40))).toMatchObject({ statusCode: 200 });
    strict.clock.advance(2000);
    expect(await ask(socket, bets.place, bet())).toMatchObject(full);
    strict.clock.advance(200);
    expect(await ask(socket, bets.place, bet({ stake: 100 }))).toMatchObject({ statusCode: 200 });
  });

  it('a program has paces of its own, and is told so in the words of its format', async () => {
    const { enter, rpc, post, login } = programDoor();
    const { anna, base, key } = await enter(strict);
    const marketIds = [`1.${200_000_000 + IDS.football.odds}`];
    const read = async () => codeOf(await rpc('listMarketBook', { marketIds }));
    // Five readings of one market in a second.
    const six = await Promise.all(Array.from({ length: 6 }, read));
    expect(six.filter(Boolean)).toEqual(['TOO_MANY_REQUESTS']);
    strict.clock.advance(1000);
    expect(await read()).toBeUndefined();
    // A thousand instructions at once, then two hundred a second.
    const many = {
      marketId: 'none',
      instructions: Array(200).fill({ orderType: 'LIMIT', selectionId: 1, side: 'BACK' }),
    };
    const place = async () => codeOf(await rpc('placeOrders', many));
    for (let call = 0; call < 5; call++) expect(await place()).toBeUndefined();
    expect(await place()).toBe('TOO_MANY_REQUESTS');
    strict.clock.advance(1000);
    expect([await place(), await place()]).toEqual([undefined, 'TOO_MANY_REQUESTS']);
    // About 240 readings at once.
    const call = { jsonrpc: '2.0', method: 'SportsAPING/v1.0/listEventTypes', params: { filter: {} }, id: 1 };
    const answers: Told[] = [];
    for (let batch = 0; batch < 5; batch++)
      answers.push(...((await (await post('betting/json-rpc/v1', Array(50).fill(call))).json()) as Told[]));
    const refusals = answers.map(({ error }) => codeOf(error));
    expect(refusals.slice(0, 230).filter(Boolean)).toEqual([]);
    expect(refusals.at(-1)).toBe('TOO_MANY_REQUESTS');
    // A subscription is an image of up to 200 markets: ten connections may come back at once, a storm of them is one too many.
    strict.clock.advance(60_000);
    const session = await login(anna, key);
    const program = new Line(new WebSocket(`${base.replace('http', 'ws')}/stream`));
    program.send({ op: 'authentication', id: 1, appKey: key, session });
    await program.status(1);
    const subscribe = (id: number) =>
      program.send({ op: 'marketSubscription', id, marketFilter: { marketIds: ['1.1'] } });
    for (let id = 100; id < 140; id++) {
      subscribe(id);
      expect(await program.status(id)).toMatchObject({ statusCode: 'SUCCESS' });
    }
    for (let id = 140; id < 180; id++) subscribe(id);
    const refused = await program.hears((one) => one.statusCode === 'FAILURE');
    expect(refused).toMatchObject({ errorCode: 'TOO_MANY_REQUESTS', connectionClosed: true });
    await expect.poll(() => program.closed).toBe(true);
  });

  it('while the site drains every call of the line is told to come back', async () => {
    const { token, userId } = await strict.player();
    const socket = await line(token, strict);
    const body = bet();
    const drained = strict.app.http.drain(2000);
    expect(await ask(socket, bets.place, body)).toMatchObject({
      statusCode: 503,
      code: 'UNAVAILABLE',
      retryAfterS: 5,
    });
    await drained;
    expect(await strict.app.core.answerOf(`player:${userId}`, body.key)).toBeNull();
  });
});
