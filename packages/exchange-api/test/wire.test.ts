import type { Bet } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  best,
  causeOf,
  clearedOf,
  counted,
  currentOrderOf,
  faultOf,
  fits,
  fromMarketId,
  Given,
  groupedOf,
  hundredths,
  isOf,
  type MarketFacts,
  marketTypeOf,
  numberOf,
  operationOf,
  ParamError,
  readBooks,
  readCancel,
  readCatalogue,
  readCurrentOrders,
  readFilter,
  readPlace,
  readReplace,
  readRpc,
  reportOf,
  rpcResult,
  timeRanges,
  toMarketId,
  UnknownMethod,
  weighBook,
  weighCatalogue,
} from '../src/exchange-api.ts';

const bet: Bet = {
  betId: 7,
  accountId: 100,
  marketId: 11,
  runnerId: 3,
  kind: 'order',
  side: 'BACK',
  price: 250,
  matchedSum: 250 * 400,
  sizeMinor: 1000,
  matchedMinor: 400,
  remainingMinor: 600,
  cancelledMinor: 0,
  lapsedMinor: 0,
  voidedMinor: 0,
  persistence: 'LAPSE',
  status: 'EXECUTABLE',
  dueAt: 0,
  placedAt: Date.UTC(2026, 3, 18, 12, 1, 7),
  result: 'PENDING',
  profitMinor: 0,
  version: 1,
};
const facts: MarketFacts = {
  marketId: '1.200000011',
  marketName: 'Match Odds',
  marketType: 'MATCH_ODDS',
  bettingType: 'ODDS',
  eventId: '30000005',
  eventName: 'Hillford v Lake End',
  eventType: { id: '1', name: 'Soccer' },
  competition: { id: '702', name: 'North Premier' },
  countryCode: 'GB',
  startAt: Date.UTC(2026, 3, 18, 14, 30),
  inPlay: false,
  turnInPlay: true,
};
const filter = (value: object) => readFilter(new Given(value));
const rollup = (rollupModel: string, more: object = {}) => {
  const exBestOffersOverrides = { rollupModel, rollupLimit: '10', ...more };
  return readBooks(new Given({ marketIds: ['1'], priceProjection: { exBestOffersOverrides } })).prices;
};

describe('numbers and ids', () => {
  it('reads decimals by their text, to the hundredth and no further', () => {
    expect([2.3, '2.3', 1.01, '1000', 0.1 + 0.2, 1e21, 'x', '', null, -4.5, '2.30', 33.333].map(hundredths)).toEqual([
      230,
      230,
      101,
      100_000,
      null,
      null,
      null,
      null,
      null,
      -450,
      230,
      null,
    ]);
  });

  it('carries a market id there and back, and knows a foreign one', () => {
    expect(toMarketId(4711)).toBe('1.200004711');
    expect(fromMarketId(toMarketId(4711))).toBe(4711);
    // As a feed numbers them: by the microsecond.
    const long = 1_795_488_405_441_182;
    expect(fromMarketId(toMarketId(long))).toBe(long);
    expect(new Given({ selectionId: String(long) }).int('selectionId')).toBe(long);
    expect(() => new Given({ selectionId: '9999999999999999' }).int('selectionId')).toThrow(ParamError);
    expect(fromMarketId('1.9999999999999999')).toBeNull();
    expect(['1.200000000', '2.200004711', '1.20', '1.2000047x', ''].map(fromMarketId)).toEqual(Array(5).fill(null));
    expect(marketTypeOf('overUnder', 'Over/Under 2.5 goals')).toBe('OVER_UNDER_25');
    expect(marketTypeOf('tiedMatch1', 'Tied')).toBe('TIED_MATCH');
    expect(marketTypeOf('totalGames', 'Games')).toBe('TOTAL_GAMES');
  });
});

