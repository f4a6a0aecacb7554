/** Brings to the watchers what a turn has collected: one frame each, and to those who were behind what they missed. */
import { liveDataEvent } from '@fairgame/contract';
import type { Depths } from './depths.ts';
import type { Group, Groups } from './groups.ts';
import type { Turn } from './turn.ts';
import type { Text, Watcher } from './watcher.ts';

export interface FrameSources {
  clock: () => number;
  /** Something is left over for another turn. */
  wake: () => void;
}

const SILENCE_MS = 1900;
/** Images for one watcher in one turn, in characters: sixty whole matches at once would make any reader a slow one. */
const IMAGES_A_TURN = 200_000;

export class Frames {
  private readonly from: FrameSources;
  private readonly groups: Groups<Watcher>;
  private readonly turn: Turn;
  private readonly depths: Depths;
  /** Those with something missed. */
  private readonly behind = new Set<Watcher>();
  /** Prices are known to be old: every frame says so. */
  private late = false;

  constructor(from: FrameSources, groups: Groups<Watcher>, turn: Turn, depths: Depths) {
    this.from = from;
    this.groups = groups;
    this.turn = turn;
    this.depths = depths;
  }

  /** Answers whether that has changed. */
  setLate(late: boolean): boolean {
    const changed = this.late !== late;
    this.late = late;
    return changed;
  }

  /** Sends what the groups have collected, and to those who were behind what they missed. */
  flush(): void {
    const now = this.from.clock();
    for (const group of this.groups.all())
      if (group.parts.length > 0 || group.scores.length > 0) this.sendGroup(group, now);
    // Who is not done in this turn comes back into the set: that is for the next one.
    for (const watcher of Array.from(this.behind)) {
      if (!watcher.outlet.writable()) continue;
      this.behind.delete(watcher);
      this.sendMissedImages(watcher);
      if (watcher.hasMissedChanges()) this.sendOwn(watcher, null, now);
    }
    for (const watcher of this.depths.followers)
      if (watcher.dirtyDepths.size && watcher.outlet.writable()) this.sendOwn(watcher, null, now);
  }

  /** An empty frame to those who heard nothing for long, or to everybody. */
  breakSilence(watchers: Iterable<Watcher>, everybody: boolean): void {
    const now = this.from.clock();
    let text: Text | null = null;
    for (const watcher of watchers) {
      if ((!everybody && now - watcher.sentAt < SILENCE_MS) || !watcher.outlet.writable()) continue;
      text ??= this.frameText([], [], [], true);
      watcher.send('frame', text, now);
    }
  }

  sendImages(watcher: Watcher, matchIds: Iterable<number>): void {
    for (const id of matchIds) watcher.missedImages.add(id);
    if (watcher.outlet.writable()) this.sendMissedImages(watcher);
    else this.behind.add(watcher);
  }

  /** He gets what he missed with the next turn. */
  later(watcher: Watcher): void {
    this.behind.add(watcher);
  }

  leave(watcher: Watcher): void {
    this.behind.delete(watcher);
  }

  private sendGroup(group: Group<Watcher>, now: number): void {
    let text: Text | null = null;
    for (const watcher of group.members) {
      if (!watcher.outlet.writable()) {
        watcher.missChanges();
        this.behind.add(watcher);
        continue;
      }
      this.sendMissedImages(watcher);
      if (watcher.hasMissedChanges() || watcher.dirtyDepths.size) {
        this.sendOwn(watcher, group, now);
        continue;
      }
      text ??= this.frameText(
        group.parts.map((part) => part.json),
        group.scores.map((score) => score.json),
        [],
        group.members.size > 1,
      );
      watcher.send('frame', text, now);
    }
    group.parts = [];
    group.scores = [];
  }

  /** A frame of its own: images for what was missed, the ladders it follows, the group's changes for the rest. */
  private sendOwn(watcher: Watcher, group: Group<Watcher> | null, now: number): void {
    const { world } = watcher.outlet;
    const parts: string[] = [];
    for (const part of group?.parts ?? []) if (!watcher.missed.has(part.marketId)) parts.push(part.json);
    for (const marketId of watcher.missed) parts.push(this.turn.wholeJson(world, marketId));
    const scores: string[] = [];
    for (const score of group?.scores ?? []) if (!watcher.missedScores.has(score.eventId)) scores.push(score.json);
    for (const eventId of watcher.missedScores) {
      const json = this.turn.scoreJson(eventId);
      if (json !== null) scores.push(json);
    }
    watcher.missed.clear();
    watcher.missedScores.clear();
    watcher.send('frame', this.frameText(parts, scores, this.depths.take(watcher), false), now);
  }

  /** As many of the images a watcher waits for as one turn takes; the next turn goes on. */
  private sendMissedImages(watcher: Watcher): void {
    let room = Math.min(IMAGES_A_TURN, watcher.room.left());
    for (const matchId of watcher.missedImages) {
      if (room <= 0) {
        this.behind.add(watcher);
        this.from.wake();
        return;
      }
      watcher.missedImages.delete(matchId);
      const json = this.turn.imagesJson(watcher.outlet.world, matchId, watcher.group.full.has(matchId));
      if (json === null) continue;
      watcher.send(liveDataEvent(matchId), { json, shared: false }, this.from.clock());
      room -= json.length;
      watcher.room.take(json.length);
    }
  }

  private frameText(parts: string[], scores: string[], depths: string[], shared: boolean): Text {
    let json = `{"e":${this.turn.epoch()},"t":${this.from.clock()},"m":[${parts.join(',')}]`;
    if (scores.length) json += `,"sc":[${scores.join(',')}]`;
    if (depths.length) json += `,"x":[${depths.join(',')}]`;
    json += this.late ? ',"h":"late"}' : '}';
    return { json, shared };
  }
}
