/** The parameters of the operations, read and bounded. */

import type { PriceProjection, Rollup } from './books.ts';
import {
  BET_STATUSES,
  GRANULARITIES,
  GROUPS_BY,
  INCLUDE_ITEMS,
  MARKET_PROJECTIONS,
  MARKET_SORTS,
  MATCH_PROJECTIONS,
  ORDER_PROJECTIONS,
  ORDERS_BY,
  PERSISTENCE_TYPES,
  PRICE_DATA,
  ROLLUP_MODELS,
  SIDES,
  SORT_DIRS,
} from './enums.ts';
import { ApiError, ParamError, type ReportError } from './errors.ts';
import { present, readFilter } from './filter.ts';
import { Given, must } from './given.ts';
import { hundredths, numberNamed } from './numbers.ts';
import { isRef, ORDER_REF_LENGTH, readPlaceInstruction, STRATEGY_REF_LENGTH } from './orders.ts';
import { MOST_CHANGED, MOST_IDS, MOST_ORDERS, MOST_PLACED, MOST_RESULTS } from './weights.ts';

export const readListing = (params: Given) => readFilter(must(params.object('filter'), 'filter'));

export const readTimeRanges = (params: Given) => ({
  filter: readListing(params),
  granularity: must(params.word('granularity', GRANULARITIES), 'granularity'),
});

export function readCatalogue(params: Given) {
  const maxResults = must(params.int('maxResults'), 'maxResults');
  if (maxResults < 1 || maxResults > MOST_RESULTS) throw new ApiError('INVALID_INPUT_DATA', 'maxResults');
  return {
    filter: readListing(params),
    maxResults,
    projections: params.words('marketProjection', MARKET_PROJECTIONS) ?? [],
    sort: params.word('sort', MARKET_SORTS),
  };
}

function readPrices(params: Given) {
  const given = params.object('priceProjection');
  const best = given?.object('exBestOffersOverrides');
  const bestDepth = best?.int('bestPricesDepth');
  if (bestDepth !== undefined && (bestDepth < 1 || bestDepth > 350))
    throw new ApiError('INVALID_INPUT_DATA', 'bestPricesDepth');
  return present<PriceProjection>({
    data: given?.words('priceData', PRICE_DATA) ?? [],
    bestDepth,
    rollup: best && readRollup(best),
  });
}

/** Without a limit nothing is joined: sizes are hardly ever below the least stake. */
function readRollup(best: Given): Rollup | undefined {
  const limit = best.int('rollupLimit');
  const model = best.word('rollupModel', ROLLUP_MODELS);
  const [from, liability] = [hundredths(best.text('rollupLiabilityThreshold')), best.int('rollupLiabilityFactor')];
  if (limit === undefined || model === 'NONE') return undefined;
  const least = { by: model === 'PAYOUT' ? 'payout' : 'stake', leastMinor: limit * 100 } as const;
  if (model !== 'MANAGED_LIABILITY' || from === null || liability === undefined) return least;
  return { ...least, from, leastLiabilityMinor: liability * 100 };
}

function readOwn(params: Given) {
  return {
    orders: params.word('orderProjection', ORDER_PROJECTIONS),
    matches: params.word('matchProjection', MATCH_PROJECTIONS),
    strategies: params.texts('customerStrategyRefs'),
    byStrategy: params.flag('partitionMatchedByStrategyRef') ?? false,
    overall: params.flag('includeOverallPosition') ?? true,
    betIds: params.texts('betIds'),
    matchedSince: params.time('matchedSince'),
  };
}
export type OwnWish = ReturnType<typeof readOwn>;

export const readBooks = (params: Given) => ({
  marketIds: must(params.texts('marketIds'), 'marketIds'),
  prices: readPrices(params),
  own: readOwn(params),
});

export const readRunnerBook = (params: Given) => ({
  marketIds: [must(params.text('marketId'), 'marketId')],
  runnerId: must(params.int('selectionId'), 'selectionId'),
  prices: readPrices(params),
  own: readOwn(params),
});

