/** A market and an event of a source as the site was told them, and what is said of one market at a time. */
import type { Command, MarketId, MarketView } from '@fairgame/exchange';
import type { FeedOutput } from '../feed.ts';
import type { ToldState } from './commands.ts';
import { isRemoved, type MarketImage } from './fold.ts';
import { isRace, raceScore } from './identity.ts';
import type { Definition } from './message.ts';

export type RunnerBook = Extract<Command, { type: 'house.book' }>['runners'][number];

export interface SiteEvent {
  key: string;
  eventId: number;
  recordedStart: number;
  markets: SiteMarket[];
  /** What was last said of it, as text. */
  told: string;
  /** Recorded time of the last result; its event ends a little later, since results come one by one. */
  settledAt: number;
  closed: boolean;
}

export interface SiteMarket {
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
  /** It had its result before this start: only another result of its source changes that. */
  settledBefore: boolean;
}

/** A book without prices, as it is kept in `sent`. */
export const EMPTY = '[[],[]]';
/** Sent before this start: nobody knows what. */
export const UNKNOWN = '?';

/** The definition as it would be if its source said what the core holds. */
export function asHeld(definition: Definition, view: MarketView): Definition {
  const held = new Map(view.runners.map((runner) => [runner.runnerId, runner.status]));
  return {
    ...definition,
    status: view.status === 'CLOSED' ? 'CLOSED' : 'SUSPENDED',
    inPlay: view.inPlay,
    runners: definition.runners.map((runner) => {
      const status = held.get(runner.runnerId);
      const known = status === 'REMOVED' || status === 'WINNER' || status === 'LOSER';
      return { ...runner, status: known ? status : 'ACTIVE' };
    }),
  };
}

/** Non-runners, and those who came back after all: neither is one-way. */
export function removals(market: SiteMarket, last: Definition, next: Definition, out: FeedOutput[]): void {
  for (const runner of next.runners) {
    const before = market.removed.get(runner.runnerId);
    const removed = isRemoved(runner);
    if (before === undefined || before === removed) continue;
    market.removed.set(runner.runnerId, removed);
    market.sent.delete(runner.runnerId);
    const known = last.runners.find((one) => one.runnerId === runner.runnerId);
    const factor = runner.adjustmentFactor || (known?.adjustmentFactor ?? 0);
    const type = removed ? 'runner.remove' : 'runner.reinstate';
    const { marketId } = market;
    const { runnerId } = runner;
    out.push({
      type: 'command',
      command: { type, marketId, runnerId, factor, factors: rescaled(market, next, runnerId) },
    });
  }
}

/** The factors of those who stay, as the source tells them from now on. */
function rescaled(market: SiteMarket, next: Definition, of: number): Array<{ runnerId: number; factor: number }> {
  return next.runners
    .filter(({ runnerId }) => runnerId !== of && market.removed.get(runnerId) === false)
    .flatMap(({ runnerId, adjustmentFactor: factor }) => (factor ? [{ runnerId, factor }] : []));
}

export function tellRace(market: SiteMarket, out: FeedOutput[]): void {
  if (!isRace(market.definition) || market.definition.marketType !== 'WIN') return;
  out.push({ type: 'score', eventId: market.event.eventId, score: raceScore(market.definition) });
}

/** Takes every price of the house out of a market. */
export function empty(market: SiteMarket, out: FeedOutput[]): void {
  const runners: RunnerBook[] = [];
  for (const [runnerId, text] of market.sent) if (text !== EMPTY) runners.push({ runnerId, backable: [], layable: [] });
  market.sent.clear();
  if (runners.length > 0)
    out.push({ type: 'command', command: { type: 'house.book', marketId: market.marketId, runners } });
}
