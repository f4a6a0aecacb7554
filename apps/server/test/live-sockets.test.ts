import {
  type BodyOf,
  CALLS,
  ERRORS,
  type Frame,
  type LiveImages,
  MAIN_EVENTS,
  OPERATOR_CALLS,
  type PrivateEvent,
  RECONNECT,
} from '@fairgame/contract';
import { io, Manager, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { holdToDocuments } from './documented.ts';
import { newKey } from './server.ts';
import { IDS, makeSite, prices, type Site, state } from './site.ts';

const { cricket, football, race } = IDS;
let site: Site;
const sockets: Socket[] = [];
const misfits: string[] = [];
let keys = 0;

beforeAll(async () => {
  site = await makeSite({ FAIRGAME_SOCKETS_PER_ADDRESS: '40' });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  expect(misfits.splice(0)).toEqual([]);
});
afterAll(() => site.close());

interface Listener {
  socket: Socket;
  heard: Array<{ name: string; data: PrivateEvent }>;
  /** Waits for an event, past ones counted. */
  wait(name: string): Promise<PrivateEvent>;
}

function open(path: string, token: string | undefined, more: object = {}): Listener {
  const socket = io(`${site.url}${path}`, {
    ...RECONNECT,
    auth: token === undefined ? {} : { token },
    forceNew: true,
    reconnection: false,
    transports: ['websocket'],
    ...more,
  });
  return heard(socket);
}

function heard(socket: Socket): Listener {
  sockets.push(socket);
  holdToDocuments(socket, misfits);
  const list: Listener['heard'] = [];
  socket.onAny((name: string, data?: PrivateEvent) => list.push({ name, data: data ?? { n: 0 } }));
  return {
    socket,
    heard: list,
    wait: (name) => until(() => list.find((one) => one.name === name)?.data),
  };
}

async function until<T>(read: () => T | undefined, ms = 4000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const connected = (one: Listener) => until(() => one.socket.connected || undefined);
const refusal = (one: Listener) =>
  new Promise<string>((resolve) => {
    one.socket.on('connect_error', (error: Error & { data?: { code: string } }) =>
      resolve(error.data?.code ?? error.message),
    );
    one.socket.on('connect', () => resolve('connected'));
  });

function place(token: string, body: Partial<BodyOf<typeof CALLS.bets.place>> = {}) {
  const bet = {
    key: `live-key-${String(++keys).padStart(10, '0')}`,
    betId: football.odds,
    matchId: football.event,
    runnerId: football.home,
    bettingType: 'BACK' as const,
    odd: 200,
    stake: 1000,
    ...body,
  };
  return site.call(CALLS.bets.place, { body: bet }, { token });
}
const watchFrames = (token: string, full: number[], head: number[] = []): Listener => {
  const one = open('/match', token, { query: { matchIdArray: full.join(','), roleName: 'user', frames: '1' } });
  one.socket.on('connect', () => one.socket.emit('watch', { full, head }));
  return one;
};

const securityLines = () =>
  site
    .logText()
    .split('\n')
    .filter((line) => line.includes('"security":"socket.'));

describe('handshake', () => {
  it('[SOC-01] [SOC-27] refuses every endpoint without a valid token, and opens each with one', async () => {
    const { token } = await site.player();
    for (const path of ['/', '/match', '/card', '/expert', '/third-party']) {
      expect(await refusal(open(path, undefined))).toBe('NOT_SIGNED_IN');
      expect(await refusal(open(path, 'x'.repeat(43)))).toBe('SESSION_ENDED');
      expect(await refusal(open(path, token))).toBe('connected');
    }
  });

  it('[SOC-28] connects with websocket alone and with polling alone', async () => {
    const { token } = await site.player();
    for (const transport of ['websocket', 'polling']) {
      const one = open('/', token, { transports: [transport] });
      await connected(one);
      expect(one.socket.io.engine.transport.name).toBe(transport);
    }
  });

  it('[SOC-29] [SOC-30] [SOC-31] the contract carries the reconnection figures', () => {
    expect(RECONNECT).toEqual({
      reconnectionDelay: 1000,
      reconnectionDelayMax: 5000,
      randomizationFactor: 0.5,
      timeout: 20_000,
    });
  });

  it('[SEC-W1] refuses a foreign origin on both transports', async () => {
    const { token } = await site.player();
    for (const transport of ['websocket', 'polling']) {
      const foreign = open('/', token, { transports: [transport], extraHeaders: { origin: 'https://evil.example' } });
      expect(await refusal(foreign)).not.toBe('connected');
    }
    const own = open('/', token, { extraHeaders: { origin: site.url } });
    expect(await refusal(own)).toBe('connected');
    const answer = await site.fetch('/socket.io/?EIO=4&transport=polling', {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
  });

  it('[SEC-W2] speaks protocol 4 only, serves no client script, cuts a packet over 32 kB', async () => {
    expect((await site.fetch('/socket.io/?EIO=3&transport=polling')).status).toBe(400);
    expect((await site.fetch('/socket.io/socket.io.js')).status).toBeGreaterThanOrEqual(400);
    const { token } = await site.player();
    const one = open('/', token);
    await connected(one);
    one.socket.emit('matchRoom', { id: 1, text: 'x'.repeat(33 * 1024) });
    await until(() => !one.socket.connected || undefined);
  });

  it('[SEC-W3] takes five sockets of an account, and 60 positive match ids', async () => {
    const { token } = await site.player();
    for (let i = 0; i < 5; i++) expect(await refusal(open('/', token))).toBe('connected');
    expect(await refusal(open('/', token))).toBe('TOO_MANY_TABS');
    for (const matchIdArray of ['1,x', '-1', '0', Array.from({ length: 61 }, (_, i) => i + 1).join(',')]) {
      expect(await refusal(open('/match', token, { query: { matchIdArray, roleName: 'user' } }))).toBe('BAD_INPUT');
    }
    expect(await refusal(open('/match', token, { query: { roleName: 'expert' } }))).toBe('BAD_INPUT');
  });

  it('[SEC-W3] the newest socket of an account may take the place of the oldest, which is told and loses its connection', async () => {
    const { token } = await site.player();
    // The first holds both namespaces on one connection, as the client does.
    const manager = new Manager(site.url, { transports: ['websocket'], reconnection: false });
    const oldest = heard(manager.socket('/', { auth: { token } }));
    const prices = heard(manager.socket('/match', { auth: { token, frames: '1', matchIdArray: '' } }));
    await Promise.all([connected(oldest), connected(prices)]);
    const others = [];
    for (let i = 0; i < 4; i++) {
      others.push(open('/', token), open('/match', token, { query: { matchIdArray: '', roleName: 'user' } }));
      await Promise.all(others.slice(-2).map(connected));
    }
    expect(await refusal(open('/', token))).toBe('TOO_MANY_TABS');
    const together = new Manager(site.url, { transports: ['websocket'], reconnection: false });
    const newest = ['/', '/match'].map((path) =>
      heard(together.socket(path, { auth: { token, takeOver: true, matchIdArray: '' } })),
    );
    await Promise.all(newest.map(connected));
    await oldest.wait('replaced');
    await until(() => (!oldest.socket.connected && !prices.socket.connected) || undefined);
    expect(others.map(({ socket }) => socket.connected)).toEqual(others.map(() => true));
  });

  it('[SOC-22] a second namespace on one connection says its matches in auth; one that says none is told', async () => {
    const { token } = await site.player();
    const manager = new Manager(site.url, { transports: ['websocket'], reconnection: false });
    const main = heard(manager.socket('/', { auth: { token } }));
    const matchIdArray = String(football.event);
    const match = heard(manager.socket('/match', { auth: { token, matchIdArray, roleName: 'user', frames: '1' } }));
    await Promise.all([connected(main), connected(match)]);
    await match.wait(`liveData${football.event}`);
    expect(await open('/match', token).wait('refused')).toMatchObject({ code: 'BAD_INPUT', field: 'matchIdArray' });
    const wrong = open('/match', token, { query: { roleName: 'expert' } });
    const error = await new Promise<Error & { data?: object }>((resolve) => wrong.socket.on('connect_error', resolve));
    expect(error.data).toMatchObject({ code: 'BAD_INPUT', field: 'roleName', message: expect.any(String) });
  });

  it('[SOC-01] takes the token as a header too', async () => {
    const { token } = await site.player();
    const headers = (value: string) => ({ extraHeaders: { authorization: `Bearer ${value}` } });
    expect(await refusal(open('/', undefined, headers(token)))).toBe('connected');
    expect(await refusal(open('/', undefined, headers('x'.repeat(43))))).toBe('SESSION_ENDED');
  });

  it('[SEC-W3] [SEC-Z3] answers unknown events and extra fields with an error, and cuts a flood', async () => {
    const { token } = await site.player();
    const one = open('/match', token, { query: { matchIdArray: '', roleName: 'user', frames: '1' } });
    await connected(one);
    const ask = (name: string, ...args: unknown[]) =>
      one.socket.timeout(2000).emitWithAck(name, ...args) as Promise<object>;
    expect(await ask('hack', { a: 1 })).toEqual({ error: 'BAD_INPUT' });
    expect(await ask('watch', { full: [1], head: [], more: 1 })).toEqual({ error: 'BAD_INPUT' });
    expect(await ask('watch', { full: ['1'], head: [] })).toEqual({ error: 'BAD_INPUT' });
    expect(await ask('watch', { full: [football.event], head: [] })).toEqual({ ok: true });
    expect(await ask('depth', { marketId: 1, runnerId: 1, on: true })).toEqual({ error: 'RUNNER_UNKNOWN' });
    expect(await ask('resync', { matchId: 1 })).toEqual({ error: 'MATCH_UNKNOWN' });
    const before = securityLines();
    for (let i = 0; i < 300; i++) one.socket.emit('hack', i);
    await until(() => !one.socket.connected || undefined);
    // A flood is told once, and so are its refusals within a second.
    const told = securityLines().slice(before.length);
    expect(told.filter((line) => line.includes('socket.flood'))).toHaveLength(1);
    expect(told.filter((line) => line.includes('socket.refused')).length).toBeLessThan(5);
  });
});

describe('private events', () => {
  it('[SOC-03] [SOC-04] [SOC-05] [BET-10] [OPN-42] tells a placed bet and the balance, numbered without a gap', async () => {
    const { token } = await site.player();
    const one = open('/', token);
    await connected(one);
    const told = await place(token);
    const event = await one.wait('userMatchBetPlaced');
    expect(event).toMatchObject({ matchId: football.event, betId: football.odds, exposure: 1000 });
    expect(event.bet).toMatchObject({ id: told.data.bet.id, version: told.data.bet.version });
    expect(await one.wait('updateUserBalance')).toMatchObject({ currentBalance: 1_000_000, exposure: 1000 });
    expect(event.walletVersion).toBe(told.data.wallet.version);
    await place(token, {
      betId: cricket.session,
      matchId: cricket.event,
      runnerId: cricket.sessionRow,
      bettingType: 'YES',
      odd: 100,
      line: 48,
    });
    await one.wait('userSessionBetPlaced');
    // What everyone hears (a result of another test's market) carries 0 and is not counted.
    const own = one.heard.map(({ data }) => data.n).filter((n) => n !== 0);
    expect(own.length).toBeGreaterThanOrEqual(4);
    expect(own).toEqual(own.map((_, i) => i + 1));
  });

  it('[SEC-W5] [SEC-Z1] tells nobody else', async () => {
    const [a, b] = [await site.player(), await site.player()];
    const [one, other] = [open('/', a.token), open('/', b.token)];
    await Promise.all([connected(one), connected(other)]);
    for (let i = 0; i < 20; i++) await place(a.token);
    await one.wait('userMatchBetPlaced');
    await pause(100);
    // What goes to everyone carries 0; nothing of a player's own reaches another.
    expect(other.heard.filter(({ data }) => data.n !== 0)).toEqual([]);
    for (const { name } of other.heard) expect(name).toMatch(/AllUser$|^addMatch$|^notification$/);
  });

  it('tells the owner of a waiting bet when the house takes it later', async () => {
    const { token } = await site.player();
    const one = open('/', token);
    await connected(one);
    const waiting = await place(token, { runnerId: football.away, odd: 400, stake: 500 });
    expect(waiting.data.bet.matched).toBe(0);
    await site.feed(prices(football.odds, [football.away, 400, 420]));
    const matched = await until(() =>
      one.heard.find(({ data }) => (data.bet as { matched?: number } | undefined)?.matched === 500),
    );
    expect(matched.data).toMatchObject({ own: false, bet: { id: waiting.data.bet.id, oddsMatched: 400 } });
  });

  it('tells an order that the server holds when it is made and when it fires, its owner alone, beside the bet it became', async () => {
    const [mine, theirs] = [await site.player(), await site.player()];
    const [one, other] = [open('/', mine.token), open('/', theirs.token)];
    await Promise.all([connected(one), connected(other)]);
    await site.feed(prices(football.odds, [football.draw, 400, 420]));
    const bet = { runnerId: football.draw, bettingType: 'LAY' as const, trigger: 450, odd: 500, stake: 500 };
    const body = { key: `order-key-${mine.userId}-000000`, betId: football.odds, kind: 'STOP' as const, ...bet };
    const made = await site.call(CALLS.trader.conditional, { body }, { token: mine.token });
    await site.feed(prices(football.odds, [football.draw, 440, 450]));
    const told = await until(() => {
      const words = one.heard.filter(({ name }) => name === 'userConditional').map(({ data }) => data.order as object);
      return words.length === 2 ? words : undefined;
    });
    const placed = (await one.wait('userMatchBetPlaced')).bet as { id: number; matched: number };
    expect(placed).toMatchObject({ matched: 500 });
    const { id } = made.data.order;
    expect(told).toMatchObject([
      { id, status: 'WAITING', placed: null },
      { id, status: 'FIRED', placed: placed.id },
    ]);
    // What could not be placed says why, in words.
    for (const n of [1, 2]) {
      const dear = { ...body, key: `order-key-${mine.userId}-00000${n}`, trigger: 550, odd: 600, stake: 150_000 };
      const held = await site.call(CALLS.trader.conditional, { body: dear }, { token: mine.token });
      expect(held.error).toBeUndefined();
    }
    await site.feed(prices(football.odds, [football.draw, 540, 550]));
    const failed = await until(() =>
      one.heard.find(({ name, data }) => name === 'userConditional' && typeof data.reason === 'string'),
    );
    expect(failed.data).toMatchObject({
      order: { status: 'FAILED', code: 'INSUFFICIENT_FUNDS' },
      reason: ERRORS.INSUFFICIENT_FUNDS[1],
    });
    expect(other.heard.some(({ name }) => name === 'userConditional')).toBe(false);
  });

  it('tells a bet that another player meets as his doing, and the one who placed as his own', async () => {
    const [waiting, taking] = [await site.player(), await site.player()];
    const [one, two] = [open('/', waiting.token), open('/', taking.token)];
    await Promise.all([connected(one), connected(two)]);
    await site.feed(prices(football.odds, [football.away, 400, 420]));
    await place(waiting.token, { runnerId: football.away, odd: 410, stake: 500 });
    await place(taking.token, { runnerId: football.away, bettingType: 'LAY', odd: 410, stake: 500 });
    const met = await until(() =>
      one.heard.find(({ data }) => (data.bet as { matched?: number } | undefined)?.matched === 500),
    );
    expect(met.data.own).toBe(false);
    expect(await two.wait('userMatchBetPlaced')).toMatchObject({ own: true, bet: { matched: 500 } });
  });

  it('[SOC-08] [SOC-09] [SOC-10] [SOC-11] [OPN-42] tells results, and takes them back', async () => {
    const [holder, other] = [await site.player(), await site.player()];
    const [one, two] = [open('/', holder.token), open('/', other.token)];
    await Promise.all([connected(one), connected(two)]);
    await place(holder.token, { betId: race.win, matchId: race.event, runnerId: race.horses[0], odd: 250 });
    await site.feed({
      type: 'command',
      command: { type: 'market.declare', marketId: race.win, result: { kind: 'winners', runnerIds: [race.horses[0]] } },
    });
    expect(await one.wait('matchResult')).toMatchObject({
      betId: race.win,
      matchId: race.event,
      resultText: 'Horse 1',
      marketName: 'Win',
      eventName: expect.any(String),
      // At 2.50 of a stake of 10.00, before and less what the market takes of a win.
      grossMinor: 1500,
      commissionMinor: 0,
      bets: [{ result: 'WIN', profitLoss: 1500 }],
      currentBalance: 1_001_500,
      exposure: 0,
    });
    expect(await two.wait('matchResultDeclareAllUser')).toMatchObject({ matchId: race.event, betId: race.win });
    expect(two.heard.some(({ name }) => name === 'matchResult')).toBe(false);
    await site.feed({ type: 'command', command: { type: 'market.undeclare', marketId: race.win } });
    expect(await one.wait('matchResultUnDeclare')).toMatchObject({ currentBalance: 1_000_000, exposure: 1000 });
    await two.wait('matchResultUnDeclareAllUser');
  });

  it('[SOC-02] [SOC-14] [SOC-15] [SOC-16] tells session results, no result, and the way back, and the room of the match', async () => {
    const { token } = await site.player();
    const one = open('/', token);
    const [looker, elsewhere] = [open('/', (await site.player()).token), open('/', (await site.player()).token)];
    await Promise.all([one, looker, elsewhere].map(connected));
    await looker.socket.timeout(2000).emitWithAck('matchRoom', { id: cricket.event });
    await place(token, {
      betId: cricket.session,
      matchId: cricket.event,
      runnerId: cricket.sessionRow,
      bettingType: 'YES',
      odd: 100,
      line: 48,
    });
    const declare = (result: object) =>
      site.feed({
        type: 'command',
        command: { type: 'market.declare', marketId: cricket.session, result: result as never },
      });
    const undeclare = () =>
      site.feed({ type: 'command', command: { type: 'market.undeclare', marketId: cricket.session } });
    await declare({ kind: 'score', score: 50 });
    expect(await one.wait('sessionResult')).toMatchObject({ betId: cricket.session, resultText: '50' });
    await undeclare();
    await one.wait('sessionResultUnDeclare');
    await declare({ kind: 'void', reason: 'Rain' });
    await one.wait('sessionNoResult');
    // Who looks at the match hears of it without a bet of his own; who does not, does not.
    expect(await looker.wait('matchResultDeclareAllUser')).toMatchObject({ betId: cricket.session });
    await looker.wait('matchResultUnDeclareAllUser');
    expect(elsewhere.heard).toEqual([]);
    await undeclare();
  });

  it('[SOC-12] [SOC-13] [SOC-17] [BET-08] [RAC-05] [CAR-29] [OPN-42] tells a deleted bet with its reason, and a changed reason', async () => {
    const operator = await site.operator();
    const { token } = await site.player();
    const one = open('/', token);
    await connected(one);
    const bet = (await place(token)).data.bet;
    const fancy = (
      await place(token, { betId: cricket.fancy, matchId: cricket.event, runnerId: cricket.yes, odd: 190 })
    ).data.bet;
    const remove = (ids: number[]) =>
      site.call(OPERATOR_CALLS.deleteBet, { body: { key: newKey(), ids, reason: 'Wrong rate' } }, { token: operator });
    await remove([bet.id]);
    expect(await one.wait('matchDeleteBet')).toMatchObject({
      betId: football.odds,
      betPlacedId: [bet.id],
      deleteReason: 'Wrong rate',
      exposure: 1000,
    });
    await remove([fancy.id]);
    expect(await one.wait('sessionDeleteBet')).toMatchObject({ betPlacedId: [fancy.id] });
    await site.call(
      OPERATOR_CALLS.deleteReason,
      { body: { ids: [bet.id], reason: 'Feed error' } },
      { token: operator },
    );
    expect(await one.wait('updateDeleteReason')).toMatchObject({ betIds: [bet.id], deleteReason: 'Feed error' });
    const list = await site.call(CALLS.bets.list, { query: { result: 'inArr[PENDING,UNDECLARE]' } }, { token });
    expect(list.data.rows.find((row) => row.id === bet.id)).toMatchObject({
      result: 'UNDECLARE',
      deleteReason: 'Feed error',
    });
  });

  it('[SOC-18] [SOC-19] [OPN-43] tells everyone to reload, and of a new match', async () => {
    const operator = await site.operator();
    const { token } = await site.player();
    const one = open('/', token);
    await connected(one);
    await site.call(OPERATOR_CALLS.refreshAll, { body: { reason: 'New version' } }, { token: operator });
    expect(await one.wait('hardRefreshAll')).toMatchObject({ n: 0 });
    const expert = open('/expert', token);
    const snapshot = await expert.wait('snapshot');
    const added = await site.call(
      OPERATOR_CALLS.addMatch,
      {
        body: {
          matchType: 'tennis',
          title: 'A. Moss v B. Reed',
          competitionName: 'Harbour Open',
          startAt: new Date(site.clock() + 3_600_000).toISOString(),
          teams: ['A. Moss', 'B. Reed'],
        },
      },
      { token: operator },
    );
    expect(await one.wait('addMatch')).toMatchObject({ matchIds: [added.data.matchId] });
    const change = await expert.wait('change');
    expect([change.n, change.matchId]).toEqual([snapshot.n + 1, added.data.matchId]);
  });

  it('[SOC-20] [AUT-09] an ended session loses its sockets within a second', async () => {
    const operator = await site.operator();
    const { token, userName } = await site.player();
    const [main, match] = [open('/', token), watchFrames(token, [football.event])];
    await Promise.all([connected(main), connected(match)]);
    const at = Date.now();
    await site.call(OPERATOR_CALLS.forceLogout, { body: { userName, reason: 'Test' } }, { token: operator });
    expect(await main.wait('logoutUserForce')).toMatchObject({ reason: 'forced' });
    await until(() => (!main.socket.connected && !match.socket.connected) || undefined);
    expect(Date.now() - at).toBeLessThan(1000);
    expect(await refusal(open('/', token))).toBe('SESSION_ENDED');
  });

  it('[SOC-02] [SOC-21] joins match rooms; all it ever tells is in the list of 18 names', async () => {
    const { token } = await site.player();
    const one = open('/', token);
    await connected(one);
    const ask = (value: unknown) => one.socket.timeout(2000).emitWithAck('matchRoom', value) as Promise<object>;
    expect(await ask({ id: football.event })).toEqual({ ok: true });
    expect(await ask({ id: 'x' })).toEqual({ error: 'BAD_INPUT' });
    const specified =
      'updateUserBalance userMatchBetPlaced userSessionBetPlaced userCardBetPlaced cardResult matchResult ' +
      'matchResultUnDeclare matchResultDeclareAllUser matchResultUnDeclareAllUser matchDeleteBet sessionDeleteBet ' +
      'sessionResult sessionNoResult sessionResultUnDeclare updateDeleteReason hardRefreshAll addMatch logoutUserForce';
    expect([...MAIN_EVENTS].sort()).toEqual(specified.split(' ').sort());
    expect(MAIN_EVENTS).toHaveLength(18);
    await place(token);
    await one.wait('updateUserBalance');
    for (const { name } of one.heard) expect(MAIN_EVENTS).toContain(name);
  });
});

describe('prices', () => {
  it('[SOC-26] [SOC-22] [SOC-23] [MAT-07] [MAT-08] gives images, then frames', async () => {
    const { token } = await site.player();
    const one = watchFrames(token, [football.event], [cricket.event]);
    const images = (await one.wait(`liveData${football.event}`)) as unknown as LiveImages;
    expect(images.images.map((image) => image.id)).toEqual([football.odds, football.overUnder]);
    const head = (await one.wait(`liveData${cricket.event}`)) as unknown as LiveImages;
    expect(head.images.map((image) => image.id)).toEqual([cricket.odds]);
    await site.feed(prices(football.odds, [football.home, 206, 210]));
    const frame = await until(() =>
      one.heard
        .map(({ data }) => data as unknown as Frame)
        .find((data) => data.m?.some((part) => part.id === football.odds)),
    );
    const part = frame.m.find(({ id }) => id === football.odds)!;
    expect(part.b).toBe(images.s[football.odds]);
    expect(part.d?.runners?.[0]).toMatchObject({ id: football.home, back: [[206, 50_000]], lay: [[210, 50_000]] });
  });

  it('[SOC-26] gives any other client the whole record of the specification, at most twice a second', async () => {
    const { token } = await site.player();
    const one = open('/match', token, { query: { matchIdArray: String(cricket.event), roleName: 'user' } });
    const record = (await one.wait(`liveData${cricket.event}`)) as unknown as Record<string, never>;
    expect(Object.keys(record)).toEqual(
      expect.arrayContaining([
        'id',
        'marketId',
        'eventId',
        'gmid',
        'apiSession',
        'sessionBettings',
        'tournament',
        'scoreBoard',
      ]),
    );
    const tournament = record.tournament as unknown as Array<{ runners: Array<{ ex: object }> }>;
    expect(tournament[0]?.runners[0]?.ex).toHaveProperty('availableToBack');
    const before = one.heard.length;
    for (let i = 0; i < 20; i++) {
      await site.feed(prices(cricket.odds, [cricket.teamA, 180 + (i % 2), 186]));
      await pause(50);
    }
    const got = one.heard.length - before;
    expect(got).toBeGreaterThan(0);
    expect(got).toBeLessThanOrEqual(4);
  });

  it('[SOC-24] [SOC-25] stops for a match on disconnectCricketData and for all on leaveAll', async () => {
    const { token } = await site.player();
    const one = watchFrames(token, [football.event, cricket.event]);
    await one.wait(`liveData${football.event}`);
    const ask = (name: string, value?: object) =>
      one.socket.timeout(2000).emitWithAck(name, ...(value ? [value] : [])) as Promise<object>;
    expect(await ask('disconnectCricketData', { matchId: cricket.event })).toEqual({ ok: true });
    expect(await ask('leaveAll')).toEqual({ ok: true });
    one.heard.length = 0;
    await site.feed(prices(football.odds, [football.home, 212, 216]), prices(cricket.odds, [cricket.teamA, 190, 196]));
    await pause(300);
    expect(one.heard.flatMap(({ data }) => (data as unknown as Frame).m ?? [])).toEqual([]);
  });

  it('[CAR-28] answers a resync with the images, also for demo players from their own books', async () => {
    const demo = await site.call(CALLS.auth.demo);
    const one = watchFrames(demo.data.token, [football.event]);
    await one.wait(`liveData${football.event}`);
    one.heard.length = 0;
    expect(await one.socket.timeout(2000).emitWithAck('resync', { matchId: football.event })).toEqual({ ok: true });
    expect(await one.socket.timeout(2000).emitWithAck('resync', { matchIds: [football.event] })).toEqual({ ok: true });
    const images = (await one.wait(`liveData${football.event}`)) as unknown as LiveImages;
    expect(images.images[0]?.runners[0]?.back).toEqual([[212, 50_000]]);
    const { token } = await site.player();
    await place(token, { odd: 212, stake: 50_000 });
    await pause(250);
    const parts = one.heard.flatMap(({ data }) => (data as unknown as Frame).m ?? []);
    expect(parts.some((part) => JSON.stringify(part).includes('"tradedMinor"'))).toBe(false);
  });

  it('tells a suspension at once', async () => {
    const { token } = await site.player();
    const one = watchFrames(token, [football.event]);
    await one.wait(`liveData${football.event}`);
    const at = performance.now();
    await site.feed(state(football.odds, { status: 'SUSPENDED', reason: 'Goal' }));
    await until(() => one.heard.find(({ data }) => JSON.stringify(data).includes('"Goal"')));
    expect(performance.now() - at).toBeLessThan(1500);
    await site.feed(state(football.odds, { status: 'OPEN', reason: '' }));
  });

  it('tells that a match is over', async () => {
    const { token } = await site.player();
    const one = watchFrames(token, [IDS.politics.event]);
    await one.wait(`liveData${IDS.politics.event}`);
    one.heard.length = 0;
    await site.feed({ type: 'eventClosed', eventId: IDS.politics.event });
    const images = (await one.wait(`liveData${IDS.politics.event}`)) as unknown as LiveImages;
    expect(images.stopAt).not.toBeNull();
  });

  it('[OPN-43] the further endpoints give a snapshot on joining, with a running number', async () => {
    const { token } = await site.player();
    const card = open('/card', token);
    card.socket.emit('joinTable', { code: 'teen20' });
    const snapshot = await card.wait('cardDatateen20');
    expect(snapshot).toMatchObject({ n: expect.any(Number), round: { phase: expect.any(String) }, topTenResult: [] });
    const { matches } = await open('/expert', token).wait('snapshot');
    expect(matches).toEqual(expect.arrayContaining([expect.objectContaining({ id: football.event })]));
  });
});
