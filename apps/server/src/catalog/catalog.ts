/**
 * The catalogue: which matches and races there are, what their markets look like now, and every reading of them that a
 * player may make. The core decides about markets; this room only shows what it committed.
 */
import type { MarketDef, MarketId } from '@fairgame/exchange';
import type { Bus } from '../bus/bus.ts';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { FeedEvent, Score as FeedScore, MarketInfo } from '../feed/feed.ts';
import type { Http } from '../http/http.ts';
import { Charts } from './charts.ts';
import { type EventIndex, type LiveEvent, type MarketPlace, openEvents, placeFrom } from './events.ts';
import { type FrameHosts, framePages } from './frames.ts';
import { createImages, type Images } from './images.ts';
import { marketRoutes } from './market-routes.ts';
import { readingRoutes } from './reading-routes.ts';
import { createSharing, type Sharing, type Told } from './sharing.ts';

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
  onChange(listener: (change: CatalogChange) => void): () => void;
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
/** An event without markets stays in memory so long after it is over. */
const FORGET_MS = 600_000;

export async function createCatalog(options: CatalogOptions): Promise<Catalog> {
  const { db, log, others } = options;
  const sharing = others && createSharing({ ...others, log });
  const catalog = new SiteCatalog(options, await openEvents(db, log, sharing), sharing);
  await sharing?.follow((told) => catalog.take(told));
  return catalog;
}

class SiteCatalog implements Catalog {
  readonly images: Images;
  private readonly options: CatalogOptions;
  private readonly events: EventIndex;
  private readonly sharing: Sharing | undefined;
  private readonly charts: Charts;
  private readonly decides: boolean;
  private readonly changed = new Set<(change: CatalogChange) => void>();
  private readonly offs: Array<() => void>;

  constructor(options: CatalogOptions, events: EventIndex, sharing: Sharing | undefined) {
    const { db, core, clock, log } = options;
    this.options = options;
    this.events = events;
    this.sharing = sharing;
    this.decides = options.others?.decides ?? true;
    this.images = createImages(core.read, core.health().epoch, (marketId) => events.place(marketId)?.sno ?? 1000);
    this.charts = new Charts({ db, log, clock, images: this.images, keeps: this.decides });
    const offCommitted = core.onCommitted((batch) => {
      this.charts.apply(batch);
      this.images.apply(batch);
    });
    this.images.onChange((change) => {
      if (change.world !== 'real') return;
      if (change.gone) events.forgetMarket(change.marketId);
      else this.followMarket(change.marketId, change.eventId);
    });
    const timers = [setInterval(() => this.sample(), SAMPLE_MS), setInterval(() => this.write(), WRITE_MS)];
    for (const timer of timers) timer.unref();
    this.offs = [() => timers.forEach(clearInterval), offCommitted];
  }

  event(eventId: number): LiveEvent | undefined {
    return this.events.get(eventId);
  }

  loadEvent(eventId: number): Promise<LiveEvent | null> {
    return this.events.load(eventId);
  }

  openEvents(): LiveEvent[] {
    return this.events.open();
  }

  place(marketId: MarketId): MarketPlace | undefined {
    return this.events.place(marketId);
  }

  headOf(eventId: number): MarketId | undefined {
    const ids = this.images.marketsOf(eventId);
    return ids.find((id) => this.images.view(id)?.kind === 'book') ?? ids[0];
  }

  inPlay(eventId: number): boolean {
    const live = this.events.get(eventId);
    if (!live || live.stopAt !== null) return false;
    return this.images.marketsOf(eventId).some((id) => {
      const view = this.images.view(id);
      return view?.inPlay && view.status !== 'CLOSED' && view.status !== 'INACTIVE';
    });
  }

  addEvent(event: FeedEvent): void {
    const isNew = this.events.get(event.eventId) === undefined;
    this.events.put(event);
    if (isNew) this.tell({ type: 'added', eventId: event.eventId });
  }

