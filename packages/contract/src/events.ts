/** Names of what the sockets say, and how to come back to them. What each says is in live.ts and casino.ts. */

/** The events the main socket listens to, exactly these (specification, section 7). */
export const MAIN_EVENTS = [
  'userCardBetPlaced',
  'cardResult',
  'updateUserBalance',
  'userSessionBetPlaced',
  'userMatchBetPlaced',
  'matchResult',
  'matchResultUnDeclare',
  'matchResultDeclareAllUser',
  'matchResultUnDeclareAllUser',
  'matchDeleteBet',
  'sessionDeleteBet',
  'sessionResult',
  'sessionNoResult',
  'sessionResultUnDeclare',
  'updateDeleteReason',
  'hardRefreshAll',
  'addMatch',
  'logoutUserForce',
] as const;
export type MainEvent = (typeof MAIN_EVENTS)[number];

/** Orders and alerts that the server holds for a player, on `/` beside the eighteen events of the specification. */
export const ORDER_EVENTS = ['userConditional', 'userAlert', 'userAlertsOver'] as const;
export type OrderEvent = (typeof ORDER_EVENTS)[number];

/**
 * Words about the connection itself, on `/` beside the eighteen events of the player.
 * - `reconnectSoon` {afterMs}: this server is about to end. Come back after so many milliseconds, which differ from client to
 *   client, so that a site that restarts is not met by all at once.
 * - `replaced`: another tab of the player took the place of this one. Do not come back by yourself.
 */
export const LINE_EVENTS = ['reconnectSoon', 'replaced'] as const;
export type LineEvent = (typeof LINE_EVENTS)[number];

/** Prices of one match, on `/match`. */
export const liveDataEvent = (matchId: number): string => `liveData${matchId}`;
/** Rows of one sport, on `/third-party`. */
export const feedDataEvent = (type: string): string => `feedData${type}`;
/** A card table, on `/card`. */
export const cardDataEvent = (code: string): string => `cardData${code}`;

/** First wait and longest wait before coming back, the share of chance in it, and how long a handshake may take, ms. */
export const RECONNECT = {
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  timeout: 20_000,
} as const;
