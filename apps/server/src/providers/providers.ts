/** Live casino of the providers is not open yet: empty lists, and no game opens (API-57 to API-60). */
import { CALLS, CodedError, PAGE, parseFilter, parseSort } from '@fairgame/contract';
import type { Http } from '../http/http.ts';

export function providerRoutes(http: Http): void {
  const { provider } = CALLS;
  http.route(provider.games, () => ({}));
  http.route(provider.launch, () => {
    throw new CodedError('NOT_OPEN_YET');
  });
  http.route(provider.providers, () => []);
  http.route(provider.bets, ({ params, query, session }) => {
    // The owner is the session's own user, whatever the path says (CAR-23).
    if (Number(params.id) !== session.userId) throw new CodedError('NOT_ALLOWED', { field: 'id' });
    if (query.sort !== undefined) parseSort(query.sort, ['virtualCasinoBetPlaced.createdAt', 'createdAt']);
    if (query.providerName !== undefined) parseFilter('providerName', query.providerName, ['eq']);
    if (query.createdAt !== undefined) parseFilter('createdAt', query.createdAt, ['between']);
    return {
      rows: [],
      total: 0,
      page: Number(query.page ?? PAGE.first),
      limit: Number(query.limit ?? PAGE.casinoBets),
    };
  });
}