describe('calls', () => {
  it('reads single calls and batches, and gives the id back unchanged', () => {
    expect(readRpc('{')).toBe('broken');
    expect(readRpc('[]')).toBe('empty');
    expect(readRpc(JSON.stringify(Array(51).fill(1)))).toBe('too long');
    expect(readRpc('7')).toEqual({ batch: false, calls: [null], value: 7 });
    const one = { jsonrpc: '2.0', method: 'SportsAPING/v1.0/listEvents', params: {}, id: 'a' };
    expect(readRpc(JSON.stringify([one, 3]))).toMatchObject({ batch: true, calls: [{ id: 'a' }, null] });
    expect(rpcResult('a', [])).toEqual({ jsonrpc: '2.0', result: [], id: 'a' });
    expect(operationOf('AccountAPING/v1.0/getAccountFunds')).toEqual({ api: 'account', name: 'getAccountFunds' });
    expect(() => operationOf('listEvents')).toThrow(UnknownMethod);
  });

  it('tells exceptions by the number of their own API', () => {
    expect(numberOf('betting', 'INVALID_SESSION_INFORMATION').text).toBe('ANGX-0003');
    expect(numberOf('account', 'INVALID_SESSION_INFORMATION').text).toBe('AANGX-0002');
    expect(faultOf('account', new ApiError('TOO_MUCH_DATA'), 'u').data).toMatchObject({
      AccountAPINGException: { requestUUID: 'u', errorCode: 'UNEXPECTED_ERROR' },
    });
    expect(faultOf('betting', new ParamError('x'), 'u')).toEqual({ code: -32602, message: 'DSC-0018' });
    expect(faultOf('betting', new Error('secret words'), 'u')).toMatchObject({
      code: -32099,
      data: { exceptionname: 'APINGException', APINGException: { errorCode: 'UNEXPECTED_ERROR', errorDetails: '' } },
    });
  });

  it('takes null for absent and text for numbers, and nothing for a mandatory member', () => {
    const read = readCatalogue(new Given({ filter: { eventIds: null, marketIds: [] }, maxResults: '5', sort: null }));
    expect(read).toMatchObject({ maxResults: 5, filter: {} });
    expect(() => readCatalogue(new Given({ maxResults: 5 }))).toThrow(ParamError);
    expect(() => readCatalogue(new Given({ filter: {}, maxResults: 1001 }))).toThrow(ApiError);
    const code = (read: () => unknown) => {
      try {
        read();
      } catch (error) {
        return error instanceof ApiError ? error.code : 'INVALID_PARAMS';
      }
    };
    expect(code(() => readCurrentOrders(new Given({ recordCount: 1001 })))).toBe('REQUEST_SIZE_EXCEEDS_LIMIT');
    expect(code(() => readCurrentOrders(new Given({ recordCount: -1 })))).toBe('INVALID_INPUT_DATA');
    expect([code(() => rollup('PAYOUT')), code(() => rollup('SIZE'))]).toEqual([undefined, 'INVALID_PARAMS']);
    expect(() => new Given([])).toThrow(ParamError);
  });
});

