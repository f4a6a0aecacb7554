/**
 * What each watcher of prices gets: at most one frame a turn with all its changed markets, closing of betting at once,
 * nothing while its transport is not writable (then the latest state, as images). Texts are made once and shared
 * (architecture 5, INV-12, FLT-08, FLT-18).
 */
import { type LiveImages, liveDataEvent, type MarketImage } from '@fairgame/contract';
import type { ImageChange, Images, LiveEvent } from '../catalog/catalog.ts';
import { ALL_WORLDS, perWorld, type World } from '../core/core.ts';
import { createStore, type Store } from './gate.ts';
import { createGroups, type Group, removeFrom, setOf, type Watch } from './groups.ts';
import { createPublished } from './published.ts';

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

export interface PriceSources {
  images: Images;
  event: (eventId: number) => LiveEvent | undefined;
  headOf: (eventId: number) => number | undefined;
  clock: () => number;
  /** Prices are known to be old. */
  late: () => boolean;
  /** Something has changed since the last turn. */
  wake?: () => void;
  /** Milliseconds that only go on, for paces; the process's own unless given. */
  elapsed?: () => number;
}

export interface Prices {
  watch(outlet: Outlet, watch: Watch): void;
  /** Sends the images of watched matches again; false when none of them is watched. */
  resync(outlet: Outlet, matchIds: readonly number[]): boolean;
  /** Follows the full ladder of a runner; false when there are too many or it is not known. */
  depth(outlet: Outlet, marketId: number, runnerId: number, on: boolean): boolean;
  leave(outlet: Outlet): void;
  watched(outlet: Outlet): Watch;
  /** Whether any outlet watches the event's page. */
  isWatched(eventId: number): boolean;
  /** One turn: to be called soon after `wake`, at most every 100 ms, and every second or so when nothing changes. */
  tick(): void;
  scoreChanged(eventId: number): void;
  eventClosed(eventId: number): void;
  stop(): void;
}

const SILENCE_MS = 1900;
const MOST_DEPTHS = 8;
/** Images for one watcher in one turn, in characters: sixty whole matches at once would make any reader a slow one. */
const IMAGES_A_TURN = 200_000;
/** And in all: whoever changes what he watches again and again waits for his own images, nobody else does. */
const IMAGES_AT_ONCE = 2_000_000;
const IMAGES_A_SECOND = 100_000;

interface Watcher {
  outlet: Outlet;
  group: Group<Watcher>;
  /** Markets and scores that changed while it could not be written to, and matches whose images it waits for. */
  missed: Set<number>;
  missedScores: Set<number>;
  missedImages: Set<number>;
  /** Characters of images he may still ask for. */
  room: Store;
  depths: Map<string, { marketId: number; runnerId: number }>;
  dirtyDepths: Set<string>;
  sentAt: number;
}

