/** When a card table goes on. */
import { describe, expect, it } from 'vitest';
import { isDeserted, phaseMs, restMs } from '../src/casino/round-clock.ts';

describe('the clock of a table', () => {
  it('a phase lasts its time at the speed of the table, and never so short that nobody sees it', () => {
    expect(phaseMs(20_000, 1)).toBe(20_000);
    expect(phaseMs(20_000, 10)).toBe(2000);
    expect(phaseMs(20_000, 1000)).toBe(50);
  });

  it('rounds start five seconds apart at least; one that took longer is followed at once', () => {
    expect(restMs(1_000_000, 1_003_000, 1)).toBe(2000);
    expect(restMs(1_000_000, 1_005_000, 1)).toBe(0);
    expect(restMs(1_000_000, 1_060_000, 1)).toBe(0);
    expect(restMs(1_000_000, 1_000_100, 10)).toBe(400);
  });

  it('goes on for half a minute after the last player left, and while anybody is there', () => {
    expect(isDeserted(0, 1_000_000, 1_030_000)).toBe(false);
    expect(isDeserted(0, 1_000_000, 1_030_001)).toBe(true);
    expect(isDeserted(1, 1_000_000, 9_000_000)).toBe(false);
    expect(isDeserted(0, 0, 1_000_000)).toBe(true);
  });
});