describe('filters and lists', () => {
  it('joins its members with and, the values of each with or', () => {
    expect(fits(filter({}), facts)).toBe(true);
    expect(fits(filter({ eventTypeIds: ['2', 1], marketTypeCodes: ['MATCH_ODDS'] }), facts)).toBe(true);
    expect(fits(filter({ eventTypeIds: ['1'], marketCountries: ['AU'] }), facts)).toBe(false);
    expect(fits(filter({ venues: ['Elmford'] }), facts)).toBe(false);
    const race = { ...facts, venue: 'Elmford', raceType: 'Flat' };
    for (const [name, fitting, other] of [
      ['venues', 'Elmford', 'Aschurch'],
      ['raceTypes', 'Flat', 'Hurdle'],
      ['marketIds', '1.200000011', '1.200000012'],
      ['eventIds', '30000005', '30000006'],
      ['competitionIds', '702', '703'],
      ['marketCountries', 'GB', 'AU'],
      ['countryCodes', 'GB', 'AU'],
      ['marketTypes', 'MATCH_ODDS', 'WIN'],
      ['bettingTypes', 'ODDS', 'LINE'],
    ] as const)
      expect([[other, fitting], [other]].map((list) => fits(filter({ [name]: list }), race))).toEqual([true, false]);
    expect([true, false].map((turnInPlayEnabled) => fits(filter({ turnInPlayEnabled }), facts))).toEqual([true, false]);
    expect([true, false].map((bspMarket) => fits(filter({ bspMarket }), facts))).toEqual([false, true]);
    expect(fits(filter({ bspOnly: true }), facts)).toBe(false);
    expect(fits(filter({ inPlayOnly: true }), facts)).toBe(false);
    expect(fits(filter({ marketBettingTypes: ['LINE'] }), facts)).toBe(false);
    expect(fits(filter({ textQuery: 'hill*end' }), facts)).toBe(true);
    expect(fits(filter({ textQuery: 'hill.end' }), facts)).toBe(false);
    expect(fits(filter({ marketStartTime: { from: '2026-04-18T14:30:00Z', to: null } }), facts)).toBe(true);
    expect(fits(filter({ marketStartTime: { to: '2026-04-18T14:29:59Z' } }), facts)).toBe(false);
    const withOrders = filter({ withOrders: ['EXECUTABLE'] });
    expect(fits(withOrders, facts)).toBe(false);
    expect(fits(withOrders, facts, () => ({ open: true, matched: false }))).toBe(true);
  });

  it('counts markets by what they share and by when they begin', () => {
    const two = [facts, { ...facts, marketId: '1.200000012', startAt: facts.startAt + 86_400_000 }];
    expect(counted(two, ({ eventType }) => ({ key: eventType.id, told: { eventType } }))).toEqual([
      { eventType: { id: '1', name: 'Soccer' }, marketCount: 2 },
    ]);
    expect(timeRanges(two, 'DAYS').map(({ timeRange, marketCount }) => [timeRange.from, marketCount])).toEqual([
      ['2026-04-18T00:00:00.000Z', 1],
      ['2026-04-19T00:00:00.000Z', 1],
    ]);
  });

  it('weighs what is asked for', () => {
    expect(() => weighBook(40, ['EX_BEST_OFFERS'], undefined)).not.toThrow();
    expect(() => weighBook(41, ['EX_BEST_OFFERS'], undefined)).toThrow(ApiError);
    expect(() => weighBook(6, ['EX_ALL_OFFERS', 'EX_BEST_OFFERS', 'EX_TRADED'], undefined)).not.toThrow();
    expect(() => weighBook(7, ['EX_ALL_OFFERS', 'EX_TRADED'], undefined)).toThrow(ApiError);
    expect(() => weighBook(20, ['EX_BEST_OFFERS'], 9)).toThrow(ApiError);
    expect(() => weighBook(100, [], undefined)).not.toThrow();
    expect(() => weighCatalogue(101, ['MARKET_DESCRIPTION', 'RUNNER_METADATA'])).toThrow(ApiError);
    expect(() => weighCatalogue(1000, ['EVENT'])).not.toThrow();
  });

  it('joins small levels to the next one behind them', () => {
    const levels = [
      [210, 150],
      [208, 40],
      [206, 500],
    ] as const;
    expect(best(levels, { bestDepth: 2 })).toEqual([
      [210, 150],
      [208, 40],
    ]);
    expect(best(levels, { rollup: { by: 'stake', leastMinor: 180 } })).toEqual([
      [208, 190],
      [206, 500],
    ]);
  });

  it('joins them by the model that was asked for', () => {
    const levels = [
      [210, 500],
      [300, 100],
      [400, 400],
    ] as const;
    const prices = (model: string, more: object = {}) =>
      best(levels, rollup(model, more)).map(([price, minor]) => [price, minor]);
    // 10.00 of stakes, of what they pay, and from 3.00 on of what a layer may lose.
    expect(prices('STAKE')).toEqual([[400, 1000]]);
    expect(prices('PAYOUT')).toEqual([
      [210, 500],
      [400, 500],
    ]);
    const liability = { rollupLiabilityThreshold: 3, rollupLiabilityFactor: 12 };
    expect(prices('MANAGED_LIABILITY', liability)).toEqual([
      [300, 600],
      [400, 400],
    ]);
    expect(prices('MANAGED_LIABILITY')).toEqual(prices('STAKE'));
    expect([prices('NONE'), prices('STAKE', { rollupLimit: null })]).toEqual([levels, levels]);
  });
});

