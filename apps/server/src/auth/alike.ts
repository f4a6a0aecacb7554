/** What every gateway of a site must remember alike for a while: done at one, told to the others. */
import { randomUUID } from 'node:crypto';
import type { Bus } from '../bus/bus.ts';
import type { Keyring } from '../keyring.ts';

/**
 * A memory whose named deeds are done here and at every other process, with the same arguments, which travel as JSON. Who
 * starts later, or could not be told, knows less: what must outlast that stands in a row. Alone on the bus it is the memory itself.
 */
export function alike<T extends object, K extends keyof T & string>(
  bus: Bus,
  name: string,
  memory: T,
  deeds: readonly K[],
): T {
  if (bus.alone) return memory;
  const own = randomUUID();
  const subject = `ctl.auth.${name}`;
  const todo = memory as unknown as Record<string, (...args: unknown[]) => unknown>;
  bus.hear(subject, (body) => {
    const [from, deed, args] = JSON.parse(Buffer.from(body).toString()) as [string, string, unknown[]];
    if (from !== own) todo[deed]!(...args);
  });
  // Deeds that its other methods do are told as well.
  const told = Object.create(memory) as Record<string, (...args: unknown[]) => unknown>;
  for (const deed of deeds)
    told[deed] = (...args) => {
      bus.tell(subject, Buffer.from(JSON.stringify([own, deed, args])));
      return todo[deed]!(...args);
    };
  return told as T;
}

/** Values by key, sealed wherever they are, since they may travel. Of more than `most` the oldest goes. */
class Notes<V> {
  private readonly sealed = new Map<string, string>();
  private readonly keyring: Keyring;
  private readonly most: number;

  constructor(keyring: Keyring, most: number) {
    this.keyring = keyring;
    this.most = most;
  }

  get(key: string): V | undefined {
    const sealed = this.sealed.get(key);
    const text = sealed === undefined ? null : this.keyring.open(key, sealed);
    return text === null ? undefined : (JSON.parse(text) as V);
  }

  set(key: string, value: V): void {
    this.put(key, this.keyring.seal(key, JSON.stringify(value)));
  }

  put(key: string, sealed: string): void {
    this.sealed.delete(key);
    if (this.sealed.size >= this.most) this.sealed.delete(this.sealed.keys().next().value!);
    this.sealed.set(key, sealed);
  }

  delete(key: string): void {
    this.sealed.delete(key);
  }
}

export type { Notes };

/** Makes notes that all gateways have, each kind by its name. */
export type NoteBook = <V>(name: string) => Notes<V>;

const MOST_NOTES = 10_000;

export function openNoteBook(bus: Bus, keyring: Keyring): NoteBook {
  return <V>(name: string) =>
    alike(bus, name, new Notes<V>(keyring.purpose(`notes ${name}`), MOST_NOTES), ['put', 'delete']);
}
