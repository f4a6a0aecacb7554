/** Everything a player does and reads about bets. The core decides; this room names, filters and tells. */
import type { ConditionalOrder, PlaceBody, PlacedBet } from '@fairgame/contract';
import type { Bet, ConditionalView } from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core, World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { ReportDesk } from '../ledger/ledger.ts';
import { cashOutRoutes, hedgeRoute } from './cash-out.ts';
import { conditionalRoutes } from './conditional.ts';
import { conditionalHistoryRoutes } from './conditional-history.ts';
import { toConditionalOrder } from './conditional-row.ts';
import { type ListOptions, listRoutes } from './list.ts';
import { placingRoutes } from './placing.ts';
import { createNames, type TableName, toPlacedBet } from './rows.ts';
import { standingRoutes } from './standing.ts';

export interface Bets {
  /** A bet of a market in memory, as the player sees it. */
  placedBet(bet: Bet): PlacedBet;
  conditionalOrder(view: ConditionalView): ConditionalOrder;
  routes(http: Http): void;
}

/** What the card tables say of a bet at one of them. */
export interface CardTables {
  tableOf: TableName;
  /** Throws where round, window or choice are not current. */
  runnerFor(body: PlaceBody, world: World): Promise<number>;
}

export function createBets({
  db,
  reports,
  core,
  catalog,
  cards,
  steady,
  cardRoundMs,
  zoneFor,
  readerOf,
}: {
  db: Db;
  reports: ReportDesk;
  core: Core;
  catalog: Catalog;
  cards: CardTables;
  steady: () => number;
  cardRoundMs: number;
  zoneFor: ListOptions['zoneFor'];
  readerOf: ListOptions['readerOf'];
}): Bets {
  const names = createNames({ db, catalog, tableOf: (eventId) => cards.tableOf(eventId) });
  return {
    placedBet: (bet) => toPlacedBet(bet, names.now(bet.marketId)),
    conditionalOrder: (view) => toConditionalOrder(view, names.now(view.marketId)),
    routes(http) {
      placingRoutes(http, { db, core, catalog, names, cards, steady, cardRoundMs });
      cashOutRoutes(http, { core, names });
      hedgeRoute(http, { core, names });
      conditionalRoutes(http, { core, names });
      conditionalHistoryRoutes(http, { reports, names, readerOf });
      listRoutes(http, { reports, names, zoneFor, readerOf });
      standingRoutes(http, { core, names });
    },
  };
}
