/**
 * The core of the process that leads: what is handed over to it (by a start, or by having followed) becomes a writer with all
 * that keeps it in order, and the door to both.
 */
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import { marketView, nextDueAt, roundKey } from '@fairgame/exchange';
import type { Bus } from '../bus/bus.ts';
import type { Db, Log } from '../db/db.ts';
import { createRoundPace } from '../round-pace.ts';
import type { Batch, Item } from './batch.ts';
import { type CoreClock, createClock } from './clock.ts';
import { prepareCommit } from './columns.ts';
import { endProcess } from './ending.ts';
import { type Keys, keyId } from './keys.ts';
import { Payouts } from './payouts.ts';
import { ID_BLOCK, type Place } from './place.ts';
import { quarantine } from './quarantine.ts';
import { createReadings } from './readings.ts';
import { currentSlot } from './ring.ts';
import type { Books } from './rows.ts';
import { createPublishing, serveRequests } from './serving.ts';
import type { CommittedState } from './state.ts';
import { createSubmitting, ownItem } from './submitting.ts';
import { createTelling } from './telling.ts';
import type { Core, CoreMeter, Currency, World } from './types.ts';
import { Upkeep } from './upkeep.ts';
import { createWorkPump } from './work.ts';
import { openWorlds, SAME_TERMS, type Terms, type Worlds, worldFor } from './worlds.ts';
import { openings } from './worlds-open.ts';
import { Writer } from './writer.ts';

export interface CoreOptions {
  db: Db;
  log: Log;
  /** Where other processes follow this one (followCore), and ask it. */
  bus?: Bus;
  /** The machine's clock, milliseconds since 1970; the core's own time passes evenly whatever it does (clock.ts). */
  clock?: () => number;
  /** Milliseconds that pass evenly. */
  steady?: () => number;
  /** Milliseconds that pass evenly, by which rounds of games are counted (PP-12): the clock of a test, which leading must not go by. */
  roundsBy?: () => number;
  /** Go by the machine's clock even where it contradicts the log. */
  trustClock?: boolean;
  /** The first is the home currency of the site and of its play money. */
  currencies?: readonly Currency[];
  /** What is different in the worlds of these currencies. */
  terms?: Partial<Record<Currency, Terms>>;
  /** A snapshot after so many commands, or so long after the last; not before it has rested so long (snapshot-due.ts). */
  snapshotCommands?: number;
  snapshotMs?: number;
  snapshotRestMs?: number;
  /** Up to so many rows the writer reads the state out itself; a larger one has a thread for it. */
  smallRows?: number;
  /** A slice of a large act is of so many bets and accounts at most (work.ts). */
  mostUnits?: number;
  /** Closed markets leave memory after this time, or before it while they are more than so many rows (leaving.ts). */
  archiveMs?: number;
  archiveRows?: number;
  /** Rounds of providers' games that are over leave memory after this time; a late movement takes them back. */
  roundMs?: number;
  /** Keys are kept for so many whole months beside the running one, and for the life of their bets. */
  keepKeysMonths?: number;
  /** Another process took over, or the tables don't fit any more. The default ends the process. */
  onFenced?: (reason: string) => void;
  meter?: CoreMeter;
  /** Test points between the steps of a commit. */
  failpoint?: (point: 'applied' | 'written' | 'answered') => void;
}

/** After a pause longer than this the unmatched bets of in-play markets lapse (trust 2.2). */
const LAPSE_AFTER_MS = 5000;
/** Who stands by has the place within this. */
const HAND_OVER_MS = 500;
const LOOK_MS = 20;
/** A connection to the bus that broke is there again sooner: another server is tried. */
const UNHEARD_MS = 3000;

/** What a process has when it begins to lead. */
export interface Led {
  place: Place;
  /** Up to the end of the log. */
  state: CommittedState;
  books: Books;
  /** The end of the chain over the kept rows of the log. */
  chain: string;
  keys: Keys;
  /** The command of the newest snapshot. */
  snapshotSeq: number;
  /** The state once more, of who stood by: players wait for it, and the leader before it looked after the tables. */
  ahead?: Worlds;
}

