import type { CardResult } from '@fairgame/contract';
import { SUIT_PATHS } from './suits.ts';

/** a is the first side (blue disc), b the second (red square), t a tie (green); the rest is neutral. */
export type Tone = 'a' | 'b' | 't' | '';

const BY_BADGE: Readonly<Record<string, Readonly<Record<string, Tone>>>> = {
  teenpatti: { A: 'a', B: 'b', T: 't', TIE: 't' },
  poker: { A: 'a', B: 'b', T: 't', TIE: 't' },
  dragonTiger: { D: 'a', T: 'b', TIE: 't' },
  baccarat: { P: 'a', B: 'b', T: 't', TIE: 't' },
  andarBahar: { A: 'a', B: 'b' },
  lucky7: { L: 'a', H: 'b', T: 't', TIE: 't' },
  cricket: { E: 'a', A: 'a', R: 'b', I: 'b', T: 't', TIE: 't' },
  bollywood: { A: 'a', B: 'b', C: 't' },
};
const THREE: Readonly<Record<string, Tone>> = { T: 'a', L: 'b', D: '', TIE: 't' };

/** The colour of a badge of the results strip; letter and shape say the same. */
export function toneOf(code: string, category: string, badge: string): Tone {
  if (code === 'teen9') return THREE[badge] ?? '';
  if (code === 'poker6' || code === '3cardj' || code === 'btable' || code === 'cmatch20' || code === 'ballbyball')
    return '';
  return BY_BADGE[category]?.[badge] ?? '';
}

const SUIT_SIGNS: Readonly<Record<string, keyof typeof SUIT_PATHS>> = { '♠': 'S', '♥': 'H', '♣': 'C', '♦': 'D' };

/** What stands in a badge: a letter, a number, or the suit as a drawing. */
export function BadgeText({ badge }: { badge: string }) {
  const suit = SUIT_SIGNS[badge.charAt(0)];
  if (suit) {
    return (
      <svg viewBox="0 0 24 24" width="14" height="14" aria-hidden="true">
        <path d={SUIT_PATHS[suit]} fill="currentColor" />
      </svg>
    );
  }
  return <>{badge === 'TIE' ? 'T' : badge.slice(0, 3)}</>;
}

export const badgeClass = (tone: Tone, isNew = false): string =>
  `res${tone ? ` res--${tone}` : ''}${isNew ? ' is-new' : ''}`;

/** A result as words, for names of buttons and for screen readers. */
export const resultWords = (result: CardResult): string => `Round ${result.roundNo}: ${result.text || result.badge}`;
