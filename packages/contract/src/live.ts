import * as z from 'zod/mini';
import { minor, odds, runs } from './call.ts';
import type { ErrorCode } from './errors.ts';

/**
 * What crosses the sockets.
 *
 * Namespaces: `/` main (private events of the player), `/match` prices, `/card` and `/expert` further ones; the token
 * goes in the handshake's auth {token}. Private events carry `n`, the player's own running number: on a gap the client
 * reads balance and open bets again. Prices come as one image and then deltas, see `frame`.
 */

// ---------------------------------------------------------------------------------------------- markets

export const runnerImage = z.object({
  id: z.int(),
  name: z.string(),
  /** ACTIVE, SUSPENDED, BALL_RUNNING, REMOVED, WINNER, LOSER */
  status: z.string(),
  /** Reduction factor, percent in hundredths; 0 where there is none. */
  factor: z.int().check(z.meta({ unit: 'hundredths of a percent' })),
  /** Last traded price; 0 before the first. */
  last: odds(),
  tradedMinor: minor(),
  /** What can be backed, best first, up to 3: [price, size]. House-quoted: at most one (bookmaker: three boxes). */
  back: z.array(z.tuple([odds(), minor()])),
  /** What can be laid, best first, up to 3. */
  lay: z.array(z.tuple([odds(), minor()])),
  /** Number markets: the line of each side (runs), null where none is quoted. */
  yesLine: z.optional(z.nullable(runs())),
  noLine: z.optional(z.nullable(runs())),
  /** khado: how many runs the row covers. */
  width: z.optional(z.int()),
});
export type RunnerImage = z.output<typeof runnerImage>;

export const marketImage = z.object({
  id: z.int(),
  matchId: z.int(),
  /** book, bookmaker, session, overByover, ballByBall, fancy1, oddEven, khado, meter, cricketCasino, tied, completed */
  kind: z.string(),
  name: z.string(),
  /** INACTIVE, OPEN, SUSPENDED, CLOSED */
  status: z.string(),
  /** Why it is suspended or what became of it: "Goal", "Wicket", "Feed lost". */
  reason: z.string(),
  inPlay: z.boolean(),
  betDelayMs: z.int(),
  /** Send it with a bet: a material change since then refuses the bet. */
  version: z.int(),
  winners: z.int(),
  commissionBps: z.int().check(z.meta({ unit: 'hundredths of a percent' })),
  minStakeMinor: minor(),
  maxStakeMinor: minor(),
  tradedMinor: minor(),
  /** Order on the page. */
  sno: z.int(),
  /** For number markets the declared score, for others text; empty until declared. */
  resultText: z.string(),
  /** What a tie means for a one-winner market where it is not a runner: absent is VOID. */
  tieRule: z.optional(z.enum(['VOID', 'DEAD_HEAT'])),
  /** Unmatched bets lapse at each suspension (football: goals). */
  lapseOnSuspend: z.optional(z.boolean()),
  /** Runners may be taken out: the exposure covers every single removal. */
  removable: z.optional(z.boolean()),
  runners: z.array(runnerImage),
});
export type MarketImage = z.output<typeof marketImage>;

/** Changes of an image: named fields replace; of runners only the changed ones, with their changed fields. */
export type MarketDelta = Partial<Omit<MarketImage, 'id' | 'runners'>> & {
  runners?: Array<{ id: number } & Partial<Omit<RunnerImage, 'id'>>>;
};

// ---------------------------------------------------------------------------------------------- scores

