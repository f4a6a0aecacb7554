/** Who follows the full ladder of which runner. */
import type { ImageChange, Images } from '../catalog/catalog.ts';
import { perWorld } from '../core/core.ts';
import { removeFrom, setOf } from './groups.ts';
import type { Watcher } from './watcher.ts';

const MOST_DEPTHS = 8;

const keyOf = (marketId: number, runnerId: number): string => `${marketId}.${runnerId}`;

export class Depths {
  private readonly images: Images;
  private readonly byMarket = perWorld(() => new Map<number, Set<Watcher>>());
  readonly followers = new Set<Watcher>();

  constructor(images: Images) {
    this.images = images;
  }

  /** False when there are too many or it is not known. */
  follow(watcher: Watcher, marketId: number, runnerId: number): boolean {
    const { world } = watcher.outlet;
    const key = keyOf(marketId, runnerId);
    if (watcher.depths.size >= MOST_DEPTHS && !watcher.depths.has(key)) return false;
    if (!this.images.depth(world, marketId, runnerId)) return false;
    watcher.depths.set(key, { marketId, runnerId });
    watcher.dirtyDepths.add(key);
    setOf(this.byMarket[world], marketId).add(watcher);
    this.followers.add(watcher);
    return true;
  }

  unfollow(watcher: Watcher, marketId: number, runnerId: number): void {
    const key = keyOf(marketId, runnerId);
    watcher.depths.delete(key);
    watcher.dirtyDepths.delete(key);
    if (![...watcher.depths.values()].some((one) => one.marketId === marketId))
      removeFrom(this.byMarket[watcher.outlet.world], marketId, watcher);
    if (watcher.depths.size === 0) this.followers.delete(watcher);
  }

  leave(watcher: Watcher): void {
    this.followers.delete(watcher);
    for (const { marketId } of watcher.depths.values())
      removeFrom(this.byMarket[watcher.outlet.world], marketId, watcher);
  }

  markDirty({ world, marketId, runnerIds }: ImageChange): void {
    for (const watcher of this.byMarket[world].get(marketId) ?? [])
      for (const runnerId of runnerIds) {
        const key = keyOf(marketId, runnerId);
        if (watcher.depths.has(key)) watcher.dirtyDepths.add(key);
      }
  }

  /** The ladders that changed since the watcher was last told, as texts. */
  take(watcher: Watcher): string[] {
    const texts: string[] = [];
    for (const key of watcher.dirtyDepths) {
      const asked = watcher.depths.get(key);
      const image = asked && this.images.depth(watcher.outlet.world, asked.marketId, asked.runnerId);
      if (image) texts.push(JSON.stringify(image));
    }
    watcher.dirtyDepths.clear();
    return texts;
  }
}
