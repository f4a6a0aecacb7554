/**
 * The vocabulary of the betting core: what goes in (commands), what comes out (events), what a market is.
 * Everything here is a plain serialisable value, so that a command log can be stored, sent and replayed.
 *
 * Units: money `...Minor` is 1/100 of the currency; `price` is odds in hundredths, or a whole rate per 100 where the
 * market's kind says so; `...E4` is 1/10 000 of the currency; times are milliseconds since 1970 (UTC).
 */

export type AccountId = number;
export type MarketId = number;
export type RunnerId = number;
export type BetId = number;
export type Side = 'BACK' | 'LAY';

/** Accounts of the site itself. Player accounts start at 100. */
export const HOUSE: AccountId = 1;
export const CASH: AccountId = 2;
export const COMMISSION: AccountId = 3;
export const ROUNDING: AccountId = 4;
export const FIRST_PLAYER: AccountId = 100;

// ---------------------------------------------------------------------------------------------------- markets

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

// ---------------------------------------------------------------------------------------------------- commands

export type Persistence = 'LAPSE' | 'PERSIST';

export type Command =
  | { type: 'account.open'; accountId: AccountId; currency: string; kind: 'player' | 'system' }
  /** An account without money, bets and rounds in memory leaves it for good; its number is not given out again. */
  | { type: 'account.close'; accountId: AccountId }
  /** Signed amount into (positive) or out of an account, against CASH. Refused when available money would go below 0. */
  | {
      type: 'account.transfer';
      accountId: AccountId;
      amountMinor: number;
      reason: 'deposit' | 'withdrawal' | 'correction' | 'creditReference';
      text: string;
    }
  /**
   * A restriction refuses every new risk; cancels and settlement go on. exposureLimitMinor 0 means none.
   * lossFloorMinor: no new risk may take available money below it (a loss limit, seen from the money that is left); it
   * moves with deposits and withdrawals, so that only play counts. Absent: none. The whole restriction is replaced.
   * balanceMinor: what the floor was reckoned from; with another balance by now the command is refused (BALANCE_MOVED).
   */
  | {
      type: 'account.restrict';
      accountId: AccountId;
      betBlocked: boolean;
      exposureLimitMinor: number;
      lossFloorMinor?: number;
      balanceMinor?: number;
    }
  | { type: 'market.create'; market: MarketDef }
  /** Only the named fields change. Turning in-play lapses LAPSE orders; leaving OPEN is a barrier for matching. */
  | {
      type: 'market.state';
      marketId: MarketId;
      status?: 'INACTIVE' | 'OPEN' | 'SUSPENDED';
      inPlay?: boolean;
      betDelayMs?: number;
      reason?: string;
      /** Unmatched orders lapse with this command (after an outage); the house's leave the book. */
      lapse?: boolean;
      runners?: Array<{ runnerId: RunnerId; status: 'ACTIVE' | 'SUSPENDED' | 'BALL_RUNNING' }>;
      /** How many bets may lapse at once; of more, `work` goes on with the rest. Absent: 200. */
      units?: number;
      limits?: { minStakeMinor: number; maxStakeMinor: number };
    }
  /**
   * The house's whole desired ladder for the named runners of a book market; the difference to what it has resting is
   * placed and cancelled. `backable` is what players can back (house lays), `layable` what they can lay (house backs).
   * Pairs of [price, sizeMinor]. A level that would cross a player's order is matched against it at the player's price.
   */
  | {
      type: 'house.book';
      marketId: MarketId;
      runners: Array<{ runnerId: RunnerId; backable: Array<[number, number]>; layable: Array<[number, number]> }>;
    }
  /**
   * The named rows of a house-quoted market, each replaced whole; rows not named stay. Unknown rows are added where the
   * outcomes are not fixed by the definition, with the bounds given for them (card).
   */
  | {
      type: 'house.quotes';
      marketId: MarketId;
      rows: QuoteRow[];
      names?: Record<RunnerId, string>;
      bounds?: Record<RunnerId, Pick<RunnerDef, 'payMax' | 'payMin'>>;
    }
  /** What the house may lose at worst in a market and over the markets of an event; 0 for no bound. */
  | { type: 'house.limits'; marketMinor: number; eventMinor: number }
  /** betId must be greater than every earlier one; a lower or equal one is refused as DUPLICATE_BET. */
  | {
      type: 'order.place';
      betId: BetId;
      accountId: AccountId;
      marketId: MarketId;
      runnerId: RunnerId;
      side: Side;
      price: number;
      sizeMinor: number;
      persistence: Persistence;
      /** Fill or kill: at least this much at once or nothing; equal to sizeMinor for all or nothing. Absent: rest. */
      minFillMinor?: number;
      /** The market version the player saw; a material change since then refuses the bet. */
      marketVersion?: number;
    }
  /**
   * Several orders of an account in one market: all are accepted or none is, judged by what they may cost together; then they
   * go in their order. `betId` is the first one's, the others follow it. One that fills too little at once is killed and keeps
   * its number, so that the others stand.
   */
  | {
      type: 'orders.place';
      betId: BetId;
      accountId: AccountId;
      marketId: MarketId;
      orders: PlacedOrder[];
      marketVersion?: number;
    }
  /** A whole bet on a house quote. It must equal the current quote (price, line, box) or is refused. */
  | {
      type: 'quote.take';
      betId: BetId;
      accountId: AccountId;
      marketId: MarketId;
      runnerId: RunnerId;
      side: Side;
      price: number;
      stakeMinor: number;
      line?: number;
      /** bookmaker: 0, 1 or 2, best box first. */
      box?: number;
      marketVersion?: number;
    }
  | { type: 'order.cancel'; accountId: AccountId; betId: BetId; byMinor?: number }
  /** `units`: after so many bets it begins no further market (each goes whole); absent: all. */
  | { type: 'order.cancelAll'; accountId: AccountId; marketId?: MarketId; units?: number }
  /** Lower size at the same price keeps the place in the queue; else cancel and place anew under newBetId. */
  | {
      type: 'order.replace';
      accountId: AccountId;
      betId: BetId;
      newBetId: BetId;
      price: number;
      /** New remaining size. */
      sizeMinor: number;
      /** What was left of the bet when this was asked for; refused as BET_CHANGED where it is not any more. */
      remainingMinor?: number;
      /** Absent: as it was. */
      persistence?: Persistence;
      marketVersion?: number;
    }
  | { type: 'order.persistence'; accountId: AccountId; betId: BetId; persistence: Persistence }
  /**
   * Several bets of an account in one market as one (cash out): all whole or none, judged by the exposure they leave together.
   * `betId` is the first one's, the others follow it. Under a delay they wait and go together; one group may wait in a market.
   */
  | {
      type: 'bets.hedge';
      betId: BetId;
      accountId: AccountId;
      marketId: MarketId;
      /** One a runner. */
      legs: HedgeLeg[];
      /** The account's waiting orders and conditional orders in the market are cancelled with it; they stay when it is refused. */
      cancel: boolean;
      marketVersion?: number;
    }
  /**
   * An order that waits for what meets it and then is placed by the core itself, inside the command that met it
   * (conditionals.ts). It reserves nothing; money and limits are those of the moment it fires.
   * `link`: another of the account in the market; what of such a group fires first ends the others.
   */
  | ({ type: 'conditional.make'; accountId: AccountId; marketId: MarketId; link?: number } & Condition)
  /** One, those of a market, or all of the account. */
  | { type: 'conditional.cancel'; accountId: AccountId; conditionalId?: number; marketId?: MarketId }
  /**
   * Goes on with pending work, the oldest where no market is named: up to so many units (a bet or an account is one), one
   * account at least.
   */
  | { type: 'work'; units: number; marketId?: MarketId }
  /** Lets delayed bets that are due by `now` go on. */
  | { type: 'clock' }
  /**
   * `factors` are those of the runners that stay, rescaled. Markets that are not `removable` never reserved for it: there it
   * needs the operator's reason (`force`). `units`: up to so many bets and accounts it tells itself; of more `work` does. Absent: 200.
   */
  | {
      type: 'runner.remove';
      marketId: MarketId;
      runnerId: RunnerId;
      factor: number;
      factors?: Array<{ runnerId: RunnerId; factor: number }>;
      force?: string;
      units?: number;
    }
  /** Restores the bets as they stood. Refused while it would leave somebody short, unless forced with a reason. */
  | {
      type: 'runner.reinstate';
      marketId: MarketId;
      runnerId: RunnerId;
      factor: number;
      factors?: Array<{ runnerId: RunnerId; factor: number }>;
      force?: string;
      units?: number;
    }
  /** Pays out what is held back for what the account owes (in one market, or in all): the site takes that risk. */
  | { type: 'hold.release'; accountId: AccountId; marketId?: MarketId; reason: string }
  /** The site covers what a short account lacks, or part of it. */
  | { type: 'debt.writeOff'; accountId: AccountId; amountMinor: number; reason: string }
  /** `units`: as in `work`; what is larger is only begun. Absent: up to 200 bets and accounts. */
  | { type: 'market.declare'; marketId: MarketId; result: Result; units?: number }
  /** Exact reversal of the last result. `archived` is given when the market has left memory. */
  | { type: 'market.undeclare'; marketId: MarketId; archived?: MarketSnapshot; units?: number }
  /** Takes bets out as if never placed; the bets stay visible with the reason. Settled bets are corrected in the ledger. */
  | {
      type: 'bets.void';
      marketId: MarketId;
      betIds: BetId[];
      reason: string;
      archived?: MarketSnapshot;
      /** Of an open market, as in runner.remove. */
      units?: number;
    }
  /** Drops a closed market from memory; the `archived` event, of a large one after its parts, carries what undeclare needs. */
  | { type: 'market.archive'; marketId: MarketId; units?: number }
  /** A stake in a provider's game (rounds.ts). Refused as a bet is: block, money, loss floor, exposure limit. */
  | ({ type: 'game.debit'; txId: string; amountMinor: number } & GameMove)
  /** Stake and win in one, for games that end at once: both or neither. */
  | ({
      type: 'game.debitCredit';
      txId: string;
      amountMinor: number;
      creditMinor: number;
      roundClosed: boolean;
    } & GameMove)
  /** A win, of the bet `refTx` or of the whole round; 0 settles a lost bet. Taken whatever the state of the account. */
  | ({ type: 'game.credit'; txId: string; amountMinor: number; refTx?: string; roundClosed: boolean } & GameMove)
  /** Takes the bet `refTx` back as if never placed. Taken whatever the state of the account. */
  | ({ type: 'game.rollback'; txId: string; refTx: string } & GameMove)
  /** Money without a bet: jackpot, free rounds. */
  | ({ type: 'game.promo'; txId: string; amountMinor: number; reason: string } & GameMove)
  /** Ends a round; bets still open are lost. */
  | ({ type: 'game.end' } & GameMove)
  /** Rounds that ended by `before` leave memory. */
  | { type: 'game.forget'; before: number }
  /** Money leaves for another pool, under the next number of the account's transfers to it (purses.ts). A repeat changes nothing. */
  | { type: 'purse.reserve'; accountId: AccountId; pool: string; transfer: number; amountMinor: number }
  /** What was reserved for this pool in `pool` comes, to an account that is opened where there is none. A repeat changes nothing. */
  | { type: 'purse.open'; accountId: AccountId; pool: string; transfer: number; amountMinor: number; currency: string }
  /** What left for `pool` has come. */
  | { type: 'purse.done'; accountId: AccountId; pool: string; transfer: number };

