import type { PlacedBet } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { memo } from 'react';
import { formatOdds, formatShort, formatStake, formatWhole } from '../platform/format.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconX } from '../ui/icons.ts';
import { Popover } from '../ui/popover.tsx';
import buttonCss from '../ui/button.module.css';
import ladderCss from '../ui/ladder.module.css';

interface Props {
  price: number;
  name: string;
  back: number;
  lay: number;
  traded: number;
  most: number;
  mostTraded: number;
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
  onCancel: (id: number) => Promise<void>;
}

/** One price of a ladder: own orders, what can be backed, the odds, what can be laid, own orders, what was matched. */
export const LadderRow = memo(function LadderRow(props: Props) {
  const { price, traded, mostTraded, last, marked, sep } = props;
  return (
    <div className={cx(ladderCss.rung, last && 'is-ltp', sep && 'is-sep', marked && 'is-mark')}>
      <span className={cx(ladderCss.mine, ladderCss.mineBack)}>
        <OwnOrders side="back" orders={props.mineBack} {...props} />
      </span>
      <SideCell side="back" size={props.back} {...props} />
      <span className={ladderCss.price}>{formatOdds(price)}</span>
      <SideCell side="lay" size={props.lay} {...props} />
      <span className={cx(ladderCss.mine, ladderCss.mineLay)}>
        <OwnOrders side="lay" orders={props.mineLay} {...props} />
      </span>
      <span className={ladderCss.volume}>
        {traded > 0 && <i className={ladderCss.bar} style={{ width: `${(traded / mostTraded) * 100}%` }} />}
        <span>{traded > 0 ? formatWhole(traded) : ''}</span>
      </span>
    </div>
  );
});

function SideCell({
  side,
  size,
  price,
  name,
  most,
  best,
  picked,
  off,
  onPress,
}: Props & { side: 'back' | 'lay'; size: number }) {
  const word = side === 'back' ? 'BACK' : 'LAY';
  const classes = cx(
    side === 'back' ? ladderCss.back : ladderCss.lay,
    best === side ? 'is-best' : size > 0 && 'is-has',
    picked === word && 'is-sel',
  );
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes}
      aria-label={priceWords(side, name, price, size)}
      aria-disabled={off || undefined}
      aria-pressed={picked === word || undefined}
      onClick={off ? undefined : () => onPress(word, price)}
    >
      {size > 0 && <i className={ladderCss.bar} style={{ width: `${Math.max(4, (size / most) * 100)}%` }} />}
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

/** An order is a chip that cancels it; several at one price are counted, and each is cancelled by itself. */
function OwnOrders({
  side,
  orders,
  price,
  onCancel,
}: Pick<Props, 'price' | 'onCancel'> & { side: 'back' | 'lay'; orders: readonly PlacedBet[] | undefined }) {
  if (!orders || orders.length === 0) return null;
  const at = formatOdds(price);
  const backs = side === 'back';
  const label = ({ remaining }: PlacedBet) => {
    const stake = formatStake(remaining);
    return backs ? t`Cancel back ${stake} at ${at}` : t`Cancel lay ${stake} at ${at}`;
  };
  const [only] = orders;
  if (orders.length === 1) {
    return (
      <button type="button" aria-label={label(only!)} title={label(only!)} onClick={() => void onCancel(only!.id)}>
        {formatShort(only!.remaining)} <Icon of={IconX} size={11} />
      </button>
    );
  }
  const sum = orders.reduce((total, bet) => total + bet.remaining, 0);
  const [count, all] = [orders.length, formatStake(sum)];
  return (
    <Popover
      label={backs ? t`Your orders to back at ${at}` : t`Your orders to lay at ${at}`}
      title={backs ? t`Back at ${at}` : t`Lay at ${at}`}
      align={backs ? 'start' : 'end'}
      className={ladderCss.list}
      trigger={
        <button
          type="button"
          aria-label={
            backs
              ? plural(count, {
                  one: `Your # order to back at ${at}, ${all} in all`,
                  other: `Your # orders to back at ${at}, ${all} in all`,
                })
              : plural(count, {
                  one: `Your # order to lay at ${at}, ${all} in all`,
                  other: `Your # orders to lay at ${at}, ${all} in all`,
                })
          }
        >
          <b>{count}</b> {formatShort(sum)}
        </button>
      }
    >
      <ul>
        {orders.map((bet) => (
          <li key={bet.id}>
            <span className="num">{formatStake(bet.remaining)}</span>
            <button
              type="button"
              className={cx(buttonCss.icon, buttonCss.iconSmall)}
              aria-label={label(bet)}
              onClick={() => void onCancel(bet.id)}
            >
              <Icon of={IconX} size={15} />
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  );
}
