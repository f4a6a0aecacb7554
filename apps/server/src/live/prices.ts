/**
 * Who watches which market, and what each gets: per watcher at most one frame every 100 ms with all its changed markets,
 * closing of betting at once, nothing while its transport is not writable (then the latest state, as images). A market's
 * sequence rises by one with every delta; texts are made once and shared (architecture 5, INV-12, FLT-08, FLT-18).
 */
import type { LiveImages, MarketImage } from '@fairgame/contract';
import { liveDataEvent } from '@fairgame/contract';
import type { ImageChange, Images, LiveEvent } from '../catalog/catalog.ts';
import type { World } from '../core/types.ts';
import { difference } from './delta.ts';

export interface Watch {
  /** Matches with all their markets. */
  full: number[];
  /** Matches with their main market only. */
  head: number[];
}

/** One socket, as far as prices go. `shared` is the same object for every outlet that gets the same text. */
export interface Outlet {
  readonly world: World;
  writable(): boolean;
  send(event: string, text: Text): void;
}
/** JSON text; `cache` is the sender's, for its encoded form. */
export interface Text {
  json: string;
  shared: boolean;
  cache?: unknown;
}

export interface PriceSources {
  images: Images;
  event(eventId: number): LiveEvent | undefined;
  headOf(eventId: number): number | undefined;
  clock(): number;
  /** Prices are known to be old. */
  late(): boolean;
  /** Something has changed since the last turn. */
  wake?(): void;
}