/** What every movement of a provider's game says. One player, one round; a shared round is one of these for each player. */
export interface GameMove {
  provider: string;
  /** The provider's own number of the round. */
  roundId: string;
  accountId: AccountId;
  game: string;
  /** Must be the account's. */
  currency: string;
  /** Provider and game by name, for the statement. */
  label: string;
  /** The round as it stood when it left memory; put in by the writer. */
  archived?: RoundView;
}

/** One of several orders; see order.place. */
export interface PlacedOrder {
  runnerId: RunnerId;
  side: Side;
  price: number;
  sizeMinor: number;
  persistence: Persistence;
  minFillMinor?: number;
}

/** book: filled at `price` or better. bookmaker: taken at `price` from its box. */
export interface HedgeLeg {
  runnerId: RunnerId;
  side: Side;
  price: number;
  sizeMinor: number;
  box?: number;
}

export type CommandType = Command['type'];

/**
 * What a conditional order waits for, and the bet it is then.
 *
 * STOP and PROFIT look at the best price that is on offer to the bet: a lay with STOP fires at `trigger` or above, with
 * PROFIT at it or below; a back the other way round. TRAIL fires so many ticks behind the best price seen since it was made;
 * its bet may be matched `slip` ticks behind the price of that moment. OFFSET is for what of an own bet was matched once
 * nothing of it is left: the other side, so many ticks from its price; `level` chooses the stake that brings the same
 * whatever wins. EXPIRE kills what is left of an own bet after so long. With LAPSE it ends when the market turns in-play.
 */
