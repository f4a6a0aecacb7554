/** The rules that the rules screen promises, carried out: by the site where it is certain, by people where it is not. */
import { CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEvents } from '../src/catalog/events.ts';
import { silent } from '../src/db/db.ts';
import type { FeedEvent } from '../src/feed/feed.ts';
import { newKey } from './server.ts';
import { event, IDS, makeSite, market, prices, type Site, state } from './site.ts';

const calls = OPERATOR_CALLS;
const HOUR = 3_600_000;
const { cricket } = IDS;
let site: Site;
let ids = 9500;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(() => site.close());

const marketOf = (marketId: number) => site.app.core.read.market(marketId)!;
/** A football match of its own, with a bet on its home side; starts in an hour. */
async function fixture(more: Partial<FeedEvent> = {}) {
  const [eventId, marketId, home, away] = [ids++, ids++, ids++, ids++];
  const startAt = site.clock() + HOUR;
  await site.feed(
    told(eventId, startAt, more),
    market(
      eventId,
      marketId,
      'book',
      'Match Odds',
      [
        { runnerId: home, name: 'Home' },
        { runnerId: away, name: 'Away' },
      ],
      {
        sno: 1,
        marketType: 'matchOdd',
      },
    ),
    prices(marketId, [home, 200, 204], [away, 200, 204]),
  );
  const player = await site.player();
  const body = {
    key: newKey(),
    betId: marketId,
    matchId: eventId,
    runnerId: home,
    bettingType: 'BACK' as const,
    odd: 200,
    stake: 1000,
  };
  expect((await site.call(CALLS.bets.place, { body }, { token: player.token })).error).toBeUndefined();
  const balance = () => site.app.core.read.wallet('real', player.userId).balanceMinor;
  return { eventId, marketId, home, startAt, balance };
}

const told = (eventId: number, startAt: number, more: Partial<FeedEvent> = {}) =>
  event(eventId, 'football', { title: `Home ${eventId} v Away`, teamA: 'Home', teamB: 'Away', startAt, ...more });

/** Of the players' bets in the market. */
const resultsOf = (marketId: number) =>
  site.app.db.query("SELECT result, profit FROM bets WHERE world = 'real' AND market_id = $1 AND account_id >= 100", [
    marketId,
  ]);

async function judge(betId: number, played: object) {
  const token = await site.operator();
  return site.call(
    calls.judge,
    { body: { key: newKey(), betId, played: played as never, reason: 'Match cut short' } },
    { token },
  );
}

const judgements = async (eventId: number) =>
  (await site.call(calls.judgements, {}, { token: await site.operator() })).data.filter(
    ({ matchId }) => matchId === eventId,
  );