/** What a request about orders says of itself; `wrong` is what stands in its report instead of anything done. */
function readRequest(params: Given, instructions: number, most: number) {
  const customerRef = params.text('customerRef');
  const strategyRef = params.text('customerStrategyRef');
  const version = params.object('marketVersion')?.int('version');
  let wrong: ReportError | undefined;
  if (instructions > most) wrong = 'TOO_MANY_INSTRUCTIONS';
  else if (customerRef !== undefined && !isRef(customerRef, ORDER_REF_LENGTH)) wrong = 'INVALID_ORDER';
  else if (strategyRef !== undefined && !isRef(strategyRef, STRATEGY_REF_LENGTH))
    wrong = 'INVALID_CUSTOMER_STRATEGY_REF';
  else if (version !== undefined && (version < 0 || version >= 1e12)) wrong = 'INVALID_MARKET_VERSION';
  return { customerRef, strategyRef, version, wrong, async: params.flag('async') ?? false };
}

export function readPlace(params: Given) {
  const marketId = must(params.text('marketId'), 'marketId');
  const instructions = must(params.list('instructions', readPlaceInstruction), 'instructions');
  return { marketId, instructions, ...readRequest(params, instructions.length, MOST_PLACED) };
}
export type PlaceRequest = ReturnType<typeof readPlace>;

const CANCEL_MEMBERS = new Set(['marketId', 'instructions', 'customerRef']);

/**
 * No market and no instructions cancel everything: so a body that is wrapped in something, and would read as neither, is
 * refused by its unknown members, and so is an empty list of instructions that names no market.
 */
export function readCancel(params: Given) {
  for (const name of params.names()) if (!CANCEL_MEMBERS.has(name)) throw new ParamError(name);
  const instructions = params.list('instructions', (one) => {
    const given = new Given(one, 'instructions');
    const betId = must(given.text('betId'), 'betId');
    const reduction = given.raw('sizeReduction');
    const byMinor = reduction === undefined ? undefined : hundredths(reduction);
    const echo = { betId, ...numberNamed('sizeReduction', reduction) };
    return { betId, byMinor, echo };
  });
  const marketId = params.text('marketId');
  if (params.has('instructions') && !instructions && !marketId) throw new ParamError('marketId');
  return {
    marketId,
    instructions,
    ...readRequest(params, instructions?.length ?? 0, MOST_CHANGED),
  };
}
export type CancelRequest = ReturnType<typeof readCancel>;

export function readUpdate(params: Given) {
  const marketId = must(params.text('marketId'), 'marketId');
  const read = (one: unknown) => {
    const given = new Given(one, 'instructions');
    const betId = must(given.text('betId'), 'betId');
    const persistence = must(given.word('newPersistenceType', PERSISTENCE_TYPES), 'newPersistenceType');
    return { betId, persistence, echo: { betId, newPersistenceType: persistence } };
  };
  const instructions = must(params.list('instructions', read), 'instructions');
  return { marketId, instructions, ...readRequest(params, instructions.length, MOST_CHANGED) };
}
export type UpdateRequest = ReturnType<typeof readUpdate>;

export function readReplace(params: Given) {
  const marketId = must(params.text('marketId'), 'marketId');
  const read = (one: unknown) => {
    const given = new Given(one, 'instructions');
    const betId = must(given.text('betId'), 'betId');
    const newPrice = must(given.raw('newPrice'), 'newPrice');
    return { betId, price: hundredths(newPrice), echo: { betId, ...numberNamed('newPrice', newPrice) } };
  };
  const instructions = must(params.list('instructions', read), 'instructions');
  return { marketId, instructions, ...readRequest(params, instructions.length, MOST_CHANGED) };
}
export type ReplaceRequest = ReturnType<typeof readReplace>;

