import * as z from 'zod/mini';
import { call, filterText, id, idText, keyword, limit, minor, odds, page, runs, sortText } from './call.ts';
import { SPORT_KEYS } from './limits.ts';
import { marketImage, runnerImage, score } from './live.ts';

const sportKey = z.enum(SPORT_KEYS);
const candle = z.tuple([z.int(), odds(), odds(), odds(), odds(), minor()]);

export const matchItem = z.object({
  id: z.int(),
  matchType: sportKey,
  title: z.string(),
  startAt: z.string(),
  beventId: z.nullable(z.string()),
  eventId: z.string(),
  gmid: z.nullable(z.string()),
  competitionId: z.string(),
  competitionName: z.string(),
  inPlay: z.boolean(),
  stopAt: z.nullable(z.string()),
  countryCode: z.nullable(z.string()),
  isTv: z.boolean(),
  isBookmaker: z.boolean(),
  isFancy: z.boolean(),
  /** One line: "AUS 214/6, need 74 off 70", "1-0 63'"; empty before the start. */
  scoreText: z.string(),
  /** The main market with its best prices; null when there is none. */
  head: z.nullable(marketImage),
  marketCount: z.int(),
  /** Runners who take part, for racing. */
  runnerCount: z.int(),
});
export type MatchItem = z.output<typeof matchItem>;

export const sessionProfitLoss = z.object({
  betId: z.int(),
  maxLoss: minor(),
  totalBet: z.int(),
  profitLoss: z.array(z.object({ odds: runs(), profitLoss: minor() })),
});

/** The 27 fields of the specification (table MAT-T1) and, beside them, what our own client reads. */
export const matchDetails = z.object({
  isBookmaker: z.boolean(),
  marketId: z.nullable(z.int()),
  rateThan100: z.boolean(),
  title: z.string(),
  manualSessionActive: z.boolean(),
  apiSessionActive: z.boolean(),
  eventId: z.string(),
  isTv: z.boolean(),
  matchType: sportKey,
  betFairSessionMinBet: minor(),
  betFairSessionMaxBet: minor(),
  competitionId: z.string(),
  competitionName: z.string(),
  teamA: z.string(),
  teamB: z.string(),
  teamC: z.nullable(z.string()),
  startAt: z.string(),
  stopAt: z.nullable(z.string()),
  id: z.int(),
  isFancy: z.boolean(),
  teamRates: z.object({ teamA: minor(), teamB: minor(), teamC: minor() }),
  profitLossDataSession: z.array(sessionProfitLoss),
  /** `{betId}_profitLoss_{matchId}` to JSON text of a map runnerId to minor units as text. */
  profitLossDataMatch: z.record(z.string(), z.string()),
  apiSession: z.record(
    z.string(),
    z.object({
      mname: z.string(),
      gtype: z.string(),
      status: z.string(),
      rem: z.string(),
      section: z.array(z.unknown()),
    }),
  ),
  sessionBettings: z.array(z.string()),
  tournament: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      gtype: z.enum(['match', 'match1']),
      status: z.string(),
      inplay: z.boolean(),
      isManual: z.boolean(),
      minBet: minor(),
      maxBet: minor(),
      sno: z.int(),
      parentBetId: z.nullable(z.int()),
      activeStatus: z.string(),
      runners: z.array(
        z.object({ id: z.int(), selectionId: z.int(), nat: z.string(), sortPriority: z.int(), status: z.string() }),
      ),
    }),
  ),
  scoreBoard: z.nullable(score),
  // beside the specification's fields
  beventId: z.nullable(z.string()),
  gmid: z.nullable(z.string()),
  inPlay: z.boolean(),
  countryCode: z.nullable(z.string()),
  venue: z.nullable(z.string()),
  markets: z.array(marketImage),
});
export type MatchDetails = z.output<typeof matchDetails>;

const listQuery = {
  sort: sortText(),
  searchBy: z.optional(z.literal('title')),
  keyword: keyword(),
};
const byId = z.strictObject({ id: idText() });

export const searchRow = z.object({
  id: z.int(),
  matchType: sportKey,
  title: z.string(),
  startAt: z.string(),
  beventId: z.nullable(z.string()),
  competitionName: z.string(),
  inPlay: z.boolean(),
});