/**
 * Goes on from what is handed over, and suspends what was in play. Throws when this machine's clock cannot be right.
 */
export async function lead(options: CoreOptions, led: Led): Promise<Core> {
  const leader = new Leader(options, led);
  await leader.open();
  return leader.core();
}

class Leader {
  private readonly options: CoreOptions;
  private readonly led: Led;
  private readonly currencies: readonly Currency[];
  private readonly clock: CoreClock;
  private readonly ids: Ids;
  private readonly telling;
  private readonly publishing;
  private readonly writer: Writer;
  private readonly due;
  private readonly work;
  private readonly upkeep: Upkeep;
  private readonly submitting;
  private unserve: (() => void) | undefined;
  private unhear: (() => void) | undefined;
  /** Players may come. */
  private isOpen = false;
  private loadedKeys: Promise<void> = Promise.resolve();

  constructor(options: CoreOptions, led: Led) {
    const { db, log, bus, meter } = options;
    const { place, state, keys } = led;
    this.options = options;
    this.led = led;
    this.currencies = options.currencies ?? ['EUR'];
    this.clock = clockFor(options, Math.max(state.at, place.lastAt), state.worlds);
    this.ids = new Ids(place.nextId);
    this.telling = createTelling(log);
    this.publishing = bus && createPublishing({ bus, log, owner: place.owner });
    this.writer = this.makeWriter();
    this.due = createDueTimer(this.writer, this.clock);
    this.work = createWorkPump({ db, writer: this.writer, log, mostUnits: options.mostUnits });
    this.upkeep = this.makeUpkeep();
    const payouts = new Payouts({
      db,
      log,
      committed: () => this.writer.committed,
      onCommitted: this.telling.onCommitted,
      clock: () => this.clock.now(),
    });
    const terms = (of: World) => this.terms(of);
    this.submitting = createSubmitting({
      db,
      log,
      writer: this.writer,
      keys,
      payouts,
      pace: createRoundPace(options.roundsBy ?? (() => performance.now())),
      clock: this.clock,
      terms,
      meter,
    });
  }

  async open(): Promise<void> {
    const { writer, led } = this;
    const { db, log, bus } = this.options;
    const { place, state } = led;
    const { owner } = place;
    const behind = state.seq - led.snapshotSeq;
    // One after the other: a second connection is opened in the time that both take.
    writer.slot = await currentSlot(db);
    await prepareCommit(db);
    if (!led.ahead) await this.upkeep.makeMonths();
    place.keep((why) => writer.fence(why), bus && hearing(bus));
    await db.lead({ owner, lost: (why) => writer.fence(why) });
    this.unserve = bus && serveRequests({ bus, core: { ...this.submitting, nextId: () => this.ids.next() }, owner });
    this.publishing?.leads(writer.epoch, writer.seq);
    this.unhear = bus?.onConnection((connected) => connected && this.publishing?.isBack(writer.epoch, writer.seq));
    // What others ask waits behind these.
    writer.first(openings(state.worlds, (of) => this.terms(of)));
    writer.first(suspensions(state.worlds, 'Restarted', Math.abs(this.clock.now() - place.lastAt) > LAPSE_AFTER_MS));
    await writer.idle();
    this.loadedKeys = led.keys.load();
    this.due.arm();
    this.isOpen = true;
    this.work.goOn();
    log.info({ epoch: writer.epoch, seq: writer.seq, behind }, 'the core is open');
  }

  /** The door. */
  core(): Core {
    const { writer, currencies, telling } = this;
    return {
      ...this.submitting,
      currencies,
      worldFor: (currency, isDemo) => worldFor(currencies, currency, isDemo),
      terms: (of) => this.terms(of),
      read: createReadings(() => writer.committed, this.led.books),
      reached: () => Promise.resolve(true),
      onCommitted: telling.onCommitted,
      nextId: () => this.ids.next(),
      health: () => ({
        epoch: writer.epoch,
        seq: writer.seq,
        queueDepth: writer.depth('real'),
        oldestMs: Math.round(writer.oldestMs('real')),
        demoQueueDepth: writer.depth('demo'),
        demoOldestMs: Math.round(writer.oldestMs('demo')),
        lastCommitAt: writer.lastCommitAt,
        available: this.isAvailable(),
        serves: this.isAvailable(),
        leads: true,
        failingSince: writer.failing.since,
        breaks: writer.breaks,
        mismatches: writer.mismatches,
        stuck: this.work.stuck(),
      }),
      stop: () => this.stop(),
    };
  }