export type Condition =
  | {
      kind: 'STOP' | 'PROFIT';
      runnerId: RunnerId;
      side: Side;
      trigger: number;
      price: number;
      sizeMinor: number;
      persistence: Persistence;
    }
  | {
      kind: 'TRAIL';
      runnerId: RunnerId;
      side: Side;
      ticks: number;
      slip: number;
      sizeMinor: number;
      persistence: Persistence;
    }
  | { kind: 'OFFSET'; betId: BetId; ticks: number; level: boolean; persistence: Persistence }
  | { kind: 'EXPIRE'; betId: BetId; afterMs: number };

export type ConditionalKind = Condition['kind'];

/** Why a conditional order is over without having fired. */
export type ConditionalEnd =
  | 'CANCELLED'
  /** Another of its group fired. */
  | 'OTHER_FIRED'
  | 'LAPSED_IN_PLAY'
  | 'MARKET_CLOSED'
  /** A runner left or came back: prices mean something else now. */
  | 'FIELD_CHANGED'
  /** The bet it waited for is over. */
  | 'BET_ENDED'
  | 'ACCOUNT_BLOCKED';

/** A conditional order as its owner sees it. */
export interface ConditionalView {
  conditionalId: number;
  accountId: AccountId;
  marketId: MarketId;
  runnerId: RunnerId;
  kind: ConditionalKind;
  /** Of the bet to come; EXPIRE: of the bet it ends. */
  side: Side;
  trigger?: number;
  price?: number;
  ticks?: number;
  slip?: number;
  sizeMinor?: number;
  level?: boolean;
  persistence: Persistence;
  /** OFFSET, EXPIRE: the bet it waits for. */
  forBetId?: BetId;
  dueAt?: number;
  link: number;
  madeAt: number;
  status: 'WAITING' | 'FIRED' | 'FAILED' | 'ENDED';
  /** FIRED: the bet it became; EXPIRE has none. */
  betId?: BetId;
  /** FAILED: why the account could not place the bet. */
  code?: RefusalCode;
  endCode?: ConditionalEnd;
}

