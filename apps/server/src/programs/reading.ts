/** The operations that read books, orders and results. */
import { roundDiv } from '@fairgame/contract';
import {
  decimal,
  type Given,
  readBooks,
  readClearedOrders,
  readCurrentOrders,
  readProfit,
  readRunnerBook,
  weighProfit,
} from '@fairgame/exchange-api';
import type { Core } from '../core/types.ts';
import type { ReportDesk } from '../ledger/ledger.ts';
import { books } from './books.ts';
import { clearedOrders } from './cleared-orders.ts';
import { currentOrders } from './current-orders.ts';
import type { Caller } from './entry.ts';
import type { ProgramMarkets } from './markets.ts';
import type { Operation } from './operations.ts';
import type { ProgramOrders } from './orders.ts';

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
    // Lines have no table of runners.
    if (view?.kind !== 'book' || view.status === 'CLOSED') return [];
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
