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
import type { Command, MarketId } from '@fairgame/exchange';
import type { FeedOutput } from '../feed.ts';
import {
  cardChanged,
  createCommand,
  placesOf,
  resultOf,
  sameResult,
  stateCommand,
  stateOf,
  type ToldState,
} from './commands.ts';
import { isRemoved, type MarketChange, type MarketImage } from './fold.ts';
import { eventKey, feedEvent, isRace, raceScore, unsupported } from './identity.ts';
import type { Definition } from './message.ts';
import { bookOf } from './prices.ts';

/** Shown until an operator declares the finish by ranks. */
const DEAD_HEAT = 'Dead heat: waits for the full finish';

/** Positive safe integers, each once, ascending. */
export interface Ids {
  next(): number;
}

export interface TranslatorOptions {
  /** For events and markets: the numbers of the recording are not used, so that a file may be played again. */
  ids: Ids;
  /** The site's time of a recorded time. */
  siteTime: (recordedMs: number) => number;
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
}

type RunnerBook = Extract<Command, { type: 'house.book' }>['runners'][number];

interface SiteEvent {
  eventId: number;
  recordedStart: number;
  markets: SiteMarket[];
  /** What was last said of it, as text. */
  told: string;
  /** Recorded time of the last result; its event ends a little later, since results come one by one. */
  settledAt: number;
  closed: boolean;
}

interface SiteMarket {
  marketId: MarketId;
  event: SiteEvent;
  image: MarketImage;
  definition: Definition;
  places: number;
  state: ToldState;
  /** Why it is held back, empty when it is not. */
  held: string;
  /** Runners the core knows, and whether it holds them removed. */
  removed: Map<number, boolean>;
  /** Books last sent, as text. */
  sent: Map<number, string>;
}

const DEPTH = 10;
const EVENT_LINGERS_MS = 60_000;
const EMPTY = '[[],[]]';

