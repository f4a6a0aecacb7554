import { useId } from 'react';
import css from './race-parts.module.css';

export const SILK_PATTERNS = [
  'plain',
  'hoops',
  'stripes',
  'diamond',
  'chevron',
  'spots',
  'sash',
  'halves',
  'quarters',
  'star',
  'cross',
  'yoke',
] as const;

const JACKET = 'M12 12l5-2h6l5 2 1 28q-9 3-18 0z';
// Seen on light ground and dark, whatever the colours of the silks.
const EDGE = 'rgba(140,132,120,.6)';

/** A jockey's silks from five inputs. */
export function Silks({
  body,
  sleeves,
  cap,
  pattern,
  patternColour,
  size = 38,
  grey = false,
}: {
  body: string;
  sleeves: string;
  cap: string;
  /** One of SILK_PATTERNS; anything else is plain. */
  pattern: string;
  patternColour: string;
  size?: number;
  /** A non-runner. */
  grey?: boolean;
}) {
  const id = `silk${useId().replace(/[^\w-]/g, '')}`;
  return (
    <svg
      className={grey ? css.silksGrey : undefined}
      width={size}
      height={Math.round((size * 44) / 38)}
      viewBox="0 0 40 46"
      aria-hidden="true"
    >
      <defs>
        <clipPath id={id}>
          <path d={JACKET} />
        </clipPath>
      </defs>
      <path
        d="M12 12L5 17 2.5 32l6 1.6L12 24zM28 12l7 5 2.5 15-6 1.6L28 24z"
        fill={sleeves}
        stroke={EDGE}
        strokeWidth=".8"
        strokeLinejoin="round"
      />
      <path d={JACKET} fill={body} />
      <g clipPath={`url(#${id})`} fill={patternColour}>
        <Pattern kind={pattern} />
      </g>
      <path d={JACKET} fill="none" stroke={EDGE} strokeWidth=".8" strokeLinejoin="round" />
      <path d="M14 7.5a6 5.5 0 0 1 12 0z" fill={cap} stroke={EDGE} strokeWidth=".8" />
      <path d="M13 8h15.5" stroke={EDGE} strokeWidth="1.2" />
    </svg>
  );
}

const SPOTS = [
  [16, 18],
  [24, 18],
  [20, 25],
  [16, 32],
  [24, 32],
  [13, 25],
  [27, 25],
] as const;

function Pattern({ kind }: { kind: string }) {
  switch (kind) {
    case 'hoops':
      return [15, 24, 33].map((y) => <rect key={y} x="0" y={y} width="40" height="4.5" />);
    case 'stripes':
      return [13, 19, 25].map((x) => <rect key={x} x={x} y="10" width="3" height="34" />);
    case 'spots':
      return SPOTS.map(([x, y]) => <circle key={`${x}-${y}`} cx={x} cy={y} r="2.1" />);
    case 'diamond':
      return <path d="M20 18l7 9-7 9-7-9z" />;
    case 'chevron':
      return <path d="M10 19l10 8 10-8v6l-10 8-10-8z" />;
    case 'sash':
      return <path d="M11 12h6l13 26h-7z" />;
    case 'halves':
      return <rect x="20" y="8" width="20" height="36" />;
    case 'quarters':
      return <path d="M20 8h20v18H20zM0 26h20v20H0z" />;
    case 'star':
      return <path d="M20 17l2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6-4.5-4.2 6.1-.7z" />;
    case 'cross':
      return <path d="M11 14l4-2 14 22-3 3zM29 14l-4-2-14 22 3 3z" />;
    case 'yoke':
      return <path d="M8 10h24v10H8z" />;
    default:
      return null;
  }
}
