import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { PRICES } from './ladder-book.ts';
import css from '../ui/ladder.module.css';

/** Rows drawn beyond those in sight. */
const MORE = 8;
/** Before the browser has laid the ladder out. */
const ROW_PX = 25;
const VIEW_PX = 27 * ROW_PX;

/** The part of the ladder in sight. */
export function useView(box: RefObject<HTMLDivElement | null>, middle: number | null) {
  const [top, setTop] = useState(0);
  const measure = useCallback(() => {
    const element = box.current;
    const row = element?.querySelector<HTMLElement>(`.${css.rung}`)?.offsetHeight || ROW_PX;
    return { row, seen: Math.max(1, Math.floor((element?.clientHeight || VIEW_PX) / row)) };
  }, [box]);
  const goTo = useCallback(
    (first: number) => {
      const { row, seen } = measure();
      const next = Math.max(0, Math.min(PRICES.length - seen, first));
      if (box.current) box.current.scrollTop = next * row;
      setTop(next);
    },
    [box, measure],
  );
  const centreOn = useCallback((row: number) => goTo(row - (measure().seen >> 1)), [goTo, measure]);
  // Once, as soon as there is a market to centre on.
  const centred = useRef(false);
  useLayoutEffect(() => {
    if (centred.current || middle === null) return;
    centred.current = true;
    centreOn(middle);
  }, [middle, centreOn]);
  // A box that grows or shrinks shows another number of rows; of rows that do (a screen that is turned), the middle one stays.
  const [, draw] = useState(0);
  const before = useRef<ReturnType<typeof measure> | null>(null);
  const sized = useEffectEvent(() => {
    const [was, now] = [before.current, measure()];
    before.current = now;
    if (was && was.row !== now.row) goTo(top + (was.seen >> 1) - (now.seen >> 1));
    draw((n) => n + 1);
  });
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => sized());
    observer.observe(element);
    // As high as all rows.
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [box]);
  const { seen } = measure();
  const shows = (row: number) => row >= top && row < top + seen;
  return {
    from: Math.max(0, top - MORE),
    to: Math.min(PRICES.length, top + seen + MORE),
    /** Where the market is, when it is out of sight. */
    away: middle === null || shows(middle) ? null : middle < top ? ('above' as const) : ('below' as const),
    shows,
    onScroll: () => setTop(Math.round((box.current?.scrollTop ?? 0) / measure().row)),
    centre: () => {
      if (middle !== null) centreOn(middle);
    },
    /** Brings a row into sight, where it is not. */
    show: (row: number) => {
      if (!shows(row)) centreOn(row);
    },
  };
}
