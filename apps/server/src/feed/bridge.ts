/**
 * Between a feed and the site: its commands go to the core in order and none is lost, its events and scores to the
 * catalogue. Watches the feed: when it falls silent, betting stops; it goes on with a fresh price only (trust FLT-17).
 * What an operator holds, the feed does not reopen.
 */
import type { CodedError } from '@fairgame/contract';
import type { Command, MarketId, MarketView } from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { Committed, Core, Request } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Feed, FeedOutput } from './feed.ts';

/** A feed, and what the site must know of it beyond what it tells. */
export interface FeedSource {
  feed: Feed;
  /** The markets it goes on with after a restart; open ones it does not name are voided once it has started. */
  carries(): Iterable<MarketId>;
}

export interface Bridge {
  /** Starts the feed; resolves when the site shows what it told first. */
  start(source: FeedSource): Promise<void>;
  /** Prices are known to be old. */
  late(): boolean;
  stats(): BridgeStats;
  /** Resolves when everything heard so far has been carried out. */
  idle(): Promise<void>;
  /** One look of the watchdog; a timer calls it every second. */
  watch(): void;
  stop(): Promise<void>;
}

export interface BridgeStats {
  commands: number;
  waiting: number;
  refused: Record<string, number>;
  lastHeardAt: number;
}

/** Markets an operator has suspended; the feed does not reopen them. */
export interface MarketHolds {
  isHeld(marketId: MarketId): boolean;
  /** The taker answers true when the market is the feed's, which then reopens it. */
  onRelease(taker: (marketId: MarketId) => boolean): () => void;
}

export interface BridgeOptions {
  core: Core;
  catalog: Catalog;
  holds: MarketHolds;
  clock: () => number;
  log: Log;
}

const SILENT_IN_PLAY_MS = 10_000;
const SILENT_BEFORE_MS = 120_000;
const CHUNK = 128;
const BACKLOG = 1000;
const RETRY_MS = 250;
const FEED_LOST = 'Feed lost';
/** Suspensions that no decision of feed or operator stands behind: the next fresh price ends them. */
const PASSING = new Set([FEED_LOST, 'Restarted', 'Betting was interrupted']);
const NOT_CARRIED = 'The source of this market is gone. Stakes are returned.';

