import { type RefCallback, useCallback, useEffect, useRef, useState } from 'react';
import { watchMatches } from './match-socket.ts';

/** Rows this far outside the screen are followed already, so that they come into sight with live prices. */
const MARGIN_PX = 500;
/** A row that was scrolled past is followed a little longer: who scrolls often comes back. */
const LINGER_MS = 2000;

const onSight = new WeakMap<Element, (seen: boolean) => void>();
let observer: IntersectionObserver | null = null;

function observe(element: Element, seen: (now: boolean) => void): () => void {
  observer ??= new IntersectionObserver(tell, { rootMargin: `${MARGIN_PX}px 0px` });
  onSight.set(element, seen);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    onSight.delete(element);
  };
}

/** Stands outside of what makes the observer: from within it would hold the first element ever seen, and its whole screen. */
function tell(entries: IntersectionObserverEntry[]): void {
  for (const entry of entries) onSight.get(entry.target)?.(entry.isIntersecting);
}

/** Tells whether an element is in sight, or near it. The answer goes to the element as its ref. */
export const useInSight = (onChange: (seen: boolean) => void): RefCallback<Element> =>
  useCallback((element: Element | null) => (element ? observe(element, onChange) : undefined), [onChange]);

/**
 * Follows the first price of a match while its row is in sight. Answers the row's ref, and whether its prices are to be drawn:
 * what is far from the screen has none. A row with the keyboard in it, or with a price that is in the slip, keeps them.
 */
export function useWatchInSight(matchId: number, drawnAtFirst: boolean): [RefCallback<Element>, boolean] {
  const [drawn, setDrawn] = useState(drawnAtFirst);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  const row = useCallback(
    (element: Element | null) => {
      stop.current?.();
      stop.current = null;
      if (!element) return;
      let leave: (() => void) | null = null;
      let linger: ReturnType<typeof setTimeout> | undefined;
      const goBy = () => {
        leave?.();
        leave = null;
        if (isHeld(element)) linger = setTimeout(goBy, LINGER_MS);
        else setDrawn(false);
      };
      const unobserve = observe(element, (seen) => {
        clearTimeout(linger);
        if (seen) {
          leave ??= watchMatches([matchId], 'head');
          setDrawn(true);
        } else linger = setTimeout(goBy, leave ? LINGER_MS : 0);
      });
      stop.current = () => {
        clearTimeout(linger);
        unobserve();
        leave?.();
      };
    },
    [matchId],
  );
  return [row, drawn];
}

const isHeld = (row: Element): boolean => row.contains(document.activeElement) || row.querySelector('.is-sel') !== null;