// ---------------------------------------------------------------------------------------------------- events

export type RefusalCode =
  /** Not shaped as its type says. */
  | 'BAD_INPUT'
  | 'ACCOUNT_UNKNOWN'
  | 'ACCOUNT_EXISTS'
  | 'ACCOUNT_BLOCKED'
  | 'ACCOUNT_IN_USE'
  | 'AMOUNT_INVALID'
  | 'BALANCE_MOVED'
  | 'INSUFFICIENT_FUNDS'
  | 'EXPOSURE_LIMIT'
  | 'LOSS_LIMIT'
  | 'MARKET_EXPOSURE_LIMIT'
  | 'BET_LIMIT'
  /** The house would stand to lose more than it may. */
  | 'HOUSE_LIMIT'
  | 'MARKET_UNKNOWN'
  | 'MARKET_EXISTS'
  | 'MARKET_INVALID'
  | 'MARKET_SUSPENDED'
  | 'MARKET_CLOSED'
  /** Its result is being booked or taken back. */
  | 'MARKET_SETTLING'
  | 'MARKET_VERSION'
  | 'RUNNER_UNKNOWN'
  | 'RUNNER_REMOVED'
  | 'RUNNER_SUSPENDED'
  | 'PRICE_INVALID'
  | 'PRICE_CHANGED'
  | 'LINE_CHANGED'
  | 'STAKE_INVALID'
  | 'STAKE_TOO_SMALL'
  | 'STAKE_TOO_LARGE'
  /** Rounding would change what the bet wins or risks by more than a fifth. */
  | 'PROFIT_RATIO'
  | 'NOT_FILLED'
  /** Another group of bets of the account waits for its delay in this market. */
  | 'HEDGE_WAITING'
  | 'DUPLICATE_BET'
  | 'BET_UNKNOWN'
  | 'BET_NOT_OPEN'
  /** Part of it was matched or ended since it was looked at. */
  | 'BET_CHANGED'
  | 'CONDITIONAL_UNKNOWN'
  /** So many conditional orders wait already, of the account, in the market or for the bet. */
  | 'CONDITIONAL_LIMIT'
  /** The price is where it would fire at once. */
  | 'CONDITION_MET'
  | 'RESULT_INVALID'
  | 'NOT_DECLARED'
  | 'NOTHING_HELD'
  | 'WRONG_KIND'
  | 'WRONG_CURRENCY'
  | 'WRONG_GAME'
  | 'ROUND_CLOSED'
  | 'BET_SETTLED'
  | 'BET_ROLLED_BACK';

