/** Door of the table games: rules, dealing, odds, settlement and fairness of the 32 tables. Pure; runs in the browser. */
export {
  type Bet,
  exposureOf,
  mostOf,
  paysByHand,
  riskOf,
  type Settled,
  selectionOf,
  settleBet,
} from './bets.ts';
export {
  type Card,
  cardWords,
  deckOf,
  isRed,
  NOT_DEALT,
  parseCard,
  rankName,
  rankOf,
  siteName,
  standardName,
  suitOf,
} from './cards.ts';
export { describe, type TableInfo } from './describe.ts';
export { ENDINGS, type Ending, endOf, type Tone } from './endings.ts';
export {
  checkSeeds,
  commitOf,
  createStream,
  isClientSeed,
  isServerSeed,
  type RandomStream,
  type Seeds,
  sharedSeed,
  shuffle,
} from './fair.ts';
export type {
  Board,
  Deal,
  Game,
  Layout,
  LimitKind,
  Mark,
  Pay,
  Pick,
  PickRule,
  Place,
  Result,
  Seat,
  Selection,
  Side,
} from './game.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { type Price, priceOf, type Rate } from './odds.ts';
export {
  finish,
  LOCK_MS,
  newRound,
  type Offer,
  openSelections,
  type Phase,
  type PublicView,
  publicView,
  type Refusal,
  type Round,
  refusalOf,
  resultOf,
  settle,
  step,
} from './round.ts';
export {
  type Category,
  gameOf,
  isTableCode,
  prepareOdds,
  TABLES,
  type Table,
  type TableCode,
  tableByRoute,
} from './table.ts';
export { type RoundCheck, type RoundRecord, recordOf, verifyRound } from './verify.ts';
