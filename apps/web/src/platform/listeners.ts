/** Listeners by key, so that a change wakes only those that show it. */
export class Listeners {
  readonly #of = new Map<string, Set<() => void>>();

  has(key: string): boolean {
    return this.#of.has(key);
  }

  add(key: string, listener: () => void): () => void {
    const set = this.#of.get(key) ?? new Set();
    this.#of.set(key, set);
    set.add(listener);
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.#of.get(key) === set) this.#of.delete(key);
    };
  }

  /** A listener may add and remove others while it is told. */
  tell(key: string): void {
    for (const listener of Array.from(this.#of.get(key) ?? [])) listener();
  }
}
