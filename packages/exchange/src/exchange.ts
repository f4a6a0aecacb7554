/** The betting core: `apply` a command to a state and get events. See types.ts for both vocabularies. */
export { apply, nextDueAt } from './apply.ts';
export { sealed } from './archive.ts';
export { audit } from './audit.ts';
export { createBook, createPool, place as placeInBook, remove as removeFromBook } from './book.ts';
export * from './cashout.ts';
export { type CashOutQuote, cashOutQuote, type Share } from './cashout-quote.ts';
export { MOST_AT_ONCE } from './conditionals.ts';
export { MOST_IN_MARKET, MOST_OF_ACCOUNT } from './conditionals-of-bets.ts';
export { holdsOf } from './debts.ts';
export * from './dutching.ts';
export { hashState, isHashNear } from './hash.ts';
export { LOGIC_VERSION } from './logic.ts';
export { isSettling } from './pending.ts';
export { purseOf, pursesOf, stepsOf, transfersOf } from './purses.ts';
export * from './quotes.ts';
export type { Depth } from './readings.ts';
export {
  betOf,
  conditionalNumbers,
  conditionalsOf,
  definitionOf,
  depth,
  marketSizes,
  marketsOf,
  marketView,
  myMarkets,
  openBets,
  paidOut,
  position,
  quoteRows,
  roundOf,
  roundsOf,
  shortsOf,
  stakesOf,
  stateSize,
  wallet,
} from './readings.ts';
export { reducedPrice } from './reduction.ts';
export { winnersOf } from './results.ts';
export { roundKey } from './rounds.ts';
export * from './rules.ts';
export * from './runs.ts';
export { pendingWork } from './slices.ts';
export { type Restoring, restore, restoring, type SnapshotPart, snapshot, snapshotParts } from './snapshot.ts';
export type { State } from './state.ts';
export { createState } from './state.ts';
export { isTold } from './telling.ts';
export * from './types.ts';
