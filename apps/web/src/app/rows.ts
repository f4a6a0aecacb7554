import eventListCss from '../ui/event-list.module.css';
import fancyMarketCss from '../ui/fancy-market.module.css';
import ladderCss from '../ui/ladder.module.css';
import marketTableCss from '../ui/market-table.module.css';
import priceCss from '../ui/price.module.css';
import racePartsCss from '../ui/race-parts.module.css';

/** Rows that keys go through, as they stand on the page: events, runners, sessions, lines of tables; and each ladder, whose rows have keys of their own. */
const ROWS = [eventListCss.event, marketTableCss.line, fancyMarketCss.line, racePartsCss.runner, ladderCss.box]
  .map((row) => `main .${row}`)
  .concat('main tbody tr')
  .join();

/** What a row is entered by: the way to its screen, or its best price, or whatever can be pressed there; a ladder by itself. */
const entryOf = (row: Element): HTMLElement | null =>
  (row.matches(`.${ladderCss.box}`) ? (row as HTMLElement) : null) ??
  row.querySelector<HTMLElement>('a[href]') ??
  bestOf(row, 'back') ??
  bestOf(row, 'lay') ??
  row.querySelector<HTMLElement>('button:not(:disabled, [aria-disabled])');

const bestOf = (within: Element, side: 'back' | 'lay'): HTMLElement | null =>
  within.querySelector<HTMLElement>(
    `.${priceCss.cell}.${priceCss[side]}:not(.${priceCss.cell2}, .${priceCss.cell3}, [aria-disabled])`,
  );

/** The next row or the one before, from where the keyboard is; without a row there, the first in sight. */
export function rowBeside(by: 1 | -1): HTMLElement | null {
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => entryOf(row) !== null);
  const here = document.activeElement?.closest(ROWS);
  const at = here ? rows.indexOf(here) + by : rows.findIndex((row) => row.getBoundingClientRect().top >= 0);
  return rows[at] ? entryOf(rows[at]) : null;
}

/** The best price of a side where the keyboard is: of the runner whose price has it, else of the row's first. */
export function bestIn(at: Element | null, side: 'back' | 'lay'): HTMLElement | null {
  const place = at?.closest(`.${priceCss.cells}`) ?? at?.closest(ROWS);
  return place ? bestOf(place, side) : null;
}
