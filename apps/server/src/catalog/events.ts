/**
 * Which events there are and where their markets stand on the page: an index in memory of what is not over, written to
 * the tables behind it, so that reports can name what is long gone.
 */
import { type Score, SPORT_KEYS, type SportKey } from '@fairgame/contract';
import type { MarketId, MarketKind } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import type { FeedEvent, Score as FeedScore, MarketInfo } from '../feed/feed.ts';
import { namesInAll } from '../ledger/ledger.ts';
import { scoreLine, toScore } from './scores.ts';
import { searchable } from './search.ts';

export interface LiveEvent {
  event: FeedEvent;
  id: number;
  matchType: SportKey;
  /** As told last, by its feed or, where he moved it since, by an operator. */
  startAt: number;
  /** The start that the hours of a sport's rule count from: the first one that was told, or a correction of it. */
  firstStartAt: number;
  /** When it ended; null while it goes on. */
  stopAt: number | null;
  score: Score | null;
  scoreText: string;
  /** Rises with every score. */
  scoreSeq: number;
  /** Its names, as a search looks through them. */
  searchText: string;
}

export interface MarketPlace {
  marketId: MarketId;
  eventId: number;
  kind: MarketKind;
  name: string;
  /** The specification's word: matchOdd, bookmaker, session, tiedMatch1 ... */
  marketType: string;
  group: string | null;
  sno: number;
  /** Made by the operator, not by the feed. */
  manual: boolean;
  /** What its feed calls it. */
  source: string | null;
}

/** What stands of an event beside its score, as one process tells it to another. */
export type EventState = Pick<LiveEvent, 'event' | 'startAt' | 'firstStartAt' | 'stopAt'>;

/** Hears what this process was told of the catalogue, and not what it took from others. */
export interface Hearer {
  event(live: LiveEvent): void;
  score(live: LiveEvent): void;
  place(place: MarketPlace): void;
}

export interface EventIndex {
  get(eventId: number): LiveEvent | undefined;
  /** By our id or an exchange's. */
  find(text: string): LiveEvent | undefined;
  /** Not over, by start time. */
  open(): LiveEvent[];
  /** Over, but still in memory. */
  finished(): LiveEvent[];
  place: (marketId: MarketId) => MarketPlace | undefined;
  put(event: FeedEvent): LiveEvent;
  putPlace(place: MarketPlace): void;
  setScore(eventId: number, score: FeedScore): LiveEvent | undefined;
  /** `correction`: the first start was wrong as well. */
  moveStart(eventId: number, startAt: number, correction: boolean): LiveEvent | undefined;
  close(eventId: number, at: number): LiveEvent | undefined;
  /** A result was taken back: it is not over after all. */
  reopen(eventId: number): LiveEvent | undefined;
  /** As another process was told it, which writes it down; answers what that is to who shows it. */
  takeEvent(state: EventState): 'added' | 'closed' | null;
  takeScore(eventId: number, score: Score): boolean;
  takePlace(place: MarketPlace): void;
  /** Leaves memory; the tables keep it. */
  forgetMarket(marketId: MarketId): void;
  forget(eventId: number): void;
  /** An event from memory or table. */
  load(eventId: number): Promise<LiveEvent | null>;
  /** Writes what is not yet written, with `scores` the scoreboards too; throws when the database cannot be reached. */
  flush(scores?: boolean): Promise<void>;
}

export async function openEvents(db: Db, log: Log, hearer?: Hearer): Promise<EventIndex> {
  const known = new KnownEvents(db, log, hearer);
  await known.begin();
  return known;
}

class KnownEvents implements EventIndex {
  private readonly db: Db;
  private readonly log: Log;
  private readonly hearer: Hearer | undefined;
  private readonly events = new Map<number, LiveEvent>();
  private readonly byOtherId = new Map<string, number>();
  private readonly places = new Map<MarketId, MarketPlace>();
  private readonly unwritten = new Set<number>();
  /** Written now and then only: a lost score comes again with the next ball. */
  private readonly staleScores = new Set<number>();
  private readonly unwrittenPlaces = new Map<MarketId, MarketPlace>();
  private sorted: LiveEvent[] | null = null;

