/** Words that everything else is said in. */

export type AccountId = number;
export type MarketId = number;
export type RunnerId = number;
export type BetId = number;
export type Side = 'BACK' | 'LAY';

/** Accounts of the site itself. Player accounts start at 100. */
export const HOUSE: AccountId = 1;
export const CASH: AccountId = 2;
export const COMMISSION: AccountId = 3;
export const ROUNDING: AccountId = 4;
export const FIRST_PLAYER: AccountId = 100;

export type Persistence = 'LAPSE' | 'PERSIST';