const innings = z.object({
  team: z.string(),
  short: z.string(),
  runs: z.int(),
  wickets: z.int(),
  /** Legal balls; 38.2 overs is 230. */
  balls: z.int(),
  declared: z.boolean(),
});
const cricketScore = z.object({
  sport: z.literal('cricket'),
  format: z.string(),
  maxOvers: z.int(),
  innings: z.array(innings),
  battingIndex: z.int(),
  target: z.nullable(z.int()),
  /** "Australia need 74 off 70", "Day 2, session 1", result text at the end. */
  line: z.string(),
  /** The line where it tells more than who won the toss; for rows of a list. */
  note: z.string(),
  currentRunRate: z.string(),
  requiredRunRate: z.string(),
  batters: z.array(
    z.object({
      name: z.string(),
      runs: z.int(),
      balls: z.int(),
      fours: z.int(),
      sixes: z.int(),
      onStrike: z.boolean(),
    }),
  ),
  bowlers: z.array(z.object({ name: z.string(), balls: z.int(), runs: z.int(), wickets: z.int() })),
  partnership: z.object({ runs: z.int(), balls: z.int() }),
  /** Newest first, at most three; ball marks "0" "1" "4" "6" "W" "1wd" "1nb" "2b" "1lb". */
  overs: z.array(z.object({ over: z.int(), balls: z.array(z.string()), runs: z.int() })),
  ballRunning: z.boolean(),
});
const footballScore = z.object({
  sport: z.literal('football'),
  home: z.string(),
  away: z.string(),
  homeGoals: z.int(),
  awayGoals: z.int(),
  minute: z.int(),
  /** 1H, HT, 2H, FT, NS */
  phase: z.string(),
  /** "45+2" and the like. */
  clock: z.string(),
  events: z.array(
    z.object({
      minute: z.int(),
      side: z.enum(['home', 'away']),
      kind: z.enum(['goal', 'red', 'yellow', 'var', 'penalty']),
      player: z.string(),
    }),
  ),
});
const tennisScore = z.object({
  sport: z.literal('tennis'),
  players: z.array(z.string()),
  /** Games per set, first player then second; the last is the running one. */
  sets: z.array(z.tuple([z.int(), z.int()])),
  setsWon: z.tuple([z.int(), z.int()]),
  /** "0" "15" "30" "40" "A", or tie-break points. */
  points: z.tuple([z.string(), z.string()]),
  server: z.int(),
  bestOf: z.int(),
  line: z.string(),
});
const raceScore = z.object({
  sport: z.enum(['horseRacing', 'greyHound']),
  progress: z.string(),
  /** Metres left of the leader; 0 before and after. */
  remaining: z.int(),
  distance: z.int(),
  /** Leader first; share is the covered part of the distance in 1/1000. */
  order: z.array(z.object({ runnerId: z.int(), name: z.string(), clothNumber: z.int(), share: z.int() })),
  finished: z.boolean(),
});
const otherScore = z.object({ sport: z.literal('politics'), line: z.string() });
export const score = z.union([cricketScore, footballScore, tennisScore, raceScore, otherScore]);
export type Score = z.output<typeof score>;
export type CricketScore = z.output<typeof cricketScore>;
export type FootballScore = z.output<typeof footballScore>;
export type TennisScore = z.output<typeof tennisScore>;
export type RaceScore = z.output<typeof raceScore>;

// ---------------------------------------------------------------------------------------------- prices

/**
 * `/match` socket, opened with query matchIdArray (up to 60 ids, commas) and roleName=user.
 * A client that also sends query frames=1 gets, per match, `liveData{matchId}` with images when it joins or asks, and
 * then `frame` events; any other client gets `liveData{matchId}` as the full record of the specification on each change
 * (at most twice a second).
 */
export interface LiveImages {
  /** Epoch of the writer: another one means everything known is void. */
  e: number;
  /** Server time, ms. */
  t: number;
  /** Match. */
  id: number;
  /** All markets of the match are in `images`; else the main one alone. */
  full: boolean;
  /** Sequence of each market's image in `images`, by market id. */
  s: Record<number, number>;
  images: MarketImage[];
  score: Score | null;
  scoreSeq: number;
  stopAt: string | null;
}

/** One frame per socket every 100 ms at most; suspend, ball running and close leave at once. */
export interface Frame {
  e: number;
  /** Server time, ms. */
  t: number;
  /** Apply a delta only where `b` is the sequence held; else ask for the match by `resync`. `i`: a whole new market. */
  m: Array<{ id: number; s: number; b: number; d?: MarketDelta; i?: MarketImage; gone?: true }>;
  sc?: Array<{ id: number; s: number; score: Score }>;
  /** Full ladders of the runners this socket watches by `depth`. */
  x?: DepthImage[];
  /** Health: 'late' when prices are known to be old. */
  h?: 'late';
}

