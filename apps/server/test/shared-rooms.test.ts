/** Rooms of a site of several processes, each on an end of its own of one bus: what is done at one holds at the others. */
import { performance } from 'node:perf_hooks';
import type { CardTable } from '@fairgame/contract';
import type { Event, MarketDef, MarketView } from '@fairgame/exchange';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Ground } from '../src/app/ground.ts';
import { SharedFeed } from '../src/app/shared-feed.ts';
import { sharePace } from '../src/app/shared-pace.ts';
import { type Bus, LocalHub } from '../src/bus/bus.ts';
import { SharedTable } from '../src/casino/shared-table.ts';
import type { Table } from '../src/casino/table.ts';
import { type Catalog, createCatalog } from '../src/catalog/catalog.ts';
import type { Committed, Core } from '../src/core/types.ts';
import { type Db, silent } from '../src/db/db.ts';
import type { FeedEvent } from '../src/feed/feed.ts';
import type { PaceTogether } from '../src/http/http.ts';
import { createHolds } from '../src/operator/operator.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});
const stops: Array<() => unknown> = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
const turns = () => vi.advanceTimersByTimeAsync(1);
const nothing = { query: () => Promise.resolve([]) } as unknown as Db;

const match: FeedEvent = {
  eventId: 7,
  matchType: 'football',
  title: 'Rovers v United',
  competitionId: 1,
  competitionName: 'League',
  startAt: 1000,
  teamA: 'Rovers',
  teamB: 'United',
  isTv: false,
  beventId: 'b7',
  gmid: '',
};
const view = (marketId: number): MarketView & MarketDef =>
  ({
    marketId,
    eventId: 7,
    kind: 'book',
    name: `Market ${marketId}`,
    status: 'OPEN',
    reason: '',
    inPlay: false,
    runners: [{ runnerId: 1, name: 'Rovers', status: 'ACTIVE' }],
    result: null,
  }) as unknown as MarketView & MarketDef;

async function catalogOn(hub: LocalHub, owner: string, decides: boolean) {
  const bus = hub.bus();
  let told: (batch: Committed) => void = () => {};
  const core = {
    read: { worlds: () => ['real'], markets: () => [] },
    health: () => ({ epoch: 1 }),
    onCommitted(listener: (batch: Committed) => void) {
      told = listener;
      return () => {};
    },
  } as unknown as Core;
  const catalog: Catalog = await createCatalog({
    db: nothing,
    core,
    clock: () => 5000,
    log: silent,
    others: { bus, owner, decides },
  });
  stops.push(() => catalog.stop());
  const changes: string[] = [];
  catalog.onChange(({ type }) => changes.push(type));
  const commit = (...events: Event[]) =>
    told({
      epoch: 1,
      items: [{ seq: 1, at: 0, world: 'real', actor: 'feed', command: { type: 'clock' }, events }],
    });
  return { bus, catalog, changes, commit };
}

it('what the feed tells of matches, scores and places stands on every gateway, and on one that comes later', async () => {
  const hub = new LocalHub();
  const feed = await catalogOn(hub, 'feed', true);
  const gateway = await catalogOn(hub, 'gateway', false);
  feed.catalog.addEvent(match);
  feed.catalog.addMarket(view(11), { sno: 2, marketType: 'matchOdd' });
  feed.catalog.addMarket(view(12), { sno: 1, marketType: 'matchOdd' });
  feed.catalog.setScore(7, { sport: 'politics', note: 'Half of the votes', polls: [] });
  // The core's word may be faster than the names: they are put in order when they come.
  for (const { commit } of [feed, gateway]) commit({ type: 'market', market: view(11) } as Event);
  for (const { commit } of [feed, gateway]) commit({ type: 'market', market: view(12) } as Event);
  await feed.catalog.flush();
  await turns();
  const later = await catalogOn(hub, 'later', false);
  await turns();
  for (const { catalog } of [gateway, later]) {
    expect(catalog.event(7)).toMatchObject({ startAt: 1000, stopAt: null, event: match });
    expect(catalog.event(7)?.score).toEqual(feed.catalog.event(7)?.score);
    expect(catalog.place(12)).toEqual(feed.catalog.place(12));
  }
  expect(gateway.catalog.images.marketsOf(7)).toEqual([12, 11]);
  expect(gateway.catalog.images.image('real', 11)?.sno).toBe(200);
  expect(gateway.changes).toEqual(['added', 'score']);

  // An operator on a gateway moves the start, the feed ends it.
  gateway.catalog.moveStart(7, 9000, false);
  await turns();
  expect(feed.catalog.event(7)?.startAt).toBe(9000);
  feed.catalog.closeEvent(7, 12_000);
  await turns();
  expect(gateway.catalog.event(7)).toMatchObject({ startAt: 9000, stopAt: 12_000 });
  expect(gateway.catalog.openEvents()).toEqual([]);
  expect(gateway.changes).toEqual(['added', 'score', 'closed']);
});

