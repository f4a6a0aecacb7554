/**
 * Between a feed and the site: its commands go to the core in order and none is lost, its events and scores to the
 * catalogue. Prices that come close together are one command a market; everything else goes at once. What may pass is
 * decided by gate.ts, which also stops betting when the feed falls silent (trust FLT-17).
 */
import type { Command, MarketId } from '@fairgame/exchange';
import { type Catalog, voidByHours } from '../catalog/catalog.ts';
import type { Committed, Core, Request } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Feed, FeedOutput } from './feed.ts';
import { type Attention, createGate, type Gate, type MarketHolds } from './gate.ts';
import { createHanding, type Handing, RETRY_MS } from './handing.ts';
import { isPrice, mergePrices } from './merge.ts';

export interface Bridge {
  /**
   * Starts the feed, or goes on without one: then every market of an earlier feed is shut. Resolves when the site shows what
   * the feed told first.
   */
  start(feed: Feed | null): Promise<void>;
  /** Prices are known to be old. */
  late(): boolean;
  stats(): BridgeStats;
  /** Markets that wait for an operator. */
  attention(): Attention[];
  /** The operator vouches for a price that jumped; false when none of the market is in doubt. */
  confirm(marketId: MarketId, actor: string): Promise<boolean>;
  /** Resolves when everything heard so far has been carried out. */
  idle(): Promise<void>;
  /** One look of the watchdog; a timer calls it every second. */
  watch(): void;
  stop(): Promise<void>;
}

export interface BridgeStats {
  /** Null when the site runs without a feed. */
  lastHeardAt: number | null;
  commands: number;
  waiting: number;
  refused: Record<string, number>;
}

export interface BridgeOptions {
  core: Core;
  catalog: Catalog;
  holds: MarketHolds;
  clock: () => number;
  log: Log;
  /** When the site last wrote anything before this start: prices are at least as old. */
  lastWroteAt?: number;
  /** Another process may decide: then it may stay unknown whether a command was taken. */
  decidedElsewhere?: boolean;
}

interface Heard {
  output: FeedOutput;
  batch: number;
}

const SILENT_MS = 10_000;
const CHUNK = 128;
/** Frames leave every 100 ms: prices that come closer together than that are merged with those behind the first. */
const MERGE_MS = 100;
/** What a feed tells in one moment may come in several pieces. */
const GATHER_MS = 5;
/** After a jump the feed is asked to tell the prices again. */
const AGAIN_MS = 1000;
/** How often it is asked to renew the quotes that bets drew on. */
const RENEW_MS = 30_000;

export function createBridge(options: BridgeOptions): Bridge {
  return new SiteBridge(options);
}

class SiteBridge implements Bridge {
  private readonly options: BridgeOptions;
  private readonly handing;
  private readonly gate;
  private readonly carrying: Carrying;
  private readonly offs: Array<() => void>;
  private feed: Feed | null = null;
  private started = false;
  private lastHeardAt: number;
  private askedAgainAt = 0;
  private renewedAt: number;
  /** Markets whose quotes bets drew on since then. */
  private readonly drawnOn = new Set<MarketId>();

  constructor(options: BridgeOptions) {
    const { core, catalog, holds, clock, log, decidedElsewhere = false } = options;
    this.options = options;
    this.lastHeardAt = options.lastWroteAt || clock();
    this.renewedAt = clock();
    this.handing = createHanding({ core, log, decidedElsewhere, stopped: () => this.carrying.stopped });
    this.gate = createGate({
      market: (marketId) => core.read.market(marketId),
      markets: () => core.read.markets(),
      manual: (marketId) => catalog.place(marketId)?.manual,
      startAt: (market) => catalog.event(market.eventId)?.startAt,
      isHeld: (marketId) => holds.isHeld(marketId),
      clock,
    });
    this.carrying = new Carrying(options, this.handing, this.gate);
    const watchdog = setInterval(() => this.watch(), 1000);
    watchdog.unref();
    this.offs = [
      () => clearInterval(watchdog),
      core.onCommitted((committed) => this.noteMarkets(committed)),
      holds.onRelease((marketId) => this.feed !== null && this.gate.release(marketId)),
    ];
  }

