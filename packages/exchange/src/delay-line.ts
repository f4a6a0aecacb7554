/**
 * What waits for a time, soonest first, by id among equals: a binary heap. What ended meanwhile stays until it comes to the
 * top; its key is kept beside it, since a bet itself forgets when it was due.
 */
interface Waiting {
  id: number;
  dueAt: number;
}

interface Entry<T> {
  dueAt: number;
  one: T;
}

export class DelayLine<T extends Waiting> {
  readonly #heap: Array<Entry<T>> = [];
  readonly #isWaiting: (one: T) => boolean;

  constructor(isWaiting: (one: T) => boolean) {
    this.#isWaiting = isWaiting;
  }

  add(one: T): void {
    const heap = this.#heap;
    const entry: Entry<T> = { dueAt: one.dueAt, one };
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

  /** Whose turn comes first; null without any. */
  first(): T | null {
    while (this.#heap.length > 0) {
      const { one } = this.#heap[0]!;
      if (this.#isWaiting(one)) return one;
      this.#drop();
    }
    return null;
  }

  /** Takes the first out when it is due by `now`; null when none is. */
  takeDue(now: number): T | null {
    const one = this.first();
    if (one === null || one.dueAt > now) return null;
    this.#drop();
    return one;
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

function isSooner<T extends Waiting>(a: Entry<T>, b: Entry<T>): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.one.id < b.one.id);
}
