/** What is asked of one market or event by its number alone. */
import { CALLS, CodedError } from '@fairgame/contract';
import type { Http } from '../http/http.ts';
import type { EventIndex } from './events.ts';
import type { Images } from './images.ts';

export function marketRoutes(http: Http, { images, events }: { images: Images; events: EventIndex }): void {
  http.route(CALLS.catalog.eventOf, ({ params }) => {
    const view = images.view(Number(params.id));
    const live = view && events.get(view.eventId);
    if (!view || !live) throw new CodedError('MARKET_UNKNOWN');
    const { id, matchType, event } = live;
    return { id, title: event.title, matchType, beventId: event.beventId || null, marketName: view.name };
  });
  const scoreOf = (id: string) => events.find(id)?.score ?? null;
  http.route(CALLS.catalog.cricketScore, ({ query }) => ({ data: scoreOf(query.eventId) }));
  http.route(CALLS.catalog.sportScore, ({ query }) => (query.eventId === undefined ? null : scoreOf(query.eventId)));
}
