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
import { type Attention, createGate, type MarketHolds } from './gate.ts';
import { createHanding, RETRY_MS } from './handing.ts';
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
/** Frames leave every 100 ms: prices that come closer together than that are merged. */
const MERGE_MS = 100;
/** After a jump the feed is asked to tell the prices again. */
const AGAIN_MS = 1000;
/** How often it is asked to renew the quotes that bets drew on. */
const RENEW_MS = 30_000;

export function createBridge(options: BridgeOptions): Bridge {
  const { core, catalog, holds, clock, log, decidedElsewhere = false } = options;
  let queue: Heard[] = [];
  let feed: Feed | null = null;
  let started = false;
  let batch = 0;
  let lastHeardAt = options.lastWroteAt || clock();
  let stopped = false;
  let pumping: Promise<void> | null = null;
  let waiting: NodeJS.Timeout | undefined;
  let askedAgainAt = 0;
  let renewedAt = clock();
  /** Markets whose quotes bets drew on since then. */
  const drawnOn = new Set<MarketId>();

  const handing = createHanding({ core, log, decidedElsewhere, stopped: () => stopped });
  const gate = createGate({
    market: (marketId) => core.read.market(marketId),
    markets: () => core.read.markets(),
    manual: (marketId) => catalog.place(marketId)?.manual,
    startAt: (market) => catalog.event(market.eventId)?.startAt,
    isHeld: (marketId) => holds.isHeld(marketId),
    clock,
  });
  const offCommitted = core.onCommitted(noteMarkets);
  const offRelease = holds.onRelease((marketId) => feed !== null && gate.release(marketId));
  const watchdog = setInterval(watch, 1000);
  watchdog.unref();

  function noteMarkets({ items }: Committed): void {
    if (handing.hasReady()) flush();
    for (const { actor, world, events } of items) {
      for (const event of events) {
        if (event.type === 'quotes' && actor !== 'feed') drawnOn.add(event.marketId);
        if (event.type !== 'market' || world !== 'real') continue;
        const wasForsaken = gate.isForsaken(event.market.marketId);
        gate.changed(event.market, actor === 'core');
        if (wasForsaken && event.market.status === 'CLOSED') closeForsaken(event.market.eventId);
      }
    }
  }

  /** The last market of an event that no feed carries has its result: nobody else will say that the event is over. */
  function closeForsaken(eventId: number): void {
    const isOver = core.read.markets().every((market) => market.eventId !== eventId || market.status === 'CLOSED');
    if (isOver) catalog.closeEvent(eventId, clock());
  }

  // ---------------------------------------------------------------------------------------------- carrying out

  function hear(outputs: FeedOutput[]): void {
    lastHeardAt = clock();
    batch++;
    for (const output of outputs) queue.push({ output, batch });
    if (outputs.every((output) => output.type === 'command' && isPrice(output.command))) {
      if (outputs.length > 0 && !pumping) waiting ??= setTimeout(flush, MERGE_MS);
    } else flush();
  }

  function flush(): void {
    clearTimeout(waiting);
    waiting = undefined;
    pumping ??= pump().finally(() => {
      pumping = null;
    });
  }

  async function pump(): Promise<void> {
    while ((queue.length > 0 || handing.hasReady()) && !stopped) {
      queue = mergePrices(queue);
      const chunk = queue.splice(0, CHUNK);
      try {
        await handing.submit(handing.ready());
        await carryOut(chunk);
      } catch (error) {
        log.error({ err: error }, 'a batch of the feed could not be carried out');
        queue.unshift(...chunk);
        await pause(RETRY_MS);
      }
    }
  }

  async function carryOut(chunk: Heard[]): Promise<void> {
    let isNew = false;
    const requests: Request[] = [];
    for (const { output, batch: of } of chunk) {
      if (output.type === 'event') {
        catalog.addEvent(output.event);
        isNew = true;
      } else if (output.type === 'command') {
        const command = byRule(output.command);
        if (command.type === 'market.create') {
          catalog.addMarket(command.market, output.info);
          isNew = true;
        }
        for (const each of gate.pass(command, of)) requests.push(request(each));
      } else if (output.type === 'named') {
        const shut = gate.named(output.marketIds);
        if (shut.length > 0) log.warn({ markets: shut.length }, 'markets the feed does not name any more are shut');
        for (const each of shut) requests.push(request(each));
      }
    }
    // Names are in the tables before a market can be bet on.
    if (isNew) await writeNames();
    await handing.submit(requests);
    for (const { output } of chunk) {
      if (output.type === 'score') catalog.setScore(output.eventId, output.score);
      else if (output.type === 'eventClosed') catalog.closeEvent(output.eventId, clock());
    }
  }

  /** A result of what was played after the hours of its sport's rule pays nobody: the stakes go back. */
  function byRule(command: Command): Command {
    if (command.type !== 'market.declare') return command;
    const live = catalog.event(core.read.market(command.marketId)?.eventId ?? 0);
    const reason = live ? voidByHours(live, live.startAt, clock()) : null;
    return reason === null ? command : { ...command, result: { kind: 'void', reason } };
  }

  /** Waits for a database that is away; names it does not take for another reason may not hold the feed up. */
  async function writeNames(): Promise<void> {
    for (let tries = 0; !stopped; tries++) {
      try {
        return await catalog.flush();
      } catch (error) {
        if (tries >= 3 && core.health().available) {
          log.error({ err: error }, 'names of events or markets could not be written');
          return;
        }
        await pause(RETRY_MS);
      }
    }
  }

  // -------------------------------------------------------------------------------------------------- watchdog

  function watch(): void {
    if (!started) return;
    const silentMs = clock() - lastHeardAt;
    const shut = gate.silence(silentMs);
    if (shut.length > 0) {
      log.error({ silentMs, markets: shut.length }, 'the feed is silent: betting is stopped');
      handing
        .submit(shut.map(request))
        .catch((error: unknown) => log.error({ err: error }, 'markets could not be suspended'));
    }
    const now = clock();
    const doubted = gate.doubted();
    if (doubted.length > 0 && now - askedAgainAt >= AGAIN_MS) {
      askedAgainAt = now;
      feed?.again?.(doubted);
    }
    if (now - renewedAt < RENEW_MS) return;
    renewedAt = now;
    if (drawnOn.size > 0) feed?.again?.([...drawnOn]);
    drawnOn.clear();
  }

  return {
    async start(given) {
      feed = given;
      started = true;
      if (!feed) {
        hear([{ type: 'named', marketIds: [] }]);
        lastHeardAt = options.lastWroteAt || clock();
      } else feed.start((outputs) => hear(outputs));
      await this.idle();
    },
    late: () => !core.health().available || (feed !== null && clock() - lastHeardAt > SILENT_MS),
    stats: () => ({
      commands: handing.commands(),
      waiting: queue.length + handing.waiting(),
      refused: handing.refused,
      lastHeardAt: feed ? lastHeardAt : null,
    }),
    attention: () => gate.attention(),
    async confirm(marketId, actor) {
      const opening = gate.confirm(marketId);
      if (opening === null) return false;
      for (const command of opening) await core.submit({ world: 'all', command, actor });
      return true;
    },
    async idle() {
      while (pumping || waiting) {
        if (!pumping) flush();
        await pumping;
      }
    },
    watch,
    async stop() {
      await feed?.stop();
      const deadline = setTimeout(() => {
        stopped = true;
      }, 3000);
      await this.idle();
      clearTimeout(deadline);
      stopped = true;
      clearInterval(watchdog);
      offCommitted();
      offRelease();
    },
  };
}

// ------------------------------------------------------------------------------------------------------- helpers

function request(command: Command): Request {
  return { world: 'all', command, actor: 'feed' };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
