/** The watch of the one process that has it: holds all alerts that wait, writes down what comes true, and then tells it. */
import type { AlertEnd } from '@fairgame/contract';
import type { Log } from '../db/db.ts';
import type { AlertRows, Ended, News } from './rows.ts';
import { type Fired, Watch, type WatchOptions } from './watch.ts';

const MOST_AT_ONCE = 500;
const AGAIN_MS = 1000;
const UPKEEP_MS = 3_600_000;

export interface KeeperOptions extends Omit<WatchOptions, 'fired' | 'over'> {
  rows: AlertRows;
  log: Log;
  /** Written down before; told once. */
  tell: (news: News[]) => void;
  tellOver: (ended: Ended[]) => void;
}

export class Keeper {
  private readonly options: KeeperOptions;
  private readonly watch: Watch;
  private readonly fired = new Map<number, Fired>();
  private readonly over = new Map<number, AlertEnd>();
  private writing: Promise<void> | null = null;
  private again: NodeJS.Timeout | undefined;
  private readonly upkeep: NodeJS.Timeout;
  private stopped = false;

  constructor(options: KeeperOptions) {
    this.options = options;
    this.watch = new Watch({
      ...options,
      fired: (fired) => {
        this.fired.set(fired.watched.id, fired);
        this.write();
      },
      over: (ids, end) => {
        for (const id of ids) this.over.set(id, end);
        this.write();
      },
    });
    this.upkeep = setInterval(() => void this.quietly(options.rows.forgetOld()), UPKEEP_MS).unref();
  }

  /** All that wait: at the start, and when the bus was away and changes were not heard. */
  async load(): Promise<void> {
    const left = new Set(this.watch.ids());
    for await (const page of this.options.rows.waiting())
      for (const one of page) {
        if (this.stopped) return;
        left.delete(one.id);
        this.watch.put(one);
      }
    for (const id of left) this.watch.remove(id);
  }

  /** One was set, changed or taken away. */
  async changed(id: number): Promise<void> {
    const one = await this.options.rows.one(id);
    if (this.stopped) return;
    if (one) this.watch.put(one);
    else this.watch.remove(id);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.watch.stop();
    clearTimeout(this.again);
    clearInterval(this.upkeep);
    await this.writing;
  }

  private write(): void {
    if (this.writing || this.stopped) return;
    this.writing = this.writeAll().then(
      () => {
        this.writing = null;
        // Something came true while the last of it was told.
        if (this.fired.size + this.over.size > 0) this.write();
      },
      (error: unknown) => {
        this.writing = null;
        this.options.log.warn({ err: error }, 'alerts could not be written down; they are tried again');
        clearTimeout(this.again);
        if (!this.stopped) this.again = setTimeout(() => this.write(), AGAIN_MS).unref();
      },
    );
  }

  private async writeAll(): Promise<void> {
    // What comes true in one turn is written together.
    await Promise.resolve();
    while (this.fired.size > 0 || this.over.size > 0) {
      const now = Array.from(this.fired.values()).slice(0, MOST_AT_ONCE);
      if (now.length > 0) {
        const news = await this.options.rows.fire(now);
        for (const one of now) if (this.fired.get(one.watched.id) === one) this.fired.delete(one.watched.id);
        this.options.tell(news);
      }
      // What came true in the same change is written down and told first.
      if (this.fired.size > 0 || this.over.size === 0) continue;
      const gone = new Map(Array.from(this.over).slice(0, MOST_AT_ONCE));
      const ended = await this.options.rows.over(gone);
      for (const id of gone.keys()) this.over.delete(id);
      this.options.tellOver(ended);
    }
  }

  private async quietly(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.options.log.warn({ err: error }, 'old alerts were not cleared away'));
  }
}
