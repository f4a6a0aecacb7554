import { useEffect } from 'react';
import { type BetNews, readNews } from '../live/live.ts';
import { Late } from '../platform/later.tsx';
import { toast } from '../platform/toasts.ts';

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
      const bets = [...waiting.values()];
      waiting.clear();
      withWords(({ tellBets }) => tellBets(bets));
    };
    const stop = readNews((news) => {
      if ('text' in news) toast.info(news.text, news.to);
      else if ('result' in news) withWords(({ tellResult }) => tellResult(news));
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
const words = new Late(() => import('./bet-told.ts'), 'Telling what became of a bet');

/** At once where the words are there. What cannot be told stands in the list of bets. */
function withWords(tell: (told: typeof import('./bet-told.ts')) => void): void {
  if (words.now) tell(words.now);
  else void words.need().then(tell, () => undefined);
}
