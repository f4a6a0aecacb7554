import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from './routing.tsx';

/** Where the entries of the history were left; the oldest go first. */
const places = new Map<string, number>();
const MOST = 50;
/** A screen that is come back to has its height again within this, from the readings it kept, on a slow phone too. */
const GROWS_MS = 4000;

/**
 * On each route change the window scrolls to the top (PUB-09), and focus that was lost with the old screen goes to the new
 * one. Back and Forward come to the place that was left: the player is still in his list.
 */
export function useScrollPlace(): void {
  const { pathname, key } = useLocation();
  const back = useNavigationType() === 'POP';
  const first = useRef(true);

  // Before the page moves: what it does then belongs to the new entry already.
  useLayoutEffect(() => {
    const keep = () => {
      places.delete(key);
      places.set(key, window.scrollY);
      if (places.size > MOST) places.delete(places.keys().next().value!);
    };
    window.addEventListener('scroll', keep, { passive: true });
    return () => window.removeEventListener('scroll', keep);
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what this follows
  useLayoutEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const place = back ? (places.get(key) ?? 0) : 0;
    const stop = scrollTo(place);
    if (document.activeElement === null || document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
    return stop;
  }, [pathname]);
}

/** Goes to a place, and again as the page grows to it; the player's own scrolling ends that. */
function scrollTo(place: number): () => void {
  window.scrollTo(0, place);
  if (place === 0 || typeof ResizeObserver === 'undefined') return () => undefined;
  const observer = new ResizeObserver(() => {
    if (window.scrollY < place) window.scrollTo(0, place);
    if (window.scrollY >= place) stop();
  });
  const timer = setTimeout(() => stop(), GROWS_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const act of ['wheel', 'touchstart', 'keydown'] as const) window.removeEventListener(act, stop);
  };
  for (const act of ['wheel', 'touchstart', 'keydown'] as const) window.addEventListener(act, stop, { passive: true });
  observer.observe(document.documentElement);
  return stop;
}
