/** Everything a player does and reads about bets. The core decides; this room names, filters and tells. */
import type { PlacedBet } from '@fairgame/contract';
import type { Bet } from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import { listRoutes } from './list.ts';
import { placingRoutes } from './placing.ts';
import { createNames, toPlacedBet } from './rows.ts';
import { standingRoutes } from './standing.ts';

export interface Bets {
  /** A bet of a market in memory, as the player sees it. */
  placedBet(bet: Bet): PlacedBet;
  routes(http: Http): void;
}

export function createBets({ db, core, catalog }: { db: Db; core: Core; catalog: Catalog }): Bets {
  const names = createNames({ db, catalog });
  return {
    placedBet: (bet) => toPlacedBet(bet, names.now(bet.marketId)),
    routes(http) {
      placingRoutes(http, { db, core, catalog, names });
      listRoutes(http, { db, names });
      standingRoutes(http, { core, names });
    },
  };
}