export const catalog = {
  list: call('match.list', {
    method: 'GET',
    path: '/match/list',
    who: 'player',
    summary: 'Events that are not over, by start time.',
    query: z.strictObject({
      ...listQuery,
      'match.matchType': filterText(),
      inPlay: z.optional(z.enum(['true', 'false'])),
      page: page(),
      limit: limit(),
    }),
    reply: z.object({ matches: z.array(matchItem) }),
    errors: ['BAD_FILTER'],
  }),
  tabs: call('expert.blinkingTabs', {
    method: 'GET',
    path: '/expert/blinkingTabs',
    who: 'player',
    summary: 'The tabs of the landing screen, with how many events each holds.',
    reply: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        matchType: z.nullable(sportKey),
        blinking: z.boolean(),
        count: z.int(),
        inPlay: z.int(),
      }),
    ),
  }),
  search: call('match.search', {
    method: 'GET',
    path: '/match/search/:keyword',
    who: 'player',
    summary: 'Events by words of their title, teams, runners or competition.',
    params: z.strictObject({ keyword: z.string().check(z.minLength(1), z.maxLength(100)) }),
    reply: z.array(searchRow),
  }),
  searchList: call('user.searchlist', {
    method: 'GET',
    path: '/user/searchlist',
    who: 'player',
    summary: 'The search of the header.',
    query: z.strictObject({
      searchBy: z.optional(z.literal('title')),
      keyword: z.string().check(z.minLength(1), z.maxLength(100)),
    }),
    reply: z.array(searchRow),
  }),
  match: call('match.get', {
    method: 'GET',
    path: '/match/:id',
    who: 'player',
    summary: 'One cricket, football or tennis match.',
    params: byId,
    reply: matchDetails,
    errors: ['MATCH_UNKNOWN'],
  }),
  other: call('match.other', {
    method: 'GET',
    path: '/match/other/:id',
    who: 'player',
    summary: 'One event of the other types.',
    params: byId,
    reply: matchDetails,
    errors: ['MATCH_UNKNOWN'],
  }),
  competitions: call('expert.competitions', {
    method: 'GET',
    path: '/expert/match/competitionList/:id',
    who: 'player',
    summary: 'Competitions of a sport (its key), with how many events each has.',
    params: z.strictObject({ id: z.string().check(z.regex(/^[A-Za-z0-9]{1,40}$/)) }),
    reply: z.array(z.object({ competitionId: z.string(), competitionName: z.string(), count: z.int() })),
  }),
  dates: call('expert.dates', {
    method: 'GET',
    path: '/expert/match/competition/dates/:id',
    who: 'player',
    summary: 'UTC dates (YYYY-MM-DD) of a competition.',
    params: z.strictObject({ id: z.string().check(z.maxLength(60)) }),
    reply: z.array(z.object({ startDate: z.string(), count: z.int() })),
  }),
  matchesOn: call('expert.matchesOn', {
    method: 'GET',
    path: '/expert/match/competition/getMatch/:id/:date',
    who: 'player',
    summary: 'Events of a competition on a UTC date.',
    params: z.strictObject({
      id: z.string().check(z.maxLength(60)),
      date: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
    }),
    reply: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        matchType: sportKey,
        startAt: z.string(),
        beventId: z.nullable(z.string()),
        inPlay: z.boolean(),
      }),
    ),
  }),
  marketList: call('market.list', {
    method: 'GET',
    path: '/market/list',
    who: 'player',
    summary: 'First prices of the events of a sport.',
    query: z.strictObject({ type: z.enum(['cricket', 'football', 'tennis']) }),
    reply: z.array(z.object({ id: z.int(), title: z.string(), inPlay: z.boolean(), head: z.nullable(marketImage) })),
  }),
  cricketScore: call('cricketScore', {
    method: 'GET',
    path: '/cricketScore',
    who: 'player',
    summary: 'Score of one event; the answer stands one level deeper, under data.data.',
    query: z.strictObject({ eventId: z.string().check(z.maxLength(40)) }),
    reply: z.object({ data: z.nullable(score) }),
  }),
  sportScore: call('sportScore', {
    method: 'GET',
    path: '/tunnel/casino/sport-score',
    who: 'player',
    summary: 'The scoreboard of one event.',
    query: z.strictObject({ eventId: z.optional(z.string().check(z.maxLength(40))) }),
    reply: z.nullable(score),
    alsoPost: true,
  }),
  iframeUrl: call('getIframeUrl', {
    method: 'GET',
    path: '/getIframeUrl/:id',
    who: 'player',
    summary: 'Addresses of the picture and score frames of an event.',
    params: byId,
    query: z.strictObject({
      sportType: z.optional(z.string().check(z.maxLength(20))),
      isTv: z.optional(z.enum(['true', 'false'])),
      isScore: z.optional(z.enum(['true', 'false'])),
      bEventId: z.optional(z.string().check(z.maxLength(40))),
    }),
    reply: z.object({
      tvData: z.object({ iframeUrl: z.nullable(z.string()) }),
      scoreData: z.object({ iframeUrl: z.nullable(z.string()) }),
    }),
    errors: ['MATCH_UNKNOWN'],
  }),
  eventOf: call('market.event', {
    method: 'GET',
    path: '/market/event/:id',
    who: 'player',
    summary: 'The event a market belongs to, by the number of the market alone.',
    params: byId,
    reply: z.object({
      id: z.int(),
      title: z.string(),
      matchType: sportKey,
      beventId: z.nullable(z.string()),
      marketName: z.string(),
    }),
    errors: ['MARKET_UNKNOWN'],
  }),
  history: call('market.history', {
    method: 'GET',
    path: '/market/history/:id',
    who: 'player',
    summary:
      'Prices of an order book over time as candles: [ms, first, highest, lowest and last price in hundredths, matched in it in minor units]. A price is the last traded while it lies within what is on offer, else the best that can be backed. `hour` is the last hour in short spans, `all` the whole life of the market in longer ones; markets that are over keep theirs for 400 days. A span in which nothing changed is left out.',
    params: byId,
    query: z.strictObject({
      span: z.optional(z.enum(['hour', 'all'])),
      /** Ids of up to 12 runners, by commas; all of them by default. */
      runners: z.optional(z.string().check(z.regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,11}$/))),
    }),
    reply: z.object({
      runners: z.array(z.object({ id: z.int(), name: z.string(), stepMs: z.int(), candles: z.array(candle) })),
      /** When it went in play, was suspended (the text says why: "Goal") or was over. */
      marks: z.array(z.object({ at: z.int(), is: z.enum(['inPlay', 'suspended', 'closed']), text: z.string() })),
    }),
    errors: ['MARKET_UNKNOWN', 'RUNNER_UNKNOWN'],
  }),
  past: call('market.past', {
    method: 'GET',
    path: '/market/past/:id',
    who: 'player',
    summary:
      'Order books of an event that are over and of which `market.history` still knows the prices, in page order.',
    params: byId,
    reply: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
  trades: call('market.trades', {
    method: 'GET',
    path: '/market/trades/:id',
    who: 'player',
    summary:
      'The last 50 trades of an order book, newest first: [number, ms, runner, price in hundredths, size in minor units, what its taker did].',
    params: byId,
    reply: z.object({
      trades: z.array(z.tuple([z.int(), z.int(), z.int(), odds(), minor(), z.enum(['BACK', 'LAY'])])),
    }),
  }),
};

const raceRunner = z.object({
  selectionId: z.int(),
  clothNumber: z.int(),
  draw: z.nullable(z.int()),
  name: z.string(),
  jockey: z.nullable(z.string()),
  trainer: z.nullable(z.string()),
  age: z.nullable(z.int()),
  weight: z.nullable(z.string()),
  form: z.nullable(z.string()),
  officialRating: z.nullable(z.int()),
  silks: z.nullable(
    z.object({
      body: z.string(),
      sleeves: z.string(),
      cap: z.string(),
      pattern: z.string(),
      patternColour: z.string(),
    }),
  ),
  status: z.string(),
  /** Percent in hundredths; 0 where there is none. */
  adjustmentFactor: z.int().check(z.meta({ unit: 'hundredths of a percent' })),
  removedAt: z.nullable(z.string()),
});
export type RaceRunner = z.output<typeof raceRunner>;

export const raceDetails = z.object({
  id: z.int(),
  matchType: sportKey,
  title: z.string(),
  venue: z.string(),
  countryCode: z.string(),
  startAt: z.string(),
  stopAt: z.nullable(z.string()),
  eventId: z.string(),
  competitionName: z.string(),
  distance: z.nullable(z.string()),
  going: z.nullable(z.string()),
  raceClass: z.nullable(z.string()),
  raceType: z.nullable(z.string()),
  prize: z.nullable(z.string()),
  /** DORMANT, GOINGDOWN, ATTHEPOST, UNDERORDERS, OFF, FINISHED, PHOTOGRAPH, WEIGHEDIN ... */
  progress: z.string(),
  betPlaceStartBefore: z.nullable(z.int()),
  runners: z.array(raceRunner),
  /** The win market, also when it is over; others (place) stand in markets. */
  matchOdd: z.nullable(
    z.object({
      ...marketImage.def.shape,
      runners: z.array(z.object({ ...runnerImage.def.shape, selectionId: z.int() })),
    }),
  ),
  profitLossDataMatch: z.record(z.string(), z.string()),
  markets: z.array(marketImage),
  scoreBoard: z.nullable(score),
});
export type RaceDetails = z.output<typeof raceDetails>;

export const raceItem = z.object({
  id: z.int(),
  title: z.string(),
  venue: z.string(),
  countryCode: z.string(),
  startAt: z.string(),
  matchType: sportKey,
  inPlay: z.boolean(),
  runnerCount: z.int(),
  status: z.string(),
});

export const racing = {
  countries: call('racing.countries', {
    method: 'GET',
    path: '/match/countryWiseList',
    who: 'player',
    summary: 'Races that are not over, by country.',
    query: z.strictObject({
      'racingMatch.stopAt': filterText(),
      matchType: filterText(),
    }),
    reply: z.array(z.object({ countryCode: z.string(), countryName: z.string(), count: z.int() })),
    errors: ['BAD_FILTER'],
  }),
  list: call('racing.list', {
    method: 'GET',
    path: '/match/racing/list',
    who: 'player',
    summary: 'Meetings of a country with their races.',
    query: z.strictObject({
      'racingMatch.countryCode': filterText(),
      'racingMatch.stopAt': filterText(),
      matchType: filterText(),
    }),
    reply: z.array(z.object({ venue: z.string(), countryCode: z.string(), races: z.array(raceItem) })),
    errors: ['BAD_FILTER'],
  }),
  race: call('racing.get', {
    method: 'GET',
    path: '/match/racing/:id',
    who: 'player',
    summary: 'One race with its card and markets.',
    params: byId,
    reply: raceDetails,
    errors: ['MATCH_UNKNOWN'],
  }),
};
export const matchIds = z.array(id()).check(z.minLength(1), z.maxLength(60));
