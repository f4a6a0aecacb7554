import type { Frame, LiveImages, MarketDelta, MarketImage } from '@fairgame/contract';
import type { Outlet } from '../src/live/prices.ts';

/** A client as ours: images and deltas, a gap asks for the match again. Packets may be lost on the way to it. */
export class Client implements Outlet {
  readonly world = 'real' as const;
  held = new Map<number, { seq: number; image: MarketImage }>();
  epoch = 0;
  broken = new Set<number>();
  asked = new Set<number>();
  ready = true;
  drop = false;
  frames: Frame[] = [];
  texts: object[] = [];

  writable(): boolean {
    return this.ready;
  }
  send(event: string, text: { json: string }): void {
    this.texts.push(text);
    if (this.drop) return;
    if (event === 'frame') this.frame(JSON.parse(text.json) as Frame);
    else this.images(JSON.parse(text.json) as LiveImages);
  }
  private newEpoch(epoch: number): void {
    if (epoch === this.epoch) return;
    if (this.epoch !== 0) {
      for (const { image } of this.held.values()) this.asked.add(image.matchId);
      this.held.clear();
    }
    this.epoch = epoch;
  }
  images(message: LiveImages): void {
    this.newEpoch(message.e);
    for (const image of message.images) this.put(image, message.s[image.id]!);
  }
  put(image: MarketImage, seq: number): void {
    const held = this.held.get(image.id);
    if (held && held.seq > seq && !this.broken.has(image.id)) return;
    this.held.set(image.id, { seq, image });
    this.broken.delete(image.id);
  }
  frame(frame: Frame): void {
    this.frames.push(frame);
    this.newEpoch(frame.e);
    for (const part of frame.m) {
      const held = this.held.get(part.id);
      if (part.gone) this.held.delete(part.id);
      else if (part.i) this.put(part.i, part.s);
      else if (held && part.d) {
        if (held.seq === part.b) {
          held.image = fold(held.image, part.d);
          held.seq = part.s;
        } else if (part.s > held.seq) {
          this.broken.add(part.id);
          this.asked.add(held.image.matchId);
        }
      }
    }
  }
}

/** The image that a delta makes of another. */
export function fold(image: MarketImage, { runners, ...rest }: MarketDelta): MarketImage {
  const changes = new Map(runners?.map((change) => [change.id, change]));
  return { ...image, ...rest, runners: image.runners.map((runner) => ({ ...runner, ...changes.get(runner.id) })) };
}