export interface Prices {
  watch(outlet: Outlet, watch: Watch): void;
  /** Sends the images of one watched match again. */
  resync(outlet: Outlet, matchId: number): boolean;
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

interface Published {
  seq: number;
  image: MarketImage;
  json: string | null;
}
interface Part {
  marketId: number;
  json: string;
}
interface Group {
  key: string;
  world: World;
  full: ReadonlySet<number>;
  head: ReadonlySet<number>;
  members: Set<Watcher>;
  parts: Part[];
  scores: Array<{ eventId: number; json: string }>;
}
interface Watcher {
  outlet: Outlet;
  group: Group;
  /** Markets and scores that changed while it could not be written to. */
  missed: Set<number>;
  missedScores: Set<number>;
  missedImages: Set<number>;
  depths: Map<string, { marketId: number; runnerId: number }>;
  dirtyDepths: Set<string>;
  sentAt: number;
}

export function createPrices(from: PriceSources): Prices {
  const { images } = from;
  const published: Record<World, Map<number, Published>> = { real: new Map(), demo: new Map() };
  const dirty: Record<World, Set<number>> = { real: new Set(), demo: new Set() };
  const urgent: Record<World, Set<number>> = { real: new Set(), demo: new Set() };
  const gone: Record<World, Map<number, number>> = { real: new Map(), demo: new Map() };
  /** The main market that those who watch only it were last told of, by match. */
  const headKnown: Record<World, Map<number, number>> = { real: new Map(), demo: new Map() };
  const dirtyScores = new Set<number>();
  const groups = new Map<string, Group>();
  const fullBy: Record<World, Map<number, Set<Group>>> = { real: new Map(), demo: new Map() };
  const headBy: Record<World, Map<number, Set<Group>>> = { real: new Map(), demo: new Map() };
  const depthBy: Record<World, Map<number, Set<Watcher>>> = { real: new Map(), demo: new Map() };
  const watchers = new Map<Outlet, Watcher>();
  /** Those with something missed. */
  const behind = new Set<Watcher>();
  const withDepth = new Set<Watcher>();
  let urgentTurn: NodeJS.Immediate | null = null;
  let late = false;

  const offChange = images.onChange(onImage);
  const offReload = images.onReload(() => {
    // Another epoch: every watcher gets images, sequences begin anew.
    for (const world of ['real', 'demo'] as const) {
      published[world].clear();
      dirty[world].clear();
      urgent[world].clear();
      gone[world].clear();
      headKnown[world].clear();
    }
    for (const watcher of watchers.values()) {
      watcher.missed.clear();
      for (const matchId of allMatches(watcher.group)) watcher.missedImages.add(matchId);
      behind.add(watcher);
    }
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
    const ladders = depthBy[world].get(marketId);
    if (ladders)
      for (const watcher of ladders)
        for (const runnerId of change.runnerIds) {
          const key = `${marketId}.${runnerId}`;
          if (watcher.depths.has(key)) watcher.dirtyDepths.add(key);
        }
    if (!change.urgent) return;
    urgent[world].add(marketId);
    // The rest of the same batch may belong to it: out with the turn, not in the middle of it.
    urgentTurn ??= setImmediate(() => {
      urgentTurn = null;
      for (const each of ['real', 'demo'] as const) {
        collect(each, urgent[each]);
        for (const id of urgent[each]) dirty[each].delete(id);
        urgent[each].clear();
      }
      flush();
    });
  }

  // ------------------------------------------------------------------------------------------------ publishing

  const targets = function* (world: World, marketId: number, eventId: number): Generator<Group> {
    yield* fullBy[world].get(eventId) ?? [];
    const heads = headBy[world].get(eventId);
    if (heads && from.headOf(eventId) === marketId) yield* heads;
  };
  const isWatched = (world: World, marketId: number, eventId: number): boolean =>
    targets(world, marketId, eventId).next().done !== true;

  /** Takes the market's present image as published; the text of what changed, or null when nothing did. */
  function publish(world: World, image: MarketImage): string | null {
    const held = published[world].get(image.id);
    if (!held) {
      published[world].set(image.id, { seq: 1, image, json: null });
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
  }

  function imageJson(world: World, marketId: number): string {
    const held = published[world].get(marketId)!;
    held.json ??= JSON.stringify(held.image);
    return held.json;
  }

  function collect(world: World, marketIds: Iterable<number>): void {
    for (const marketId of marketIds) {
      const image = images.image(world, marketId);
      if (!image || !isWatched(world, marketId, image.matchId)) continue;
      const json = publish(world, image);
      if (json === null) continue;
      for (const group of fullBy[world].get(image.matchId) ?? []) group.parts.push({ marketId, json });
      const heads = headBy[world].get(image.matchId);
      if (!heads || from.headOf(image.matchId) !== marketId) continue;
      // Another market has become the main one: those who watch only that have never seen it.
      const known = headKnown[world].get(image.matchId) === marketId;
      headKnown[world].set(image.matchId, marketId);
      const part = known ? json : wholeJson(world, marketId);
      for (const group of heads) group.parts.push({ marketId, json: part });
    }
  }

  function wholeJson(world: World, marketId: number): string {
    const { seq } = published[world].get(marketId)!;
    return `{"id":${marketId},"s":${seq},"b":${seq},"i":${imageJson(world, marketId)}}`;
  }

  function collectGone(world: World): void {
    for (const [marketId, eventId] of gone[world]) {
      const held = published[world].get(marketId);
      published[world].delete(marketId);
      const seq = held?.seq ?? 0;
      const part = { marketId, json: `{"id":${marketId},"s":${seq + 1},"b":${seq},"gone":true}` };
      for (const by of [fullBy, headBy]) for (const group of by[world].get(eventId) ?? []) group.parts.push(part);
    }
    gone[world].clear();
  }

  function collectScores(): void {
    for (const eventId of dirtyScores) {
      const live = from.event(eventId);
      if (!live?.score) continue;
      let json: string | null = null;
      for (const world of ['real', 'demo'] as const)
        for (const by of [fullBy, headBy])
          for (const group of by[world].get(eventId) ?? []) {
            json ??= scoreJson(live);
            group.scores.push({ eventId, json });
          }
    }
    dirtyScores.clear();
  }

  const scoreJson = (live: LiveEvent): string =>
    `{"id":${live.id},"s":${live.scoreSeq},"score":${JSON.stringify(live.score)}}`;

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
    for (const group of groups.values()) {
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
        } else {
          text ??= frameText(
            group.parts.map((part) => part.json),
            group.scores.map((score) => score.json),
            [],
            group.members.size > 1,
          );
          watcher.outlet.send('frame', text);
          watcher.sentAt = now;
        }
      }
      group.parts = [];
      group.scores = [];
    }
    for (const watcher of behind) {
      if (!watcher.outlet.writable()) continue;
      behind.delete(watcher);
      sendMissedImages(watcher);
      if (watcher.missed.size || watcher.missedScores.size) sendOwn(watcher, null, now);
    }
    for (const watcher of withDepth)
      if (watcher.dirtyDepths.size && watcher.outlet.writable()) sendOwn(watcher, null, now);
  }

