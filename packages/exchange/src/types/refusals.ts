/** Why a command is not carried out. */

export type RefusalCode =
  /** Not shaped as its type says. */
  | 'BAD_INPUT'
  | 'ACCOUNT_UNKNOWN'
  | 'ACCOUNT_EXISTS'
  | 'ACCOUNT_BLOCKED'
  | 'ACCOUNT_IN_USE'
  | 'AMOUNT_INVALID'
  | 'BALANCE_MOVED'
  | 'INSUFFICIENT_FUNDS'
  | 'EXPOSURE_LIMIT'
  | 'LOSS_LIMIT'
  | 'STAKE_LIMIT'
  | 'WAGER_LIMIT'
  | 'MARKET_EXPOSURE_LIMIT'
  | 'BET_LIMIT'
  /** The house would stand to lose more than it may. */
  | 'HOUSE_LIMIT'
  | 'MARKET_UNKNOWN'
  | 'MARKET_EXISTS'
  | 'MARKET_INVALID'
  | 'MARKET_SUSPENDED'
  | 'MARKET_CLOSED'
  /** Its result is being booked or taken back. */
  | 'MARKET_SETTLING'
  | 'MARKET_VERSION'
  | 'RUNNER_UNKNOWN'
  | 'RUNNER_REMOVED'
  | 'RUNNER_SUSPENDED'
  | 'PRICE_INVALID'
  | 'PRICE_CHANGED'
  | 'LINE_CHANGED'
  | 'STAKE_INVALID'
  | 'STAKE_TOO_SMALL'
  | 'STAKE_TOO_LARGE'
  /** Rounding would change what the bet wins or risks by more than a fifth. */
  | 'PROFIT_RATIO'
  | 'NOT_FILLED'
  /** Another group of bets of the account waits for its delay in this market. */
  | 'HEDGE_WAITING'
  | 'DUPLICATE_BET'
  | 'BET_UNKNOWN'
  | 'BET_NOT_OPEN'
  /** Part of it was matched or ended since it was looked at. */
  | 'BET_CHANGED'
  | 'CONDITIONAL_UNKNOWN'
  /** So many conditional orders wait already, of the account, in the market or for the bet. */
  | 'CONDITIONAL_LIMIT'
  /** The price is where it would fire at once. */
  | 'CONDITION_MET'
  | 'RESULT_INVALID'
  | 'NOT_DECLARED'
  | 'NOTHING_HELD'
  | 'WRONG_KIND'
  | 'WRONG_CURRENCY'
  | 'WRONG_GAME'
  | 'ROUND_CLOSED'
  | 'BET_SETTLED'
  | 'BET_ROLLED_BACK';
