/**
 * What of a feed's commands may pass to the core. Betting goes on only on a price that is fresh: after silence, a restart or
 * a stall of the core a market opens with the next price the feed tells; a price that jumps is not believed until it has been
 * told twice; a market the feed no longer names stays shut until an operator decides (nothing is voided here). What the
 * operator holds, the feed does not open (trust FLT-17).
 */
import type { Command, MarketId, MarketView } from '@fairgame/exchange';
import { WAITS_FOR_RESULT } from './feed.ts';
import { isJump, pricesOf, type Told, tellsPrice, withoutPrice } from './jumps.ts';

/** Markets an operator has suspended; the feed does not reopen them. */
export interface MarketHolds {
  isHeld(marketId: MarketId): boolean;
  /** The taker answers true when the market is the feed's, which then reopens it. */
  onRelease(taker: (marketId: MarketId) => boolean): () => void;
}

export interface GateParts {
  market(marketId: MarketId): MarketView | undefined;
  markets(): MarketView[];
  /** Made by an operator, not by a feed; undefined when the catalogue does not know the market. */
  manual(marketId: MarketId): boolean | undefined;
  /** When its event starts, milliseconds since 1970. */
  startAt(market: MarketView): number | undefined;
  isHeld(marketId: MarketId): boolean;
  clock: () => number;
}

/** A market that waits for a person. */
export interface Attention {
  marketId: MarketId;
  /**
   * `forsaken`: the feed does not name it any more. `jump`: its price jumped and was not told a second time. `result`: its
   * source told a finish that cannot be paid on.
   */
  why: 'forsaken' | 'jump' | 'result';
  since: number;
}

export interface Gate {
  /** `batch` counts what the feed told together: a price is confirmed by a later one only. */
  pass(command: Command, batch: number): Command[];
  /** Suspensions that are due when nothing was heard for so long. */
  silence(silentMs: number): Command[];
  /** The feed goes on with these markets, and with no others: suspensions of the others. */
  named(marketIds: Iterable<MarketId>): Command[];
  /** The core itself, or an operator, has changed the market. */
  changed(market: MarketView, byCore: boolean): void;
  /** The operator gives a market back: true when the feed opens it, at once or with its next price. */
  release(marketId: MarketId): boolean;
  /** The operator vouches for a price that jumped; null when none is in doubt. */
  confirm(marketId: MarketId): Command[] | null;
  /** Markets whose price is in doubt: the feed may be asked to tell them again. */
  doubted(): MarketId[];
  attention(): Attention[];
  isForsaken(marketId: MarketId): boolean;
}

/** What is kept of one market of the feed. */
interface Stand {
  /** What the feed itself last wanted. */
  wanted: 'INACTIVE' | 'OPEN' | 'SUSPENDED' | null;
  /** Shut until a fresh price; `fresh` once one has come while the feed itself kept the market shut. */
  lost: 'waiting' | 'fresh' | null;
  /** Last price that was believed, by runner. */
  prices: Map<number, Told>;
  /** Prices that jumped from what was believed. */
  doubt: { since: number; batch: number; prices: Map<number, Told> } | null;
  forsakenSince: number | null;
  undecidedSince: number | null;
  /** An operator trades it by hand although a feed made it. */
  byHand: boolean;
}

const SILENT_IN_PLAY_MS = 10_000;
const SILENT_BEFORE_MS = 120_000;
/** An image that comes late may still name a market. */
const FORSAKEN_AFTER_MS = 60_000;
const FEED_LOST = 'Feed lost';
const SOURCE_LOST = 'Source lost';
const PRICE_CHECK = 'Price check';
/** Suspensions that no decision of feed or operator stands behind: the next fresh price ends them. */
const PASSING = new Set([FEED_LOST, SOURCE_LOST, PRICE_CHECK, 'Restarted', 'Betting was interrupted']);

type PriceCommand = Extract<Command, { type: 'house.book' | 'house.quotes' }>;

export function createGate(parts: GateParts): Gate {
  return new StreamGate(parts);
}

class StreamGate implements Gate {
  private readonly parts: GateParts;
  private readonly clock: () => number;
  private readonly stands = new Map<MarketId, Stand>();

  constructor(parts: GateParts) {
    this.parts = parts;
    this.clock = parts.clock;
    for (const market of parts.markets())
      if (market.status === 'SUSPENDED' && !this.isApart(market)) {
        if (PASSING.has(market.reason)) this.standOf(market.marketId).lost = 'waiting';
        else if (market.reason === WAITS_FOR_RESULT) this.standOf(market.marketId).undecidedSince = this.clock();
      }
  }

