import type { Frame, MarketDelta, MarketImage } from '@fairgame/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setPace } from '../src/live/pace.ts';
import * as store from '../src/live/store.ts';
import { frameOf, imageOf, imagesOf } from './live-images.ts';

const image = imageOf;
const images = (list: MarketImage[], s: number, e = 1) => store.takeImages(imagesOf(list, s, { e }));
const frame = (m: Frame['m'], e = 1): number[] => store.takeFrame(frameOf(m, e));

const later = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** Frames as a browser has them: what is asked for within one belongs to the next. Answers what draws one. */
async function frames(): Promise<() => Promise<void>> {
  await later(30);
  let next: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => next.push(draw));
  return async () => {
    const now = next;
    next = [];
    for (const draw of now) draw(performance.now());
    await later();
  };
}

beforeEach(() => store.follow(7));
afterEach(() => {
  setPace('live');
  vi.unstubAllGlobals();
  store.clear();
});

describe('live store', () => {
  it('[INV-12] applies a delta on its base and keeps levels that did not change as the same objects', () => {
    images([image(1)], 5);
    const before = store.runner(1, 2);
    expect(frame([{ id: 1, s: 6, b: 5, d: { runners: [{ id: 1, back: [[206, 50]] }] } }])).toEqual([]);
    expect(store.runner(1, 1)?.back).toEqual([[206, 50]]);
    expect(store.runner(1, 1)?.lay).toEqual([[202, 100]]);
    expect(store.runner(1, 2)).toBe(before);
  });

  it('[INV-12] [CAR-28] shuts a market on a gap, asks for its image once, and opens it again with the image', () => {
    images([image(1), image(2)], 5);
    expect(frame([{ id: 1, s: 8, b: 7, d: { status: 'SUSPENDED' } }])).toEqual([7]);
    expect(store.isHeldBack(1)).toBe(true);
    expect(store.isHeldBack(2)).toBe(false);
    expect(store.market(1)?.status).toBe('OPEN');
    expect(frame([{ id: 1, s: 9, b: 8, d: { tradedMinor: 5 } }])).toEqual([]);
    images([image(1, { status: 'SUSPENDED' }), image(2)], 9);
    expect(store.isHeldBack(1)).toBe(false);
    expect(store.market(1)?.status).toBe('SUSPENDED');
  });

  it('[INV-12] voids everything known when the epoch changes', () => {
    images([image(1)], 5);
    expect(frame([], 2)).toEqual([7]);
    expect(store.isHeldBack(1)).toBe(true);
  });

  it('a price that came with a reading is shown and never bet on, and the next reading replaces it', () => {
    store.seed([image(1)]);
    expect(store.runner(1, 1)?.back).toEqual([[200, 100]]);
    expect(store.isHeldBack(1)).toBe(true);
    store.seed([image(1, { tradedMinor: 5 })]);
    expect(store.market(1)?.tradedMinor).toBe(5);
    images([image(1, { tradedMinor: 9 })], 1);
    expect(store.isHeldBack(1)).toBe(false);
    expect(store.market(1)?.tradedMinor).toBe(9);
  });

  it('[A11Y-06] frozen figures stand against a reading that comes late; what was never shown may come', () => {
    store.seed([image(1)]);
    setPace('frozen');
    store.seed([image(1, { tradedMinor: 5 }), image(2, { tradedMinor: 6 })]);
    expect(store.market(1)?.tradedMinor).toBe(image(1).tradedMinor);
    expect(store.market(2)?.tradedMinor).toBe(6);
    setPace('live');
    store.seed([image(1, { tradedMinor: 7 })]);
    expect(store.market(1)?.tradedMinor).toBe(7);
  });

  it('what is left is old from that moment, and so is what a lost line told', () => {
    images([image(1)], 5);
    store.release(7);
    expect(store.isHeldBack(1)).toBe(true);
    // A frame that was on its way makes it no younger.
    frame([{ id: 1, s: 6, b: 5, d: { tradedMinor: 5 } }]);
    images([image(1)], 9);
    expect(store.isHeldBack(1)).toBe(true);
    store.follow(7);
    images([image(1)], 2);
    expect(store.isHeldBack(1)).toBe(false);
    store.lineDown();
    expect(store.isHeldBack(1)).toBe(true);
    expect(store.healthNow()).toBe('lost');
    // Another server counts from the beginning.
    images([image(1)], 1);
    expect(store.isHeldBack(1)).toBe(false);
  });

  it('a line is live with its first image, not with its first word', () => {
    frame([]);
    expect(store.healthNow()).toBe('lost');
    images([image(1)], 1);
    expect(store.healthNow()).toBe('live');
  });

  it('forgets markets that a whole image no longer names, and keeps them where it is the main one alone', () => {
    images([image(1), image(2)], 1);
    store.takeImages(imagesOf([image(1)], 2, { full: false }));
    expect(store.marketIds(7)).toEqual([1, 2]);
    images([image(2)], 3);
    expect(store.marketIds(7)).toEqual([2]);
  });

  it('holds no more than what is followed and a bounded rest, however long the tab is open', () => {
    for (let match = 1; match <= 3000; match++) {
      store.follow(match);
      store.takeImages(imagesOf([image(match * 10, { matchId: match }), image(match * 10 + 1, { matchId: match })], 1));
      store.release(match);
      store.seed([image(match * 10 + 5, { matchId: match + 10_000 })]);
    }
    expect(store.sizes().matches).toBeLessThanOrEqual(401);
    expect(store.sizes().markets).toBeLessThanOrEqual(802);
    store.follow(7);
    images([image(1)], 1);
    expect(store.isHeldBack(1)).toBe(false);
  });

  it('forgets what was left a minute ago, and keeps what the screen still shows', () => {
    vi.useFakeTimers();
    try {
      store.clear();
      store.follow(7);
      images([image(1)], 1);
      store.follow(8);
      store.takeImages(
        imagesOf(
          [81, 82, 83].map((id) => image(id, { matchId: 8 })),
          1,
        ),
      );
      store.seed([image(91, { matchId: 9 })]);
      store.release(8);
      const stops = [
        store.subscribe(store.keys.market(81), vi.fn()),
        store.subscribe(store.keys.runner(82, 1), vi.fn()),
      ];
      vi.advanceTimersByTime(59_000);
      expect(store.sizes()).toMatchObject({ matches: 3, markets: 5 });
      vi.advanceTimersByTime(17_000);
      expect(store.marketIds(8)).toEqual([81, 82]);
      expect(store.market(91)).toBeUndefined();
      expect(store.market(83)).toBeUndefined();
      for (const stop of stops) stop();
      vi.advanceTimersByTime(600_000);
      expect(store.sizes()).toMatchObject({ matches: 1, markets: 1 });
      expect(store.isHeldBack(1)).toBe(false);
      // What is come back to is kept again.
      store.follow(8);
      store.takeImages(imagesOf([image(81, { matchId: 8 })], 1));
      vi.advanceTimersByTime(600_000);
      expect(store.isHeldBack(81)).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not let a late reading over the wire replace what the socket knows', () => {
    images([image(1)], 5);
    frame([{ id: 1, s: 6, b: 5, d: { tradedMinor: 900 } }]);
    store.seed([image(1, { tradedMinor: 1 })]);
    expect(store.market(1)?.tradedMinor).toBe(900);
  });

  it('wakes only the listeners of what changed, once a frame', async () => {
    images([image(1), image(2)], 1);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const one = vi.fn();
    const other = vi.fn();
    const shape = vi.fn();
    store.subscribe(store.keys.runner(1, 1), one);
    store.subscribe(store.keys.runner(1, 2), other);
    store.subscribe(store.keys.market(1), shape);
    frame([{ id: 1, s: 2, b: 1, d: { runners: [{ id: 1, back: [[210, 1]] }] } }]);
    frame([{ id: 1, s: 3, b: 2, d: { runners: [{ id: 1, back: [[212, 1]] }] } }]);
    expect(one).not.toHaveBeenCalled();
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(one).toHaveBeenCalledTimes(1);
    expect(other).not.toHaveBeenCalled();
    expect(shape).not.toHaveBeenCalled();
  });

  it('draws a press before the prices that came with it', async () => {
    images([image(1)], 5);
    const nextFrame = await frames();
    let told = 0;
    const off = store.subscribe(store.keys.runner(1, 1), () => (told += 1));
    frame([{ id: 1, s: 6, b: 5, d: { runners: [{ id: 1, back: [[206, 50]] }] } }]);
    document.body.click();
    await nextFrame();
    expect(told).toBe(0);
    await nextFrame();
    expect(told).toBe(1);
    off();
  });

  it('spreads prices that take long over frames, and loses none', async () => {
    const ids = [1, 2, 3, 4];
    images(
      ids.map((id) => image(id)),
      5,
    );
    const nextFrame = await frames();
    const told: number[] = [];
    const offs = ids.map((id) =>
      store.subscribe(store.keys.runner(id, 1), () => {
        told.push(id);
        const until = performance.now() + 5;
        while (performance.now() < until);
      }),
    );
    frame(ids.map((id) => ({ id, s: 6, b: 5, d: { runners: [{ id: 1, back: [[206, 50]] }] } })));
    await nextFrame();
    expect(told).toEqual([1]);
    for (let n = 0; n < 3; n++) await nextFrame();
    expect(told).toEqual(ids);
    for (const off of offs) off();
  });

  it('[INV-12] with frames dropped, doubled and reordered it converges to the image, and shows no price of a superseded base', () => {
    const change = fc.record({
      runner: fc.constantFrom(1, 2),
      price: fc.integer({ min: 101, max: 999 }),
      fate: fc.constantFrom('deliver', 'drop', 'twice', 'late'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        store.clear();
        store.follow(7);
        let truth = image(1);
        let seq = 1;
        images([truth], seq);
        const seen = new Map<number, MarketImage>([[seq, truth]]);
        const late: Frame['m'] = [];
        for (const { runner, price, fate } of changes) {
          const d: MarketDelta = { runners: [{ id: runner, back: [[price, 100]] }] };
          truth = {
            ...truth,
            runners: truth.runners.map((one) =>
              one.id === runner ? { ...one, back: [[price, 100]] as Array<[number, number]> } : one,
            ),
          };
          const message = { id: 1, s: seq + 1, b: seq, d };
          seq += 1;
          seen.set(seq, truth);
          if (fate === 'late') late.push(message);
          else if (fate !== 'drop') {
            frame([message]);
            if (fate === 'twice') frame([message]);
          }
          for (const message of late.splice(0, late.length > 2 ? 1 : 0)) frame([message]);
          // Whatever is held equals some true state of the past: never a mix.
          expect([...seen.values()]).toContainEqual(store.market(1));
        }
        images([truth], seq);
        expect(store.market(1)).toEqual(truth);
        expect(store.isHeldBack(1)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