  private writing: Promise<void> = Promise.resolve();

  constructor(db: Db, log: Log, hearer?: Hearer) {
    this.db = db;
    this.log = log;
    this.hearer = hearer;
  }

  /** What is open, and its markets' places. */
  async begin(): Promise<void> {
    for (const row of await this.db.query<EventRow>(
      'SELECT * FROM events WHERE stop_at_ms IS NULL AND match_type = ANY($1::text[])',
      [[...SPORT_KEYS]],
    ))
      this.enter(fromRow(row));
    const found = await this.db.query<PlaceRow>(
      'SELECT m.* FROM market_meta m JOIN events e ON e.id = m.event_id WHERE e.stop_at_ms IS NULL',
    );
    for (const row of found) this.places.set(row.market_id, placeOf(row));
  }

  get(eventId: number): LiveEvent | undefined {
    return this.events.get(eventId);
  }

  find(text: string): LiveEvent | undefined {
    const own = this.events.get(Number(text));
    if (own) return own;
    const id = this.byOtherId.get(text);
    return id === undefined ? undefined : this.events.get(id);
  }

  open(): LiveEvent[] {
    this.sorted ??= [...this.events.values()]
      .filter((live) => live.stopAt === null)
      .sort((a, b) => a.startAt - b.startAt || a.id - b.id);
    return this.sorted;
  }

  finished(): LiveEvent[] {
    return [...this.events.values()].filter((live) => live.stopAt !== null);
  }

  place(marketId: MarketId): MarketPlace | undefined {
    return this.places.get(marketId);
  }

  put(event: FeedEvent): LiveEvent {
    const before = this.events.get(event.eventId);
    const live: LiveEvent = {
      ...describe(event),
      // A feed that repeats itself does not undo what an operator said since.
      startAt: before?.event.startAt === event.startAt ? before.startAt : event.startAt,
      firstStartAt: before?.firstStartAt ?? event.startAt,
      stopAt: before?.stopAt ?? null,
      score: before?.score ?? null,
      scoreText: before?.scoreText ?? '',
      scoreSeq: before?.scoreSeq ?? 0,
    };
    // Holders of the old object keep seeing the present state.
    if (before) {
      Object.assign(before, live);
      this.sorted = null;
    } else {
      this.enter(live);
    }
    return this.changed(before ?? live);
  }

  putPlace(place: MarketPlace): void {
    this.places.set(place.marketId, place);
    this.unwrittenPlaces.set(place.marketId, place);
    this.hearer?.place(place);
  }

  setScore(eventId: number, feed: FeedScore): LiveEvent | undefined {
    const live = this.events.get(eventId);
    if (!live) return undefined;
    this.score(live, toScore(feed, contextOf(live.event)));
    this.staleScores.add(eventId);
    this.hearer?.score(live);
    return live;
  }

  moveStart(eventId: number, startAt: number, correction: boolean): LiveEvent | undefined {
    const live = this.events.get(eventId);
    if (!live || live.stopAt !== null) return undefined;
    live.startAt = startAt;
    if (correction) live.firstStartAt = startAt;
    this.sorted = null;
    return this.changed(live);
  }

  close(eventId: number, at: number): LiveEvent | undefined {
    const live = this.events.get(eventId);
    if (!live || live.stopAt !== null) return undefined;
    live.stopAt = at;
    this.sorted = null;
    return this.changed(live);
  }

  reopen(eventId: number): LiveEvent | undefined {
    const live = this.events.get(eventId);
    if (!live || live.stopAt === null) return undefined;
    live.stopAt = null;
    this.sorted = null;
    return this.changed(live);
  }

