import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './cx.ts';
import { NARROW, PHONE, useMedia } from './media.ts';
import css from './shell.module.css';

const SLOTS = {
  tv: css.slotPicture,
  slip: css.slotSlip,
  bets: css.slotBets,
  more: css.slotMore,
} as const;

/** The order in the rail from the top. */
export type RailSlot = keyof typeof SLOTS;

/**
 * - `side`: the rail stands at the right (981 px and up);
 * - `drawer`: it is a drawer that `setOpen` opens (769 to 980);
 * - `none`: a phone: the slip opens under the tapped row or in a `Sheet`, so draw it there.
 */
type RailMode = 'side' | 'drawer' | 'none';

type RailState = {
  mode: RailMode;
  open: boolean;
  setOpen: (open: boolean) => void;
  element: HTMLElement | null;
  setElement: (element: HTMLElement | null) => void;
};

const RailContext = createContext<RailState | null>(null);

/** Around the shell: gives its features the rail. */
export function RailProvider({ children }: { children: ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const narrow = useMedia(NARROW);
  const phone = useMedia(PHONE);
  const mode: RailMode = phone ? 'none' : narrow ? 'drawer' : 'side';
  const value = useMemo(() => ({ mode, open, setOpen, element, setElement }), [mode, open, element]);
  return <RailContext value={value}>{children}</RailContext>;
}

/** How the rail is shown now, and the way to open it as a drawer. Outside a shell: none. */
export function useRail(): Pick<RailState, 'mode' | 'open' | 'setOpen'> {
  return useContext(RailContext) ?? OUTSIDE;
}

/** Draws its children in the rail of the shell, in the place of their slot. Nothing where there is no rail. */
export function Rail({ slot, children }: { slot: RailSlot; children: ReactNode }) {
  const rail = useContext(RailContext);
  if (!rail?.element) return null;
  return createPortal(<div className={cx(css.slot, SLOTS[slot])}>{children}</div>, rail.element);
}

/** Where the rail's content appears; drawn by the shell, in the column or in the drawer. */
export function RailOutlet({ className = '' }: { className?: string }) {
  const setElement = useContext(RailContext)?.setElement;
  const ref = useCallback((element: HTMLElement | null) => setElement?.(element), [setElement]);
  return <div ref={ref} className={className} />;
}

const OUTSIDE = { mode: 'none' as const, open: false, setOpen: () => {} };