  addMarket(market: MarketDef, info?: MarketInfo, by: 'feed' | 'operator' = 'feed'): void {
    if (this.events.place(market.marketId) === undefined || info !== undefined)
      this.events.putPlace(placeFrom(market, info, by === 'operator'));
  }

  setScore(eventId: number, score: FeedScore): void {
    if (this.events.setScore(eventId, score)) this.tell({ type: 'score', eventId });
  }

  closeEvent(eventId: number, at: number): void {
    if (this.events.close(eventId, at)) this.tell({ type: 'closed', eventId });
  }

  moveStart(eventId: number, startAt: number, correction: boolean): boolean {
    return this.events.moveStart(eventId, startAt, correction) !== undefined;
  }

  onChange(listener: (change: CatalogChange) => void): () => void {
    this.changed.add(listener);
    return () => this.changed.delete(listener);
  }

  async flush(): Promise<void> {
    await this.events.flush();
    await this.sharing?.sent();
  }

  routes(http: Http): void {
    const { events, images } = this;
    const { core, clock, frames = {} } = this.options;
    const from = {
      images,
      place: (marketId: MarketId) => events.place(marketId),
      headOf: (eventId: number) => this.headOf(eventId),
      inPlay: (eventId: number) => this.inPlay(eventId),
    };
    readingRoutes(http, { ...from, core: core.read, events, frames });
    this.charts.routes(http);
    marketRoutes(http, { images, events });
    framePages(http.app, {
      ...from,
      clock,
      event: (id) => events.get(id),
      onChange: (listener) => this.onChange(listener),
    });
  }

  async stop(): Promise<void> {
    for (const off of this.offs) off();
    this.sharing?.stop();
    await this.charts.turn(true);
    await this.events.flush(true).catch(() => {
      // Told in the log; at the next start the feed tells its events again.
    });
  }

  /** What another process told. */
  take(told: Told): void {
    const { events } = this;
    if (told.is === 'place') {
      events.takePlace(told.place);
      this.images.placed(told.place.marketId);
    } else if (told.is === 'score') {
      if (events.takeScore(told.eventId, told.score)) this.tell({ type: 'score', eventId: told.eventId });
    } else {
      const type = events.takeEvent(told.state);
      if (type !== null) this.tell({ type, eventId: told.state.event.eventId });
    }
  }

  private tell(change: CatalogChange): void {
    for (const listener of this.changed) listener(change);
  }

  /** An event made by hand is over with its last market; one whose result is taken back is not over any more. */
  private followMarket(marketId: MarketId, eventId: number): void {
    const { events, images } = this;
    const live = events.get(eventId);
    const view = images.view(marketId);
    if (!this.decides || !live || !view) return;
    if (live.stopAt !== null) {
      if (view.status !== 'CLOSED' && events.reopen(eventId)) this.tell({ type: 'added', eventId });
      return;
    }
    if (view.status !== 'CLOSED') return;
    const ids = images.marketsOf(eventId);
    const over = ids.every((id) => images.view(id)?.status === 'CLOSED' && events.place(id)?.manual === true);
    if (over) this.closeEvent(eventId, this.options.clock());
  }

  /** The prices of this moment, for the charts. */
  private sample(): void {
    const now = this.options.clock();
    for (const live of this.events.open()) {
      for (const marketId of this.images.marketsOf(live.id)) {
        if (this.images.view(marketId)?.kind !== 'book') continue;
        for (const world of this.options.core.read.worlds()) {
          const image = this.images.image(world, marketId);
          if (image?.status === 'OPEN') this.charts.sample(world, image, now);
        }
      }
    }
  }

  private write(): void {
    this.events.flush(true).catch(() => {
      // Told in the log; tried again at the next turn.
    });
    void this.charts.turn();
    this.forgetFinished();
  }

  /** An event that is over leaves memory with its last market, or after a while when it had none. */
  private forgetFinished(): void {
    const before = this.options.clock() - FORGET_MS;
    for (const live of this.events.finished()) {
      if (this.images.marketsOf(live.id).length === 0 && (live.stopAt ?? 0) < before) this.events.forget(live.id);
    }
  }
}
