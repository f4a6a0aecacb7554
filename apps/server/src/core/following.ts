/**
 * Follows the log of another process: the state as a start makes it, then batch by batch what was committed. The stream is
 * only the quick way of the log: what it leaves out, doubles or brings in another order is put right from the database,
 * which alone says what was committed.
 */
import { performance } from 'node:perf_hooks';
import type { Event } from '@fairgame/exchange';
import { LOGIC_VERSION } from '@fairgame/exchange';
import type { Bus } from '../bus/bus.ts';
import { assertMigrated, type Db, DbLost, type Log, NotMigrated } from '../db/db.ts';
import { type Logged, readLog } from './log.ts';
import { readPlace } from './place.ts';
import { hashWorlds, loadBooks, loadState, readWorlds } from './recovery.ts';
import { type Books, followBooks } from './rows.ts';
import { advance, type CommittedState } from './state.ts';
import { isKnown, LOG_NOW, LOG_STREAM, type Told, unpackTold } from './wire.ts';
import type { World } from './worlds.ts';

/** The leader's row is looked at this often: for who leads, and for what the stream did not bring. */
export const LOOK_MS = 250;
/** What an answer was given for should be here by then; else it is read from the database. */
const LATE_MS = 200;
const SEEN_MS = 1000;
const RETRY_MS = 250;
/** So many batches wait while a gap is filled; what comes then is a gap of its own. */
const MOST_BEHIND = 2000;
/** A database that nobody has led so far is waited for. */
const FIRST_START_MS = 60_000;

export interface Applied {
  logged: Logged;
  /** Of each of its worlds. */
  events: Event[][];
}

export interface Following {
  readonly state: CommittedState;
  readonly books: Books;
  readonly epoch: number;
  /** Names the process that leads. */
  readonly owner: string;
  /** Whether it has said lately that it is there, and can be asked. */
  readonly isLed: boolean;
  /** How often the row of who leads was seen anew. */
  readonly signs: number;
  /** Resolves when the state has command `seq`, which is known to be committed, and all were told of it. */
  reached(seq: number): Promise<void>;
  /** As `reached`, of a command of which somebody was told elsewhere: false where it is not here within a second. */
  seen(seq: number): Promise<boolean>;
  /** Looks at the leader's row now, and reads up to it. */
  catchUp(): Promise<void>;
  stop(): void;
}

export interface FollowingOptions {
  db: Pick<Db, 'kind' | 'query' | 'tx'>;
  log: Log;
  bus: Bus;
  onApplied(epoch: number, items: readonly Applied[]): void;
  /** Another process leads than before. */
  onLeader(owner: string): void;
  /** Who leads has given its place back. */
  onLeft?(): void;
  /** Who leads was off the bus and is there again. */
  onBack?(): void;
  /** What is here can no longer be the state of the log: it must not be read any more. Called once. */
  onBroken(reason: string): void;
}

/**
 * Waits for who leads to make the tables and open the worlds, for a minute. Throws at once where the database is of a newer
 * program.
 */
