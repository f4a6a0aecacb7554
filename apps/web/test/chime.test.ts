import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { chimeOnce } from '../src/platform/chime.ts';

/** Alerts come to every page that is open: what is heard of one is heard once. */
let tones = 0;
let held = false;

beforeEach(() => {
  tones = 0;
  held = false;
  vi.useFakeTimers();
  const part = {
    connect: () => part,
    start: () => undefined,
    stop: () => undefined,
    frequency: {},
    gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
  };
  vi.stubGlobal(
    'AudioContext',
    class {
      currentTime = 0;
      resume = () => Promise.resolve();
      createGain = () => part;
      createOscillator() {
        tones += 1;
        return part;
      }
    },
  );
  // The browser's: who does not get it at once is told so.
  const request = async (_name: string, _how: object, work: (lock: object | null) => Promise<void>) => {
    if (held) return work(null);
    held = true;
    await work({});
    held = false;
  };
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const name of ['locks', 'userActivation']) Reflect.deleteProperty(navigator, name);
});

const pressed = (hasBeenActive: boolean) =>
  Object.defineProperty(navigator, 'userActivation', { configurable: true, value: { hasBeenActive } });

it('sounds in one of two pages, and again for the next alert', async () => {
  pressed(true);
  chimeOnce();
  chimeOnce();
  expect(tones).toBe(2);
  await vi.advanceTimersByTimeAsync(1000);
  chimeOnce();
  expect(tones).toBe(4);
});

it('leaves it to another page where nobody pressed anything in this one: there nothing would be heard', () => {
  pressed(false);
  chimeOnce();
  expect([tones, held]).toEqual([0, false]);
});
