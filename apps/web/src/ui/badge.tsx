import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './controls.module.css';

/** The amber In-play mark. */
export function LiveBadge({ pill = false, children = t`In-play` }: { pill?: boolean; children?: ReactNode }) {
  return <span className={cx(css.live, pill && css.livePill)}>{children}</span>;
}

/** A letter tag of a list, "BM" or "F"; `title` says it in words. */
export function Tag({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span className={css.tag} title={title}>
      {children}
    </span>
  );
}

const TONES = {
  back: css.chipBack,
  lay: css.chipLay,
  pos: css.chipGood,
  neg: css.chipBad,
  live: css.chipLive,
} as const;

/** A small filled label with an optional icon. */
export function Chip({ tone, children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return <span className={cx(css.chip, tone && TONES[tone])}>{children}</span>;
}

/** B, L, Y or N: the side of a bet. Yes counts as back, No as lay. */
export function SideChip({ side, letter }: { side: 'back' | 'lay'; letter?: 'B' | 'L' | 'Y' | 'N' }) {
  const shown = letter ?? (side === 'back' ? 'B' : 'L');
  const words = {
    B: t({ message: 'Back', context: 'bet' }),
    L: t({ message: 'Lay', context: 'bet' }),
    Y: t({ message: 'Yes', context: 'bet' }),
    N: t({ message: 'No', context: 'bet' }),
  }[shown];
  return (
    <span className={cx(css.side, side === 'back' ? css.sideBack : css.sideLay)} role="img" aria-label={words}>
      {shown}
    </span>
  );
}

/** A round count beside a title. `on` is the strong one. */
export function Count({ n, on = false }: { n: number; on?: boolean }) {
  return <span className={cx(css.count, on && css.countOn)}>{n}</span>;
}