  takeEvent(state: EventState): 'added' | 'closed' | null {
    const id = state.event.eventId;
    const live = this.events.get(id);
    this.sorted = null;
    if (!live) {
      this.enter({ ...describe(state.event), ...state, score: null, scoreText: '', scoreSeq: 0 });
      return state.stopAt === null ? 'added' : null;
    }
    const wasOver = live.stopAt !== null;
    Object.assign(live, describe(state.event), state);
    if (wasOver === (live.stopAt !== null)) return null;
    return wasOver ? 'added' : 'closed';
  }

  takeScore(eventId: number, now: Score): boolean {
    const live = this.events.get(eventId);
    if (live) this.score(live, now);
    return live !== undefined;
  }

  takePlace(place: MarketPlace): void {
    this.places.set(place.marketId, place);
  }

  forgetMarket(marketId: MarketId): void {
    this.places.delete(marketId);
  }

  forget(eventId: number): void {
    const live = this.events.get(eventId);
    if (!live || this.unwritten.has(eventId)) return;
    this.events.delete(eventId);
    this.byOtherId.delete(live.event.beventId);
    this.byOtherId.delete(live.event.gmid);
    this.sorted = null;
  }

  async load(eventId: number): Promise<LiveEvent | null> {
    const live = this.events.get(eventId);
    if (live) return live;
    // Card tables stand in the same table, and are no events of the catalogue.
    const [row] = await this.db.query<EventRow>('SELECT * FROM events WHERE id = $1 AND match_type = ANY($2::text[])', [
      eventId,
      [...SPORT_KEYS],
    ]);
    return row ? fromRow(row) : null;
  }

  flush(scores: boolean = false): Promise<void> {
    if (scores) for (const id of this.staleScores) this.unwritten.add(id);
    // One after the other, and one failure does not stop the next.
    const next = this.writing.then(async () => {
      await this.writeEvents();
      await this.writePlaces();
    });
    this.writing = next.catch((error: unknown) => this.log.warn({ err: error }, 'events could not be written'));
    return next;
  }

  private enter(live: LiveEvent): void {
    this.events.set(live.id, live);
    if (live.event.beventId) this.byOtherId.set(live.event.beventId, live.id);
    if (live.event.gmid) this.byOtherId.set(live.event.gmid, live.id);
    this.sorted = null;
  }

  /** To be written, and told to others. */
  private changed(live: LiveEvent): LiveEvent {
    this.unwritten.add(live.id);
    this.hearer?.event(live);
    return live;
  }

  private score(live: LiveEvent, now: Score): void {
    live.score = now;
    live.scoreText = scoreLine(now);
    live.scoreSeq += 1;
  }

  private async writeEvents(): Promise<void> {
    const ids = [...this.unwritten];
    if (ids.length === 0) return;
    const rows = ids.map((id) => toRow(this.events.get(id))).filter((row) => row !== null);
    for (const id of ids) {
      this.unwritten.delete(id);
      this.staleScores.delete(id);
    }
    try {
      await this.db.query(
        `INSERT INTO events (id, match_type, title, competition_id, competition_name, start_at_ms, first_start_at_ms, stop_at_ms, event,
           score)
         SELECT id, match_type, title, competition_id, competition_name, start_at_ms, first_start_at_ms, stop_at_ms, event, score
         FROM jsonb_to_recordset($1::jsonb) AS r(id bigint, match_type text, title text, competition_id text,
           competition_name text, start_at_ms bigint, first_start_at_ms bigint, stop_at_ms bigint, event jsonb, score jsonb)
         ON CONFLICT (id) DO UPDATE SET match_type = EXCLUDED.match_type, title = EXCLUDED.title,
           competition_id = EXCLUDED.competition_id, competition_name = EXCLUDED.competition_name,
           start_at_ms = EXCLUDED.start_at_ms, first_start_at_ms = EXCLUDED.first_start_at_ms, stop_at_ms = EXCLUDED.stop_at_ms, event = EXCLUDED.event,
           score = EXCLUDED.score`,
        [JSON.stringify(rows)],
      );
    } catch (error) {
      for (const id of ids) this.unwritten.add(id);
      throw error;
    }
  }