/** Why the rest of an order left the book. */
export type EndCode =
  | 'CANCELLED'
  | 'LAPSED_IN_PLAY'
  | 'LAPSED_SUSPENDED'
  | 'LAPSED_CLOSED'
  | 'LAPSED_REMOVAL'
  | 'LAPSED_VERSION'
  | 'LAPSED_PRICE'
  | 'KILLED'
  | 'SELF_MATCH'
  | 'VOIDED';

export type BetStatus = 'PENDING' | 'EXECUTABLE' | 'COMPLETE';
/** UNDECLARE: taken out by the operator with a reason (the specification's word); open bets are PENDING or UNDECLARE. */
export type BetResult = 'PENDING' | 'WIN' | 'LOSS' | 'TIE' | 'VOID' | 'UNDECLARE';

/** A bet as every reader sees it. size = matched + remaining + cancelled + lapsed + voided, always. */
export interface Bet {
  betId: BetId;
  accountId: AccountId;
  marketId: MarketId;
  runnerId: RunnerId;
  kind: 'order' | 'quote';
  side: Side;
  /** The asked price; fills may be better. A kept lay moves down when a runner is removed. */
  price: number;
  /** The price first asked, where it has moved since. */
  firstPrice?: number;
  /** Stake-weighted sum of fill prices (price x size); average = this / matchedMinor. 0 while nothing is matched. */
  matchedSum: number;
  sizeMinor: number;
  matchedMinor: number;
  remainingMinor: number;
  cancelledMinor: number;
  lapsedMinor: number;
  voidedMinor: number;
  persistence: Persistence;
  status: BetStatus;
  /** In-play bets wait until here; 0 when not waiting. */
  dueAt: number;
  placedAt: number;
  line?: number;
  box?: number;
  /** khado: how many runs the row covered when the bet was placed. */
  width?: number;
  /** quote bets: the amounts fixed at placing. */
  winMinor?: number;
  lossMinor?: number;
  endCode?: EndCode;
  /** The reason the operator gave, or the reduction told ("8.00 to 6.00, non-runner"). */
  reason?: string;
  result: BetResult;
  /** Net of the matched part after the result, before commission; 0 until then. */
  profitMinor: number;
  /** Rises with every change of the bet. */
  version: number;
}

