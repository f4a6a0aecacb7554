/**
 * What a feed tells the site: which matches and races exist, how they stand, and what the betting core shall do about it.
 * Every adapter (simulated, recorded, stream) speaks this and nothing else, so the rest of the server cannot tell them apart.
 *
 * Times are milliseconds since 1970 (UTC); money is minor units; odds are hundredths, as in the core's commands.
 */
import type { Command, MarketId, RunnerId } from '@fairgame/exchange';

export type MatchType = 'cricket' | 'football' | 'tennis' | 'horseRacing' | 'greyHound' | 'politics';
export type TeamSide = 'A' | 'B';

export interface FeedEvent {
  eventId: number;
  matchType: MatchType;
  title: string;
  competitionId: number;
  competitionName: string;
  startAt: number;
  teamA: string;
  teamB: string;
  /** The draw, where it can be bet on. */
  teamC?: string;
  /** Two letters; races are listed by it. */
  countryCode?: string;
  venue?: string;
  isTv: boolean;
  /** cricket: T20, ODI, Test; tennis: best of 3, best of 5. */
  format?: string;
  beventId: string;
  gmid: string;
  race?: FeedRace;
  /** Its times are not the calendar's (a recording, a simulation at another speed): no hours of a rule count for it. */
  ownTime?: boolean;
  /** What the feed itself calls it; the same over restarts. Absent where the feed uses our own numbers. */
  source?: string;
}

export interface FeedRace {
  raceNumber: number;
  /** As printed on a card: "1m 2f", "480m". */
  distance: string;
  distanceMetres: number;
  /** Going of the turf or the surface of the track: "Good to soft", "Sand". */
  going: string;
  class: string;
  type: 'Flat' | 'Hurdle' | 'Chase' | 'Greyhound';
  prizeMinor: number;
  /** How many places the PLACE market pays; 0 when there is none. */
  places: number;
  inPlayBetting: boolean;
  runners: FeedRaceRunner[];
}

export interface FeedRaceRunner {
  runnerId: RunnerId;
  clothNumber: number;
  /** Stall (horses) or trap (greyhounds). */
  draw: number;
  name: string;
  jockey: string;
  trainer: string;
  age: number;
  /** Pounds carried (horses) or kilograms x 10 (greyhounds). */
  weight: number;
  /** Recent finishing positions, oldest first; 0 is tenth or worse. */
  form: string;
  officialRating: number;
  silks: FeedSilks;
  nonRunner: boolean;
  /** Percent in hundredths, rescaled after each removal; what was deducted for a non-runner. 0 for greyhounds. */
  adjustmentFactor: number;
}

/** Colours are CSS hex values. */
export interface FeedSilks {
  body: string;
  sleeves: string;
  cap: string;
  pattern: 'plain' | 'stripes' | 'hoops' | 'spots' | 'sash' | 'quarters' | 'star' | 'chevron';
  patternColour: string;
}

export type Score = CricketScore | FootballScore | TennisScore | RaceScore | PoliticsScore;

export type CricketPhase =
  | 'notStarted'
  | 'ballRunning'
  | 'betweenBalls'
  | 'wicket'
  | 'overBreak'
  | 'inningsBreak'
  | 'interval'
  | 'stumps'
  | 'rain'
  | 'superOver'
  | 'result';

export interface CricketScore {
  sport: 'cricket';
  phase: CricketPhase;
  /** One line under the score: "Australia need 74 off 70", "India won by 24 runs". */
  note: string;
  /** "India won the toss and chose to bat"; empty before the toss. */
  toss: string;
  /** Oldest first; the last one is in progress. */
  innings: CricketInnings[];
  batting: TeamSide;
  /** Runs to win; 0 while there is no target. */
  target: number;
  /** Legal balls left in the innings (limited overs) or in the day (Test). */
  ballsLeft: number;
  /** Runs per over in hundredths; required is 0 without a target. */
  currentRate: number;
  requiredRate: number;
  batters: CricketBatter[];
  partnership: { wicket: number; runs: number; balls: number; fours: number; sixes: number };
  /** At most three, the one bowling first. */
  bowlers: CricketBowler[];
  /** The current over first, then the two before. Balls: "0".."6", "W", "1wd", "1nb", "2b". */
  lastOvers: Array<{ over: number; balls: string[]; runs: number }>;
  /** Test: 1 to 5. */
  day?: number;
}

interface CricketInnings {
  team: TeamSide;
  runs: number;
  wickets: number;
  /** Legal balls bowled: 230 is 38.2 overs. */
  balls: number;
  declared: boolean;
  superOver: boolean;
}

