/** What players read of the events that are open: lists, tabs, search, competitions and their days, one event whole. */
import {
  CALLS,
  CodedError,
  filterValues,
  type MarketImage,
  type MatchItem,
  parseSort,
  SPORT_KEYS,
} from '@fairgame/contract';
import type { World } from '../core/types.ts';
import type { Asked, Http } from '../http/http.ts';
import { type DetailSources, describeMatch } from './details.ts';
import type { EventIndex, LiveEvent } from './events.ts';
import { type FrameHosts, frameAddresses } from './frames.ts';
import { matches, wordsOf } from './search.ts';

const { catalog: calls } = CALLS;
const SEARCH_ROWS = 20;

interface Sources extends DetailSources {
  events: EventIndex;
  frames: FrameHosts;
}

export function readingRoutes(http: Http, from: Sources): void {
  listRoutes(http, from);
  eventRoutes(http, from);
  competitionRoutes(http, from);
}

function listRoutes(http: Http, from: Sources): void {
  const { events, inPlay } = from;
  http.shared(calls.list, ({ query, session }) => {
    const list = listed(from, query);
    return { matches: list.map((live) => matchItem(from, session.world, live)) };
  });
  http.shared(calls.tabs, () => tabs(from));
  http.shared(calls.marketList, ({ query, session }) =>
    events
      .open()
      .filter((live) => live.matchType === query.type)
      .map((live) => ({
        id: live.id,
        title: live.event.title,
        inPlay: inPlay(live.id),
        head: headImage(from, session.world, live.id),
      })),
  );
}

function listed({ events, inPlay }: Sources, query: Asked<typeof calls.list>['query']): LiveEvent[] {
  const descending = query.sort ? parseSort(query.sort, ['match.startAt', 'startAt'])[0]!.direction === 'DESC' : false;
  const words = wordsOf(query.keyword ?? '');
  let list = events.open();
  const sports = filterValues('match.matchType', query['match.matchType'], SPORT_KEYS);
  if (sports) list = list.filter((live) => sports.includes(live.matchType));
  if (query.inPlay) list = list.filter((live) => inPlay(live.id) === (query.inPlay === 'true'));
  if (words.length > 0) list = list.filter((live) => matches(live.searchText, words));
  if (descending) list = [...list].reverse();
  if (query.page === undefined && query.limit === undefined) return list;
  const limit = Number(query.limit ?? 100);
  const first = (Number(query.page ?? 1) - 1) * limit;
  return list.slice(first, first + limit);
}

function tabs({ events, inPlay }: Sources) {
  const open = events.open();
  const playing = open.filter((live) => inPlay(live.id));
  const sport = (matchType: LiveEvent['matchType'], name: string) => ({
    id: matchType,
    name,
    matchType,
    blinking: false,
    count: open.filter((live) => live.matchType === matchType).length,
    inPlay: playing.filter((live) => live.matchType === matchType).length,
  });
  const count = playing.length;
  return [
    { id: 'inPlay' as const, name: 'In-Play', matchType: null, blinking: count > 0, count, inPlay: count },
    sport('cricket', 'Cricket'),
    sport('football', 'Football'),
    sport('tennis', 'Tennis'),
    sport('horseRacing', 'Horse Racing'),
    sport('greyHound', 'GreyHound Racing'),
    sport('politics', 'Politics'),
  ];
}

function eventRoutes(http: Http, from: Sources): void {
  const { events, frames } = from;
  const search = (keyword: string) => {
    const query = wordsOf(keyword);
    const found = events.open().filter((live) => matches(live.searchText, query));
    return found.slice(0, SEARCH_ROWS).map((live) => brief(from, live));
  };
  http.route(calls.search, ({ params }) => search(params.keyword));
  http.route(calls.searchList, ({ query }) => search(query.keyword));
  const details = async (id: string, session: { world: World; accountId: number }) => {
    const live = await events.load(Number(id));
    if (!live) throw new CodedError('MATCH_UNKNOWN');
    return describeMatch(live, session, from);
  };
  http.route(calls.match, ({ params, session }) => details(params.id, session));
  http.route(calls.other, ({ params, session }) => details(params.id, session));
  http.route(calls.iframeUrl, ({ params, query }) => {
    const live = events.find(params.id);
    if (!live) throw new CodedError('MATCH_UNKNOWN');
    return frameAddresses(live, { tv: query.isTv !== 'false', score: query.isScore !== 'false' }, frames);
  });
}

function competitionRoutes(http: Http, from: Sources): void {
  const { events } = from;
  http.route(calls.competitions, ({ params }) => {
    const rows = new Map<string, { competitionId: string; competitionName: string; count: number }>();
    for (const { event, matchType } of events.open()) {
      if (matchType !== params.id) continue;
      const id = String(event.competitionId);
      const row = rows.get(id) ?? { competitionId: id, competitionName: event.competitionName, count: 0 };
      row.count += 1;
      rows.set(id, row);
    }
    return [...rows.values()].sort((a, b) => (a.competitionName < b.competitionName ? -1 : 1));
  });
  const ofCompetition = (id: string) => events.open().filter((live) => String(live.event.competitionId) === id);
  http.route(calls.dates, ({ params }) => {
    const counts = new Map<string, number>();
    for (const live of ofCompetition(params.id)) counts.set(day(live), (counts.get(day(live)) ?? 0) + 1);
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([startDate, count]) => ({ startDate, count }));
  });
  http.route(calls.matchesOn, ({ params }) =>
    ofCompetition(params.id)
      .filter((live) => day(live) === params.date)
      .map((live) => {
        const { id, title, matchType, startAt, beventId, inPlay } = brief(from, live);
        return { id, title, matchType, startAt, beventId, inPlay };
      }),
  );
}

function matchItem(from: Sources, world: World, live: LiveEvent): MatchItem {
  const { images } = from;
  const { event } = live;
  const ids = images.marketsOf(live.id);
  const kinds = ids.map((id) => images.view(id)?.kind);
  return {
    ...brief(from, live),
    stopAt: live.stopAt === null ? null : iso(live.stopAt),
    eventId: String(live.id),
    gmid: event.gmid || null,
    competitionId: String(event.competitionId),
    countryCode: event.countryCode ?? null,
    isTv: event.isTv,
    isBookmaker: kinds.includes('bookmaker'),
    isFancy: kinds.some((kind) => kind !== undefined && kind !== 'book' && kind !== 'bookmaker'),
    scoreText: live.scoreText,
    head: headImage(from, world, live.id),
    marketCount: ids.length,
    runnerCount: event.race?.runners.filter((runner) => !runner.nonRunner).length ?? 0,
  };
}

function brief({ inPlay }: Sources, live: LiveEvent) {
  return {
    id: live.id,
    matchType: live.matchType,
    title: live.event.title,
    startAt: iso(live.startAt),
    beventId: live.event.beventId || null,
    competitionName: live.event.competitionName,
    inPlay: inPlay(live.id),
  };
}

function headImage({ images, headOf }: Sources, world: World, eventId: number): MarketImage | null {
  const id = headOf(eventId);
  return (id === undefined ? undefined : images.image(world, id)) ?? null;
}

const iso = (ms: number): string => new Date(ms).toISOString();
/** Dates are grouped in UTC (OPN-59). */
const day = (live: LiveEvent): string => iso(live.startAt).slice(0, 10);