describe('orders', () => {
  const place = (limitOrder: object, more: object = {}) =>
    readPlace(
      new Given({
        marketId: '1.200000011',
        instructions: [{ orderType: 'LIMIT', selectionId: '3', side: 'BACK', limitOrder, ...more }],
      }),
    ).instructions[0]!;

  it('reads an instruction as it can be carried out, and gives it back without nulls', () => {
    const { echo, wish } = place({ size: '10', price: 2.5, persistenceType: 'PERSIST', timeInForce: null });
    expect(wish).toEqual({ runnerId: 3, side: 'BACK', price: 250, sizeMinor: 1000, persistence: 'PERSIST' });
    expect(echo).toEqual({
      orderType: 'LIMIT',
      selectionId: 3,
      handicap: 0,
      side: 'BACK',
      limitOrder: { size: 10, price: 2.5, persistenceType: 'PERSIST' },
    });
  });

  it('lets fill or kill beat persistence, and takes no least fill for the whole', () => {
    const fok = { size: 10, price: 2.5, timeInForce: 'FILL_OR_KILL', persistenceType: 'MARKET_ON_CLOSE' };
    expect(place(fok).wish).toMatchObject({ minFillMinor: 1000, persistence: 'LAPSE' });
    expect(place({ ...fok, minFillSize: 0 }).wish).toMatchObject({ minFillMinor: 1 });
    expect(place({ ...fok, minFillSize: 11 }).wish).toBe('INVALID_MIN_FILL_SIZE');
    expect(place({ size: 10, price: 2.5, minFillSize: 99 }).wish).not.toHaveProperty('minFillMinor');
  });

  it('takes a bet target for the size that pays it at the price, rounded down', () => {
    const target = (betTargetType: string | null, betTargetSize: unknown, more: object = {}) =>
      place({ price: 2.5, betTargetType, betTargetSize, ...more }).wish;
    expect(target('PAYOUT', '10.01')).toEqual({
      runnerId: 3,
      side: 'BACK',
      price: 250,
      sizeMinor: 400,
      isTarget: true,
      persistence: 'LAPSE',
    });
    expect(target('BACKERS_PROFIT', 10)).toMatchObject({ sizeMinor: 666 });
    const kill = { timeInForce: 'FILL_OR_KILL' };
    expect(target('PAYOUT', 10, kill)).toMatchObject({ minFillMinor: 400 });
    expect(target('PAYOUT', 10, { size: 4 })).toBe('INVALID_ORDER');
    expect(target(null, 10)).toBe('INVALID_ORDER');
    expect(['x', null, 0, -5, 1.001, 0.01, 9e13].map((size) => target('PAYOUT', size))).toEqual(
      Array(7).fill('INVALID_BET_SIZE'),
    );
    expect(target('BACKERS_PROFIT', 10, { price: 1 })).toBe('INVALID_BET_SIZE');
    const { echo } = place({ price: 2.5, betTargetType: 'PAYOUT', betTargetSize: '10' });
    expect(echo).toMatchObject({ limitOrder: { price: 2.5, betTargetType: 'PAYOUT', betTargetSize: 10 } });
  });

  it('says of each wrong instruction what is wrong with it', () => {
    expect(place({ size: 10, price: '2,5' }).wish).toBe('INVALID_ODDS');
    expect(place({ size: 10.001, price: 2.5 }).wish).toBe('INVALID_BET_SIZE');
    expect(place({ size: 0, price: 2.5 }).wish).toBe('INVALID_BET_SIZE');
    expect(place({ size: 10, price: 2.5, persistenceType: 'MARKET_ON_CLOSE' }).wish).toBe('INVALID_PERSISTENCE_TYPE');
    expect(place({ size: 10, price: 2.5 }, { handicap: 1 }).wish).toBe('INVALID_RUNNER');
    expect(place({ size: 10, price: 2.5 }, { customerOrderRef: 'x'.repeat(33) }).wish).toBe(
      'INVALID_CUSTOMER_ORDER_REF',
    );
    expect(place({}, { orderType: 'MARKET_ON_CLOSE', marketOnCloseOrder: { liability: 5 } }).wish).toBe(
      'MARKET_NOT_OPEN_FOR_BSP_BETTING',
    );
    // What is no number does not go back as one.
    const { echo } = place({ size: 'x', price: '' }, { limitOnCloseOrder: { price: null } });
    expect(echo).toMatchObject({ limitOrder: { persistenceType: 'LAPSE' }, limitOnCloseOrder: {} });
    expect(JSON.stringify(echo)).not.toContain('null');
    const { instructions } = readReplace(
      new Given({ marketId: '1.200000011', instructions: [{ betId: 7, newPrice: 'x' }] }),
    );
    expect(instructions.map((one) => one.echo)).toEqual([{ betId: '7' }]);
    expect(() => place({}, { side: 'UP' })).toThrow(ParamError);
  });

  it('never reads a wrapped body as a wish to cancel everything', () => {
    expect(readCancel(new Given({}))).toMatchObject({ marketId: undefined, instructions: undefined });
    expect(() => readCancel(new Given({ params: { marketId: '1.200000011' }, id: 1 }))).toThrow(ParamError);
    // An empty list is none, of a market that is named.
    expect(readCancel(new Given({ marketId: '1.200000011', instructions: [] })).instructions).toBeUndefined();
    for (const instructions of [[], '']) expect(() => readCancel(new Given({ instructions }))).toThrow(ParamError);
  });

  it('names our refusals in words that programs know', () => {
    expect(causeOf('PRICE_INVALID')).toEqual({ report: 'BET_ACTION_ERROR', instruction: 'INVALID_ODDS' });
    expect(causeOf('RUNNER_SUSPENDED')).toEqual({ report: 'MARKET_SUSPENDED', instruction: 'ERROR_IN_ORDER' });
    expect(causeOf('REALITY_CHECK_DUE').report).toBe('PERMISSION_DENIED');
    expect(causeOf('BET_NOT_OPEN').instruction).toBe('BET_TAKEN_OR_LAPSED');
    expect(causeOf('SOMETHING_NEW').instruction).toBe('ERROR_IN_MATCHER');
    expect(reportOf('1.2', undefined, [], 'DUPLICATE_TRANSACTION')).toEqual({
      status: 'FAILURE',
      errorCode: 'DUPLICATE_TRANSACTION',
      marketId: '1.2',
      instructionReports: [],
    });
  });

  it('writes an open bet, and a settled one alone and in groups', () => {
    expect(currentOrderOf(bet, { order: 'd-1' })).toMatchObject({
      betId: '7',
      priceSize: { price: 2.5, size: 10 },
      averagePriceMatched: 2.5,
      sizeMatched: 4,
      sizeRemaining: 6,
      status: 'EXECUTABLE',
      placedDate: '2026-04-18T12:01:07.000Z',
      customerOrderRef: 'd-1',
    });
    const won = {
      ...bet,
      remainingMinor: 0,
      cancelledMinor: 600,
      status: 'COMPLETE',
      result: 'WIN',
      profitMinor: 600,
    } as Bet;
    expect(['SETTLED', 'VOIDED', 'LAPSED', 'CANCELLED'].map((status) => isOf(status as 'SETTLED', won))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    const cleared = { bet: won, eventId: 5, eventTypeId: '1', clearedAt: won.placedAt, refs: { strategy: 's' } };
    expect(clearedOf('SETTLED', cleared)).toMatchObject({
      betOutcome: 'WON',
      profit: 6,
      sizeSettled: 4,
      priceMatched: 2.5,
    });
    expect(clearedOf('CANCELLED', cleared)).toMatchObject({ sizeCancelled: 6, profit: 0 });
    const lost = { ...cleared, bet: { ...won, betId: 8, runnerId: 4, profitMinor: -200 } };
    expect(groupedOf('MARKET', [cleared, lost], () => 12)).toEqual([
      {
        eventTypeId: '1',
        eventId: '30000005',
        marketId: '1.200000011',
        settledDate: '2026-04-18T12:01:07.000Z',
        betCount: 2,
        commission: 0.12,
        profit: 4,
      },
    ]);
    expect(groupedOf('RUNNER', [cleared, lost], () => 12)).toHaveLength(2);
    expect(groupedOf('STRATEGY', [cleared, lost], () => 0)).toMatchObject([{ customerStrategyRef: 's', betCount: 2 }]);
  });
});