function readPage(params: Given) {
  const from = params.int('fromRecord') ?? 0;
  const count = params.int('recordCount') ?? 0;
  if (from < 0 || count < 0) throw new ApiError('INVALID_INPUT_DATA', from < 0 ? 'fromRecord' : 'recordCount');
  if (count > MOST_ORDERS) throw new ApiError('REQUEST_SIZE_EXCEEDS_LIMIT', 'recordCount');
  return { from, count: count || MOST_ORDERS };
}

/** Throws REQUEST_SIZE_EXCEEDS_LIMIT. */
function readIds(params: Given, name: string): string[] | undefined {
  const ids = params.texts(name);
  if (ids && ids.length > MOST_IDS) throw new ApiError('REQUEST_SIZE_EXCEEDS_LIMIT', name);
  return ids;
}

export const readCurrentOrders = (params: Given) => ({
  betIds: readIds(params, 'betIds'),
  marketIds: readIds(params, 'marketIds'),
  projection: params.word('orderProjection', ORDER_PROJECTIONS) ?? 'ALL',
  orderRefs: params.texts('customerOrderRefs'),
  strategyRefs: params.texts('customerStrategyRefs'),
  range: params.range('dateRange') ?? params.range('placedDateRange'),
  orderBy: params.word('orderBy', ORDERS_BY) ?? 'BY_PLACE_TIME',
  descending: params.word('sortDir', SORT_DIRS) === 'LATEST_TO_EARLIEST',
  described: params.flag('includeItemDescription') ?? false,
  ...readPage(params),
});
export type CurrentOrdersRequest = ReturnType<typeof readCurrentOrders>;

export const readClearedOrders = (params: Given) => ({
  status: must(params.word('betStatus', BET_STATUSES), 'betStatus'),
  eventTypeIds: params.texts('eventTypeIds'),
  eventIds: readIds(params, 'eventIds'),
  marketIds: readIds(params, 'marketIds'),
  runnerIds: params.list('runnerIds', (one) => {
    const given = new Given(one, 'runnerIds');
    return {
      marketId: must(given.text('marketId'), 'marketId'),
      runnerId: must(given.int('selectionId'), 'selectionId'),
    };
  }),
  betIds: readIds(params, 'betIds'),
  orderRefs: params.texts('customerOrderRefs'),
  strategyRefs: params.texts('customerStrategyRefs'),
  side: params.word('side', SIDES),
  range: params.range('settledDateRange'),
  groupBy: params.word('groupBy', GROUPS_BY) ?? 'BET',
  described: params.flag('includeItemDescription') ?? false,
  ...readPage(params),
});
export type ClearedOrdersRequest = ReturnType<typeof readClearedOrders>;

export const readProfit = (params: Given) => ({
  marketIds: must(params.texts('marketIds'), 'marketIds'),
  net: params.flag('netOfCommission') ?? false,
});

export function readStatement(params: Given) {
  const from = params.int('fromRecord') ?? 0;
  const count = params.int('recordCount') ?? 0;
  if (from < 0 || count < 0 || count > 100) throw new ApiError('INVALID_INPUT_DATA', 'recordCount');
  mustBeOurs(params);
  return {
    from,
    count: count || 100,
    range: params.range('itemDateRange'),
    include: params.word('includeItem', INCLUDE_ITEMS) ?? 'ALL',
  };
}

/** There is one wallet. Throws ParamError at the name of another. */
export function mustBeOurs(params: Given): void {
  const wallet = params.text('wallet');
  if (wallet !== undefined && !['UK', 'UK wallet'].includes(wallet)) throw new ParamError('wallet');
}

/** Seconds, drawn into what is possible; 0 switches off. Throws INVALID_INPUT_DATA. */
export function readHeartbeat(params: Given): number {
  const asked = must(params.int('preferredTimeoutSeconds'), 'preferredTimeoutSeconds');
  if (asked < 0) throw new ApiError('INVALID_INPUT_DATA', 'preferredTimeoutSeconds');
  return asked === 0 ? 0 : Math.min(300, Math.max(10, asked));
}
