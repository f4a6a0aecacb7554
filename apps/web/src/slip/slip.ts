/** The slip: the bet in it, how the player wants to place, and the bets on their way. The door of this room. */
export {
  ANY_PRICE,
  backToEditing,
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
  select,
  slip,
} from './draft.ts';
export * from './hooks.ts';
export { fateOf, goOnAfterPassword, place, press, resume } from './placing.ts';
export {
  asksFirst,
  oneClickEndsAt,
  oneClickStake,
  type PriceRule,
  priceRule,
  setAsksFirst,
  setOneClick,
  setPriceRule,
  usedOneClick,
} from './settings.ts';
export { setBettingOff, useBettingOff } from './standing.ts';
