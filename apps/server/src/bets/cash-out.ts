/** Leaving a position: what it would bring, and several bets that go as one (exchange reference 10). */
import { type BetAnswer, CALLS, CodedError } from '@fairgame/contract';
import type { Bet } from '@fairgame/exchange';
import { ownBets } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import { asPlaced } from './fields.ts';
import { signed, walletOf, walletText } from './placing.ts';
import { type Names, toPlacedBet } from './rows.ts';

export function cashOutRoutes(http: Http, { core, names }: { core: Core; names: Names }): void {
  http.route(CALLS.bets.cashOutQuote, async ({ query, session }) => {
    const marketId = Number(query.betId);
    const runnerId = query.runnerId === undefined ? undefined : Number(query.runnerId);
    if (!core.read.market(marketId)) throw new CodedError('MARKET_UNKNOWN', { field: 'betId' });
    const quote = core.read.cashOut(session.world, session.accountId, marketId, runnerId);
    if (!quote) throw new CodedError('WRONG_KIND', { field: 'betId' });
    const { cashOut, cancels, marketVersion } = quote;
    if (!cashOut.ok) return { value: null, reason: cashOut.reason, legs: [], results: [], cancels, marketVersion };
    return {
      value: cashOut.valueMinor,
      reason: null,
      legs: cashOut.hedges.map(({ runnerId, side, price, sizeMinor, box }) => ({
        runnerId,
        bettingType: side,
        odd: price,
        stake: sizeMinor,
        ...(box === undefined ? {} : { placeIndex: box }),
      })),
      results: cashOut.results.map(({ runnerId, netMinor }) => ({ runnerId, net: netMinor })),
      cancels,
      marketVersion,
    };
  });

  http.route(CALLS.bets.cashOut, async (asked) => {
    const { body, session } = asked;
    const { accountId } = session;
    const { events } = await asPlaced(() =>
      core.submit(
        signed(asked, 'cashOut', {
          type: 'bets.hedge',
          betId: 0,
          accountId,
          marketId: body.betId,
          legs: body.legs.map(({ runnerId, bettingType, odd, stake, placeIndex }) => ({
            runnerId,
            side: bettingType,
            price: odd,
            sizeMinor: stake,
            ...(placeIndex === undefined ? {} : { box: placeIndex }),
          })),
          cancel: body.cancel,
          ...(body.marketVersion === undefined ? {} : { marketVersion: body.marketVersion }),
        }),
      ),
    );
    const own = ownBets(events, accountId);
    const placed = new Set(
      own
        .map((bet) => bet.betId)
        .sort((a, b) => a - b)
        .slice(-body.legs.length),
    );
    const rows = (list: Bet[]) => list.map((bet) => toPlacedBet(bet, names.now(bet.marketId)));
    const told = events.findLast((event) => event.type === 'wallet' && event.accountId === accountId);
    const wallet: BetAnswer['wallet'] = told?.type === 'wallet' ? walletText(told) : walletOf(core, session);
    return {
      data: {
        bets: rows(own.filter((bet) => placed.has(bet.betId))),
        cancelled: rows(own.filter((bet) => !placed.has(bet.betId))),
        wallet,
      },
      message: body.legs.length === 1 ? 'Bet placed.' : `${body.legs.length} bets placed.`,
    };
  });
}