export async function untilLed(db: Pick<Db, 'query'>, log: Log): Promise<void> {
  const until = performance.now() + FIRST_START_MS;
  for (let told = false; ; told = true) {
    let why: unknown = new Error('nobody leads this database: start a process that does');
    try {
      await assertMigrated(db);
      if ((await readWorlds(db.query)).size > 0) return;
    } catch (error) {
      if (!(error instanceof NotMigrated) && !isOfDatabase(error)) throw error;
      why = error;
    }
    if (performance.now() > until) throw why;
    if (!told) log.info({}, 'waits for the process that leads');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Loads the state and follows. Throws as a start does where snapshot, log and rows do not fit together. */
export async function startFollowing(options: FollowingOptions): Promise<Following> {
  // Heard before it is loaded, so that nothing lies between the two.
  const early: Told[] = [];
  let follower: Follower | undefined;
  const take = (body: Uint8Array): void => {
    const told = unpackTold(body);
    if (follower) follower.take(told);
    else early.push(told);
  };
  const unfollow = await options.bus.log(LOG_STREAM).follow('now', ({ id, body }) => {
    if (!follower?.has(id)) take(body);
  });
  // The stream is slower, by what its servers need to agree.
  const stops = [unfollow, options.bus.hear(LOG_NOW, take)];
  const unhear = () => {
    for (const stop of stops) stop();
  };
  try {
    follower = new Follower(options, await load(options), unhear);
    for (const told of early) follower.take(told);
    await follower.catchUp();
    return follower;
  } catch (error) {
    unhear();
    throw error;
  }
}

interface Loaded {
  state: CommittedState;
  books: Books;
  epoch: number;
  owner: string;
  currencies: Map<World, string>;
}

/** Snapshot, log, rows and leader's row of one moment. */
function load({ db, log }: FollowingOptions): Promise<Loaded> {
  return db.tx(async (query) => {
    await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const [leader] = await query<{ epoch: number; owner: string }>('SELECT epoch, owner FROM leader');
    const state = await loadState({ query }, log);
    return { ...leader!, state, books: await loadBooks({ query }, state), currencies: await readWorlds(query) };
  });
}

class Follower implements Following {
  readonly state: CommittedState;
  readonly books: Books;
  epoch: number;
  owner: string;
  isLed = true;
  signs = 0;
  private readonly options: FollowingOptions;
  private readonly currencies: Map<World, string>;
  private readonly unhear: () => void;
  private readonly looking: NodeJS.Timeout;
  private renewed: string | null = null;
  private waiting: Array<{ seq: number; done: () => void }> = [];
  /** Came while a gap was being filled. */
  private behind: Told[] = [];
  /** Up to here the log is known to be committed. */
  private committedTo: number;
  private filling: Promise<void> | null = null;
  private catching: Promise<void> | null = null;
  private isLooking = false;
  private stopped = false;

  constructor(options: FollowingOptions, loaded: Loaded, unhear: () => void) {
    this.options = options;
    this.state = loaded.state;
    this.books = loaded.books;
    this.epoch = loaded.epoch;
    this.owner = loaded.owner;
    this.currencies = loaded.currencies;
    this.committedTo = loaded.state.seq;
    this.unhear = unhear;
    this.looking = setInterval(() => void this.look().catch(() => undefined), LOOK_MS);
    this.looking.unref();
  }

  /** Whether a message under this name has nothing new. */
  has(id: string): boolean {
    return isKnown(id, { epoch: this.epoch, seq: this.state.seq });
  }

  take(told: Told): void {
    // From before a change of leaders: what of it counts stands in the database.
    if (this.stopped || told.epoch < this.epoch) return;
    this.led(told);
    if (told.leaves) this.options.onLeft?.();
    if (told.back) this.options.onBack?.();
    if (told.last <= this.state.seq) return;
    if (this.filling) {
      if (this.behind.length < MOST_BEHIND) this.behind.push(told);
    } else if (told.first === this.state.seq + 1 && told.items) this.apply({ ...told, items: told.items });
    else this.fill(told.last);
  }

  reached(seq: number): Promise<void> {
    if (seq <= this.state.seq) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(() => this.fill(seq), LATE_MS);
      late.unref();
      const done = (): void => {
        clearTimeout(late);
        resolve();
      };
      this.waiting.push({ seq, done });
    });
  }

  seen(seq: number): Promise<boolean> {
    if (seq <= this.state.seq) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isSeen: boolean): void => {
        clearTimeout(late);
        clearTimeout(never);
        this.waiting = this.waiting.filter((one) => one !== own);
        resolve(isSeen);
      };
      const own = { seq, done: () => end(true) };
      // Nothing is believed about the log but what the database says of it.
      const ask = (): void => {
        // One that is under way may have looked before.
        const again = this.catching !== null;
        this.catching ??= this.catchUp().finally(() => {
          this.catching = null;
        });
        this.catching.then(
          () => (again ? ask() : end(true)),
          () => undefined,
        );
      };
      const late = setTimeout(ask, LATE_MS).unref();
      const never = setTimeout(() => end(false), SEEN_MS).unref();
      this.waiting.push(own);
    });
  }

  async catchUp(): Promise<void> {
    const to = await this.readLeader();
    if (to > this.state.seq) this.fill(to);
    await this.filling;
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.looking);
    this.unhear();
    this.behind = [];
    for (const { done } of this.waiting.splice(0)) done();
  }

  /** Reads from the database what the stream still has not brought of what stood there at the last look. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const known = this.committedTo;
      const to = await this.readLeader();
      if (known > this.state.seq) this.fill(to);
    } finally {
      this.isLooking = false;
    }
  }

  /** The last command of the log. */
  private async readLeader(): Promise<number> {
    const { seq } = this.state;
    const leader = await readPlace(this.options.db);
    if (!leader || this.stopped) return seq;
    this.isLed = leader.renewed !== null && !leader.silent && !leader.offered;
    if (leader.renewed !== this.renewed) this.signs++;
    this.renewed = leader.renewed;
    if (leader.last_seq < seq)
      this.broke(`the database is at command ${leader.last_seq}, this process has followed it to ${seq}`);
    if (leader.epoch >= this.epoch) this.led(leader);
    this.committedTo = Math.max(this.committedTo, leader.last_seq);
    return leader.last_seq;
  }

  private led({ epoch, owner }: { epoch: number; owner: string }): void {
    this.epoch = epoch;
    if (owner === this.owner) return;
    this.owner = owner;
    this.options.onLeader(owner);
  }

  /** Reads up to the batch with command `to` from the database; meanwhile what is told waits. */
  private fill(to: number): void {
    this.committedTo = Math.max(this.committedTo, to);
    if (this.stopped || to <= this.state.seq) return;
    this.filling ??= this.fillUp().finally(() => {
      this.filling = null;
      for (const told of this.behind.splice(0)) this.take(told);
    });
  }

  private async fillUp(): Promise<void> {
    const { query } = this.options.db;
    while (!this.stopped && this.state.seq < this.committedTo) {
      try {
        const { seq } = this.state;
        const hashes = await query<{ seq: number; hash: string }>('SELECT seq, hash FROM core_hashes WHERE seq > $1', [
          seq,
        ]);
        for await (const { last, logic, items } of readLog(query, seq, this.committedTo)) {
          if (this.stopped) return;
          this.apply({ last, logic, items, hash: hashes.find((one) => one.seq === last)?.hash ?? null });
        }
      } catch (error) {
        // What stands in the log cannot become better; a database that is away comes back.
        if (!isOfDatabase(error)) this.broke((error as Error).message);
        if (this.stopped) return;
        this.options.log.warn({ err: error }, 'the log could not be read; tried again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  private apply({
    last,
    logic,
    items,
    hash,
  }: {
    last: number;
    logic: number;
    items: Logged[];
    hash: string | null;
  }): void {
    try {
      if (logic !== LOGIC_VERSION)
        throw new Error(`its rules are another program's (logic ${logic}, this one has ${LOGIC_VERSION})`);
      const events = advance(this.state, { last, items }, (world) => this.currencies.get(world) ?? world);
      const applied = items.map((logged, i) => ({ logged, events: events[i]! }));
      for (const { logged, events: told } of applied)
        logged.applied.forEach(({ world }, i) => {
          followBooks(this.books, { world, seq: logged.seq }, told[i]!);
        });
      if (hash !== null && hash !== hashWorlds(this.state.worlds))
        throw new Error("the state behind it is not the leader's");
      this.options.onApplied(this.epoch, applied);
    } catch (error) {
      this.broke(`command ${last} could not be followed: ${(error as Error).message}`);
      return;
    }
    if (this.waiting.length === 0) return;
    const done = this.waiting.filter(({ seq }) => seq <= last);
    this.waiting = this.waiting.filter(({ seq }) => seq > last);
    for (const one of done) one.done();
  }

  private broke(reason: string): void {
    if (this.stopped) return;
    this.stop();
    this.options.onBroken(reason);
  }
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof DbLost || typeof (error as { code?: unknown }).code === 'string';
}
