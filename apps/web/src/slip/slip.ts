/** The slip: the bet in it or several, how the player wants to place, and the bets on their way. The door of this room. */
export { type After, broughtBy } from './after.ts';
export {
  ANY_PRICE,
  backToEditing,
  bets,
  clearSlip,
  type Draft,
  edit,
  isBusy,
  leavePassword,
  leaveSlip,
  onPicked,
  onSlip,
  pricePicked,
  type Selection,
  slip,
} from './draft.ts';
export { answerOf, fateOf } from './fate.ts';
export * from './hooks.ts';
export { goOnAfterPassword, place, press, resume } from './placing.ts';
export { MOST, select } from './select.ts';
export {
  asksFirst,
  keepChoice,
  keepsSeveral,
  MOST_TICKS,
  oneClickEndsAt,
  oneClickStake,
  type PriceRule,
  priceRule,
  setAsksFirst,
  setKeepsSeveral,
  setOneClick,
  setPriceRule,
  usedOneClick,
} from './settings.ts';
export { setBettingOff, useBettingOff } from './standing.ts';
