import { t } from '@lingui/core/macro';
import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import { Cards, Hand } from '../hand.tsx';
import css from './poker.module.css';
import seatsCss from './seats.module.css';

/** Poker: the players around the five cards they share; flop, turn and river are named as they come. */
export function Board({ info, game, facts }: BoardProps) {
  const shared = game.seats.findIndex((seat) => seat.name === 'Board');
  const players = info.layout.places.filter((place) => place.seat !== shared);
  const cards = facts.hands[shared] ?? [];
  const street =
    cards.length === 5
      ? t`River`
      : cards.length === 4
        ? t`Turn`
        : cards.length === 3
          ? t`Flop`
          : t({ message: 'Board', context: 'poker' });
  const seat = ({ seat: index, slots }: (typeof players)[number]) => (
    <Hand
      key={index}
      info={info}
      facts={facts}
      seat={index}
      slots={slots}
      spread="row"
      note={facts.notes[index] ?? ''}
    />
  );
  const half = Math.ceil(players.length / 2);
  return (
    <div className={cx(css.poker, players.length > 2 && 'is-six')}>
      <div className={css.side}>{players.slice(0, half).map(seat)}</div>
      <section className={css.board} aria-label={t`Board: ${{ count: cards.length }} of 5 cards`}>
        <span className={seatsCss.name}>{street}</span>
        <Cards hand={cards} slots={5} spread="row" />
      </section>
      <div className={css.side}>{players.slice(half).map(seat)}</div>
    </div>
  );
}