  async start(given: Feed | null): Promise<void> {
    this.feed = given;
    this.started = true;
    if (given) given.start((outputs) => this.hear(outputs));
    else {
      this.lastHeardAt = this.options.lastWroteAt || this.options.clock();
      this.carrying.hear([{ type: 'named', marketIds: [] }]);
    }
    await this.idle();
  }

  late(): boolean {
    const { core, clock } = this.options;
    return !core.health().available || (this.feed !== null && clock() - this.lastHeardAt > SILENT_MS);
  }

  stats(): BridgeStats {
    return {
      commands: this.handing.commands(),
      waiting: this.carrying.waiting() + this.handing.waiting(),
      refused: this.handing.refused,
      lastHeardAt: this.feed ? this.lastHeardAt : null,
    };
  }

  attention(): Attention[] {
    return this.gate.attention();
  }

  async confirm(marketId: MarketId, actor: string): Promise<boolean> {
    const opening = this.gate.confirm(marketId);
    if (opening === null) return false;
    for (const command of opening) await this.options.core.submit({ world: 'all', command, actor });
    return true;
  }

  idle(): Promise<void> {
    return this.carrying.idle();
  }

  watch(): void {
    if (!this.started) return;
    const { clock, log } = this.options;
    const silentMs = clock() - this.lastHeardAt;
    const shut = this.gate.silence(silentMs);
    if (shut.length > 0) {
      log.error({ silentMs, markets: shut.length }, 'the feed is silent: betting is stopped');
      this.handing
        .submit(shut.map(request))
        .catch((error: unknown) => log.error({ err: error }, 'markets could not be suspended'));
    }
    const now = clock();
    const doubted = this.gate.doubted();
    if (doubted.length > 0 && now - this.askedAgainAt >= AGAIN_MS) {
      this.askedAgainAt = now;
      this.feed?.again?.(doubted);
    }
    if (now - this.renewedAt < RENEW_MS) return;
    this.renewedAt = now;
    if (this.drawnOn.size > 0) this.feed?.again?.([...this.drawnOn]);
    this.drawnOn.clear();
  }

  async stop(): Promise<void> {
    await this.feed?.stop();
    const deadline = setTimeout(() => {
      this.carrying.stopped = true;
    }, 3000);
    await this.idle();
    clearTimeout(deadline);
    this.carrying.stopped = true;
    for (const off of this.offs) off();
  }

  private hear(outputs: FeedOutput[]): void {
    this.lastHeardAt = this.options.clock();
    this.carrying.hear(outputs);
  }

  private noteMarkets({ items }: Committed): void {
    if (this.handing.hasReady()) this.carrying.flush();
    for (const { actor, world, events } of items) {
      for (const event of events) {
        if (event.type === 'quotes' && actor !== 'feed') this.drawnOn.add(event.marketId);
        if (event.type !== 'market' || world !== 'real') continue;
        const wasForsaken = this.gate.isForsaken(event.market.marketId);
        this.gate.changed(event.market, actor === 'core');
        if (wasForsaken && event.market.status === 'CLOSED') this.closeForsaken(event.market.eventId);
      }
    }
  }

  /** The last market of an event that no feed carries has its result: nobody else will say that the event is over. */
  private closeForsaken(eventId: number): void {
    const isOver = this.options.core.read
      .markets()
      .every((market) => market.eventId !== eventId || market.status === 'CLOSED');
    if (isOver) this.options.catalog.closeEvent(eventId, this.options.clock());
  }
}

/** Carries out what was heard, in its order: commands to the core, events and scores to the catalogue. */
class Carrying {
  stopped = false;
  private readonly options: BridgeOptions;
  private readonly handing: Handing;
  private readonly gate: Gate;
  private queue: Heard[] = [];
  private batch = 0;
  private pumping: Promise<void> | null = null;
  /** Set while prices wait for more of them. */
  private merging: NodeJS.Timeout | undefined;
  /** When prices went last. */
  private flushedAt = 0;

