import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

export type Align = 'start' | 'center' | 'end';

const GAP = 6;
const EDGE = 8;

/**
 * The behaviour under `Popover` and `Menu`: a box of the browser's popover layer beside its trigger. `auto` boxes close on
 * Esc and on a press outside and give the focus back; here they are placed under the trigger (above it where there is no
 * room), follow it while the page scrolls, and can be steered from outside.
 */
export function useAnchored(
  trigger: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
  align: Align,
  control?: { open: boolean | undefined; onOpenChange: ((open: boolean) => void) | undefined },
): { open: boolean; opened: number; close: () => void; toggle: () => void } {
  const [opened, setOpened] = useState(0);
  const open = opened > 0;
  const wanted = control?.open;
  const tell = control?.onOpenChange;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onToggle = (event: Event) => {
      const next = (event as ToggleEvent).newState === 'open';
      // Closed and opened again in one turn is told as open only: it is another opening all the same.
      setOpened((before) => (next ? before + 1 : 0));
      tell?.(next);
    };
    element.addEventListener('toggle', onToggle);
    return () => element.removeEventListener('toggle', onToggle);
  }, [box, tell]);

  useEffect(() => {
    if (wanted !== undefined && wanted !== isOpen(box.current)) box.current?.togglePopover(wanted);
  }, [wanted, box]);

  useLayoutEffect(() => {
    if (!open) return;
    const place = () => {
      if (trigger.current && box.current) put(box.current, trigger.current, align);
    };
    place();
    // What it shows may come later than the box.
    const grown = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(place);
    if (box.current) grown?.observe(box.current);
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      grown?.disconnect();
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
    };
  }, [open, align, trigger, box]);

  return {
    open,
    opened,
    close: () => box.current?.togglePopover(false),
    toggle: () => box.current?.togglePopover(),
  };
}

/** Whether a box of the popover layer is open: Esc closes that, and means nothing else. */
export const isAnyOpen = (): boolean => document.querySelector(':popover-open') !== null;

function isOpen(box: HTMLElement | null): boolean {
  return box?.matches(':popover-open') ?? false;
}

function put(box: HTMLElement, trigger: HTMLElement, align: Align): void {
  const at = trigger.getBoundingClientRect();
  const width = box.offsetWidth;
  const height = box.offsetHeight;
  const left = align === 'start' ? at.left : align === 'end' ? at.right - width : at.left + (at.width - width) / 2;
  const below = at.bottom + GAP;
  const room = window.innerHeight - EDGE - height;
  box.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE))}px`;
  // Under it, above it, or as low as the window lets it be seen whole.
  const above = at.top - GAP - height;
  box.style.top = `${below <= room ? below : above >= EDGE ? above : Math.max(EDGE, room)}px`;
}
