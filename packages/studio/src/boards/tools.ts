/** Small hooks that boards share. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** Tells the kit when the motion of a fresh answer is over (at once without motion). True while it runs. */
export function useShown(fresh: boolean, motion: boolean, ms: number, onShown: () => void): boolean {
  const latest = useRef(onShown);
  useEffect(() => {
    latest.current = onShown;
  });
  useEffect(() => {
    if (!fresh) return;
    const timer = setTimeout(() => latest.current(), motion ? ms : 0);
    return () => clearTimeout(timer);
  }, [fresh, motion, ms]);
  return fresh && motion;
}

/** The size of an element in px, whole; 0 by 0 before it is laid out. */
export function useSize(ref: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width: Math.round(width), height: Math.round(height) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}

/** Where an arrow key leads on a grid read row by row; null for other keys and over the edge. */
export function onGrid(key: string, at: number, columns: number, count: number): number | null {
  const column = at % columns;
  if (key === 'ArrowLeft') return column > 0 ? at - 1 : null;
  if (key === 'ArrowRight') return column < columns - 1 && at + 1 < count ? at + 1 : null;
  if (key === 'ArrowUp') return at >= columns ? at - columns : null;
  if (key === 'ArrowDown') return at + columns < count ? at + columns : null;
  if (key === 'Home') return at - column;
  if (key === 'End') return Math.min(count - 1, at - column + columns - 1);
  return null;
}
