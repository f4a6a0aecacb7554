import { cx } from '../../ui/cx.ts';
import css from './hand.module.css';

/** Who deals where no picture comes: two hands at the edge of the baize, the shoe they deal from, the tray of past cards. */
export function Dealer({ cards }: { cards: number }) {
  return (
    <div className={css.dealer} aria-hidden="true">
      <svg className={css.hand} viewBox="0 0 200 60" aria-hidden="true">
        <Arm className={css.left} flip={false} />
        {/* A new element for each card: its motion begins anew. */}
        <Arm key={cards} className={cx(css.right, cards > 0 && 'is-dealing')} flip />
      </svg>
      <svg className={css.shoe} viewBox="0 0 84 52" aria-hidden="true">
        <path d="M6 12L62 2l18 14v28L20 50 6 40Z" fill="#0d0b09" />
        <path d="M6 12L62 2l18 14-56 11Z" fill="#3a322b" />
        <path d="M24 27l56-11v28L24 50Z" fill="#241e19" />
        <path d="M6 12l18 15v23L6 40Z" fill="#181410" />
        <path d="M9 19l13 11v11L9 31Z" fill="#fbf8f1" />
        <path d="M11 24l9 7.500v6L11 30Z" fill="#1c2b3a" />
        <path d="M62 2l18 14" stroke="#8a6446" strokeWidth="1" />
        <rect x="44" y="29" width="14" height="4" rx="1.500" fill="#74c7ff" transform="skewY(-11) translate(0 9)" />
        <rect x="44" y="36" width="14" height="4" rx="1.500" fill="#fc9cbd" transform="skewY(-11) translate(0 9)" />
      </svg>
    </div>
  );
}

/** A sleeve with its cuff and a hand seen from above, the thumb to the middle. */
function Arm({ className, flip }: { className: string; flip: boolean }) {
  return (
    <g className={className}>
      <g transform={flip ? 'translate(200 0) scale(-1 1)' : undefined}>
        <path d="M30-14L64-14L82 22L58 30Z" fill="#1d1a20" />
        <path d="M57 27L82 18l4 8-25 10Z" fill="#f3efe8" />
        <path
          d="M63 34c6-4 13-6 20-7 3 5 8 10 13 14 2 2 0 5-3 4l-8-5c3 5 7 9 9 13 1 3-2 4-4 2l-10-11c2 5 4 9 5 12 1 3-3 4-4 1l-6-11c0 4 1 7 1 9 0 3-4 3-4 0-1-4-3-9-9-21Z"
          fill="#c68e63"
        />
        <path d="M83 27c6 0 11 2 16 3 3 1 3 4 0 4-5 1-9-1-13-2Z" fill="#b97f55" />
        <path d="M72 36l5 8M77 33l8 9" stroke="#a06b45" strokeWidth=".9" fill="none" strokeLinecap="round" />
      </g>
    </g>
  );
}
