/** What comes out: bets, entries of the ledger, what happened to markets. */
import type { ConditionalView } from './conditionals.ts';
import type { MarketSnapshot, MarketView, QuoteRow, Result } from './markets.ts';
import type { HoldView } from './readings.ts';
import type { RefusalCode } from './refusals.ts';
import type { MovementView, RoundView } from './rounds.ts';
import type { AccountId, BetId, MarketId, Persistence, RunnerId, Side } from './terms.ts';

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
  /** The runner that was to come back stays out: somebody would be short by it, and no person wants it all the same. */
  | { type: 'notReinstated'; marketId: MarketId; runnerId: RunnerId }
  | { type: 'undeclared'; marketId: MarketId; eventId: number; resultVersion: number }
  /** Of a large market that leaves memory, in order from 0: to be given back by market.recallPart. */
  | { type: 'archivePart'; marketId: MarketId; part: number; text: string }
  | { type: 'archived'; marketId: MarketId; snapshot: MarketSnapshot };

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
