/** What goes in. */
import type { Attached, Condition } from './conditionals.ts';
import type { MarketDef, MarketSnapshot, QuoteRow, Result, RunnerDef } from './markets.ts';
import type { GameMove } from './rounds.ts';
import type { AccountId, BetId, MarketId, Persistence, RunnerId, Side } from './terms.ts';

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
   * stakeLimitMinor and wager are the player's own, for bets that the core places itself (conditional orders): the most of one
   * stake, and what may still be staked. Absent: none. Stakes count from `wager.from` on, and what of those is cancelled, lapses
   * or is taken back is free again. `wager.stakes` is the count of stakes that it was reckoned from, checked as the balance is.
   * `wager.asideMinor`: of `leftMinor` this was taken for a bet on its way, which gives it back (`Placed`). Absent: 0.
   * `wager.keepsAside`: whoever sets aside is somebody else, and what is set aside now stays so; `leftMinor` has it still.
   */
  | {
      type: 'account.restrict';
      accountId: AccountId;
      betBlocked: boolean;
      exposureLimitMinor: number;
      lossFloorMinor?: number;
      balanceMinor?: number;
      stakeLimitMinor?: number;
      wager?: { leftMinor: number; from: number; stakes?: number; asideMinor?: number; keepsAside?: true };
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
  | ({
      type: 'order.place';
      betId: BetId;
      accountId: AccountId;
      marketId: MarketId;
      /** The market version the player saw; a material change since then refuses the bet. */
      marketVersion?: number;
    } & PlacedOrder &
      Placed)
  /**
   * Several orders of an account in one market: all are accepted or none is, judged by what they may cost together; then they
   * go in their order. `betId` is the first one's, the others follow it. One that fills too little at once is killed and keeps
   * its number, so that the others stand.
   */
  | ({
      type: 'orders.place';
      betId: BetId;
      accountId: AccountId;
      marketId: MarketId;
      orders: PlacedOrder[];
      marketVersion?: number;
    } & Placed)
  /** A whole bet on a house quote. It must equal the current quote (price, line, box) or is refused. */
  | ({
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
    } & Placed)
  /**
   * Several bets of an account on the quotes of one market of runs: all are entered or none is, judged by what they cost together.
   * They go in their order; one whose quote is another one by now, or leaves too little, is killed and keeps its number, so that
   * the others stand. `betId` is the first one's, the others follow it.
   */
  | ({
      type: 'quotes.take';
      betId: BetId;
      accountId: AccountId;
      marketId: MarketId;
      takes: PlacedTake[];
      marketVersion?: number;
    } & Placed)
  | { type: 'order.cancel'; accountId: AccountId; betId: BetId; byMinor?: number }
  /**
   * Of one runner of a market, of one side, or of all. `units`: after so many bets it begins no further market (each goes whole);
   * absent: all.
   */
  | {
      type: 'order.cancelAll';
      accountId: AccountId;
      marketId?: MarketId;
      runnerId?: RunnerId;
      side?: Side;
      units?: number;
    }
  /** Lower size at the same price keeps the place in the queue; else cancel and place anew under newBetId. */
  | ({
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
    } & Placed)
  | { type: 'order.persistence'; accountId: AccountId; betId: BetId; persistence: Persistence }
  /**
   * Several bets of an account in one market as one (cash out): all whole or none, judged by the exposure they leave together.
   * `betId` is the first one's, the others follow it. Under a delay they wait and go together; one group may wait in a market.
   */
  | ({
      type: 'bets.hedge';
      betId: BetId;
      accountId: AccountId;
      marketId: MarketId;
      /** One a runner. */
      legs: HedgeLeg[];
      /** The account's waiting orders and conditional orders in the market are cancelled with it; they stay when it is refused. */
      cancel: boolean;
      marketVersion?: number;
    } & Placed)
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
   * needs the operator's reason (`force`). `units`: of up to so many bets and accounts all is done at once, larger markets it only begins. Absent: 200.
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
  /**
   * Restores the bets as they stood. Refused while it would leave somebody short, unless forced with a reason; not forced it
   * changes the field itself, whatever the market's size.
   */
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
  /** Exact reversal of the last result. `archived` is given when the market has left memory; one in parts is recalled before. */
  | { type: 'market.undeclare'; marketId: MarketId; archived?: MarketSnapshot; units?: number }
  /** Takes bets out as if never placed; the bets stay visible with the reason. Settled bets are corrected in the ledger. */
  | {
      type: 'bets.void';
      marketId: MarketId;
      betIds: BetId[];
      reason: string;
      archived?: MarketSnapshot;
      /** Of an open market: up to so many bets and accounts it tells itself; of more `work` does. Absent: 200. */
      units?: number;
    }
  /**
   * Begins to bring back a large market that left memory in parts; each part follows as a command of its own, in order from 0.
   * Until the last has come the market is closed and takes nothing. `seal`: over all parts, as `sealed` makes it.
   */
  | { type: 'market.recall'; marketId: MarketId; archived: MarketSnapshot; seal: string }
  | { type: 'market.recallPart'; marketId: MarketId; part: number; text: string }
  /** Drops a closed market from memory; the `archived` event, of a large one after its parts, carries what undeclare needs. */
  | { type: 'market.archive'; marketId: MarketId; units?: number }
  /** A stake in a provider's game (rounds.ts). Refused as a bet is: block, money, loss floor, exposure limit. */
  | ({ type: 'game.debit'; txId: string; amountMinor: number } & GameMove & Placed)
  /** Stake and win in one, for games that end at once: both or neither. */
  | ({
      type: 'game.debitCredit';
      txId: string;
      amountMinor: number;
      creditMinor: number;
      roundClosed: boolean;
    } & GameMove &
      Placed)
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

/** Of a command that places bets. */
interface Placed {
  /**
   * What the account's turnover limit set aside for it is given back with it, before an order that it meets fires: such an order
   * finds what the limit leaves behind this bet.
   */
  takesAside?: true;
}

/** What an order asks for. With what is attached it is one: all of it, or nothing is placed. */
export interface PlacedOrder extends Attached {
  runnerId: RunnerId;
  side: Side;
  price: number;
  sizeMinor: number;
  persistence: Persistence;
  /** Fill or kill: at least this much at once or nothing; equal to sizeMinor for all or nothing. Absent: rest. */
  minFillMinor?: number;
}

/** A bet on a quote with a line. */
export interface PlacedTake {
  runnerId: RunnerId;
  side: Side;
  price: number;
  stakeMinor: number;
  line: number;
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
