/** The card tables are not open yet: their calls say so honestly, with empty lists (API-37, API-38, API-56). */
import { CALLS, CodedError, PAGE } from '@fairgame/contract';
import type { Http } from '../http/http.ts';

export function casinoRoutes(http: Http): void {
  const { casino } = CALLS;
  const noTable = (): never => {
    throw new CodedError('MATCH_UNKNOWN');
  };
  http.route(casino.tiles, () => []);
  http.route(casino.table, noTable);
  http.route(casino.initial, noTable);
  http.route(casino.clientSeed, ({ body }) => ({ seed: body.seed }));
  http.route(casino.results, () => []);
  http.route(casino.resultDetail, () => {
    throw new CodedError('NOT_FOUND');
  });
  http.route(casino.report, ({ query }) => ({
    rows: [],
    total: 0,
    page: Number(query.page ?? PAGE.first),
    limit: Number(query.limit ?? PAGE.cardReport),
  }));
}
