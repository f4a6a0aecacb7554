import { performance } from 'node:perf_hooks';

/** What a row said counts this long where nobody could tell of a change. */
const TRUST_MS = 5000;
const MOST_HELD = 10_000;

/** Rows that were read a moment ago, by name. What is not there is asked for again each time. */
export class Held<T> {
  private readonly rows = new Map<string, { value: T; until: number }>();
  /** Rises with everything forgotten: what was under way then must not come back. */
  private turn = 0;

  async get(name: string, read: () => Promise<T | null>): Promise<T | null> {
    const known = this.rows.get(name);
    if (known && known.until > performance.now()) return known.value;
    this.rows.delete(name);
    const { turn } = this;
    const value = await read();
    if (value === null || turn !== this.turn) return value;
    if (this.rows.size >= MOST_HELD) this.rows.delete(this.rows.keys().next().value!);
    this.rows.set(name, { value, until: performance.now() + TRUST_MS });
    return value;
  }

  forget(which: (value: T) => boolean): void {
    this.turn++;
    for (const [name, { value }] of this.rows) if (which(value)) this.rows.delete(name);
  }

  values(): T[] {
    return [...this.rows.values()].map(({ value }) => value);
  }
}
