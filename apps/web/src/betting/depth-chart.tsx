import { t } from '@lingui/core/macro';
import { useRef } from 'react';
import { useDepth } from '../live/live.ts';
import { formatOdds, formatShort, formatWhole } from '../platform/format.ts';
import { Tip, useReading } from '../ui/chart-tip.tsx';
import { useWidth } from '../ui/use-width.ts';
import { priceAxis } from './price-axis.ts';
import chartCss from '../ui/chart.module.css';
import css from './betting.module.css';

const HEIGHT = 190;
const FLOOR = HEIGHT - 24;
const TOP = 18;
const SIDE = 14;
const LEAST_WIDTH = 240;
/** Levels of each side: what waits far away is no part of the market. */
const LEVELS = 15;

const partOf = ({ left, width }: DOMRect, clientX: number): number => (clientX - left) / (width || 1);

type Level = readonly [price: number, sizeMinor: number];

/** What waits in the book of a runner, added up from the best price outwards: the nearer and the steeper, the more it takes to move it. */
export function DepthChart({ marketId, runnerId, name }: { marketId: number; runnerId: number; name: string }) {
  const depth = useDepth(marketId, runnerId);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, LEAST_WIDTH);
  const { part, handlers } = useReading(box, partOf);
  const back = added(depth?.back ?? []);
  const lay = added(depth?.lay ?? []);
  const prices = [...back, ...lay].map(([price]) => price);
  if (prices.length === 0)
    return (
      <div className={chartCss.chartBox} ref={box} style={{ height: HEIGHT }}>
        {depth && <p className="t3 fs-12">{t`Nothing waits in this book.`}</p>}
      </div>
    );
  const axis = priceAxis(Math.min(...prices), Math.max(...prices));
  const most = Math.max(...[...back, ...lay].map(([, sum]) => sum));
  const span = axis.at(axis.max) - axis.at(axis.min) || 1;
  const x = (price: number): number => SIDE + ((axis.at(price) - axis.at(axis.min)) / span) * (width - 2 * SIDE);
  const y = (sum: number): number => FLOOR - (sum / most) * (FLOOR - TOP);
  // What waits at a price waits for all who come from there on.
  const area = (levels: readonly Level[], end: number): string => {
    const [first] = levels;
    if (!first) return '';
    return `M${x(first[0]).toFixed(1)} ${FLOOR}${levels.map(([price, sum]) => `H${x(price).toFixed(1)}V${y(sum).toFixed(1)}`).join('')}H${x(end).toFixed(1)}V${FLOOR}Z`;
  };
  const near = part === null ? null : nearest(back, lay, (level) => Math.abs(x(level[0]) - part * width));
  return (
    <div className={chartCss.chartBox} ref={box}>
      <svg
        className={chartCss.chart}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-label={t`Depth of ${name}: ${{ back: backWords(back.at(-1)) }}, ${{ lay: layWords(lay.at(-1)) }}`}
        {...handlers}
      >
        <path className={css.depthBack} d={area(back, axis.min)} />
        <path className={css.depthLay} d={area(lay, axis.max)} />
        {axis.ticks.map((price) => (
          <text key={price} x={x(price)} y={HEIGHT - 6} textAnchor="middle">
            {formatOdds(price)}
          </text>
        ))}
        <text x={SIDE} y={TOP - 4}>
          {formatShort(most)}
        </text>
        {near && <path className={chartCss.cross} d={`M${x(near.level[0])} ${TOP}V${FLOOR}`} />}
      </svg>
      {near && <Tip at={x(near.level[0])} width={width} top={TOP} lines={[formatOdds(near.level[0]), near.words]} />}
    </div>
  );
}

/** The level that stands nearest to where the drawing is read, and what it takes to get there. */
function nearest(back: readonly Level[], lay: readonly Level[], far: (level: Level) => number) {
  const levels = [
    ...back.map((level) => ({ level, words: backWords(level) })),
    ...lay.map((level) => ({ level, words: layWords(level) })),
  ];
  return levels.reduce((best, one) => (far(one.level) < far(best.level) ? one : best));
}

/** Each level with all that is better. */
function added(levels: ReadonlyArray<Level>): Level[] {
  let sum = 0;
  return levels.slice(0, LEVELS).map(([price, size]) => {
    sum += size;
    return [price, sum];
  });
}

function backWords(last: Level | undefined): string {
  if (!last) return t`nothing to back`;
  const [price, money] = [formatOdds(last[0]), formatWhole(last[1])];
  return t`${money} to back down to ${price}`;
}

function layWords(last: Level | undefined): string {
  if (!last) return t`nothing to lay`;
  const [price, money] = [formatOdds(last[0]), formatWhole(last[1])];
  return t`${money} to lay up to ${price}`;
}
