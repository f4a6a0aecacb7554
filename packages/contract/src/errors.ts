/** Every coded error: one code, one HTTP status, one text. `field` in the reply names the input at fault. */
export const ERRORS = {
  // shape of a call
  BAD_JSON: [400, 'The request body is not valid JSON.'],
  BAD_INPUT: [400, 'A value in the request is not valid.'],
  UNKNOWN_FIELD: [400, 'The request has a field this call does not take.'],
  BAD_FILTER: [400, 'This filter is not allowed here.'],
  TIME_TOO_LONG: [400, 'There is too much in this time to look through. Choose a shorter time.'],
  UNSUPPORTED_TYPE: [415, 'Send the body as application/json.'],
  TOO_LARGE: [413, 'The request is too large.'],
  NOT_FOUND: [404, 'Not Found'],
  METHOD_NOT_ALLOWED: [405, 'Method Not Allowed'],
  // who may call
  NOT_SIGNED_IN: [401, 'Please sign in.'],
  SESSION_ENDED: [401, 'Your session has ended. Please sign in again.'],
  NOT_ALLOWED: [403, 'You may not do this.'],
  DEMO_NOT_ALLOWED: [403, 'This is not part of the demo.'],
  CODE_REQUIRED: [403, 'Enter your security code first.'],
  PASSWORD_CHANGE_REQUIRED: [403, 'Change your password first.'],
  STEP_UP_REQUIRED: [403, 'Enter your password again to go on.'],
  RIGHT_MISSING: [403, 'Your roles do not include this.'],
  PROOF_REQUIRED: [403, 'Give your password and a code of your authenticator again to go on.'],
  FACTOR_REQUIRED: [403, 'Set up your authenticator first.'],
  // sign-in
  LOGIN_FAILED: [400, 'The user name or password is not right.'],
  LOGIN_WAIT: [429, 'Too many tries. Please wait a little and try again.'],
  ACCOUNT_LOCKED: [403, 'This account is locked. Please contact support.'],
  CODE_WRONG: [400, 'This code is not right.'],
  CODE_EXPIRED: [400, 'This code has expired. Ask for a new one.'],
  CODE_TRIES: [429, 'Too many wrong codes. Please sign in again.'],
  RESEND_WAIT: [429, 'A code was sent a moment ago. Please wait a little.'],
  AUTHENTICATOR_SET: [409, 'A second factor is already switched on.'],
  AUTHENTICATOR_NOT_SET: [409, 'No second factor is switched on.'],
  PASSWORD_WRONG: [400, 'The old password is not right.'],
  PASSWORD_SHORT: [400, 'The new password is too short.'],
  PASSWORD_LONG: [400, 'The new password is longer than 128 characters.'],
  PASSWORD_COMMON: [400, 'The new password is too easy to guess.'],
  PASSWORD_SAME: [400, 'The new password is the same as the old one.'],
  // pace and health
  RATE_LIMITED: [429, 'Too many requests. Please wait a moment.'],
  TOO_MANY_TABS: [429, 'This account is open in as many tabs as it may be.'],
  BUSY: [503, 'The site is very busy. Nothing was taken. Please try again.'],
  UNAVAILABLE: [503, 'Betting is not available at the moment. Nothing was taken.'],
  INTERNAL: [500, 'Something went wrong on our side.'],
  // idempotency
  KEY_REQUIRED: [400, 'The request has no key.'],
  KEY_REUSED: [422, 'This key was used for another request.'],
  KEY_BURNT: [409, 'This request came too late and was given up. Nothing was taken.'],
  KEY_UNKNOWN: [404, 'Nothing was taken under this key.'],
  // betting; the same words as the core's refusals
  ACCOUNT_UNKNOWN: [404, 'This account does not exist.'],
  ACCOUNT_EXISTS: [409, 'This account exists already.'],
  ACCOUNT_BLOCKED: [403, 'Betting is switched off for this account.'],
  AMOUNT_INVALID: [400, 'This amount is not valid.'],
  INSUFFICIENT_FUNDS: [400, 'Your available balance does not cover this bet.'],
  EXPOSURE_LIMIT: [400, 'This bet would take your exposure over its limit.'],
  LOSS_LIMIT: [400, 'This bet could take your loss over the limit you set.'],
  MARKET_EXPOSURE_LIMIT: [400, 'This bet would take your exposure in this market over its limit.'],
  BET_LIMIT: [400, 'You have as many bets in this market as it takes.'],
  HOUSE_LIMIT: [409, 'The house takes no more on this at the moment.'],
  MARKET_UNKNOWN: [404, 'This market does not exist.'],
  MARKET_EXISTS: [409, 'This market exists already.'],
  MARKET_INVALID: [400, 'This market is not valid.'],
  MARKET_SUSPENDED: [409, 'The market is suspended.'],
  MARKET_SETTLING: [
    409,
    'The market is locked for a moment: its result is being booked, or its bets are brought up to date.',
  ],
  MARKET_CLOSED: [409, 'The market is closed.'],
  MARKET_VERSION: [409, 'The market changed since you looked at it.'],
  RUNNER_UNKNOWN: [404, 'This runner is not in the market.'],
  RUNNER_REMOVED: [409, 'This runner has been removed.'],
  RUNNER_SUSPENDED: [409, 'This selection is suspended.'],
  PRICE_INVALID: [400, 'This is not a valid price.'],
  PRICE_CHANGED: [409, 'The price has changed.'],
  LINE_CHANGED: [409, 'The line has changed.'],
  STAKE_INVALID: [400, 'This stake is not valid.'],
  STAKE_TOO_SMALL: [400, 'The stake is below the minimum.'],
  STAKE_TOO_LARGE: [400, 'The stake is above the maximum.'],
  PROFIT_RATIO: [400, 'At this price the stake is too small to be paid to the cent. Please choose a larger one.'],
  NOT_FILLED: [409, 'The bet could not be matched in full and was not placed.'],
  NO_POSITION: [409, 'There is no position to close.'],
  HEDGE_WAITING: [409, 'A cash out of this market is waiting already.'],
  DUPLICATE_BET: [409, 'This bet was placed already.'],
  BALANCE_MOVED: [409, 'Money moved in the meantime. Please try again.'],
  BET_UNKNOWN: [404, 'This bet does not exist.'],
  BET_CHANGED: [409, 'Part of this bet was matched or ended meanwhile.'],
  CONDITIONAL_UNKNOWN: [404, 'This order is not waiting any more.'],
  CONDITIONAL_LIMIT: [409, 'Too many orders are waiting already.'],
  CONDITION_MET: [409, 'The price is there already.'],
  BET_NOT_OPEN: [409, 'This bet is in its delay or no longer open.'],
  RESULT_INVALID: [400, 'This result does not fit the market.'],
  NOTHING_HELD: [409, 'Nothing is held back for this.'],
  NOT_DECLARED: [409, 'This market has no result.'],
  WRONG_KIND: [400, 'This call does not fit the market.'],
  WRONG_CURRENCY: [400, 'This is not the currency of the account.'],
  WRONG_GAME: [400, 'This round is of another game.'],
  ROUND_CLOSED: [409, 'This round is over.'],
  TOO_FAST: [409, 'You began another round a moment ago. A new one may begin after five seconds.'],
  BET_SETTLED: [409, 'This bet has its result and cannot be taken back.'],
  BET_ROLLED_BACK: [409, 'This bet was taken back.'],
  // player protection
  STAKE_LIMIT: [400, 'This stake is above the limit you set for one bet.'],
  WAGER_LIMIT: [400, 'This bet would take your stakes over the limit you set.'],
  DEPOSIT_LIMIT: [400, 'This deposit would go over the limit the player set.'],
  REALITY_CHECK_DUE: [409, 'Please answer the reality check first.'],
  SESSION_TIME_LIMIT: [403, 'Your time limit for today is reached.'],
  LIMIT_UNKNOWN: [404, 'There is no such limit.'],
  RESTRICTION_RUNS: [409, 'A restriction cannot be cut short.'],
  REVOCATION_EARLY: [409, 'A restriction can be ended only after its period.'],
  SUPPORT_NEEDED: [403, 'Please contact support for this.'],
  ACCOUNT_IN_USE: [409, 'This account still has money, open bets or rounds.'],
  STATE_NOT_FITTING: [409, 'This does not fit the state of the account.'],
  PAYMENT_UNKNOWN: [404, 'There is no such payment.'],
  PAYMENT_STATE: [409, 'This does not fit the state of the payment.'],
  PAYMENT_RULE: [409, 'A rule of the terms holds this payment back.'],
  ALERT_LIMIT: [409, 'You have as many alerts as there may be. Take one away first.'],
  WORKSPACE_LIMIT: [409, 'You have as many workspaces as there may be. Take one away first.'],
  // catalogue and others
  STILL_TO_PLAY: [409, 'The event may still be played in its time; the bets stand.'],
  MATCH_UNKNOWN: [404, 'This event does not exist.'],
  NAME_TAKEN: [409, 'This user name is taken.'],
  BUTTON_LABEL_TWICE: [400, 'Two buttons have the same label.'],
  NOT_OPEN_YET: [409, 'This is not open yet.'],
  // people behind the site
  PERSON_UNKNOWN: [404, 'There is no such person.'],
  SAME_PERSON: [403, 'Who asked cannot agree. A second person is needed.'],
  REQUEST_UNKNOWN: [404, 'There is no such request.'],
  REQUEST_OVER: [409, 'This request is decided or has expired.'],
  EFFECT_CHANGED: [409, 'What it would do has changed. Look at it again.'],
  LAST_ADMIN: [409, 'Nobody would be left who may manage people.'],
  // live casino
  GAME_UNKNOWN: [404, 'This game does not exist.'],
  GAME_CLOSED: [409, 'This game is closed at the moment.'],
  PROVIDER_DOWN: [502, 'The provider of this game does not answer at the moment. Please try again in a moment.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Of an order that the server held: why its bet was refused, in words; null where it was not. */
export const whyFailed = ({ status, code }: { status: string; code: string | null }): string | null =>
  status === 'FAILED' && code !== null && Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode][1] : null;

/** What a failed call answers. */
export interface ErrorBody {
  statusCode: number;
  message: string;
  code: ErrorCode;
  field?: string;
  /** The present price, line, version or unmatched size, or the most a quote takes now, where that is what was wrong. */
  current?: { price?: number; line?: number; version?: number; remainingMinor?: number; sizeMinor?: number };
  /** For support: names the request in the logs. */
  requestId?: string;
}

/** An error that knows its code; thrown by the server's rooms and by the client's calls. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly field: string | undefined;
  readonly current: ErrorBody['current'];
  readonly retryAfterS: number | undefined;
  constructor(
    code: ErrorCode,
    extra: { field?: string | undefined; message?: string; current?: ErrorBody['current']; retryAfterS?: number } = {},
  ) {
    super(extra.message ?? ERRORS[code][1]);
    this.name = 'CodedError';
    this.code = code;
    this.statusCode = ERRORS[code][0];
    this.field = extra.field;
    this.current = extra.current;
    this.retryAfterS = extra.retryAfterS;
  }
}

/** An act that waited too long, in a queue or on its way: refused, nothing was taken. */
export function tooLate(): CodedError {
  return new CodedError('UNAVAILABLE', {
    message: 'This request waited too long and was given up. Nothing was taken.',
    retryAfterS: 1,
  });
}
