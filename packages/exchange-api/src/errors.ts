/** What a call may fail with, by number and word, and what an instruction may; nothing else is ever said: programs know no more. */

const BETTING = [
  'TOO_MUCH_DATA',
  'INVALID_INPUT_DATA',
  'INVALID_SESSION_INFORMATION',
  'NO_APP_KEY',
  'NO_SESSION',
  'UNEXPECTED_ERROR',
  'INVALID_APP_KEY',
  'TOO_MANY_REQUESTS',
  'SERVICE_BUSY',
  'TIMEOUT_ERROR',
  'APP_KEY_CREATION_FAILED',
  'DUPLICATE_APP_NAME',
  'APP_CREATION_FAILED',
  'REQUEST_SIZE_EXCEEDS_LIMIT',
  'ACCESS_DENIED',
] as const;
const ACCOUNT = [
  'INVALID_INPUT_DATA',
  'INVALID_SESSION_INFORMATION',
  'UNEXPECTED_ERROR',
  'INVALID_APP_KEY',
  'SERVICE_BUSY',
  'TIMEOUT_ERROR',
  'DUPLICATE_APP_NAME',
  'APP_KEY_CREATION_FAILED',
  'APP_CREATION_FAILED',
  'NO_SESSION',
  'NO_APP_KEY',
  'SUBSCRIPTION_EXPIRED',
  'INVALID_SUBSCRIPTION_TOKEN',
  'TOO_MANY_REQUESTS',
  'INVALID_CLIENT_REF',
  'WALLET_TRANSFER_ERROR',
] as const;
export type ExceptionCode = (typeof BETTING)[number] | (typeof ACCOUNT)[number];
export const EXCEPTION_CODES: readonly ExceptionCode[] = [...new Set([...BETTING, ...ACCOUNT])];

export type Api = 'betting' | 'account';

/** An exception of the format. */
export class ApiError extends Error {
  readonly code: ExceptionCode;
  constructor(code: ExceptionCode, details = '') {
    super(details);
    this.code = code;
  }
}

/** A parameter is missing or cannot be read; nothing was looked at. */
export class ParamError extends Error {}

/** No operation of this name. */
export class UnknownMethod extends Error {}

/** What an API calls an exception: its own number, or that of the general failure where it has no such word. */
export function numberOf(api: Api, code: ExceptionCode): { code: ExceptionCode; text: string; name: string } {
  const isAccount = api === 'account';
  const words: readonly string[] = isAccount ? ACCOUNT : BETTING;
  const known = words.includes(code)
    ? code
    : isAccount && code === 'ACCESS_DENIED'
      ? 'INVALID_APP_KEY'
      : 'UNEXPECTED_ERROR';
  const number = String(words.indexOf(known) + 1).padStart(4, '0');
  return {
    code: known,
    text: `${isAccount ? 'AANGX' : 'ANGX'}-${number}`,
    name: isAccount ? 'AccountAPINGException' : 'APINGException',
  };
}

export type ReportError =
  | 'ERROR_IN_MATCHER'
  | 'PROCESSED_WITH_ERRORS'
  | 'BET_ACTION_ERROR'
  | 'INVALID_ACCOUNT_STATE'
  | 'INSUFFICIENT_FUNDS'
  | 'LOSS_LIMIT_EXCEEDED'
  | 'MARKET_SUSPENDED'
  | 'MARKET_NOT_OPEN_FOR_BETTING'
  | 'DUPLICATE_TRANSACTION'
  | 'INVALID_ORDER'
  | 'INVALID_MARKET_ID'
  | 'PERMISSION_DENIED'
  | 'DUPLICATE_BETIDS'
  | 'NO_ACTION_REQUIRED'
  | 'SERVICE_UNAVAILABLE'
  | 'INVALID_CUSTOMER_STRATEGY_REF'
  | 'TOO_MANY_INSTRUCTIONS'
  | 'INVALID_MARKET_VERSION';

export type InstructionError =
  | 'INVALID_BET_SIZE'
  | 'INVALID_RUNNER'
  | 'BET_TAKEN_OR_LAPSED'
  | 'BET_IN_PROGRESS'
  | 'RUNNER_REMOVED'
  | 'MARKET_NOT_OPEN_FOR_BETTING'
  | 'LOSS_LIMIT_EXCEEDED'
  | 'MARKET_NOT_OPEN_FOR_BSP_BETTING'
  | 'INVALID_ODDS'
  | 'INSUFFICIENT_FUNDS'
  | 'INVALID_PERSISTENCE_TYPE'
  | 'ERROR_IN_MATCHER'
  | 'INVALID_BACK_LAY_COMBINATION'
  | 'ERROR_IN_ORDER'
  | 'INVALID_BET_ID'
  | 'CANCELLED_NOT_PLACED'
  | 'RELATED_ACTION_FAILED'
  | 'NO_ACTION_REQUIRED'
  | 'INVALID_MIN_FILL_SIZE'
  | 'INVALID_CUSTOMER_ORDER_REF';

/** Why the site took nothing: as the instruction says it, and as the report above it does where it concerns the whole request. */
export function causeOf(code: string): { report: ReportError; instruction: InstructionError } {
  const one = (instruction: InstructionError) => ({ report: 'BET_ACTION_ERROR' as const, instruction });
  const whole = (report: ReportError) => ({ report, instruction: 'ERROR_IN_ORDER' as const });
  switch (code) {
    case 'PRICE_INVALID':
      return one('INVALID_ODDS');
    case 'STAKE_INVALID':
    case 'STAKE_TOO_SMALL':
    case 'STAKE_TOO_LARGE':
    case 'PROFIT_RATIO':
    case 'STAKE_LIMIT':
      return one('INVALID_BET_SIZE');
    case 'RUNNER_UNKNOWN':
      return one('INVALID_RUNNER');
    case 'RUNNER_REMOVED':
      return one('RUNNER_REMOVED');
    case 'BET_NOT_OPEN':
    case 'BET_CHANGED':
    case 'MARKET_VERSION':
      return one('BET_TAKEN_OR_LAPSED');
    case 'BET_UNKNOWN':
      return one('INVALID_BET_ID');
    case 'INSUFFICIENT_FUNDS':
    case 'EXPOSURE_LIMIT':
    case 'MARKET_EXPOSURE_LIMIT':
      return { report: 'INSUFFICIENT_FUNDS', instruction: 'INSUFFICIENT_FUNDS' };
    case 'LOSS_LIMIT':
    case 'WAGER_LIMIT':
      return { report: 'LOSS_LIMIT_EXCEEDED', instruction: 'LOSS_LIMIT_EXCEEDED' };
    case 'MARKET_SUSPENDED':
    case 'MARKET_SETTLING':
    case 'RUNNER_SUSPENDED':
      return whole('MARKET_SUSPENDED');
    case 'MARKET_CLOSED':
      return { report: 'MARKET_NOT_OPEN_FOR_BETTING', instruction: 'MARKET_NOT_OPEN_FOR_BETTING' };
    case 'MARKET_UNKNOWN':
      return whole('INVALID_MARKET_ID');
    case 'ACCOUNT_BLOCKED':
      return whole('INVALID_ACCOUNT_STATE');
    case 'BET_LIMIT':
    case 'HOUSE_LIMIT':
    case 'REALITY_CHECK_DUE':
    case 'SESSION_TIME_LIMIT':
      return whole('PERMISSION_DENIED');
    case 'BUSY':
    case 'UNAVAILABLE':
      return whole('SERVICE_UNAVAILABLE');
    default:
      return { report: 'ERROR_IN_MATCHER', instruction: 'ERROR_IN_MATCHER' };
  }
}
