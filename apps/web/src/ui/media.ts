import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** Mobile: 768 px or less (specification 9). */
export const PHONE = '(max-width: 768px)';
/** One column: the rail is a drawer. */
export const NARROW = '(max-width: 980px)';
/** Compact header, sidebar in a drawer. */
export const COMPACT = '(max-width: 1199px)';
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

/** True while the media query matches. Asked of one list: the browser keeps something for each that is ever made. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => window.matchMedia(query), [query]);
  const subscribe = useCallback(
    (listener: () => void) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}
