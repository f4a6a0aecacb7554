/**
 * The board of all slots: reels or falling stones, what paid, free spins one after the other, and the pay table.
 * All reels turn at one pace and stop at even distances; nothing waits for a last reel, nothing tells what nearly came.
 */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { payOf } from '../game.ts';
import { amount, type SoloBoardProps, times, usePanel } from '../page/board.ts';
import type { SlotShape, SlotStep, SlotView, SlotWager } from '../rules/slots.ts';
import './slots.css';

export interface SlotLook {
  readonly theme: 'reef' | 'orchard' | 'hollow';
  readonly shape: SlotShape;
  readonly art: Readonly<Record<string, ReactNode>>;
  readonly defs?: ReactNode;
  readonly scene: ReactNode;
  /** Reel slots: what turns past. Empty: stones fall. */
  readonly strips: readonly (readonly number[])[];
  /** What a step is called: `Free dive 3 of 8, double pay`. */
  readonly stepName: (step: SlotStep, index: number, of: number) => string;
  /** A line below the pay table: `Lantern fish stands for all`. */
  readonly hints: readonly string[];
}

export type SlotProps = SoloBoardProps<SlotWager, SlotView>;
type Phase = 'moves' | 'shows' | 'goes';

const SYMBOL_MS = 46;
const LEAD = 9;
const APART = 4;
const SETTLE_MS = 140;
const FALL_MS = 520;
const GO_MS = 220;
const PAUSE_MS = { wins: 950, none: 260 };
/** A round of many steps goes quicker throughout, so that it is shown in this time: the kit waits 15 seconds for it. */
const MOST_MS = 13_000;

const turned = (reel: number) => LEAD + APART * reel;
const rollMs = (reel: number) => (turned(reel) + 3) * SYMBOL_MS;

function movingMs(look: SlotLook): number {
  return look.strips.length > 0 ? rollMs(look.strips.length - 1) + SETTLE_MS : FALL_MS + look.shape.columns * 40;
}

function stepMs(look: SlotLook, step: SlotStep, next: SlotStep | undefined): number {
  const pause = step.wins.length > 0 ? PAUSE_MS.wins : PAUSE_MS.none;
  return movingMs(look) + pause + (next?.kind === 'fall' ? GO_MS : 0);
}

/** 1, or less for rounds of many steps. */
function paceOf(look: SlotLook, steps: readonly SlotStep[]): number {
  const all = steps.reduce((sum, step, at) => sum + stepMs(look, step, steps[at + 1]), 0);
  return Math.min(1, MOST_MS / Math.max(1, all));
}

