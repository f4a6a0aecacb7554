/**
 * The catalogue: which matches and races there are, what their markets look like now, and every reading of them that a
 * player may make. The core decides about markets; this room only shows what it committed.
 */
import {
  CALLS,
  CodedError,
  filterValues,
  type MarketImage,
  type MatchItem,
  parseSort,
  SPORT_KEYS,
} from '@fairgame/contract';
import type { MarketDef, MarketId } from '@fairgame/exchange';
import type { Bus } from '../bus/bus.ts';
import type { Core, World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { FeedEvent, Score as FeedScore, MarketInfo } from '../feed/feed.ts';
import type { Http } from '../http/http.ts';
import { Charts } from './charts.ts';
import { describeMatch } from './details.ts';
import { type EventIndex, type LiveEvent, type MarketPlace, openEvents, placeFrom } from './events.ts';
import { type FrameHosts, frameAddresses, framePages } from './frames.ts';
import { createImages, type Images } from './images.ts';
import { marketRoutes } from './market-routes.ts';
import { matches, wordsOf } from './search.ts';
import { createSharing, type Told } from './sharing.ts';

export { type DetailSources, isNumber, matchRecord } from './details.ts';
export type { LiveEvent, MarketPlace } from './events.ts';
export { overBy, voidByHours } from './hours.ts';
export { type ImageChange, type Images, imageOfView, resultText } from './images.ts';

export { type Holder, standingIn } from './standing.ts';

export type CatalogChange =
  | { type: 'added'; eventId: number }
  | { type: 'score'; eventId: number }
  | { type: 'closed'; eventId: number };

export interface Catalog {
  images: Images;
  event(eventId: number): LiveEvent | undefined;
  /** From memory or, for what is over, from the table. */
  loadEvent(eventId: number): Promise<LiveEvent | null>;
  /** Events that are not over, by start time. */
  openEvents(): LiveEvent[];
  place(marketId: MarketId): MarketPlace | undefined;
  /** The market a list shows: the first order book, else the first market. */
  headOf(eventId: number): MarketId | undefined;
  inPlay(eventId: number): boolean;
  addEvent(event: FeedEvent): void;
  /** Call it before the core makes the market, and `flush` between the two, so that no bet is ever without names. */
  addMarket(market: MarketDef, info?: MarketInfo, by?: 'feed' | 'operator'): void;
  setScore(eventId: number, score: FeedScore): void;
  closeEvent(eventId: number, at: number): void;
  /** Another start than the feed told, until the feed tells a new one. False where no such event is open. */
  moveStart(eventId: number, startAt: number, correction: boolean): boolean;
  onChange: (listener: (change: CatalogChange) => void) => () => void;
  flush(): Promise<void>;
  routes(http: Http): void;
  stop(): Promise<void>;
}

export interface CatalogOptions {
  db: Db;
  core: Pick<Core, 'read' | 'health' | 'onCommitted'>;
  clock: () => number;
  log: Log;
  frames?: FrameHosts;
  /** Where other processes have the same catalogue: the way to them, the name of this one, and whether it decides when events made by hand are over. */
  others?: { bus: Bus; owner: string; decides: boolean };
}

const SAMPLE_MS = 10_000;
const WRITE_MS = 20_000;
const SEARCH_ROWS = 20;

export async function createCatalog(options: CatalogOptions): Promise<Catalog> {
  const { db, core, clock, log, frames = {}, others } = options;
  const sharing = others && createSharing({ ...others, log });
  const decides = others?.decides ?? true;
  const events: EventIndex = await openEvents(db, log, sharing);
  const images = createImages(core.read, core.health().epoch, (marketId) => events.place(marketId)?.sno ?? 1000);
  const changed = new Set<(change: CatalogChange) => void>();
  const charts = new Charts({ db, log, clock, images, keeps: decides });
  const offCommitted = core.onCommitted((batch) => {
    charts.apply(batch);
    images.apply(batch);
  });
  images.onChange((change) => {
    if (change.world !== 'real') return;
    if (change.gone) events.forgetMarket(change.marketId);
    else followMarket(change.marketId, change.eventId);
  });

  function take(told: Told): void {
    if (told.is === 'place') {
      events.takePlace(told.place);
      images.placed(told.place.marketId);
    } else if (told.is === 'score') {
      if (events.takeScore(told.eventId, told.score)) emit({ type: 'score', eventId: told.eventId });
    } else {
      const type = events.takeEvent(told.state);
      if (type !== null) emit({ type, eventId: told.state.event.eventId });
    }
  }

  /** An event made by hand is over with its last market; one whose result is taken back is not over any more. */
  function followMarket(marketId: MarketId, eventId: number): void {
    const live = events.get(eventId);
    const view = images.view(marketId);
    if (!decides || !live || !view) return;
    if (live.stopAt !== null) {
      if (view.status !== 'CLOSED' && events.reopen(eventId)) emit({ type: 'added', eventId });
      return;
    }
    if (view.status !== 'CLOSED') return;
    const ids = images.marketsOf(eventId);
    const over = ids.every((id) => images.view(id)?.status === 'CLOSED' && events.place(id)?.manual === true);
    if (over) catalog.closeEvent(eventId, clock());
  }

  const emit = (change: CatalogChange) => {
    for (const listener of changed) listener(change);
  };

  function headOf(eventId: number): MarketId | undefined {
    const ids = images.marketsOf(eventId);
    return ids.find((id) => images.view(id)?.kind === 'book') ?? ids[0];
  }

  function inPlay(eventId: number): boolean {
    const live = events.get(eventId);
    if (!live || live.stopAt !== null) return false;
    return images.marketsOf(eventId).some((id) => {
      const view = images.view(id);
      return view?.inPlay && view.status !== 'CLOSED' && view.status !== 'INACTIVE';
    });
  }

  const sampler = setInterval(() => {
    const now = clock();
    for (const live of events.open()) {
      for (const marketId of images.marketsOf(live.id)) {
        if (images.view(marketId)?.kind !== 'book') continue;
        for (const world of core.read.worlds()) {
          const image = images.image(world, marketId);
          if (image?.status === 'OPEN') charts.sample(world, image, now);
        }
      }
    }
  }, SAMPLE_MS);
  const writer = setInterval(() => {
    events.flush(true).catch(() => {
      // Told in the log; tried again at the next turn.
    });
    void charts.turn();
    forgetFinished();
  }, WRITE_MS);
  sampler.unref();
  writer.unref();

  /** An event that is over leaves memory with its last market, or after a while when it had none. */
  function forgetFinished(): void {
    for (const live of events.finished()) {
      if (images.marketsOf(live.id).length === 0 && clock() - (live.stopAt ?? 0) > 600_000) events.forget(live.id);
    }
  }

  const catalog: Catalog = {
    images,
    event: (eventId) => events.get(eventId),
    loadEvent: (eventId) => events.load(eventId),
    openEvents: () => events.open(),
    place: (marketId) => events.place(marketId),
    headOf,
    inPlay,
    addEvent(event) {
      const isNew = events.get(event.eventId) === undefined;
      events.put(event);
      if (isNew) emit({ type: 'added', eventId: event.eventId });
    },
    addMarket(market, info, by = 'feed') {
      if (events.place(market.marketId) === undefined || info !== undefined)
        events.putPlace(placeFrom(market, info, by === 'operator'));
    },
    setScore(eventId, score) {
      if (events.setScore(eventId, score)) emit({ type: 'score', eventId });
    },
    closeEvent(eventId, at) {
      if (events.close(eventId, at)) emit({ type: 'closed', eventId });
    },
    moveStart: (eventId, startAt, correction) => events.moveStart(eventId, startAt, correction) !== undefined,
    onChange(listener) {
      changed.add(listener);
      return () => changed.delete(listener);
    },
    async flush() {
      await events.flush();
      await sharing?.sent();
    },
    routes,
    async stop() {
      clearInterval(sampler);
      clearInterval(writer);
      offCommitted();
      sharing?.stop();
      await charts.turn(true);
      await events.flush(true).catch(() => {
        // Told in the log; at the next start the feed tells its events again.
      });
    },
  };

  // ---------------------------------------------------------------------------------------------------- readings

  function headImage(world: World, eventId: number): MarketImage | null {
    const id = headOf(eventId);
    return (id === undefined ? undefined : images.image(world, id)) ?? null;
  }

  function matchItem(world: World, live: LiveEvent): MatchItem {
    const { event } = live;
    const ids = images.marketsOf(live.id);
    const kinds = ids.map((id) => images.view(id)?.kind);
    return {
      ...brief(live),
      stopAt: live.stopAt === null ? null : iso(live.stopAt),
      eventId: String(live.id),
      gmid: event.gmid || null,
      competitionId: String(event.competitionId),
      countryCode: event.countryCode ?? null,
      isTv: event.isTv,
      isBookmaker: kinds.includes('bookmaker'),
      isFancy: kinds.some((kind) => kind !== undefined && kind !== 'book' && kind !== 'bookmaker'),
      scoreText: live.scoreText,
      head: headImage(world, live.id),
      marketCount: ids.length,
      runnerCount: event.race?.runners.filter((runner) => !runner.nonRunner).length ?? 0,
    };
  }

  function brief(live: LiveEvent) {
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

  function search(keyword: string) {
    const query = wordsOf(keyword);
    const found = events.open().filter((live) => matches(live.searchText, query));
    return found.slice(0, SEARCH_ROWS).map(brief);
  }

  function eventByText(text: string): LiveEvent {
    const live = events.find(text);
    if (!live) throw new CodedError('MATCH_UNKNOWN');
    return live;
  }

  function routes(http: Http): void {
    const { catalog: calls } = CALLS;
    http.shared(calls.list, ({ query, session }) => {
      const descending = query.sort
        ? parseSort(query.sort, ['match.startAt', 'startAt'])[0]!.direction === 'DESC'
        : false;
      const words = wordsOf(query.keyword ?? '');
      let list = events.open();
      const sports = filterValues('match.matchType', query['match.matchType'], SPORT_KEYS);
      if (sports) list = list.filter((live) => sports.includes(live.matchType));
      if (query.inPlay) list = list.filter((live) => inPlay(live.id) === (query.inPlay === 'true'));
      if (words.length > 0) list = list.filter((live) => matches(live.searchText, words));
      if (descending) list = [...list].reverse();
      if (query.page !== undefined || query.limit !== undefined) {
        const limit = Number(query.limit ?? 100);
        const from = (Number(query.page ?? 1) - 1) * limit;
        list = list.slice(from, from + limit);
      }
      return { matches: list.map((live) => matchItem(session.world, live)) };
    });
    http.shared(calls.tabs, () => {
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
      return [
        {
          id: 'inPlay',
          name: 'In-Play',
          matchType: null,
          blinking: playing.length > 0,
          count: playing.length,
          inPlay: playing.length,
        },
        sport('cricket', 'Cricket'),
        sport('football', 'Football'),
        sport('tennis', 'Tennis'),
        sport('horseRacing', 'Horse Racing'),
        sport('greyHound', 'GreyHound Racing'),
        sport('politics', 'Politics'),
      ];
    });
    http.route(calls.search, ({ params }) => search(params.keyword));
    http.route(calls.searchList, ({ query }) => search(query.keyword));
    const details = async (id: string, session: { world: World; accountId: number }) => {
      const live = await events.load(Number(id));
      if (!live) throw new CodedError('MATCH_UNKNOWN');
      return describeMatch(live, session, { images, core: core.read, place: (id) => events.place(id), headOf, inPlay });
    };
    http.route(calls.match, ({ params, session }) => details(params.id, session));
    http.route(calls.other, ({ params, session }) => details(params.id, session));
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
          const { id, title, matchType, startAt, beventId, inPlay: playing } = brief(live);
          return { id, title, matchType, startAt, beventId, inPlay: playing };
        }),
    );
    http.shared(calls.marketList, ({ query, session }) =>
      events
        .open()
        .filter((live) => live.matchType === query.type)
        .map((live) => ({
          id: live.id,
          title: live.event.title,
          inPlay: inPlay(live.id),
          head: headImage(session.world, live.id),
        })),
    );
    http.route(calls.iframeUrl, ({ params, query }) => {
      const live = eventByText(params.id);
      return frameAddresses(live, { tv: query.isTv !== 'false', score: query.isScore !== 'false' }, frames);
    });
    charts.routes(http);
    marketRoutes(http, { images, events });
    framePages(http.app, { event: (id) => events.get(id), images, headOf, clock, onChange: catalog.onChange });
  }

  await sharing?.follow(take);
  return catalog;
}

const iso = (ms: number): string => new Date(ms).toISOString();
/** Dates are grouped in UTC (OPN-59). */
const day = (live: LiveEvent): string => iso(live.startAt).slice(0, 10);
