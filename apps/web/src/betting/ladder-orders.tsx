import type { ConditionalOrder, PlacedBet } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { formatOdds, formatShort, formatStake } from '../platform/format.ts';
import { keyNow } from '../platform/hotkeys.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconX } from '../ui/icons.ts';
import { Popover } from '../ui/popover.tsx';
import { heldWords, whatHeld, whenHeld } from './held-words.ts';
import buttonCss from '../ui/button.module.css';
import css from '../ui/ladder.module.css';
import traderCss from './trader.module.css';

/** What is the player's own in one row of a ladder. */

interface Props {
  side: 'back' | 'lay';
  price: number;
  orders: readonly PlacedBet[] | undefined;
  /** Bets that are on their way to another price, until the server has said so. */
  moving?: ReadonlySet<number> | undefined;
  onCancel: (id: number) => void;
}

/** An order is a chip that cancels it; several at one price are counted, and each is cancelled by itself. */
export function OwnOrders({ side, orders, price, moving, onCancel }: Props) {
  if (!orders || orders.length === 0) return null;
  const at = formatOdds(price);
  const backs = side === 'back';
  const label = (bet: PlacedBet) => cancelWords(backs, bet, at);
  const [only] = orders;
  const away = orders.every(({ id }) => moving?.has(id));
  // What is dragged is found by these (ladder-drag.ts).
  const grip = { 'data-orders': orders.map(({ id }) => id).join(), 'aria-busy': away || undefined };
  if (orders.length === 1) {
    return (
      <button
        type="button"
        {...grip}
        aria-label={label(only!)}
        title={label(only!)}
        onClick={away ? undefined : () => onCancel(only!.id)}
      >
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
      className={css.list}
      trigger={
        <button
          type="button"
          {...grip}
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
              onClick={() => onCancel(bet.id)}
            >
              <Icon of={IconX} size={15} />
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

function cancelWords(backs: boolean, { remaining }: PlacedBet, at: string): string {
  const stake = formatStake(remaining);
  return backs ? t`Cancel back ${stake} at ${at}` : t`Cancel lay ${stake} at ${at}`;
}

/** A stake that is on its way to this price: pressed or dragged here, and not answered yet. */
export function OnItsWay({ side, minor }: { side: 'back' | 'lay'; minor: number }) {
  const stake = formatStake(minor);
  return (
    <span
      className={traderCss.coming}
      role="img"
      aria-label={side === 'back' ? t`Back ${stake} on its way` : t`Lay ${stake} on its way`}
    >
      {formatShort(minor)}
    </span>
  );
}

/** The keys that make them: in many languages two of their words begin with one letter. */
const KEYS: Partial<Record<ConditionalOrder['kind'], string>> = { STOP: 's', PROFIT: 'p', TRAIL: 't' };

/** Orders that the server holds for this price, each kind by the key that makes it. */
export function HeldHere({
  price,
  orders,
  onRelease,
}: {
  price: number;
  orders: readonly ConditionalOrder[];
  onRelease: (id: number) => void;
}) {
  const at = formatOdds(price);
  const letters = [...new Set(orders.map(({ kind }) => keyNow(KEYS[kind] ?? '')))].join('');
  return (
    <Popover
      label={t`Orders held for ${at}`}
      title={t`Held for ${at}`}
      align="center"
      className={traderCss.held}
      trigger={
        <button
          type="button"
          className={traderCss.heldMark}
          aria-label={t`${{ orders: orders.map(({ kind }) => heldWords(kind)).join(', ') }} at ${at}`}
        >
          {letters}
        </button>
      }
    >
      <ul>
        {orders.map((order) => (
          <li key={order.id}>
            <HeldOrder of={order} />
            <button
              type="button"
              className={cx(buttonCss.icon, buttonCss.iconSmall)}
              aria-label={t`Take back ${{ order: heldWords(order.kind).toLowerCase() }} at ${at}`}
              onClick={() => onRelease(order.id)}
            >
              <Icon of={IconX} size={15} />
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

/** One of them in words. */
export function HeldOrder({ of }: { of: ConditionalOrder }) {
  return (
    <span>
      <b>{heldWords(of.kind)}</b> {whenHeld(of)}
      <small className="t3">{whatHeld(of)}</small>
    </span>
  );
}
