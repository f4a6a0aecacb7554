import { cx } from '../../ui/cx.ts';
import authCss from '../../ui/auth.module.css';
import loginCss from '../../ui/login.module.css';
import turfCss from '../../ui/turf.module.css';

/** The picture beside the sign-in: the mark drawn as a book of prices, three rows of backs over three of lays. */
const W = 62;
const H = 44;
const GAP = 4;
const COLUMNS = 9;
const MIDDLE = 4;
const BAR = 34;
const WIDTH = COLUMNS * (W + GAP) - GAP;
const HEIGHT = 6 * (H + GAP) + BAR - GAP;

const BACK = { best: '#74c7ff', onBest: '#071727', fills: ['#1b64a3', '#15508a', '#123f6b'], text: '#ddf2ff' };
const LAY = { best: '#fc9cbd', onBest: '#300c17', fills: ['#a33d69', '#8a3159', '#692847'], text: '#ffe7f1' };

type Cell = { x: number; y: number; price: string; size: string; best: boolean; fill: string; ink: string };
const CELLS: readonly Cell[] = [...rows('back'), ...rows('lay')];

export function LoginArt() {
  return (
    <svg className={loginCss.drawing} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {CELLS.map((cell) => (
        <g key={`${cell.x}-${cell.y}`} fill={cell.ink} textAnchor="middle">
          <rect x={cell.x} y={cell.y} width={W} height={H} rx="5" fill={cell.fill} />
          <text x={cell.x + W / 2} y={cell.y + 20} fontSize="15" fontWeight={cell.best ? 700 : 620}>
            {cell.price}
          </text>
          <text x={cell.x + W / 2} y={cell.y + 35} fontSize="11" opacity={cell.best ? 0.85 : 0.62}>
            {cell.size}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** Lines of a playing field behind it. */
export function LoginField() {
  return (
    <svg
      className={cx(turfCss.lines, authCss.turfFull)}
      viewBox="0 0 820 740"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <g fill="none" stroke="var(--turf-line)" strokeWidth="1.4">
        <ellipse cx="410" cy="330" rx="520" ry="420" />
        <ellipse cx="410" cy="330" rx="300" ry="238" strokeDasharray="6 8" />
        <circle cx="410" cy="330" r="92" />
        <path d="M-20 330H840" />
        <rect x="-60" y="130" width="190" height="400" />
        <rect x="-60" y="225" width="80" height="210" />
        <rect x="690" y="130" width="190" height="400" />
        <rect x="800" y="225" width="80" height="210" />
        <rect x="90" y="-190" width="640" height="1040" rx="320" opacity=".7" />
      </g>
    </svg>
  );
}

function rows(side: 'back' | 'lay'): Cell[] {
  const look = side === 'back' ? BACK : LAY;
  const top = side === 'back' ? 0 : 3 * (H + GAP) + BAR;
  return Array.from({ length: 3 * COLUMNS }, (_, n) => {
    const column = n % COLUMNS;
    const line = Math.floor(n / COLUMNS);
    const away = Math.abs(column - MIDDLE);
    const depth = side === 'back' ? 2 - line : line;
    const best = away === 0 && depth === 0;
    const shade = Math.min(2, Math.floor((away + depth * 1.4) / 2));
    const ticks = away + depth * 2;
    const hundredths = side === 'back' ? 184 - ticks : 185 + ticks;
    // Sizes only have to look like sizes: a fixed scatter, the same on every visit.
    const size = 400 + (((n + 3) * 7919 + (side === 'back' ? 0 : 4451)) % 20_600);
    return {
      x: column * (W + GAP),
      y: top + line * (H + GAP),
      price: (hundredths / 100).toFixed(2),
      // Of its own: a formatter made for each of them took thirty milliseconds of every first load.
      size: String(size).replace(/\B(?=\d{3}$)/, ','),
      best,
      fill: best ? look.best : look.fills[shade]!,
      ink: best ? look.onBest : look.text,
    };
  });
}
