/**
 * What this client leaves in the browser. It may be forbidden or full, and hold what another build wrote: then nothing can
 * be read, or what is kept lasts as long as the page. What is read is whatever stands there; who reads it checks it.
 */
class Shelf {
  readonly #storage: () => Storage;

  constructor(storage: () => Storage) {
    this.#storage = storage;
  }

  /** Null: nothing is kept. */
  text(key: string): string | null {
    try {
      return this.#storage().getItem(key);
    } catch {
      return null;
    }
  }

  /** What `keep` was given; null: nothing that can be read. */
  value(key: string): unknown {
    try {
      return JSON.parse(this.text(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** Null takes it away. */
  keepText(key: string, text: string | null): void {
    try {
      if (text === null) this.#storage().removeItem(key);
      else this.#storage().setItem(key, text);
    } catch {
      // As the class says.
    }
  }

  /** As JSON; null takes it away. */
  keep(key: string, value: unknown): void {
    this.keepText(key, value === null ? null : JSON.stringify(value));
  }
}

/** For this browser, over sign-outs: how things look, what was opened last. */
export const device = new Shelf(() => localStorage);
/** For this tab, over reloads. A key that begins with `fg.player.` is forgotten at sign-out. */
export const tab = new Shelf(() => sessionStorage);
