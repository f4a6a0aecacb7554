/**
 * The shapes of the format: what each operation is asked with and answers. The documents come from them, tests hold the readers
 * to what is asked, and every answer of a test site is held to what is written. Nothing more may be written than stands here.
 */
import * as z from 'zod/mini';
import {
  BETTING_TYPES,
  MARKET_STATUSES,
  ORDER_STATUSES,
  ORDER_TYPES,
  PERSISTENCE_TYPES,
  RUNNER_STATUSES,
  SIDES,
  TIMES_IN_FORCE,
} from './enums.ts';
import { ASKED } from './shapes-asked.ts';

const { optional, array, number, boolean, strictObject: object } = z;
const text = z.string();
const digits = text.check(z.regex(/^\d+$/));
const marketId = text.check(z.regex(/^1\.\d{9,16}$/));
const time = text.check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const size = number().check(z.minimum(0));
const price = size.check(z.maximum(1001));
const side = z.enum(SIDES);
const level = object({ price, size });
const refs = { customerOrderRef: optional(text), customerStrategyRef: optional(text) };
const named = object({ id: digits, name: text });
const marketCount = z.int();

const event = object({
  id: digits,
  name: text,
  countryCode: optional(text),
  timezone: text,
  venue: optional(text),
  openDate: time,
});

const lineRange = object({ maxUnitValue: number(), minUnitValue: number(), interval: number(), marketUnit: text });

const catalogue = object({
  marketId,
  marketName: text,
  totalMatched: size,
  marketStartTime: optional(time),
  competition: optional(named),
  event: optional(event),
  eventType: optional(named),
  description: optional(
    object({
      persistenceEnabled: boolean(),
      bspMarket: boolean(),
      marketTime: time,
      suspendTime: time,
      bettingType: z.enum(BETTING_TYPES),
      turnInPlayEnabled: boolean(),
      marketType: text,
      regulator: text,
      marketBaseRate: number(),
      discountAllowed: boolean(),
      wallet: text,
      rules: text,
      rulesHasDate: boolean(),
      clarifications: text,
      raceType: optional(text),
      lineRangeInfo: optional(lineRange),
      priceLadderDescription: object({ type: z.enum(['CLASSIC', 'FINEST', 'LINE_RANGE']) }),
    }),
  ),
  runners: optional(
    array(
      object({
        selectionId: z.int(),
        runnerName: text,
        handicap: number(),
        sortPriority: z.int(),
        metadata: optional(z.record(text, text)),
      }),
    ),
  ),
});

const match = object({
  betId: optional(digits),
  matchId: optional(text),
  side,
  price,
  size,
  matchDate: optional(time),
});
const sizes = {
  sizeMatched: size,
  sizeRemaining: size,
  sizeLapsed: size,
  sizeCancelled: size,
  sizeVoided: size,
};

const book = object({
  marketId,
  isMarketDataDelayed: boolean(),
  status: z.enum(MARKET_STATUSES),
  betDelay: z.int(),
  bspReconciled: boolean(),
  complete: boolean(),
  inplay: boolean(),
  numberOfWinners: z.int(),
  numberOfRunners: z.int(),
  numberOfActiveRunners: z.int(),
  lastMatchTime: optional(time),
  totalMatched: size,
  totalAvailable: size,
  crossMatching: boolean(),
  runnersVoidable: boolean(),
  version: z.int(),
  runners: array(
    object({
      selectionId: z.int(),
      handicap: number(),
      status: z.enum(RUNNER_STATUSES),
      adjustmentFactor: optional(number()),
      lastPriceTraded: optional(price),
      totalMatched: size,
      removalDate: optional(time),
      ex: optional(object({ availableToBack: array(level), availableToLay: array(level), tradedVolume: array(level) })),
      orders: optional(
        array(
          object({
            betId: digits,
            orderType: z.enum(ORDER_TYPES),
            status: z.enum(ORDER_STATUSES),
            persistenceType: z.enum(PERSISTENCE_TYPES),
            side,
            price,
            size,
            bspLiability: number(),
            placedDate: time,
            avgPriceMatched: price,
            ...sizes,
            ...refs,
          }),
        ),
      ),
      matches: optional(array(match)),
      matchesByStrategy: optional(z.record(text, object({ matches: array(match) }))),
    }),
  ),
});

const outcome = z.enum(['SUCCESS', 'FAILURE', 'TIMEOUT']);
const report = <T extends z.ZodMiniType>(instruction: T) =>
  object({
    status: z.enum(['SUCCESS', 'FAILURE', 'PROCESSED_WITH_ERRORS', 'TIMEOUT']),
    errorCode: optional(text),
    marketId: optional(text),
    customerRef: optional(text),
    instructionReports: array(instruction),
  });
