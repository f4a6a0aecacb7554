/** Leaving a position or a part of it: what it would bring, and several bets that go as one (exchange reference 10). */
import { type BetAnswer, CALLS, CodedError, type ErrorCode } from '@fairgame/contract';
import type { Bet, CashOutQuote, Event, HedgeLeg, NoCashOut, Share } from '@fairgame/exchange';
import { ownBets } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import type { Http, Session } from '../http/http.ts';
import { asPlaced } from './fields.ts';
import { signed, walletOf, walletText } from './placing.ts';
import { type Names, toPlacedBet } from './rows.ts';

type Holder = Pick<Session, 'accountId' | 'world'>;

export function cashOutRoutes(http: Http, { core, names }: { core: Core; names: Names }): void {
  http.route(CALLS.bets.cashOutQuote, async ({ query, session }) => {
    const marketId = Number(query.betId);
    const runnerId = query.runnerId === undefined ? undefined : Number(query.runnerId);
    if (!core.read.market(marketId)) throw new CodedError('MARKET_UNKNOWN', { field: 'betId' });
    const [percent, amount] = [query.percent, query.amount].map((text) =>
      text === undefined ? undefined : Number(text),
    );
    const quote = core.read.cashOut(session.world, session.accountId, marketId, runnerId, shareOf(percent, amount));
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
    return answerOf({ core, names }, session, events);
  });
}

/** One of the two, or all of it. */
function shareOf(percent: number | undefined, amountMinor: number | undefined): Share | undefined {
  if (amountMinor === undefined) return percent === undefined ? undefined : { percent };
  if (percent !== undefined) throw new CodedError('BAD_INPUT', { field: 'amount' });
  return { amountMinor };
}

/** A position closed at the prices of this moment: the bets that do it are found here and go as one. */
export function hedgeRoute(http: Http, { core, names }: { core: Core; names: Names }): void {
  http.route(CALLS.trader.hedge, async (asked) => {
    const { body, session } = asked;
    const { accountId, world } = session;
    const { betId: marketId, runnerId, percent, amount, cancel, least } = body;
    const quote = core.read.cashOut(world, accountId, marketId, runnerId, shareOf(percent, amount));
    const command = (legs: HedgeLeg[]) =>
      signed(asked, 'hedge', {
        type: 'bets.hedge',
        betId: 0,
        accountId,
        marketId,
        legs,
        cancel,
        ...(quote ? { marketVersion: quote.marketVersion } : {}),
      });
    const { events } = await asPlaced(() => {
      const no = unwilling(quote, least, amount);
      // A key that was used tells its first answer, whatever the market says by now.
      return no ? core.refuse(command([]), no) : core.submit(command(quote!.cashOut.ok ? quote!.cashOut.hedges : []));
    });
    return answerOf({ core, names }, session, events);
  });
}

/** The bets of the group, what was cancelled for it, and the wallet. */
function answerOf({ core, names }: { core: Core; names: Names }, session: Holder, events: readonly Event[]) {
  const { accountId } = session;
  const own = ownBets(events, accountId);
  // What waited before is cancelled by it; a bet of the group never is when it is first told.
  const isWaiting = (bet: Bet) => bet.endCode === 'CANCELLED';
  const placed = own.filter((bet) => !isWaiting(bet));
  const rows = (list: Bet[]) => list.map((bet) => toPlacedBet(bet, names.now(bet.marketId)));
  const told = events.findLast((event) => event.type === 'wallet' && event.accountId === accountId);
  const wallet: BetAnswer['wallet'] = told?.type === 'wallet' ? walletText(told) : walletOf(core, session);
  return {
    data: {
      bets: rows(placed),
      cancelled: rows(own.filter(isWaiting)),
      wallet,
    },
    message: placed.length === 1 ? 'Bet placed.' : `${placed.length} bets placed.`,
  };
}

const REASONS: Readonly<Record<NoCashOut, ErrorCode>> = {
  CLOSED: 'MARKET_CLOSED',
  SUSPENDED: 'MARKET_SUSPENDED',
  RUNNER_SUSPENDED: 'RUNNER_SUSPENDED',
  WRONG_MARKET: 'WRONG_KIND',
  NO_POSITION: 'NO_POSITION',
  NO_DEPTH: 'NOT_FILLED',
  STAKE_TOO_SMALL: 'STAKE_TOO_SMALL',
  STAKE_TOO_LARGE: 'STAKE_TOO_LARGE',
};

/** Why the position cannot be closed now, or not for what the player was shown. */
function unwilling(
  quote: CashOutQuote | null,
  least: number | undefined,
  amount: number | undefined,
): CodedError | null {
  if (!quote) return new CodedError('MARKET_UNKNOWN', { field: 'betId' });
  const { cashOut } = quote;
  if (!cashOut.ok) {
    // Of a position that can lose nothing there is no part with so much to lose.
    const isAmount = amount !== undefined && cashOut.reason === 'NO_POSITION';
    return new CodedError(REASONS[cashOut.reason], { field: isAmount ? 'amount' : undefined });
  }
  return least !== undefined && cashOut.valueMinor < least ? new CodedError('PRICE_CHANGED', { field: 'least' }) : null;
}
