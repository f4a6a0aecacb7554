/** Roulette: the wheel, and the table with all its places. Chips are laid by press or keyboard; arrows go from place to place. */
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { amount, type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { Chip, LastResults } from '../page/parts.tsx';
import { colourOf, SPOTS, type Spot } from '../rules/roulette.ts';
import { SPIN_MS, Wheel } from './roulette-wheel.tsx';
import css from './roulette.module.css';
import boardCss from './roulette-board.module.css';
import wheelCss from './roulette-wheel.module.css';

const CELL = boardCss.cell;
const NUMBER = cx(CELL, boardCss.cellNumber);
const COLUMN = cx(CELL, boardCss.cellColumn);

interface Laid {
  readonly spot: string;
  readonly stakeMinor: number;
}
interface Wager {
  readonly chips: readonly Laid[];
}
interface View extends Wager {
  readonly number: number;
  readonly paid: readonly number[];
}

const LAST = 14;
const ALL = [...SPOTS.values()];
const INSIDE = ALL.filter((spot) => !['straight', 'column', 'dozen', 'even-money'].includes(spot.kind));

function RouletteBoard({ round, stakeMinor, busy, motion, onShown, sound }: SoloBoardProps<Wager, View>) {
  const [chips, setChips] = useState<readonly Laid[]>([]);
  const [before, setBefore] = useState<readonly (readonly Laid[])[]>([]);
  const [between, setBetween] = useState(false);
  const [aimed, setAimed] = useState<string | null>(null);
  const [last, setLast] = useState<readonly { key: string; number: number }[]>([]);
  const table = useRef<HTMLDivElement>(null);

  const fresh = round?.fresh === true;
  const rolling = fresh && motion;
  const roundId = round?.roundId ?? null;
  const number = round && !rolling ? round.view.number : null;

  // The chips of a round stay on the table until a chip is laid for the next one.
  const played = round?.wager.chips ?? [];
  const shown = chips.length > 0 && !fresh ? chips : played;
  const result = chips.length === 0 && number !== null;
  const total = chips.reduce((sum, chip) => sum + chip.stakeMinor, 0);

  usePanel<Wager>({
    stake: 'chip',
    actions: [{ label: 'Spin', wager: { chips }, ...(chips.length === 0 && { off: 'Lay chips on the table' }) }],
    note:
      chips.length > 0
        ? `${chips.length} ${chips.length === 1 ? 'place' : 'places'}, ${amount(total)} in all`
        : 'Press a place to lay a chip',
    ...(round && { says: `The ball fell on ${numberWords(round.view.number)}.` }),
  });

  useEffect(() => {
    if (!fresh || roundId === null) return;
    setChips([]);
    setBefore([]);
    if (motion) sound('move');
    const timer = setTimeout(onShown, motion ? SPIN_MS + 250 : 0);
    return () => clearTimeout(timer);
  }, [fresh, roundId, motion, onShown, sound]);

  useEffect(() => {
    if (number === null || roundId === null) return;
    setLast((held) => (held[0]?.key === roundId ? held : [{ key: roundId, number }, ...held].slice(0, LAST)));
  }, [number, roundId]);

  const change = (to: readonly Laid[]) => {
    setBefore((held) => [...held, chips].slice(-40));
    setChips(to);
  };
  const lay = (spot: string) => {
    if (busy) return;
    sound('place');
    const there = chips.find((chip) => chip.spot === spot);
    change(
      there
        ? chips.map((chip) => (chip === there ? { spot, stakeMinor: chip.stakeMinor + stakeMinor } : chip))
        : [...chips, { spot, stakeMinor }],
    );
  };
  const undo = () => {
    setChips(before[before.length - 1] ?? []);
    setBefore(before.slice(0, -1));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const spot = (event.target as HTMLElement).dataset.spot;
    if (spot === undefined) return;
    if ((event.key === 'Delete' || event.key === 'Backspace') && !busy && chips.some((chip) => chip.spot === spot)) {
      event.preventDefault();
      change(chips.filter((chip) => chip.spot !== spot));
      return;
    }
    const to = neighbour(table.current!, event.target as HTMLElement, event.key);
    if (to === undefined) return;
    event.preventDefault();
    to?.focus();
  };

  const lit = useMemo(() => new Set(aimed === null ? [] : SPOTS.get(aimed)!.numbers), [aimed]);
  const place = (spot: Spot, className: string, text: string, style?: CSSProperties) => {
    const at = shown.findIndex((chip) => chip.spot === spot.id);
    const chip = shown[at];
    const won = result && number !== null && spot.numbers.includes(number);
    return (
      <button
        key={spot.id}
        type="button"
        className={className}
        style={style}
        data-spot={spot.id}
        data-won={result && chip ? won : undefined}
        data-hit={spot.kind === 'straight' && result && won ? true : undefined}
        data-lit={spot.kind === 'straight' && lit.has(spot.numbers[0]!) ? true : undefined}
        tabIndex={spot.id === (aimed ?? 'straight-0') ? 0 : -1}
        aria-disabled={busy}
        aria-label={`${spot.label}, pays ${times(spot.times)}${chip ? `, ${amount(chip.stakeMinor)} on it` : ''}`}
        onFocus={() => setAimed(spot.id)}
        onPointerEnter={() => setAimed(spot.id)}
        onClick={() => lay(spot.id)}
      >
        <span>{text}</span>
        {chip && <Chip text={short(chip.stakeMinor)} />}
      </button>
    );
  };

  return (
    <div
      className={css.roulette}
      data-rolling={rolling}
      data-between={between}
      data-net={round !== null && round.paidMinor > round.stakeMinor}
    >
      <div className={css.head}>
        <div className={wheelCss.rouletteWheel}>
          <Wheel number={round?.view.number ?? null} rolling={rolling} roundId={roundId} />
        </div>
        <div className={css.side}>
          <Fallen number={number} rolling={rolling} />
          <LastResults
            results={last.map(({ key, number: each }) => ({
              key,
              text: `${each}`,
              hue: each === 0 ? 4 : colourOf(each) === 'red' ? 1 : 0,
              says: numberWords(each),
            }))}
          />
          {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons, no set of form fields */}
          <div className={css.tools} role="group" aria-label="Chips">
            <button type="button" disabled={busy || before.length === 0} onClick={undo}>
              Undo
            </button>
            <button type="button" disabled={busy || chips.length === 0} onClick={() => change([])}>
              Clear
            </button>
            <button
              type="button"
              disabled={busy || chips.length === 0}
              onClick={() => change(chips.map((chip) => ({ ...chip, stakeMinor: chip.stakeMinor * 2 })))}
            >
              Double
            </button>
            <button
              type="button"
              disabled={busy || played.length === 0 || chips.length > 0}
              onClick={() => change(played)}
            >
              Repeat
            </button>
            <button type="button" className={css.mode} aria-pressed={between} onClick={() => setBetween(!between)}>
              Splits
            </button>
          </div>
        </div>
      </div>

      {/* biome-ignore lint/a11y/useSemanticElements: a table of places for chips, one tab stop */}
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
    </div>
  );
}

function Fallen({ number, rolling }: { number: number | null; rolling: boolean }) {
  if (number === null)
    return (
      <p className={css.fallen}>
        <b data-colour="none">{rolling ? '···' : '–'}</b>
        <span>{rolling ? 'No more chips' : 'Lay your chips'}</span>
      </p>
    );
  const [, ...words] = numberWords(number).split(', ');
  return (
    <p className={css.fallen}>
      <b data-colour={colourOf(number)}>{number}</b>
      <span>{words.join(', ')}</span>
    </p>
  );
}

// -------------------------------------------------------------------------------------------------- places of the table

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

function numberWords(number: number): string {
  if (number === 0) return '0, green';
  return `${number}, ${colourOf(number)}, ${number % 2 === 1 ? 'odd' : 'even'}, ${number <= 18 ? 'low' : 'high'}`;
}

const short = (minor: number) => (minor >= 100_000 ? `${minor / 100_000}k` : amount(minor, 'needed'));

export default soloBoard<Wager, View>(RouletteBoard);
