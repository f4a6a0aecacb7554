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
import { LADDER, tickAtOrBelow, tickIndex } from '@fairgame/contract';
import type { Command, MarketId, Result } from '@fairgame/exchange';
import type { FeedOutput } from '../feed.ts';
import { bestPrices, isRemoved, type MarketChange, type MarketImage } from './fold.ts';
import {
  eventKey,
  feedEvent,
  isRace,
  marketInfo,
  marketName,
  matchTypeOf,
  raceScore,
  runnerName,
  unsupported,
} from './identity.ts';
import type { Definition, RunnerDefinition } from './message.ts';

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
  /** The recording is over: what has no result is void. */
  end(): FeedOutput[];
}

type Levels = Array<[number, number]>;
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
  /** Runners the core knows, and whether it holds them removed. */
  removed: Map<number, boolean>;
  /** Books last sent, as text. */
  sent: Map<number, string>;
}

const DEPTH = 10;
const EVENT_LINGERS_MS = 60_000;
/** Files without ladders (BASIC): three ticks either side of the last price, the same size each, 100.00. */
const INVENTED_LEVELS = 3;
const INVENTED_SIZE_MINOR = 10_000;
const MIN_STAKE_MINOR = 100;
const MAX_STAKE_MINOR = 500_000;

export function createTranslator(options: TranslatorOptions): Translator {
  const depth = options.depth ?? DEPTH;
  const events = new Map<string, SiteEvent>();
  const markets = new Map<string, SiteMarket | null>();
  const dirty = new Set<SiteMarket>();
  const counts: TranslatorCounts = { events: 0, markets: 0, skipped: {}, crossed: 0, unfinished: 0 };

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
      removed: new Map(definition.runners.map((runner) => [runner.runnerId, false])),
      sent: new Map(),
    };
    event.markets.push(market);
    counts.markets++;
    tellEvent(event, out);
    out.push(createCommand(market, event.markets.length));
    removals(market, definition, definition, out);
    tellRace(market, out);
    return market;
  };

  const step = (market: SiteMarket, next: Definition, out: FeedOutput[]): void => {
    const last = market.definition;
    market.definition = next;
    if (last.status === 'CLOSED') {
      if (next.status === 'CLOSED' && sameResult(last, next)) return;
      out.push({ type: 'command', command: { type: 'market.undeclare', marketId: market.marketId } });
    }
    const moved =
      last.status !== next.status || last.inPlay !== next.inPlay || last.betDelaySeconds !== next.betDelaySeconds;
    if (moved && next.status === 'CLOSED') empty(market, out);
    if (moved && next.status !== 'CLOSED') {
      empty(market, out);
      // A removal comes before the market opens again and after it was suspended.
      if (next.status === 'OPEN') removals(market, last, next, out);
      out.push({ type: 'command', command: stateCommand(market.marketId, last, next) });
    }
    removals(market, last, next, out);
    if (next.status === 'CLOSED') {
      market.event.settledAt = market.image.publishTime;
      out.push({
        type: 'command',
        command: { type: 'market.declare', marketId: market.marketId, result: resultOf(market, next) },
      });
    }
    if (isRace(next) && cardChanged(last, next)) tellEvent(market.event, out);
    if (moved) tellRace(market, out);
  };

  const books = (market: SiteMarket, out: FeedOutput[]): void => {
    if (market.definition.status !== 'OPEN') return;
    const runners: RunnerBook[] = [];
    for (const runner of market.definition.runners) {
      if (market.removed.get(runner.runnerId) !== false || isRemoved(runner)) continue;
      const book = bookOf(market.image, runner, depth);
      if (book.crossed) counts.crossed++;
      const text = JSON.stringify([book.backable, book.layable]);
      if (text === (market.sent.get(runner.runnerId) ?? '[[],[]]')) continue;
      market.sent.set(runner.runnerId, text);
      runners.push({ runnerId: runner.runnerId, backable: book.backable, layable: book.layable });
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
        if (market) dirty.add(market);
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
    end() {
      const out: FeedOutput[] = [];
      for (const market of markets.values()) {
        if (!market || market.definition.status === 'CLOSED') continue;
        counts.unfinished++;
        empty(market, out);
        const result: Result = { kind: 'void', reason: 'The recording ended before a result' };
        out.push({ type: 'command', command: { type: 'market.declare', marketId: market.marketId, result } });
        market.definition = { ...market.definition, status: 'CLOSED' };
      }
      dirty.clear();
      closeEvents(Number.POSITIVE_INFINITY, out);
      return out;
    },
  };
}

// ---------------------------------------------------------------------------------------------------- commands

function createCommand(market: SiteMarket, order: number): FeedOutput {
  const { definition } = market;
  const place = definition.marketType === 'PLACE' || definition.marketType === 'OTHER_PLACE';
  const info = marketInfo(definition, order);
  return {
    type: 'command',
    command: {
      type: 'market.create',
      market: {
        marketId: market.marketId,
        eventId: market.event.eventId,
        kind: 'book',
        name: marketName(definition),
        runners: definition.runners.map((runner) => ({
          runnerId: runner.runnerId,
          name: runnerName(definition, runner),
          adjustmentFactor: runner.adjustmentFactor,
        })),
        winners: Math.min(definition.numberOfWinners, definition.runners.length),
        commissionBps: definition.baseRate,
        minStakeMinor: MIN_STAKE_MINOR,
        maxStakeMinor: MAX_STAKE_MINOR,
        maxExposureMinor: 0,
        maxBets: 0,
        inPlay: definition.inPlay,
        status: definition.status as 'INACTIVE' | 'OPEN' | 'SUSPENDED',
        betDelayMs: definition.betDelaySeconds * 1000,
        // A goal cancels what is unmatched; racing and tennis keep it (exchange reference 3.6).
        lapseOnSuspend: matchTypeOf(definition) === 'football',
        placeMarket: place,
      },
    },
    info,
  };
}

