/**
 * From changes of folded markets to what the site's feed says: events, and commands to the betting core.
 *
 * The recorded ladder becomes orders of the house. A recording knows other people's orders in sum only, so what a player's
 * resting order would have met is a choice. Ours: it rests in the site's own book and is filled, at its own price, as soon
 * as the recording's opposite best reaches or passes that price, for the size shown there; the core does that by itself
 * when a house level crosses it. Volume the recording traded at the player's price behind others does not fill him.
 *
 * A book is emptied before its market leaves OPEN or turns in play, and filled again after, so no old price can be taken.
 */
import type { MarketId, MarketView } from '@fairgame/exchange';
import { type FeedOutput, WAITS_FOR_RESULT } from '../feed.ts';
import type { Known } from '../known.ts';
import { cardChanged, createCommand, placesOf, resultOf, sameResult, stateCommand, stateOf } from './commands.ts';
import { isRemoved, type MarketChange, type MarketImage } from './fold.ts';
import { eventKey, feedEvent, isRace, unsupported } from './identity.ts';
import type { Definition } from './message.ts';
import { bookOf } from './prices.ts';
import {
  asHeld,
  EMPTY,
  empty,
  type RunnerBook,
  removals,
  type SiteEvent,
  type SiteMarket,
  tellRace,
  UNKNOWN,
} from './site-market.ts';

export interface TranslatorOptions {
  /** Numbers of events and markets: those of the source are not used, so that a file may be played again. */
  known: Known;
  /** Put before the source's own names where they are stored: `stream:`. */
  prefix: string;
  /** The site's time of a recorded time. */
  siteTime: (recordedMs: number) => number;
  /** Recorded time is put onto another day. */
  ownTime?: boolean;
  /** Levels a side given to the house; 10 unless said otherwise. */
  depth?: number;
}

export interface TranslatorCounts {
  events: number;
  markets: number;
  /** Markets the site cannot offer, by reason. */
  skipped: Record<string, number>;
  /** Ladders not shown because they crossed (lines missing in the recording). */
  crossed: number;
  /** Markets that ended without a result and were voided at the end. */
  unfinished: number;
}

export interface Translator {
  readonly counts: TranslatorCounts;
  /** Everything but prices, which wait for `flush`: a market's prices between two flushes are merged. */
  take(changes: readonly MarketChange[]): FeedOutput[];
  /** Prices of the markets touched since, and events that were over a recorded minute before `publishTime`. */
  flush(publishTime: number): FeedOutput[];
  /** Events whose start moved because the site's clock now maps recorded time otherwise. */
  retime(): FeedOutput[];
  /** The source fell silent: whatever is open is suspended with the reason, until `release`. */
  hold(reason: string): FeedOutput[];
  /**
   * The source speaks again: markets open as they stand, their prices come with the next `flush`. With `only` (recorded
   * ids), the others stay held until something is heard of them.
   */
  release(only?: ReadonlySet<string>): FeedOutput[];
  /** The recording is over: what has no result is void. */
  end(): FeedOutput[];
  /** The site's numbers of those of the source's markets that it shows. */
  numbers(sources: Iterable<string>): MarketId[];
  /** The next `flush` tells the prices of these markets whole, changed or not. */
  again(marketIds: readonly MarketId[]): void;
}

const DEPTH = 10;
const EVENT_LINGERS_MS = 60_000;

export function createTranslator(options: TranslatorOptions): Translator {
  return new FileTranslator(options);
}

class FileTranslator implements Translator {
  private readonly options: TranslatorOptions;
  private readonly depth: number;
  private readonly events = new Map<string, SiteEvent>();
  private readonly markets = new Map<string, SiteMarket | null>();
  private readonly dirty = new Set<SiteMarket>();
  readonly counts: TranslatorCounts = { events: 0, markets: 0, skipped: {}, crossed: 0, unfinished: 0 };
  private held = '';

  constructor(options: TranslatorOptions) {
    this.options = options;
    this.depth = options.depth ?? DEPTH;
  }

  take(changes: readonly MarketChange[]): FeedOutput[] {
    const out: FeedOutput[] = [];
    for (const change of changes) {
      let market = this.markets.get(change.market.marketId);
      for (const definition of change.definitions) {
        if (market === undefined) {
          market = this.open(change.market, definition, out);
          this.markets.set(change.market.marketId, market);
        } else if (market) this.step(market, definition, out);
      }
      if (!market) continue;
      if (market.held !== '' && this.held === '') {
        market.held = '';
        if (market.definition.status !== 'CLOSED') this.move(market, out);
      }
      this.dirty.add(market);
    }
    return out;
  }

