import { cardName, PlayingCard } from '../../../ui/playing-card.tsx';
import type { BoardProps } from '../board.ts';
import { suitOf } from '../cards.ts';
import { Winner } from '../hand.tsx';
import { SUIT_PATHS, type SuitLetter } from '../suits.ts';

const SUITS = ['S', 'H', 'C', 'D'] as const satisfies readonly SuitLetter[];
const NAMES = ['spades', 'hearts', 'clubs', 'diamonds'] as const;
const STEPS = 5;

/** Race 20-20: four kings on their tracks; every card of a suit is a step, five steps win. */
export function Board({ facts, delayOf, ring }: BoardProps) {
  const hand = facts.hands[0] ?? [];
  const last = facts.deal.cards.at(-1);
  const steps = SUITS.map((_, suit) => hand.filter(({ code }) => code.endsWith(SUITS[suit]!)));
  return (
    <div className="race">
      <div className="race__top">
        {ring}
        <span className="race__n num">
          <b>{hand.length}</b> {hand.length === 1 ? 'card' : 'cards'}
          <small>{last === undefined ? 'Five of a suit win' : `Last: ${cardName(hand.at(-1)!.code)}`}</small>
        </span>
      </div>
      <ol className="race__t">
        {SUITS.map((letter, suit) => {
          const own = steps[suit]!;
          const won = own.length >= STEPS;
          return (
            <li
              key={letter}
              className={won ? 'lane is-win' : 'lane'}
              aria-label={`King of ${NAMES[suit]}: ${own.length} of ${STEPS} steps${last !== undefined && suitOf(last) === suit ? ', the last card was his' : ''}`}
            >
              <span className="lane__k">
                <PlayingCard card={`K${letter}`} />
              </span>
              {Array.from({ length: STEPS }, (_, at) => {
                const card = own[at];
                const delay = card ? delayOf(card.at) : null;
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: steps of a track, not things
                  <span key={at} className={at === STEPS - 1 ? 'lane__s is-goal' : 'lane__s'}>
                    {card ? (
                      <span
                        className={delay === null ? 'dc' : 'dc is-dealt'}
                        style={delay === null ? undefined : ({ '--d': `${delay}ms` } as object)}
                      >
                        <PlayingCard card={card.code} />
                      </span>
                    ) : (
                      <svg viewBox="0 0 24 24" aria-hidden="true">
                        <path d={SUIT_PATHS[letter]} />
                      </svg>
                    )}
                  </span>
                );
              })}
              {won && <Winner />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