const placed = object({
  status: outcome,
  errorCode: optional(text),
  // Whole always, even where it could not be carried out: programs make an order of it.
  instruction: object({
    orderType: z.enum(ORDER_TYPES),
    selectionId: z.int(),
    handicap: number(),
    side,
    limitOrder: optional(
      object({
        size: optional(number()),
        price: optional(number()),
        persistenceType: z.enum(PERSISTENCE_TYPES),
        timeInForce: optional(z.enum(TIMES_IN_FORCE)),
        minFillSize: optional(number()),
        betTargetType: optional(text),
        betTargetSize: optional(number()),
      }),
    ),
    limitOnCloseOrder: optional(object({ liability: optional(number()), price: optional(number()) })),
    marketOnCloseOrder: optional(object({ liability: optional(number()) })),
    customerOrderRef: optional(text),
  }),
  betId: optional(digits),
  placedDate: optional(time),
  averagePriceMatched: optional(price),
  sizeMatched: optional(size),
  orderStatus: optional(z.enum(ORDER_STATUSES)),
});
const cancelled = object({
  status: outcome,
  errorCode: optional(text),
  instruction: object({ betId: text, sizeReduction: optional(number()) }),
  sizeCancelled: optional(size),
  cancelledDate: optional(time),
});
const updated = object({
  status: outcome,
  errorCode: optional(text),
  instruction: object({ betId: text, newPersistenceType: optional(text) }),
});
const replaced = object({
  status: outcome,
  errorCode: optional(text),
  // Both always: programs look into both.
  cancelInstructionReport: cancelled,
  placeInstructionReport: placed,
});

const current = object({
  betId: digits,
  marketId,
  selectionId: z.int(),
  handicap: number(),
  priceSize: level,
  bspLiability: number(),
  side,
  status: z.enum(ORDER_STATUSES),
  persistenceType: z.enum(PERSISTENCE_TYPES),
  orderType: z.enum(ORDER_TYPES),
  placedDate: time,
  matchedDate: optional(time),
  averagePriceMatched: price,
  ...sizes,
  ...refs,
  currentItemDescription: optional(object({ marketVersion: object({ version: z.int() }) })),
});

const cleared = object({
  eventTypeId: optional(digits),
  eventId: optional(digits),
  marketId: optional(marketId),
  selectionId: optional(z.int()),
  handicap: optional(number()),
  betId: optional(digits),
  placedDate: optional(time),
  persistenceType: optional(z.enum(PERSISTENCE_TYPES)),
  orderType: optional(z.enum(ORDER_TYPES)),
  side: optional(side),
  itemDescription: optional(
    object({
      eventTypeDesc: text,
      eventDesc: text,
      marketType: text,
      marketDesc: text,
      marketStartTime: time,
      runnerDesc: text,
      numberOfWinners: z.int(),
      eachWayDivisor: number(),
    }),
  ),
  betOutcome: optional(z.enum(['WON', 'LOST'])),
  priceRequested: optional(price),
  settledDate: time,
  lastMatchedDate: optional(time),
  betCount: z.int(),
  commission: optional(number()),
  priceMatched: optional(price),
  priceReduced: optional(boolean()),
  sizeSettled: optional(size),
  profit: number(),
  sizeCancelled: optional(size),
  ...refs,
});

const statementItem = object({
  refId: digits,
  itemDate: time,
  amount: number(),
  balance: number(),
  itemClass: z.literal('UNKNOWN'),
  itemClassData: object({ unknownStatementItem: text }),
  legacyData: object({
    avgPrice: number(),
    betSize: number(),
    betType: z.enum(['B', 'L']),
    betCategoryType: z.enum(['E', 'NONE']),
    eventId: z.int(),
    eventTypeId: z.int(),
    fullMarketName: text,
    grossBetAmount: number(),
    marketName: text,
    marketType: z.enum(['O', 'NOT_APPLICABLE']),
    placedDate: text,
    selectionId: z.int(),
    startDate: text,
    transactionType: z.enum(['ACCOUNT_DEBIT', 'ACCOUNT_CREDIT']),
    transactionId: z.int(),
    winLose: z.enum(['RESULT_WON', 'RESULT_LOST', 'RESULT_NOT_APPLICABLE']),
  }),
});

const appKey = object({
  appName: text,
  appId: z.int(),
  appVersions: array(
    object({
      owner: text,
      versionId: z.int(),
      version: text,
      applicationKey: text,
      delayData: boolean(),
      subscriptionRequired: boolean(),
      ownerManaged: boolean(),
      active: boolean(),
    }),
  ),
});