  flush(publishTime: number): FeedOutput[] {
    const out: FeedOutput[] = [];
    for (const market of this.dirty) this.books(market, out);
    this.dirty.clear();
    this.closeEvents(publishTime - EVENT_LINGERS_MS, out);
    return out;
  }

  retime(): FeedOutput[] {
    const out: FeedOutput[] = [];
    for (const event of this.events.values()) {
      const begun = event.closed || event.markets.some((market) => market.definition.inPlay);
      if (!begun) this.tellEvent(event, out);
    }
    return out;
  }

  hold(reason: string): FeedOutput[] {
    const out: FeedOutput[] = [];
    this.held = reason;
    for (const market of this.playing()) {
      market.held = reason;
      this.move(market, out);
    }
    return out;
  }

  release(only?: ReadonlySet<string>): FeedOutput[] {
    const out: FeedOutput[] = [];
    this.held = '';
    for (const market of this.playing()) {
      if (only && !only.has(market.image.marketId)) continue;
      market.held = '';
      this.move(market, out);
    }
    return out;
  }

  end(): FeedOutput[] {
    const out: FeedOutput[] = [];
    for (const market of this.playing()) {
      this.counts.unfinished++;
      empty(market, out);
      const result = { kind: 'void' as const, reason: 'The recording ended before a result' };
      out.push({ type: 'command', command: { type: 'market.declare', marketId: market.marketId, result } });
      market.definition = { ...market.definition, status: 'CLOSED' };
    }
    this.dirty.clear();
    this.closeEvents(Number.POSITIVE_INFINITY, out);
    return out;
  }

  numbers(sources: Iterable<string>): MarketId[] {
    return [...sources].flatMap((source) => this.markets.get(source)?.marketId ?? []);
  }

  again(marketIds: readonly MarketId[]): void {
    const wanted = new Set(marketIds);
    for (const market of this.playing()) {
      if (!wanted.has(market.marketId)) continue;
      for (const runnerId of market.sent.keys()) market.sent.set(runnerId, UNKNOWN);
      this.dirty.add(market);
    }
  }

  private tellEvent(event: SiteEvent, out: FeedOutput[]): void {
    const definitions = event.markets.map((market) => market.definition);
    const said = {
      ...feedEvent(event.eventId, definitions, this.options.siteTime(event.recordedStart)),
      source: this.options.prefix + event.key,
      ...(this.options.ownTime && { ownTime: true }),
    };
    const text = JSON.stringify(said);
    if (text === event.told) return;
    event.told = text;
    out.push({ type: 'event', event: said });
  }

  private eventOf(image: MarketImage, definition: Definition, held: MarketView | undefined): SiteEvent {
    const key = eventKey(definition);
    const open = this.events.get(key);
    if (open && !open.closed) return open;
    const event: SiteEvent = {
      key,
      eventId: held?.eventId ?? this.options.known.event(key),
      recordedStart: definition.marketTimeMs || definition.openDateMs || image.publishTime,
      markets: [],
      told: '',
      settledAt: 0,
      closed: false,
    };
    this.events.set(key, event);
    this.counts.events++;
    return event;
  }

  private enter(image: MarketImage, definition: Definition, view: MarketView | undefined): SiteMarket {
    const event = this.eventOf(image, definition, view);
    const market: SiteMarket = {
      marketId: this.options.known.market(image.marketId),
      event,
      image,
      definition,
      places: placesOf(definition),
      state: stateOf(definition, this.held !== ''),
      held: this.held,
      removed: new Map(definition.runners.map((runner) => [runner.runnerId, false])),
      sent: new Map(),
      settledBefore: false,
    };
    event.markets.push(market);
    this.counts.markets++;
    return market;
  }

  /** Null for a market the site never shows. */
  private open(image: MarketImage, definition: Definition, out: FeedOutput[]): SiteMarket | null {
    const view = this.options.known.held(image.marketId);
    if (view) return this.goOn(image, definition, view, out);
    const why = definition.status === 'CLOSED' ? 'closed before it began' : unsupported(definition);
    if (why) {
      this.counts.skipped[why] = (this.counts.skipped[why] ?? 0) + 1;
      return null;
    }
    const market = this.enter(image, definition, undefined);
    const { event } = market;
    this.tellEvent(event, out);
    const create = createCommand(market.marketId, event.eventId, definition, market.state, event.markets.length);
    out.push({ ...create, info: { ...create.info!, source: this.options.prefix + image.marketId } });
    removals(market, definition, definition, out);
    tellRace(market, out);
    return market;
  }

