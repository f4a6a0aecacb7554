/** Plinko: a triangle of pegs over a row of bins; the ball falls along the path that was drawn. */
import { useEffect, useRef, useState } from 'react';
import { type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { Choice, LastResults, Slider } from '../page/parts.tsx';
import {
  LEAST_ROWS,
  MOST_ROWS,
  type PlinkoView,
  type PlinkoWager,
  plinkoPays,
  plinkoWays,
  RISKS,
  type Risk,
} from '../rules/plinko.ts';
import { useShown, useSize } from './tools.ts';
import css from './plinko.module.css';

const ROW_MS = 115;
const START_MS = 140;
const FALL_MS = 260;
const RISK_WORDS: Readonly<Record<Risk, string>> = { low: 'Low', medium: 'Medium', high: 'High' };

/** Shade of a bin by what it pays: 0 under the stake to 5 from a hundred times. */
const heat = (pays: number) => [100, 200, 500, 2000, 10_000].filter((from) => pays >= from).length;
const HUES = [0, 6, 5, 4, 3, 2];
const short = (pays: number) => (pays / 100).toLocaleString('en', { useGrouping: false });

function PlinkoBoard({ round, stakeMinor, busy, motion, onShown, sound }: SoloBoardProps<PlinkoWager, PlinkoView>) {
  const [rows, setRows] = useState(round?.wager.rows ?? 12);
  const [risk, setRisk] = useState<Risk>(round?.wager.risk ?? 'medium');
  const place = useRef<HTMLDivElement>(null);
  const ball = useRef<SVGCircleElement>(null);
  const { width, height } = useSize(place);

  // The ball of the last round lies in its bin until other pegs or bins are chosen.
  const shown = round !== null && round.wager.rows === rows && round.wager.risk === risk ? round : null;
  const bin = shown === null ? null : shown.view.path.reduce((sum, right) => sum + right, 0);
  const pays = plinkoPays(rows, risk);
  const best = pays[0]!;
  usePanel<PlinkoWager>({
    ...(bin !== null && { says: `The ball fell into bin ${bin + 1} of ${rows + 1}, which pays ${times(pays[bin]!)}.` }),
    actions: [{ label: 'Drop', wager: { stakeMinor, rows, risk } }],
    note: `Up to ${times(best)}, the chance of which is 2 in ${(2 ** rows).toLocaleString('en')}`,
  });

  const fresh = round?.fresh === true;
  const falling = useShown(fresh, motion, rows * ROW_MS + FALL_MS + 120, onShown);
  const roundId = round?.roundId;
  const last = useLast(fresh ? undefined : roundId, round?.view.times ?? 0);

  const size = sizeOf(width, height, rows);
  const { x, radius } = size;
  const path = shown?.view.path;
  const steps = path?.map((_, row) => path.slice(0, row).reduce((sum, right) => sum + right, 0));

  // The fall is played once a round, in the size it starts with.
  const fall = useRef({ size, path });
  useEffect(() => {
    fall.current = { size, path };
  });
  const ready = falling && width > 0;
  useEffect(() => {
    const { size: then, path: along } = fall.current;
    if (!ready || !along || !ball.current) return;
    sound('move');
    const playing = drop(ball.current, along, then);
    return () => playing.cancel();
  }, [ready, sound]);

  return (
    <div className={css.plinko}>
      <div className={css.last}>
        <LastResults results={last} />
      </div>
      <div className={css.stage} data-many={rows > 11}>
        <div ref={place} className={css.place}>
          <svg width={width} height={height} aria-hidden="true">
            {width > 0 && <Pegs rows={rows} size={size} hits={falling ? steps : undefined} />}
            {bin !== null && width > 0 && (
              <circle
                ref={ball}
                className={css.ball}
                r={radius}
                style={{ transform: `translate(${x(rows, bin)}px, ${height - radius}px)` }}
              />
            )}
          </svg>
        </div>
        <Bins rows={rows} pays={pays} fallen={falling ? null : bin} />
      </div>
      <Pegboard rows={rows} risk={risk} busy={busy} onRows={setRows} onRisk={setRisk} />
    </div>
  );
}

/** Everything is drawn in px of the place: g between pegs, v between rows. */
function sizeOf(width: number, height: number, rows: number) {
  const g = width / (rows + 1);
  const v = height / (rows + 0.9);
  const radius = Math.max(3.5, Math.min(g, v) * 0.28);
  const peg = Math.max(1.6, Math.min(g, v) * 0.09);
  const x = (row: number, index: number) => width / 2 + (index - row / 2) * g;
  const y = (row: number) => (row + 0.9) * v;
  return { width, height, g, v, radius, peg, x, y };
}
type Size = ReturnType<typeof sizeOf>;

/** Lets the ball fall along the pegs. */
function drop(element: Element, along: readonly number[], { width, height, g, v, radius, peg, x, y }: Size): Animation {
  const total = along.length * ROW_MS + FALL_MS;
  const at = (ms: number) => Math.min(1, ms / total);
  const to = (px: number, py: number) => `translate(${px.toFixed(1)}px, ${py.toFixed(1)}px)`;
  const frames: Keyframe[] = [{ offset: 0, transform: to(width / 2, -radius), easing: 'ease-in' }];
  let rights = 0;
  along.forEach((right, row) => {
    const ms = START_MS + row * ROW_MS;
    const from = x(row, rights);
    const top = y(row) - radius - peg;
    frames.push({ offset: at(ms), transform: to(from, top), easing: 'ease-out' });
    const over = from + (right === 1 ? g : -g) * 0.22;
    frames.push({ offset: at(ms + ROW_MS * 0.4), transform: to(over, top - v * 0.16), easing: 'ease-in' });
    rights += right;
  });
  frames.push({ offset: 1, transform: to(x(along.length, rights), height - radius) });
  return element.animate(frames, { duration: total, fill: 'backwards' });
}

/** `hits`: the peg of each row that the ball meets as it falls. */
function Pegs({ rows, size: { x, y, peg }, hits }: { rows: number; size: Size; hits: readonly number[] | undefined }) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: row + 3 }, (_, i) => {
      const hit = hits?.[row] === i - 1;
      return (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: pegs have no other name
          key={`${row}-${i}`}
          className={cx(css.peg, hit && 'is-hit')}
          style={hit ? { animationDelay: `${START_MS + row * ROW_MS}ms` } : undefined}
          cx={x(row, i - 1)}
          cy={y(row)}
          r={peg}
        />
      );
    }),
  );
}