it('a match made by hand ends by the word of one process; what could not be told comes when the bus is back', async () => {
  const hub = new LocalHub();
  const feed = await catalogOn(hub, 'feed', true);
  const gateway = await catalogOn(hub, 'gateway', false);
  gateway.catalog.addEvent(match);
  gateway.catalog.addMarket(view(11), undefined, 'operator');
  await turns();
  feed.bus.join(false);
  for (const { commit } of [gateway, feed]) {
    commit({ type: 'market', market: view(11) } as Event);
    commit({ type: 'market', market: { ...view(11), status: 'CLOSED' } } as Event);
  }
  await turns();
  expect(feed.catalog.event(7)?.stopAt).toBe(5000);
  expect(gateway.catalog.event(7)?.stopAt).toBeNull();
  feed.bus.join(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(gateway.catalog.event(7)?.stopAt).toBe(5000);
});

it('a market held at one gateway is held at all, until it is released', async () => {
  const hub = new LocalHub();
  const [here, there] = [await createHolds(nothing, hub.bus(), silent), await createHolds(nothing, hub.bus(), silent)];
  const held = here.hold([11], 0, 'Under review');
  await turns();
  expect(there.isHeld(11)).toBe(true);
  await held;
  await here.release([11]);
  await turns();
  expect(there.isHeld(11)).toBe(false);
});

/** A table as one process plays it, so far as others can see. */
function playedBy(owner: string) {
  const listeners = new Set<() => void>();
  const table = {
    watchers: 0,
    words: [] as string[],
    stopped: false,
    round: { phase: 'OPEN', betId: 70, window: 1, endsAt: 3000 },
    view: () => ({ code: 'teen', name: owner, round: table.round, now: 0 }) as unknown as CardTable,
    betting: () => ({ marketId: 70, window: 1 }),
    choose: (selectionId: number, pick: readonly number[]) => Promise.resolve(selectionId + pick.length),
    addWord(_mid: string, _who: string, word: string) {
      table.words.push(word);
      return 2;
    },
    watched(by: 1 | -1) {
      table.watchers += by;
    },
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      table.stopped = true;
      return Promise.resolve();
    },
    changed() {
      for (const listener of listeners) listener();
    },
  };
  return table;
}

