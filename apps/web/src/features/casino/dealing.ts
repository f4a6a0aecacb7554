import { useRef } from 'react';

const APART_MS = 90;

/**
 * Which cards are dealt before the player's eyes, and when: a card that comes while the table is on the screen slides in,
 * 90 ms after the one before it; the cards that lay there when the screen opened just lie there. Gives the delay in ms,
 * or null for a card that does not move. (Reduced motion is the style sheet's: cards are there at once.)
 */
export function useDealing(mid: string, count: number): (at: number) => number | null {
  const held = useRef<{ mid: string; seen: number; delays: Map<number, number> } | null>(null);
  if (held.current === null) held.current = { mid, seen: count, delays: new Map() };
  else if (held.current.mid !== mid) held.current = { mid, seen: 0, delays: new Map() };
  const now = held.current;
  for (let at = now.seen; at < count; at++) now.delays.set(at, (at - now.seen) * APART_MS);
  now.seen = Math.max(now.seen, count);
  return (at) => now.delays.get(at) ?? null;
}
