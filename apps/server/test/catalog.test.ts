import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLS, matchDetails, matchItem, type PlaceBody } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scoreLine, toScore } from '../src/catalog/scores.ts';
import type { CricketScore } from '../src/feed/feed.ts';
import { copyEmptyDatabase } from './empty-database.ts';
import { makeServer, newKey } from './server.ts';
import { IDS, makeSite, prices, type Site, state } from './site.ts';

const { catalog: calls, racing } = CALLS;
let site: Site;
let token: string;
let demoToken: string;

beforeAll(async () => {
  site = await makeSite();
  ({ token } = await site.player());
  const demo = await site.call(CALLS.auth.demo);
  demoToken = demo.data.token;
  // The turn lapses what the house had waiting, so its prices come again.
  await site.feed(
    state(IDS.cricket.odds, { inPlay: true }),
    prices(IDS.cricket.odds, [IDS.cricket.teamA, 180, 184], [IDS.cricket.teamB, 220, 226]),
  );
});
afterAll(() => site.close());

async function back(at: Site, who: string, more: Partial<PlaceBody>): Promise<void> {
  const body = { ...more, bettingType: 'BACK', key: newKey() } as PlaceBody;
  expect((await at.call(CALLS.bets.place, { body }, { token: who })).error).toBeUndefined();
}

const list = async (query: Record<string, string> = {}) =>
  (await site.call(calls.list, { query }, { token })).data.matches;

describe('lists', () => {
  it('[API-22] [API-23] [LST-01] lists events by start time, by sport, by words of the title', async () => {
    const all = await list({ sort: 'match.startAt:ASC' });
    expect(all.map((match) => match.id)).toEqual([9001, 9004, 9005, 9002, 9003, 9006]);
    expect((await list({ 'match.matchType': 'tennis' })).map((match) => match.id)).toEqual([9003]);
    expect((await list({ searchBy: 'title', keyword: 'rov' })).map((match) => match.id)).toEqual([9002]);
    expect((await list({ sort: 'match.startAt:DESC' })).at(0)?.id).toBe(9006);
    expect((await list({ page: '2', limit: '2' })).map((match) => match.id)).toEqual([9005, 9002]);
  });

  it('[LST-05] [CAR-35] carries the named fields, the head market with prices and the in-play flag', async () => {
    const [cricket] = await list({ 'match.matchType': 'cricket' });
    expect(() => matchItem.parse(cricket)).not.toThrow();
    expect(cricket).toMatchObject({
      id: 9001,
      matchType: 'cricket',
      title: 'São Paulo v New Zealand',
      beventId: 'b9001',
      eventId: '9001',
      gmid: 'g9001',
      inPlay: true,
      isBookmaker: true,
      isFancy: true,
    });
    expect(cricket?.head?.runners[0]).toMatchObject({ back: [[180, 50_000]], lay: [[184, 50_000]] });
    expect((await list({ inPlay: 'true' })).map((match) => match.id)).toEqual([9001]);
  });

  it('[LST-06] takes the six sports, refuses one that is none, a column that is none, an unknown parameter', async () => {
    for (const type of ['cricket', 'football', 'tennis', 'horseRacing', 'greyHound', 'politics'] as const)
      expect((await list({ 'match.matchType': type })).map((match) => match.matchType)).toContain(type);
    const bad = await site.call(calls.list, { query: { 'match.matchType': 'chess' as 'cricket' } }, { token });
    expect([bad.status, bad.error?.code, bad.error?.field]).toEqual([400, 'BAD_FILTER', 'match.matchType']);
    const sort = await site.call(calls.list, { query: { sort: 'password:ASC' } }, { token });
    expect([sort.status, sort.error?.code, sort.error?.field]).toEqual([400, 'BAD_FILTER', 'sort']);
    const more = await site.call(calls.list, { query: { drop: 'x' } as object }, { token });
    expect([more.status, more.error?.code]).toEqual([400, 'UNKNOWN_FIELD']);
  });

  it('[API-24] counts the tabs', async () => {
    const { data } = await site.call(calls.tabs, {}, { token });
    expect(data.find((tab) => tab.id === 'inPlay')).toMatchObject({ matchType: null, count: 1, blinking: true });
    expect(data.find((tab) => tab.id === 'horseRacing')).toMatchObject({ count: 1, inPlay: 0 });
  });

  it.each(['cricket', 'football', 'tennis'] as const)(
    '[API-32] [LST-07] [OPN-37] gives first prices of %s',
    async (type) => {
      const { data } = await site.call(calls.marketList, { query: { type } }, { token });
      expect(data).toMatchObject([
        { id: expect.any(Number), title: expect.stringMatching(/./), inPlay: type === 'cricket' },
      ]);
      expect(data[0]?.head?.runners[0]?.back[0]?.[0]).toBeGreaterThan(100);
    },
  );

  it('[API-25] [API-26] searches titles, runners and competitions, blind to accents', async () => {
    const find = async (keyword: string) =>
      (await site.call(calls.searchList, { query: { searchBy: 'title', keyword } }, { token })).data.map(
        (row) => row.id,
      );
    expect(await find('sao pau')).toEqual([9001]);
    expect(await find('HORSE 2')).toEqual([9004]);
    expect(await find('harbour')).toEqual([9003]);
    expect(await find('mill lane dog')).toEqual([9005]);
    expect(await find('nobody here')).toEqual([]);
    expect(await find('%')).toEqual([]);
    const { data } = await site.call(calls.search, { params: { keyword: 'united' } }, { token });
    expect(data).toMatchObject([{ id: 9002, matchType: 'football', beventId: 'b9002' }]);
  });

  it('[API-29] [API-30] [API-31] [OPN-59] opens sport, competition, UTC date, matches', async () => {
    const { data: competitions } = await site.call(calls.competitions, { params: { id: 'tennis' } }, { token });
    expect(competitions).toEqual([{ competitionId: '703', competitionName: 'Harbour Open', count: 1 }]);
    const { data: dates } = await site.call(calls.dates, { params: { id: '703' } }, { token });
    expect(dates).toEqual([{ startDate: '2026-07-02', count: 1 }]);
    const { data: matches } = await site.call(
      calls.matchesOn,
      { params: { id: '703', date: '2026-07-02' } },
      { token },
    );
    expect(matches).toMatchObject([{ id: 9003, title: 'Ivo Marsh v Teo Lind' }]);
    expect((await site.call(calls.matchesOn, { params: { id: '703', date: '2026-07-01' } }, { token })).data).toEqual(
      [],
    );
  });
});

