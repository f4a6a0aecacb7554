import { type RefObject, useEffect, useState } from 'react';

/** The width of a drawing's box in CSS pixels, never under `least`; 800 until it is measured. */
export function useWidth(box: RefObject<HTMLElement | null>, least: number): number {
  const [width, setWidth] = useState(800);
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(least, Math.round(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, least]);
  return width;
}