  constructor(options: BridgeOptions, handing: Handing, gate: Gate) {
    this.options = options;
    this.handing = handing;
    this.gate = gate;
  }

  waiting(): number {
    return this.queue.length;
  }

  async idle(): Promise<void> {
    while (this.pumping || this.merging) {
      if (!this.pumping) this.flush();
      await this.pumping;
    }
  }

  hear(outputs: FeedOutput[]): void {
    this.batch++;
    for (const output of outputs) this.queue.push({ output, batch: this.batch });
    if (outputs.every((output) => output.type === 'command' && isPrice(output.command))) {
      if (outputs.length === 0 || this.pumping) return;
      const wait = Math.max(GATHER_MS, this.flushedAt + MERGE_MS - performance.now());
      this.merging ??= setTimeout(() => this.flush(), wait);
    } else this.flush();
  }

  flush(): void {
    clearTimeout(this.merging);
    this.merging = undefined;
    this.flushedAt = performance.now();
    this.pumping ??= this.pump().finally(() => {
      this.pumping = null;
    });
  }

  private async pump(): Promise<void> {
    while ((this.queue.length > 0 || this.handing.hasReady()) && !this.stopped) {
      this.queue = mergePrices(this.queue);
      const chunk = this.queue.splice(0, CHUNK);
      try {
        await this.handing.submit(this.handing.ready());
        await this.carryOut(chunk);
      } catch (error) {
        this.options.log.error({ err: error }, 'a batch of the feed could not be carried out');
        this.queue.unshift(...chunk);
        await pause(RETRY_MS);
      }
    }
  }

  private async carryOut(chunk: Heard[]): Promise<void> {
    let isNew = false;
    const requests: Request[] = [];
    for (const { output, batch: of } of chunk) {
      if (output.type === 'event') {
        this.options.catalog.addEvent(output.event);
        isNew = true;
      } else if (output.type === 'command') {
        const command = this.byRule(output.command);
        if (command.type === 'market.create') {
          this.options.catalog.addMarket(command.market, output.info);
          isNew = true;
        }
        for (const each of this.gate.pass(command, of)) requests.push(request(each));
      } else if (output.type === 'named') {
        const shut = this.gate.named(output.marketIds);
        if (shut.length > 0)
          this.options.log.warn({ markets: shut.length }, 'markets the feed does not name any more are shut');
        for (const each of shut) requests.push(request(each));
      }
    }
    // Names are in the tables before a market can be bet on.
    if (isNew) await this.writeNames();
    await this.handing.submit(requests);
    for (const { output } of chunk) {
      if (output.type === 'score') this.options.catalog.setScore(output.eventId, output.score);
      else if (output.type === 'eventClosed') this.options.catalog.closeEvent(output.eventId, this.options.clock());
    }
  }

  /** A result of what was played after the hours of its sport's rule pays nobody: the stakes go back. */
  private byRule(command: Command): Command {
    if (command.type !== 'market.declare') return command;
    const live = this.options.catalog.event(this.options.core.read.market(command.marketId)?.eventId ?? 0);
    const reason = live ? voidByHours(live, live.startAt, this.options.clock()) : null;
    return reason === null ? command : { ...command, result: { kind: 'void', reason } };
  }

  /** Waits for a database that is away; names it does not take for another reason may not hold the feed up. */
  private async writeNames(): Promise<void> {
    for (let tries = 0; !this.stopped; tries++) {
      try {
        return await this.options.catalog.flush();
      } catch (error) {
        if (tries >= 3 && this.options.core.health().available) {
          this.options.log.error({ err: error }, 'names of events or markets could not be written');
          return;
        }
        await pause(RETRY_MS);
      }
    }
  }
}

function request(command: Command): Request {
  return { world: 'all', command, actor: 'feed' };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