describe('event page', () => {
  it('[API-27] [MAT-03] answers the 27 fields', async () => {
    const { data } = await site.call(calls.match, { params: { id: '9001' } }, { token });
    expect(() => matchDetails.parse(data)).not.toThrow();
    const fields =
      'isBookmaker marketId rateThan100 title manualSessionActive apiSessionActive eventId isTv matchType betFairSessionMinBet betFairSessionMaxBet competitionId competitionName teamA teamB teamC startAt stopAt id isFancy teamRates profitLossDataSession profitLossDataMatch apiSession sessionBettings tournament scoreBoard';
    expect(fields.split(' ')).toHaveLength(27);
    for (const field of fields.split(' ')) expect(data).toHaveProperty(field);
    expect(data).toMatchObject({
      marketId: IDS.cricket.odds,
      apiSessionActive: true,
      manualSessionActive: false,
      betFairSessionMinBet: 100,
      betFairSessionMaxBet: 25_000,
      stopAt: null,
    });
    expect(data.apiSession.session?.section).toHaveLength(1);
    expect(Object.keys(data.apiSession).sort()).toEqual(['fancy1', 'khado', 'oddEven', 'session']);
  });

  it('[MAT-04] sorts the tournament by sno and leaves number markets out', async () => {
    const { data } = await site.call(calls.match, { params: { id: '9001' } }, { token });
    expect(data.tournament.map((entry) => [entry.id, entry.gtype])).toEqual([
      [IDS.cricket.odds, 'match'],
      [IDS.cricket.bookmaker, 'match1'],
    ]);
  });

  it('[MAT-02] [API-28] [OPN-31] serves other sports by their own call; an unknown id is 404', async () => {
    const { data } = await site.call(calls.other, { params: { id: '9006' } }, { token });
    expect(data).toMatchObject({ id: 9006, matchType: 'politics', teamC: null });
    const gone = await site.call(calls.match, { params: { id: '123' } }, { token });
    expect([gone.status, gone.error?.code]).toEqual([404, 'MATCH_UNKNOWN']);
    const bad = await site.call(calls.match, { params: { id: '1e3' } }, { token });
    expect(bad.status).toBe(400);
  });

  it('shows three bookmaker boxes with their shares of the limit', async () => {
    const { data } = await site.call(calls.match, { params: { id: '9001' } }, { token });
    const bookmaker = data.markets.find((image) => image.id === IDS.cricket.bookmaker);
    expect(bookmaker?.runners[0]?.back).toEqual([
      [85, 10_000],
      [84, 15_000],
      [83, 25_000],
    ]);
    expect(bookmaker?.runners[0]?.lay.map(([rate]) => rate)).toEqual([87, 88, 89]);
  });

  it('[MAT-09] [MAT-10] [API-39] [API-40] gives scores, one level deeper for cricketScore', async () => {
    await site.feed({ type: 'score', eventId: 9001, score: cricketScore });
    const one = await site.fetch('/api/cricketScore?eventId=b9001', {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = (await one.json()) as { data: { data: { innings: unknown[]; target: number } } };
    expect(body.data.data).toMatchObject({
      sport: 'cricket',
      target: 181,
      innings: [{ short: 'NZ' }, { short: 'SP' }],
    });
    const { data } = await site.call(calls.sportScore, { query: { eventId: '9001' } }, { token });
    expect(data).toMatchObject({ line: 'São Paulo need 81 off 60', ballRunning: true });
    expect((await list({ 'match.matchType': 'cricket' }))[0]?.scoreText).toBe(
      'SP 100/2 (10.0), São Paulo need 81 off 60',
    );
    expect((await site.call(calls.sportScore, { query: { eventId: 'nope' } }, { token })).data).toBeNull();
  });

  it('[API-41] [API-42] [MAT-11] [MAT-13] gives frame addresses of its own, none for a match without TV', async () => {
    const { data } = await site.call(
      calls.iframeUrl,
      { params: { id: '9001' }, query: { isTv: 'true', isScore: 'true' } },
      { token },
    );
    expect(data).toEqual({
      tvData: { iframeUrl: '/frame/tv/9001' },
      scoreData: { iframeUrl: '/frame/score/9001' },
    });
    const tennis = await site.call(calls.iframeUrl, { params: { id: '9003' } }, { token });
    expect(tennis.data.tvData.iframeUrl).toBeNull();
    const page = await site.fetch('/frame/tv/9001');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    const html = await page.text();
    expect(html).not.toMatch(/<script>|style=|onload/);
    expect((await site.fetch('/frame/frame.js')).headers.get('content-type')).toContain('javascript');
  });

  it('[CAR-47] draws the picture five seconds late and the score at once', async () => {
    await site.feed({ type: 'score', eventId: 9001, score: cricketScore });
    site.clock.advance(5000);
    await site.feed({ type: 'score', eventId: 9001, score: { ...cricketScore, note: 'New note' } });
    const line = async (kind: string) => {
      const body = (await (await site.fetch(`/frame/data/9001?kind=${kind}`)).json()) as { score: { line: string } };
      return body.score.line;
    };
    expect(await line('score')).toBe('New note');
    expect(await line('tv')).toBe('São Paulo need 81 off 60');
    site.clock.advance(5000);
    expect(await line('tv')).toBe('New note');
  });

  it('the tape and the candles of a book tell each trade, its own world alone, and say when the market stood', async () => {
    const { event, odds, teamA, teamB } = IDS.cricket;
    const ask = (runners?: string, id = odds) =>
      site.call(calls.history, { params: { id: String(id) }, query: runners ? { runners } : {} }, { token });
    const tape = async (who = token) =>
      (await site.call(calls.trades, { params: { id: String(odds) } }, { token: who })).data.trades;
    expect(await tape()).toEqual([]);
    // Prices on offer are drawn at once: nobody waits for a beat.
    expect((await ask(String(teamA))).data.runners[0]!.candles).toHaveLength(1);
    await back(site, token, { betId: odds, matchId: event, runnerId: teamA, odd: 180, stake: 1500 });
    const [trade, ...more] = await tape();
    expect(more).toEqual([]);
    expect(trade).toEqual([expect.any(Number), site.clock.now, teamA, 180, 1500, 'BACK']);
    expect(await tape(demoToken)).toEqual([]);

    await site.feed(state(odds, { status: 'SUSPENDED', reason: 'Wicket' }), state(odds, { status: 'OPEN' }));
    const { runners, marks } = (await ask(String(teamA))).data;
    expect(runners).toMatchObject([{ id: teamA, name: 'São Paulo' }]);
    expect(runners[0]!.candles.at(-1)).toEqual([expect.any(Number), 180, 180, 180, 180, 1500]);
    expect(marks).toMatchObject([
      { is: 'inPlay', text: 'In play' },
      { is: 'suspended', text: 'Wicket', at: site.clock.now },
    ]);
    expect((await ask()).data.runners.map(({ id }) => id)).toEqual([teamA, teamB]);
    expect((await ask(undefined, 1)).error?.code).toBe('MARKET_UNKNOWN');
    expect((await ask('2')).error?.code).toBe('RUNNER_UNKNOWN');
  });

  it('[SEC-Z1] needs a session, and a demo session sees the same markets', async () => {
    const without = await site.call(calls.match, { params: { id: '9001' } });
    expect(without.status).toBe(401);
    const demo = await site.call(calls.match, { params: { id: '9001' } }, { token: demoToken });
    expect(demo.data.markets).toHaveLength(6);
  });
});

describe('racing', () => {
  it('[RAC-01] [API-33] lists countries; [CAR-35] sport keys are spelled as given', async () => {
    const { data } = await site.call(
      racing.countries,
      { query: { 'racingMatch.stopAt': 'isNull', matchType: 'horseRacing' } },
      { token },
    );
    expect(data).toEqual([{ countryCode: 'GB', countryName: 'United Kingdom', count: 1 }]);
    const other = await site.call(racing.countries, { query: { 'racingMatch.stopAt': 'eq{5}' } }, { token });
    expect([other.status, other.error?.code]).toEqual([400, 'BAD_FILTER']);
  });

  it('[RAC-02] [API-34] lists meetings of a country', async () => {
    const { data } = await site.call(
      racing.list,
      { query: { 'racingMatch.countryCode': 'eqAU', 'racingMatch.stopAt': 'isNull', matchType: 'eq{greyHound}' } },
      { token },
    );
    expect(data).toMatchObject([{ venue: 'Mill Lane', countryCode: 'AU', races: [{ id: 9005, runnerCount: 2 }] }]);
    const bad = await site.call(racing.list, { query: { matchType: 'eq{cricket}' } }, { token });
    expect(bad.error?.code).toBe('BAD_FILTER');
  });

  it('[RAC-03] [RAC-04] [API-35] answers the card, matchOdd with selection ids and profitLossDataMatch', async () => {
    const { data } = await site.call(racing.race, { params: { id: '9004' } }, { token });
    expect(data.matchOdd?.runners.map(({ selectionId }) => selectionId)).toEqual([...IDS.race.horses]);
    expect(data.matchOdd?.id).toBe(IDS.race.win);
    expect(data.markets.map((image) => image.id)).toEqual([IDS.race.place]);
    expect(data.profitLossDataMatch).toEqual({});
    expect(data.runners[0]).toMatchObject({ selectionId: 9241, clothNumber: 1, weight: '9-7', jockey: 'P. Vance' });
    expect((await site.call(racing.race, { params: { id: '9001' } }, { token })).error?.code).toBe('MATCH_UNKNOWN');
  });

  it('shows a non-runner with its factor and the time it was taken out', async () => {
    await site.feed({
      type: 'command',
      command: { type: 'runner.remove', marketId: IDS.race.win, runnerId: 9243, factor: 2500 },
    });
    const { data } = await site.call(racing.race, { params: { id: '9004' } }, { token });
    expect(data.runners[2]).toMatchObject({ status: 'REMOVED' });
    expect(data.runners[2]?.removedAt).not.toBeNull();
  });

  it('[RAC-06] drops a finished race from the lists; its bets keep its name', async () => {
    await site.feed(
      {
        type: 'command',
        command: { type: 'market.declare', marketId: IDS.dogs.win, result: { kind: 'winners', runnerIds: [9251] } },
      },
      { type: 'eventClosed', eventId: 9005 },
    );
    const { data } = await site.call(racing.list, { query: {} }, { token });
    expect(data.flatMap((meeting) => meeting.races.map((race) => race.id))).toEqual([9004]);
    expect((await list()).some((match) => match.id === 9005)).toBe(false);
    const race = await site.call(racing.race, { params: { id: '9005' } }, { token });
    expect(race.data.stopAt).not.toBeNull();
    expect(race.data.matchOdd).toMatchObject({ status: 'CLOSED', resultText: 'Dog 1' });
  });
});

it('rows of a list leave out who won the toss; the scoreboard says it', () => {
  const toss = 'São Paulo won the toss and chose to bat';
  const made = toScore(
    { ...cricketScore, note: '', toss },
    { matchType: 'cricket', teamA: 'São Paulo', teamB: 'Lima' },
  );
  expect(made).toMatchObject({ line: toss, note: '' });
  expect(scoreLine(made)).toBe('SP 100/2 (10.0)');
});

const cricketScore: CricketScore = {
  sport: 'cricket',
  phase: 'ballRunning',
  note: 'São Paulo need 81 off 60',
  toss: '',
  innings: [
    { team: 'B', runs: 180, wickets: 6, balls: 120, declared: false, superOver: false },
    { team: 'A', runs: 100, wickets: 2, balls: 60, declared: false, superOver: false },
  ],
  batting: 'A',
  target: 181,
  ballsLeft: 60,
  currentRate: 1000,
  requiredRate: 810,
  batters: [{ name: 'J. Sol', runs: 40, balls: 25, fours: 4, sixes: 1, onStrike: true }],
  partnership: { wicket: 3, runs: 20, balls: 14, fours: 2, sixes: 0 },
  bowlers: [{ name: 'K. Fern', balls: 12, runs: 18, wickets: 1, bowling: true }],
  lastOvers: [{ over: 10, balls: ['1', '4', 'W'], runs: 5 }],
};

it('a new start goes on with the charts of before; a market that is over keeps its own, and its tape', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-charts-'));
  try {
    await copyEmptyDatabase(join(folder, 'db'));
    const before = await makeSite({ FAIRGAME_DATA: folder });
    const { token: who } = await before.player();
    const { football, tennis } = IDS;
    await before.feed(prices(football.odds, [football.home, 200, 204]), prices(tennis.odds, [tennis.one, 150, 152]));
    await back(before, who, {
      betId: football.odds,
      matchId: football.event,
      runnerId: football.home,
      odd: 200,
      stake: 700,
    });
    await back(before, who, { betId: tennis.odds, matchId: tennis.event, runnerId: tennis.one, odd: 150, stake: 900 });
    const { core } = before.app;
    const over = { marketId: football.odds, result: { kind: 'winners', runnerIds: [football.home] } };
    for (const command of [
      { type: 'market.declare', ...over },
      { type: 'market.archive', marketId: football.odds },
    ])
      await core.submit({ world: 'all', actor: 'test', command: command as never });
    await before.close();

    const after = await makeServer({ FAIRGAME_DATA: folder });
    const ask = async (id: number, runnerId: number) => {
      const params = { id: String(id) };
      const chart = await after.call(calls.history, { params, query: { runners: String(runnerId) } }, { token: who });
      const { data } = await after.call(calls.trades, { params }, { token: who });
      return { ...chart.data, trades: data.trades };
    };
    const { data: kept } = await after.call(calls.past, { params: { id: String(football.event) } }, { token: who });
    expect(kept).toEqual([{ id: football.odds, name: expect.stringMatching(/./) }]);
    const past = await ask(football.odds, football.home);
    expect(past.runners).toMatchObject([{ candles: [[expect.any(Number), 200, 200, 200, 200, 700]] }]);
    expect(past.marks.map(({ is }) => is)).toContain('closed');
    expect(past.trades).toMatchObject([{ 2: football.home, 3: 200, 4: 700 }]);
    const open = await ask(tennis.odds, tennis.one);
    expect(open.runners).toMatchObject([{ candles: [[expect.any(Number), 150, 150, 150, 150, 900]] }]);
    expect(open.trades).toMatchObject([{ 2: tennis.one, 3: 150, 4: 900 }]);
    await after.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
