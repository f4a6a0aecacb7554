import css from './chart.module.css';

/** Something that happened at a time; with a value it is a bet of the player, at its price. */
export interface ChartMark {
  t: number;
  text: string;
  v?: number;
  side?: 'back' | 'lay';
}
export interface ChartCandle {
  t: number;
  open: number;
  high: number;
  low: number;
  close: number;
}
interface Place {
  x: (t: number) => number;
  y: (v: number) => number;
}

/** The strip of the bars below the lines, pixels. */
export const BARS = 34;
/** The strip of the words above them. */
export const WORDS = 12;
/** Of a letter, at least: what a word is given before the next. */
const LETTER_PX = 6;

/**
 * Lines through the moments that stopped or moved the market, with their word above the prices where there is room; own bets as
 * triangles.
 */
export function Marks({ of: marks, place: { x, y }, top, bottom, right }: MarksProps) {
  let free = 0;
  return marks.map(({ t, text, v, side }, i) => {
    // Two may have come in one moment.
    const key = `${i} ${t}`;
    const at = x(t);
    if (v !== undefined) return <path key={key} className={css[side ?? 'back']} d={triangle(at, y(v), side)} />;
    const long = text.length * LETTER_PX + 6;
    // At the end of the time it stands before its line.
    const turned = at + long > right;
    const worded = (turned ? at - long : at) >= free;
    if (worded) free = turned ? at : at + long;
    return (
      <g key={key} className={css.moment}>
        <path d={`M${at.toFixed(1)} ${worded ? top - WORDS : top}V${bottom}`} />
        {worded && (
          <text x={turned ? at - 3 : at + 3} y={top - 4} textAnchor={turned ? 'end' : 'start'}>
            {text}
          </text>
        )}
      </g>
    );
  });
}

interface MarksProps {
  of: readonly ChartMark[];
  place: Place;
  top: number;
  bottom: number;
  /** Where the time ends. */
  right: number;
}

/** A back points up below its price, a lay down above it. */
function triangle(x: number, y: number, side: ChartMark['side']): string {
  const way = side === 'lay' ? -1 : 1;
  return `M${x.toFixed(1)} ${(y + 2 * way).toFixed(1)}l5 ${8 * way}h-10z`;
}

/** Wick from the lowest to the highest, body from the first to the last: filled where the price fell, which is shorter odds. */
export function Candles({ of: candles, place: { x, y }, width }: CandlesProps) {
  const half = Math.max(1, Math.min(9, width * 0.35));
  return candles.map(({ t, open, high, low, close }) => {
    const at = x(t) + width / 2;
    const upper = Math.min(y(open), y(close));
    return (
      <g key={t} className={close < open ? css.fallen : css.risen}>
        <path d={`M${at.toFixed(1)} ${y(high).toFixed(1)}V${y(low).toFixed(1)}`} />
        <rect x={at - half} y={upper} width={half * 2} height={Math.max(1.5, Math.abs(y(open) - y(close)))} />
      </g>
    );
  });
}

interface CandlesProps {
  of: readonly ChartCandle[];
  place: Place;
  /** Of the place of one, in pixels. */
  width: number;
}

/** Sums of parts of the time, from the floor of the picture up. */
export function Bars({
  of,
  left,
  width,
  bottom,
}: {
  of: readonly number[];
  left: number;
  width: number;
  bottom: number;
}) {
  const most = Math.max(...of);
  if (!(most > 0)) return null;
  const each = width / of.length;
  return of.map((sum, i) => {
    const tall = sum > 0 ? Math.max(2, (sum / most) * (BARS - 6)) : 0;
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in time is the identity of a bar
        key={i}
        className={css.chartBar}
        x={left + i * each + 0.5}
        y={bottom - tall}
        width={Math.max(1, each - 1)}
        height={tall}
      />
    );
  });
}
