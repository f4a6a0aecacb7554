/**
 * The simulated slate as one plain value: create it, let it go on to a later moment, take what there is to tell.
 * The play (scores, results, ids, market openings) depends on the seed and the start alone; the small movements of
 * prices also on how often and for whom the slate was asked.
 */
import type { FeedOutput } from '../feed.ts';
import { type Ctx, emitImage, emitScore, type Ids, isBook, openAnew, openIfDue, quoteBook } from './desk.ts';
import { LANES, priceEvent, type SimEvent, scoreOf, slotFrom, slotStart, startEvent, stepEvent } from './lanes.ts';
import { uniform } from './rng.ts';

export type { Ids } from './desk.ts';

/** Slates of another version drew from other streams and cannot go on. */
export const SLATE_VERSION = 2;

export interface Slate {
  version: typeof SLATE_VERSION;
  seed: string;
  now: number;
  /** The largest id handed out so far. */
  lastId: number;
  events: SimEvent[];
  competitions: Record<string, number>;
  /** By lane: the next slot to come near, and the next featured one further off. */
  near: number[];
  far: number[];
  /** Nothing has been told yet. */
  fresh: boolean;
}

/** Play that began before the start is played silently up to it: events in play at start-up are mid-match. */
export function createSlate(seed: string, startMs: number, ids: Ids): Slate {
  const slate: Slate = {
    version: SLATE_VERSION,
    seed,
    now: startMs - Math.max(...LANES.map((lane) => lane.longestMs)),
    lastId: 0,
    events: [],
    competitions: {},
    near: LANES.map((lane) => slotFrom(lane, startMs - lane.longestMs)),
    far: LANES.map((lane) => {
      const first = slotFrom(lane, startMs - lane.longestMs);
      return Math.ceil(first / lane.featureEvery) * lane.featureEvery;
    }),
    fresh: true,
  };
  const silent: Ctx = { ids: counted(slate, ids), out: [] };
  play(slate, silent, startMs);
  slate.events = slate.events.filter((sim) => !sim.closed);
  slate.now = startMs;
  return slate;
}

/** Goes on to `toMs` and returns all there is to tell since the last call. The first call tells everything. */
export function advance(
  slate: Slate,
  toMs: number,
  ids: Ids,
  watched: (eventId: number) => boolean = () => false,
): FeedOutput[] {
  const ctx: Ctx = { ids: counted(slate, ids), out: [] };
  if (slate.fresh) {
    for (const sim of slate.events) {
      emitImage(ctx, sim);
      sim.quotedAt = slate.now;
    }
    slate.fresh = false;
  }
  play(slate, ctx, toMs);
  slate.now = toMs;
  for (const sim of slate.events) flush(ctx, sim, toMs, watched(sim.event.eventId));
  slate.events = slate.events.filter((sim) => !sim.closed);
  return ctx.out;
}

/** How many events and open markets there are, and how many of them in play. */
export function countSlate(slate: Slate): { events: number; inPlay: number; markets: number } {
  return {
    events: slate.events.length,
    inPlay: slate.events.filter((sim) => sim.inPlay).length,
    markets: slate.events.reduce((sum, sim) => sum + sim.markets.length, 0),
  };
}

export function saveSlate(slate: Slate): string {
  return JSON.stringify(slate);
}

/**
 * A stored slate, to go on from. The core may have heard more or less than the slate remembers, and comes back with its
 * in-play markets suspended: so every open market is opened again with all its prices at the next `advance`. The ids
 * given to `advance` must go on after `lastId`. Throws when the text is not a slate of this version.
 */
export function loadSlate(text: string): Slate {
  const slate = JSON.parse(text) as Slate;
  if (slate.version !== SLATE_VERSION) throw new Error('not a stored slate of this version');
  for (const sim of slate.events) openAnew(sim);
  return slate;
}

