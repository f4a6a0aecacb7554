/** Orders: read from instructions, and written as reports and lists. */
import { divFloor } from '@fairgame/contract';
import type { Bet, Persistence, Side } from '@fairgame/exchange';
import { BET_TARGETS, ORDER_TYPES, type OrderStatus, PERSISTENCE_TYPES, SIDES, TIMES_IN_FORCE } from './enums.ts';
import type { InstructionError, ReportError } from './errors.ts';
import { Given, must } from './given.ts';
import { toMarketId } from './ids.ts';
import { averagePrice, decimal, hundredths, isoTime, numberNamed } from './numbers.ts';

/** What a program calls its order and its strategy. */
export interface Refs {
  order?: string;
  strategy?: string;
}

const REFERENCE = /^[A-Za-z0-9\-._+*:;~]+$/;
export const ORDER_REF_LENGTH = 32;
export const STRATEGY_REF_LENGTH = 15;
export const isRef = (text: string, most: number): boolean => text.length <= most && REFERENCE.test(text);

/** An instruction as it can be carried out, or the reason why not. */
export interface Wish {
  runnerId: number;
  side: Side;
  /** Hundredths; whether its market takes it is not known yet. */
  price: number;
  sizeMinor: number;
  persistence: Persistence;
  /** Fill or kill: at least this much at once. */
  minFillMinor?: number;
  /** The size follows from what is to be paid, and is right at this price alone. */
  isTarget?: true;
  orderRef?: string;
}

export interface PlaceInstruction {
  /** As it goes back in the report: without nulls, numbers as numbers. */
  echo: object;
  wish: Wish | InstructionError | 'INVALID_ORDER';
}

/** Throws ParamError where a mandatory member is missing or no word of the format. */
export function readPlaceInstruction(value: unknown): PlaceInstruction {
  const given = new Given(value, 'instructions');
  const orderType = must(given.word('orderType', ORDER_TYPES), 'orderType');
  const runnerId = must(given.int('selectionId'), 'selectionId');
  const side = must(given.word('side', SIDES), 'side');
  const limit = given.object('limitOrder');
  const orderRef = given.text('customerOrderRef');
  const echo = {
    selectionId: runnerId,
    handicap: Number(given.text('handicap') ?? 0) || 0,
    ...(limit ? { limitOrder: echoOf(limit) } : {}),
    ...closeOrders(given),
    orderType,
    side,
    ...(orderRef === undefined ? {} : { customerOrderRef: orderRef }),
  };
  if (echo.handicap !== 0) return { echo, wish: 'INVALID_RUNNER' };
  if (orderType !== 'LIMIT') return { echo, wish: 'MARKET_NOT_OPEN_FOR_BSP_BETTING' };
  if (orderRef !== undefined && !isRef(orderRef, ORDER_REF_LENGTH)) return { echo, wish: 'INVALID_CUSTOMER_ORDER_REF' };
  if (!limit) return { echo, wish: 'INVALID_ORDER' };
  const terms = termsOf(limit);
  if (typeof terms === 'string') return { echo, wish: terms };
  return { echo, wish: { runnerId, side, ...terms, ...(orderRef === undefined ? {} : { orderRef }) } };
}

function closeOrders(given: Given): object {
  const [limit, market] = [given.object('limitOnCloseOrder'), given.object('marketOnCloseOrder')];
  return {
    ...(limit
      ? {
          limitOnCloseOrder: {
            ...numberNamed('liability', limit.raw('liability')),
            ...numberNamed('price', limit.raw('price')),
          },
        }
      : {}),
    ...(market ? { marketOnCloseOrder: numberNamed('liability', market.raw('liability')) } : {}),
  };
}

/** Numbers that came as text go back as numbers; what we do not know does not go back. */
function echoOf(limit: Given): object {
  const number = (name: string) => numberNamed(name, limit.text(name));
  const word = (name: string, words: readonly string[]) => {
    const value = limit.word(name, words);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    ...number('size'),
    ...number('price'),
    persistenceType: limit.word('persistenceType', PERSISTENCE_TYPES) ?? 'LAPSE',
    ...word('timeInForce', TIMES_IN_FORCE),
    ...number('minFillSize'),
    ...word('betTargetType', BET_TARGETS),
    ...number('betTargetSize'),
  };
}

/** Fill or kill beats persistence; without it a least fill means nothing. */
function termsOf(limit: Given): Omit<Wish, 'runnerId' | 'side' | 'orderRef'> | (PlaceInstruction['wish'] & string) {
  const price = hundredths(limit.raw('price'));
  const target = limit.text('betTargetType');
  const isTarget = target !== undefined || limit.text('betTargetSize') !== undefined;
  if (isTarget && (target === undefined || limit.has('size'))) return 'INVALID_ORDER';
  if (price === null) return 'INVALID_ODDS';
  const sizeMinor = isTarget ? targetSize(limit, price) : hundredths(limit.raw('size'));
  if (sizeMinor === null || sizeMinor <= 0) return 'INVALID_BET_SIZE';
  const sized = { price, sizeMinor, ...(isTarget ? { isTarget } : {}) };
  if (limit.word('timeInForce', TIMES_IN_FORCE) === 'FILL_OR_KILL') {
    const least = limit.has('minFillSize') ? hundredths(limit.raw('minFillSize')) : sizeMinor;
    if (least === null || least < 0 || least > sizeMinor) return 'INVALID_MIN_FILL_SIZE';
    // For the core no least fill is no fill or kill: anything is a hundredth.
    return { ...sized, persistence: 'LAPSE', minFillMinor: Math.max(1, least) };
  }
  const persistence = limit.word('persistenceType', PERSISTENCE_TYPES) ?? 'LAPSE';
  if (persistence === 'MARKET_ON_CLOSE') return 'INVALID_PERSISTENCE_TYPE';
  return { ...sized, persistence };
}