  private isAvailable(): boolean {
    return this.writer.available() && this.options.db.healthy();
  }

  private terms(world: World): Terms {
    return this.options.terms?.[this.led.state.worlds[world].currency as Currency] ?? SAME_TERMS;
  }

  private makeWriter(): Writer {
    const { db, log, meter, failpoint, onFenced = endProcess } = this.options;
    const { place, state, ahead, books, chain } = this.led;
    return new Writer({
      db,
      log,
      clock: this.clock,
      state,
      ahead,
      books,
      epoch: place.epoch,
      owner: place.owner,
      chain,
      nextId: () => this.ids.wantMore(),
      onCommitted: (batch) => this.committed(batch),
      onPoison: (item, error) => this.poisoned(item, error),
      onNoTable: () => this.upkeep.makeMonths(),
      afterStall: (ms) => suspensions(this.writer.committed, 'Betting was interrupted', ms > LAPSE_AFTER_MS),
      onFenced,
      probe: () => [ownItem({ type: 'clock' }, ['real'])],
      meter,
      failpoint,
    });
  }

  private makeUpkeep(): Upkeep {
    const { options, writer, led } = this;
    return new Upkeep({
      db: options.db,
      log: options.log,
      clock: () => this.clock.now(),
      writer,
      owner: led.place.owner,
      smallRows: options.smallRows,
      snapshotSeq: led.snapshotSeq,
      snapshotCommands: options.snapshotCommands ?? 20_000,
      snapshotMs: options.snapshotMs ?? 5 * 60_000,
      snapshotRestMs: options.snapshotRestMs ?? 15_000,
      archiveMs: options.archiveMs ?? 30 * 60_000,
      archiveRows: options.archiveRows ?? 100_000,
      roundMs: options.roundMs ?? 2 * 60_000,
      keepKeysMonths: options.keepKeysMonths ?? 14,
      submitOwn: (command) => writer.first([ownItem(command, openWorlds(writer.committed))]),
    });
  }

  private committed(batch: Batch): void {
    const { keys } = this.led;
    this.ids.committed(batch.idBound);
    for (const { actor, key, payloadHash, answer } of batch.keys) keys.add(keyId(actor, key), payloadHash, answer);
    for (const { provider, accountId, roundId } of batch.rows.rounds.values())
      keys.noteRound(roundKey(provider, accountId, roundId));
    this.publishing?.publish(this.writer.epoch, batch);
    this.telling.tell(this.writer.epoch, batch.outcomes);
    try {
      this.upkeep.onCommitted(batch);
      this.due.arm();
      // Nobody waits at a start for what is left of a large act: it goes on once the doors are open.
      if (this.isOpen) this.work.onCommitted(batch);
    } catch (error) {
      this.options.log.error({ err: error }, 'upkeep failed');
    }
  }

