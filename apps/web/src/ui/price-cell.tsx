import { memo, type Ref } from 'react';
import { arrowBetweenCells } from './arrow-cells.ts';
import { cx } from './cx.ts';
import { flash, type Move } from './flash.ts';
import css from './price.module.css';

export type PriceCellProps = {
  side: 'back' | 'lay';
  /** 1 is the best price. */
  depth?: 1 | 2 | 3 | undefined;
  /** The price as shown ("1.84", a rate, or runs); null is an empty cell. */
  price: string | null;
  /** The size or rate under it, as shown. */
  size?: string | null | undefined;
  /** `na`: no such outcome here, the place is kept. */
  state?: 'open' | 'na' | undefined;
  /** Open in the slip: one in the whole product. */
  selected?: boolean | undefined;
  /** The player has an open bet on this side. */
  hasBet?: boolean | undefined;
  /** The smaller cell of lists. */
  small?: boolean | undefined;
  /** Name for assistive technology, "Back India at 1.84, 24,618 available". */
  label: string;
  onPress?: (() => void) | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
};

/**
 * One price: a native button of fixed size. It stays the same element in every state, so that an update never takes the
 * focus; an empty or idle cell is `aria-disabled` and does nothing.
 */
export const PriceCell = memo(function PriceCell(props: PriceCellProps) {
  const { side, depth = 1, price, size, state = 'open', selected, hasBet, small, label, onPress, ref } = props;
  const empty = price === null;
  const classes = cx(
    css.cell,
    side === 'back' ? css.back : css.lay,
    depth > 1 && css[`cell${depth}`],
    small && css.small,
    state === 'na' ? css.noOutcome : empty && css.empty,
    selected && 'is-sel',
    hasBet && 'is-in',
  );
  const idle = empty || state === 'na' || !onPress;
  return (
    <button
      type="button"
      ref={ref}
      className={classes}
      aria-label={label}
      aria-pressed={selected ? true : undefined}
      aria-disabled={idle || undefined}
      tabIndex={idle ? -1 : undefined}
      onClick={idle ? undefined : onPress}
      onKeyDown={arrowBetweenCells}
    >
      <span className={css.figures}>
        <b>{empty ? '\u2013' : price}</b>
        <i>{empty ? '' : (size ?? '')}</i>
      </span>
      <span className={css.move} />
    </button>
  );
});

/**
 * Writes new figures into a mounted cell without rendering, and marks the move. For the live store, which paints once a
 * frame; the cell must have a price before and after (a change of shape goes through the props).
 */
export function paintCell(
  cell: HTMLElement,
  next: { price: string; size: string; move?: Move | null; label?: string; selected?: boolean },
): void {
  const price = cell.firstElementChild?.firstElementChild;
  const size = price?.nextElementSibling;
  if (price) write(price, next.price);
  if (size) write(size, next.size);
  if (next.label && cell.getAttribute('aria-label') !== next.label) cell.setAttribute('aria-label', next.label);
  if (next.selected !== undefined && next.selected !== cell.classList.contains('is-sel')) {
    cell.classList.toggle('is-sel', next.selected);
    if (next.selected) cell.setAttribute('aria-pressed', 'true');
    else cell.removeAttribute('aria-pressed');
  }
  if (next.move) flash(cell, next.move);
}

/** Keeps the text node: a new one for each figure is several times dearer. */
function write(place: Element, text: string): void {
  const node = place.firstChild;
  if (!node) place.textContent = text;
  else if (node.nodeValue !== text) node.nodeValue = text;
}
