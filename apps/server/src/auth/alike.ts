/** What every gateway of a site must remember alike for a while: done at one, told to the others, and kept as rows for who did not hear. */
import { randomUUID } from 'node:crypto';
import type { Bus, Stop } from '../bus/bus.ts';
import type { Db, Log } from '../db/db.ts';
import type { Keyring } from '../keyring.ts';

const DAY_MS = 86_400_000;
/** The longest lock is a day; what is older says nothing any more. */
const KEEP_MS = DAY_MS + 3_600_000;
const MOST_READ = 50_000;
/** Rows of statements that go beside one another may come to be seen in another order than they are numbered. */
const OVERLAP = 1000;
const AWAY_MS = 5000;
const DEED = 'ctl.auth.deed';

interface Done {
  id: string;
  memory: string;
  deed: string;
  args: unknown[];
}

type Memory = Record<string, (...args: unknown[]) => unknown>;

/**
 * The deeds that are done to memories at every gateway, with the same arguments, which travel as JSON. The rows are the truth:
 * a gateway reads them when it starts, every half minute, and more often while nobody can tell it. Alone on the bus there are none.
 */
export class Deeds {
  private readonly db: Db;
  private readonly bus: Bus;
  private readonly log: Log;
  private readonly clock: () => number;
  private readonly memories = new Map<string, Memory>();
  /** Done here already; the oldest go. */
  private readonly known = new Set<string>();
  private readonly unsaved = new Map<string, Done & { about: string | null }>();
  private readonly stops: Stop[] = [];
  private lastRead = 0;
  private reading: Promise<void> | null = null;

  constructor(opts: { db: Db; bus: Bus; log: Log; clock: () => number }) {
    this.db = opts.db;
    this.bus = opts.bus;
    this.log = opts.log;
    this.clock = opts.clock;
  }

  /** Gives a memory whose named deeds are done at every gateway. Each memory by a name of its own. */
  alike<T extends object, K extends keyof T & string>(name: string, memory: T, deeds: readonly K[]): T {
    if (this.bus.alone) return memory;
    const todo = memory as unknown as Memory;
    this.memories.set(name, todo);
    // Deeds that its other methods do are told as well.
    const told = Object.create(memory) as Memory;
    for (const deed of deeds)
      told[deed] = (...args) => {
        this.tell(name, deed, args);
        return todo[deed]!(...args);
      };
    return told as T;
  }

  /** What a gateway does to a memory of all. `about`: all that stood of that is over. */
  tell(memory: string, deed: string, args: unknown[], about: string | null = null): void {
    const done: Done = { id: randomUUID(), memory, deed, args };
    this.note(done.id);
    this.bus.tell(DEED, Buffer.from(JSON.stringify(done)));
    this.unsaved.set(done.id, { ...done, about });
    void this.save();
  }

  /** Whether this is the first time, at whichever gateway, that somebody asks it of this name. */
  async isFirst(name: string): Promise<boolean> {
    if (this.bus.alone) return true;
    const rows = await this.db.query(
      `INSERT INTO auth_deeds (id, at, memory, deed, args) VALUES ($1, $2, 'once', 'once', '[]') ON CONFLICT DO NOTHING RETURNING 1`,
      [`once ${name}`, this.clock()],
    );
    return rows.length > 0;
  }

  /** Hears from now on, and knows what was done before. */
  async start(): Promise<void> {
    if (this.bus.alone) return;
    const away = setInterval(() => {
      if (!this.bus.hears()) void this.read();
    }, AWAY_MS).unref();
    this.stops.push(
      () => clearInterval(away),
      this.bus.hear(DEED, (body) => this.carryOut(JSON.parse(Buffer.from(body).toString()) as Done)),
      this.bus.onHearing(() => void this.read()),
    );
    await this.read();
  }

