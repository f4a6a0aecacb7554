import type { ConditionalOrder, MarketImage, MatchItem, PlacedBet, RunnerImage } from '@fairgame/contract';
import type { Selection } from '../src/slip/slip.ts';

/** A market, the player's bets in it and his profile as the server tells them: for tests and for the gallery of parts. */
export const MATCH_ID = 2;
export const MARKET_ID = 11;

export const runner = (id: number, name: string, more: Partial<RunnerImage> = {}): RunnerImage => ({
  id,
  name,
  status: 'ACTIVE',
  factor: 0,
  last: 0,
  tradedMinor: 0,
  back: [],
  lay: [],
  ...more,
});

/** India 2.18 / 2.20 against Australia 1.84 / 1.85, 1,000.00 on each side. */
export const market = (more: Partial<MarketImage> = {}): MarketImage => ({
  id: MARKET_ID,
  matchId: MATCH_ID,
  kind: 'book',
  name: 'Match Odds',
  status: 'OPEN',
  reason: '',
  inPlay: false,
  betDelayMs: 0,
  version: 4,
  winners: 1,
  commissionBps: 200,
  minStakeMinor: 100,
  maxStakeMinor: 500_000,
  tradedMinor: 0,
  sno: 1,
  resultText: '',
  runners: [
    runner(1, 'India', { back: [[218, 100_000]], lay: [[220, 100_000]] }),
    runner(2, 'Australia', { back: [[184, 100_000]], lay: [[185, 100_000]] }),
  ],
  ...more,
});

/** A row of a list of events, without a market of its own. */
export const matchItem = (id: number, more: Partial<MatchItem> = {}): MatchItem => ({
  id,
  matchType: 'football',
  title: `Home ${id} v Away ${id}`,
  startAt: '2026-11-20T12:00:00Z',
  beventId: null,
  eventId: String(id),
  gmid: null,
  competitionId: '1',
  competitionName: 'Cup',
  inPlay: false,
  stopAt: null,
  countryCode: null,
  isTv: false,
  isBookmaker: false,
  isFancy: false,
  scoreText: '',
  head: null,
  marketCount: 1,
  runnerCount: 2,
  ...more,
});

export const selection = (more: Partial<Selection> = {}): Selection => ({
  matchId: MATCH_ID,
  marketId: MARKET_ID,
  runnerId: 1,
  kind: 'book',
  side: 'BACK',
  price: 218,
  runnerName: 'India',
  marketName: 'Match Odds',
  eventName: 'India v Australia',
  marketVersion: 4,
  betDelayMs: 0,
  minStakeMinor: 100,
  maxStakeMinor: 500_000,
  ...more,
});

export const bet = (more: Partial<PlacedBet> = {}): PlacedBet => ({
  id: 900,
  betId: MARKET_ID,
  matchId: MATCH_ID,
  kind: 'book',
  marketType: 'MATCH_ODDS',
  marketBetType: 'MATCHBETTING',
  betType: 'BACK',
  eventName: 'India v Australia',
  eventType: 'cricket',
  bettingName: 'Match Odds',
  teamName: 'India',
  runnerId: 1,
  odds: 220,
  line: null,
  box: null,
  oddsMatched: 0,
  amount: 2500,
  matched: 0,
  remaining: 2500,
  cancelled: 0,
  lapsed: 0,
  voided: 0,
  winAmount: 3000,
  lossAmount: 2500,
  status: 'EXECUTABLE',
  endCode: null,
  persistence: 'LAPSE',
  result: 'PENDING',
  profitLoss: 0,
  deleteReason: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  dueAt: null,
  settledAt: null,
  version: 1,
  beventId: '1.5',
  ...more,
});

/** A stop that the server holds. */
export const held = (more: Partial<ConditionalOrder> = {}): ConditionalOrder => ({
  id: 7,
  betId: MARKET_ID,
  matchId: MATCH_ID,
  eventName: 'India v Australia',
  eventType: 'cricket',
  bettingName: 'Match Odds',
  runnerId: 1,
  teamName: 'India',
  kind: 'STOP',
  bettingType: 'LAY',
  trigger: 224,
  odd: 230,
  ticks: null,
  slip: null,
  stake: 4800,
  level: null,
  persistence: 'LAPSE',
  forBet: null,
  dueAt: null,
  link: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  status: 'WAITING',
  placed: null,
  code: null,
  ...more,
});

export const betPage = (rows: readonly PlacedBet[]) => ({
  rows,
  total: rows.length,
  page: 1,
  limit: 100,
  totals: {
    stake: rows.reduce((sum, { amount }) => sum + amount, 0),
    matched: rows.reduce((sum, { matched }) => sum + matched, 0),
    profitLoss: rows.reduce((sum, { profitLoss }) => sum + profitLoss, 0),
  },
});

export const PROFILE = {
  userBal: { currentBalance: 1_000_000, exposure: 0, profitLoss: 0, version: 1 },
  standing: null,
  openBets: 0,
  buttonValues: { value: '{"10":10,"25":25,"100":100,"500":500}' },
  buttonValues2: { value: '{"10":10}' },
  stakeTemplates: [],
};

/** What `market/event/:id` answers for the market of the samples, by its path. */
export const eventOfMarket = {
  [`/market/event/${MARKET_ID}`]: {
    id: MATCH_ID,
    title: 'India v Australia',
    matchType: 'cricket',
    beventId: null,
    marketName: 'Match Odds',
  },
};
