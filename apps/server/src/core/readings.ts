import {
  betOf,
  cashOutQuote,
  conditionalsOf,
  depth,
  holdsOf,
  isSettling,
  marketsOf,
  marketView,
  myMarkets,
  openBets,
  paidOut,
  position,
  quoteRows,
  roundOf,
  shortsOf,
  stakesOf,
  wallet,
} from '@fairgame/exchange';
import type { Books } from './rows.ts';
import type { Readings } from './types.ts';
import { openWorlds, type Worlds } from './worlds.ts';

/** Readings of the committed state; unknown accounts and markets read as empty. */
export function createReadings(worlds: () => Worlds, books?: Books): Readings {
  return {
    worlds: () => openWorlds(worlds()),
    currencyOf: (world) => worlds()[world].currency,
    worldOf: (accountId) => openWorlds(worlds()).find((world) => wallet(worlds()[world], accountId) !== null),
    wallet(world, accountId) {
      const held = wallet(worlds()[world], accountId);
      // Asked several times a bet, and a clone that gets new fields is dear: so they are listed.
      return {
        balanceMinor: held?.balanceMinor ?? 0,
        exposureMinor: held?.exposureMinor ?? 0,
        heldMinor: held?.heldMinor ?? 0,
        availableMinor: held?.availableMinor ?? 0,
        version: books?.accounts.get(`${world}${accountId}`)?.version ?? 0,
      };
    },
    stakes: (world, accountId) => stakesOf(worlds()[world], accountId),
    position: (world, accountId, marketId) =>
      position(worlds()[world], accountId, marketId) ?? { marketId, exposureMinor: 0, betCount: 0 },
    isSettling: (marketId) => openWorlds(worlds()).some((world) => isSettling(worlds()[world], marketId)),
    market: (marketId, world = 'real') => marketView(worlds()[world], marketId) ?? undefined,
    markets: () => marketsOf(worlds().real),
    depth: (world, marketId, runnerId, levels) =>
      depth(worlds()[world], marketId, runnerId, levels) ?? { back: [], lay: [], lastPrice: 0, tradedMinor: 0 },
    quotes: (world, marketId) => quoteRows(worlds()[world], marketId),
    openBets: (world, accountId, marketId) => openBets(worlds()[world], accountId, marketId),
    conditionals: (world, accountId, marketId) => conditionalsOf(worlds()[world], accountId, marketId),
    bet: (world, betId) => betOf(worlds()[world], betId) ?? undefined,
    myMarkets: (world, accountId) =>
      myMarkets(worlds()[world], accountId).map(({ marketId, betCount }) => ({ marketId, bets: betCount })),
    cashOut: (world, accountId, marketId, runnerId, share) =>
      cashOutQuote(worlds()[world], accountId, marketId, runnerId, share),
    paidOut: (world, accountId) => paidOut(worlds()[world], accountId),
    houseLimits: (world) => ({ ...worlds()[world].houseLimits }),
    shorts: (world) => shortsOf(worlds()[world]),
    holds: (world) => holdsOf(worlds()[world]),
    round: (world, provider, accountId, roundId) => roundOf(worlds()[world], provider, accountId, roundId) ?? undefined,
  };
}