  /** Every half minute. */
  async tick(isAlone: boolean): Promise<void> {
    if (this.bus.alone) return;
    await this.save();
    await this.read();
    if (isAlone) await this.db.query('DELETE FROM auth_deeds WHERE at < $1', [this.clock() - KEEP_MS]);
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  private carryOut({ id, memory, deed, args }: Done): void {
    if (this.known.has(id)) return;
    this.note(id);
    this.memories.get(memory)?.[deed]?.(...args);
  }

  private note(id: string): void {
    this.known.add(id);
    if (this.known.size > 2 * MOST_READ) this.known.delete(this.known.values().next().value!);
  }

  private async save(): Promise<void> {
    for (const [id, { memory, deed, args, about }] of this.unsaved) {
      this.unsaved.delete(id);
      try {
        if (about !== null)
          await this.db.query('DELETE FROM auth_deeds WHERE memory = $1 AND about = $2', [memory, about]);
        await this.db.query(
          'INSERT INTO auth_deeds (id, at, memory, deed, args, about) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
          [id, this.clock(), memory, deed, JSON.stringify(args), about],
        );
      } catch (error) {
        this.unsaved.set(id, { id, memory, deed, args, about });
        this.log.warn({ err: error }, 'what all gateways must remember is not written down yet');
        return;
      }
    }
  }

  private read(): Promise<void> {
    this.reading ??= this.readRows()
      .catch((error: unknown) => this.log.warn({ err: error }, 'what other gateways remember could not be read'))
      .finally(() => {
        this.reading = null;
      });
    return this.reading;
  }

  private async readRows(): Promise<void> {
    const rows = await this.db.query<{ n: number; id: string; memory: string; deed: string; args: string }>(
      'SELECT n, id, memory, deed, args FROM auth_deeds WHERE n > $1 AND at > $2 ORDER BY n DESC LIMIT $3',
      [this.lastRead - OVERLAP, this.clock() - KEEP_MS, MOST_READ],
    );
    for (const { n, args, ...done } of rows.reverse()) {
      this.lastRead = Math.max(this.lastRead, n);
      this.carryOut({ ...done, args: JSON.parse(args) as unknown[] });
    }
  }
}

/** Values by key, sealed wherever they are, since they travel and stand in rows. Of more than `most` the oldest goes. */
class Notes<V> {
  private readonly sealed = new Map<string, string>();
  private readonly keyring: Keyring;
  private readonly most: number;
  private readonly told: (deed: 'put' | 'drop', args: string[], about: string) => void;

  constructor(keyring: Keyring, most: number, told: Notes<V>['told']) {
    this.keyring = keyring;
    this.most = most;
    this.told = told;
  }

  get(key: string): V | undefined {
    const sealed = this.sealed.get(key);
    const text = sealed === undefined ? null : this.keyring.open(key, sealed);
    return text === null ? undefined : (JSON.parse(text) as V);
  }

  set(key: string, value: V): void {
    const sealed = this.keyring.seal(key, JSON.stringify(value));
    this.put(key, sealed);
    this.told('put', [key, sealed], key);
  }

  delete(key: string): void {
    if (!this.sealed.has(key)) return;
    this.drop(key);
    this.told('drop', [key], key);
  }

  /** As at another gateway. */
  put(key: string, sealed: string): void {
    this.sealed.delete(key);
    if (this.sealed.size >= this.most) this.sealed.delete(this.sealed.keys().next().value!);
    this.sealed.set(key, sealed);
  }

  drop(key: string): void {
    this.sealed.delete(key);
  }
}

export type { Notes };

/** Makes notes that all gateways have, each kind by its name. */
export type NoteBook = <V>(name: string) => Notes<V>;

const MOST_NOTES = 10_000;

export function openNoteBook(deeds: Deeds, isAlone: boolean, keyring: Keyring): NoteBook {
  return <V>(name: string) => {
    const tell = (deed: string, args: unknown[], about: string) =>
      isAlone ? undefined : deeds.tell(name, deed, args, about);
    const notes = new Notes<V>(keyring.purpose(`notes ${name}`), MOST_NOTES, tell);
    return deeds.alike(name, notes, []);
  };
}
