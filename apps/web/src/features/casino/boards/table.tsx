import type { BoardProps } from '../board.ts';
import { Hand } from '../hand.tsx';

/** The plain table: two seats with the countdown between them, or rows of seats below it. */
export function Board({ info, facts, delayOf, ring }: BoardProps) {
  const { places } = info.layout;
  const seat = ({ seat: index, slots, spread }: (typeof places)[number]) => (
    <Hand
      key={index}
      name={info.seats[index]?.name ?? ''}
      hand={facts.hands[index] ?? []}
      slots={slots}
      spread={spread}
      {...(info.family === 'baccarat'
        ? { total: facts.notes[index] || '\u2013', note: '' }
        : { note: shortened(facts.notes[index] ?? '', places.length) })}
      won={facts.result?.winners.includes(index) ?? false}
      delayOf={delayOf}
    />
  );
  if (places.length === 2 && places[0]!.row === places[1]!.row) {
    return (
      <div className="duel">
        {seat(places[0]!)}
        <div className="duel__mid">{ring}</div>
        {seat(places[1]!)}
      </div>
    );
  }
  const rows = [...new Set(places.map((place) => place.row))].sort((x, y) => x - y);
  return (
    <div className={places.length > 4 ? 'seats is-many' : 'seats'}>
      <div className="seats__top">{ring}</div>
      {rows.map((row) => (
        <div key={row} className="seats__row">
          {places.filter((place) => place.row === row).map(seat)}
        </div>
      ))}
    </div>
  );
}

/** Narrow seats have one line for a note: "King high" of "King high, one card to come". */
const shortened = (note: string, seats: number): string => (seats > 2 ? note.split(', ')[0]! : note);
