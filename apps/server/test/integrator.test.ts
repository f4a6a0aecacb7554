import { type BodyOf, CALLS, type FeedData, type MarketImage, type PrivateEvent } from '@fairgame/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { holdToDocuments } from './documented.ts';
import { IDS, makeSite, market, prices, quotes, type Site } from './site.ts';

/** What a program written from the specification alone meets: its spellings of filters, its field names, its sockets. */
const { cricket, football, race, tennis } = IDS;
const ROW_FANCY = 9300;
const DIGITS = 9301;
let site: Site;
let eve: { token: string; userId: number };
let keys = 0;
const sockets: Socket[] = [];
const misfits: string[] = [];

beforeAll(async () => {
  site = await makeSite();
  eve = await site.player();
  const digits = Array.from({ length: 10 }, (_, digit) => ({ runnerId: 9400 + digit, name: `Digit ${digit}`, digit }));
  await site.feed(
    market(
      cricket.event,
      ROW_FANCY,
      'fancy1',
      'Wicket in over 9',
      [{ runnerId: 9390, name: 'Wicket in over 9', stands: 'yes' }],
      {
        sno: 40,
        marketType: 'fancy1',
      },
    ),
    quotes(ROW_FANCY, [9390, 300, 320]),
    market(cricket.event, DIGITS, 'cricketCasino', 'Last digit', digits, { sno: 41, marketType: 'cricketCasino' }),
    quotes(DIGITS, ...digits.map(({ runnerId }): [number, number, number] => [runnerId, 950, 0])),
  );
});
afterEach(() => expect(misfits.splice(0)).toEqual([]));
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await site.close();
});