  /** A market that the core has had since before this start: only what differs from what it holds is told. */
  private goOn(image: MarketImage, definition: Definition, view: MarketView, out: FeedOutput[]): SiteMarket {
    const market = this.enter(image, definition, view);
    market.definition = asHeld(definition, view);
    market.state = {
      status: view.status === 'OPEN' || view.status === 'INACTIVE' ? view.status : 'SUSPENDED',
      inPlay: view.inPlay,
      betDelayMs: view.betDelayMs,
    };
    market.places = view.winners;
    market.settledBefore = view.status === 'CLOSED';
    market.removed = new Map(view.runners.map((runner) => [runner.runnerId, runner.status === 'REMOVED']));
    for (const runner of view.runners) if (runner.status !== 'REMOVED') market.sent.set(runner.runnerId, UNKNOWN);
    if (market.settledBefore && definition.status !== 'CLOSED') return market;
    this.tellEvent(market.event, out);
    this.step(market, definition, out);
    return market;
  }

  private move(market: SiteMarket, out: FeedOutput[]): void {
    const next = stateOf(market.definition, market.held !== '');
    const reason = next.status === 'OPEN' ? '' : market.held || 'Suspended';
    const command = stateCommand(market.marketId, market.state, next, reason);
    if (!command) return;
    empty(market, out);
    market.state = next;
    out.push({ type: 'command', command });
    this.dirty.add(market);
  }

  private step(market: SiteMarket, next: Definition, out: FeedOutput[]): void {
    const last = market.definition;
    if (market.settledBefore && next.status !== 'CLOSED') return;
    market.definition = next;
    if (last.status === 'CLOSED') {
      if (next.status === 'CLOSED' && sameResult(last, next)) return;
      out.push({ type: 'command', command: { type: 'market.undeclare', marketId: market.marketId } });
    }
    const opens = next.status === 'OPEN' && market.state.status !== 'OPEN';
    // A removal comes after its market was suspended and before it opens again.
    if (opens) removals(market, last, next, out);
    if (next.status === 'CLOSED') empty(market, out);
    else this.move(market, out);
    removals(market, last, next, out);
    if (next.status === 'CLOSED') {
      market.state = { ...market.state, status: 'SUSPENDED' };
      market.event.settledAt = market.image.publishTime;
      const { marketId } = market;
      const result = resultOf(next, market.removed, market.places);
      out.push({
        type: 'command',
        command: result
          ? { type: 'market.declare', marketId, result }
          : { type: 'market.state', marketId, status: 'SUSPENDED', reason: WAITS_FOR_RESULT },
      });
    }
    const isMoved = next.marketTimeMs !== last.marketTimeMs && next.marketTimeMs > 0 && !next.inPlay;
    if (isMoved) market.event.recordedStart = next.marketTimeMs;
    if (isMoved || (isRace(next) && cardChanged(last, next))) this.tellEvent(market.event, out);
    if (last.status !== next.status || last.inPlay !== next.inPlay) tellRace(market, out);
  }

  private books(market: SiteMarket, out: FeedOutput[]): void {
    if (market.definition.status === 'CLOSED' || market.state.status !== 'OPEN') return;
    const runners: RunnerBook[] = [];
    for (const runner of market.definition.runners) {
      if (market.removed.get(runner.runnerId) !== false || isRemoved(runner)) continue;
      const { backable, layable, crossed } = bookOf(market.image, runner, this.depth);
      if (crossed) this.counts.crossed++;
      const text = JSON.stringify([backable, layable]);
      if (text === (market.sent.get(runner.runnerId) ?? EMPTY)) continue;
      market.sent.set(runner.runnerId, text);
      runners.push({ runnerId: runner.runnerId, backable, layable });
    }
    if (runners.length > 0)
      out.push({ type: 'command', command: { type: 'house.book', marketId: market.marketId, runners } });
  }

  private closeEvents(before: number, out: FeedOutput[]): void {
    for (const event of this.events.values()) {
      if (event.closed || event.settledAt >= before) continue;
      if (event.markets.some((market) => market.definition.status !== 'CLOSED')) continue;
      event.closed = true;
      this.options.known.over(event.key);
      out.push({ type: 'eventClosed', eventId: event.eventId });
    }
  }

  private playing(): SiteMarket[] {
    return [...this.markets.values()].filter(
      (market): market is SiteMarket => market !== null && market.definition.status !== 'CLOSED',
    );
  }
}
