import type { PlacedBet } from '@fairgame/contract';
import { formatMoney } from '../platform/format.ts';
import { priceText } from './kinds.ts';

/** What became of a bet, in words: the same in slip, lists, reports and messages. */
export interface BetState {
  word: string;
  tone?: 'pos' | 'neg' | 'live';
  /** Why, or how much of it. */
  more?: string;
}

/** Taken out by the operator with a reason. A reason alone may also tell a reduced price. */
export const isDeleted = (bet: Pick<PlacedBet, 'result'>): boolean => bet.result === 'UNDECLARE';

const ENDED: Readonly<Record<string, { word: string; why: string }>> = {
  CANCELLED: { word: 'Cancelled', why: 'by you' },
  KILLED: { word: 'Not matched', why: 'fill or kill: too little was on offer' },
  SELF_MATCH: { word: 'Not matched', why: 'it would have met your own bet' },
  LAPSED_IN_PLAY: { word: 'Lapsed', why: 'the market turned in-play' },
  LAPSED_SUSPENDED: { word: 'Lapsed', why: 'the market was suspended' },
  LAPSED_CLOSED: { word: 'Lapsed', why: 'the market closed' },
  LAPSED_REMOVAL: { word: 'Lapsed', why: 'a runner was withdrawn' },
  LAPSED_VERSION: { word: 'Lapsed', why: 'the market changed while it waited' },
  LAPSED_PRICE: { word: 'Lapsed', why: 'the price moved while it waited' },
};

/** Why the unmatched rest ended; null while it waits or when there was none. */
export function endOf(bet: Pick<PlacedBet, 'endCode' | 'cancelled' | 'lapsed'>): { word: string; why: string } | null {
  if (bet.cancelled + bet.lapsed === 0) return null;
  return ENDED[bet.endCode ?? ''] ?? { word: bet.lapsed > 0 ? 'Lapsed' : 'Cancelled', why: '' };
}

export function stateOf(bet: PlacedBet): BetState {
  const reason = bet.deleteReason ?? '';
  if (isDeleted(bet)) return { word: 'Deleted', tone: 'neg', more: reason };
  if (bet.status === 'PENDING') return { word: 'In its delay', tone: 'live' };
  const end = endOf(bet);
  const part = end
    ? `${formatMoney(bet.cancelled + bet.lapsed)} ${end.word.toLowerCase()}${end.why && `: ${end.why}`}`
    : reason;
  switch (bet.result) {
    case 'WIN':
      return { word: 'Won', tone: 'pos', more: part };
    case 'LOSS':
      return { word: 'Lost', tone: 'neg', more: part };
    case 'TIE':
      return { word: 'Tie', more: part };
    case 'VOID':
      return end && bet.voided === 0 ? { word: end.word, more: end.why } : { word: 'Void', more: reason };
    default:
      if (bet.remaining > 0)
        return bet.matched > 0
          ? { word: 'Part matched', tone: 'live', more: `${formatMoney(bet.matched)} of ${formatMoney(bet.amount)}` }
          : { word: 'Unmatched', tone: 'live' };
      if (bet.matched > 0) return { word: 'Matched', more: part };
      return end ? { word: end.word, more: end.why } : { word: 'Void', more: reason };
  }
}

/** The price as asked, or as matched on average. */
export const oddsOf = (bet: Pick<PlacedBet, 'line' | 'kind'>, odds: number): string =>
  bet.line === null ? priceText(bet.kind, odds) : String(odds);
