/** The player's standing: run ladders, positions of a match, markets with open bets. Read from the core's memory. */
import { CALLS, CodedError, type ReplyOf } from '@fairgame/contract';
import type { MarketView, Position } from '@fairgame/exchange';
import type { Core } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import { type Names, NUMBER_KINDS } from './rows.ts';

type RunAmount = ReplyOf<typeof CALLS.bets.runAmount>['profitLoss']['betPlaced'];

export function standingRoutes(http: Http, { core, names }: { core: Core; names: Names }): void {
  const { bets } = CALLS;
  http.route(bets.runAmount, ({ params, query, session }) => {
    const view = core.read.market(Number(params.id));
    if (!view || view.eventId !== Number(query.matchId)) throw new CodedError('MARKET_UNKNOWN');
    if (!NUMBER_KINDS.has(view.kind)) throw new CodedError('WRONG_KIND');
    const position = core.read.position(session.world, session.accountId, view.marketId);
    return {
      profitLoss: {
        betPlaced: position.runs
          ? position.runs.map(({ run, profitMinor }) => ({ odds: run, profitLoss: profitMinor }))
          : outcomeRows(view, position.runners ?? []),
        maxLoss: position.exposureMinor,
        totalBet: position.betCount,
      },
    };
  });
  http.route(bets.positions, ({ query, session }) => {
    const matchId = Number(query.matchId);
    const paid = core.read
      .paidOut(session.world, session.accountId)
      .filter(({ eventId }) => eventId === matchId)
      .map(({ marketId, grossMinor, commissionMinor }) => ({
        betId: marketId,
        exposure: 0,
        betCount: 0,
        runners: [],
        runs: [],
        paid: { gross: grossMinor, commission: commissionMinor },
      }));
    const open = core.read
      .myMarkets(session.world, session.accountId)
      .filter(({ marketId }) => core.read.market(marketId)?.eventId === matchId)
      .map(({ marketId }) => {
        const position = core.read.position(session.world, session.accountId, marketId);
        return {
          betId: marketId,
          exposure: position.exposureMinor,
          betCount: position.betCount,
          runners: (position.runners ?? []).map((runner) => ({
            runnerId: runner.runnerId,
            win: runner.winMinor,
            lose: runner.loseMinor,
            net: runner.netMinor,
          })),
          runs: (position.runs ?? []).map(({ run, profitMinor }) => ({ odds: run, profitLoss: profitMinor })),
          paid: null,
        };
      });
    return [...open, ...paid];
  });
  http.route(bets.myMarket, ({ session }) =>
    core.read.myMarkets(session.world, session.accountId).map(({ marketId, bets: trade }) => {
      const market = names.now(marketId);
      return {
        eventType: market.eventType,
        eventName: market.eventName,
        matchId: market.eventId,
        beventId: market.beventId,
        groupedmarkettype: market.name || null,
        marketType: market.marketType,
        trade,
        betId: marketId,
        exposure: core.read.position(session.world, session.accountId, marketId).exposureMinor,
      };
    }),
  );
  // A player's token never passes the session check of an operator's call (CAR-22); an operator deletes by operator.deleteBet.
}

/**
 * The ladder of a market whose outcomes are not runs: the digit, or no (0; even) and yes (1; odd). A market that quotes yes
 * and no on one row has no row of its own for the other answer.
 */
function outcomeRows(view: MarketView, runners: NonNullable<Position['runners']>): RunAmount {
  const rows = new Map<number, number>();
  for (const { runnerId, winMinor, loseMinor, netMinor } of runners) {
    const { stands, digit } = view.runners.find((runner) => runner.runnerId === runnerId) ?? {};
    if (digit !== undefined) rows.set(digit, netMinor);
    else if (stands !== undefined) {
      const answer = stands === 'yes' || stands === 'odd' ? 1 : 0;
      const alone = runners.length === 1;
      rows.set(answer, alone ? winMinor : netMinor);
      if (alone) rows.set(1 - answer, loseMinor);
    }
  }
  return [...rows].sort(([a], [b]) => a - b).map(([odds, profitLoss]) => ({ odds, profitLoss }));
}