  private async writePlaces(): Promise<void> {
    const list = [...this.unwrittenPlaces.values()];
    if (list.length === 0) return;
    this.unwrittenPlaces.clear();
    try {
      await this.db.query(
        `INSERT INTO market_meta (market_id, event_id, kind, name, market_type, market_group, sno, manual, source)
         SELECT "marketId", "eventId", "kind", "name", "marketType", "group", "sno", "manual", "source"
         FROM jsonb_to_recordset($1::jsonb) AS r("marketId" bigint, "eventId" bigint, "kind" text, "name" text,
           "marketType" text, "group" text, "sno" int, "manual" boolean, "source" text)
         ON CONFLICT (market_id) DO UPDATE SET name = EXCLUDED.name, market_type = EXCLUDED.market_type,
           market_group = EXCLUDED.market_group, sno = EXCLUDED.sno`,
        [JSON.stringify(list)],
      );
    } catch (error) {
      for (const place of list)
        if (!this.unwrittenPlaces.has(place.marketId)) this.unwrittenPlaces.set(place.marketId, place);
      throw error;
    }
  }
}

// ------------------------------------------------------------------------------------------------------- helpers

interface EventRow {
  id: number;
  start_at_ms: number;
  first_start_at_ms: number | null;
  stop_at_ms: number | null;
  event: FeedEvent;
  score: Score | null;
}
interface PlaceRow {
  market_id: number;
  event_id: number;
  kind: string;
  name: string;
  market_type: string;
  market_group: string | null;
  sno: number;
  manual: boolean;
  source: string | null;
}

export function placeOf(row: PlaceRow): MarketPlace {
  return {
    marketId: row.market_id,
    eventId: row.event_id,
    kind: row.kind as MarketKind,
    name: row.name,
    marketType: row.market_type,
    group: row.market_group,
    sno: row.sno,
    manual: row.manual,
    source: row.source,
  };
}

export function placeFrom(
  market: { marketId: MarketId; eventId: number; kind: MarketKind; name: string },
  info: MarketInfo | undefined,
  manual: boolean,
): MarketPlace {
  return {
    marketId: market.marketId,
    eventId: market.eventId,
    kind: market.kind,
    name: market.name,
    marketType: info?.marketType ?? (market.kind === 'book' ? 'matchOdd' : market.kind),
    group: info?.group ?? null,
    // A feed may put a market between two others: 21.5 becomes 2150, for readers take whole numbers.
    sno: Math.round((info?.sno ?? 1000) * 100),
    manual,
    source: info?.source ?? null,
  };
}

function describe(event: FeedEvent): Pick<LiveEvent, 'event' | 'id' | 'matchType' | 'searchText'> {
  const runners = event.race?.runners.map((runner) => runner.name) ?? [];
  const { title, teamA, teamB, competitionName, venue } = event;
  const text = [title, teamA, teamB, ...namesInAll(competitionName), venue ?? '', ...runners].join(' ');
  return {
    event,
    id: event.eventId,
    matchType: event.matchType,
    searchText: searchable(text),
  };
}

function contextOf(event: FeedEvent) {
  return {
    matchType: event.matchType,
    teamA: event.teamA,
    teamB: event.teamB,
    format: event.format,
    distanceMetres: event.race?.distanceMetres,
    runners: event.race?.runners,
  };
}

function fromRow(row: EventRow): LiveEvent {
  return {
    ...describe(row.event),
    startAt: row.start_at_ms,
    firstStartAt: row.first_start_at_ms ?? row.start_at_ms,
    stopAt: row.stop_at_ms,
    score: row.score,
    scoreText: scoreLine(row.score),
    scoreSeq: 1,
  };
}

function toRow(live: LiveEvent | undefined): object | null {
  if (!live) return null;
  const { event } = live;
  return {
    id: live.id,
    match_type: event.matchType,
    title: event.title,
    competition_id: String(event.competitionId),
    competition_name: event.competitionName,
    start_at_ms: live.startAt,
    first_start_at_ms: live.firstStartAt,
    stop_at_ms: live.stopAt,
    event,
    score: live.score,
  };
}