async function until<T>(read: () => T | undefined | null | false): Promise<T> {
  const end = Date.now() + 5000;
  for (;;) {
    const value = read();
    if (value) return value;
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
function listen(path: string, token: string) {
  const socket = io(`${site.url}${path}`, { auth: { token }, transports: ['websocket'], forceNew: true });
  sockets.push(socket);
  holdToDocuments(socket, misfits);
  const heard: Array<{ name: string; data: PrivateEvent }> = [];
  socket.onAny((name: string, data: PrivateEvent) => heard.push({ name, data }));
  return { socket, heard, wait: (name: string) => until(() => heard.find((one) => one.name === name)?.data) };
}
const place = (body: Partial<BodyOf<typeof CALLS.bets.place>>) =>
  site.call(
    CALLS.bets.place,
    {
      body: {
        key: `integrator-${String(++keys).padStart(8, '0')}`,
        betId: football.odds,
        matchId: football.event,
        runnerId: football.home,
        bettingType: 'BACK',
        odd: 200,
        stake: 1000,
        ...body,
      },
    },
    { token: eve.token },
  );
const get = async (path: string) => {
  const answer = await site.fetch(`/api${path}`, { headers: { authorization: `Bearer ${eve.token}` } });
  const { data, code, field } = (await answer.json()) as { data: never; code?: string; field?: string };
  return { status: answer.status, data, code, field };
};

describe('filters', () => {
  it('[API-34] [API-46] [OPN-30] [RAC-06] take the plain form and the eq form alike, everywhere', async () => {
    await place({});
    const same = async (path: string, ...forms: string[]) => {
      const answers = await Promise.all(forms.map((form) => get(path.replace('*', form))));
      expect(answers.map(({ status, code, field }) => [status, code, field])).toEqual(
        forms.map(() => [200, undefined, undefined]),
      );
      for (const { data } of answers) expect(data).toEqual(answers[0]!.data);
      expect(JSON.stringify(answers[0]!.data).length).toBeGreaterThan(60);
    };
    await same(
      '/match/racing/list?racingMatch.countryCode=*&racingMatch.stopAt=isNull&matchType=eqgreyHound',
      'AU',
      'eqAU',
      'eq{AU}',
    );
    await same(
      '/match/racing/list?matchType=*',
      'horseRacing',
      'eqhorseRacing',
      'eq{horseRacing}',
      'inArr[horseRacing]',
    );
    await same('/match/countryWiseList?racingMatch.stopAt=isNull&matchType=*', 'horseRacing', 'eqhorseRacing');
    await same('/match/list?match.matchType=*', 'cricket', 'eqcricket', 'eq{cricket}');
    await same('/bet?status=*', 'COMPLETE', 'eqCOMPLETE', 'inArr[COMPLETE]');
    await same('/bet?result=*', 'PENDING', 'eqPENDING', 'inArr[PENDING,UNDECLARE]');
    await same('/bet?betPlaced.eventType=*', 'football', 'eqfootball');
    await same(`/bet?betPlaced.matchId=*`, String(football.event), `eq${football.event}`);
    await same('/bet?status=*', '', '');
  });

  it('refuse a value that is none of those a column knows, naming the field of the request', async () => {
    for (const [path, field] of [
      ['/bet?result=inArr[PENDING,HACK]', 'result'],
      ['/bet?status=eqMATCHED', 'status'],
      ['/bet?betPlaced.eventType=chess', 'betPlaced.eventType'],
      ['/match/list?match.matchType=eqchess', 'match.matchType'],
      ['/match/racing/list?matchType=eqcricket', 'matchType'],
      ['/match/countryWiseList?matchType=camels', 'matchType'],
      ['/mac88/bets/USER?filter=eqHACK', 'filter'],
      ['/bet?betId=abc', 'betId'],
    ] as const) {
      const answer = await get(path.replace('USER', String(eve.userId)));
      expect([path, answer.status, answer.code, answer.field]).toEqual([path, 400, 'BAD_FILTER', field]);
    }
  });

  it('[REP-13] the filter of the live casino bets is the state of the round, in any spelling of the grammar', async () => {
    for (const filter of ['', 'OPEN', 'eqCLOSED', 'eq{VOID}', 'inArr[OPEN,CLOSED]', 'open']) {
      const answer = await get(`/mac88/bets/${eve.userId}?page=1&limit=15&filter=${encodeURIComponent(filter)}`);
      expect([filter, answer.status]).toEqual([filter, 200]);
    }
  });

  it('[API-22] [API-25] a keyword is text: signs are looked for, and words are found in the middle', async () => {
    const titles = async (keyword: string) =>
      (
        (await get(`/match/list?searchBy=title&keyword=${encodeURIComponent(keyword)}`)).data as {
          matches: Array<{ title: string }>;
        }
      ).matches.map(({ title }) => title);
    for (const sign of ['%', '_', '\\', '%%', '*']) expect([sign, await titles(sign)]).toEqual([sign, []]);
    expect(await titles('overs')).toEqual(['Rovers v United']);
    expect(await titles('NITE rov')).toEqual(['Rovers v United']);
    expect(await titles('paulo')).toEqual(['São Paulo v New Zealand']);
    expect(((await get('/user/searchlist?searchBy=title&keyword=ealan')).data as unknown[]).length).toBe(1);
    expect(((await get('/match/search/%25')).data as unknown[]).length).toBe(0);
  });
});

describe('refusals', () => {
  it('name the field that the request has', async () => {
    const field = async (body: Parameters<typeof place>[0]) => {
      const { error } = await place(body);
      return [error?.code, error?.field];
    };
    expect(await field({ stake: 1 })).toEqual(['STAKE_TOO_SMALL', 'stake']);
    expect(await field({ stake: 9_000_000 })).toEqual(['STAKE_TOO_LARGE', 'stake']);
    expect(await field({ odd: 203 })).toEqual(['PRICE_INVALID', 'odd']);
    const bookmaker = { betId: cricket.bookmaker, matchId: cricket.event, runnerId: cricket.teamA };
    expect(await field({ ...bookmaker, odd: 80 })).toEqual(['PRICE_CHANGED', 'odd']);
    expect(await field({ runnerId: 1 })).toEqual(['RUNNER_UNKNOWN', 'runnerId']);
  });

  it('of an edited bet too, whose own id is `id`', async () => {
    const { data } = await place({ odd: 300, stake: 500 });
    const replace = (id: number, odd: number, stake: number) =>
      site.call(
        CALLS.bets.replace,
        { body: { key: `integrator-${String(++keys).padStart(8, '0')}`, id, odd, stake } },
        { token: eve.token },
      );
    expect((await replace(data.bet.id, 301, 500)).error).toMatchObject({ code: 'PRICE_INVALID', field: 'odd' });
    expect((await replace(data.bet.id, 305, 1)).error).toMatchObject({ code: 'STAKE_TOO_SMALL', field: 'stake' });
    expect((await replace(999_999_999, 305, 500)).error).toMatchObject({ code: 'BET_UNKNOWN', field: 'id' });
  });

  it('are the same when they are asked for again by their key', async () => {
    const key = 'integrator-refused-again-1';
    const bookmaker = { betId: cricket.bookmaker, matchId: cricket.event, runnerId: cricket.teamA, odd: 80, key };
    expect((await place(bookmaker)).error).toMatchObject({ code: 'PRICE_CHANGED', field: 'odd' });
    const again = await site.call(CALLS.bets.settleKey, { body: { key } }, { token: eve.token });
    if (again.error?.code === 'PRICE_CHANGED') expect(again.error.field).toBe('odd');
  });
});

describe('figures', () => {
  it('say what is free to bet: in the profile, in the answer of a bet and in its event', async () => {
    const { token } = await site.player();
    const main = listen('/', token);
    await until(() => main.socket.connected);
    const placed = await site.call(
      CALLS.bets.place,
      {
        body: {
          key: 'integrator-available-1',
          betId: football.odds,
          matchId: football.event,
          runnerId: football.home,
          bettingType: 'LAY',
          odd: 204,
          stake: 1000,
        },
      },
      { token },
    );
    const free = { currentBalance: 1_000_000, exposure: 1040, available: 998_960 };
    expect(placed.data.wallet).toMatchObject(free);
    expect((await site.call(CALLS.account.profile, {}, { token })).data.userBal).toMatchObject(free);
    expect(await main.wait('updateUserBalance')).toMatchObject(free);
  });

  it('[API-47] the run ladder of a market of yes and no has its two rows, whether it quotes them on one row or two', async () => {
    const ladder = async (betId: number) =>
      (
        await site.call(
          CALLS.bets.runAmount,
          { params: { id: String(betId) }, query: { matchId: String(cricket.event) } },
          { token: eve.token },
        )
      ).data.profitLoss;
    const bet = (betId: number, runnerId: number, odd: number, bettingType: 'YES' | 'NO' | 'BACK' = 'YES') =>
      place({ betId, matchId: cricket.event, runnerId, odd, bettingType, stake: 1000 });
    await bet(ROW_FANCY, 9390, 300);
    await bet(ROW_FANCY, 9390, 320, 'NO');
    // Yes wins 20.00 and costs 22.00; No wins 10.00 and costs 10.00.
    expect(await ladder(ROW_FANCY)).toEqual({
      betPlaced: [
        { odds: 0, profitLoss: 0 },
        { odds: 1, profitLoss: -200 },
      ],
      maxLoss: 200,
      totalBet: 2,
    });
    await bet(cricket.fancy, cricket.yes, 190);
    expect((await ladder(cricket.fancy)).betPlaced).toEqual([
      { odds: 0, profitLoss: -1000 },
      { odds: 1, profitLoss: 900 },
    ]);
    await bet(DIGITS, 9403, 950, 'BACK');
    expect((await ladder(DIGITS)).betPlaced).toEqual(
      Array.from({ length: 10 }, (_, odds) => ({ odds, profitLoss: odds === 3 ? 8500 : -1000 })),
    );
  });

  it('a card table says what its selections are called, pay and ask for', async () => {
    const { data } = await site.call(CALLS.casino.table, { query: { type: '3cardj' } }, { token: eve.token });
    for (const { sel } of data.round.odds) expect(data.selections.map((one) => one.sel)).toContain(sel);
    expect(data.selections.find(({ pick }) => pick !== null)?.pick).toMatchObject({ of: 'ranks', least: 3, most: 3 });
    const hand = await site.call(CALLS.casino.table, { query: { type: 'baccarat' } }, { token: eve.token });
    const paysByHand = hand.data.selections.filter(({ pays }) => pays !== null);
    expect(paysByHand.length).toBeGreaterThan(0);
    for (const { name, pays } of paysByHand) {
      expect(name).not.toBe('');
      for (const { when, odds } of pays!) expect([when.length > 0, odds >= 100]).toEqual([true, true]);
    }
  });
});

describe('races', () => {
  const race_ = () => site.call(CALLS.racing.race, { params: { id: String(race.event) } }, { token: eve.token });

  it('[RAC-04] runners of the win market have a selectionId', async () => {
    const { data } = await race_();
    expect(data.matchOdd?.runners.map(({ selectionId, id }) => [selectionId, id])).toEqual(
      race.horses.map((id) => [id, id]),
    );
  });

  it('[RAC-03] matchOdd stays the win market when that is settled and gone from memory; the place market is never it', async () => {
    const command = (one: object) => site.feed({ type: 'command', command: one as never });
    await command({
      type: 'market.declare',
      marketId: race.win,
      result: { kind: 'winners', runnerIds: [race.horses[1]] },
    });
    await command({ type: 'market.archive', marketId: race.win });
    const { data } = await race_();
    expect(data.matchOdd).toMatchObject({
      id: race.win,
      name: 'Win',
      status: 'CLOSED',
      winners: 1,
      resultText: 'Horse 2',
    });
    expect(data.matchOdd?.runners.every(({ back, lay }) => back.length + lay.length === 0)).toBe(true);
    expect(data.markets.map(({ id }: MarketImage) => id)).toEqual([race.place]);
  });
});

describe('sockets', () => {
  it('tell that a match is declared with its last market', async () => {
    const { token } = await site.player();
    const main = listen('/', token);
    await until(() => main.socket.connected);
    const declare = (marketId: number, runnerId: number) =>
      site.feed({
        type: 'command',
        command: { type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [runnerId] } },
      });
    await declare(football.odds, football.home);
    const first = await main.wait('matchResultDeclareAllUser');
    expect(first).toMatchObject({ betId: football.odds, isMatchDeclare: false });
    await declare(tennis.odds, tennis.one);
    const last = await until(() => main.heard.find(({ data }) => data.betId === tennis.odds)?.data);
    expect(last).toMatchObject({ isMatchDeclare: true });
  });

  it('[SOC-27] [OPN-43] the third-party feed gives all events of a sport, then those that changed, with a running number', async () => {
    const feed = listen('/third-party', eve.token);
    await until(() => feed.socket.connected);
    expect(await feed.socket.timeout(2000).emitWithAck('joinFeed', { type: 'chess' })).toEqual({ error: 'BAD_INPUT' });
    expect(await feed.socket.timeout(2000).emitWithAck('joinFeed', { type: 'cricket' })).toEqual({ ok: true });
    const told = () =>
      feed.heard.filter(({ name }) => name === 'feedDatacricket').map(({ data }) => data as unknown as FeedData);
    const [first] = await until(() => told().length > 0 && told());
    expect(first).toMatchObject({
      n: 1,
      rows: [{ id: cricket.event, title: 'São Paulo v New Zealand', stopAt: null }],
    });
    expect(first!.rows[0]!.head?.id).toBe(cricket.odds);
    await site.feed(prices(cricket.odds, [cricket.teamA, 190, 194]));
    const next = await until(() => told()[1]);
    expect(next).toMatchObject({ n: 2, rows: [{ id: cricket.event }] });
    expect(next.rows[0]!.head?.runners[0]?.back).toEqual([[190, 50_000]]);
    await feed.socket.timeout(2000).emitWithAck('leaveFeed');
    await site.feed(prices(cricket.odds, [cricket.teamA, 180, 184]));
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(told()).toHaveLength(2);
  });
});
