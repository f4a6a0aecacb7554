/** The watch of the one process that has it: holds all alerts that wait, writes down what comes true, and then tells it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertEnd } from '@fairgame/contract';
import type { Core } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { AlertRows, Ended, News } from './rows.ts';
import { type Fired, Watch, type Watched, type WatchOptions } from './watch.ts';

const MOST_AT_ONCE = 500;
const AGAIN_MS = 1000;
/** How far it has looked is written down so often, and new alerts are read while nobody can tell of them. */
const KEEP_MS = 5000;
/** Rows of statements that go beside one another may come to be seen in another order than they are numbered. */
const OVERLAP = 1000;
const UPKEEP_MS = 3_600_000;

export interface KeeperOptions extends Omit<WatchOptions, 'fired' | 'over'> {
  core: Pick<Core, 'onCommitted' | 'health' | 'reached'>;
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
  private readonly timers: NodeJS.Timeout[];
  private stopped = false;
  /** One reading of all after the other; what was taken away meanwhile does not come back with it. */
  private loading: Promise<void> = Promise.resolve();
  private takenAway: Set<number> | null = null;
  /** Readings of alerts, and of what became of bets, that are not done: until then nobody has looked for all. The first is to come. */
  private unread = 1;
  private isFirst = true;
  private keptSeq = 0;
  /** Up to where it had looked when it could not be told of alerts any more. */
  private deafFrom: number | null = null;
  private highest = 0;

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
    this.timers = [
      setInterval(() => void this.quietly(options.rows.forgetOld()), UPKEEP_MS).unref(),
      setInterval(() => {
        void this.quietly(this.keepLookedTo());
        if (this.deafFrom !== null) void this.load(this.deafFrom, this.highest - OVERLAP).catch(() => undefined);
      }, KEEP_MS).unref(),
    ];
  }

  /** Takes over from who looked before, where somebody did. */
  async begin(): Promise<void> {
    await this.load(await this.options.rows.lookedTo());
  }

  /**
   * All that wait, with a higher id than that. Of own bets whose alerts were not known here, what became of them behind command `since`
   * of the log is told.
   */
  async load(since: number | null = null, above = 0): Promise<void> {
    const loading = this.loading.then(() => this.loadNow(since, above));
    this.loading = loading.catch(() => undefined);
    await loading;
    if (this.isFirst && !this.stopped) {
      this.unread--;
      this.isFirst = false;
    }
  }

  /** One was set, changed or taken away, when the log had command `since`. */
  async changed(id: number, since: number | null): Promise<void> {
    await this.surely(async () => {
      // Its market may be a new one.
      if (since !== null) await this.options.core.reached(since);
      const one = await this.options.rows.one(id);
      if (this.stopped) return;
      if (one) this.putAll([one], since);
      else {
        this.takenAway?.add(id);
        this.watch.remove(id);
      }
    });
  }

  /** Whether it is told of alerts. */
  hearing(hears: boolean): void {
    if (this.stopped) return;
    if (!hears) this.deafFrom ??= this.watch.seq();
    else {
      const since = this.deafFrom;
      this.deafFrom = null;
      // What was changed meanwhile was not heard.
      this.unread++;
      void this.surely(async () => {
        await this.load(since);
        if (!this.stopped) this.unread--;
      });
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.watch.stop();
    clearTimeout(this.again);
    for (const timer of this.timers) clearInterval(timer);
    await this.writing;
    await this.quietly(this.keepLookedTo());
  }

  private async loadNow(since: number | null, above: number): Promise<void> {
    const takenAway = new Set<number>();
    this.takenAway = takenAway;
    const left = new Set(above > 0 ? [] : this.watch.ids());
    for await (const page of this.options.rows.waiting(above)) {
      if (this.stopped) return;
      const still = page.filter(({ id }) => !takenAway.has(id));
      for (const { id } of still) left.delete(id);
      this.putAll(still, since);
    }
    for (const id of left) this.watch.remove(id);
  }

  private putAll(all: readonly Watched[], since: number | null): void {
    const players = new Set<number>();
    const ended: Watched[] = [];
    for (const one of all) {
      this.highest = Math.max(this.highest, one.id);
      const isNew = one.kind === 'BET' && !this.watch.has(one);
      if (isNew) players.add(one.userId);
      // It is over with its market, but first what became of his bets there is told.
      if (isNew && since !== null && this.watch.isOver(one)) ended.push(one);
      else this.watch.put(one);
    }
    if (since !== null && players.size > 0) void this.lookBack([...players], since, ended);
  }

  /** Before they stood in the watch nobody looked for them. */
  private async lookBack(userIds: readonly number[], since: number, ended: readonly Watched[]): Promise<void> {
    this.unread++;
    const recent = this.watch.metSince(userIds, since);
    await this.surely(async () => {
      const met = recent ?? (await this.options.rows.metSince(userIds, since));
      if (this.stopped) return;
      this.watch.met(met, ended);
      for (const one of ended) if (one.every || one.firedAt === null) this.watch.put(one);
    });
    // Where it was stopped before, the next one looks back from as far.
    if (!this.stopped) this.unread--;
  }

  private async keepLookedTo(): Promise<void> {
    const seq = this.watch.seq();
    if (this.unread > 0 || this.deafFrom !== null || this.fired.size > 0 || seq === this.keptSeq) return;
    await this.options.rows.keepLookedTo(seq);
    this.keptSeq = seq;
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

  /** Until it is done: an alert that was not read would never be looked for. */
  private async surely(work: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      try {
        return await work();
      } catch (error) {
        this.options.log.warn({ err: error }, 'alerts could not be read; tried again');
      }
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  }

  private async quietly(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.options.log.warn({ err: error }, 'alerts could not be kept in order'));
  }
}
