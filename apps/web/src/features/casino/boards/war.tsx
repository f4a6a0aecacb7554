import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import { Hand } from '../hand.tsx';
import css from './seats.module.css';

/** Casino War: the dealer above, six players below; who beat the dealer stands out. */
export function Board({ info, game, facts }: BoardProps) {
  const dealer = game.seats.findIndex((seat) => seat.name === 'Dealer');
  const seat = (index: number) => (
    <Hand key={index} info={info} facts={facts} seat={index} slots={1} spread="row" note="" />
  );
  return (
    <div className={cx(css.seats, 'is-many')}>
      <div className={css.line}>{seat(dealer)}</div>
      <div className={css.line}>{info.seats.flatMap((_, index) => (index === dealer ? [] : [seat(index)]))}</div>
    </div>
  );
}
