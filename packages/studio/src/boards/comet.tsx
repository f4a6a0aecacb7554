/** Comet: a head of ice with its tail, climbing through the orders of magnitude of a night sky. */
import type { SharedBoardProps } from '../page/board.ts';
import { sharedBoard } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { type CrashView, type CrashWager, VARIANTS } from '../rules/crash.ts';
import { CrashFlight, type Skin } from './crash-flight.tsx';
import css from './comet.module.css';

/** Stars at places that look strewn but are always the same. */
const STARS = Array.from({ length: 90 }, (_, i) => ({
  x: (i * 617) % 1000,
  y: (i * 379 + ((i * i) % 97) * 3) % 560,
  r: 0.6 + ((i * 7) % 5) * 0.3,
}));

const field = (className: string, from: number) => (
  <g className={cx(css.stars, className)}>
    {STARS.filter((_, i) => i % 3 === from).flatMap(({ x, y, r }) =>
      [0, 1000].map((by) => <circle key={`${x}-${y}-${by}`} cx={x + by} cy={y} r={r} />),
    )}
  </g>
);

const SKIN: Skin = {
  className: css.comet,
  scale: 'log',
  marks: [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000],
  sky: (
    <svg className={css.night} viewBox="0 0 1000 560" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <radialGradient id="comet-planet" cx=".35" cy=".3" r=".8">
          <stop offset="0" stopColor="var(--planet-1)" />
          <stop offset="1" stopColor="var(--planet-2)" />
        </radialGradient>
      </defs>
      {field('is-far', 0)}
      {field('is-mid', 1)}
      {field('is-near', 2)}
      <g className={css.planet}>
        <circle cx="150" cy="640" r="230" fill="url(#comet-planet)" />
        <path d="M-90 560q230-90 480 10" className={css.ring} />
      </g>
    </svg>
  ),
  head: (
    <g className={css.body}>
      <path className={css.tail} d="M10-15Q-120-20-330 0-120 20 10 15Z" />
      <path className={cx(css.tail, 'is-inner')} d="M10-8Q-80-10-190 0-80 10 10 8Z" />
      <circle className={css.glow} r="34" />
      <circle className={css.core} r="16" />
    </g>
  ),
  words: { waits: 'Next comet in', runs: 'Rising', stopped: 'Burnt out' },
};

function CometBoard(props: SharedBoardProps<CrashWager, CrashView>) {
  return <CrashFlight {...props} variant={VARIANTS[1]!} skin={SKIN} />;
}

export default sharedBoard<CrashWager, CrashView>(CometBoard);
