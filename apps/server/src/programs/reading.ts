/** Books, orders and results as programs read them. */
import { roundDiv, SPORT_KEYS } from '@fairgame/contract';
import type { Bet } from '@fairgame/exchange';
import {
  ApiError,
  averagePrice,
  bookOrderOf,
  type ClearedBet,
  type ClearedOrdersRequest,
  type CurrentOrdersRequest,
  clearedOf,
  currentOrderOf,
  decimal,
  eventTypeOf,
  fromMarketId,
  type Given,
  groupedOf,
  marketBookOf,
  type OwnWish,
  type PriceProjection,
  type Refs,
  readBooks,
  readClearedOrders,
  readCurrentOrders,
  readProfit,
  readRunnerBook,
  toMarketId,
  weighBook,
  weighProfit,
} from '@fairgame/exchange-api';
import type { Core } from '../core/types.ts';
import { type BetRow, clearedBets, profitLoss, type ReportDesk } from '../ledger/ledger.ts';
import type { Caller } from './entry.ts';
import type { ProgramMarkets } from './markets.ts';
import type { Operation } from './operations.ts';
import type { ProgramOrders } from './orders.ts';

const DAYS_90_MS = 90 * 86_400_000;
const EVENTS_FROM = 30_000_000;
/** Of one answer, with all its pages before it. */
const MOST_CLEARED = 10_000;

export interface ReadingParts {
  core: Core;
  markets: ProgramMarkets;
  orders: ProgramOrders;
  reports: ReportDesk;
  clock: () => number;
  /** Whether one account may read the book of one market now. */
  mayRead: (userId: number, marketId: number) => boolean;
}

export function readingOperations(parts: ReadingParts): Record<string, Operation> {
  const heavyBook = (params: Given) => params.has('orderProjection') || params.has('matchProjection');
  const read = (run: Operation['run'], heavy?: Operation['heavy']): Operation => ({
    api: 'betting',
    run,
    ...(heavy ? { heavy } : {}),
  });
  const always = () => true;
  return {
    listMarketBook: read((params, caller) => books(parts, readBooks(params), caller), heavyBook),
    listRunnerBook: read(async (params, caller) => {
      const { runnerId, ...asked } = readRunnerBook(params);
      const found = await books(parts, asked, caller);
      return found.map((book) => ({
        ...book,
        runners: book.runners.filter(({ selectionId }) => selectionId === runnerId),
      }));
    }, heavyBook),
    listCurrentOrders: read((params, caller) => currentOrders(parts, readCurrentOrders(params), caller), always),
    listClearedOrders: read((params, caller) => clearedOrders(parts, readClearedOrders(params), caller), always),
    listMarketProfitAndLoss: read((params, caller) => profits(parts, readProfit(params), caller), always),
  };
}

