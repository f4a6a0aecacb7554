/**
 * Bets by id. Ids come in rising order, so they are kept in a sorted list and found by a guess and a short search; that is
 * several times cheaper than a hash map at a million bets. Bets that come back from an archive are older than the last
 * and go to a map beside it.
 */
import type { Order } from './state.ts';
import type { BetId } from './types.ts';

export class OrderIndex {
  #ids = new Float64Array(1024);
  #items: Array<Order | null> = [];
  #gone = 0;
  readonly #old = new Map<BetId, Order>();

  get(id: BetId): Order | undefined {
    const at = this.#find(id);
    return (at < 0 ? undefined : this.#items[at]) ?? (this.#old.size > 0 ? this.#old.get(id) : undefined);
  }

  set(id: BetId, order: Order): void {
    const count = this.#items.length;
    if (count > 0 && id <= this.#ids[count - 1]!) {
      this.#old.set(id, order);
      return;
    }
    if (count === this.#ids.length) {
      const ids = new Float64Array(count * 2);
      ids.set(this.#ids);
      this.#ids = ids;
    }
    this.#ids[count] = id;
    this.#items.push(order);
  }

  delete(id: BetId): void {
    if (this.#old.delete(id)) return;
    const at = this.#find(id);
    if (at < 0 || this.#items[at] === null) return;
    this.#items[at] = null;
    this.#gone++;
    if (this.#gone > 1024 && this.#gone * 2 > this.#items.length) this.#compact();
  }

  *values(): Generator<Order> {
    for (const order of this.#items) if (order !== null) yield order;
    yield* this.#old.values();
  }

  /** Place of an id in the sorted list, or -1. */
  #find(id: BetId): number {
    const ids = this.#ids;
    let lo = 0;
    let hi = this.#items.length - 1;
    if (hi < 0 || !(id >= ids[0]!) || id > ids[hi]!) return -1;
    // Ids are usually dense: guess by proportion twice, then halve.
    for (let tries = 0; lo < hi; tries++) {
      const first = ids[lo]!;
      const last = ids[hi]!;
      if (id < first || id > last) return -1;
      let at = (lo + hi) >>> 1;
      if (tries < 4) at = lo + Math.floor(((id - first) / (last - first)) * (hi - lo));
      const found = ids[at]!;
      if (found === id) return at;
      if (found < id) lo = at + 1;
      else hi = at - 1;
    }
    return lo === hi && ids[lo] === id ? lo : -1;
  }

  #compact(): void {
    let count = 0;
    const items: Order[] = [];
    for (let i = 0; i < this.#items.length; i++) {
      const order = this.#items[i]!;
      if (order === null) continue;
      this.#ids[count++] = this.#ids[i]!;
      items.push(order);
    }
    this.#items = items;
    this.#gone = 0;
  }
}
