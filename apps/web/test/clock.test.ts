import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let clock: typeof import('../src/platform/clock.ts');
/** The server's clock stands 90 s before this device's. */
const AHEAD = -90_000;
const server = () => Date.now() + AHEAD;

beforeEach(async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 12) });
  vi.resetModules();
  clock = await import('../src/platform/clock.ts');
});
afterEach(() => vi.useRealTimers());

describe("the server's clock", () => {
  it('is this device’s until the server has said anything, roughly that of a header, and that of a message after it', () => {
    expect(clock.serverNow()).toBe(Date.now());
    clock.learnDate(new Date(server()).toUTCString());
    expect(Math.abs(clock.serverNow() - server())).toBeLessThanOrEqual(500);
    clock.learnTime(server() - 20);
    expect(clock.serverNow()).toBe(server() - 20);
    clock.learnDate(new Date(server() + 60_000).toUTCString());
    expect(clock.serverNow()).toBe(server() - 20);
    clock.learnDate('no date');
    clock.learnDate(null);
    expect(clock.serverNow()).toBe(server() - 20);
  });

  it('takes the message with the least delay, and follows a device whose clock is set', () => {
    for (const delay of [300, 40, 900]) clock.learnTime(server() - delay);
    expect(clock.serverNow()).toBe(server() - 40);
    // Two seconds forward: less than a jump, healed within two minutes.
    vi.setSystemTime(Date.now() + 2000);
    const true_ = () => Date.now() + AHEAD - 2000;
    for (let minute = 0; minute < 3; minute++) {
      clock.learnTime(true_() - 40);
      vi.advanceTimersByTime(61_000);
    }
    clock.learnTime(true_() - 40);
    expect(clock.serverNow()).toBe(true_() - 40);
    vi.setSystemTime(Date.now() + 3_600_000);
    clock.learnTime(true_() - 3_600_000);
    expect(clock.serverNow()).toBe(true_() - 3_600_000);
  });
});
