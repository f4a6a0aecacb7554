/** Lists and catalogue as they are written. */
import type { GRANULARITIES, MARKET_PROJECTIONS, MARKET_SORTS, Word } from './enums.ts';
import type { MarketFacts } from './filter.ts';
import { LINE_RANGE } from './lines.ts';
import { decimal, isoTime } from './numbers.ts';

export type ListedMarket = MarketFacts & {
  commissionBps: number;
  totalMatchedMinor: number;
  availableMinor: number;
  rules: string;
  runners: ReadonlyArray<{ selectionId: number; name: string; metadata: Record<string, string> }>;
};

const ZONE = 'GMT';

export const eventOf = (facts: MarketFacts) => ({
  id: facts.eventId,
  name: facts.eventName,
  ...(facts.countryCode === undefined ? {} : { countryCode: facts.countryCode }),
  timezone: ZONE,
  ...(facts.venue === undefined ? {} : { venue: facts.venue }),
  openDate: isoTime(facts.startAt),
});

/** The markets by something they have in common, each with how many; in the order in which they came. */
export function counted<T>(
  markets: readonly MarketFacts[],
  what: (facts: MarketFacts) => { key: string; told: T } | null,
): Array<T & { marketCount: number }> {
  const found = new Map<string, T & { marketCount: number }>();
  for (const facts of markets) {
    const one = what(facts);
    if (!one) continue;
    const known = found.get(one.key);
    if (known) known.marketCount++;
    else found.set(one.key, { ...one.told, marketCount: 1 });
  }
  return [...found.values()];
}

const SPAN_MS = { DAYS: 86_400_000, HOURS: 3_600_000, MINUTES: 60_000 } as const;

/** In which spans of time markets begin. */
export function timeRanges(markets: readonly MarketFacts[], granularity: Word<typeof GRANULARITIES>) {
  const span = SPAN_MS[granularity];
  const byTime = [...markets].sort((a, b) => a.startAt - b.startAt);
  return counted(byTime, ({ startAt }) => {
    const from = Math.floor(startAt / span) * span;
    return { key: String(from), told: { timeRange: { from: isoTime(from), to: isoTime(from + span) } } };
  });
}

export function sorted(markets: readonly ListedMarket[], sort: Word<typeof MARKET_SORTS> | undefined): ListedMarket[] {
  const by = (of: (market: ListedMarket) => number) =>
    [...markets].sort((a, b) => of(a) - of(b) || (a.marketId < b.marketId ? -1 : 1));
  switch (sort) {
    case 'MINIMUM_TRADED':
      return by((market) => market.totalMatchedMinor);
    case 'MAXIMUM_TRADED':
      return by((market) => -market.totalMatchedMinor);
    case 'MINIMUM_AVAILABLE':
      return by((market) => market.availableMinor);
    case 'MAXIMUM_AVAILABLE':
      return by((market) => -market.availableMinor);
    case 'LAST_TO_START':
      return by((market) => -market.startAt);
    default:
      return by((market) => market.startAt);
  }
}

export function catalogueOf(market: ListedMarket, projections: readonly Word<typeof MARKET_PROJECTIONS>[]) {
  const has = (one: Word<typeof MARKET_PROJECTIONS>) => projections.includes(one);
  const metadata = has('RUNNER_METADATA');
  return {
    marketId: market.marketId,
    marketName: market.marketName,
    ...(has('MARKET_START_TIME') ? { marketStartTime: isoTime(market.startAt) } : {}),
    ...(has('MARKET_DESCRIPTION') ? { description: descriptionOf(market) } : {}),
    totalMatched: decimal(market.totalMatchedMinor),
    ...(has('RUNNER_DESCRIPTION') || metadata
      ? {
          runners: market.runners.map((runner, at) => ({
            selectionId: runner.selectionId,
            runnerName: runner.name,
            handicap: 0,
            sortPriority: at + 1,
            ...(metadata ? { metadata: { runnerId: String(runner.selectionId), ...runner.metadata } } : {}),
          })),
        }
      : {}),
    ...(has('EVENT_TYPE') ? { eventType: market.eventType } : {}),
    ...(has('COMPETITION') && market.competition ? { competition: market.competition } : {}),
    ...(has('EVENT') ? { event: eventOf(market) } : {}),
  };
}

function descriptionOf(market: ListedMarket) {
  const time = isoTime(market.startAt);
  return {
    persistenceEnabled: true,
    bspMarket: false,
    marketTime: time,
    suspendTime: time,
    bettingType: market.bettingType,
    turnInPlayEnabled: market.turnInPlay,
    marketType: market.marketType,
    regulator: 'fairGame',
    marketBaseRate: decimal(market.commissionBps),
    discountAllowed: false,
    wallet: 'UK wallet',
    rules: market.rules,
    rulesHasDate: false,
    clarifications: '',
    ...(market.raceType === undefined ? {} : { raceType: market.raceType }),
    ...(market.bettingType === 'LINE'
      ? {
          lineRangeInfo: {
            maxUnitValue: decimal(LINE_RANGE.most),
            minUnitValue: decimal(LINE_RANGE.least),
            interval: decimal(LINE_RANGE.step),
            marketUnit: 'Runs',
          },
          priceLadderDescription: { type: 'LINE_RANGE' },
        }
      : { priceLadderDescription: { type: 'CLASSIC' } }),
  };
}
