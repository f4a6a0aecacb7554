import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { partAt } from '../ui/step-chart.tsx';
import css from './betting.module.css';

interface Props {
  label: string;
  /** Twice as near (1), as far (-1), or the whole (0); `part` of the time stays in its place. */
  onZoom: (by: 1 | -1 | 0, part?: number) => void;
  onMove: (direction: 1 | -1) => void;
  children: ReactNode;
}

/** So far a wheel turns for one step: a notch of a mouse is more, a touchpad tells many small ones. */
const STEP_PX = 60;

/**
 * A drawing that is zoomed by wheel and keys. A page that is scrolled must not end in a chart that lies on its way: the wheel zooms where
 * the drawing has the focus (a press gives it), or with Ctrl, which is also how browsers tell of two fingers on a touchpad.
 */
export function Zoomed({ label, onZoom, onMove, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let turned = 0;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !element.contains(document.activeElement)) return;
      event.preventDefault();
      const by = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : STEP_PX);
      turned = Math.sign(by) === Math.sign(turned) ? turned + by : by;
      if (Math.abs(turned) < STEP_PX) return;
      const part = partAt(element.getBoundingClientRect(), event.clientX);
      zoom.current(turned < 0 ? 1 : -1, Math.max(0, Math.min(1, part)));
      turned = 0;
    };
    // The page must be held: React listens to wheels passively.
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, []);
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const deed = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
    if (deed === undefined) return;
    // The keys of the page mean something else.
    event.preventDefault();
    event.stopPropagation();
    if (deed === 'earlier' || deed === 'later') onMove(deed === 'later' ? 1 : -1);
    else onZoom(deed);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
    <div
      className={css.zoomed}
      ref={box}
      role="group"
      aria-label={label}
      aria-keyshortcuts="+ - 0 ArrowLeft ArrowRight"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys
      tabIndex={0}
      onKeyDown={press}
    >
      {children}
    </div>
  );
}

const KEYS: Readonly<Record<string, 1 | -1 | 0 | 'earlier' | 'later'>> = {
  '+': 1,
  '=': 1,
  '-': -1,
  '0': 0,
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
};
