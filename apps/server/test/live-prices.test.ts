import type { MarketDelta, MarketImage } from '@fairgame/contract';
import type { Event, MarketView } from '@fairgame/exchange';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../src/catalog/catalog.ts';
import { createImages, type Images } from '../src/catalog/images.ts';
import { difference } from '../src/live/delta.ts';
import { Prices } from '../src/live/prices.ts';
import { Client, fold } from './price-client.ts';

const MATCHES = [1, 2];
const MARKETS = [11, 12, 21];
const RUNNERS = [5, 6];

function view(marketId: number, change: Partial<MarketView> = {}): MarketView {
  return {
    marketId,
    eventId: Math.floor(marketId / 10),
    kind: 'book',
    name: `Market ${marketId}`,
    status: 'OPEN',
    inPlay: true,
    betDelayMs: 0,
    reason: '',
    winners: 1,
    commissionBps: 0,
    minStakeMinor: 100,
    maxStakeMinor: 1000,
    maxExposureMinor: 0,
    version: 1,
    resultVersion: 0,
    result: null,
    runners: RUNNERS.map((runnerId) => ({ runnerId, name: `Runner ${runnerId}`, status: 'ACTIVE' })),
    ...change,
  };
}

interface World {
  images: Images;
  prices: Prices;
  clock: { now: number };
  late: { is: boolean };
  event(...events: Event[]): void;
  epoch: number;
}

function world(): World {
  const clock = { now: 0 };
  const late = { is: false };
  const read = {
    worlds: () => ['real', 'demo'] as const,
    markets: () => MARKETS.map((id) => view(id)),
    market: (id: number) => view(id),
    depth: () => ({ back: [], lay: [], lastPrice: 0, tradedMinor: 0 }),
    quotes: () => [],
  };
  const images = createImages(read, 1, (id) => id);
  const events = new Map(MATCHES.map((id) => [id, { id, score: null, scoreSeq: 0, stopAt: null } as LiveEvent]));
  const prices = new Prices({
    images,
    event: (id) => events.get(id),
    headOf: (id) => images.marketsOf(id)[0],
    clock: () => clock.now,
    elapsed: () => clock.now,
    late: () => late.is,
  });
  const made: World = {
    images,
    prices,
    clock,
    late,
    epoch: 1,
    event(...list) {
      const item = {
        seq: 1,
        at: clock.now,
        world: 'real' as const,
        actor: 'feed',
        command: { type: 'clock' } as const,
      };
      images.apply({ epoch: made.epoch, items: [{ ...item, events: list }] });
    },
  };
  return made;
}

const level = (
  marketId: number,
  runnerId: number,
  price: number,
  sizeMinor: number,
  side: 'LAY' | 'BACK' = 'LAY',
): Event => ({
  type: 'book',
  marketId,
  runnerId,
  levels: [[side, price, sizeMinor]],
  lastPrice: price,
  tradedMinor: 0,
});

describe('difference', () => {
  it('[INV-12] folding the difference gives the newer image, for any two images', () => {
    const price = fc.tuple(fc.integer({ min: 101, max: 110 }), fc.integer({ min: 1, max: 3 }));
    const runner = (id: number) =>
      fc.record({
        id: fc.constant(id),
        name: fc.constantFrom('A', 'B'),
        status: fc.constantFrom('ACTIVE', 'REMOVED'),
        factor: fc.integer({ min: 0, max: 2 }),
        last: fc.integer({ min: 0, max: 2 }),
        tradedMinor: fc.integer({ min: 0, max: 2 }),
        back: fc.array(price, { maxLength: 3 }),
        lay: fc.array(price, { maxLength: 3 }),
        yesLine: fc.option(fc.integer({ min: 1, max: 3 })),
      });
    const image = fc.record({
      status: fc.constantFrom('OPEN', 'SUSPENDED'),
      reason: fc.constantFrom('', 'Goal'),
      version: fc.integer({ min: 0, max: 3 }),
      inPlay: fc.boolean(),
      runners: fc.tuple(runner(5), runner(6)),
    });
    fc.assert(
      fc.property(image, image, (a, b) => {
        const base = { id: 11, matchId: 1, kind: 'book', name: 'M', betDelayMs: 0, winners: 1, commissionBps: 0 };
        const rest = { minStakeMinor: 1, maxStakeMinor: 2, tradedMinor: 0, sno: 1, resultText: '' };
        const [before, after]: MarketImage[] = [a, b].map((one) => ({ ...base, ...rest, ...one }));
        if (!before || !after) return;
        const delta = difference(before, after);
        expect(delta).not.toBe('image');
        if (delta === null) expect(after).toEqual(before);
        else expect(fold(before, delta as MarketDelta)).toEqual(after);
      }),
    );
  });

  it('says image when rows come, go or lose a field', () => {
    const { images } = world();
    const image = images.image('real', 11)!;
    expect(difference(image, { ...image, runners: image.runners.slice(1) })).toBe('image');
    expect(difference({ ...image, runners: image.runners.map((r) => ({ ...r, width: 3 })) }, image)).toBe('image');
    expect(difference(image, image)).toBeNull();
  });
});

