import type { ConditionalOrder, PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { memo } from 'react';
import { formatOdds, formatSignedShort, formatWhole, signOf } from '../platform/format.ts';
import { cx } from '../ui/cx.ts';
import { HeldHere, OnItsWay, OwnOrders } from './ladder-orders.tsx';
import css from '../ui/ladder.module.css';
import traderCss from './trader.module.css';

/** What a row of a trader's ladder has beside that of a reader's. */
export interface Traded {
  /** The result if the player's bets on the runner are closed at this price; null: he has none. */
  closed: number | null;
  even: boolean;
  held: readonly ConditionalOrder[] | undefined;
  /** Stakes on their way here. */
  comingBack: number;
  comingLay: number;
  moving: ReadonlySet<number>;
  /** A dragged chip is over it. */
  over: boolean;
  onRelease: (id: number) => void;
}

interface Props {
  price: number;
  name: string;
  back: number;
  lay: number;
  traded: number;
  /** Length of the bars, percent. */
  backBar: number;
  layBar: number;
  tradedBar: number;
  best: 'back' | 'lay' | null;
  last: boolean;
  marked: boolean;
  /** The side with which the slip holds this price. */
  picked: 'BACK' | 'LAY' | null;
  sep: boolean;
  mineBack: readonly PlacedBet[] | undefined;
  mineLay: readonly PlacedBet[] | undefined;
  off: boolean;
  onPress: (side: 'BACK' | 'LAY', price: number) => void;
  onCancel: (id: number) => unknown;
}

/**
 * One price of a ladder: own orders, what can be backed, the odds, what can be laid, own orders, what was matched; a trader's has before
 * them what closing here brings.
 */
export const LadderRow = memo(function LadderRow(props: Props & Partial<Traded>) {
  const { price, traded, tradedBar, last, marked, sep, closed, even, held, over, moving, onRelease, onCancel } = props;
  return (
    <div
      className={cx(css.rung, last && 'is-ltp', sep && 'is-sep', marked && 'is-mark', over && 'is-over')}
      data-price={price}
    >
      {closed !== undefined && <Closed minor={closed} even={even ?? false} price={price} />}
      <span className={cx(css.mine, css.mineBack)}>
        <OwnOrders side="back" orders={props.mineBack} price={price} moving={moving} onCancel={onCancel} />
        {props.comingBack ? <OnItsWay side="back" minor={props.comingBack} /> : null}
      </span>
      <SideCell side="back" size={props.back} bar={props.backBar} {...props} />
      <span className={css.price}>
        {traded > 0 && <i className={traderCss.matched} style={{ width: `${tradedBar}%` }} />}
        {held && onRelease && <HeldHere price={price} orders={held} onRelease={onRelease} />}
        {formatOdds(price)}
      </span>
      <SideCell side="lay" size={props.lay} bar={props.layBar} {...props} />
      <span className={cx(css.mine, css.mineLay)}>
        <OwnOrders side="lay" orders={props.mineLay} price={price} moving={moving} onCancel={onCancel} />
        {props.comingLay ? <OnItsWay side="lay" minor={props.comingLay} /> : null}
      </span>
      <span className={css.volume}>
        {traded > 0 && <i className={css.bar} style={{ width: `${tradedBar}%` }} />}
        <span>{traded > 0 ? formatWhole(traded) : ''}</span>
      </span>
    </div>
  );
});

function Closed({ minor, even, price }: { minor: number | null; even: boolean; price: number }) {
  if (minor === null) return <span className={traderCss.closed} />;
  const tone = signOf(minor);
  return (
    <span
      className={cx(traderCss.closed, tone > 0 && traderCss.gain, tone < 0 && traderCss.loss, even && traderCss.even)}
      dir="ltr"
      title={even ? t`Break-even: closing at ${{ odds: formatOdds(price) }} costs nothing` : undefined}
    >
      {even && <span className="sr">{t`Break-even`} </span>}
      {minor === 0 ? '0' : formatSignedShort(minor)}
    </span>
  );
}

function SideCell({
  side,
  size,
  bar,
  price,
  name,
  best,
  picked,
  off,
  onPress,
}: Props & { side: 'back' | 'lay'; size: number; bar: number }) {
  const word = side === 'back' ? 'BACK' : 'LAY';
  const classes = cx(
    side === 'back' ? css.back : css.lay,
    best === side ? 'is-best' : size > 0 && 'is-has',
    picked === word && 'is-sel',
  );
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes}
      data-side={word}
      aria-label={priceWords(side, name, price, size)}
      aria-disabled={off || undefined}
      aria-pressed={picked === word || undefined}
      onClick={off ? undefined : () => onPress(word, price)}
    >
      {size > 0 && <i className={css.bar} style={{ width: `${bar}%` }} />}
      <span>{size > 0 ? formatWhole(size) : ''}</span>
    </button>
  );
}

function priceWords(side: 'back' | 'lay', name: string, price: number, size: number): string {
  const [odds, money] = [formatOdds(price), formatWhole(size)];
  if (size === 0) return side === 'back' ? t`Back ${name} at ${odds}` : t`Lay ${name} at ${odds}`;
  return side === 'back'
    ? t`Back ${name} at ${odds}, ${money} available`
    : t`Lay ${name} at ${odds}, ${money} available`;
}
