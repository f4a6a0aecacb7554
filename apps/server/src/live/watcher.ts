/** One watcher of prices, and what he still has to be told. */
import type { World } from '../core/core.ts';
import { createStore, type Store } from './gate.ts';
import type { Group } from './groups.ts';

/** One socket, as far as prices go. */
export interface Outlet {
  readonly world: World;
  writable(): boolean;
  send(event: string, text: Text): void;
}

/** JSON text; the same object goes to every outlet that gets the same. `cache` is the outlets', for its encoded form. */
export interface Text {
  json: string;
  shared: boolean;
  cache?: unknown;
}

/** Images that whoever changes what he watches again and again gets at once, in characters, and then as time goes on. */
const IMAGES_AT_ONCE = 2_000_000;
const IMAGES_A_SECOND = 100_000;

export class Watcher {
  readonly outlet: Outlet;
  group: Group<Watcher>;
  /** Markets and scores that changed while it could not be written to, and matches whose images it waits for. */
  readonly missed = new Set<number>();
  readonly missedScores = new Set<number>();
  readonly missedImages = new Set<number>();
  /** Characters of images he may still ask for. */
  readonly room: Store;
  /** Ladders he follows whole, by `market.runner`, and those of them that changed. */
  readonly depths = new Map<string, { marketId: number; runnerId: number }>();
  readonly dirtyDepths = new Set<string>();
  sentAt: number;

  constructor(outlet: Outlet, group: Group<Watcher>, sentAt: number, elapsed: () => number) {
    this.outlet = outlet;
    this.group = group;
    this.sentAt = sentAt;
    this.room = createStore(IMAGES_AT_ONCE, IMAGES_A_SECOND, elapsed);
  }

  send(event: string, text: Text, now: number): void {
    this.outlet.send(event, text);
    this.sentAt = now;
  }

  watches(matchId: number): boolean {
    return this.group.full.has(matchId) || this.group.head.has(matchId);
  }

  /** The changes of his group cannot go to him now. */
  missChanges(): void {
    for (const part of this.group.parts) this.missed.add(part.marketId);
    for (const score of this.group.scores) this.missedScores.add(score.eventId);
  }

  hasMissedChanges(): boolean {
    return this.missed.size > 0 || this.missedScores.size > 0;
  }

  /** Another epoch: all he watches comes as images. */
  missAll(): void {
    this.missed.clear();
    for (const matchId of [...this.group.full, ...this.group.head]) this.missedImages.add(matchId);
  }

  /** Forgets what he missed of matches that he does not watch any more. */
  forgetUnwatched(matchOf: (marketId: number) => number | undefined): void {
    for (const marketId of this.missed) {
      const matchId = matchOf(marketId);
      if (matchId !== undefined && !this.watches(matchId)) this.missed.delete(marketId);
    }
    for (const matchId of this.missedImages) if (!this.watches(matchId)) this.missedImages.delete(matchId);
  }
}
