/** What has changed since the last turn, and what of it each group of watchers is to be told: texts made once and shared. */
import type { LiveImages, MarketImage } from '@fairgame/contract';
import type { ImageChange, Images, LiveEvent } from '../catalog/catalog.ts';
import { ALL_WORLDS, perWorld, type World } from '../core/core.ts';
import type { Groups } from './groups.ts';
import { createPublished } from './published.ts';
import type { Watcher } from './watcher.ts';

export interface TurnSources {
  images: Images;
  event: (eventId: number) => LiveEvent | undefined;
  /** The main market of an event. */
  headOf: (eventId: number) => number | undefined;
  clock: () => number;
}

export class Turn {
  private readonly from: TurnSources;
  private readonly groups: Groups<Watcher>;
  private readonly published = createPublished();
  private readonly dirty = perWorld(() => new Set<number>());
  private readonly urgent = perWorld(() => new Set<number>());
  /** Market to its event. */
  private readonly gone = perWorld(() => new Map<number, number>());
  /** The main market that those who watch only it were last told of, by match. */
  private readonly headKnown = perWorld(() => new Map<number, number>());
  private readonly dirtyScores = new Set<number>();

  constructor(from: TurnSources, groups: Groups<Watcher>) {
    this.from = from;
    this.groups = groups;
  }

  /** Of the sequences told. */
  epoch(): number {
    return this.published.epoch();
  }

  markDirty({ world, marketId, eventId, gone, urgent }: ImageChange): void {
    if (gone) {
      this.gone[world].set(marketId, eventId);
      this.dirty[world].delete(marketId);
      this.urgent[world].delete(marketId);
      return;
    }
    this.dirty[world].add(marketId);
    if (urgent) this.urgent[world].add(marketId);
  }

  markScore(eventId: number): void {
    this.dirtyScores.add(eventId);
  }

  /** Another epoch: sequences begin anew. */
  clear(): void {
    this.published.clear();
    for (const world of ALL_WORLDS)
      for (const each of [this.dirty, this.urgent, this.gone, this.headKnown]) each[world].clear();
  }

  collectAll(): void {
    for (const world of ALL_WORLDS) {
      this.collectGone(world);
      this.collect(world, this.dirty[world]);
      this.dirty[world].clear();
      this.urgent[world].clear();
    }
    this.collectScores();
  }

  collectUrgent(): void {
    for (const world of ALL_WORLDS) {
      this.collect(world, this.urgent[world]);
      for (const id of this.urgent[world]) this.dirty[world].delete(id);
      this.urgent[world].clear();
    }
  }

  /** Brings markets nobody watches to their newest state, so that their sequence stands before a watcher joins. */
  prepare(world: World, matchId: number): void {
    const { images } = this.from;
    for (const marketId of images.marketsOf(matchId)) {
      const image = images.image(world, marketId);
      if (image && !this.isWatched(world, marketId, matchId)) this.published.publish(world, image);
    }
  }

  /** The part of a frame that tells the whole of a market, or that it has gone. */
  wholeJson(world: World, marketId: number): string {
    const { published } = this;
    return published.has(world, marketId) ? published.wholeJson(world, marketId) : published.goneJson(world, marketId);
  }

  /** Null where the event has none. */
  scoreJson(eventId: number): string | null {
    const live = this.from.event(eventId);
    return live?.score ? `{"id":${live.id},"s":${live.scoreSeq},"score":${JSON.stringify(live.score)}}` : null;
  }

  /** The images of a match as last told, so that the next delta fits them; null for one that is not known. */
  imagesJson(world: World, matchId: number, full: boolean): string | null {
    const { images, event, headOf, clock } = this.from;
    const live = event(matchId);
    if (!live) return null;
    const head = headOf(matchId);
    const list: string[] = [];
    const seqs: Record<number, number> = {};
    for (const marketId of full ? images.marketsOf(matchId) : head === undefined ? [] : [head]) {
      if (!this.isTold(world, marketId, matchId)) continue;
      if (!full && !this.headKnown[world].has(matchId)) this.headKnown[world].set(matchId, marketId);
      seqs[marketId] = this.published.seq(world, marketId);
      list.push(this.published.imageJson(world, marketId));
    }
    const rest: Omit<LiveImages, 'images'> = {
      e: this.published.epoch(),
      t: clock(),
      id: matchId,
      full,
      s: seqs,
      score: live.score,
      scoreSeq: live.scoreSeq,
      stopAt: live.stopAt === null ? null : new Date(live.stopAt).toISOString(),
    };
    return `${JSON.stringify(rest).slice(0, -1)},"images":[${list.join(',')}]}`;
  }

  /** Whether a market has an image to be told, published now where nobody watched it. */
  private isTold(world: World, marketId: number, matchId: number): boolean {
    const image = this.from.images.image(world, marketId);
    if (!image) return false;
    if (this.published.has(world, marketId)) return true;
    // New since the last turn: the next one tells it to everyone who watches, who asks now too.
    if (this.dirty[world].has(marketId) && this.isWatched(world, marketId, matchId)) return false;
    this.published.publish(world, image);
    return true;
  }

  private isWatched(world: World, marketId: number, eventId: number): boolean {
    const { groups, from } = this;
    return groups.hasFull(world, eventId) || (groups.hasHead(world, eventId) && from.headOf(eventId) === marketId);
  }

  private collect(world: World, marketIds: Iterable<number>): void {
    for (const marketId of marketIds) {
      const image = this.from.images.image(world, marketId);
      if (!image || !this.isWatched(world, marketId, image.matchId)) continue;
      const json = this.published.publish(world, image);
      if (json !== null) this.handOut(world, image, json);
    }
  }

  private handOut(world: World, { id: marketId, matchId }: MarketImage, json: string): void {
    const { groups, from, published } = this;
    for (const group of groups.full(world, matchId)) group.parts.push({ marketId, json });
    if (!groups.hasHead(world, matchId) || from.headOf(matchId) !== marketId) return;
    // Another market has become the main one: those who watch only that have never seen it.
    const headKnown = this.headKnown[world];
    const part = headKnown.get(matchId) === marketId ? json : published.wholeJson(world, marketId);
    headKnown.set(matchId, marketId);
    for (const group of groups.head(world, matchId)) group.parts.push({ marketId, json: part });
  }

  private collectGone(world: World): void {
    for (const [marketId, eventId] of this.gone[world]) {
      const json = this.published.goneJson(world, marketId);
      for (const group of this.groups.both(world, eventId)) group.parts.push({ marketId, json });
    }
    this.gone[world].clear();
  }

  private collectScores(): void {
    for (const eventId of this.dirtyScores) {
      const watching = ALL_WORLDS.flatMap((world) => [...this.groups.both(world, eventId)]);
      const json = watching.length > 0 ? this.scoreJson(eventId) : null;
      if (json === null) continue;
      for (const group of watching) group.scores.push({ eventId, json });
    }
    this.dirtyScores.clear();
  }
}