describe('football that is not played within 48 hours', () => {
  it('[RTX-11] was told for a later day: void by itself when the hours are over, once, stakes back', async () => {
    const { eventId, marketId, startAt, balance } = await fixture();
    const before = balance();
    await site.feed(told(eventId, startAt + 72 * HOUR));
    site.clock.advance(startAt + 48 * HOUR - site.clock());
    await site.app.operator.overdue.look();
    expect(marketOf(marketId).status).toBe('OPEN');
    site.clock.advance(1);
    await site.app.operator.overdue.look();
    expect(marketOf(marketId)).toMatchObject({
      status: 'CLOSED',
      result: { kind: 'void', reason: 'No match within 48 hours' },
    });
    expect(await resultsOf(marketId)).toEqual([{ result: 'VOID', profit: 0 }]);
    expect(balance()).toBe(before);
    expect(site.app.catalog.event(eventId)?.stopAt).toBe(site.clock());
    const [record] = await site.app.audit.newest(1);
    expect(record).toMatchObject({ actor: 'rules', action: 'void', object: `match:${eventId}` });
    // Taken back by people, it is theirs.
    const body = { key: newKey(), betId: marketId, reason: 'The organiser says it was played' };
    const { request } = (await site.call(calls.undeclare, { body }, { token: await site.operator() })).data;
    await site.agree(request);
    await site.app.operator.overdue.look();
    expect(marketOf(marketId).status).not.toBe('CLOSED');
    expect(await judgements(eventId)).toMatchObject([{ matchId: eventId, betIds: [marketId], begun: false }]);
    expect((await judge(marketId, { rule: 'football', playedAt: null })).data.request).not.toBeNull();
    await site.agree((await judge(marketId, { rule: 'football', playedAt: null })).data.request);
    expect(await judgements(eventId)).toEqual([]);
  });

  it('[RTX-11] the feed still offers it as one that has not begun', async () => {
    const { marketId, home, startAt } = await fixture();
    site.clock.advance(startAt + 48 * HOUR + 1 - site.clock());
    // Silent, an open market says nothing; the feed's watchdog may have shut it by then.
    expect(site.app.bridge.late()).toBe(true);
    await site.app.operator.overdue.look();
    expect(marketOf(marketId).result).toBeNull();
    await site.feed(prices(marketId, [home, 200, 204]));
    await site.app.operator.overdue.look();
    expect(marketOf(marketId).result).toMatchObject({ kind: 'void' });
  });

  it('[RTX-11] one that has begun is left to a person, whose word on when it ended decides', async () => {
    const { eventId, marketId, home, startAt } = await fixture();
    await site.feed(state(marketId, { inPlay: true }));
    site.clock.advance(startAt + 48 * HOUR + 1 - site.clock());
    await site.feed();
    await site.app.operator.overdue.look();
    expect(marketOf(marketId).status).not.toBe('CLOSED');
    expect(await judgements(eventId)).toMatchObject([
      {
        matchId: eventId,
        matchType: 'football',
        betIds: [marketId],
        begun: true,
        start: new Date(startAt).toISOString(),
      },
    ]);
    const metrics = await (await site.fetch('/metrics')).text();
    expect(Number(/xch_market_attention\{why="overdue"[^}]*\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(0);
    const at = (hours: number) => new Date(startAt + hours * HOUR).toISOString();
    const result = { kind: 'winners', runnerIds: [home] };
    expect((await judge(marketId, { rule: 'football', playedAt: at(47) })).error).toMatchObject({
      code: 'BAD_INPUT',
      field: 'result',
    });
    const late = await judge(marketId, { rule: 'football', playedAt: at(49), result });
    expect(late.data).toMatchObject({ request: expect.any(Number) as number, outcome: 'void' });
    expect(marketOf(marketId).status).not.toBe('CLOSED');
    const stands = await judge(marketId, { rule: 'football', playedAt: at(47), result });
    expect(stands.data).toMatchObject({ request: null, outcome: `won by ${home}` });
    expect(await resultsOf(marketId)).toMatchObject([{ result: 'WIN' }]);
  });

  it('[RTX-11] nothing is void while it may still be played, nor after a wrong date was corrected', async () => {
    const { eventId, marketId, startAt } = await fixture();
    expect((await judge(marketId, { rule: 'football', playedAt: null })).error?.code).toBe('STILL_TO_PLAY');
    const token = await site.operator();
    const body = { matchId: eventId, startAt: new Date(startAt + 96 * HOUR).toISOString(), reason: 'A wrong date' };
    await site.call(calls.moveStart, { body: { ...body, correction: true } }, { token });
    // The feed says again what it said before.
    await site.feed(told(eventId, startAt));
    expect(site.app.catalog.event(eventId)?.startAt).toBe(startAt + 96 * HOUR);
    // Nor does a restart.
    const kept = (await openEvents(site.app.db, silent)).get(eventId);
    expect(kept).toMatchObject({ startAt: startAt + 96 * HOUR, firstStartAt: startAt + 96 * HOUR });
    site.clock.advance(startAt + 49 * HOUR - site.clock());
    await site.feed();
    await site.app.operator.overdue.look();
    expect(marketOf(marketId).status).toBe('OPEN');
    const unknown = { ...body, matchId: 1 };
    expect((await site.call(calls.moveStart, { body: unknown }, { token: await site.operator() })).error).toMatchObject(
      {
        code: 'MATCH_UNKNOWN',
        field: 'matchId',
      },
    );
  });

  it('[RTX-11] a recording that goes on days later has no hours', async () => {
    const { eventId, marketId, home, startAt } = await fixture({ ownTime: true });
    await site.feed(told(eventId, startAt + 96 * HOUR, { ownTime: true }));
    site.clock.advance(startAt + 49 * HOUR - site.clock());
    await site.feed();
    await site.app.operator.overdue.look();
    expect(marketOf(marketId).status).toBe('OPEN');
    expect(await judgements(eventId)).toEqual([]);
    const result = { kind: 'winners' as const, runnerIds: [home] };
    await site.feed({ type: 'command', command: { type: 'market.declare', marketId, result } });
    expect(await resultsOf(marketId)).toMatchObject([{ result: 'WIN' }]);
  });

  it('[RTX-11] a result that the feed tells of a match played later pays nobody', async () => {
    const { eventId, marketId, home, startAt } = await fixture();
    await site.feed(told(eventId, startAt + 60 * HOUR));
    expect((await openEvents(site.app.db, silent)).get(eventId)).toMatchObject({ firstStartAt: startAt });
    await site.feed({
      type: 'command',
      command: { type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [home] } },
    });
    expect(await resultsOf(marketId)).toEqual([{ result: 'VOID', profit: 0 }]);
  });
});

describe('a market of a match that was cut short', () => {
  const score = { kind: 'score', score: 54 };
  async function session(): Promise<number> {
    const [marketId, runnerId] = [ids++, ids++];
    await site.feed(
      market(cricket.event, marketId, 'session', `Session ${marketId}`, [{ runnerId, name: 'Session' }], {
        sno: 70,
        marketType: 'session',
      }),
    );
    return marketId;
  }
  const outcome = async (marketId: number, played: object): Promise<unknown> => {
    const answer = await judge(marketId, played);
    if (answer.error) return answer.error.code;
    const { request } = answer.data;
    if (request !== null) await site.agree(request);
    return marketOf(marketId).result;
  };

  it.each([
    [{ fancy: 'session', overs: 25 }, null],
    [{ fancy: 'session', overs: 24, complete: true }, '24 of the 25 overs needed were bowled'],
    [{ fancy: 'firstDayTotal', overs: 80 }, null],
    [{ fancy: 'firstDayTotal', overs: 79, complete: true }, '79 of the 80 overs needed were bowled'],
    [{ fancy: 'lambi', overs: 69 }, '69 of the 70 overs needed were bowled'],
    [{ fancy: 'lambi', overs: 41, complete: true }, null],
    [{ fancy: 'otherFancy', overs: 299 }, '299 of the 300 overs needed were bowled'],
    [{ fancy: 'otherFancy', overs: 300 }, null],
  ])('[RTX-05] [RTX-06] [RTX-07] [RTX-08] the least overs of a Test: %o', async (fancy, reason) => {
    const result = await outcome(await session(), { rule: 'testFancy', ...fancy, result: score });
    expect(result).toEqual(reason === null ? score : { kind: 'void', reason });
  });

  it('a session whose over was not completed is void, unless the innings ended', async () => {
    const played = { rule: 'overSession', overs: 20, oversCompleted: 17, result: score };
    expect(await outcome(await session(), played)).toEqual({ kind: 'void', reason: 'Over 20 was not completed' });
    expect(await outcome(await session(), { ...played, end: 'allOut' })).toEqual(score);
  });

  it('[RTX-09] [RTX-10] a total of a tournament takes the averages for abandoned matches', async () => {
    const matches = [{ fours: 30, sixes: 8, wickets: 12 }, null, null];
    const total = (figure: string) => ({ rule: 'tournament', figure, matches });
    expect(await outcome(await session(), total('fours'))).toEqual({ kind: 'score', score: 120 });
    expect(await outcome(await session(), total('sixes'))).toEqual({ kind: 'score', score: 30 });
    expect(await outcome(await session(), total('wickets'))).toEqual({ kind: 'score', score: 42 });
  });

  it('[RTX-03] [RTX-04] teams are compared by what stood after 25 overs, or 10', async () => {
    const two = async (): Promise<[number, number]> => {
      const [marketId, one, other] = [ids++, ids++, ids++];
      const runners = [
        { runnerId: one, name: 'Reds' },
        { runnerId: other, name: 'Blues' },
      ];
      await site.feed(
        market(cricket.event, marketId, 'bookmaker', `Most runs ${marketId}`, runners, {
          sno: 60,
          marketType: 'bookmaker',
        }),
      );
      return [marketId, other];
    };
    const at = (oversCompleted: number, runs: number, wickets: number) => ({
      oversCompleted,
      runs,
      wickets,
      boundaries: 9,
    });
    const rule = 'compareIncomplete';
    const [odi, winner] = await two();
    expect(await outcome(odi, { rule, format: 'ODI', first: at(25, 130, 4), second: at(25, 130, 3) })).toEqual({
      kind: 'winners',
      runnerIds: [winner],
    });
    const [short] = await two();
    expect(await outcome(short, { rule, format: 'T20', first: at(10, 80, 1), second: at(9, 90, 1) })).toMatchObject({
      kind: 'void',
    });
    expect(await outcome(await session(), { rule, format: 'T20', first: at(10, 8, 1), second: at(10, 9, 1) })).toBe(
      'WRONG_KIND',
    );
  });

  it('[RTX-12] [RTX-13] races and basketball by their own', async () => {
    const start = site.app.catalog.event(cricket.event)!.firstStartAt;
    const concluded = (hours: number) => new Date(start + hours * HOUR).toISOString();
    const race = (hours: number) => ({ rule: 'motorRace', concludedAt: concluded(hours), result: score });
    expect(await outcome(await session(), race(72))).toEqual(score);
    expect(await outcome(await session(), race(73))).toMatchObject({ kind: 'void' });
    const left = (secondsLeft: number) => ({ rule: 'basketball', secondsLeft, result: score });
    expect(await outcome(await session(), left(300))).toEqual(score);
    expect(await outcome(await session(), left(301))).toMatchObject({ kind: 'void' });
  });

  it('is settled once: the key gives the first answer, another line is refused', async () => {
    const marketId = await session();
    const token = await site.operator();
    const played = {
      rule: 'testFancy' as const,
      fancy: 'lambi' as const,
      overs: 70,
      result: { kind: 'score' as const, score: 9 },
    };
    const body = { key: newKey(), betId: marketId, played, reason: 'Rain' };
    expect((await site.call(calls.judge, { body }, { token })).data.repeated).toBe(false);
    expect((await site.call(calls.judge, { body }, { token })).data.repeated).toBe(true);
    expect((await judge(marketId, played)).error).toMatchObject({ code: 'MARKET_CLOSED', field: 'betId' });
    expect((await judge(1, played)).error).toMatchObject({ code: 'MARKET_UNKNOWN', field: 'betId' });
    const player = await site.player();
    expect((await site.call(calls.judge, { body }, { token: player.token })).error?.code).toBe('NOT_ALLOWED');
  });
});
