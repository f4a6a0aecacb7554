import type { PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { type BetNews, type ResultNews, readNews } from '../live/live.ts';
import { formatMoney, formatSigned, formatStake } from '../platform/format.ts';
import { eventPath } from '../platform/links.ts';
import { named, namedResult } from '../platform/named.ts';
import { toast } from '../platform/toasts.ts';
import { endOf, isDeleted, oddsOf } from './bet-state.ts';
import { sideWord } from './kinds.ts';
import { sideOf } from './positions.ts';

/**
 * Tells the player what others did to his bets: fills, lapses, deletions, results, in figures and with the way to the event.
 * A bet that is met in many pieces is told once for a moment of them; many bets of one kind are told in one line.
 */
export function useBetNews(): void {
  useEffect(() => {
    const waiting = new Map<number, BetNews>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      timer = undefined;
      tellBets([...waiting.values()]);
      waiting.clear();
    };
    const stop = readNews((news) => {
      if ('text' in news) toast.info(news.text, news.to);
      else if ('result' in news) toast.info(resultText(news.result), news.bet && pathOf(news.bet));
      else {
        for (const one of news.bets)
          waiting.set(one.bet.id, { before: waiting.get(one.bet.id)?.before ?? one.before, bet: one.bet });
        timer ??= setTimeout(tell, TOGETHER_MS);
      }
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
}

const TOGETHER_MS = 400;
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

function tellBets(all: readonly BetNews[]): void {
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
export function wordsOf({ before, bet }: BetNews): Told | null {
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

/** "You won +110.74 (113.00 less 2.26 commission)". */
export function paidText({ grossMinor, commissionMinor }: { grossMinor: number; commissionMinor: number }): string {
  const net = grossMinor - commissionMinor;
  if (net === 0) return t`Your stake came back`;
  const result = formatSigned(net);
  const [gross, less] = [formatMoney(grossMinor), formatMoney(commissionMinor)];
  if (net < 0)
    return commissionMinor > 0 ? t`You lost ${result} (${gross} less ${less} commission)` : t`You lost ${result}`;
  return commissionMinor > 0 ? t`You won ${result} (${gross} less ${less} commission)` : t`You won ${result}`;
}

const resultText = (news: ResultNews): string =>
  `${news.eventName}, ${named(news.marketName)}: ${namedResult(news.resultText)}. ${paidText(news)}`;

const priceOf = (bet: PlacedBet, odds: number): string => (bet.line === null ? oddsOf(bet, odds) : String(bet.line));

function nameOf(bet: PlacedBet): string {
  const word = sideWord(bet.kind, sideOf(bet)).toLowerCase();
  return `${word} ${bet.betType === 'YES' || bet.betType === 'NO' ? named(bet.bettingName) : named(bet.teamName)}`;
}

const pathOf = (bet: PlacedBet): string =>
  eventPath({ matchType: bet.eventType, id: bet.matchId, beventId: bet.beventId });
