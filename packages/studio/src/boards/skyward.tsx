/** Skyward: a paper plane climbs over hills at dusk. */
import type { SharedBoardProps } from '../page/board.ts';
import { sharedBoard } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { type CrashView, type CrashWager, VARIANTS } from '../rules/crash.ts';
import { CrashFlight, type Skin } from './crash-flight.tsx';
import css from './skyward.module.css';

/** A line of hills that comes again after 1,000, twice as long as that. */
function hills(middle: number, wave: number, ripple: number): string {
  let path = 'M0 700';
  for (let x = 0; x <= 2000; x += 20) {
    const turn = (x * 2 * Math.PI) / 1000;
    const y = middle - Math.sin(turn + middle) * wave - Math.sin(turn * 3 + wave) * ripple;
    path += `L${x} ${y.toFixed(1)}`;
  }
  return `${path}V700Z`;
}

const SKIN: Skin = {
  className: css.skyward,
  scale: 'linear',
  marks: [100, 150, 200, 300, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
  sky: (
    <svg className={css.land} viewBox="0 0 1000 560" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <circle className={css.sun} cx="760" cy="400" r="74" />
      <g className={cx(css.clouds, 'is-far')}>
        <path d="M90 210h150a22 22 0 0 0 0-44 40 40 0 0 0-76-14 30 30 0 0 0-54 16 21 21 0 0 0-20 42ZM640 130h130a18 18 0 0 0 0-36 34 34 0 0 0-64-12 26 26 0 0 0-46 14 17 17 0 0 0-20 34ZM1160 230h150a22 22 0 0 0 0-44 40 40 0 0 0-76-14 30 30 0 0 0-54 16 21 21 0 0 0-20 42ZM1700 150h130a18 18 0 0 0 0-36 34 34 0 0 0-64-12 26 26 0 0 0-46 14 17 17 0 0 0-20 34Z" />
      </g>
      <path className={cx(css.hills, 'is-far')} d={hills(428, 46, 24)} />
      <path className={css.hills} d={hills(494, 26, 15)} />
    </svg>
  ),
  head: (
    <g className={css.plane}>
      <path className="is-wing" d="M46 0L-44-30-26 0Z" />
      <path className="is-fold" d="M46 0L-26 0-44 24Z" />
      <path className="is-keel" d="M46 0L-26 0-16 26Z" />
    </g>
  ),
  words: { waits: 'Next flight in', runs: 'Climbing', stopped: 'Flown away' },
};

function SkywardBoard(props: SharedBoardProps<CrashWager, CrashView>) {
  return <CrashFlight {...props} variant={VARIANTS[0]!} skin={SKIN} />;
}

export default sharedBoard<CrashWager, CrashView>(SkywardBoard);
