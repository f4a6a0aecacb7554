import type { MarketImage } from '@fairgame/contract';
import { bet, MARKET_ID, market, runner } from './samples.ts';

/** A position that is cashed out, for tests of how: India backed 10.00 at 3.00, laid at 2.00: +5.00 whoever wins. */
export const position = {
  betId: MARKET_ID,
  exposure: 1000,
  betCount: 1,
  runners: [
    { runnerId: 1, win: 2000, lose: -1000, net: 2000 },
    { runnerId: 2, win: 0, lose: 0, net: -1000 },
  ],
  runs: [],
  paid: null,
};

/** The market without commission, with these sizes to lay India at. */
export const offering = (lay: Array<[number, number]>, more: Partial<MarketImage> = {}) =>
  market({
    commissionBps: 0,
    runners: [runner(1, 'India', { back: [[198, 100_000]], lay }), runner(2, 'Australia')],
    ...more,
  });

/** What the server offers for it. */
export const quote = (more: object = {}) => ({
  value: 500,
  reason: null,
  legs: [{ runnerId: 1, bettingType: 'LAY', odd: 200, stake: 1500 }],
  results: [],
  cancels: [],
  marketVersion: 4,
  ...more,
});
/** The same after the price went from 2.00 to 2.02. */
export const worse = quote({ value: 480, legs: [{ runnerId: 1, bettingType: 'LAY', odd: 202, stake: 1485 }] });

export const wallet = { currentBalance: 1000, exposure: 0, held: 0, available: 1000, version: 2 };

/** The bet of an act that was taken, matched whole. */
export const leg = bet({
  id: 901,
  betType: 'LAY',
  odds: 200,
  amount: 1500,
  matched: 1500,
  remaining: 0,
  status: 'COMPLETE',
});
export const taken = { bets: [leg], cancelled: [], wallet };

/** An answer that never comes. */
export const lost = () => Promise.reject(new TypeError('network'));
