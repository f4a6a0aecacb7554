import { type RefObject, useEffect, useState } from 'react';

/**
 * Whether a list may leave its far rows undrawn (`content-visibility`): once each was laid out, so that the browser knows its
 * height (`contain-intrinsic-size: auto`) and the list is as long as it looks. What changes the list's size, such as new
 * rows, a turned phone or larger letters, has every row laid out and measured again.
 */
export function useKeptHeights(list: RefObject<HTMLElement | null>): boolean {
  const [kept, setKept] = useState(false);
  useEffect(() => {
    const element = list.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    let frame = 0;
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      // One frame lays every row out, at whose end the browser notes their heights; the next may leave them out.
      frame = requestAnimationFrame(() => {
        setKept(false);
        frame = requestAnimationFrame(() => {
          frame = requestAnimationFrame(() => setKept(true));
        });
      });
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [list]);
  return kept;
}
