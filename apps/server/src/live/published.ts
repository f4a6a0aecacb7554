/**
 * The state of every watched market as it was last told, with its sequence: what the next delta is against (INV-12).
 * Texts are made once per change, whoever gets them.
 */
import { randomInt } from 'node:crypto';
import type { MarketImage } from '@fairgame/contract';
import { perWorld, type World } from '../core/core.ts';
import { difference } from './delta.ts';

interface Held {
  seq: number;
  image: MarketImage;
  json: string | null;
}

export interface Published {
  /**
   * Of this telling, and of no other: sequences of another gateway, or from before `clear`, say nothing about these. A client
   * that comes from there takes an image, never a delta against what it holds.
   */
  epoch(): number;
  has(world: World, marketId: number): boolean;
  /** 0 for a market never told. */
  seq(world: World, marketId: number): number;
  /** Takes the image as told now; the part of a frame that tells what changed, or null when nothing did. */
  publish(world: World, image: MarketImage): string | null;
  /** The image as JSON text. */
  imageJson(world: World, marketId: number): string;
  /** The part of a frame that tells the whole market. */
  wholeJson(world: World, marketId: number): string;
  /** The part of a frame that tells that the market has gone; forgets it. */
  goneJson(world: World, marketId: number): string;
  /** Sequences begin anew, in another epoch. */
  clear(): void;
}

export function createPublished(): Published {
  const worlds = perWorld(() => new Map<number, Held>());
  let epoch = anyEpoch();
  const seq: Published['seq'] = (world, marketId) => worlds[world].get(marketId)?.seq ?? 0;

  function imageJson(world: World, marketId: number): string {
    const held = worlds[world].get(marketId)!;
    held.json ??= JSON.stringify(held.image);
    return held.json;
  }

  return {
    epoch: () => epoch,
    has: (world, marketId) => worlds[world].has(marketId),
    seq,
    imageJson,
    publish(world, image) {
      const held = worlds[world].get(image.id);
      if (!held) {
        worlds[world].set(image.id, { seq: 1, image, json: null });
        return `{"id":${image.id},"s":1,"b":0,"i":${imageJson(world, image.id)}}`;
      }
      const delta = difference(held.image, image);
      if (delta === null) return null;
      const base = held.seq;
      held.seq += 1;
      held.image = image;
      held.json = null;
      const rest = delta === 'image' ? `"i":${imageJson(world, image.id)}` : `"d":${JSON.stringify(delta)}`;
      return `{"id":${image.id},"s":${held.seq},"b":${base},${rest}}`;
    },
    wholeJson(world, marketId) {
      const at = seq(world, marketId);
      return `{"id":${marketId},"s":${at},"b":${at},"i":${imageJson(world, marketId)}}`;
    },
    goneJson(world, marketId) {
      const at = seq(world, marketId);
      worlds[world].delete(marketId);
      return `{"id":${marketId},"s":${at + 1},"b":${at},"gone":true}`;
    },
    clear() {
      epoch = anyEpoch();
      for (const held of Object.values(worlds)) held.clear();
    },
  };
}

const anyEpoch = (): number => randomInt(1, 2 ** 31);
