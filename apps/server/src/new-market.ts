import { MAX_BETS } from '@fairgame/exchange';

/** What a market of the house starts with where nothing else is said: open, before its event, one winner. */
export const NEW_MARKET = {
  winners: 1,
  maxExposureMinor: 0,
  maxBets: MAX_BETS,
  inPlay: false,
  status: 'OPEN',
  betDelayMs: 0,
  lapseOnSuspend: false,
} as const;
