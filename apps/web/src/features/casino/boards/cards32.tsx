import { t } from '@lingui/core/macro';
import type { BoardProps } from '../board.ts';
import { rankOf } from '../cards.ts';
import { Hand } from '../hand.tsx';
import css from './seats.module.css';

/** 32 Cards and Queen: each hand with its total and the points it began with; the leader's total is set off. */
export function Board({ info, facts }: BoardProps) {
  const totals = info.seats.map((seat, index) => {
    let total = Number(seat.id);
    facts.deal.cards.forEach((card, at) => {
      if (facts.deal.seats[at] === index) total += rankOf(card);
    });
    return total;
  });
  const top = Math.max(...totals);
  const dealt = facts.deal.cards.length > 0;
  return (
    <div className={css.seats}>
      <div className={css.line}>
        {info.layout.places.map(({ seat, slots, spread }) => (
          <Hand
            key={seat}
            info={info}
            facts={facts}
            seat={seat}
            slots={slots}
            spread={spread}
            note={t`Starts with ${{ points: info.seats[seat]!.id }}`}
            total={<span className={dealt && totals[seat] === top ? 'is-top' : undefined}>{totals[seat]}</span>}
          />
        ))}
      </div>
    </div>
  );
}
