/** Orders that wait for something. */
import type { RefusalCode } from './refusals.ts';
import type { AccountId, BetId, MarketId, Persistence, RunnerId, Side } from './terms.ts';

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

/**
 * What an order brings with it: conditional orders of its own, made in the command that places it. Of an order that is at its
 * end at once only the offset of what was matched is made.
 */
export interface Attached {
  offset?: { ticks: number; level: boolean; persistence: Persistence };
  /** EXPIRE, in milliseconds. */
  expireMs?: number;
}

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