interface PegboardProps {
  rows: number;
  risk: Risk;
  busy: boolean;
  onRows: (rows: number) => void;
  onRisk: (risk: Risk) => void;
}

function Pegboard({ rows, risk, busy, onRows, onRisk }: PegboardProps) {
  return (
    <div className={css.choice}>
      <Choice
        label="Risk"
        options={RISKS.map((value) => ({ value, text: RISK_WORDS[value] }))}
        value={risk}
        onChange={onRisk}
        disabled={busy}
      />
      <Slider
        label="Rows"
        value={rows}
        min={LEAST_ROWS}
        max={MOST_ROWS}
        text={(value) => String(value)}
        onChange={onRows}
        disabled={busy}
      />
    </div>
  );
}

function Bins({ rows, pays, fallen }: { rows: number; pays: readonly number[]; fallen: number | null }) {
  return (
    <ol className={css.bins} aria-label="What the bins pay, from left to right">
      {pays.map((pay, i) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: bins have no other name
          key={i}
          data-heat={heat(pay)}
          data-on={i === fallen}
          title={`${times(pay)}, chance ${plinkoWays(rows, i).toLocaleString('en')} in ${(2 ** rows).toLocaleString('en')}`}
        >
          <span>{short(pay)}</span>
        </li>
      ))}
    </ol>
  );
}

/** What the last rounds paid; `roundId`: of the one that has ended. */
function useLast(roundId: string | undefined, paidTimes: number) {
  const [last, setLast] = useState<readonly { key: string; text: string; hue: number }[]>([]);
  useEffect(() => {
    if (roundId === undefined) return;
    setLast((now) => {
      if (now.some((entry) => entry.key === roundId)) return now;
      return [{ key: roundId, text: times(paidTimes), hue: HUES[heat(paidTimes)]! }, ...now].slice(0, 8);
    });
  }, [roundId, paidTimes]);
  return last;
}

export default soloBoard<PlinkoWager, PlinkoView>(PlinkoBoard);
