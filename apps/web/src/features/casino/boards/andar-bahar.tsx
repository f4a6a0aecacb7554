import { plural, t } from '@lingui/core/macro';
import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import { rankName, rankOf } from '../cards.ts';
import { Cards, Winner } from '../hand.tsx';
import css from './andar-bahar.module.css';
import lucky7Css from './lucky7.module.css';
import seatsCss from './seats.module.css';

/** Andar Bahar: two rows that grow card by card; with a joker they wait for its rank, without one each rank goes to its side. */
export function Board({ info, game, facts }: BoardProps) {
  const joker = game.seats.findIndex((seat) => seat.name === 'Joker');
  const sides = info.layout.places.filter(({ seat }) => seat !== joker);
  const first = firstSides(facts.deal);
  return (
    <div className={cx(css.board, joker >= 0 && 'has-joker')}>
      {joker >= 0 && (
        <section className={css.joker} aria-label={t`Joker`}>
          <span className={seatsCss.name}>{t`Joker`}</span>
          <Cards hand={facts.hands[joker] ?? []} slots={1} spread="row" />
        </section>
      )}
      <div className={css.rows}>
        {sides.map(({ seat }) => {
          const won = facts.result?.winners.includes(seat) ?? false;
          const hand = facts.hands[seat] ?? [];
          const { name } = info.seats[seat]!;
          const cards = t`${name}: ${plural({ count: hand.length }, { one: '# card', other: '# cards' })}`;
          return (
            <section
              key={seat}
              className={cx(css.side, won && 'is-win')}
              aria-label={won ? `${cards}. ${t`Winner`}` : cards}
            >
              <span className={css.name}>
                {won ? <Winner name={name} /> : <b>{name}</b>}
                <span className="num">{hand.length}</span>
              </span>
              <Cards hand={hand} slots={1} spread="pile" />
              {joker < 0 && <RanksOf name={name} seat={seat} first={first} />}
            </section>
          );
        })}
      </div>
    </div>
  );
}

/** The ranks that came to a side first. */
function RanksOf({ name, seat, first }: { name: string; seat: number; first: ReadonlyMap<number, number> }) {
  const ranks = [...first].flatMap(([rank, on]) => (on === seat ? rankName(rank) : [])).join(', ');
  return (
    <span
      className={cx(lucky7Css.ranks, 'num')}
      role="img"
      aria-label={ranks === '' ? t`Ranks of ${name}: none yet` : t`Ranks of ${name}: ${ranks}`}
    >
      {Array.from({ length: 13 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the thirteen ranks
        <i key={at} className={first.get(at + 1) === seat ? 'is-in' : first.has(at + 1) ? 'is-off' : undefined}>
          {rankName(at + 1)}
        </i>
      ))}
    </span>
  );
}

/** The side on which each rank came first. */
function firstSides(deal: BoardProps['facts']['deal']): Map<number, number> {
  const sides = new Map<number, number>();
  deal.cards.forEach((card, at) => {
    const rank = rankOf(card);
    if (!sides.has(rank)) sides.set(rank, deal.seats[at]!);
  });
  return sides;
}