  /** A frame of its own: images for what was missed, the ladders it follows, the group's changes for the rest. */
  function sendOwn(watcher: Watcher, group: Group | null, now: number): void {
    const { world } = watcher.outlet;
    const parts: string[] = [];
    for (const part of group?.parts ?? []) if (!watcher.missed.has(part.marketId)) parts.push(part.json);
    for (const marketId of watcher.missed) {
      const held = published[world].get(marketId);
      if (held) parts.push(wholeJson(world, marketId));
      else parts.push(`{"id":${marketId},"s":0,"b":0,"gone":true}`);
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

  function sendMissedImages(watcher: Watcher): void {
    for (const matchId of watcher.missedImages) sendImages(watcher, matchId);
    watcher.missedImages.clear();
  }

  // -------------------------------------------------------------------------------------------------- watching

  const allMatches = (group: Group): number[] => [...group.full, ...group.head];

  function imagesText(world: World, matchId: number, full: boolean): Text | null {
    const live = from.event(matchId);
    if (!live) return null;
    const head = from.headOf(matchId);
    const ids = full ? images.marketsOf(matchId) : head === undefined ? [] : [head];
    const list: string[] = [];
    const seqs: Record<number, number> = {};
    for (const marketId of ids) {
      const image = images.image(world, marketId);
      if (!image) continue;
      if (!published[world].has(marketId)) {
        // New since the last turn: the next one tells it to everyone who watches, this watcher too.
        if (dirty[world].has(marketId) && isWatched(world, marketId, matchId)) continue;
        publish(world, image);
      }
      if (!full && !headKnown[world].has(matchId)) headKnown[world].set(matchId, marketId);
      seqs[marketId] = published[world].get(marketId)!.seq;
      list.push(imageJson(world, marketId));
    }
    const rest: Omit<LiveImages, 'images'> = {
      e: images.epoch(),
      id: matchId,
      s: seqs,
      score: live.score,
      scoreSeq: live.scoreSeq,
      stopAt: live.stopAt === null ? null : new Date(live.stopAt).toISOString(),
    };
    return { json: `${JSON.stringify(rest).slice(0, -1)},"images":[${list.join(',')}]}`, shared: false };
  }

  function sendImages(watcher: Watcher, matchId: number): void {
    const text = imagesText(watcher.outlet.world, matchId, watcher.group.full.has(matchId));
    if (!text) return;
    watcher.outlet.send(liveDataEvent(matchId), text);
    watcher.sentAt = from.clock();
  }

  function groupFor(world: World, watch: Watch): Group {
    const full = [...new Set(watch.full)].sort((a, b) => a - b);
    const head = [...new Set(watch.head)].filter((id) => !full.includes(id)).sort((a, b) => a - b);
    const key = `${world} ${full.join(',')} ${head.join(',')}`;
    let group = groups.get(key);
    if (group) return group;
    group = {
      key,
      world,
      full: new Set(full),
      head: new Set(head),
      members: new Set(),
      parts: [],
      scores: [],
    };
    groups.set(key, group);
    for (const id of full) index(fullBy[world], id).add(group);
    for (const id of head) index(headBy[world], id).add(group);
    return group;
  }

  function leaveGroup(watcher: Watcher): void {
    const { group } = watcher;
    group.members.delete(watcher);
    if (group.members.size > 0) return;
    groups.delete(group.key);
    for (const [by, ids] of [
      [fullBy[group.world], group.full],
      [headBy[group.world], group.head],
    ] as const)
      for (const id of ids) {
        const set = by.get(id);
        set?.delete(group);
        if (set?.size === 0) by.delete(id);
      }
  }

  return {
    watch(outlet, watch) {
      const before = watchers.get(outlet);
      const known = new Set(before ? before.group.full : []);
      const knownHeads = new Set(before ? before.group.head : []);
      const world = outlet.world;
      const watcher: Watcher = before ?? {
        outlet,
        group: EMPTY,
        missed: new Set(),
        missedScores: new Set(),
        missedImages: new Set(),
        depths: new Map(),
        dirtyDepths: new Set(),
        sentAt: 0,
      };
      if (before) leaveGroup(before);
      const fresh = [...new Set(watch.full)].filter((id) => !known.has(id));
      const freshHeads = watch.head.filter((id) => !known.has(id) && !knownHeads.has(id));
      for (const id of [...fresh, ...freshHeads]) prepare(world, id);
      watcher.group = groupFor(world, watch);
      watcher.group.members.add(watcher);
      watchers.set(outlet, watcher);
      for (const id of [...watcher.missed]) {
        const image = images.image(world, id);
        if (image && !watcher.group.full.has(image.matchId) && !watcher.group.head.has(image.matchId))
          watcher.missed.delete(id);
      }
      for (const id of new Set([...fresh, ...freshHeads])) sendImages(watcher, id);
      if (watcher.sentAt === 0) watcher.sentAt = from.clock();
    },
    resync(outlet, matchId) {
      const watcher = watchers.get(outlet);
      if (!watcher || !(watcher.group.full.has(matchId) || watcher.group.head.has(matchId))) return false;
      if (watcher.outlet.writable()) sendImages(watcher, matchId);
      else {
        watcher.missedImages.add(matchId);
        behind.add(watcher);
      }
      return true;
    },
    depth(outlet, marketId, runnerId, on) {
      const watcher = watchers.get(outlet);
      if (!watcher) return false;
      const key = `${marketId}.${runnerId}`;
      const set = index(depthBy[outlet.world], marketId);
      if (on) {
        if (watcher.depths.size >= MOST_DEPTHS && !watcher.depths.has(key)) return false;
        if (!images.depth(outlet.world, marketId, runnerId)) return false;
        watcher.depths.set(key, { marketId, runnerId });
        watcher.dirtyDepths.add(key);
        set.add(watcher);
        withDepth.add(watcher);
        return true;
      }
      watcher.depths.delete(key);
      watcher.dirtyDepths.delete(key);
      if (![...watcher.depths.values()].some((one) => one.marketId === marketId)) set.delete(watcher);
      if (watcher.depths.size === 0) withDepth.delete(watcher);
      if (set.size === 0) depthBy[outlet.world].delete(marketId);
      return true;
    },
    leave(outlet) {
      const watcher = watchers.get(outlet);
      if (!watcher) return;
      leaveGroup(watcher);
      watchers.delete(outlet);
      behind.delete(watcher);
      withDepth.delete(watcher);
      for (const { marketId } of watcher.depths.values()) {
        const set = depthBy[outlet.world].get(marketId);
        set?.delete(watcher);
        if (set?.size === 0) depthBy[outlet.world].delete(marketId);
      }
    },
    watched(outlet) {
      const group = watchers.get(outlet)?.group;
      return { full: [...(group?.full ?? [])], head: [...(group?.head ?? [])] };
    },
    isWatched: (eventId) => fullBy.real.has(eventId) || fullBy.demo.has(eventId),
    tick() {
      const wasLate = late;
      late = from.late();
      for (const world of ['real', 'demo'] as const) {
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
      for (const world of ['real', 'demo'] as const)
        for (const by of [fullBy, headBy])
          for (const group of by[world].get(eventId) ?? [])
            for (const watcher of group.members) {
              watcher.missedImages.add(eventId);
              behind.add(watcher);
            }
    },
    stop() {
      offChange();
      offReload();
      if (urgentTurn) clearImmediate(urgentTurn);
    },
  };

  /** Brings markets nobody watches to their newest state, so that their sequence stands before a watcher joins. */
  function prepare(world: World, matchId: number): void {
    for (const marketId of images.marketsOf(matchId)) {
      const image = images.image(world, marketId);
      if (image && !isWatched(world, marketId, matchId)) publish(world, image);
    }
  }
}

const EMPTY: Group = {
  key: '',
  world: 'real',
  full: new Set(),
  head: new Set(),
  members: new Set(),
  parts: [],
  scores: [],
};

function index<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  let set = map.get(key);
  if (!set) {
    set = new Set();
    map.set(key, set);
  }
  return set;
}
