/** The roulette table with all its places. Chips are laid by press or keyboard; arrows go from place to place. */
import { type CSSProperties, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { amount, times } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { Chip } from '../page/parts.tsx';
import { colourOf, SPOTS, type Spot } from '../rules/roulette.ts';
import type { Laid } from './roulette-chips.ts';
import css from './roulette.module.css';
import boardCss from './roulette-board.module.css';

const CELL = boardCss.cell;
const NUMBER = cx(CELL, boardCss.cellNumber);
const COLUMN = cx(CELL, boardCss.cellColumn);

const ALL = [...SPOTS.values()];
const INSIDE = ALL.filter((spot) => !['straight', 'column', 'dozen', 'even-money'].includes(spot.kind));

interface TableProps {
  readonly chips: readonly Laid[];
  /** The number that fell, while its winners are shown. */
  readonly result: number | null;
  readonly busy: boolean;
  readonly onLay: (spot: string) => void;
  readonly onTake: (spot: string) => void;
}

export function Table(props: TableProps) {
  const [aimed, setAimed] = useState<string | null>(null);
  const table = useRef<HTMLDivElement>(null);
  const lit = useMemo(() => new Set(aimed === null ? [] : SPOTS.get(aimed)!.numbers), [aimed]);

  const onKeyDown = (event: KeyboardEvent) => {
    const spot = (event.target as HTMLElement).dataset.spot;
    if (spot === undefined) return;
    const takes = event.key === 'Delete' || event.key === 'Backspace';
    if (takes && !props.busy && props.chips.some((chip) => chip.spot === spot)) {
      event.preventDefault();
      props.onTake(spot);
      return;
    }
    const to = neighbour(table.current!, event.target as HTMLElement, event.key);
    if (to === undefined) return;
    event.preventDefault();
    to?.focus();
  };

  const place = (spot: Spot, className: string, text: string, style?: CSSProperties) => (
    <Place
      key={spot.id}
      {...props}
      spot={spot}
      className={className}
      style={style}
      text={text}
      lit={spot.kind === 'straight' && lit.has(spot.numbers[0]!)}
      stop={spot.id === (aimed ?? 'straight-0')}
      onAim={() => setAimed(spot.id)}
    />
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table of places for chips, one tab stop
    <div
      ref={table}
      className={css.table}
      role="group"
      aria-label="Table. Arrow keys go from place to place, Enter lays a chip, Delete takes it away."
      onKeyDown={onKeyDown}
      onPointerLeave={() => setAimed(null)}
    >
      {place(SPOTS.get('straight-0')!, cx(CELL, boardCss.cellZero), '0')}
      <div className={css.numbers}>
        {ALL.filter((spot) => spot.kind === 'straight' && spot.numbers[0] !== 0).map((spot) => {
          const n = spot.numbers[0]!;
          return place(spot, `${NUMBER} is-${colourOf(n)}`, `${n}`, at(rowOf(n) + 0.5, placeOf(n) + 0.5));
        })}
        {INSIDE.map((spot) => place(spot, cx(boardCss.inner, `inner-${spot.kind}`), '', innerAt(spot)))}
      </div>
      <div className={css.columns}>
        {[3, 2, 1].map((column) => place(SPOTS.get(`column-${column}`)!, `${COLUMN} is-${column}`, '3×'))}
      </div>
      <div className={css.dozens}>
        {[1, 2, 3].map((dozen) => place(SPOTS.get(`dozen-${dozen}`)!, CELL, `${dozen * 12 - 11}–${dozen * 12}`))}
      </div>
      <div className={css.evens}>
        {place(SPOTS.get('low')!, CELL, '1–18')}
        {place(SPOTS.get('even')!, CELL, 'Even')}
        {place(SPOTS.get('red')!, cx(CELL, boardCss.cellRed), 'Red')}
        {place(SPOTS.get('black')!, cx(CELL, boardCss.cellBlack), 'Black')}
        {place(SPOTS.get('odd')!, CELL, 'Odd')}
        {place(SPOTS.get('high')!, CELL, '19–36')}
      </div>
    </div>
  );
}

function Place(
  props: TableProps & {
    readonly spot: Spot;
    readonly className: string;
    readonly style: CSSProperties | undefined;
    readonly text: string;
    /** Its number is one of those that the aimed place stands for. */
    readonly lit: boolean;
    /** The tab stop of the table. */
    readonly stop: boolean;
    readonly onAim: () => void;
  },
) {
  const { spot, result } = props;
  const chip = props.chips.find((each) => each.spot === spot.id);
  const won = result !== null && spot.numbers.includes(result);
  return (
    <button
      type="button"
      className={props.className}
      style={props.style}
      data-spot={spot.id}
      data-won={result !== null && chip ? won : undefined}
      data-hit={spot.kind === 'straight' && won ? true : undefined}
      data-lit={props.lit ? true : undefined}
      tabIndex={props.stop ? 0 : -1}
      aria-disabled={props.busy}
      aria-label={`${spot.label}, pays ${times(spot.times)}${chip ? `, ${amount(chip.stakeMinor)} on it` : ''}`}
      onFocus={props.onAim}
      onPointerEnter={props.onAim}
      onClick={() => props.onLay(spot.id)}
    >
      <span>{props.text}</span>
      {chip && <Chip text={short(chip.stakeMinor)} />}
    </button>
  );
}

const rowOf = (n: number) => Math.floor((n - 1) / 3);
const placeOf = (n: number) => (n - 1) % 3;
/** Along the twelve rows and across the three columns; css lays it on its side where there is room. */
const at = (along: number, across: number) => ({ '--along': along, '--across': across }) as CSSProperties;

/** Inner bets lie on the lines between their numbers; streets and lines on the outer edge, those with zero at its edge. */
function innerAt({ kind, numbers }: Spot): CSSProperties {
  const own = numbers.filter((n) => n !== 0);
  const mean = (of: (n: number) => number) => own.reduce((sum, n) => sum + of(n) + 0.5, 0) / own.length;
  const zero = own.length < numbers.length;
  const edge = kind === 'street' || kind === 'line' || kind === 'first-four';
  return at(zero ? 0 : mean(rowOf), edge ? 0 : mean(placeOf));
}

/** The nearest place in the direction of an arrow key; undefined for other keys. */
function neighbour(table: HTMLElement, from: HTMLElement, key: string): HTMLElement | null | undefined {
  const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  if (!way) return undefined;
  const middle = (element: HTMLElement) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2] as const;
  };
  const [x, y] = middle(from);
  let best: HTMLElement | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const each of table.querySelectorAll<HTMLElement>('[data-spot]')) {
    if (each === from || each.offsetParent === null) continue;
    const [ex, ey] = middle(each);
    const ahead = (ex - x) * way[0]! + (ey - y) * way[1]!;
    const aside = Math.abs((ex - x) * way[1]!) + Math.abs((ey - y) * way[0]!);
    if (ahead < 2 || ahead + 3 * aside >= least) continue;
    least = ahead + 3 * aside;
    best = each;
  }
  return best;
}

const short = (minor: number) => (minor >= 100_000 ? `${minor / 100_000}k` : amount(minor, 'needed'));
