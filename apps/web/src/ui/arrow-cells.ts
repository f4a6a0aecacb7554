import type { KeyboardEvent } from 'react';
import eventListCss from './event-list.module.css';
import css from './market-table.module.css';
import panelCss from './panel.module.css';
import priceCss from './price.module.css';

/**
 * Arrow keys between prices (A11Y-13): left and right in the row, up and down in the column, passing over what cannot be
 * pressed. By where cells stand on the screen, so that it holds for every list and market. Tab still visits each price.
 */
export const arrowBetweenCells = (event: KeyboardEvent<HTMLElement>): void =>
  arrowBetween(
    event,
    `.${css.market}, .${eventListCss.events}, .${panelCss.panel}, main`,
    `button.${priceCss.cell}:not([aria-disabled])`,
  );

/** The same between the cells that a selector finds, inside the nearest `within`. */
export function arrowBetween(event: KeyboardEvent<HTMLElement>, within: string, cells: string): void {
  const way = WAYS[event.key];
  if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const from = event.currentTarget;
  const field = from.closest(within);
  if (!field) return;
  event.preventDefault();
  const here = middle(from);
  let best: HTMLElement | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const cell of field.querySelectorAll<HTMLElement>(cells)) {
    if (cell === from) continue;
    const there = middle(cell);
    const along = way.x * (there.x - here.x) + way.y * (there.y - here.y);
    const across = Math.abs(way.x === 0 ? there.x - here.x : there.y - here.y);
    // Sideways stays in the row; up and down takes the nearest row, and in it the nearest column.
    if (along < 4 || (way.x !== 0 && across > from.offsetHeight / 2)) continue;
    const cost = way.x === 0 ? along * 1000 + across : along;
    if (cost < least) [least, best] = [cost, cell];
  }
  best?.focus();
}

const WAYS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function middle(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: Math.round(top + height / 2) };
}