export interface LedgerEntry {
  /**
   * `a{accountId}`, the clearing account of a market, `m{marketId}`, of a provider's round, `round:{provider}:{round}`, or
   * what a provider's games made, `ggr:{provider}`, or what another pool has of this one's money, `pool:{pool}`.
   */
  account: string;
  amountMinor: number;
}

export type LedgerKind =
  | 'deposit'
  | 'withdrawal'
  | 'correction'
  | 'creditReference'
  | 'settle'
  | 'commission'
  | 'reverse'
  | 'void'
  | 'writeOff'
  | 'roundStake'
  | 'roundWin'
  | 'roundRefund'
  | 'roundPromo'
  | 'roundEnd'
  | 'purse';

export type Event =
  /** The command had no effect. `field` names the input at fault where there is one. */
  | {
      type: 'refused';
      code: RefusalCode;
      field?: string;
      current?: { price?: number; line?: number; version?: number; remainingMinor?: number; sizeMinor?: number };
    }
  | { type: 'account'; accountId: AccountId; currency: string; betBlocked: boolean; exposureLimitMinor: number }
  | { type: 'accountClosed'; accountId: AccountId }
  | { type: 'bet'; bet: Bet }
  /** Made, fired, failed or over. */
  | { type: 'conditional'; conditional: ConditionalView }
  | {
      type: 'fill';
      fillId: number;
      marketId: MarketId;
      runnerId: RunnerId;
      price: number;
      sizeMinor: number;
      backBetId: BetId;
      layBetId: BetId;
      backAccountId: AccountId;
      layAccountId: AccountId;
      taker: Side;
    }
  /** New totals of the levels a command changed: [side of the waiting orders, price, sizeMinor]. House fills use betId 0. */
  | {
      type: 'book';
      marketId: MarketId;
      runnerId: RunnerId;
      levels: Array<[Side, number, number]>;
      lastPrice: number;
      tradedMinor: number;
    }
  /** Rows as they stand now: told by the house, or drawn on by a bet. */
  | { type: 'quotes'; marketId: MarketId; rows: QuoteRow[]; names?: Record<RunnerId, string> }
  | { type: 'market'; market: MarketView; reason?: string }
  | {
      type: 'wallet';
      accountId: AccountId;
      balanceMinor: number;
      exposureMinor: number;
      heldMinor: number;
      version: number;
    }
  /** What is held back of an account's winnings changed; 0 is released. */
  | { type: 'hold'; hold: HoldView }
  | {
      type: 'ledger';
      kind: LedgerKind;
      /** Players read it in their statement. */
      text: string;
      marketId?: MarketId;
      resultVersion?: number;
      /** Of a provider's game. */
      round?: { provider: string; roundId: string; game: string };
      /** Sums to zero. */
      entries: LedgerEntry[];
    }
  /** A provider's movement was taken. */
  | { type: 'movement'; movement: MovementView }
  /** The new state of a provider's round. */
  | { type: 'round'; round: RoundView }
  /** Money went to another pool or came from it, or is known to have come there. */
  | { type: 'purse'; purse: PurseView }
  | { type: 'settled'; marketId: MarketId; eventId: number; result: Result; resultVersion: number }
  | { type: 'undeclared'; marketId: MarketId; eventId: number; resultVersion: number }
  /** Of a large market that leaves memory, in order from 0: to be given back as one of the `parts` of its snapshot. */
  | { type: 'archivePart'; marketId: MarketId; part: number; text: string }
  | { type: 'archived'; marketId: MarketId; snapshot: MarketSnapshot };

