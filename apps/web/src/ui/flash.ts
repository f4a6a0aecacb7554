import { REDUCED_MOTION } from './media.ts';

/**
 * The mark of a moved price: a class on the cell, taken off by one timer for all cells. An animation per cell would take
 * nine tenths of the main thread at two thousand changes a second; this costs next to nothing.
 */
const HOLD_MS = 315;
const TOTAL_MS = 1000;
const REDUCED_MS = 1200;
/** A cell lights up at most once a second (A11Y-07); a move within it turns the arrow only. */
const AGAIN_MS = 1000;
const SWEEP_MS = 100;

export type Move = 'up' | 'down';

const marked = new Map<HTMLElement, number>();
let timer: ReturnType<typeof setInterval> | undefined;
let sweptAt = 0;
/** One for all sweeps: ten a second are made all day. */
let reduced: MediaQueryList | undefined;

/** Marks a cell. Within a second of the last mark the cell does not light up again, but shows the newest direction. */
export function flash(cell: HTMLElement, move: Move, nowMs: number = performance.now()): void {
  const since = marked.get(cell);
  const list = cell.classList;
  list.remove(move === 'up' ? 'is-dn' : 'is-up');
  list.add(move === 'up' ? 'is-up' : 'is-dn');
  if (since !== undefined && nowMs - since < AGAIN_MS) return;
  marked.set(cell, nowMs);
  list.remove('is-fading');
  // In a frame that paints new prices anyway; by the timer only when no price moves.
  if (nowMs - sweptAt >= SWEEP_MS) sweep(nowMs);
  timer ??= setInterval(() => {
    if (performance.now() - sweptAt >= 1.5 * SWEEP_MS) requestAnimationFrame(sweep);
  }, SWEEP_MS);
}

function sweep(now: number): void {
  sweptAt = now;
  reduced ??= window.matchMedia(REDUCED_MOTION);
  const total = reduced.matches ? REDUCED_MS : TOTAL_MS;
  for (const [cell, since] of marked) {
    if (now - since >= total || !cell.isConnected) {
      cell.classList.remove('is-up', 'is-dn', 'is-fading');
      marked.delete(cell);
    } else if (now - since >= HOLD_MS) {
      cell.classList.add('is-fading');
    }
  }
  if (marked.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
}
