import { CONDITIONAL_KINDS, type ConditionalOrder } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { formatOdds, formatStake, formatTime } from '../platform/format.ts';
import { say } from '../platform/language.ts';

/** Orders that the server holds, in words. */

export const heldWords = (kind: ConditionalOrder['kind']): string => say(CONDITIONAL_KINDS[kind]);

/** When it acts: "at 2.18", "3 ticks behind, at 2.30 now". */
export function whenHeld({ kind, trigger, ticks, dueAt, forBet: bet }: ConditionalOrder): string {
  const forBet = bet ?? 0;
  if (kind === 'EXPIRE') {
    const time = formatTime(Date.parse(dueAt ?? ''));
    return dueAt ? t`at ${time}` : t`with its time`;
  }
  const far = plural({ count: ticks ?? 0 }, { one: '# tick', other: '# ticks' });
  if (kind === 'OFFSET') return t`${far} from bet ${forBet}, once it is matched`;
  const at = formatOdds(trigger ?? 0);
  if (kind !== 'TRAIL') return t`at ${at}`;
  return trigger === null ? t`${far} behind` : t`${far} behind, at ${at} now`;
}

/** What it does then: "Lay 12.50 at 2.24 or better". */
export function whatHeld(order: ConditionalOrder): string {
  const { kind, bettingType, odd, level } = order;
  const forBet = order.forBet ?? 0;
  const backs = bettingType === 'BACK';
  const stake = formatStake(order.stake ?? 0);
  if (kind === 'EXPIRE') return t`Cancels what is unmatched of bet ${forBet}`;
  if (kind === 'OFFSET' && level)
    return backs ? t`Backs for the same result whatever wins` : t`Lays for the same result whatever wins`;
  if (kind === 'OFFSET') return backs ? t`Backs what was matched` : t`Lays what was matched`;
  if (odd === null) return backs ? t`Backs ${stake} at the best price` : t`Lays ${stake} at the best price`;
  const price = formatOdds(odd);
  return backs ? t`Backs ${stake} at ${price} or better` : t`Lays ${stake} at ${price} or better`;
}