/** The size that pays as much at a price: with the stake (PAYOUT) or beside it, to a back and by a lay alike. Rounded down. */
function targetSize(limit: Given, price: number): number | null {
  const target = hundredths(limit.raw('betTargetSize'));
  // Of each hundred that are staked.
  const paid = limit.word('betTargetType', BET_TARGETS) === 'PAYOUT' ? price : price - 100;
  const wide = (target ?? 0) * 100;
  return target === null || paid <= 0 || !Number.isSafeInteger(wide) ? null : divFloor(wide, paid);
}

export type InstructionReport = { status: 'SUCCESS' | 'FAILURE' | 'TIMEOUT'; errorCode?: string } & Record<
  string,
  unknown
>;

/** The report of a whole request. Its own error stands above the instructions' where none is given. */
export function reportOf(
  marketId: string | undefined,
  customerRef: string | undefined,
  instructionReports: readonly InstructionReport[],
  errorCode?: ReportError,
) {
  return {
    status: errorCode === undefined ? 'SUCCESS' : errorCode === 'PROCESSED_WITH_ERRORS' ? errorCode : 'FAILURE',
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(marketId === undefined ? {} : { marketId }),
    ...(customerRef === undefined ? {} : { customerRef }),
    instructionReports,
  };
}

/** What a request ends with where its instructions went one by one; undefined where none failed. */
export function errorIn(reports: readonly InstructionReport[]): ReportError | undefined {
  const failed = reports.filter(({ status }) => status === 'FAILURE').length;
  if (failed === 0) return undefined;
  return failed < reports.length ? 'PROCESSED_WITH_ERRORS' : 'BET_ACTION_ERROR';
}

export const orderStatusOf = ({ status }: Bet): OrderStatus => (status === 'COMPLETE' ? 'EXECUTION_COMPLETE' : status);

/** A bet that was taken, as the answer to its instruction says it. */
export const placedReport = (echo: object, bet: Bet, expired = false): InstructionReport => ({
  status: 'SUCCESS',
  instruction: echo,
  betId: String(bet.betId),
  placedDate: isoTime(bet.placedAt),
  averagePriceMatched: averagePrice(bet.matchedSum, bet.matchedMinor),
  sizeMatched: decimal(bet.matchedMinor),
  orderStatus: expired ? 'EXPIRED' : orderStatusOf(bet),
});

export const failedReport = (instruction: object, errorCode: string): InstructionReport => ({
  status: 'FAILURE',
  errorCode,
  instruction,
});

/** What is known of a bet beside the core's record. */
export interface OrderTimes {
  /** When it was last matched. */
  matchedAt?: number;
}

export function currentOrderOf(bet: Bet, refs: Refs, { matchedAt }: OrderTimes = {}) {
  return {
    betId: String(bet.betId),
    marketId: toMarketId(bet.marketId),
    selectionId: bet.runnerId,
    handicap: 0,
    priceSize: { price: decimal(bet.price), size: decimal(bet.sizeMinor) },
    bspLiability: 0,
    side: bet.side,
    status: orderStatusOf(bet),
    persistenceType: bet.persistence,
    orderType: 'LIMIT',
    placedDate: isoTime(bet.placedAt),
    ...(matchedAt === undefined ? {} : { matchedDate: isoTime(matchedAt) }),
    averagePriceMatched: averagePrice(bet.matchedSum, bet.matchedMinor),
    ...sizesOf(bet),
    ...refsOf(refs),
  };
}

/** The same bet inside a market book. */
export function bookOrderOf(bet: Bet, refs: Refs) {
  return {
    betId: String(bet.betId),
    orderType: 'LIMIT',
    status: orderStatusOf(bet),
    persistenceType: bet.persistence,
    side: bet.side,
    price: decimal(bet.price),
    size: decimal(bet.sizeMinor),
    bspLiability: 0,
    placedDate: isoTime(bet.placedAt),
    avgPriceMatched: averagePrice(bet.matchedSum, bet.matchedMinor),
    ...sizesOf(bet),
    ...refsOf(refs),
  };
}

/** What became of its size. */
const sizesOf = (bet: Bet) => ({
  sizeMatched: decimal(bet.matchedMinor),
  sizeRemaining: decimal(bet.remainingMinor),
  sizeLapsed: decimal(bet.lapsedMinor),
  sizeCancelled: decimal(bet.cancelledMinor),
  sizeVoided: decimal(bet.voidedMinor),
});

export const refsOf = ({ order, strategy }: Refs): object => ({
  ...(order === undefined ? {} : { customerOrderRef: order }),
  ...(strategy === undefined ? {} : { customerStrategyRef: strategy }),
});