  pass(command: Command, batch: number): Command[] {
    if ('marketId' in command && command.marketId !== undefined) {
      const stand = this.stands.get(command.marketId);
      if (stand) stand.forsakenSince = null;
    }
    switch (command.type) {
      case 'market.create': {
        const stand = this.standOf(command.market.marketId);
        stand.wanted ??= command.market.status;
        stand.forsakenSince = null;
        return [command];
      }
      case 'market.state':
        return this.passState(command);
      case 'house.book':
      case 'house.quotes':
        return this.passPrices(command, batch);
      case 'market.declare':
        this.stands.delete(command.marketId);
        return [command];
      case 'runner.remove':
        this.stands.get(command.marketId)?.doubt?.prices.delete(command.runnerId);
        return [command];
      default:
        return [command];
    }
  }

  silence(silentMs: number): Command[] {
    if (silentMs <= SILENT_IN_PLAY_MS) return [];
    const now = this.clock();
    const due = this.parts.markets().filter((market) => {
      if (market.status !== 'OPEN' || this.isApart(market) || this.stands.get(market.marketId)?.lost) return false;
      const begun = market.inPlay || (this.parts.startAt(market) ?? Number.POSITIVE_INFINITY) <= now;
      return begun || silentMs > SILENT_BEFORE_MS;
    });
    return due.map((market) => this.shut(market, FEED_LOST));
  }

  named(marketIds: Iterable<MarketId>): Command[] {
    const names = new Set(marketIds);
    const commands: Command[] = [];
    for (const market of this.parts.markets()) {
      if (market.status === 'CLOSED' || this.isApart(market)) continue;
      const stand = this.standOf(market.marketId);
      if (names.has(market.marketId)) {
        stand.forsakenSince = null;
        if (market.status === 'OPEN') stand.wanted ??= 'OPEN';
        continue;
      }
      stand.forsakenSince ??= this.clock();
      if (market.status === 'OPEN') commands.push(this.shut(market, SOURCE_LOST));
    }
    return commands;
  }

  changed(market: MarketView, byCore: boolean): void {
    if (market.status === 'CLOSED') this.stands.delete(market.marketId);
    else if (byCore && market.status === 'SUSPENDED' && PASSING.has(market.reason) && !this.isApart(market))
      this.standOf(market.marketId).lost = 'waiting';
  }

  release(marketId: MarketId): boolean {
    const market = this.parts.market(marketId);
    if (!market || (this.parts.manual(marketId) ?? true)) return false;
    const stand = this.standOf(marketId);
    if (stand.forsakenSince !== null) {
      // Nobody else will price it: it is the operator's now.
      stand.byHand = true;
      return false;
    }
    // What the feed itself has closed stays closed; the rest opens with its next price.
    if (stand.wanted === 'OPEN' && market.status === 'SUSPENDED') stand.lost = 'waiting';
    return true;
  }

  confirm(marketId: MarketId): Command[] | null {
    const stand = this.stands.get(marketId);
    if (!stand?.doubt) return null;
    for (const [runnerId, price] of stand.doubt.prices) stand.prices.set(runnerId, price);
    return this.believed(marketId, stand);
  }

  doubted(): MarketId[] {
    return [...this.stands].filter(([, stand]) => stand.doubt !== null).map(([marketId]) => marketId);
  }

  attention(): Attention[] {
    const before = this.clock() - FORSAKEN_AFTER_MS;
    const list: Attention[] = [];
    for (const [marketId, { forsakenSince, undecidedSince, doubt }] of this.stands) {
      if (undecidedSince !== null) list.push({ marketId, why: 'result', since: undecidedSince });
      else if (forsakenSince !== null && forsakenSince <= before)
        list.push({ marketId, why: 'forsaken', since: forsakenSince });
      else if (doubt) list.push({ marketId, why: 'jump', since: doubt.since });
    }
    return list;
  }

  isForsaken(marketId: MarketId): boolean {
    return (this.stands.get(marketId)?.forsakenSince ?? null) !== null;
  }

  private standOf(marketId: MarketId): Stand {
    let stand = this.stands.get(marketId);
    if (!stand) {
      stand = {
        wanted: null,
        lost: null,
        prices: new Map(),
        doubt: null,
        forsakenSince: null,
        undecidedSince: null,
        byHand: false,
      };
      this.stands.set(marketId, stand);
    }
    return stand;
  }

