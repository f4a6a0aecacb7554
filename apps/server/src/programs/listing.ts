/** Finding markets: lists, catalogue, the navigation menu. */
import {
  catalogueOf,
  counted,
  eventOf,
  fits,
  fromMarketId,
  type Given,
  isoTime,
  type MarketFacts,
  type MarketFilter,
  readCatalogue,
  readListing,
  readTimeRanges,
  sorted,
  timeRanges,
  weighCatalogue,
  winnersIn,
} from '@fairgame/exchange-api';
import type { Core } from '../core/types.ts';
import type { Caller } from './entry.ts';
import type { ProgramMarkets } from './markets.ts';
import type { Operation } from './operations.ts';

type Finder = (filter: MarketFilter, caller: Caller) => MarketFacts[];

export function listingOperations(markets: ProgramMarkets, core: Pick<Core, 'read'>): Record<string, Operation> {
  const find: Finder = (filter, { session }) => {
    const ordersIn = (marketId: string) => {
      const bets = core.read.openBets(session.world, session.accountId, fromMarketId(marketId)!);
      return { open: bets.some((bet) => bet.remainingMinor > 0), matched: bets.some((bet) => bet.matchedMinor > 0) };
    };
    return markets.open().filter((facts) => fits(filter, facts, ordersIn));
  };
  const list = (told: (found: MarketFacts[]) => object[]): Operation => ({
    api: 'betting',
    run: (params, caller) => told(find(readListing(params), caller)),
  });
  const by = <T>(what: (facts: MarketFacts) => { key: string; told: T } | null) =>
    list((found) => counted(found, what) as object[]);

  return {
    listEventTypes: by(({ eventType }) => ({ key: eventType.id, told: { eventType } })),
    listCompetitions: by(({ competition, countryCode }) =>
      competition ? { key: competition.id, told: { competition, competitionRegion: countryCode ?? 'INT' } } : null,
    ),
    listEvents: by((facts) => ({ key: facts.eventId, told: { event: eventOf(facts) } })),
    listMarketTypes: by(({ marketType }) => ({ key: marketType, told: { marketType } })),
    listCountries: by(({ countryCode }) =>
      countryCode === undefined ? null : { key: countryCode, told: { countryCode } },
    ),
    listVenues: by(({ venue }) => (venue === undefined ? null : { key: venue, told: { venue } })),
    listTimeRanges: {
      api: 'betting',
      run(params, caller) {
        const { filter, granularity } = readTimeRanges(params);
        return timeRanges(find(filter, caller), granularity);
      },
    },
    listMarketCatalogue: { api: 'betting', run: (params, caller) => catalogue(params, caller, markets, find) },
    navigationMenu: { api: 'betting', run: (_params, caller) => menuOf(find({}, caller), markets) },
  };
}

function catalogue(params: Given, caller: Caller, markets: ProgramMarkets, find: Finder): object[] {
  const { filter, maxResults, projections, sort } = readCatalogue(params);
  weighCatalogue(maxResults, projections);
  const { world } = caller.session;
  const found = find(filter, caller).map((facts) => markets.listed(world, facts));
  return sorted(found, sort)
    .slice(0, maxResults)
    .map((market) => catalogueOf(market, projections));
}

function grouped<T>(list: readonly T[], key: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(key(one));
    if (group) group.push(one);
    else groups.set(key(one), [one]);
  }
  return [...groups.values()];
}

/** Sports, their competitions and events, and the markets of each; races stand right below their sport. */
function menuOf(found: readonly MarketFacts[], markets: ProgramMarkets): object {
  const root = { type: 'GROUP', id: 0, name: 'ROOT', children: [] as object[] };
  for (const sport of grouped(found, ({ eventType }) => eventType.id)) {
    const children: object[] = [];
    const [races, others] = [sport.filter(({ raceType }) => raceType), sport.filter(({ raceType }) => !raceType)];
    for (const race of grouped(races, ({ eventId }) => eventId)) children.push(raceOf(race));
    for (const group of grouped(others, ({ competition }) => competition?.id ?? ''))
      children.push({
        type: 'GROUP',
        id: group[0]!.competition?.id ?? group[0]!.eventId,
        name: group[0]!.competition?.name ?? group[0]!.eventName,
        children: grouped(group, ({ eventId }) => eventId).map((event) => ({
          type: 'EVENT',
          id: event[0]!.eventId,
          name: event[0]!.eventName,
          countryCode: event[0]!.countryCode ?? '',
          children: event.map(marketNode),
        })),
      });
    const { id, name } = sport[0]!.eventType;
    root.children.push({ type: 'EVENT_TYPE', id, name, children });
  }
  return root;

  function raceOf(race: readonly MarketFacts[]): object {
    const [{ eventId, eventName, startAt, venue, countryCode }] = race as [MarketFacts];
    const number = markets.catalog.event(markets.catalog.images.view(fromMarketId(race[0]!.marketId)!)!.eventId)?.event
      .race?.raceNumber;
    return {
      type: 'RACE',
      id: eventId,
      name: eventName,
      startTime: isoTime(startAt),
      venue: venue ?? '',
      raceNumber: number === undefined ? '' : `R${number}`,
      countryCode: countryCode ?? '',
      children: race.map(marketNode),
    };
  }

  function winnersOf({ marketId }: MarketFacts): number {
    const view = markets.catalog.images.view(fromMarketId(marketId)!);
    return view ? winnersIn(view) : 1;
  }

  function marketNode(facts: MarketFacts): object {
    return {
      type: 'MARKET',
      id: facts.marketId,
      name: facts.marketName,
      exchangeId: '1',
      marketType: facts.marketType,
      marketStartTime: isoTime(facts.startAt),
      numberOfWinners: winnersOf(facts),
    };
  }
}
