import type { PlacedBet } from './bets.ts';

/** What became of the unmatched rest of a bet, and why, in words that screens and files share: each side says them by their English. */
const ENDS = {
  CANCELLED: ['Cancelled', 'by you'],
  KILLED: ['Not matched', 'fill or kill: too little was on offer'],
  SELF_MATCH: ['Not matched', 'it would have met your own bet'],
  LAPSED_IN_PLAY: ['Lapsed', 'the market turned in-play'],
  LAPSED_SUSPENDED: ['Lapsed', 'the market was suspended'],
  LAPSED_CLOSED: ['Lapsed', 'the market closed'],
  LAPSED_REMOVAL: ['Lapsed', 'a runner was withdrawn'],
  LAPSED_VERSION: ['Lapsed', 'the market changed while it waited'],
  LAPSED_PRICE: ['Lapsed', 'the price moved while it waited'],
} as const;

/** Null while it waits or when there was none; of a code without words the reason is null. */
export const betEnd = ({ endCode, cancelled, lapsed }: Pick<PlacedBet, 'endCode' | 'cancelled' | 'lapsed'>) =>
  cancelled + lapsed === 0
    ? null
    : endCode !== null && Object.hasOwn(ENDS, endCode)
      ? ENDS[endCode as keyof typeof ENDS]
      : ([lapsed > 0 ? 'Lapsed' : 'Cancelled', null] as const);
