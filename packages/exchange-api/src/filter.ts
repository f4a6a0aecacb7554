/** Which markets a program asks for. */
import { BETTING_TYPES, type Word } from './enums.ts';
import type { Given } from './given.ts';

/** What is known of a market that programs may see. */
export interface MarketFacts {
  marketId: string;
  marketName: string;
  marketType: string;
  bettingType: 'ODDS' | 'LINE';
  eventId: string;
  eventName: string;
  eventType: { id: string; name: string };
  competition?: { id: string; name: string };
  venue?: string;
  countryCode?: string;
  raceType?: string;
  startAt: number;
  inPlay: boolean;
  turnInPlay: boolean;
}

export const WITH_ORDERS = ['EXECUTABLE', 'EXECUTION_COMPLETE'] as const;

export interface MarketFilter {
  textQuery?: RegExp;
  eventTypeIds?: readonly string[];
  eventIds?: readonly string[];
  competitionIds?: readonly string[];
  marketIds?: readonly string[];
  venues?: readonly string[];
  bettingTypes?: ReadonlyArray<Word<typeof BETTING_TYPES>>;
  countries?: readonly string[];
  marketTypes?: readonly string[];
  raceTypes?: readonly string[];
  bspOnly?: boolean;
  turnInPlay?: boolean;
  inPlay?: boolean;
  start?: { from?: number; to?: number };
  withOrders?: ReadonlyArray<Word<typeof WITH_ORDERS>>;
}

/** Reads a filter; absent members restrict nothing. The stream names some of them otherwise. */
export function readFilter(given: Given): MarketFilter {
  const text = given.text('textQuery');
  return present({
    textQuery: text === undefined ? undefined : wildcards(text),
    eventTypeIds: given.texts('eventTypeIds'),
    eventIds: given.texts('eventIds'),
    competitionIds: given.texts('competitionIds'),
    marketIds: given.texts('marketIds'),
    venues: given.texts('venues'),
    bettingTypes: given.words('marketBettingTypes', BETTING_TYPES) ?? given.words('bettingTypes', BETTING_TYPES),
    countries: given.texts('marketCountries') ?? given.texts('countryCodes'),
    marketTypes: given.texts('marketTypeCodes') ?? given.texts('marketTypes'),
    raceTypes: given.texts('raceTypes'),
    bspOnly: given.flag('bspOnly') ?? given.flag('bspMarket'),
    turnInPlay: given.flag('turnInPlayEnabled'),
    inPlay: given.flag('inPlayOnly'),
    start: given.range('marketStartTime'),
    withOrders: given.words('withOrders', WITH_ORDERS),
  });
}

/** `ordersIn`: which kinds of orders the account has in the market; asked only where the filter does. */
export function fits(
  filter: MarketFilter,
  facts: MarketFacts,
  ordersIn: (marketId: string) => { open: boolean; matched: boolean } = () => ({ open: false, matched: false }),
): boolean {
  const { textQuery, start, withOrders } = filter;
  if (!oneOf(filter.marketIds, facts.marketId) || !oneOf(filter.eventIds, facts.eventId)) return false;
  if (!oneOf(filter.eventTypeIds, facts.eventType.id) || !oneOf(filter.marketTypes, facts.marketType)) return false;
  if (!oneOf(filter.competitionIds, facts.competition?.id) || !oneOf(filter.venues, facts.venue)) return false;
  if (!oneOf(filter.countries, facts.countryCode) || !oneOf(filter.raceTypes, facts.raceType)) return false;
  if (!oneOf<string>(filter.bettingTypes, facts.bettingType)) return false;
  // There is no starting price here.
  if (filter.bspOnly === true) return false;
  if (filter.turnInPlay !== undefined && filter.turnInPlay !== facts.turnInPlay) return false;
  if (filter.inPlay !== undefined && filter.inPlay !== facts.inPlay) return false;
  if (start?.from !== undefined && facts.startAt < start.from) return false;
  if (start?.to !== undefined && facts.startAt > start.to) return false;
  if (textQuery && ![facts.marketName, facts.eventName, facts.competition?.name ?? ''].some((it) => textQuery.test(it)))
    return false;
  if (!withOrders) return true;
  const { open, matched } = ordersIn(facts.marketId);
  return withOrders.some((kind) => (kind === 'EXECUTABLE' ? open : matched));
}

const oneOf = <T>(list: readonly T[] | undefined, value: T | undefined): boolean =>
  list === undefined || (value !== undefined && list.includes(value));

/** Each star is any text: matched without a pattern that could run for long. */
function wildcards(text: string): RegExp {
  const parts = text.slice(0, 100).split(/\*+/).filter(Boolean).slice(0, 5);
  return new RegExp(parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*'), 'i');
}

/** Without what is undefined. */
export function present<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
