/** Orders that are not over. */
import type { Bet } from '@fairgame/exchange';
import { type CurrentOrdersRequest, currentOrderOf, toMarketId } from '@fairgame/exchange-api';
import type { Caller } from './entry.ts';
import type { ReadingParts } from './reading.ts';

export const isProjected = (projection: CurrentOrdersRequest['projection'], bet: Bet): boolean =>
  projection === 'ALL' || (projection === 'EXECUTABLE') === (bet.status === 'EXECUTABLE');

/** What a delay still holds is not to be seen yet, and what ended with nothing matched is over. */
export const isShown = (bet: Bet): boolean =>
  bet.status !== 'PENDING' && (bet.status === 'EXECUTABLE' || bet.matchedMinor > 0);

export async function currentOrders(
  { core, markets, orders }: ReadingParts,
  asked: CurrentOrdersRequest,
  { session }: Caller,
) {
  const { betIds, marketIds, orderRefs, strategyRefs, range, orderBy } = asked;
  const bets = markets
    .openBets(session.world, session.accountId)
    .filter((bet) => isShown(bet) && isProjected(asked.projection, bet))
    .filter((bet) => !betIds || betIds.includes(String(bet.betId)))
    .filter((bet) => !marketIds || marketIds.includes(toMarketId(bet.marketId)));
  const refs = await orders.refsOf(bets);
  const timeOf = (bet: Bet): number | undefined => {
    if (orderBy === 'BY_MATCH_TIME')
      return bet.matchedMinor > 0 ? (orders.matchedAt(bet.betId) ?? bet.placedAt) : undefined;
    if (orderBy === 'BY_VOID_TIME') return bet.voidedMinor > 0 ? bet.placedAt : undefined;
    // What has its result is not current any more.
    return orderBy === 'BY_SETTLED_TIME' ? undefined : bet.placedAt;
  };
  const named = bets.flatMap((bet) => {
    const { order, strategy } = refs.get(bet.betId) ?? {};
    const at = timeOf(bet);
    if (orderRefs && !(order !== undefined && orderRefs.includes(order))) return [];
    if (strategyRefs && !(strategy !== undefined && strategyRefs.includes(strategy))) return [];
    if (at === undefined || at < (range?.from ?? 0) || at > (range?.to ?? Number.MAX_SAFE_INTEGER)) return [];
    return { bet, at };
  });
  const by =
    orderBy === 'BY_MARKET'
      ? (one: (typeof named)[number]) => one.bet.marketId
      : (one: (typeof named)[number]) => one.at;
  const way = asked.descending ? -1 : 1;
  named.sort((a, b) => way * ((orderBy === 'BY_BET' ? 0 : by(a) - by(b)) || a.bet.betId - b.bet.betId));
  const page = named.slice(asked.from, asked.from + asked.count);
  return {
    currentOrders: page.map(({ bet }) => {
      const at = orders.matchedAt(bet.betId);
      return {
        ...currentOrderOf(
          bet,
          refs.get(bet.betId) ?? {},
          at === undefined || bet.matchedMinor === 0 ? {} : { matchedAt: at },
        ),
        ...(asked.described
          ? {
              currentItemDescription: {
                marketVersion: { version: core.read.market(bet.marketId, session.world)?.version ?? 0 },
              },
            }
          : {}),
      };
    }),
    moreAvailable: named.length > asked.from + asked.count,
  };
}
