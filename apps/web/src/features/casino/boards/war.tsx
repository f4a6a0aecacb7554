import type { BoardProps } from '../board.ts';
import { Hand } from '../hand.tsx';

/** Casino War: the dealer above, six players below; who beat the dealer is outlined. */
export function Board({ info, facts, delayOf, ring }: BoardProps) {
  const dealer = info.seats.findIndex((seat) => seat.name === 'Dealer');
  const seat = (index: number) => (
    <Hand
      key={index}
      name={info.seats[index]?.name ?? ''}
      hand={facts.hands[index] ?? []}
      slots={1}
      spread="row"
      note=""
      won={facts.result?.winners.includes(index) ?? false}
      delayOf={delayOf}
    />
  );
  return (
    <div className="seats is-many war">
      <div className="war__top">
        {ring}
        {seat(dealer)}
      </div>
      <div className="seats__row">{info.seats.flatMap((_, index) => (index === dealer ? [] : [seat(index)]))}</div>
    </div>
  );
}
