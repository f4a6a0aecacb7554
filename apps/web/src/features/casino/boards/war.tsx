import type { BoardProps } from '../board.ts';
import { Hand } from '../hand.tsx';

/** Casino War: the dealer above, six players below; who beat the dealer stands out. */
export function Board({ info, facts }: BoardProps) {
  const dealer = info.seats.findIndex((seat) => seat.name === 'Dealer');
  const seat = (index: number) => (
    <Hand key={index} info={info} facts={facts} seat={index} slots={1} spread="row" note="" />
  );
  return (
    <div className="seats is-many">
      <div className="seats__row">{seat(dealer)}</div>
      <div className="seats__row">{info.seats.flatMap((_, index) => (index === dealer ? [] : [seat(index)]))}</div>
    </div>
  );
}