  private poisoned(item: Item, error: unknown): void {
    const { writer } = this;
    const marketId = quarantine(this.options.db, this.options.log, this.clock.now(), item, error);
    if (this.work.broke(item) || marketId === null) return;
    if (marketView(writer.committed.real, marketId)?.status !== 'OPEN') return;
    const worlds = openWorlds(writer.committed);
    writer.first([ownItem({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Under review' }, worlds)]);
  }

  private async stop(): Promise<void> {
    const { writer, publishing } = this;
    const { place, keys } = this.led;
    this.unserve?.();
    this.unhear?.();
    this.due.stop();
    keys.stop();
    await writer.stop();
    await this.loadedKeys;
    // Nobody can stand by beside an embedded database.
    const isHandedOver =
      publishing && this.options.db.kind === 'postgres'
        ? await handOver(place, this.ids.upcoming, () => publishing.leaves(writer.epoch, writer.seq))
        : false;
    await this.upkeep.stop({ snapshot: !isHandedOver });
    if (!isHandedOver) await place.release(this.ids.upcoming);
  }
}

/** Ids are given out up to a bound that is in the database; a wanted bound becomes a safe one when its batch has committed. */
class Ids {
  /** The next to give out. */
  upcoming: number;
  private safe: number;
  private wanted: number;

  constructor(nextId: number) {
    this.upcoming = nextId - ID_BLOCK;
    this.safe = nextId;
    this.wanted = nextId;
  }

  next(): number {
    // Commits push the bound out long before; only a database that is away for half a block brings this about.
    if (this.upcoming >= this.safe) throw new CodedError('UNAVAILABLE');
    return this.upcoming++;
  }

  /** The bound that the next batch writes. */
  wantMore(): number {
    if (this.wanted - this.upcoming < ID_BLOCK / 2) this.wanted += ID_BLOCK;
    return this.wanted;
  }

  committed(bound: number): void {
    this.safe = Math.max(this.safe, bound);
  }
}

/** Whether others could ask this process lately; to be asked often. */
function hearing(bus: Bus): () => boolean {
  let last = performance.now();
  return () => {
    if (bus.connected()) last = performance.now();
    return performance.now() - last < UNHEARD_MS;
  };
}

/** Gives the place back before all that can wait; answers whether another process has taken it. */
async function handOver(place: Place, nextId: number, leaves: () => void): Promise<boolean> {
  await place.release(nextId);
  leaves();
  const until = performance.now() + HAND_OVER_MS;
  while (performance.now() < until) {
    if (await place.isTaken().catch(() => true)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

/** Lets delayed bets go on when their time has come. */
function createDueTimer(writer: Writer, clock: { now(): number }): { arm(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let dueAt: number | null = null;

  function arm(): void {
    const next = earliestDue(writer.committed);
    if (next === dueAt) return;
    dueAt = next;
    clearTimeout(timer);
    if (next === null) return;
    timer = setTimeout(
      () => {
        dueAt = null;
        const now = clock.now();
        if (now < next) return arm();
        for (const world of openWorlds(writer.committed)) {
          const due = nextDueAt(writer.committed[world]);
          if (due !== null && due <= now) writer.first([ownItem({ type: 'clock' }, [world])]);
        }
      },
      Math.min(Math.max(1, next - clock.now()), 60_000),
    );
    timer.unref();
  }

  return { arm, stop: () => clearTimeout(timer) };
}

/** Open in-play markets may not go on after a break on old prices; when it was long, unmatched bets lapse too. */
function suspensions(worlds: Worlds, reason: string, lapse: boolean): Item[] {
  const items: Item[] = [];
  for (const { marketId, inPlay, status } of createReadings(() => worlds).markets()) {
    // One in which bets lapse would be open again when they have; one that is settling refuses.
    if (!inPlay || (status !== 'OPEN' && status !== 'SETTLING')) continue;
    const command = { type: 'market.state', marketId, status: 'SUSPENDED', reason, ...(lapse && { lapse }) } as const;
    for (const world of openWorlds(worlds)) items.push(ownItem(command, [world]));
  }
  return items;
}

function earliestDue(worlds: Worlds): number | null {
  const due = openWorlds(worlds)
    .map((world) => nextDueAt(worlds[world]))
    .filter((at) => at !== null);
  return due.length === 0 ? null : Math.min(...due);
}

/** Throws when the machine's clock and the log contradict each other. */
export function clockFor(options: CoreOptions, lastAt: number, worlds: Worlds): CoreClock {
  return createClock({
    ...(options.clock ? { wall: options.clock } : {}),
    ...(options.steady ? { steady: options.steady } : {}),
    lastAt,
    trust: options.trustClock ?? false,
    isWaiting: () => earliestDue(worlds) !== null,
  });
}
