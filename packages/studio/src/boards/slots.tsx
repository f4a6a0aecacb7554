/**
 * The board of all slots: reels or falling stones, what paid, free spins one after the other, and the pay table.
 * All reels turn at one pace and stop at even distances; nothing waits for a last reel, nothing tells what nearly came.
 */

import { type ReactNode, useRef, useState } from 'react';
import { payOf } from '../game.ts';
import { amount, type SoloBoardProps, usePanel } from '../page/board.ts';
import type { SlotShape, SlotStep, SlotView, SlotWager } from '../rules/slots.ts';
import { Drawing, nameOf, PayTable, StepChoice, Wins } from './slot-pays.tsx';
import { rollMs, turned, useSteps } from './slot-steps.ts';
import css from './slots.module.css';
import paysCss from './slots-pays.module.css';
import sceneCss from './slots-scene.module.css';

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
  const marked = new Set(shown ? step?.wins.flatMap((win) => win.cells) : []);

  const key = `${roundId}:${play.at}`;
  const before = useBefore(key, cells, shape.still);

  usePanel<SlotWager>({
    actions: [{ label: 'Spin', wager: { stakeMinor } }],
    says: round ? saysOf(shape, round.view) : undefined,
  });

  const paid = play.playing
    ? steps.slice(0, play.at + (shown ? 1 : 0)).reduce((sum, each) => sum + each.times, 0)
    : (round?.view.times ?? 0);

  return (
    <div
      className={css.slot}
      data-theme-of={look.theme}
      data-still={!props.motion || undefined}
      style={{ '--cols': shape.columns, '--rows': shape.rows, '--pace': play.pace } as object}
    >
      <Sprite look={look} />
      <div className={sceneCss.slotScene} aria-hidden="true">
        {look.scene}
      </div>
      <div className={css.top}>
        <StepChoice look={look} play={play} steps={steps} roundId={roundId} />
        <button type="button" className={paysCss.tableButton} aria-expanded={table} onClick={() => setTable(!table)}>
          {table ? 'Reels' : 'Pay table'}
        </button>
      </div>
      <div className={css.frame} data-wins={marked.size > 0 || undefined} data-above={paid > 100 || undefined}>
        {table ? (
          <PayTable look={look} stakeMinor={stakeMinor} onClose={() => setTable(false)} />
        ) : (
          // The grid is read as one picture: its rows in words.
          <Grid look={look} play={play} steps={steps} before={before} drawn={key} shown={shown} marked={marked} />
        )}
      </div>
      <div className={css.foot}>
        <Wins look={look} step={shown ? step : undefined} stakeMinor={stake} />
        {play.playing && steps.length > 1 && (
          <div className={css.paid}>
            <small>So far</small>
            <b>{amount(payOf(stake, Math.min(paid, round?.view.times ?? paid)))}</b>
          </div>
        )}
      </div>
    </div>
  );
}

interface GridProps {
  look: SlotLook;
  play: ReturnType<typeof useSteps>;
  steps: readonly SlotStep[];
  before: readonly number[];
  /** Names the step: another one is drawn anew. */
  drawn: string;
  shown: boolean;
  marked: ReadonlySet<number>;
}

function Grid({ look, play, steps, before, drawn, shown, marked }: GridProps) {
  const { shape } = look;
  const step = steps[play.at];
  const cells = step?.cells ?? shape.still;
  return (
    <div className={css.grid} role="img" aria-label={shown ? rowsOf(shape, cells) : 'The symbols move'}>
      {Array.from({ length: shape.columns }, (_, column) => (
        <Column
          // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
          key={`${column}:${drawn}`}
          look={look}
          column={column}
          cells={cells}
          before={before}
          gone={step?.kind === 'fall' ? goneOf(steps[play.at - 1]) : null}
          moves={play.playing && play.phase === 'moves'}
          goes={play.phase === 'goes'}
          marked={marked}
        />
      ))}
      {shape.lines.length > 0 && shown && step && <WonLines shape={shape} step={step} />}
    </div>
  );
}

/** What stood before this step: the end of the round before, where it is the first. */
function useBefore(key: string, cells: readonly number[], still: readonly number[]): readonly number[] {
  const before = useRef<readonly number[]>(still);
  const standing = useRef<readonly number[]>(still);
  const lastKey = useRef('');
  if (lastKey.current !== key) {
    lastKey.current = key;
    before.current = standing.current;
    standing.current = cells;
  }
  return before.current;
}

const goneOf = (step: SlotStep | undefined) => new Set(step?.wins.flatMap((win) => win.cells));

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
    <svg className={css.sprite} aria-hidden="true">
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
      <div className={css.column}>
        <div className={css.strip} style={{ '--from': from, '--ms': `${rollMs(column)}ms` } as object}>
          {strip.map((symbol, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a strip of its own for each turn
            <span key={index} className={css.cell}>
              <Drawing look={look} symbol={symbol} />
            </span>
          ))}
        </div>
      </div>
    );
  }
  const falls = reel ? null : fallsOf(first, rows, props.gone);
  return (
    <div className={css.column}>
      {own.map((symbol, row) => {
        const cell = first + row;
        const won = props.marked.has(cell);
        return (
          <span
            key={cell}
            className={css.cell}
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
      className={css.lines}
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