export interface CricketBatter {
  name: string;
  runs: number;
  balls: number;
  fours: number;
  sixes: number;
  onStrike: boolean;
}

export interface CricketBowler {
  name: string;
  balls: number;
  runs: number;
  wickets: number;
  bowling: boolean;
}

export interface FootballScore {
  sport: 'football';
  period: 'notStarted' | 'firstHalf' | 'halfTime' | 'secondHalf' | 'fullTime';
  /** Minute of play as announced, 1 to 90; `added` is how far into injury time. */
  minute: number;
  added: number;
  /** Injury time announced for the half; 0 until then. */
  addedAnnounced: number;
  goalsA: number;
  goalsB: number;
  halfTimeA: number;
  halfTimeB: number;
  goals: Array<{ minute: number; added: number; team: TeamSide; scorer: string; kind: 'goal' | 'penalty' | 'ownGoal' }>;
  cards: Array<{ minute: number; added: number; team: TeamSide; player: string; colour: 'yellow' | 'red' }>;
  cornersA: number;
  cornersB: number;
  note: string;
}

export interface TennisScore {
  sport: 'tennis';
  status: 'notStarted' | 'inPlay' | 'changeover' | 'setBreak' | 'finished';
  bestOf: number;
  /** Finished sets and the one in progress; `tieBreak` holds the points of one that was played. */
  sets: Array<{ a: number; b: number; tieBreak?: { a: number; b: number } }>;
  setsA: number;
  setsB: number;
  /** "0", "15", "30", "40", "AD", or plain counts in a tie-break. */
  pointsA: string;
  pointsB: string;
  server: TeamSide;
  tieBreak: boolean;
  note: string;
}

export type RaceStatus =
  | 'DORMANT'
  | 'PARADING'
  | 'GOINGDOWN'
  | 'ATTHEPOST'
  | 'OFF'
  | 'PHOTOGRAPH'
  | 'FINISHED'
  | 'RESULT'
  | 'WEIGHEDIN';

export interface RaceScore {
  sport: 'race';
  status: RaceStatus;
  /** Share of the distance the leader has covered, in 1/1000. */
  progress: number;
  metresLeft: number;
  /** In running: leader first; `behind` is hundredths of a length. */
  positions: Array<{ runnerId: RunnerId; place: number; behind: number }>;
  /** After the finish; equal places are a dead heat. */
  finish: Array<{ runnerId: RunnerId; place: number; behind: number }>;
  nonRunners: RunnerId[];
  note: string;
}

export interface PoliticsScore {
  sport: 'politics';
  note: string;
  /** Poll average in tenths of a percent, or share of seats counted. */
  polls: Array<{ name: string; shareTenths: number; changeTenths: number }>;
}

/** Why a market is shut whose source told a finish that cannot be paid on: an operator declares it. */
export const WAITS_FOR_RESULT = 'Dead heat: waits for the full finish';

/** Where a market stands on the page; goes with the `market.create` command that makes it. */
export interface MarketInfo {
  /** Display order within the event, ascending. */
  sno: number;
  /** The specification's word: matchOdd, bookmaker, session, tiedMatch1, completeMatch, overUnder, setWinner, win, place ... */
  marketType: string;
  /** Tab of the fancy block, where it belongs to one. */
  group?: 'overs' | 'batters' | 'wickets' | 'oddEven' | 'balls' | 'other';
  /** What the feed itself calls the market; the same over restarts. Absent where the feed uses our own numbers. */
  source?: string;
}

export type FeedOutput =
  /** New, or changed in any field: replace what is kept under its eventId. */
  | { type: 'event'; event: FeedEvent }
  /** Finished and all of its markets declared: the event's stopAt is now. */
  | { type: 'eventClosed'; eventId: number }
  /** The whole scoreboard, each time it changes. */
  | { type: 'score'; eventId: number; score: Score }
  /** For the core, in this order. `info` comes with market.create only. */
  | { type: 'command'; command: Command; info?: MarketInfo }
  /** The feed goes on with these markets and no others, as of a whole image of its source. */
  | { type: 'named'; marketIds: MarketId[] };

/**
 * Batches are given in order and each belongs to one moment `now`; an empty one says that the feed is alive. The sink must
 * not throw.
 */
export interface Feed {
  start(sink: (batch: FeedOutput[], now: number) => void): void;
  /** Tells all prices of these markets once more, from a fresh reading of its source: the last ones are in doubt. */
  again?(marketIds: readonly MarketId[]): void;
  /** After it resolves the sink is not called again. */
  stop(): Promise<void>;
}
