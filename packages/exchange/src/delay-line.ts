/**
 * Delayed bets, soonest first, by id among equals: a binary heap. A bet that ended meanwhile stays until it comes to the
 * top; its key is kept beside it, since the bet itself forgets when it was due.
 */
import type { Order } from './state.ts';

interface Entry {
  dueAt: number;
  order: Order;
}

export class DelayLine {
  readonly #heap: Entry[] = [];

  add(order: Order): void {
    const heap = this.#heap;
    const entry: Entry = { dueAt: order.dueAt, order };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!isSooner(entry, heap[up]!)) break;
      heap[at] = heap[up]!;
      at = up;
    }
    heap[at] = entry;
  }

  /** The bet whose turn comes first; null without any. */
  first(): Order | null {
    while (this.#heap.length > 0) {
      const { order } = this.#heap[0]!;
      if (order.status === 'PENDING') return order;
      this.#drop();
    }
    return null;
  }

  /** Takes the first out when it is due by `now`; null when none is. */
  takeDue(now: number): Order | null {
    const order = this.first();
    if (order === null || order.dueAt > now) return null;
    this.#drop();
    return order;
  }

  #drop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && isSooner(heap[down + 1]!, heap[down]!)) down++;
      if (!isSooner(heap[down]!, last)) break;
      heap[at] = heap[down]!;
      at = down;
    }
    heap[at] = last;
  }
}

function isSooner(a: Entry, b: Entry): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order.id < b.order.id);
}