export interface DepthImage {
  marketId: number;
  runnerId: number;
  /** Best first: [price, sizeMinor]. */
  back: Array<[number, number]>;
  lay: Array<[number, number]>;
  /** Matched per price: [price, sizeMinor]. */
  traded: Array<[number, number]>;
  last: number;
}

/** What a client may emit on `/match`. Each is acknowledged with {ok: true} or {error: code}. */
export const matchEmits = {
  /** Watches other matches: `full` all their markets, `head` their main market only. Replaces what was watched. */
  watch: z.strictObject({
    full: z.array(z.int().check(z.minimum(1))).check(z.maxLength(60)),
    head: z.array(z.int().check(z.minimum(1))).check(z.maxLength(60)),
  }),
  /** Sends the images of watched matches again: one, or up to 60 by one message. */
  resync: z.union([
    z.strictObject({ matchId: z.int().check(z.minimum(1)) }),
    z.strictObject({ matchIds: z.array(z.int().check(z.minimum(1))).check(z.minLength(1), z.maxLength(60)) }),
  ]),
  depth: z.strictObject({
    marketId: z.int().check(z.minimum(1)),
    runnerId: z.int().check(z.minimum(1)),
    on: z.boolean(),
  }),
  leaveAll: z.optional(z.unknown()),
  disconnectCricketData: z.strictObject({ matchId: z.int().check(z.minimum(1)) }),
} as const;

/** `/third-party` socket: the first prices and scores of all open events of a sport. Joining one leaves the others. */
export const feedEmits = {
  joinFeed: z.strictObject({ type: z.enum(['cricket', 'football', 'tennis', 'horseRacing', 'greyHound', 'politics']) }),
  leaveFeed: z.optional(z.unknown()),
} as const;
export type FeedSport = z.output<typeof feedEmits.joinFeed>['type'];

export interface FeedRow {
  /** Match. */
  id: number;
  title: string;
  startAt: string;
  inPlay: boolean;
  stopAt: string | null;
  score: Score | null;
  /** The main market with its best prices; null when there is none. */
  head: MarketImage | null;
}

export interface FeedData {
  /** 1 with all rows, on joining; then one more with each message of the rows that changed. On a gap join again. */
  n: number;
  rows: FeedRow[];
}

/**
 * `call` on `/`: a call whose contract says `line`, made over the open socket. Session, input, limits and answer are those of
 * the POST: it is acknowledged with the envelope (and `seen` as `SEEN_HEADER`), or with the body of the error (and `retryAfterS` where
 * that has the header).
 */
export const lineCall = z.strictObject({
  /** Its name. */
  call: z.string().check(z.maxLength(60)),
  body: z.unknown(),
  /** As `DEADLINE_HEADER`. */
  deadline: z.optional(z.int()),
  /** As `UNATTENDED`. */
  unattended: z.optional(z.literal(true)),
});
export type LineCall = z.input<typeof lineCall>;

export const mainEmits = { matchRoom: z.strictObject({ id: z.int().check(z.minimum(1)) }) } as const;

// ---------------------------------------------------------------------------------------------- private events

/** Every private event carries these; the rest depends on the event. */
export interface PrivateEvent {
  /** The player's running number. */
  n: number;
  currentBalance?: number;
  exposure?: number;
  /** Winnings held back until somebody else has covered what he owes. */
  held?: number;
  profitLoss?: number;
  /** Version of the balance; an older one than held is not applied. */
  walletVersion?: number;
  matchId?: number;
  betId?: number;
  [more: string]: unknown;
}

/** What a refused handshake carries in the `data` of its error, and the `refused` event of a `/match` socket without matches. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  /** The part of the handshake at fault. */
  field?: string;
}