const listing = <S extends z.core.$ZodShape>(shape: S) => array(object({ ...shape, marketCount }));

const scored = { eventId: digits, eventTypeId: digits, eventStatus: z.literal('IN_PROGRESS') };
const scoreUpdate = {
  updateContext: object({ eventTime: text, lastUpdated: time, updateSequence: z.int(), updateType: text }),
  values: z.record(text, text),
};

/** What each operation answers, by its name. */
const ANSWERED = {
  listEventTypes: listing({ eventType: named }),
  listCompetitions: listing({ competition: named, competitionRegion: text }),
  listTimeRanges: listing({ timeRange: object({ from: time, to: time }) }),
  listEvents: listing({ event }),
  listMarketTypes: listing({ marketType: text }),
  listCountries: listing({ countryCode: text }),
  listVenues: listing({ venue: text }),
  listMarketCatalogue: array(catalogue),
  listMarketBook: array(book),
  listRunnerBook: array(book),
  placeOrders: report(placed),
  cancelOrders: report(cancelled),
  updateOrders: report(updated),
  replaceOrders: report(replaced),
  listCurrentOrders: object({ currentOrders: array(current), moreAvailable: boolean() }),
  listClearedOrders: object({ clearedOrders: array(cleared), moreAvailable: boolean() }),
  listMarketProfitAndLoss: array(
    object({
      marketId,
      commissionApplied: optional(number()),
      profitAndLosses: array(
        object({ selectionId: z.int(), ifWin: number(), ifLose: optional(number()), ifPlace: optional(number()) }),
      ),
    }),
  ),
  heartbeat: object({ actionPerformed: text, actualTimeoutSeconds: z.int() }),
  listAvailableEvents: array(object(scored)),
  listScores: array(object({ ...scored, responseCode: text, ...scoreUpdate })),
  listIncidents: array(object({ ...scored, responseCode: text, incidents: z.record(digits, object(scoreUpdate)) })),
  listRaceDetails: array(
    object({ meetingId: digits, raceId: text, raceStatus: text, lastUpdated: time, responseCode: text }),
  ),
  getAccountFunds: object({
    availableToBetBalance: number(),
    exposure: number().check(z.maximum(0)),
    retainedCommission: number(),
    exposureLimit: number(),
    discountRate: number(),
    pointsBalance: z.int(),
    wallet: z.literal('UK'),
  }),
  getAccountDetails: object({
    currencyCode: text,
    firstName: text,
    lastName: text,
    localeCode: text,
    region: text,
    timezone: text,
    discountRate: number(),
    pointsBalance: z.int(),
    countryCode: text,
  }),
  getAccountStatement: object({ accountStatement: array(statementItem), moreAvailable: boolean() }),
  listCurrencyRates: array(object({ currencyCode: text, rate: number() })),
  getDeveloperAppKeys: array(appKey),
  // These say no, always.
  transferFunds: z.never(),
  createDeveloperAppKeys: z.never(),
} satisfies Record<keyof typeof ASKED, z.ZodMiniType>;

export type OperationName = keyof typeof ASKED;

const ACCOUNT: ReadonlySet<OperationName> = new Set([
  'getAccountFunds',
  'getAccountDetails',
  'getAccountStatement',
  'listCurrencyRates',
  'getDeveloperAppKeys',
  'transferFunds',
  'createDeveloperAppKeys',
]);

const SCORES: ReadonlySet<OperationName> = new Set([
  'listAvailableEvents',
  'listScores',
  'listIncidents',
  'listRaceDetails',
]);

function areaOf(name: OperationName): OperationShape['api'] {
  if (name === 'heartbeat') return name;
  return ACCOUNT.has(name) ? 'account' : SCORES.has(name) ? 'scores' : 'betting';
}

export interface OperationShape {
  name: OperationName;
  api: 'betting' | 'account' | 'heartbeat' | 'scores';
  asked: z.ZodMiniType;
  answered: z.ZodMiniType;
}

export const OPERATION_SHAPES: readonly OperationShape[] = (Object.keys(ASKED) as OperationName[]).map((name) => ({
  name,
  api: areaOf(name),
  asked: ASKED[name],
  answered: ANSWERED[name],
}));

export const identityShape = object({ token: text, product: text, status: z.enum(['SUCCESS', 'FAIL']), error: text });

/** What an answer has that the format does not, or lacks; null where it is as it must be. Unknown operations are nobody's here. */
export function wrongIn(name: string, answer: unknown): string | null {
  if (!Object.hasOwn(ANSWERED, name)) return name === 'navigationMenu' ? null : 'an operation without a shape';
  const told = z.safeParse(ANSWERED[name as OperationName], answer);
  return told.success ? null : JSON.stringify(told.error.issues);
}