export function createTranslator(options: TranslatorOptions): Translator {
  const depth = options.depth ?? DEPTH;
  const events = new Map<string, SiteEvent>();
  const markets = new Map<string, SiteMarket | null>();
  const dirty = new Set<SiteMarket>();
  const counts: TranslatorCounts = { events: 0, markets: 0, skipped: {}, crossed: 0, unfinished: 0 };
  let held = '';

  const tellEvent = (event: SiteEvent, out: FeedOutput[]): void => {
    const definitions = event.markets.map((market) => market.definition);
    const said = feedEvent(event.eventId, definitions, options.siteTime(event.recordedStart));
    const text = JSON.stringify(said);
    if (text === event.told) return;
    event.told = text;
    out.push({ type: 'event', event: said });
  };

  /** Null for a market the site never shows. */
  const open = (image: MarketImage, definition: Definition, out: FeedOutput[]): SiteMarket | null => {
    const why = definition.status === 'CLOSED' ? 'closed before it began' : unsupported(definition);
    if (why) {
      counts.skipped[why] = (counts.skipped[why] ?? 0) + 1;
      return null;
    }
    const key = eventKey(definition);
    let event = events.get(key);
    if (!event || event.closed) {
      const recordedStart = definition.marketTimeMs || definition.openDateMs || image.publishTime;
      event = { eventId: options.ids.next(), recordedStart, markets: [], told: '', settledAt: 0, closed: false };
      events.set(key, event);
      counts.events++;
    }
    const market: SiteMarket = {
      marketId: options.ids.next(),
      event,
      image,
      definition,
      places: placesOf(definition),
      state: stateOf(definition, held !== ''),
      held,
      removed: new Map(definition.runners.map((runner) => [runner.runnerId, false])),
      sent: new Map(),
    };
    event.markets.push(market);
    counts.markets++;
    tellEvent(event, out);
    out.push(createCommand(market.marketId, event.eventId, definition, market.state, event.markets.length));
    removals(market, definition, definition, out);
    tellRace(market, out);
    return market;
  };

  const move = (market: SiteMarket, out: FeedOutput[]): void => {
    const next = stateOf(market.definition, market.held !== '');
    const reason = next.status === 'OPEN' ? '' : market.held || 'Suspended';
    const command = stateCommand(market.marketId, market.state, next, reason);
    if (!command) return;
    empty(market, out);
    market.state = next;
    out.push({ type: 'command', command });
    dirty.add(market);
  };

  const step = (market: SiteMarket, next: Definition, out: FeedOutput[]): void => {
    const last = market.definition;
    market.definition = next;
    if (last.status === 'CLOSED') {
      if (next.status === 'CLOSED' && sameResult(last, next)) return;
      out.push({ type: 'command', command: { type: 'market.undeclare', marketId: market.marketId } });
    }
    const opens = next.status === 'OPEN' && market.state.status !== 'OPEN';
    // A removal comes after its market was suspended and before it opens again.
    if (opens) removals(market, last, next, out);
    if (next.status === 'CLOSED') empty(market, out);
    else move(market, out);
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
          : { type: 'market.state', marketId, status: 'SUSPENDED', reason: DEAD_HEAT },
      });
    }
    if (isRace(next) && cardChanged(last, next)) tellEvent(market.event, out);
    if (last.status !== next.status || last.inPlay !== next.inPlay) tellRace(market, out);
  };

  const books = (market: SiteMarket, out: FeedOutput[]): void => {
    if (market.definition.status === 'CLOSED' || market.state.status !== 'OPEN') return;
    const runners: RunnerBook[] = [];
    for (const runner of market.definition.runners) {
      if (market.removed.get(runner.runnerId) !== false || isRemoved(runner)) continue;
      const { backable, layable, crossed } = bookOf(market.image, runner, depth);
      if (crossed) counts.crossed++;
      const text = JSON.stringify([backable, layable]);
      if (text === (market.sent.get(runner.runnerId) ?? EMPTY)) continue;
      market.sent.set(runner.runnerId, text);
      runners.push({ runnerId: runner.runnerId, backable, layable });
    }
    if (runners.length > 0)
      out.push({ type: 'command', command: { type: 'house.book', marketId: market.marketId, runners } });
  };

  const closeEvents = (before: number, out: FeedOutput[]): void => {
    for (const event of events.values()) {
      if (event.closed || event.settledAt >= before) continue;
      if (event.markets.some((market) => market.definition.status !== 'CLOSED')) continue;
      event.closed = true;
      out.push({ type: 'eventClosed', eventId: event.eventId });
    }
  };

  const playing = (): SiteMarket[] =>
    [...markets.values()].filter(
      (market): market is SiteMarket => market !== null && market.definition.status !== 'CLOSED',
    );

  return {
    counts,
    take(changes) {
      const out: FeedOutput[] = [];
      for (const change of changes) {
        let market = markets.get(change.market.marketId);
        for (const definition of change.definitions) {
          if (market === undefined) {
            market = open(change.market, definition, out);
            markets.set(change.market.marketId, market);
          } else if (market) step(market, definition, out);
        }
        if (!market) continue;
        if (market.held !== '' && held === '') {
          market.held = '';
          if (market.definition.status !== 'CLOSED') move(market, out);
        }
        dirty.add(market);
      }
      return out;
    },
    flush(publishTime) {
      const out: FeedOutput[] = [];
      for (const market of dirty) books(market, out);
      dirty.clear();
      closeEvents(publishTime - EVENT_LINGERS_MS, out);
      return out;
    },
    retime() {
      const out: FeedOutput[] = [];
      for (const event of events.values()) {
        const begun = event.closed || event.markets.some((market) => market.definition.inPlay);
        if (!begun) tellEvent(event, out);
      }
      return out;
    },
    hold(reason) {
      const out: FeedOutput[] = [];
      held = reason;
      for (const market of playing()) {
        market.held = reason;
        move(market, out);
      }
      return out;
    },
    release(only) {
      const out: FeedOutput[] = [];
      held = '';
      for (const market of playing()) {
        if (only && !only.has(market.image.marketId)) continue;
        market.held = '';
        move(market, out);
      }
      return out;
    },
    end() {
      const out: FeedOutput[] = [];
      for (const market of playing()) {
        counts.unfinished++;
        empty(market, out);
        const result = { kind: 'void' as const, reason: 'The recording ended before a result' };
        out.push({ type: 'command', command: { type: 'market.declare', marketId: market.marketId, result } });
        market.definition = { ...market.definition, status: 'CLOSED' };
      }
      dirty.clear();
      closeEvents(Number.POSITIVE_INFINITY, out);
      return out;
    },
  };
}

/** Non-runners, and those who came back after all: neither is one-way. */
function removals(market: SiteMarket, last: Definition, next: Definition, out: FeedOutput[]): void {
  for (const runner of next.runners) {
    const before = market.removed.get(runner.runnerId);
    const removed = isRemoved(runner);
    if (before === undefined || before === removed) continue;
    market.removed.set(runner.runnerId, removed);
    market.sent.delete(runner.runnerId);
    const known = last.runners.find((one) => one.runnerId === runner.runnerId);
    const factor = runner.adjustmentFactor || (known?.adjustmentFactor ?? 0);
    const type = removed ? 'runner.remove' : 'runner.reinstate';
    out.push({ type: 'command', command: { type, marketId: market.marketId, runnerId: runner.runnerId, factor } });
  }
}

function tellRace(market: SiteMarket, out: FeedOutput[]): void {
  if (!isRace(market.definition) || market.definition.marketType !== 'WIN') return;
  out.push({ type: 'score', eventId: market.event.eventId, score: raceScore(market.definition) });
}

/** Takes every price of the house out of a market. */
function empty(market: SiteMarket, out: FeedOutput[]): void {
  const runners: RunnerBook[] = [];
  for (const [runnerId, text] of market.sent) if (text !== EMPTY) runners.push({ runnerId, backable: [], layable: [] });
  market.sent.clear();
  if (runners.length > 0)
    out.push({ type: 'command', command: { type: 'house.book', marketId: market.marketId, runners } });
}
