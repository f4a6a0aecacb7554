/** What waits for the writer, first in first out, without the cost of shifting an array. */
export interface Queue<T> {
  readonly length: number;
  push(item: T): void;
  /** Puts items before all others, in their order. */
  unshift(items: readonly T[]): void;
  shift(): T | undefined;
  first(): T | undefined;
  /** Takes all items out. */
  clear(): T[];
}

export function createQueue<T>(): Queue<T> {
  let items: T[] = [];
  let head = 0;
  return {
    get length() {
      return items.length - head;
    },
    push(item) {
      items.push(item);
    },
    unshift(front) {
      items = [...front, ...items.slice(head)];
      head = 0;
    },
    shift() {
      if (head >= items.length) return undefined;
      const item = items[head]!;
      head++;
      if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    first: () => items[head],
    clear() {
      const all = items.slice(head);
      items = [];
      head = 0;
      return all;
    },
  };
}
