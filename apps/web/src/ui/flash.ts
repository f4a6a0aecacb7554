/**
 * The mark of a moved price: a class on the cell, taken off by one timer for all cells. An animation per cell would take
 * nine tenths of the main thread at two thousand changes a second; this costs next to nothing.
 */
const HOLD_MS = 315;
const TOTAL_MS = 900;
const REDUCED_MS = 1200;
const AGAIN_MS = 250;
const SWEEP_MS = 100;

export type Move = 'up' | 'down';

const marked = new Map<HTMLElement, number>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Marks a cell. Within 250 ms of the last mark the cell is repainted but not marked again. */
export function flash(cell: HTMLElement, move: Move, nowMs: number = performance.now()): void {
  const since = marked.get(cell);
  if (since !== undefined && nowMs - since < AGAIN_MS) return;
  marked.set(cell, nowMs);
  const list = cell.classList;
  list.remove('is-fading', move === 'up' ? 'is-dn' : 'is-up');
  list.add(move === 'up' ? 'is-up' : 'is-dn');
  timer ??= setInterval(sweep, SWEEP_MS);
}

function sweep(): void {
  const now = performance.now();
  const total = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? REDUCED_MS : TOTAL_MS;
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
