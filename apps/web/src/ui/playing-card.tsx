import { msg, t } from '@lingui/core/macro';
import { say, type Words } from '../platform/language.ts';
import css from './casino.module.css';

const SUITS = {
  S: {
    name: 'spades',
    red: false,
    path: 'M12 2C12 2 3.2 9 3.2 14a4.3 4.3 0 0 0 7.4 3c-.1 2-.9 3.7-2.1 5h7c-1.2-1.3-2-3-2.1-5a4.3 4.3 0 0 0 7.4-3C20.8 9 12 2 12 2Z',
  },
  H: {
    name: 'hearts',
    red: true,
    path: 'M12 21.5S3 14.6 3 8.7A4.9 4.9 0 0 1 12 6a4.9 4.9 0 0 1 9 2.7C21 14.6 12 21.5 12 21.5Z',
  },
  D: { name: 'diamonds', red: true, path: 'M12 1.8L19.6 12 12 22.2 4.4 12Z' },
  C: {
    name: 'clubs',
    red: false,
    path: 'M12 2a4.4 4.4 0 0 0-3.9 6.5 4.4 4.4 0 1 0 2.6 7.9c-.2 2.2-1 4.1-2.2 5.6h7c-1.2-1.5-2-3.4-2.2-5.6a4.4 4.4 0 1 0 2.6-7.9A4.4 4.4 0 0 0 12 2Z',
  },
} as const;
type Suit = keyof typeof SUITS;

const RANKS: Readonly<Record<string, Words>> = { A: msg`Ace`, K: msg`King`, Q: msg`Queen`, J: msg`Jack` };
const WEAVE = Array.from({ length: 9 }, (_, i) => i * 14);

/** "King of spades" for "KS"; null for a text that is not a card. */
export function cardName(card: string): string | null {
  const suit = SUITS[card.slice(-1) as Suit];
  const rank = card.slice(0, -1);
  if (!suit || !/^(A|K|Q|J|10|[2-9])$/.test(rank)) return null;
  const value = say(RANKS[rank] ?? rank);
  const of = {
    S: t`${value} of spades`,
    H: t`${value} of hearts`,
    D: t`${value} of diamonds`,
    C: t`${value} of clubs`,
  };
  return of[card.slice(-1) as Suit];
}

/** A playing card by code: "AS", "10H"; "back" is face down; null is the empty place of the same size. */
export function PlayingCard({ card, width = 56 }: { card: string | null; width?: number }) {
  const size = { '--w': `${width}px` } as object;
  if (card === null) return <span className={css.place} style={size} />;
  const name = cardName(card);
  if (name === null) return <CardBack size={size} />;
  const suit = SUITS[card.slice(-1) as Suit];
  const ink = suit.red ? 'var(--card-red)' : 'var(--card-black)';
  return (
    <svg className={css.card} style={size} viewBox="0 0 50 70" role="img" aria-label={name}>
      <rect x=".5" y=".5" width="49" height="69" rx="5.5" fill="var(--card-face)" stroke="var(--card-edge)" />
      <text x="5.5" y="20" fontSize="18" fontWeight="720" fill={ink} letterSpacing="-.06em">
        {card.slice(0, -1)}
      </text>
      <path d={suit.path} fill={ink} transform="translate(5 23.5) scale(.5)" />
      <path d={suit.path} fill={ink} transform="translate(17 36.5) scale(1.18)" />
    </svg>
  );
}

function CardBack({ size }: { size: object }) {
  return (
    <svg className={css.card} style={size} viewBox="0 0 50 70" role="img" aria-label={t`Card face down`}>
      <rect x=".5" y=".5" width="49" height="69" rx="5.5" fill="var(--card-face)" stroke="var(--card-edge)" />
      <rect x="3.5" y="3.5" width="43" height="63" rx="3.5" fill="var(--card-back)" />
      <g stroke="rgba(255,255,255,.1)" strokeWidth=".8">
        {WEAVE.map((y) => (
          <path key={y} d={`M3.5 ${y - 40}L46.5 ${y + 3}M46.5 ${y - 40}L3.5 ${y + 3}`} />
        ))}
      </g>
      <rect x="15" y="23" width="20" height="24" rx="4" fill="var(--card-back)" />
      <rect x="17" y="27.5" width="16" height="5.5" rx="1.5" fill="#74c7ff" />
      <rect x="17" y="37" width="16" height="5.5" rx="1.5" fill="#fc9cbd" />
    </svg>
  );
}