export function createBridge({ core, catalog, holds, clock, log }: BridgeOptions): Bridge {
  const queue: FeedOutput[] = [];
  /** What the feed itself last wanted. */
  const wanted = new Map<MarketId, 'INACTIVE' | 'OPEN' | 'SUSPENDED'>();
  /** Suspended until a fresh price; true once one has come. */
  const lost = new Map<MarketId, boolean>();
  const refused: Record<string, number> = {};
  let feed: Feed | null = null;
  let commands = 0;
  let lastHeardAt = clock();
  let stopped = false;
  let pumping: Promise<void> | null = null;

  for (const market of core.read.markets())
    if (market.status === 'SUSPENDED' && PASSING.has(market.reason) && !isApart(market))
      lost.set(market.marketId, false);
  const offCommitted = core.onCommitted(noteSuspensions);
  const offRelease = holds.onRelease((marketId) => {
    const market = core.read.market(marketId);
    if (!feed || !market || (catalog.place(marketId)?.manual ?? true)) return false;
    // What the feed itself has closed stays closed; the rest opens with its next price.
    if (wanted.get(marketId) !== 'OPEN' || market.status !== 'SUSPENDED') return true;
    lost.set(marketId, false);
    return true;
  });
  const watchdog = setInterval(watch, 1000);
  watchdog.unref();

  /** The core itself stops betting after a stall or a restart. */
  function noteSuspensions(batch: Committed): void {
    for (const { actor, world, events } of batch.items) {
      if (actor !== 'core' || world !== 'real') continue;
      for (const event of events)
        if (event.type === 'market' && event.market.status === 'SUSPENDED' && PASSING.has(event.market.reason))
          lost.set(event.market.marketId, false);
    }
  }

  /** Markets that are no feed's: made by hand, or rounds of card tables. */
  function isApart(market: MarketView): boolean {
    return market.kind === 'card' || (catalog.place(market.marketId)?.manual ?? false);
  }

  // ---------------------------------------------------------------------------------------------- carrying out

  function hear(batch: FeedOutput[]): void {
    lastHeardAt = clock();
    for (const output of batch) queue.push(output);
    if (queue.length > BACKLOG) dropOldPrices(queue);
    pumping ??= pump().finally(() => {
      pumping = null;
    });
  }

  async function pump(): Promise<void> {
    while (queue.length > 0 && !stopped) {
      const chunk = queue.splice(0, CHUNK);
      try {
        await carryOut(chunk);
      } catch (error) {
        log.error({ err: error }, 'a batch of the feed could not be carried out');
        queue.unshift(...chunk);
        await pause(RETRY_MS);
      }
    }
  }

  async function carryOut(chunk: FeedOutput[]): Promise<void> {
    let isNew = false;
    const requests: Request[] = [];
    for (const output of chunk) {
      if (output.type === 'event') {
        catalog.addEvent(output.event);
        isNew = true;
      } else if (output.type === 'command') {
        const { command } = output;
        if (command.type === 'market.create') {
          catalog.addMarket(command.market, output.info);
          isNew = true;
        }
        for (const each of gate(command)) requests.push({ world: 'both', command: each, actor: 'feed' });
      }
    }
    // Names are in the tables before a market can be bet on.
    if (isNew) await writeNames();
    await submit(requests);
    for (const output of chunk) {
      if (output.type === 'score') catalog.setScore(output.eventId, output.score);
      else if (output.type === 'eventClosed') catalog.closeEvent(output.eventId, clock());
    }
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

  /** Hands all of them in, in order; what the core could not take is tried until it can. Refusals are counted. */
  async function submit(requests: Request[]): Promise<void> {
    let left = requests;
    while (left.length > 0 && !stopped) {
      const answers = await core.submitAll(left);
      const again: Request[] = [];
      answers.forEach((answer, i) => {
        if (!(answer instanceof Error)) {
          commands++;
          return;
        }
        const request = left[i]!;
        const code = (answer as Partial<CodedError>).code ?? 'INTERNAL';
        if (code === 'BUSY' || code === 'UNAVAILABLE') again.push(request);
        else note(request.command, code);
      });
      left = again;
      if (left.length > 0) await pause(RETRY_MS);
    }
  }

  function note(command: Command, code: string): void {
    const what = `${command.type} ${code}`;
    refused[what] = (refused[what] ?? 0) + 1;
    // A feed that goes on after a restart tells its markets again.
    if (code === 'MARKET_EXISTS') return;
    if (refused[what] === 1) log.warn({ command, code }, 'the core refused the feed');
  }

  /** What of a feed's command may pass now; a fresh price reopens what was only waiting for it. */
  function gate(command: Command): Command[] {
    switch (command.type) {
      case 'market.create':
        if (!wanted.has(command.market.marketId)) wanted.set(command.market.marketId, command.market.status);
        return [command];
      case 'market.state': {
        const { marketId, status } = command;
        if (status === undefined) return [command];
        wanted.set(marketId, status);
        if (status !== 'OPEN') {
          // It stays closed by the feed's own decision now; only its own word opens it.
          lost.delete(marketId);
          if (holds.isHeld(marketId)) return withoutStatus(command);
          return [command];
        }
        if (holds.isHeld(marketId)) return withoutStatus(command);
        if (lost.get(marketId) === false) return withoutStatus(command);
        lost.delete(marketId);
        return [command];
      }
      case 'house.book':
      case 'house.quotes': {
        const { marketId } = command;
        if (!lost.has(marketId) || !hasPrice(command)) return [command];
        if (holds.isHeld(marketId)) return [command];
        if (wanted.get(marketId) !== 'OPEN') {
          lost.set(marketId, true);
          return [command];
        }
        lost.delete(marketId);
        return [command, { type: 'market.state', marketId, status: 'OPEN', reason: '' }];
      }
      case 'market.declare':
        wanted.delete(command.marketId);
        lost.delete(command.marketId);
        return [command];
      default:
        return [command];
    }
  }

  // -------------------------------------------------------------------------------------------------- watchdog

  function watch(): void {
    if (!feed) return;
    const silentMs = clock() - lastHeardAt;
    if (silentMs <= SILENT_IN_PLAY_MS) return;
    const requests: Request[] = [];
    for (const market of core.read.markets()) {
      if (market.status !== 'OPEN' || lost.has(market.marketId)) continue;
      if (isApart(market)) continue;
      if (!market.inPlay && silentMs <= SILENT_BEFORE_MS) continue;
      lost.set(market.marketId, false);
      wanted.set(market.marketId, 'OPEN');
      requests.push({
        world: 'both',
        command: { type: 'market.state', marketId: market.marketId, status: 'SUSPENDED', reason: FEED_LOST },
        actor: 'feed',
      });
    }
    if (requests.length === 0) return;
    log.warn({ silentMs, markets: requests.length }, 'the feed is silent: betting is stopped');
    submit(requests).catch((error: unknown) => log.error({ err: error }, 'markets could not be suspended'));
  }

  /** Open markets the feed knows nothing of would never get a result: void, with the reason told. */
  async function voidForsaken(carried: ReadonlySet<MarketId>): Promise<void> {
    const requests: Request[] = [];
    const events = new Set<number>();
    for (const market of core.read.markets()) {
      if (market.status === 'CLOSED' || carried.has(market.marketId) || isApart(market)) continue;
      requests.push({
        world: 'both',
        command: { type: 'market.declare', marketId: market.marketId, result: { kind: 'void', reason: NOT_CARRIED } },
        actor: 'feed',
      });
    }
    await submit(requests);
    for (const live of catalog.openEvents()) {
      const ids = catalog.images.marketsOf(live.id);
      const goesOn = ids.some((id) => carried.has(id) || (catalog.place(id)?.manual ?? false));
      if (!goesOn && !carriedEvents(carried).has(live.id)) events.add(live.id);
    }
    for (const eventId of events) catalog.closeEvent(eventId, clock());
    if (requests.length > 0) log.warn({ markets: requests.length }, 'markets without a source were voided');
  }

  function carriedEvents(carried: ReadonlySet<MarketId>): Set<number> {
    const found = new Set<number>();
    for (const marketId of carried) {
      const eventId = catalog.place(marketId)?.eventId;
      if (eventId !== undefined) found.add(eventId);
    }
    return found;
  }

  return {
    async start(source) {
      feed = source.feed;
      lastHeardAt = clock();
      feed.start((batch) => hear(batch));
      // It has told everything it goes on with; what is left over has no source any more.
      while (pumping) await pumping;
      await voidForsaken(new Set([...source.carries(), ...wanted.keys()]));
    },
    late: () => !core.health().available || (feed !== null && clock() - lastHeardAt > SILENT_IN_PLAY_MS),
    stats: () => ({ commands, waiting: queue.length, refused, lastHeardAt }),
    async idle() {
      while (pumping) await pumping;
    },
    watch,
    async stop() {
      await feed?.stop();
      const deadline = setTimeout(() => {
        stopped = true;
      }, 3000);
      while (pumping) await pumping;
      clearTimeout(deadline);
      stopped = true;
      clearInterval(watchdog);
      offCommitted();
      offRelease();
    },
  };
}

// ------------------------------------------------------------------------------------------------------- helpers

function withoutStatus(command: Extract<Command, { type: 'market.state' }>): Command[] {
  const { status: _status, reason: _reason, ...rest } = command;
  return Object.keys(rest).length > 2 ? [rest] : [];
}

function hasPrice(command: Extract<Command, { type: 'house.book' | 'house.quotes' }>): boolean {
  return command.type === 'house.book'
    ? command.runners.some((runner) => runner.backable.length > 0 || runner.layable.length > 0)
    : command.rows.some((row) => row.status === 'ACTIVE' && (row.back !== null || row.lay !== null));
}

/** When the core is far behind, only the newest prices of each runner are worth carrying out. */
export function dropOldPrices(queue: FeedOutput[]): void {
  const seen = new Set<string>();
  for (let i = queue.length - 1; i >= 0; i--) {
    const output = queue[i]!;
    if (output.type !== 'command') continue;
    const { command } = output;
    if (command.type === 'house.book') {
      const runners = command.runners.filter((runner) => newest(seen, command.marketId, runner.runnerId));
      if (runners.length === command.runners.length) continue;
      if (runners.length === 0) queue.splice(i, 1);
      else queue[i] = { ...output, command: { ...command, runners } };
    } else if (command.type === 'house.quotes' && command.names === undefined) {
      const rows = command.rows.filter((row) => newest(seen, command.marketId, row.runnerId));
      if (rows.length === command.rows.length) continue;
      if (rows.length === 0) queue.splice(i, 1);
      else queue[i] = { ...output, command: { ...command, rows } };
    }
  }
}

function newest(seen: Set<string>, marketId: MarketId, runnerId: number): boolean {
  const key = `${marketId}.${runnerId}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
