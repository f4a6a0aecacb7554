/** What a market is, what a result says, and how a market looks from outside. */
import type { MarketId, RunnerId } from './terms.ts';

/**
 * `book`: an order book per runner. All others are quoted by the house and taken whole or refused (exchange reference 12).
 * Price unit: decimal hundredths for book, fancy1, oddEven, cricketCasino, tied, completed; rate per 100 for bookmaker
 * (also other manual rate markets), session, overByover, ballByBall, khado, meter.
 * Side: BACK is yes, LAY is no, for the yes/no kinds.
 */
export type QuoteKind =
  | 'bookmaker'
  | 'session'
  | 'overByover'
  | 'ballByBall'
  | 'fancy1'
  | 'oddEven'
  | 'khado'
  | 'meter'
  | 'cricketCasino'
  | 'tied'
  | 'completed'
  /** One round of a card table; see cards.ts. Decimal hundredths, or a rate per 100 where the quote has a line. */
  | 'card';
export type MarketKind = 'book' | QuoteKind;

/** SETTLING: a result is being booked or taken back, or many bets lapse, over several commands; the market takes nothing else meanwhile. */
export type MarketStatus = 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'SETTLING' | 'CLOSED';
export type RunnerStatus = 'ACTIVE' | 'SUSPENDED' | 'BALL_RUNNING' | 'REMOVED' | 'WINNER' | 'LOSER';

export interface RunnerDef {
  runnerId: RunnerId;
  name: string;
  /** Percent in hundredths (25 % is 2500); 0 where the sport has none (greyhounds). */
  adjustmentFactor?: number;
  /** khado: how many runs the row covers. */
  width?: number;
  /** What the row stands for: fancy1, tied, completed (yes, no), oddEven (odd, even). One runner an answer. */
  stands?: 'yes' | 'no' | 'odd' | 'even';
  /** cricketCasino: the last digit the row stands for, 0 to 9. */
  digit?: number;
  /** card: selections of one group exclude each other and are netted, a group of one its own bets; 0 or absent is not netted. */
  group?: number;
  /** card: where the payout hangs on the hand, the most and the least a stake of 100 can bring (the least as a positive loss). */
  payMax?: number;
  payMin?: number;
}

/** The site opens its markets with this `maxBets`: more than anybody places by hand, and what one account costs stays small. */
export const MAX_BETS = 1000;

export interface MarketDef {
  marketId: MarketId;
  /** The event (match or race) the market belongs to. */
  eventId: number;
  kind: MarketKind;
  name: string;
  runners: RunnerDef[];
  /** How many runners win; 1 unless a place market or the like. */
  winners: number;
  /** Commission on a positive net result of an account in this market, in 1/10 000 (200 is 2 %). */
  commissionBps: number;
  minStakeMinor: number;
  maxStakeMinor: number;
  /** Worst case one account may run in this market; 0 for no bound of its own. */
  maxExposureMinor: number;
  /** How many open bets one account may have here; 0 for no bound. */
  maxBets: number;
  inPlay: boolean;
  status: 'INACTIVE' | 'OPEN' | 'SUSPENDED';
  /** Bets wait this long while in play. */
  betDelayMs: number;
  /** Unmatched orders lapse whenever the market is suspended (football goals); else they stay. */
  lapseOnSuspend: boolean;
  /** meter: the settlement and the exposure are bounded by this score; a meter must have one. */
  cap?: number;
  /** bookmaker: rates above 100 may be taken. */
  rateThan100?: boolean;
  /** What a tie means for a one-winner market. */
  tieRule?: 'VOID' | 'DEAD_HEAT';
  /**
   * book, bookmaker: runners may be removed (races, outright fields). Exposures then cover every single removal, so that
   * none finds an account short (exchange reference 7).
   */
  removable?: boolean;
  /** PLACE markets reduce the winnings, not the return, on a removal (exchange reference 7). */
  placeMarket?: boolean;
}

/**
 * One side of a house quote. `sizeMinor` is what is left of it for all takers together, in every box of a bookmaker row; one
 * bet takes at most the market's greatest stake of it. Telling the row again renews it.
 */
export interface Quote {
  price: number;
  sizeMinor: number;
  /** session-like kinds, khado, meter: the line. */
  line?: number;
}

export interface QuoteRow {
  runnerId: RunnerId;
  back: Quote | null;
  lay: Quote | null;
  status: 'ACTIVE' | 'SUSPENDED' | 'BALL_RUNNING' | 'CLOSED';
  /** khado: how many runs the row covers from now on; a new row must say it. */
  width?: number;
}

export type Result =
  /**
   * Runner markets: who filled the places, nobody level. With one place several winners are a dead heat; with several
   * places a dead heat needs ranks, which say who was level with whom.
   */
  | { kind: 'winners'; runnerIds: RunnerId[] }
  /** Runner markets: the finish, 1 the best, equal ranks level; the places at least, others may be left out and lose. */
  | { kind: 'ranks'; ranks: Array<{ runnerId: RunnerId; rank: number }> }
  /** Number markets: session-like kinds, oddEven, khado, meter, cricketCasino. */
  | { kind: 'score'; score: number }
  /** fancy1, tied, completed: whether it happened. */
  | { kind: 'yes'; yes: boolean }
  /** card: how each selection ended; one that is not named is paid back. */
  | { kind: 'cards'; pays: CardPay[]; text: string }
  | { kind: 'tie' }
  | { kind: 'void'; reason: string };

export type CardPay =
  /** HALF: half of the stake comes back; never in a group, where what one wins the others lose in full. */
  | { runnerId: RunnerId; is: 'WIN' | 'LOSE' | 'VOID' | 'HALF' }
  /** Signed profit of a backed stake of 100. */
  | { runnerId: RunnerId; is: 'PAY'; per100: number }
  /** Session selections: yes where the score reaches the bet's line. */
  | { runnerId: RunnerId; is: 'SCORE'; score: number };

export interface MarketView {
  marketId: MarketId;
  eventId: number;
  kind: MarketKind;
  name: string;
  status: MarketStatus;
  inPlay: boolean;
  betDelayMs: number;
  reason: string;
  winners: number;
  commissionBps: number;
  minStakeMinor: number;
  maxStakeMinor: number;
  maxExposureMinor: number;
  version: number;
  resultVersion: number;
  result: Result | null;
  /** LOGIC_VERSION that booked the result: since 2 the bets of an account sum to what it was paid. Absent: 1, or no result. */
  bookedBy?: number;
  runners: Array<RunnerDef & { status: RunnerStatus }>;
  cap?: number;
  rateThan100?: boolean;
  tieRule?: 'VOID' | 'DEAD_HEAT';
  lapseOnSuspend?: boolean;
  removable?: boolean;
}

/**
 * Opaque, JSON-safe. One that was changed is refused; those of snapshot 1 bear no `check`. That of a large market is told with
 * the `count` of its parts and without them: it comes back by market.recall.
 */
export interface MarketSnapshot {
  readonly snapshot: 1 | 2 | 3;
  readonly market: unknown;
  readonly check?: string;
  readonly count?: number;
}
