/** Books as programs read them, and what the account has in each runner. */
import type { Bet } from '@fairgame/exchange';
import {
  ApiError,
  averagePrice,
  bookOrderOf,
  decimal,
  marketBookOf,
  type OwnWish,
  type PriceProjection,
  type Refs,
  weighBook,
} from '@fairgame/exchange-api';
import { isProjected, isShown } from './current-orders.ts';
import type { Caller } from './entry.ts';
import type { ReadingParts } from './reading.ts';

export async function books(
  parts: ReadingParts,
  asked: { marketIds: string[]; prices: PriceProjection; own: OwnWish },
  caller: Caller,
) {
  const { markets, mayRead } = parts;
  const { world, userId } = caller.session;
  const { prices, own } = asked;
  weighBook(asked.marketIds.length, prices.data, prices.bestDepth);
  const ids = [...new Set(asked.marketIds)].flatMap((text) => markets.idOf(text) ?? []);
  if (!ids.every((id) => mayRead(userId, id))) throw new ApiError('TOO_MANY_REQUESTS');
  const found = ids.flatMap((id) => markets.book(world, id) ?? []);
  // A request that mixes them answers the open ones only.
  const open = found.filter(({ view }) => view.status !== 'CLOSED');
  const shown = open.length > 0 ? open : found;
  return Promise.all(
    shown.map(async (book) => {
      const mine = own.orders || own.matches ? await ownIn(parts, book.view.marketId, own, caller) : undefined;
      return marketBookOf(book, prices, mine);
    }),
  );
}

/** What the account has in each runner of a market. The core keeps the average price of a bet, so its matches are one. */
async function ownIn({ markets, orders }: ReadingParts, marketId: number, own: OwnWish, { session }: Caller) {
  const bets = markets.openBets(session.world, session.accountId, marketId).filter(isShown);
  const refs = await orders.refsOf(bets);
  const matchedAt = (bet: Bet) => orders.matchedAt(bet.betId) ?? bet.placedAt;
  const chosen = bets.filter((bet) => {
    const { strategy } = refs.get(bet.betId) ?? {};
    return (
      (!own.strategies || (strategy !== undefined && own.strategies.includes(strategy))) &&
      (!own.betIds || own.betIds.includes(String(bet.betId))) &&
      (own.matchedSince === undefined || bet.remainingMinor > 0 || matchedAt(bet) >= own.matchedSince)
    );
  });
  return (runnerId: number) => {
    const here = chosen.filter((bet) => bet.runnerId === runnerId);
    const all = own.overall ? bets.filter((bet) => bet.runnerId === runnerId) : here;
    return {
      ...(own.orders
        ? {
            orders: here
              .filter((bet) => isProjected(own.orders!, bet))
              .map((bet) => bookOrderOf(bet, refs.get(bet.betId) ?? {})),
          }
        : {}),
      ...(own.matches ? { matches: matchesOf(own.matches, all) } : {}),
      ...(own.matches && own.byStrategy ? { matchesByStrategy: byStrategy(own.matches, here, refs) } : {}),
    };
  };
}

function matchesOf(how: NonNullable<OwnWish['matches']>, bets: readonly Bet[]): object[] {
  const matched = bets.filter((bet) => bet.matchedMinor > 0);
  if (how === 'NO_ROLLUP')
    return matched.map((bet) => ({
      betId: String(bet.betId),
      side: bet.side,
      price: averagePrice(bet.matchedSum, bet.matchedMinor),
      size: decimal(bet.matchedMinor),
    }));
  const groups = new Map<string, Bet[]>();
  for (const bet of matched) {
    const key =
      how === 'ROLLED_UP_BY_PRICE' ? `${bet.side}${averagePrice(bet.matchedSum, bet.matchedMinor)}` : bet.side;
    groups.set(key, [...(groups.get(key) ?? []), bet]);
  }
  return [...groups.values()].map((group) => {
    const size = group.reduce((sum, bet) => sum + bet.matchedMinor, 0);
    const sum = group.reduce((all, bet) => all + bet.matchedSum, 0);
    return { side: group[0]!.side, price: averagePrice(sum, size), size: decimal(size) };
  });
}

function byStrategy(
  how: NonNullable<OwnWish['matches']>,
  bets: readonly Bet[],
  refs: ReadonlyMap<number, Refs>,
): object {
  const names = new Set(bets.flatMap((bet) => refs.get(bet.betId)?.strategy ?? []));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      {
        matches: matchesOf(
          how,
          bets.filter((bet) => refs.get(bet.betId)?.strategy === name),
        ),
      },
    ]),
  );
}