it('a card table is played by one process; the others show it, hand on words and choices, and one of them plays it next', async () => {
  const hub = new LocalHub();
  const now = () => Date.now() - start;
  const start = Date.now();
  const seat = async (owner: string, plays: boolean) => {
    const bus = hub.bus();
    const own = playedBy(owner);
    const open = () => Promise.resolve(own as unknown as Table);
    const table = new SharedTable('teen', 7, { bus, owner, plays, clock: now, log: silent, open });
    await bus.shared('cards', 3_600_000).watch((_code, entry) => {
      if (entry) table.take(JSON.parse(Buffer.from(entry.value).toString()) as CardTable);
    });
    stops.push(() => table.stop());
    return { table, own };
  };
  const gateway = await seat('gateway', false);
  expect(gateway.table.betting()).toBeNull();
  await expect(gateway.table.choose(1, [])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const first = await seat('first', true);
  await turns();
  const second = await seat('second', true);
  await turns();
  expect(gateway.table.view()).toMatchObject({ name: 'first', now: now() });
  expect(second.table.view().name).toBe('first');
  expect(gateway.table.betting()).toEqual({ marketId: 70, window: 1 });
  expect(await gateway.table.choose(5, [1, 2])).toBe(7);
  expect(await gateway.table.addWord('70', 'real:102', 'luck')).toBe(2);
  expect(first.own.words).toEqual(['luck']);

  // Somebody who looks at it there keeps it playing here, as long as he looks.
  gateway.table.watched(1);
  await turns();
  expect(first.own.watchers).toBe(1);
  await vi.advanceTimersByTimeAsync(2500);
  expect(first.own.watchers).toBe(2);
  gateway.table.watched(-1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(first.own.watchers).toBe(0);
  // Its window is over, and it did not say so: nobody bets there any more.
  expect(gateway.table.betting()).toBeNull();

  let changes = 0;
  gateway.table.onChange(() => changes++);
  first.own.round = { phase: 'LOCKED', betId: 70, window: 1, endsAt: 9000 };
  first.own.changed();
  await turns();
  expect(changes).toBe(1);
  expect(gateway.table.view().round.phase).toBe('LOCKED');

  await first.table.stop();
  expect(first.own.stopped).toBe(true);
  await vi.advanceTimersByTimeAsync(1500);
  expect(gateway.table.view().name).toBe('second');
  expect(await gateway.table.choose(1, [3])).toBe(2);
});

/** An end whose process stands still between `stand` and `wake`: it renews no lease, and what it is asked lies before it. */
function standingStill(hub: LocalHub): { bus: Bus; stand: () => void; wake: () => void } {
  const steady = vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  stops.push(() => steady.mockRestore());
  const end = hub.bus();
  let still: Promise<void> | null = null;
  let woken = (): void => {};
  const bus: Bus = {
    ...end,
    serve: (subject, handler) => {
      const stop = end.serve(subject, async (body) => {
        await still;
        return handler(body);
      });
      return () => {
        if (!still) stop();
      };
    },
    shared(name, ttlMs) {
      const shared = end.shared(name, ttlMs);
      return { ...shared, update: (...args) => (still ? new Promise(() => {}) : shared.update(...args)) };
    },
  };
  return {
    bus,
    stand() {
      still = new Promise((resolve) => {
        woken = resolve;
      });
    },
    // Its lease is not renewed at once.
    wake: () => woken(),
  };
}

it('a process that stands still with a card table draws no request away from the one that plays it now, nor answers one when it wakes', async () => {
  const hub = new LocalHub();
  const still = standingStill(hub);
  const seat = async (owner: string, plays: boolean, bus: Bus = hub.bus()) => {
    const own = playedBy(owner);
    const open = () => Promise.resolve(own as unknown as Table);
    const table = new SharedTable('teen', 7, { bus, owner, plays, clock: () => 0, log: silent, open });
    stops.push(() => table.stop());
    return { table, own };
  };
  const gateway = await seat('gateway', false);
  const first = await seat('first', true, still.bus);
  await turns();
  const second = await seat('second', true);
  await turns();
  const said = (word: string) => gateway.table.addWord('70', 'real:102', word);
  expect(await said('before')).toBe(2);
  still.stand();
  // It still believes that it plays: only its lease says that it may not.
  await vi.advanceTimersByTimeAsync(3700);
  const late = expect(said('late')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  still.wake();
  await vi.advanceTimersByTimeAsync(3100);
  await late;
  expect(first.own.words).toEqual(['before']);
  still.stand();
  await vi.advanceTimersByTimeAsync(3000);
  for (const word of ['a', 'b', 'c', 'd']) expect(await said(word)).toBe(2);
  expect(second.own.words).toEqual(['a', 'b', 'c', 'd']);
});

it('a process that stands still with the feed draws no request away from the one that runs it now, nor answers one when it wakes', async () => {
  const hub = new LocalHub();
  const still = standingStill(hub);
  const asked: string[] = [];
  const seat = async (owner: string, role: 'feed' | 'gateway', bus: Bus = hub.bus()) => {
    const core = {
      read: { market: () => undefined, markets: () => [] },
      onCommitted: () => () => {},
      health: () => ({ available: true }),
    };
    const holds = {
      onRelease: () => () => {},
      isHeld: () => false,
      release: () => Promise.resolve(),
      takenBack(marketId: number) {
        asked.push(`${owner} ${marketId}`);
        return true;
      },
    };
    const config = { roles: [role], feed: 'none', crowd: 0 };
    const ground = { bus, owner, config, log: silent, clock: Date.now, db: nothing } as unknown as Ground;
    const feed = new SharedFeed(ground, { core, holds, catalog: { openEvents: () => [] }, lastWroteAt: 0 } as never);
    await feed.start(() => false);
    stops.push(() => feed.stop());
    return feed;
  };
  const gateway = await seat('gateway', 'gateway');
  await seat('first', 'feed', still.bus);
  await turns();
  await seat('second', 'feed');
  await turns();
  expect(await gateway.desk.takesBack(1)).toBe(true);
  still.stand();
  await vi.advanceTimersByTimeAsync(3700);
  const late = expect(gateway.desk.takesBack(2)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  still.wake();
  await vi.advanceTimersByTimeAsync(5100);
  await late;
  still.stand();
  await vi.advanceTimersByTimeAsync(1000);
  for (const marketId of [3, 4, 5, 6]) expect(await gateway.desk.takesBack(marketId)).toBe(true);
  expect(asked).toEqual(['first 1', 'second 3', 'second 4', 'second 5', 'second 6']);
});

it('a gateway that starts alone says nothing of paces; one that is not answered says so in a line without a stack', async () => {
  const hub = new LocalHub();
  const pace = { onTaken: null, share: () => {}, taken: () => {}, lacks: () => {}, missing: () => [] } as PaceTogether;
  const warn = vi.fn();
  const info = vi.fn();
  const start = async () => stops.push(await sharePace(hub.bus(), pace, { ...silent, info, warn }));
  await start();
  expect([info.mock.calls, warn.mock.calls]).toEqual([[], []]);
  hub.served.set('pace.missing', new Set([() => Promise.reject(new Error('cut'))]));
  await start();
  const [[what, text]] = warn.mock.calls as [[object, string]];
  expect([what, text]).toEqual([
    { reason: 'no answer to pace.missing: unknown' },
    'no other gateway told of its paces: they begin full here',
  ]);
});
