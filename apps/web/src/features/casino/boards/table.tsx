import { t } from '@lingui/core/macro';
import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import { Hand } from '../hand.tsx';
import css from './seats.module.css';

/** The plain table: two seats with room for the countdown between them, or rows of seats. */
export function Board({ info, facts }: BoardProps) {
  const { places } = info.layout;
  const baccarat = info.family === 'baccarat';
  const seat = ({ seat: index, slots, spread }: (typeof places)[number]) => (
    <Hand
      key={index}
      info={info}
      facts={facts}
      seat={index}
      slots={slots}
      spread={spread}
      thirdAcross={baccarat}
      {...(baccarat
        ? { total: facts.notes[index] || '\u2013', note: standing(facts.hands[index]?.length ?? 0, facts.notes[index]) }
        : { note: shortened(facts.notes[index] ?? '', places.length) })}
    />
  );
  if (places.length === 2 && places[0]!.row === places[1]!.row)
    return <div className={css.duel}>{places.map(seat)}</div>;
  const rows = [...new Set(places.map((place) => place.row))].sort((x, y) => x - y);
  return (
    <div className={cx(css.seats, places.length > 4 && 'is-many')}>
      {rows.map((row) => (
        <div key={row} className={css.line}>
          {places.filter((place) => place.row === row).map(seat)}
        </div>
      ))}
    </div>
  );
}

/** A baccarat hand of two cards that draws no more: "Natural 8", "Stands on 6". */
function standing(cards: number, total: string | undefined): string {
  if (cards !== 2 || total === undefined || total === '') return '';
  if (Number(total) >= 8) return t`Natural ${total}`;
  return Number(total) >= 6 ? t`Stands on ${total}` : '';
}

/** Narrow seats have one line for a note: "King high" of "King high, one card to come". */
const shortened = (note: string, seats: number): string => (seats > 2 ? note.split(', ')[0]! : note);