/** The next `advance` tells all prices of these markets, changed or not. */
export function priceAnew(slate: Slate, marketIds: ReadonlySet<number>): void {
  for (const sim of slate.events) {
    const asked = sim.markets.filter((market) => marketIds.has(market.def.marketId));
    if (asked.length === 0) continue;
    for (const market of asked) {
      market.sent.fill(null);
      // What was sent of the rows stays known: a ball may start before the next prices, and shuts every row that stands.
      market.renew = true;
    }
    sim.dirty = true;
  }
}

/** Everything that happens up to and at `toMs`, strictly in order of time. */
function play(slate: Slate, ctx: Ctx, toMs: number): void {
  for (;;) {
    let at = toMs;
    let event: SimEvent | null = null;
    for (const sim of slate.events) {
      if (sim.closed || sim.nextAt > at || (event && sim.nextAt === at)) continue;
      at = sim.nextAt;
      event = sim;
    }
    const due = nextSlot(slate, event ? at : toMs);
    if (due) add(slate, ctx, due);
    else if (event) stepEvent(ctx, event);
    else return;
  }
}

/** The earliest slot that comes onto the slate at or before `at`. */
function nextSlot(slate: Slate, at: number): { lane: number; slot: number; when: number } | null {
  let best: { lane: number; slot: number; when: number } | null = null;
  LANES.forEach((lane, i) => {
    const near = { lane: i, slot: slate.near[i]!, when: slotStart(lane, slate.near[i]!) - lane.aheadMs };
    const far = { lane: i, slot: slate.far[i]!, when: slotStart(lane, slate.far[i]!) - lane.featureAheadMs };
    for (const due of [near, far]) {
      if (due.when <= at && (best === null || due.when < best.when)) best = due;
    }
  });
  return best;
}

function add(slate: Slate, ctx: Ctx, due: { lane: number; slot: number; when: number }): void {
  const lane = LANES[due.lane]!;
  if (slate.near[due.lane] === due.slot) slate.near[due.lane]!++;
  if (slate.far[due.lane] === due.slot) slate.far[due.lane]! += lane.featureEvery;
  if (slate.events.some((sim) => sim.lane === due.lane && sim.slot === due.slot)) return;
  const now = Math.max(due.when, slate.now);
  const before = ctx.out.length;
  const sim = startEvent(ctx, slate.seed, due.lane, due.slot, now, slate.events, (name) => {
    slate.competitions[name] ??= ctx.ids.next();
    return slate.competitions[name]!;
  });
  // The event is told before its markets.
  ctx.out.splice(before, 0, { type: 'event', event: structuredClone(sim.event) });
  sim.quotedAt = now - 20_000 * uniform(sim.noise);
  slate.events.push(sim);
}

function flush(ctx: Ctx, sim: SimEvent, now: number, watched: boolean): void {
  if (sim.scoreDirty) emitScore(ctx, sim, scoreOf(sim));
  if (sim.closed) {
    ctx.out.push({ type: 'eventClosed', eventId: sim.event.eventId });
    return;
  }
  const since = now - sim.quotedAt;
  if (!sim.dirty && since < tickMs(sim, now, watched)) return;
  if (sim.dirty) priceEvent(ctx, sim);
  sim.dirty = false;
  sim.quotedAt = now;
  for (const market of sim.markets) {
    if (isBook(market)) quoteBook(ctx, sim, market, Math.max(0, since), watched);
    else openIfDue(ctx, market);
  }
}

/** How often prices move by themselves. */
function tickMs(sim: SimEvent, now: number, watched: boolean): number {
  if (watched) return sim.inPlay ? 200 : 1000;
  if (sim.inPlay) return 4000;
  return sim.event.startAt - now < 15 * 60_000 ? 5000 : 30_000;
}

function counted(slate: Slate, ids: Ids): Ids {
  return {
    next: () => {
      slate.lastId = ids.next();
      return slate.lastId;
    },
  };
}
