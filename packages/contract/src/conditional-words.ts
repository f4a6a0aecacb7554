/** Orders that the server holds in words that screens and files share: each side says them by their English. */
export const CONDITIONAL_KINDS = {
  STOP: 'Stop',
  PROFIT: 'Take profit',
  TRAIL: 'Trailing stop',
  OFFSET: 'Offset',
  EXPIRE: 'Ends',
} as const;

/** Why one is over without having fired, by its code: what became of it, and why. */
export const CONDITIONAL_ENDS = {
  CANCELLED: ['Cancelled', 'by you'],
  OTHER_FIRED: ['Cancelled', 'another order of its group fired'],
  ACCOUNT_BLOCKED: ['Cancelled', 'betting was closed for the account'],
  LAPSED_IN_PLAY: ['Lapsed', 'the market turned in-play'],
  MARKET_CLOSED: ['Lapsed', 'the market closed'],
  FIELD_CHANGED: ['Lapsed', 'a runner left or came back'],
  BET_ENDED: ['Lapsed', 'the bet it waited for was over'],
} as const;

/** What became of one that is over, and why where its code says that. */
export const conditionalFate = ({ status, code }: { status: string; code: string | null }) =>
  code !== null && Object.hasOwn(CONDITIONAL_ENDS, code)
    ? CONDITIONAL_ENDS[code as keyof typeof CONDITIONAL_ENDS]
    : ([status === 'FAILED' ? 'Not placed' : 'Fired', null] as const);
