import { betEnd, type PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { formatMoney } from '../platform/format.ts';
import { say } from '../platform/language.ts';
import { named } from '../platform/named.ts';
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

/** Why the unmatched rest ended, `how` for the code; null while it waits or when there was none. */
export function endOf(bet: Pick<PlacedBet, 'endCode' | 'cancelled' | 'lapsed'>) {
  const end = betEnd(bet);
  return end && { how: end[0], word: say(end[0]), why: end[1] === null ? '' : say(end[1]) };
}

export function stateOf(bet: PlacedBet): BetState {
  const reason = named(bet.deleteReason ?? '');
  if (isDeleted(bet)) return { word: t`Deleted`, tone: 'neg', more: reason };
  if (bet.status === 'PENDING') return { word: t`In its delay`, tone: 'live' };
  const end = endOf(bet);
  const part = end
    ? `${formatMoney(bet.cancelled + bet.lapsed)} ${end.word.toLowerCase()}${end.why && `: ${end.why}`}`
    : reason;
  switch (bet.result) {
    case 'WIN':
      return { word: t`Won`, tone: 'pos', more: part };
    case 'LOSS':
      return { word: t`Lost`, tone: 'neg', more: part };
    case 'TIE':
      return { word: t`Tie`, more: part };
    case 'VOID':
      return end && bet.voided === 0 ? { word: end.word, more: end.why } : { word: t`Void`, more: reason };
    default:
      if (bet.remaining > 0)
        return bet.matched > 0
          ? {
              word: t`Part matched`,
              tone: 'live',
              more: t`${{ part: formatMoney(bet.matched) }} of ${{ whole: formatMoney(bet.amount) }}`,
            }
          : { word: t`Unmatched`, tone: 'live' };
      if (bet.matched > 0) return { word: t`Matched`, more: part };
      return end ? { word: end.word, more: end.why } : { word: t`Void`, more: reason };
  }
}

/** The price as asked, or as matched on average. */
export const oddsOf = (bet: Pick<PlacedBet, 'line' | 'kind'>, odds: number): string =>
  bet.line === null ? priceText(bet.kind, odds) : String(odds);