  /** Markets that are no feed's: made by hand, or rounds of card tables. */
  private isApart(market: MarketView): boolean {
    return (
      market.kind === 'card' ||
      (this.parts.manual(market.marketId) ?? false) ||
      (this.stands.get(market.marketId)?.byHand ?? false)
    );
  }

  private shut(market: MarketView, reason: string): Command {
    const stand = this.standOf(market.marketId);
    stand.lost = 'waiting';
    stand.wanted = 'OPEN';
    return { type: 'market.state', marketId: market.marketId, status: 'SUSPENDED', reason };
  }

  private passState(command: Extract<Command, { type: 'market.state' }>): Command[] {
    const { marketId, status } = command;
    const stand = this.standOf(marketId);
    if (status === undefined) return [command];
    stand.wanted = status;
    stand.undecidedSince = command.reason === WAITS_FOR_RESULT ? this.clock() : null;
    if (status !== 'OPEN') {
      // It stays shut by the feed's own decision now; only its own word opens it, at whatever price.
      stand.lost = null;
      stand.doubt = null;
      stand.prices.clear();
      return this.parts.isHeld(marketId) ? withoutStatus(command) : [command];
    }
    if (this.parts.isHeld(marketId) || stand.lost === 'waiting' || stand.doubt) return withoutStatus(command);
    stand.lost = null;
    return [command];
  }

  private passPrices(command: PriceCommand, batch: number): Command[] {
    const stand = this.standOf(command.marketId);
    const market = this.parts.market(command.marketId);
    const told = pricesOf(command, market?.kind ?? 'book');
    // A row the feed shuts itself may come back at any price; a ladder that is merely empty may not.
    if (command.type === 'house.quotes') for (const runnerId of withoutPrice(command)) stand.prices.delete(runnerId);
    if (stand.doubt) return this.whileInDoubt(stand, stand.doubt, command, told, batch);
    const jumped = [...told].filter(([runnerId, price]) => isJump(stand.prices.get(runnerId), price));
    if (jumped.length > 0 && stand.lost === null && stand.wanted === 'OPEN' && market?.status === 'OPEN') {
      stand.doubt = { since: this.clock(), batch, prices: new Map(jumped) };
      believe(stand, told, stand.doubt.prices);
      const stop: Command = {
        type: 'market.state',
        marketId: command.marketId,
        status: 'SUSPENDED',
        reason: PRICE_CHECK,
      };
      return [stop, command];
    }
    believe(stand, told);
    if (stand.lost === null || !tellsPrice(command) || this.parts.isHeld(command.marketId)) return [command];
    if (stand.wanted !== 'OPEN') {
      stand.lost = 'fresh';
      return [command];
    }
    stand.lost = null;
    return [command, opening(command.marketId)];
  }

  /** Told again by a later batch, or back where it was: the market opens. */
  private whileInDoubt(
    stand: Stand,
    doubt: NonNullable<Stand['doubt']>,
    command: PriceCommand,
    told: Map<number, Told>,
    batch: number,
  ): Command[] {
    for (const runnerId of withoutPrice(command)) doubt.prices.delete(runnerId);
    for (const [runnerId, price] of told) {
      const doubted = doubt.prices.get(runnerId);
      const before = stand.prices.get(runnerId);
      const isSettled = !isJump(before, price) || (doubted && batch > doubt.batch && !isJump(doubted, price));
      if (isSettled) {
        doubt.prices.delete(runnerId);
        stand.prices.set(runnerId, price);
      } else doubt.prices.set(runnerId, price);
    }
    doubt.batch = batch;
    return doubt.prices.size > 0 ? [command] : [command, ...this.believed(command.marketId, stand)];
  }

  private believed(marketId: MarketId, stand: Stand): Command[] {
    stand.doubt = null;
    if (stand.lost === 'waiting') stand.lost = null;
    return this.parts.isHeld(marketId) || stand.wanted !== 'OPEN' ? [] : [opening(marketId)];
  }
}

function opening(marketId: MarketId): Command {
  return { type: 'market.state', marketId, status: 'OPEN', reason: '' };
}

function believe(stand: Stand, told: Map<number, Told>, except?: Map<number, Told>): void {
  for (const [runnerId, price] of told) if (!except?.has(runnerId)) stand.prices.set(runnerId, price);
}

function withoutStatus(command: Extract<Command, { type: 'market.state' }>): Command[] {
  const { status: _status, reason: _reason, ...rest } = command;
  return Object.keys(rest).length > 2 ? [rest] : [];
}
