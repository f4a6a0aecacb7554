import type { ReactNode } from 'react';

/** The amber In-play mark. */
export function LiveBadge({ pill = false, children = 'In-play' }: { pill?: boolean; children?: ReactNode }) {
  return <span className={pill ? 'live live--pill' : 'live'}>{children}</span>;
}

/** A letter tag of a list, "BM" or "F"; `title` says it in words. */
export function Tag({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span className="tag" title={title}>
      {children}
    </span>
  );
}

/** A small filled label with an optional icon. */
export function Chip({ tone, children }: { tone?: 'back' | 'lay' | 'pos' | 'neg' | 'live'; children: ReactNode }) {
  return <span className={tone ? `chip chip--${tone}` : 'chip'}>{children}</span>;
}

/** B, L, Y or N: the side of a bet. Yes counts as back, No as lay. */
export function SideChip({ side, letter }: { side: 'back' | 'lay'; letter?: 'B' | 'L' | 'Y' | 'N' }) {
  const shown = letter ?? (side === 'back' ? 'B' : 'L');
  const words = { B: 'Back', L: 'Lay', Y: 'Yes', N: 'No' }[shown];
  return (
    <span className={`side-chip side-chip--${side === 'back' ? 'b' : 'l'}`} role="img" aria-label={words}>
      {shown}
    </span>
  );
}

/** A round count beside a title. `on` is the strong one. */
export function Count({ n, on = false }: { n: number; on?: boolean }) {
  return <span className={on ? 'cnt cnt--on' : 'cnt'}>{n}</span>;
}
