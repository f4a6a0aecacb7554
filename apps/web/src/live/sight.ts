import { type RefCallback, useCallback, useEffect, useRef } from 'react';
import { watchMatches } from './match-socket.ts';

/** Rows this far outside the screen are followed already, so that they come into sight with live prices. */
const MARGIN_PX = 500;
/** A row that was scrolled past is followed a little longer: who scrolls often comes back. */
const LINGER_MS = 2000;

const onSight = new WeakMap<Element, (seen: boolean) => void>();
let observer: IntersectionObserver | null = null;

function observe(element: Element, seen: (now: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) onSight.get(entry.target)?.(entry.isIntersecting);
    },
    { rootMargin: `${MARGIN_PX}px 0px` },
  );
  onSight.set(element, seen);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    onSight.delete(element);
  };
}

/** Tells whether an element is in sight, or near it. The answer goes to the element as its ref. */
export const useInSight = (onChange: (seen: boolean) => void): RefCallback<Element> =>
  useCallback((element: Element | null) => (element ? observe(element, onChange) : undefined), [onChange]);

/** Follows the first price of a match while its row is in sight. The answer goes to the row as its ref. */
export function useWatchInSight(matchId: number): RefCallback<Element> {
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  return useCallback(
    (element: Element | null) => {
      stop.current?.();
      stop.current = null;
      if (!element) return;
      let leave: (() => void) | null = null;
      let linger: ReturnType<typeof setTimeout> | undefined;
      const unobserve = observe(element, (seen) => {
        clearTimeout(linger);
        if (seen) leave ??= watchMatches([matchId], 'head');
        else if (leave) {
          linger = setTimeout(() => {
            leave?.();
            leave = null;
          }, LINGER_MS);
        }
      });
      stop.current = () => {
        clearTimeout(linger);
        unobserve();
        leave?.();
      };
    },
    [matchId],
  );
}
