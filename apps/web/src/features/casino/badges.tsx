import type { Ending, TableInfo } from '@fairgame/casino';
import type { CardResult } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { cx } from '../../ui/cx.ts';
import { SUIT_PATHS } from './suits.ts';
import { endingWords } from './vocabulary.ts';
import css from './results.module.css';

const SUIT_SIGNS: Readonly<Record<string, keyof typeof SUIT_PATHS>> = { '♠': 'S', '♥': 'H', '♣': 'C', '♦': 'D' };

const TONES = { a: css.a, b: css.b, c: css.c, d: css.d, tie: css.tie, none: null } as const;

/**
 * What happened in a round, in a mark: letter, shape and colour say the same. An ending that is not named one by one (three
 * ranks, so many of eight) is written out on a plate.
 */
export function Badge({
  endings,
  badge,
  isNew = false,
  small = false,
}: {
  endings: readonly Pick<Ending, 'badge' | 'tone'>[];
  badge: string;
  isNew?: boolean;
  small?: boolean;
}) {
  const tone = endings.find((one) => one.badge === badge)?.tone ?? toneOfLetter(badge);
  const suit = SUIT_SIGNS[badge.charAt(0)];
  const red = suit === 'H' || suit === 'D';
  const classes = cx(
    css.result,
    TONES[tone],
    suit && (red ? css.red : css.black),
    badge.length > 3 && css.long,
    small && css.small,
    isNew && 'is-new',
  );
  return (
    <span className={classes} aria-hidden="true">
      {suit ? (
        <svg viewBox="0 0 24 24" width="14" height="14" aria-hidden="true">
          <path d={SUIT_PATHS[suit]} fill="currentColor" />
        </svg>
      ) : (
        (BADGE_WORDS[badge] ?? badge)
      )}
    </span>
  );
}

/** The mark of a round as the way to it, newest of them ringed. */
export function RoundMark({
  info,
  result,
  isNew,
  className,
  onOpen,
}: {
  info: TableInfo;
  result: CardResult;
  isNew: boolean;
  className?: string;
  onOpen: (result: CardResult) => void;
}) {
  const words = t`Round ${{ number: result.roundNo }}: ${{ result: endingWords(result, info.endings) }}`;
  return (
    <button type="button" className={className} aria-label={words} title={words} onClick={() => onOpen(result)}>
      <Badge endings={info.endings} badge={result.badge} isNew={isNew} />
    </button>
  );
}

const BADGE_WORDS: Readonly<Record<string, string>> = { TIE: 'T' };

/** "L 12" is Low by twelve, "H 7" High by seven: the meter has no endings, its leader is the first letter. */
const toneOfLetter = (badge: string): Ending['tone'] =>
  /^L \d/.test(badge) ? 'a' : /^H \d/.test(badge) ? 'b' : 'none';
