/**
 * What each watcher of prices gets: at most one frame a turn with all its changed markets, closing of betting at once,
 * nothing while its transport is not writable (then the latest state, as images). Texts are made once and shared
 * (architecture 5, INV-12, FLT-08, FLT-18). `turn` collects what changed, `frames` sends it.
 */
import type { ImageChange } from '../catalog/catalog.ts';
import { ALL_WORLDS } from '../core/core.ts';
import { Depths } from './depths.ts';
import { Frames } from './frames.ts';
import { createGroups, type Watch } from './groups.ts';
import { Turn, type TurnSources } from './turn.ts';
import { type Outlet, Watcher } from './watcher.ts';

export type { Outlet, Text } from './watcher.ts';

export interface PriceSources extends TurnSources {
  /** Prices are known to be old. */
  late: () => boolean;
  /** Something has changed since the last turn. */
  wake?: () => void;
  /** Milliseconds that only go on, for paces; the process's own unless given. */
  elapsed?: () => number;
}

export class Prices {
  private readonly from: PriceSources;
  private readonly groups = createGroups<Watcher>();
  private readonly watchers = new Map<Outlet, Watcher>();
  private readonly turn: Turn;
  private readonly depths: Depths;
  private readonly frames: Frames;
  private readonly off: Array<() => void>;
  private urgentTurn: NodeJS.Immediate | null = null;

  constructor(from: PriceSources) {
    this.from = from;
    const { images, clock } = from;
    this.turn = new Turn(from, this.groups);
    this.depths = new Depths(images);
    const sources = { clock, wake: () => from.wake?.() };
    this.frames = new Frames(sources, this.groups, this.turn, this.depths);
    this.off = [images.onChange((change) => this.imageChanged(change)), images.onReload(() => this.reloaded())];
  }

  watch(outlet: Outlet, watch: Watch): void {
    const { groups, watchers, turn, from } = this;
    const before = watchers.get(outlet);
    if (before) groups.leave(before, before.group);
    const known = before?.group;
    const fresh = watch.full.filter((id) => !known?.full.has(id));
    const freshHeads = watch.head.filter((id) => !known?.full.has(id) && !known?.head.has(id));
    const matchIds = new Set([...fresh, ...freshHeads]);
    for (const id of matchIds) turn.prepare(outlet.world, id);
    const group = groups.of(outlet.world, watch);
    const watcher = before ?? new Watcher(outlet, group, from.clock(), from.elapsed ?? (() => performance.now()));
    watcher.group = group;
    group.members.add(watcher);
    watchers.set(outlet, watcher);
    watcher.forgetUnwatched((marketId) => from.images.image(outlet.world, marketId)?.matchId);
    this.frames.sendImages(watcher, matchIds);
  }

  /** Sends the images of watched matches again; false when none of them is watched. */
  resync(outlet: Outlet, matchIds: readonly number[]): boolean {
    const watcher = this.watchers.get(outlet);
    const watched = matchIds.filter((id) => watcher?.watches(id));
    if (!watcher || watched.length === 0) return false;
    this.frames.sendImages(watcher, watched);
    return true;
  }

  /** Follows the full ladder of a runner; false when there are too many or it is not known. */
  depth(outlet: Outlet, marketId: number, runnerId: number, on: boolean): boolean {
    const watcher = this.watchers.get(outlet);
    if (!watcher) return false;
    if (!on) {
      this.depths.unfollow(watcher, marketId, runnerId);
      return true;
    }
    if (!this.depths.follow(watcher, marketId, runnerId)) return false;
    this.from.wake?.();
    return true;
  }

  leave(outlet: Outlet): void {
    const watcher = this.watchers.get(outlet);
    if (!watcher) return;
    this.groups.leave(watcher, watcher.group);
    this.watchers.delete(outlet);
    this.frames.leave(watcher);
    this.depths.leave(watcher);
  }

  watched(outlet: Outlet): Watch {
    const group = this.watchers.get(outlet)?.group;
    return { full: [...(group?.full ?? [])], head: [...(group?.head ?? [])] };
  }

  /** Whether any outlet watches the event's page. */
  isWatched(eventId: number): boolean {
    return ALL_WORLDS.some((world) => this.groups.hasFull(world, eventId));
  }

  /** One turn: to be called soon after `wake`, at most every 100 ms, and every second or so when nothing changes. */
  tick(): void {
    const changed = this.frames.setLate(this.from.late());
    this.turn.collectAll();
    this.frames.flush();
    this.frames.breakSilence(this.watchers.values(), changed);
  }

  scoreChanged(eventId: number): void {
    this.turn.markScore(eventId);
    this.from.wake?.();
  }

  eventClosed(eventId: number): void {
    for (const world of ALL_WORLDS)
      for (const group of this.groups.both(world, eventId))
        for (const watcher of group.members) {
          watcher.missedImages.add(eventId);
          this.frames.later(watcher);
        }
    this.from.wake?.();
  }

  stop(): void {
    for (const off of this.off) off();
    if (this.urgentTurn) clearImmediate(this.urgentTurn);
  }

  private imageChanged(change: ImageChange): void {
    this.from.wake?.();
    this.turn.markDirty(change);
    if (change.gone) return;
    this.depths.markDirty(change);
    if (!change.urgent) return;
    // The rest of the same batch may belong to it: out with the turn, not in the middle of it.
    this.urgentTurn ??= setImmediate(() => {
      this.urgentTurn = null;
      this.turn.collectUrgent();
      this.frames.flush();
    });
  }

  /** Another epoch: every watcher gets images, sequences begin anew. */
  private reloaded(): void {
    this.turn.clear();
    for (const watcher of this.watchers.values()) {
      watcher.missAll();
      this.frames.later(watcher);
    }
    this.from.wake?.();
  }
}