describe('frames', () => {
  it('[INV-12] [SOC-26] a client that folds frames ends at the server image, whatever is lost on the way', () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('price' as const),
          market: fc.constantFrom(...MARKETS),
          runner: fc.constantFrom(...RUNNERS),
          price: fc.integer({ min: 101, max: 108 }),
          size: fc.integer({ min: 0, max: 3 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('status' as const),
          market: fc.constantFrom(...MARKETS),
          status: fc.constantFrom('OPEN' as const, 'SUSPENDED' as const),
        }),
      },
      { weight: 4, arbitrary: fc.constant({ do: 'tick' as const }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), client: fc.nat(2), on: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('slow' as const), client: fc.nat(2), on: fc.boolean() }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('watch' as const),
          client: fc.nat(2),
          full: fc.subarray(MATCHES),
          head: fc.subarray(MATCHES),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('resync' as const), client: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.constant({ do: 'epoch' as const }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const site = world();
        const clients = [new Client(), new Client(), new Client()];
        for (const client of clients) site.prices.watch(client, { full: MATCHES, head: [] });
        const resync = (client: Client) => {
          for (const id of client.asked) if (!client.drop && site.prices.resync(client, [id])) client.asked.delete(id);
        };
        for (const one of steps) {
          if (one.do === 'price') site.event(level(one.market, one.runner, one.price, one.size));
          else if (one.do === 'status')
            site.event({ type: 'market', market: view(one.market, { status: one.status }) });
          else if (one.do === 'tick') {
            site.clock.now += 100;
            site.prices.tick();
          } else if (one.do === 'drop') clients[one.client]!.drop = one.on;
          else if (one.do === 'slow') clients[one.client]!.ready = !one.on;
          else if (one.do === 'watch') site.prices.watch(clients[one.client]!, { full: one.full, head: one.head });
          else if (one.do === 'resync') resync(clients[one.client]!);
          else {
            site.epoch += 1;
            site.event(level(11, 5, 105, 1));
          }
        }
        // Quiet at last: nothing is lost any more, everyone reads, gaps are noticed by the next change and asked for.
        for (const client of clients) {
          client.drop = false;
          client.ready = true;
          site.prices.watch(client, { full: MATCHES, head: [] });
        }
        for (let round = 0; round < 3; round++) {
          for (const market of MARKETS) site.event(level(market, 5, 150 + round, 7));
          site.prices.tick();
          for (const client of clients) resync(client);
        }
        site.prices.tick();
        for (const client of clients) {
          expect(client.broken.size).toBe(0);
          for (const market of MARKETS)
            expect(client.held.get(market)?.image).toEqual(site.images.image('real', market));
        }
        site.prices.stop();
      }),
      { numRuns: 150 },
    );
  });

  it('tells sequences of an epoch of its own: a client that comes from another gateway takes an image, never a delta', () => {
    const [here, there] = [world(), world()];
    const client = new Client();
    const other = new Client();
    here.prices.watch(client, { full: [1], head: [] });
    there.prices.watch(other, { full: [1], head: [] });
    // Both are at the same sequence, of different states.
    here.event(level(11, 5, 105, 1));
    there.event(level(11, 5, 300, 7));
    for (const site of [here, there]) site.prices.tick();
    expect(client.held.get(11)!.seq).toBe(other.held.get(11)!.seq);
    here.prices.leave(client);
    // Its first image there is lost, a delta on the sequence that it holds is not.
    client.drop = true;
    there.prices.watch(client, { full: [1], head: [] });
    client.drop = false;
    there.event(level(11, 6, 200, 3));
    there.prices.tick();
    expect(client.frames.at(-1)!.m[0]).toMatchObject({ id: 11, b: other.held.get(11)!.seq - 1 });
    expect(client.held.get(11)).toBeUndefined();
    expect([...client.asked]).toEqual([1]);
    expect(there.prices.resync(client, [1])).toBe(true);
    expect(client.held.get(11)?.image).toEqual(there.images.image('real', 11));
    for (const site of [here, there]) site.prices.stop();
  });

  it('[INV-12] raises the sequence of a market by exactly one with every delta', () => {
    const site = world();
    const client = new Client();
    site.prices.watch(client, { full: [1], head: [] });
    for (let i = 0; i < 20; i++) {
      site.event(level(11, 5, 101 + (i % 3), i + 1));
      site.event(level(21, 5, 101, i + 1));
      site.prices.tick();
    }
    const parts = client.frames.flatMap((frame) => frame.m);
    expect(new Set(parts.map((part) => part.id))).toEqual(new Set([11]));
    const first = parts[0]!;
    expect(parts.map((part) => part.s)).toEqual(parts.map((_, i) => first.s + i));
    expect(parts.map((part) => part.b)).toEqual(parts.map((part) => part.s - 1));
  });

  it('[FLT-08] sends nothing to one that cannot be written to, then the latest state as images; others notice nothing', () => {
    const site = world();
    const [slow, quick] = [new Client(), new Client()];
    for (const client of [slow, quick]) site.prices.watch(client, { full: [1], head: [] });
    slow.ready = false;
    const before = slow.texts.length;
    for (let i = 1; i <= 100; i++) {
      site.event(level(11, 5, 105, i));
      site.prices.tick();
    }
    expect(slow.texts).toHaveLength(before);
    expect(quick.frames).toHaveLength(100);
    slow.ready = true;
    site.prices.tick();
    expect(slow.texts).toHaveLength(before + 1);
    expect(slow.frames.at(-1)?.m).toHaveLength(1);
    expect(slow.held.get(11)?.image.runners[0]?.back).toEqual([[105, 100]]);
  });

  it('makes one text for all who watch the same', () => {
    const site = world();
    const clients = [new Client(), new Client(), new Client()];
    for (const client of clients) site.prices.watch(client, { full: [1], head: [] });
    site.event(level(11, 5, 105, 1));
    site.prices.tick();
    expect(clients[0]!.texts.at(-1)).toBe(clients[1]!.texts.at(-1));
    expect(clients[1]!.texts.at(-1)).toBe(clients[2]!.texts.at(-1));
  });

  it('sends the main market only to those who watch heads, whole when another becomes the main one', () => {
    const site = world();
    const client = new Client();
    site.prices.watch(client, { full: [], head: [1] });
    expect([...client.held.keys()]).toEqual([11]);
    site.event(level(12, 5, 105, 1));
    site.prices.tick();
    expect(client.frames).toHaveLength(0);
    site.event({ type: 'archived', marketId: 11, snapshot: { snapshot: 1, market: null } });
    site.images.apply({
      epoch: 1,
      items: [
        {
          seq: 1,
          at: 0,
          world: 'demo',
          actor: 'feed',
          command: { type: 'clock' },
          events: [{ type: 'archived', marketId: 11, snapshot: { snapshot: 1, market: null } }],
        },
      ],
    });
    site.event(level(12, 5, 106, 1));
    site.prices.tick();
    expect([...client.held.keys()]).toEqual([12]);
    expect(client.held.get(12)?.image).toEqual(site.images.image('real', 12));
  });

  it('tells closing of betting at once, without waiting for the turn', async () => {
    const site = world();
    const client = new Client();
    site.prices.watch(client, { full: [1], head: [] });
    site.event({ type: 'market', market: view(11, { status: 'SUSPENDED', reason: 'Wicket' }) });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(client.frames.at(-1)?.m[0]?.d).toMatchObject({ status: 'SUSPENDED', reason: 'Wicket' });
  });

  it('follows whole ladders for those who ask, and says so when prices are known to be old', () => {
    const site = world();
    const client = new Client();
    site.prices.watch(client, { full: [1], head: [] });
    expect(site.prices.depth(client, 11, 99, true)).toBe(false);
    expect(site.prices.depth(client, 11, 5, true)).toBe(true);
    for (const price of [101, 102, 103, 104, 105]) site.event(level(11, 5, price, price));
    site.event(level(11, 5, 110, 9, 'BACK'));
    site.prices.tick();
    expect(client.frames.at(-1)?.x).toMatchObject([
      {
        marketId: 11,
        runnerId: 5,
        back: [
          [105, 105],
          [104, 104],
          [103, 103],
          [102, 102],
          [101, 101],
        ],
        lay: [[110, 9]],
      },
    ]);
    site.late.is = true;
    site.prices.tick();
    expect(client.frames.at(-1)?.h).toBe('late');
    site.late.is = false;
    site.prices.tick();
    expect(client.frames.at(-1)?.h).toBeUndefined();
  });

  it('spreads the images of many matches over turns, and sends each once', () => {
    const site = world();
    const name = 'x'.repeat(250_000);
    for (const id of [11, 21]) site.event({ type: 'market', market: view(id, { name }) });
    const client = new Client();
    site.prices.watch(client, { full: [1, 2], head: [] });
    expect([...client.held.keys()]).toEqual([11, 12]);
    site.prices.tick();
    expect([...client.held.keys()]).toEqual([11, 12, 21]);
    const before = client.texts.length;
    expect(site.prices.resync(client, [2, 1, 99])).toBe(true);
    expect(site.prices.resync(client, [99])).toBe(false);
    site.prices.tick();
    site.prices.tick();
    expect(client.texts.length - before).toBe(2);
    site.prices.stop();
  });

  it('one who watches on and off again and again waits for his own images, and nobody else does', () => {
    const site = world();
    site.event({ type: 'market', market: view(11, { name: 'x'.repeat(100_000) }) });
    const [toggler, other] = [new Client(), new Client()];
    for (let i = 0; i < 200; i++) {
      site.prices.watch(toggler, { full: [1], head: [] });
      site.prices.watch(toggler, { full: [], head: [] });
    }
    site.prices.watch(toggler, { full: [1], head: [] });
    // Two million characters at once, and then a hundred thousand a second.
    const sent = () => toggler.texts.filter((text) => (text as { json: string }).json.length > 100_000).length;
    const first = sent();
    expect([first >= 18, first <= 21]).toEqual([true, true]);
    site.prices.tick();
    expect(sent()).toBe(first);
    site.prices.watch(other, { full: [1], head: [] });
    expect([...other.held.keys()]).toEqual([11, 12]);
    site.clock.now += 2000;
    site.prices.tick();
    expect(sent()).toBe(first + 1);
    site.prices.stop();
  });

  it('sends no image to one who cannot be written to, and all of them when he can', () => {
    const site = world();
    const client = new Client();
    client.ready = false;
    site.prices.watch(client, { full: [1], head: [2] });
    expect(client.texts).toEqual([]);
    client.ready = true;
    site.prices.tick();
    expect([...client.held.keys()]).toEqual([11, 12, 21]);
    site.prices.stop();
  });

  it('sends an empty frame when nothing happened for two seconds, so that silence means a fault', () => {
    const site = world();
    const client = new Client();
    site.prices.watch(client, { full: [1], head: [] });
    for (let i = 0; i < 60; i++) {
      site.clock.now += 100;
      site.prices.tick();
    }
    expect(client.frames.length).toBeGreaterThanOrEqual(2);
    expect(client.frames.every((frame) => frame.m.length === 0)).toBe(true);
  });
});