/** Bets of a round: transaction id, stake, and what became of it. */
export type RoundBet = [txId: string, amountMinor: number, state: 'OPEN' | 'SETTLED' | 'ROLLED_BACK'];

/** One player's part of one round of a provider's game. */
export interface RoundView {
  provider: string;
  roundId: string;
  accountId: AccountId;
  game: string;
  label: string;
  /** REFUNDED: every stake was taken back, so it may begin anew; SETTLED: over for good, though a late win is still paid. */
  status: 'OPEN' | 'SETTLED' | 'REFUNDED';
  stakedMinor: number;
  paidMinor: number;
  refundedMinor: number;
  bets: RoundBet[];
  openedAt: number;
  /** 0 while it is open. */
  closedAt: number;
  /** Rises with every change, from 1. */
  version: number;
}

/** What an account has had to do with one other pool. */
export interface PurseView {
  accountId: AccountId;
  pool: string;
  /** Numbers of the last transfers there and from there; 0 for none. */
  sent: number;
  received: number;
  /** What left for it and is not known to have come. */
  waitingMinor: number;
  /** What came from it less what left for it. */
  netMinor: number;
}

export interface MovementView {
  provider: string;
  txId: string;
  kind: 'debit' | 'debitCredit' | 'credit' | 'rollback' | 'promo';
  accountId: AccountId;
  roundId: string;
  game: string;
  /** What left the account. */
  amountMinor: number;
  /** What came to it. */
  creditMinor: number;
  refTx?: string;
  /** False: taken, but there was nothing left to do (a bet rolled back before). */
  effect: boolean;
}

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
 * the `count` of its parts and without them; whoever gives it back puts them in, in their order.
 */
export interface MarketSnapshot {
  readonly snapshot: 1 | 2 | 3;
  readonly market: unknown;
  readonly check?: string;
  readonly count?: number;
  readonly parts?: readonly string[];
}

// ---------------------------------------------------------------------------------------------------- readings

export interface Wallet {
  balanceMinor: number;
  /** Sum of the worst cases over markets, not negative. */
  exposureMinor: number;
  /** Winnings that are held back until somebody else has covered what he owes; neither for bets nor withdrawable. */
  heldMinor: number;
  /** balance - exposure - held. Negative: the account is short and may only lower its risk. */
  availableMinor: number;
}

/** What is held back of `creditorId`'s winnings in a market, because `debtorId` lost it there without money for it. */
export interface HoldView {
  marketId: MarketId;
  debtorId: AccountId;
  creditorId: AccountId;
  amountMinor: number;
}

export type WorkType =
  | 'market.declare'
  | 'market.undeclare'
  | 'market.state'
  | 'runner.remove'
  | 'runner.reinstate'
  | 'bets.void'
  | 'market.archive';

/** What a command began and `work` has to go on with, and how many units that takes at most. */
export interface PendingWork {
  type: WorkType;
  marketId: MarketId;
  unitsAtMost: number;
}

/** An account that is short: in which markets others' acts made it so, what it lacks and what it owes. */
export interface ShortView {
  accountId: AccountId;
  marketIds: MarketId[];
  lackingMinor: number;
  owedMinor: number;
}

/** An account's standing in one market; what the screens show under each runner. */
export interface Position {
  marketId: MarketId;
  exposureMinor: number;
  /** Runner markets: result if this runner wins or loses, matched bets only, in minor units (rounded). One winner: `net` is the full result. */
  runners?: Array<{ runnerId: RunnerId; winMinor: number; loseMinor: number; netMinor: number }>;
  /** Number markets: one row a run (or digit, or 0 odd / 1 even kept as {run: 0|1}), see runs.ts. */
  runs?: Array<{ run: number; profitMinor: number }>;
  betCount: number;
}