async function books(
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
async function ownIn({ core, orders }: ReadingParts, marketId: number, own: OwnWish, { session }: Caller) {
  const bets = core.read.openBets(session.world, session.accountId, marketId).filter(isShown);
  const refs = await orders.refsOf(bets);
  const chosen = bets.filter((bet) => {
    const { strategy } = refs.get(bet.betId) ?? {};
    return (
      (!own.strategies || (strategy !== undefined && own.strategies.includes(strategy))) &&
      (!own.betIds || own.betIds.includes(String(bet.betId)))
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

const isProjected = (projection: CurrentOrdersRequest['projection'], bet: Bet): boolean =>
  projection === 'ALL' || (projection === 'EXECUTABLE') === (bet.status === 'EXECUTABLE');

/** What a delay still holds is not to be seen yet, and what ended with nothing matched is over. */
const isShown = (bet: Bet): boolean =>
  bet.kind === 'order' && bet.status !== 'PENDING' && (bet.status === 'EXECUTABLE' || bet.matchedMinor > 0);

async function currentOrders(
  { core, markets, orders }: ReadingParts,
  asked: CurrentOrdersRequest,
  { session }: Caller,
) {
  const { betIds, marketIds, orderRefs, strategyRefs, range, orderBy } = asked;
  const bets = core.read
    .openBets(session.world, session.accountId)
    .filter((bet) => isShown(bet) && markets.facts(bet.marketId) !== null && isProjected(asked.projection, bet))
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

async function clearedOrders(parts: ReadingParts, asked: ClearedOrdersRequest, { session }: Caller) {
  const { groupBy, status, from, count } = asked;
  if (groupBy !== 'BET' && status !== 'SETTLED') throw new ApiError('INVALID_INPUT_DATA', 'groupBy');
  const isGrouped = groupBy !== 'BET';
  const most = isGrouped ? MOST_CLEARED : from + count + 1;
  if (most > MOST_CLEARED) throw new ApiError('TOO_MUCH_DATA', 'fromRecord');
  const found = await readCleared(parts, asked, session, most);
  if (!isGrouped) {
    const rows = found.slice(from, from + count).map((cleared) => clearedOf(status, cleared));
    return { clearedOrders: rows, moreAvailable: found.length > from + count };
  }
  const range = rangeOf(asked, parts.clock());
  const { rows } = await parts.reports.run(session.accountId, (db) =>
    profitLoss(db, { accountId: session.accountId, world: session.world, level: 'market', ...range }),
  );
  const commissions = new Map(rows.map(({ betId, commission }) => [betId, commission]));
  const groups = groupedOf(groupBy, found, (marketId) => commissions.get(marketId) ?? 0);
  return { clearedOrders: groups.slice(from, from + count), moreAvailable: groups.length > from + count };
}

const rangeOf = ({ range }: ClearedOrdersRequest, now: number) => ({
  from: range?.from ?? now - DAYS_90_MS,
  to: range?.to ?? now,
});

async function readCleared(
  { orders, reports, clock }: ReadingParts,
  asked: ClearedOrdersRequest,
  session: Caller['session'],
  most: number,
): Promise<ClearedBet[]> {
  const { world, accountId, userId } = session;
  const range = rangeOf(asked, clock());
  const named =
    asked.orderRefs || asked.strategyRefs
      ? await orders.betsNamed(userId, asked.orderRefs, asked.strategyRefs)
      : undefined;
  const betIds = [asked.betIds?.flatMap(numberIn), named].reduce((all, one) =>
    all && one ? all.filter((id) => one.includes(id)) : (all ?? one),
  );
  const chosen = defined({
    betIds,
    marketIds: asked.marketIds?.flatMap((id) => fromMarketId(id) ?? []),
    eventIds: asked.eventIds?.flatMap(numberIn).map((id) => id - EVENTS_FROM),
    eventTypes:
      asked.eventTypeIds && SPORT_KEYS.filter((sport) => asked.eventTypeIds!.includes(eventTypeOf(sport)?.id ?? '')),
    runnerIds: asked.runnerIds?.map(({ runnerId }) => runnerId),
    side: asked.side,
  });
  const rows = await reports.run(accountId, (db) =>
    clearedBets(db, { accountId, world, status: asked.status, ...range, ...chosen, most }),
  );
  const refs = await orders.refsOf(rows);
  return rows
    .filter((row) => isRunnerAsked(asked, row))
    .map((row) => clearedRow(row, refs.get(row.betId) ?? {}, asked.described));
}

const numberIn = (text: string): number[] =>
  /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? [Number(text)] : [];

const isRunnerAsked = ({ runnerIds }: ClearedOrdersRequest, row: BetRow): boolean =>
  !runnerIds ||
  runnerIds.some(({ marketId, runnerId }) => marketId === toMarketId(row.marketId) && runnerId === row.runnerId);

function clearedRow(row: BetRow, refs: Refs, described: boolean): ClearedBet {
  const { settledAt, eventId, market, eventName, eventType: sport, ...bet } = row;
  const eventType = eventTypeOf(sport ?? '');
  return {
    bet,
    eventId,
    eventTypeId: eventType?.id ?? '',
    clearedAt: settledAt ?? bet.placedAt,
    refs,
    ...(described && market
      ? {
          names: {
            eventType: eventType?.name ?? '',
            event: eventName ?? '',
            market: market.name,
            marketType: '',
            startAt: bet.placedAt,
            runner: market.runners.find(({ runnerId }) => runnerId === bet.runnerId)?.name ?? '',
            winners: market.winners,
          },
        }
      : {}),
  };
}

function profits(
  { core, markets }: ReadingParts,
  { marketIds, net }: ReturnType<typeof readProfit>,
  { session }: Caller,
) {
  weighProfit(marketIds.length);
  const { world, accountId } = session;
  return [...new Set(marketIds)].flatMap((text) => {
    const id = markets.idOf(text);
    const view = id === null ? undefined : core.read.market(id, world);
    if (!view || view.status === 'CLOSED') return [];
    const less = (minor: number) =>
      decimal(net && minor > 0 ? minor - roundDiv(minor * view.commissionBps, 10_000) : minor);
    const position = core.read.position(world, accountId, view.marketId);
    return {
      marketId: text,
      ...(net ? { commissionApplied: decimal(view.commissionBps) } : {}),
      profitAndLosses: (position.runners ?? []).map(({ runnerId, winMinor, loseMinor, netMinor }) =>
        view.winners === 1
          ? { selectionId: runnerId, ifWin: less(netMinor) }
          : { selectionId: runnerId, ifWin: less(winMinor), ifLose: less(loseMinor) },
      ),
    };
  });
}

function defined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;
}
