/** What comes by the open line: prices, scores, balance, the player's own bets. The door of this room. */
export { onAlertNews, onAlertsOver } from './alert-news.ts';
export * from './hooks.ts';
export { type Channel, openChannel, takeOver } from './line.ts';
export { onLineLost } from './line-lost.ts';
export { openMainSocket } from './main-socket.ts';
export { type BetNews, isFresh, knowBets, onOwnBet, ownBet, type ResultNews, readNews } from './own-bets.ts';
export { setPace } from './pace.ts';
export { scoreLine } from './score-line.ts';
export { useInSight, useWatchInSight } from './sight.ts';
export { setSpeaks } from './speaking.ts';
export {
  isHeldBack,
  keys,
  market as marketNow,
  runner as runnerNow,
  seed as seedMarkets,
  subscribe,
} from './store.ts';
export { availableOf, takeWallet, type Wallet } from './wallet.ts';