function stateCommand(marketId: MarketId, last: Definition, next: Definition): Command {
  const reopened = last.status === 'CLOSED';
  return {
    type: 'market.state',
    marketId,
    ...((reopened || last.status !== next.status) && { status: next.status as 'INACTIVE' | 'OPEN' | 'SUSPENDED' }),
    ...((reopened || last.inPlay !== next.inPlay) && { inPlay: next.inPlay }),
    ...((reopened || last.betDelaySeconds !== next.betDelaySeconds) && { betDelayMs: next.betDelaySeconds * 1000 }),
    reason: next.status === 'OPEN' ? '' : 'Suspended',
  };
}

/** Non-runners, and those who came back after all: neither is one-way. */
function removals(market: SiteMarket, last: Definition, next: Definition, out: FeedOutput[]): void {
  for (const runner of next.runners) {
    const held = market.removed.get(runner.runnerId);
    const removed = isRemoved(runner);
    if (held === undefined || held === removed) continue;
    market.removed.set(runner.runnerId, removed);
    market.sent.delete(runner.runnerId);
    const type = removed ? 'runner.remove' : 'runner.reinstate';
    const known = last.runners.find((one) => one.runnerId === runner.runnerId);
    const factor = runner.adjustmentFactor || (known?.adjustmentFactor ?? 0);
    out.push({ type: 'command', command: { type, marketId: market.marketId, runnerId: runner.runnerId, factor } });
  }
}

function tellRace(market: SiteMarket, out: FeedOutput[]): void {
  if (!isRace(market.definition) || market.definition.marketType !== 'WIN') return;
  out.push({ type: 'score', eventId: market.event.eventId, score: raceScore(market.definition) });
}

function empty(market: SiteMarket, out: FeedOutput[]): void {
  const runners: RunnerBook[] = [];
  for (const [runnerId, text] of market.sent)
    if (text !== '[[],[]]') runners.push({ runnerId, backable: [], layable: [] });
  market.sent.clear();
  if (runners.length > 0)
    out.push({ type: 'command', command: { type: 'house.book', marketId: market.marketId, runners } });
}

function resultOf(market: SiteMarket, definition: Definition): Result {
  const winners = winnersOf(definition);
  if (winners.length === 0) return { kind: 'void', reason: 'No winner in the recording' };
  if (winners.some((runnerId) => !market.removed.has(runnerId))) {
    return { kind: 'void', reason: 'The winner joined after the market opened here' };
  }
  return { kind: 'winners', runnerIds: winners };
}

function winnersOf(definition: Definition): number[] {
  return definition.runners.filter((runner) => runner.status === 'WINNER').map((runner) => runner.runnerId);
}

function sameResult(a: Definition, b: Definition): boolean {
  const text = (definition: Definition): string =>
    definition.runners
      .map((runner) => `${runner.runnerId}${runner.status === 'WINNER' ? 'W' : isRemoved(runner) ? 'R' : 'L'}`)
      .sort()
      .join();
  return text(a) === text(b);
}

function cardChanged(a: Definition, b: Definition): boolean {
  const text = (definition: Definition): string =>
    definition.runners.map((runner) => `${runner.runnerId}${isRemoved(runner)}${runner.adjustmentFactor}`).join();
  return text(a) !== text(b);
}

// ---------------------------------------------------------------------------------------------------- prices

/** What the house offers on a runner. A crossed ladder is known to be wrong: nothing is offered from it. */
function bookOf(
  image: MarketImage,
  runner: RunnerDefinition,
  depth: number,
): { backable: Levels; layable: Levels; crossed: boolean } {
  const folded = image.runners.get(runner.key);
  if (image.ladders === 'none') return { ...inventedBook(folded?.lastPrice ?? 0), crossed: false };
  const onLadder = ([price]: [number, number]): boolean => tickIndex(price) >= 0;
  const backable = bestPrices(image, folded, 'back', depth).filter(onLadder);
  const layable = bestPrices(image, folded, 'lay', depth).filter(onLadder);
  const crossed = backable.length > 0 && layable.length > 0 && backable[0]![0] >= layable[0]![0];
  return crossed ? { backable: [], layable: [], crossed } : { backable, layable, crossed };
}

function inventedBook(lastPrice: number): { backable: Levels; layable: Levels } {
  if (lastPrice <= 0) return { backable: [], layable: [] };
  const at = tickIndex(tickAtOrBelow(lastPrice));
  const backable: Levels = [];
  const layable: Levels = [];
  for (let i = 0; i < INVENTED_LEVELS; i++) {
    const back = LADDER[at - i];
    const lay = LADDER[at + 1 + i];
    if (back) backable.push([back, INVENTED_SIZE_MINOR]);
    if (lay) layable.push([lay, INVENTED_SIZE_MINOR]);
  }
  return { backable, layable };
}
