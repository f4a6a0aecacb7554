/** The words of the format. */
export const SIDES = ['BACK', 'LAY'] as const;
export const ORDER_TYPES = ['LIMIT', 'LIMIT_ON_CLOSE', 'MARKET_ON_CLOSE'] as const;
export const PERSISTENCE_TYPES = ['LAPSE', 'PERSIST', 'MARKET_ON_CLOSE'] as const;
export const TIMES_IN_FORCE = ['FILL_OR_KILL'] as const;
export const BET_TARGETS = ['PAYOUT', 'BACKERS_PROFIT'] as const;
export const BETTING_TYPES = [
  'ODDS',
  'LINE',
  'RANGE',
  'ASIAN_HANDICAP_SINGLE_LINE',
  'ASIAN_HANDICAP_DOUBLE_LINE',
  'FIXED_ODDS',
] as const;
export const ORDER_PROJECTIONS = ['ALL', 'EXECUTABLE', 'EXECUTION_COMPLETE'] as const;
export const MATCH_PROJECTIONS = ['NO_ROLLUP', 'ROLLED_UP_BY_PRICE', 'ROLLED_UP_BY_AVG_PRICE'] as const;
export const PRICE_DATA = ['SP_AVAILABLE', 'SP_TRADED', 'EX_BEST_OFFERS', 'EX_ALL_OFFERS', 'EX_TRADED'] as const;
export const ROLLUP_MODELS = ['STAKE', 'PAYOUT', 'MANAGED_LIABILITY', 'NONE'] as const;
export const BET_STATUSES = ['SETTLED', 'VOIDED', 'LAPSED', 'CANCELLED'] as const;
export const GROUPS_BY = ['EVENT_TYPE', 'EVENT', 'MARKET', 'RUNNER', 'SIDE', 'BET', 'STRATEGY'] as const;
export const GRANULARITIES = ['DAYS', 'HOURS', 'MINUTES'] as const;
export const SORT_DIRS = ['EARLIEST_TO_LATEST', 'LATEST_TO_EARLIEST'] as const;
export const ORDERS_BY = [
  'BY_BET',
  'BY_MARKET',
  'BY_PLACE_TIME',
  'BY_MATCH_TIME',
  'BY_VOID_TIME',
  'BY_SETTLED_TIME',
] as const;
export const MARKET_SORTS = [
  'MINIMUM_TRADED',
  'MAXIMUM_TRADED',
  'MINIMUM_AVAILABLE',
  'MAXIMUM_AVAILABLE',
  'FIRST_TO_START',
  'LAST_TO_START',
] as const;
export const MARKET_PROJECTIONS = [
  'COMPETITION',
  'EVENT',
  'EVENT_TYPE',
  'MARKET_START_TIME',
  'MARKET_DESCRIPTION',
  'RUNNER_DESCRIPTION',
  'RUNNER_METADATA',
] as const;
export const ORDER_STATUSES = ['PENDING', 'EXECUTION_COMPLETE', 'EXECUTABLE', 'EXPIRED'] as const;
export const INCLUDE_ITEMS = ['ALL', 'EXCHANGE', 'POKER_ROOM', 'DEPOSITS_WITHDRAWALS'] as const;

export type Word<L extends readonly string[]> = L[number];
export const MARKET_STATUSES = ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'] as const;
export const RUNNER_STATUSES = ['ACTIVE', 'WINNER', 'LOSER', 'REMOVED'] as const;
export type MarketStatus = Word<typeof MARKET_STATUSES>;
export type RunnerStatus = Word<typeof RUNNER_STATUSES>;
export type OrderStatus = Word<typeof ORDER_STATUSES>;
