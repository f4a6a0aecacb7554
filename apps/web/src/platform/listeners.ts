/** Those who want to be told of one thing. `on` answers how to stop; both can be handed on without their signal. */
export class Signal<What extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...what: What) => void>();

  readonly on = (listener: (...what: What) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** A listener may add and remove others while it is told: who went is not told any more, who came is told next time. */
  readonly tell = (...what: What): void => {
    for (const listener of Array.from(this.#listeners)) if (this.#listeners.has(listener)) listener(...what);
  };
}

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