/** Walks through the steps of a fresh round; at rest it stands on the last one, or the one the player looks at. */
function useSteps(look: SlotLook, { round, motion, onShown, sound }: SlotProps) {
  const [now, setNow] = useState<{ roundId: string; at: number; phase: Phase } | null>(null);
  const [looked, setLooked] = useState<{ roundId: string; at: number } | null>(null);
  const steps = round?.view.steps ?? [];
  const count = steps.length;
  const winsAt = steps.map((step) => (step.wins.length > 0 ? '1' : '0')).join('');
  const fallsAt = steps.map((step) => (step.kind === 'fall' ? '1' : '0')).join('');
  const roundId = round?.roundId ?? '';
  const fresh = round?.fresh === true;
  const pace = paceOf(look, steps);

  useEffect(() => {
    if (!fresh) return;
    if (!motion) {
      onShown();
      return;
    }
    const timers: ReturnType<typeof setTimeout>[] = [];
    let ms = 0;
    const then = (work: () => void) => timers.push(setTimeout(work, ms * pace));
    for (let at = 0; at < count; at++) {
      then(() => {
        setNow({ roundId, at, phase: 'moves' });
        sound('move');
      });
      ms += movingMs(look);
      then(() => setNow({ roundId, at, phase: 'shows' }));
      ms += winsAt[at] === '1' ? PAUSE_MS.wins : PAUSE_MS.none;
      if (fallsAt[at + 1] !== '1') continue;
      then(() => setNow({ roundId, at, phase: 'goes' }));
      ms += GO_MS;
    }
    then(() => {
      setNow(null);
      onShown();
    });
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [look, fresh, motion, roundId, count, winsAt, fallsAt, pace, onShown, sound]);

  const playing = fresh && motion;
  if (playing) {
    const at = now?.roundId === roundId ? now.at : 0;
    return { playing, at, pace, phase: now?.roundId === roundId ? now.phase : ('moves' as Phase), look: setLooked };
  }
  const at = looked?.roundId === roundId ? looked.at : count - 1;
  return { playing, at, pace, phase: 'shows' as Phase, look: setLooked };
}

export function SlotMachine({ look, ...props }: SlotProps & { look: SlotLook }) {
  const { round, stakeMinor } = props;
  const { shape } = look;
  const [table, setTable] = useState(false);
  const play = useSteps(look, props);
  const steps = round?.view.steps ?? [];
  const step = steps[play.at];
  const cells = step?.cells ?? shape.still;
  const stake = round?.stakeMinor ?? stakeMinor;
  const shown = play.phase !== 'moves';
  const roundId = round?.roundId ?? '';
  // After the round its spins or falls can be looked at one by one.
  const looks = !play.playing && steps.length > 1;
  const marked = new Set(shown ? step?.wins.flatMap((win) => win.cells) : []);

  // What stood before this step: the end of the round before, where it is the first.
  const before = useRef<readonly number[]>(shape.still);
  const standing = useRef<readonly number[]>(shape.still);
  const key = `${roundId}:${play.at}`;
  const lastKey = useRef('');
  if (lastKey.current !== key) {
    lastKey.current = key;
    before.current = standing.current;
    standing.current = cells;
  }

  usePanel<SlotWager>({
    actions: [{ label: 'Spin', wager: { stakeMinor } }],
    says: round ? saysOf(shape, round.view) : undefined,
  });

  const paid = play.playing
    ? steps.slice(0, play.at + (shown ? 1 : 0)).reduce((sum, each) => sum + each.times, 0)
    : (round?.view.times ?? 0);

  return (
    <div
      className="slot"
      data-theme-of={look.theme}
      data-still={!props.motion || undefined}
      style={{ '--cols': shape.columns, '--rows': shape.rows, '--pace': play.pace } as object}
    >
      <Sprite look={look} />
      <div className="slot-scene" aria-hidden="true">
        {look.scene}
      </div>
      <div className="slot-top">
        <div className="slot-step">
          {looks && (
            <button
              type="button"
              aria-label="Earlier grid of this round"
              disabled={play.at === 0}
              onClick={() => play.look({ roundId, at: play.at - 1 })}
            >
              ‹
            </button>
          )}
          <span>{step ? look.stepName(step, play.at, steps.length) : 'Press Spin'}</span>
          {looks && (
            <button
              type="button"
              aria-label="Later grid of this round"
              disabled={play.at === steps.length - 1}
              onClick={() => play.look({ roundId, at: play.at + 1 })}
            >
              ›
            </button>
          )}
        </div>
        <button type="button" className="slot-table-button" aria-expanded={table} onClick={() => setTable(!table)}>
          {table ? 'Reels' : 'Pay table'}
        </button>
      </div>
      <div className="slot-frame" data-wins={marked.size > 0 || undefined} data-above={paid > 100 || undefined}>
        {table ? (
          <PayTable look={look} stakeMinor={stakeMinor} onClose={() => setTable(false)} />
        ) : (
          // The grid is read as one picture: its rows in words.
          <div className="slot-grid" role="img" aria-label={shown ? rowsOf(shape, cells) : 'The symbols move'}>
            {Array.from({ length: shape.columns }, (_, column) => (
              <Column
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                key={`${column}:${key}`}
                look={look}
                column={column}
                cells={cells}
                before={before.current}
                gone={step?.kind === 'fall' ? goneOf(steps[play.at - 1]) : null}
                moves={play.playing && play.phase === 'moves'}
                goes={play.phase === 'goes'}
                marked={marked}
              />
            ))}
            {shape.lines.length > 0 && shown && step && <WonLines shape={shape} step={step} />}
          </div>
        )}
      </div>
      <div className="slot-foot">
        <Wins look={look} step={shown ? step : undefined} stakeMinor={stake} />
        {play.playing && steps.length > 1 && (
          <div className="slot-paid">
            <small>So far</small>
            <b>{amount(payOf(stake, Math.min(paid, round?.view.times ?? paid)))}</b>
          </div>
        )}
      </div>
    </div>
  );
}

const goneOf = (step: SlotStep | undefined) => new Set(step?.wins.flatMap((win) => win.cells));
const nameOf = (shape: SlotShape, symbol: number) => shape.symbols[symbol]!.name;

function rowsOf(shape: SlotShape, cells: readonly number[]): string {
  return Array.from({ length: shape.rows }, (_, row) => {
    const names = Array.from({ length: shape.columns }, (_, column) =>
      nameOf(shape, cells[column * shape.rows + row]!),
    );
    return `Row ${row + 1}: ${names.join(', ')}.`;
  }).join(' ');
}

function saysOf(shape: SlotShape, view: SlotView): string {
  const wins = view.steps.flatMap((step) => step.wins);
  const free = view.steps.find((step) => step.spins > 0)?.spins;
  const falls = view.steps.filter((step) => step.kind === 'fall').length;
  const told = wins.slice(0, 3).map((win) => `${nameOf(shape, win.symbol)}, ${win.words}`);
  return [
    wins.length === 0 ? 'Nothing pays.' : `${told.join('; ')}${wins.length > 3 ? ` and ${wins.length - 3} more` : ''}.`,
    free ? `${free} free spins came.` : '',
    falls > 1 ? `${falls} falls.` : '',
    view.capped ? 'The highest pay was reached.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** All drawings once, for `use`. */
function Sprite({ look }: { look: SlotLook }) {
  return (
    <svg className="slot-sprite" aria-hidden="true">
      <defs>
        {look.defs}
        {Object.entries(look.art).map(([key, drawing]) => (
          <symbol key={key} id={`${look.theme}-${key}`} viewBox="0 0 100 100">
            {drawing}
          </symbol>
        ))}
      </defs>
    </svg>
  );
}

function Drawing({ look, symbol }: { look: SlotLook; symbol: number }) {
  return (
    <svg className="slot-symbol" viewBox="0 0 100 100" aria-hidden="true">
      <use href={`#${look.theme}-${look.shape.symbols[symbol]!.key}`} />
    </svg>
  );
}

function Column(props: {
  look: SlotLook;
  column: number;
  cells: readonly number[];
  before: readonly number[];
  gone: ReadonlySet<number> | null;
  moves: boolean;
  goes: boolean;
  marked: ReadonlySet<number>;
}) {
  const { look, column, moves } = props;
  const { rows } = look.shape;
  const first = column * rows;
  const own = props.cells.slice(first, first + rows);
  const reel = look.strips[column];
  if (moves && reel) {
    // Read from the top: what it stops at, what turns past, what stood before.
    const between = Array.from({ length: turned(column) }, (_, i) => reel[(i * 7 + own[0]! + column) % reel.length]!);
    const strip = [...own, ...between, ...props.before.slice(first, first + rows)];
    const from = `${(-100 * (strip.length - rows)) / strip.length}%`;
    return (
      <div className="slot-column">
        <div className="slot-strip" style={{ '--from': from, '--ms': `${rollMs(column)}ms` } as object}>
          {strip.map((symbol, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a strip of its own for each turn
            <span key={index} className="slot-cell">
              <Drawing look={look} symbol={symbol} />
            </span>
          ))}
        </div>
      </div>
    );
  }
  const falls = reel ? null : fallsOf(first, rows, props.gone);
  return (
    <div className="slot-column">
      {own.map((symbol, row) => {
        const cell = first + row;
        const won = props.marked.has(cell);
        return (
          <span
            key={cell}
            className="slot-cell"
            data-won={won || undefined}
            data-off={(props.marked.size > 0 && !won) || undefined}
            data-goes={(props.goes && won) || undefined}
            data-falls={(moves && falls !== null && falls[row]! > 0) || undefined}
            style={falls ? ({ '--rows-fallen': -falls[row]!, '--column': column } as object) : undefined}
          >
            <Drawing look={look} symbol={symbol} />
          </span>
        );
      })}
    </div>
  );
}

/** How many rows each stone of a column fell: all of them on a new grid. */
function fallsOf(first: number, rows: number, gone: ReadonlySet<number> | null): number[] {
  if (gone === null) return Array<number>(rows).fill(rows);
  const kept: number[] = [];
  for (let row = rows - 1; row >= 0; row--) if (!gone.has(first + row)) kept.push(row);
  const falls = Array<number>(rows).fill(rows - kept.length);
  kept.forEach((was, i) => {
    const row = rows - 1 - i;
    falls[row] = row - was;
  });
  return falls;
}

function WonLines({ shape, step }: { shape: SlotShape; step: SlotStep }) {
  const lines = step.wins.filter((win) => shape.symbols[win.symbol]!.role === 'pays');
  if (lines.length === 0) return null;
  const point = (cell: number) => `${Math.floor(cell / shape.rows) * 10 + 5},${(cell % shape.rows) * 10 + 5}`;
  return (
    <svg
      className="slot-lines"
      viewBox={`0 0 ${shape.columns * 10} ${shape.rows * 10}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map((win) => (
        <polyline key={win.words} points={win.cells.map(point).join(' ')} vectorEffect="non-scaling-stroke" />
      ))}
    </svg>
  );
}

function Wins({ look, step, stakeMinor }: { look: SlotLook; step: SlotStep | undefined; stakeMinor: number }) {
  const wins = [...(step?.wins ?? [])].sort((a, b) => b.times - a.times);
  return (
    <ul className="slot-wins">
      {wins.slice(0, 3).map((win) => (
        <li key={`${win.symbol}:${win.cells.join()}`}>
          <Drawing look={look} symbol={win.symbol} />
          <span>
            <b>{amount(payOf(stakeMinor, win.times))}</b>
            <small>{win.words}</small>
          </span>
        </li>
      ))}
      {wins.length > 3 && <li className="slot-more">and {wins.length - 3} more</li>}
    </ul>
  );
}

function PayTable({ look, stakeMinor, onClose }: { look: SlotLook; stakeMinor: number; onClose: () => void }) {
  const { shape } = look;
  const id = useId();
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section
      ref={place}
      className="slot-table"
      aria-labelledby={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it takes the keys
      tabIndex={0}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h3 id={id}>Pays for a stake of {amount(stakeMinor, 'needed')}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Symbol</th>
            {shape.counts.map((count) => (
              <th key={count} scope="col">
                {count}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shape.pays.map((row) => (
            <tr key={row.symbol}>
              <th scope="row">
                <Drawing look={look} symbol={row.symbol} />
                <span>{nameOf(shape, row.symbol)}</span>
              </th>
              {row.times.map((each, index) => (
                <td key={shape.counts[index]} title={times(each)}>
                  {amount(payOf(stakeMinor, each), 'needed')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul>
        {look.hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    </section>
  );
}
