/**
 * Events whose time is over while their markets are open. What was certainly not played in its hours is void by the rule of
 * its sport, once; of the rest nobody knows whether it was played, and a person is asked.
 */
import { CodedError } from '@fairgame/contract';
import type { MarketId, MarketView } from '@fairgame/exchange';
import { type Catalog, type LiveEvent, overBy, voidByHours } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Audit } from '../ops/ops.ts';

/** An event that waits for a person. */
export interface Overdue {
  live: LiveEvent;
  marketIds: MarketId[];
  /** When it should have been over. */
  since: number;
  begun: boolean;
}

export interface OverdueDesk {
  /** Voids what is certainly too late; a timer calls it every minute. */
  look(): Promise<void>;
  waiting(): Overdue[];
  stop(): void;
}

export interface OverdueParts {
  core: Core;
  catalog: Catalog;
  audit: Audit;
  clock: () => number;
  log: Log;
  /** The feed is silent: an open market says nothing. */
  feedLate: () => boolean;
  /** Whether this process does what only one of the site does. */
  isAlone: () => boolean;
}

const LOOK_MS = 60_000;
const ACTOR = 'rules';

export function createOverdue(options: OverdueParts): OverdueDesk {
  return new OverdueMarkets(options);
}

const isOpen = ({ status }: MarketView) => status === 'OPEN' || status === 'SUSPENDED' || status === 'INACTIVE';

class OverdueMarkets implements OverdueDesk {
  private readonly core: Core;
  private readonly catalog: Catalog;
  private readonly audit: Audit;
  private readonly clock: () => number;
  private readonly log: Log;
  private readonly feedLate: () => boolean;
  private readonly isAlone: () => boolean;

  private looking = false;
  private readonly timer: NodeJS.Timeout;

  constructor({ core, catalog, audit, clock, log, feedLate, isAlone }: OverdueParts) {
    this.core = core;
    this.catalog = catalog;
    this.audit = audit;
    this.clock = clock;
    this.log = log;
    this.feedLate = feedLate;
    this.isAlone = isAlone;
    this.timer = setInterval(() => {
      if (!this.isAlone()) return;
      this.look().catch((error: unknown) =>
        this.log.error({ err: error }, 'what was not played in time could not be voided'),
      );
    }, LOOK_MS);
    this.timer.unref();
  }

  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      for (const found of this.overdue()) {
        const reason = voidByHours(found.live, null, this.clock());
        if (reason !== null && this.isCertain(found)) await this.voidEvent(found.live, found.marketIds, reason);
      }
    } finally {
      this.looking = false;
    }
  }

  waiting(): Overdue[] {
    return this.overdue().map(({ live, marketIds, since, begun }) => ({ live, marketIds, since, begun }));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private overdue(): Array<Overdue & { markets: MarketView[] }> {
    const late = this.catalog.openEvents().filter((live) => overBy(live) < this.clock());
    if (late.length === 0) return [];
    const byEvent = new Map<number, MarketView[]>(late.map(({ id }) => [id, []]));
    for (const market of this.core.read.markets()) byEvent.get(market.eventId)?.push(market);
    return late.flatMap((live) => {
      const all = byEvent.get(live.id)!;
      const markets = all.filter(isOpen);
      if (markets.length === 0) return [];
      const begun = live.scoreText !== '' || all.some((market) => market.inPlay);
      return { live, markets, marketIds: markets.map(({ marketId }) => marketId), since: overBy(live), begun };
    });
  }

  /** Told for a day behind the hours, or offered by its feed as one that has not begun. A result taken back is a person's. */
  private isCertain({ live, markets, begun }: { live: LiveEvent; markets: MarketView[]; begun: boolean }): boolean {
    if (begun || markets.some((market) => market.resultVersion > 0)) return false;
    if (voidByHours(live, live.startAt, this.clock()) !== null) return true;
    const isOffered = ({ marketId, status }: MarketView) => status === 'OPEN' && !this.catalog.place(marketId)?.manual;
    return !this.feedLate() && markets.every(isOffered);
  }

  private async voidEvent(live: LiveEvent, marketIds: readonly MarketId[], reason: string): Promise<void> {
    await this.audit.record({
      actor: ACTOR,
      action: 'void',
      object: `match:${live.id}`,
      reason,
      detail: { markets: marketIds, firstStart: new Date(live.firstStartAt).toISOString() },
    });
    for (const marketId of marketIds) {
      try {
        await this.core.submit({
          world: 'all',
          actor: ACTOR,
          key: `hours-${marketId}`,
          payloadHash: reason,
          command: { type: 'market.declare', marketId, result: { kind: 'void', reason } },
        });
      } catch (error) {
        // Its result came in the meantime.
        const isDecided =
          error instanceof CodedError && (error.code === 'MARKET_CLOSED' || error.code === 'MARKET_SETTLING');
        if (!isDecided) throw error;
      }
    }
    this.catalog.closeEvent(live.id, this.clock());
  }
}
