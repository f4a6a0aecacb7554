/** What each operation is asked with. Members that are not named here are passed over, and null is absent. */
import * as z from 'zod/mini';
import {
  BET_STATUSES,
  BET_TARGETS,
  BETTING_TYPES,
  GRANULARITIES,
  GROUPS_BY,
  INCLUDE_ITEMS,
  MARKET_PROJECTIONS,
  MARKET_SORTS,
  MATCH_PROJECTIONS,
  ORDER_PROJECTIONS,
  ORDER_TYPES,
  ORDERS_BY,
  PERSISTENCE_TYPES,
  PRICE_DATA,
  ROLLUP_MODELS,
  SIDES,
  SORT_DIRS,
  TIMES_IN_FORCE,
} from './enums.ts';
import { WITH_ORDERS } from './filter.ts';

const { optional, array, boolean, object } = z;
/** Programs of some languages send numbers as text. */
const number = z.union([z.number(), z.string().check(z.regex(/^-?\d{1,13}(\.\d{1,20})?$/))]);
const int = z.union([z.int(), z.string().check(z.regex(/^-?\d{1,16}$/))]);
const text = z.string();
/** Numbers are taken for their text. */
const id = z.union([text, z.int()]);
const ids = optional(array(id));
const range = optional(object({ from: optional(text), to: optional(text) }));
const reference = text.check(z.maxLength(32), z.regex(/^[A-Za-z0-9\-._+*:;~]+$/));
const strategy = text.check(z.maxLength(15), z.regex(/^[A-Za-z0-9\-._+*:;~]+$/));

/** The names of the stream stand beside those of the calls: both are read everywhere. */
export const marketFilter = object({
  textQuery: optional(text),
  eventTypeIds: ids,
  eventIds: ids,
  competitionIds: ids,
  marketIds: ids,
  venues: ids,
  bspOnly: optional(boolean()),
  bspMarket: optional(boolean()),
  turnInPlayEnabled: optional(boolean()),
  inPlayOnly: optional(boolean()),
  marketBettingTypes: optional(array(z.enum(BETTING_TYPES))),
  bettingTypes: optional(array(z.enum(BETTING_TYPES))),
  marketCountries: ids,
  countryCodes: ids,
  marketTypeCodes: ids,
  marketTypes: ids,
  raceTypes: ids,
  marketStartTime: range,
  withOrders: optional(array(z.enum(WITH_ORDERS))),
});
const filtered = object({ filter: marketFilter });

const priceProjection = optional(
  object({
    priceData: optional(array(z.enum(PRICE_DATA))),
    exBestOffersOverrides: optional(
      object({
        bestPricesDepth: optional(int),
        rollupLimit: optional(int),
        rollupModel: optional(z.enum(ROLLUP_MODELS)),
        rollupLiabilityThreshold: optional(number),
        rollupLiabilityFactor: optional(int),
      }),
    ),
  }),
);
const own = {
  orderProjection: optional(z.enum(ORDER_PROJECTIONS)),
  matchProjection: optional(z.enum(MATCH_PROJECTIONS)),
  customerStrategyRefs: ids,
  partitionMatchedByStrategyRef: optional(boolean()),
  includeOverallPosition: optional(boolean()),
  betIds: ids,
  matchedSince: optional(text),
};
const request = {
  customerRef: optional(reference),
  customerStrategyRef: optional(strategy),
  marketVersion: optional(object({ version: optional(int) })),
  async: optional(boolean()),
};
const page = { fromRecord: optional(int), recordCount: optional(int) };
const wallet = { wallet: optional(text) };

const placeInstruction = object({
  orderType: z.enum(ORDER_TYPES),
  selectionId: int,
  handicap: optional(number),
  side: z.enum(SIDES),
  limitOrder: optional(
    object({
      size: optional(number),
      price: optional(number),
      persistenceType: optional(z.enum(PERSISTENCE_TYPES)),
      timeInForce: optional(z.enum(TIMES_IN_FORCE)),
      minFillSize: optional(number),
      betTargetType: optional(z.enum(BET_TARGETS)),
      betTargetSize: optional(number),
    }),
  ),
  limitOnCloseOrder: optional(object({ liability: optional(number), price: optional(number) })),
  marketOnCloseOrder: optional(object({ liability: optional(number) })),
  customerOrderRef: optional(reference),
});

const updateKeys = object({
  updateKeys: array(object({ eventId: id, lastUpdateSequenceProcessed: optional(int) })),
});

export const ASKED = {
  listEventTypes: filtered,
  listCompetitions: filtered,
  listTimeRanges: object({ filter: marketFilter, granularity: z.enum(GRANULARITIES) }),
  listEvents: filtered,
  listMarketTypes: filtered,
  listCountries: filtered,
  listVenues: filtered,
  listMarketCatalogue: object({
    filter: marketFilter,
    maxResults: int,
    marketProjection: optional(array(z.enum(MARKET_PROJECTIONS))),
    sort: optional(z.enum(MARKET_SORTS)),
  }),
  listMarketBook: object({ marketIds: array(id), priceProjection, ...own }),
  listRunnerBook: object({ marketId: id, selectionId: int, priceProjection, ...own }),
  placeOrders: object({ marketId: id, instructions: array(placeInstruction), ...request }),
  // Members beyond these are refused: a body wrapped in something would cancel everything.
  cancelOrders: z.strictObject({
    marketId: optional(id),
    instructions: optional(array(object({ betId: id, sizeReduction: optional(number) }))),
    customerRef: optional(reference),
  }),
  updateOrders: object({
    marketId: id,
    instructions: array(object({ betId: id, newPersistenceType: z.enum(PERSISTENCE_TYPES) })),
    ...request,
  }),
  replaceOrders: object({ marketId: id, instructions: array(object({ betId: id, newPrice: number })), ...request }),
  listCurrentOrders: object({
    betIds: ids,
    marketIds: ids,
    orderProjection: optional(z.enum(ORDER_PROJECTIONS)),
    customerOrderRefs: ids,
    customerStrategyRefs: ids,
    dateRange: range,
    placedDateRange: range,
    orderBy: optional(z.enum(ORDERS_BY)),
    sortDir: optional(z.enum(SORT_DIRS)),
    includeItemDescription: optional(boolean()),
    ...page,
  }),
  listClearedOrders: object({
    betStatus: z.enum(BET_STATUSES),
    eventTypeIds: ids,
    eventIds: ids,
    marketIds: ids,
    runnerIds: optional(array(object({ marketId: id, selectionId: int }))),
    betIds: ids,
    customerOrderRefs: ids,
    customerStrategyRefs: ids,
    side: optional(z.enum(SIDES)),
    settledDateRange: range,
    groupBy: optional(z.enum(GROUPS_BY)),
    includeItemDescription: optional(boolean()),
    ...page,
  }),
  listMarketProfitAndLoss: object({ marketIds: array(id), netOfCommission: optional(boolean()) }),
  heartbeat: object({ preferredTimeoutSeconds: int }),
  listAvailableEvents: object({ eventIds: ids, eventTypeIds: ids, eventStatus: ids }),
  listScores: updateKeys,
  listIncidents: updateKeys,
  listRaceDetails: object({ meetingIds: ids, raceIds: ids }),
  getAccountFunds: object(wallet),
  getAccountDetails: object({}),
  getAccountStatement: object({
    itemDateRange: range,
    includeItem: optional(z.enum(INCLUDE_ITEMS)),
    ...page,
    ...wallet,
  }),
  listCurrencyRates: object({}),
  getDeveloperAppKeys: object({}),
  transferFunds: object({}),
  createDeveloperAppKeys: object({}),
};
