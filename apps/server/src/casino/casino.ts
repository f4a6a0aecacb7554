/** The card tables are not open yet: their calls say so honestly, with empty lists (API-37, API-38, API-56). */
import { CALLS, CodedError, PAGE } from '@fairgame/contract';
import type { Http } from '../http/http.ts';

export function casinoRoutes(http: Http): void {
  const { casino } = CALLS;
  http.route(casino.table, () => []);
  http.route(casino.initial, () => null);
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