export function createPrices(from: PriceSources): Prices {
  const { images } = from;
  const published = createPublished();
  const groups = createGroups<Watcher>();
  const dirty = perWorld(() => new Set<number>());
  const urgent = perWorld(() => new Set<number>());
  /** Market to its event. */
  const gone = perWorld(() => new Map<number, number>());
  /** The main market that those who watch only it were last told of, by match. */
  const headKnown = perWorld(() => new Map<number, number>());
  const dirtyScores = new Set<number>();
  const watchers = new Map<Outlet, Watcher>();
  /** Those with something missed. */
  const behind = new Set<Watcher>();
  const withDepth = new Set<Watcher>();
  const depthBy = perWorld(() => new Map<number, Set<Watcher>>());
  let urgentTurn: NodeJS.Immediate | null = null;
  let late = false;

  const offChange = images.onChange(onImage);
  const offReload = images.onReload(() => {
    // Another epoch: every watcher gets images, sequences begin anew.
    published.clear();
    for (const world of ALL_WORLDS) for (const each of [dirty, urgent, gone, headKnown]) each[world].clear();
    for (const watcher of watchers.values()) {
      watcher.missed.clear();
      for (const matchId of [...watcher.group.full, ...watcher.group.head]) watcher.missedImages.add(matchId);
      behind.add(watcher);
    }
    from.wake?.();
  });

  function onImage(change: ImageChange): void {
    const { world, marketId } = change;
    from.wake?.();
    if (change.gone) {
      gone[world].set(marketId, change.eventId);
      dirty[world].delete(marketId);
      urgent[world].delete(marketId);
      return;
    }
    dirty[world].add(marketId);
    for (const watcher of depthBy[world].get(marketId) ?? [])
      for (const runnerId of change.runnerIds) {
        const key = `${marketId}.${runnerId}`;
        if (watcher.depths.has(key)) watcher.dirtyDepths.add(key);
      }
    if (!change.urgent) return;
    urgent[world].add(marketId);
    // The rest of the same batch may belong to it: out with the turn, not in the middle of it.
    urgentTurn ??= setImmediate(() => {
      urgentTurn = null;
      for (const each of ALL_WORLDS) {
        collect(each, urgent[each]);
        for (const id of urgent[each]) dirty[each].delete(id);
        urgent[each].clear();
      }
      flush();
    });
  }

  // ------------------------------------------------------------------------------------------------ collecting

  function isWatched(world: World, marketId: number, eventId: number): boolean {
    return groups.hasFull(world, eventId) || (groups.hasHead(world, eventId) && from.headOf(eventId) === marketId);
  }

  function collect(world: World, marketIds: Iterable<number>): void {
    for (const marketId of marketIds) {
      const image = images.image(world, marketId);
      if (!image || !isWatched(world, marketId, image.matchId)) continue;
      const json = published.publish(world, image);
      if (json !== null) handOut(world, image, json);
    }
  }

  function handOut(world: World, { id: marketId, matchId }: MarketImage, json: string): void {
    for (const group of groups.full(world, matchId)) group.parts.push({ marketId, json });
    if (!groups.hasHead(world, matchId) || from.headOf(matchId) !== marketId) return;
    // Another market has become the main one: those who watch only that have never seen it.
    const part = headKnown[world].get(matchId) === marketId ? json : published.wholeJson(world, marketId);
    headKnown[world].set(matchId, marketId);
    for (const group of groups.head(world, matchId)) group.parts.push({ marketId, json: part });
  }

  function collectGone(world: World): void {
    for (const [marketId, eventId] of gone[world]) {
      const json = published.goneJson(world, marketId);
      for (const group of groups.both(world, eventId)) group.parts.push({ marketId, json });
    }
    gone[world].clear();
  }

  function collectScores(): void {
    for (const eventId of dirtyScores) {
      const live = from.event(eventId);
      if (!live?.score) continue;
      const watching = ALL_WORLDS.flatMap((world) => [...groups.both(world, eventId)]);
      if (watching.length === 0) continue;
      const json = scoreJson(live);
      for (const group of watching) group.scores.push({ eventId, json });
    }
    dirtyScores.clear();
  }

  // --------------------------------------------------------------------------------------------------- sending

  function frameText(parts: string[], scores: string[], depths: string[], shared: boolean): Text {
    let json = `{"e":${images.epoch()},"t":${from.clock()},"m":[${parts.join(',')}]`;
    if (scores.length) json += `,"sc":[${scores.join(',')}]`;
    if (depths.length) json += `,"x":[${depths.join(',')}]`;
    json += late ? ',"h":"late"}' : '}';
    return { json, shared };
  }

  /** Sends what the groups have collected, and to those who were behind what they missed. */
  function flush(): void {
    const now = from.clock();
    for (const group of groups.all()) {
      if (group.parts.length === 0 && group.scores.length === 0) continue;
      let text: Text | null = null;
      for (const watcher of group.members) {
        if (!watcher.outlet.writable()) {
          for (const part of group.parts) watcher.missed.add(part.marketId);
          for (const score of group.scores) watcher.missedScores.add(score.eventId);
          behind.add(watcher);
          continue;
        }
        sendMissedImages(watcher);
        if (watcher.missed.size || watcher.missedScores.size || watcher.dirtyDepths.size) {
          sendOwn(watcher, group, now);
          continue;
        }
        text ??= frameText(
          group.parts.map((part) => part.json),
          group.scores.map((score) => score.json),
          [],
          group.members.size > 1,
        );
        watcher.outlet.send('frame', text);
        watcher.sentAt = now;
      }
      group.parts = [];
      group.scores = [];
    }
    // Who is not done in this turn comes back into the set: that is for the next one.
    const due = Array.from(behind);
    for (const watcher of due) {
      if (!watcher.outlet.writable()) continue;
      behind.delete(watcher);
      sendMissedImages(watcher);
      if (watcher.missed.size || watcher.missedScores.size) sendOwn(watcher, null, now);
    }
    for (const watcher of withDepth)
      if (watcher.dirtyDepths.size && watcher.outlet.writable()) sendOwn(watcher, null, now);
  }

  /** A frame of its own: images for what was missed, the ladders it follows, the group's changes for the rest. */
  function sendOwn(watcher: Watcher, group: Group<Watcher> | null, now: number): void {
    const { world } = watcher.outlet;
    const parts: string[] = [];
    for (const part of group?.parts ?? []) if (!watcher.missed.has(part.marketId)) parts.push(part.json);
    for (const marketId of watcher.missed) {
      const known = published.has(world, marketId);
      parts.push(known ? published.wholeJson(world, marketId) : published.goneJson(world, marketId));
    }
    const scores: string[] = [];
    for (const score of group?.scores ?? []) if (!watcher.missedScores.has(score.eventId)) scores.push(score.json);
    for (const eventId of watcher.missedScores) {
      const live = from.event(eventId);
      if (live?.score) scores.push(scoreJson(live));
    }
    const depths: string[] = [];
    for (const key of watcher.dirtyDepths) {
      const asked = watcher.depths.get(key);
      const image = asked && images.depth(world, asked.marketId, asked.runnerId);
      if (image) depths.push(JSON.stringify(image));
    }
    watcher.missed.clear();
    watcher.missedScores.clear();
    watcher.dirtyDepths.clear();
    watcher.outlet.send('frame', frameText(parts, scores, depths, false));
    watcher.sentAt = now;
  }

  /** As many of the images a watcher waits for as one turn takes; the next turn goes on. */
  function sendMissedImages(watcher: Watcher): void {
    let room = Math.min(IMAGES_A_TURN, watcher.room.left());
    for (const matchId of watcher.missedImages) {
      if (room <= 0) {
        behind.add(watcher);
        from.wake?.();
        return;
      }
      watcher.missedImages.delete(matchId);
      const json = imagesJson(watcher.outlet.world, matchId, watcher.group.full.has(matchId));
      if (json === null) continue;
      watcher.outlet.send(liveDataEvent(matchId), { json, shared: false });
      watcher.sentAt = from.clock();
      room -= json.length;
      watcher.room.take(json.length);
    }
  }

  function sendImages(watcher: Watcher, matchIds: Iterable<number>): void {
    for (const id of matchIds) watcher.missedImages.add(id);
    if (watcher.outlet.writable()) sendMissedImages(watcher);
    else behind.add(watcher);
  }

  /** The images as last told, so that the next delta fits them. */
  function imagesJson(world: World, matchId: number, full: boolean): string | null {
    const live = from.event(matchId);
    if (!live) return null;
    const head = from.headOf(matchId);
    const list: string[] = [];
    const seqs: Record<number, number> = {};
    for (const marketId of full ? images.marketsOf(matchId) : head === undefined ? [] : [head]) {
      const image = images.image(world, marketId);
      if (!image) continue;
      if (!published.has(world, marketId)) {
        // New since the last turn: the next one tells it to everyone who watches, this watcher too.
        if (dirty[world].has(marketId) && isWatched(world, marketId, matchId)) continue;
        published.publish(world, image);
      }
      if (!full && !headKnown[world].has(matchId)) headKnown[world].set(matchId, marketId);
      seqs[marketId] = published.seq(world, marketId);
      list.push(published.imageJson(world, marketId));
    }
    const rest: Omit<LiveImages, 'images'> = {
      e: images.epoch(),
      t: from.clock(),
      id: matchId,
      full,
      s: seqs,
      score: live.score,
      scoreSeq: live.scoreSeq,
      stopAt: live.stopAt === null ? null : new Date(live.stopAt).toISOString(),
    };
    return `${JSON.stringify(rest).slice(0, -1)},"images":[${list.join(',')}]}`;
  }

  /** Brings markets nobody watches to their newest state, so that their sequence stands before a watcher joins. */
  function prepare(world: World, matchId: number): void {
    for (const marketId of images.marketsOf(matchId)) {
      const image = images.image(world, marketId);
      if (image && !isWatched(world, marketId, matchId)) published.publish(world, image);
    }
  }

  return {
    watch(outlet, watch) {
      const before = watchers.get(outlet);
      if (before) groups.leave(before, before.group);
      const known = before ? before.group : null;
      const fresh = [...new Set(watch.full)].filter((id) => !known?.full.has(id));
      const freshHeads = watch.head.filter((id) => !known?.full.has(id) && !known?.head.has(id));
      const matchIds = new Set([...fresh, ...freshHeads]);
      for (const id of matchIds) prepare(outlet.world, id);
      const group = groups.of(outlet.world, watch);
      const watcher = before ?? newWatcher(outlet, group, from);
      watcher.group = group;
      group.members.add(watcher);
      watchers.set(outlet, watcher);
      for (const id of watcher.missed) {
        const matchId = images.image(outlet.world, id)?.matchId;
        if (matchId !== undefined && !watcher.group.full.has(matchId) && !watcher.group.head.has(matchId))
          watcher.missed.delete(id);
      }
      for (const id of watcher.missedImages)
        if (!group.full.has(id) && !group.head.has(id)) watcher.missedImages.delete(id);
      sendImages(watcher, matchIds);
    },
    resync(outlet, matchIds) {
      const watcher = watchers.get(outlet);
      const watched = matchIds.filter((id) => watcher?.group.full.has(id) || watcher?.group.head.has(id));
      if (!watcher || watched.length === 0) return false;
      sendImages(watcher, watched);
      return true;
    },
    depth(outlet, marketId, runnerId, on) {
      const watcher = watchers.get(outlet);
      if (!watcher) return false;
      const key = `${marketId}.${runnerId}`;
      if (on) {
        if (watcher.depths.size >= MOST_DEPTHS && !watcher.depths.has(key)) return false;
        if (!images.depth(outlet.world, marketId, runnerId)) return false;
        watcher.depths.set(key, { marketId, runnerId });
        watcher.dirtyDepths.add(key);
        setOf(depthBy[outlet.world], marketId).add(watcher);
        withDepth.add(watcher);
        from.wake?.();
        return true;
      }
      watcher.depths.delete(key);
      watcher.dirtyDepths.delete(key);
      if (![...watcher.depths.values()].some((one) => one.marketId === marketId))
        removeFrom(depthBy[outlet.world], marketId, watcher);
      if (watcher.depths.size === 0) withDepth.delete(watcher);
      return true;
    },
    leave(outlet) {
      const watcher = watchers.get(outlet);
      if (!watcher) return;
      groups.leave(watcher, watcher.group);
      watchers.delete(outlet);
      behind.delete(watcher);
      withDepth.delete(watcher);
      for (const { marketId } of watcher.depths.values()) removeFrom(depthBy[outlet.world], marketId, watcher);
    },
    watched(outlet) {
      const group = watchers.get(outlet)?.group;
      return { full: [...(group?.full ?? [])], head: [...(group?.head ?? [])] };
    },
    isWatched: (eventId) => ALL_WORLDS.some((world) => groups.hasFull(world, eventId)),
    tick() {
      const wasLate = late;
      late = from.late();
      for (const world of ALL_WORLDS) {
        collectGone(world);
        collect(world, dirty[world]);
        dirty[world].clear();
        urgent[world].clear();
      }
      collectScores();
      flush();
      const now = from.clock();
      let text: Text | null = null;
      for (const watcher of watchers.values()) {
        if ((late === wasLate && now - watcher.sentAt < SILENCE_MS) || !watcher.outlet.writable()) continue;
        text ??= frameText([], [], [], true);
        watcher.outlet.send('frame', text);
        watcher.sentAt = now;
      }
    },
    scoreChanged(eventId) {
      dirtyScores.add(eventId);
      from.wake?.();
    },
    eventClosed(eventId) {
      for (const world of ALL_WORLDS)
        for (const group of groups.both(world, eventId))
          for (const watcher of group.members) {
            watcher.missedImages.add(eventId);
            behind.add(watcher);
          }
      from.wake?.();
    },
    stop() {
      offChange();
      offReload();
      if (urgentTurn) clearImmediate(urgentTurn);
    },
  };
}

function newWatcher(outlet: Outlet, group: Group<Watcher>, { clock, elapsed }: PriceSources): Watcher {
  return {
    outlet,
    group,
    missed: new Set(),
    missedScores: new Set(),
    missedImages: new Set(),
    room: createStore(IMAGES_AT_ONCE, IMAGES_A_SECOND, elapsed ?? (() => performance.now())),
    depths: new Map(),
    dirtyDepths: new Set(),
    sentAt: clock(),
  };
}

const scoreJson = (live: LiveEvent): string =>
  `{"id":${live.id},"s":${live.scoreSeq},"score":${JSON.stringify(live.score)}}`;
