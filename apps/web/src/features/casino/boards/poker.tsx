import type { BoardProps } from '../board.ts';
import { Cards, Hand } from '../hand.tsx';

/** Poker: the players around the five cards they share; flop, turn and river are named as they come. */
export function Board({ info, facts, delayOf, ring }: BoardProps) {
  const shared = info.seats.findIndex((seat) => seat.name === 'Board');
  const players = info.layout.places.filter((place) => place.seat !== shared);
  const cards = facts.hands[shared] ?? [];
  const street = ['Before the flop', '', '', 'Flop', 'Turn', 'River'][cards.length] || 'Flop';
  const half = Math.ceil(players.length / 2);
  const row = (list: typeof players) => (
    <div className="seats__row">
      {list.map(({ seat, slots, spread }) => (
        <Hand
          key={seat}
          name={info.seats[seat]?.name ?? ''}
          hand={facts.hands[seat] ?? []}
          slots={slots}
          spread={players.length > 2 ? 'fan' : spread === 'fan' ? 'row' : spread}
          note={facts.notes[seat] ?? ''}
          won={facts.result?.winners.includes(seat) ?? false}
          delayOf={delayOf}
        />
      ))}
    </div>
  );
  const middle = (
    <section className="pk__b" aria-label={`Board: ${cards.length} of 5 cards`}>
      <Cards hand={cards} slots={5} spread="row" delayOf={delayOf} />
      <span className="seat__h">{street}</span>
    </section>
  );
  if (players.length === 2) {
    return (
      <div className="seats">
        <div className="pk__two">
          {row(players.slice(0, 1))}
          <div className="duel__mid">{ring}</div>
          {row(players.slice(1))}
        </div>
        {middle}
      </div>
    );
  }
  return (
    <div className="seats is-many">
      {row(players.slice(0, half))}
      <div className="pk__mid">
        {ring}
        {middle}
      </div>
      {row(players.slice(half))}
    </div>
  );
}
