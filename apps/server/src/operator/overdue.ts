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

export function createOverdue({ core, catalog, audit, clock, log, feedLate, isAlone }: OverdueParts): OverdueDesk {
  const isOpen = ({ status }: MarketView): boolean =>
    status === 'OPEN' || status === 'SUSPENDED' || status === 'INACTIVE';

  function overdue(): Array<Overdue & { markets: MarketView[] }> {
    const late = catalog.openEvents().filter((live) => overBy(live) < clock());
    if (late.length === 0) return [];
    const byEvent = new Map<number, MarketView[]>(late.map(({ id }) => [id, []]));
    for (const market of core.read.markets()) byEvent.get(market.eventId)?.push(market);
    return late.flatMap((live) => {
      const all = byEvent.get(live.id)!;
      const markets = all.filter(isOpen);
      if (markets.length === 0) return [];
      const begun = live.scoreText !== '' || all.some((market) => market.inPlay);
      return { live, markets, marketIds: markets.map(({ marketId }) => marketId), since: overBy(live), begun };
    });
  }

  /** Told for a day behind the hours, or offered by its feed as one that has not begun. A result taken back is a person's. */
  function isCertain({ live, markets, begun }: { live: LiveEvent; markets: MarketView[]; begun: boolean }): boolean {
    if (begun || markets.some((market) => market.resultVersion > 0)) return false;
    if (voidByHours(live, live.startAt, clock()) !== null) return true;
    const isOffered = ({ marketId, status }: MarketView) => status === 'OPEN' && !catalog.place(marketId)?.manual;
    return !feedLate() && markets.every(isOffered);
  }

  async function voidEvent(live: LiveEvent, marketIds: readonly MarketId[], reason: string): Promise<void> {
    await audit.record({
      actor: ACTOR,
      action: 'void',
      object: `match:${live.id}`,
      reason,
      detail: { markets: marketIds, firstStart: new Date(live.firstStartAt).toISOString() },
    });
    for (const marketId of marketIds) {
      try {
        await core.submit({
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
    catalog.closeEvent(live.id, clock());
  }

  let looking = false;
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      for (const found of overdue()) {
        const reason = voidByHours(found.live, null, clock());
        if (reason !== null && isCertain(found)) await voidEvent(found.live, found.marketIds, reason);
      }
    } finally {
      looking = false;
    }
  }

  const timer = setInterval(() => {
    if (!isAlone()) return;
    look().catch((error: unknown) => log.error({ err: error }, 'what was not played in time could not be voided'));
  }, LOOK_MS);
  timer.unref();

  return {
    look,
    waiting: () => overdue().map(({ live, marketIds, since, begun }) => ({ live, marketIds, since, begun })),
    stop: () => clearInterval(timer),
  };
}
