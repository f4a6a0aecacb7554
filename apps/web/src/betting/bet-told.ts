import type { PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import type { BetNews, ResultNews } from '../live/live.ts';
import { formatStake, listed } from '../platform/format.ts';
import { eventPath } from '../platform/links.ts';
import { named, namedResult } from '../platform/named.ts';
import { toast } from '../platform/toasts.ts';
import { endOf, isDeleted, oddsOf } from './bet-state.ts';
import { sideWord } from './kinds.ts';
import { paidText } from './paid-text.ts';
import { sideOf } from './positions.ts';

/** So many bets of one kind are told one by one. */
const SINGLE = 2;

interface Told {
  kind: 'matched' | 'lapsed' | 'void' | 'deleted' | 'waiting' | 'reduced';
  text: string;
}

const many = (kind: Told['kind'], count: number): string =>
  ({
    matched: t`${count} of your bets were matched`,
    lapsed: t`${count} of your bets lapsed`,
    void: t`${count} of your bets are void`,
    deleted: t`${count} of your bets were deleted`,
    waiting: t`${count} of your bets wait in the book`,
    reduced: t`${count} of your bets have a reduced price`,
  })[kind];

export function tellBets(all: readonly BetNews[]): void {
  const groups = new Map<Told['kind'], Array<{ told: Told; bet: PlacedBet }>>();
  for (const news of all) {
    const told = wordsOf(news);
    if (told) groups.set(told.kind, [...(groups.get(told.kind) ?? []), { told, bet: news.bet }]);
  }
  for (const [kind, list] of groups) {
    const say = kind === 'matched' ? toast.success : kind === 'deleted' ? toast.error : toast.info;
    if (list.length > SINGLE) say(many(kind, list.length), '/unsettled-bet');
    else for (const { told, bet } of list) say(told.text, pathOf(bet));
  }
}

/** What changed of a bet, the most important of it; null where it is no news. */
function wordsOf({ before, bet }: BetNews): Told | null {
  const was = before ?? { matched: 0, lapsed: 0, cancelled: 0, voided: 0, deleteReason: null, status: 'PENDING' };
  const name = nameOf(bet);
  const asked = t`${name} ${{ stake: formatStake(bet.amount) }} at ${{ price: priceOf(bet, bet.odds) }}`;
  const reason = named(bet.deleteReason ?? '');
  if (isDeleted(bet)) return { kind: 'deleted', text: t`Deleted: ${asked}. ${reason}` };
  if (bet.voided > was.voided)
    return {
      kind: 'void',
      text: t`Void: ${name}, ${{ stake: formatStake(bet.voided) }} back to you. ${reason}`.trim(),
    };
  if (bet.matched > was.matched) {
    const [matched, stake] = [formatStake(bet.matched), formatStake(bet.amount)];
    const price = priceOf(bet, bet.oddsMatched || bet.odds);
    const text =
      bet.remaining > 0
        ? t`Matched: ${name} ${matched} of ${stake} at ${price}`
        : t`Matched: ${name} ${matched} at ${price}`;
    return { kind: 'matched', text };
  }
  if (bet.lapsed + bet.cancelled > was.lapsed + was.cancelled) {
    const end = endOf(bet);
    return { kind: 'lapsed', text: `${end?.word ?? t`Lapsed`}: ${asked}${end?.why ? `, ${end.why}` : ''}` };
  }
  if (reason !== '' && bet.deleteReason !== was.deleteReason) return { kind: 'reduced', text: `${name}: ${reason}` };
  if (was.status === 'PENDING' && bet.status === 'EXECUTABLE') return { kind: 'waiting', text: t`Waiting: ${asked}` };
  return null;
}

export function tellResult({ result, bet }: { result: ResultNews; bet?: PlacedBet | undefined }): void {
  const text = `${listed(named(result.eventName), named(result.marketName))}: ${namedResult(result.resultText)}. ${paidText(result)}`;
  toast.info(text, bet && pathOf(bet));
}

const priceOf = (bet: PlacedBet, odds: number): string => (bet.line === null ? oddsOf(bet, odds) : String(bet.line));

function nameOf(bet: PlacedBet): string {
  const word = sideWord(bet.kind, sideOf(bet)).toLowerCase();
  return `${word} ${bet.betType === 'YES' || bet.betType === 'NO' ? named(bet.bettingName) : named(bet.teamName)}`;
}

const pathOf = (bet: PlacedBet): string =>
  eventPath({ matchType: bet.eventType, id: bet.matchId, beventId: bet.beventId });
