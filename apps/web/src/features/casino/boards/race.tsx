import { msg, t } from '@lingui/core/macro';
import { say } from '../../../platform/language.ts';
import { cx } from '../../../ui/cx.ts';
import { PlayingCard } from '../../../ui/playing-card.tsx';
import type { BoardProps } from '../board.ts';
import { suitOf } from '../cards.ts';
import { Card, Winner } from '../hand.tsx';
import { SUIT_PATHS, type SuitLetter } from '../suits.ts';
import racePartsCss from '../../../ui/race-parts.module.css';
import css from './lanes.module.css';

const SUITS = ['S', 'H', 'C', 'D'] as const satisfies readonly SuitLetter[];
const KINGS = [msg`King of spades`, msg`King of hearts`, msg`King of clubs`, msg`King of diamonds`] as const;
const STEPS = 5;

/** Race 20-20: four kings on their tracks; every card of a suit is a step, five steps win. */
export function Board({ facts }: BoardProps) {
  const hand = facts.hands[0] ?? [];
  const last = facts.deal.cards.at(-1);
  const hands = SUITS.map((letter) => hand.filter(({ code }) => code.endsWith(letter)));
  const most = Math.max(...hands.map(({ length }) => length));
  return (
    <ol className={racePartsCss.head}>
      {SUITS.map((letter, suit) => {
        const own = hands[suit]!;
        const won = own.length >= STEPS;
        const king = say(KINGS[suit]!);
        const steps = own.length;
        const place =
          last !== undefined && suitOf(last) === suit
            ? t`${king}: ${steps} of ${STEPS} steps, the last card was his`
            : t`${king}: ${steps} of ${STEPS} steps`;
        return (
          <li
            key={letter}
            className={cx(css.lane, won ? 'is-win' : own.length > 0 && own.length === most && 'is-first')}
            aria-label={won ? `${place}. ${t`Winner`}` : place}
          >
            <span className={css.king}>
              <PlayingCard card={`K${letter}`} />
            </span>
            {Array.from({ length: STEPS }, (_, at) => {
              const card = own[at];
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps of a track, not things
                <span key={at} className={cx(css.step, at === STEPS - 1 && 'is-goal')}>
                  {card ? (
                    <Card card={card} />
                  ) : (
                    <svg viewBox="0 0 24 24" aria-hidden="true">
                      <path d={SUIT_PATHS[letter]} />
                    </svg>
                  )}
                </span>
              );
            })}
            <span className={cx(css.count, 'num')}>{won ? <Winner /> : `${own.length}/${STEPS}`}</span>
          </li>
        );
      })}
    </ol>
  );
}
