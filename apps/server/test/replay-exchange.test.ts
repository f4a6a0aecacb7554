import { join } from 'node:path';
import { marketView } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import { FIXTURES, makeRace, scratch, writeLines } from './replay-fixtures.ts';
import { betsOf, expectedProfitMinor, type PlayedThrough, playThrough } from './replay-harness.ts';

const folder = scratch();

describe('recordings in the betting core', () => {
  it('[INV-01] [INV-13] [INV-15] [INV-17] race, golf and football play out under players with nothing refused and zero sum', async () => {
    const files = ['race.jsonl', 'golf.jsonl', 'football.jsonl'].map((name) => join(FIXTURES, name));
    const played = await playThrough(files, { seed: 3, betEvery: 1, auditEvery: 1 });
    settledRight(played);
    expect(played.betIds.length).toBeGreaterThan(100);
    expect(played.fills).toBeGreaterThan(50);
  });

  it('a resting order is filled at its own price when the recorded price passes it', async () => {
    const files = [1, 2, 3, 4].map((seed) =>
      writeLines(
        folder,
        `race-${seed}.jsonl`,
        makeRace(seed, 400).lines.map((line) => line.replaceAll('1.900000001', `1.90000001${seed}`)),
      ),
    );
    let resting = 0;
    for (const [at, file] of files.entries()) {
      const played = await playThrough([file], { seed: at + 1, betEvery: 1, auditEvery: 10 });
      settledRight(played);
      resting += played.restingFills;
    }
    expect(resting).toBeGreaterThan(20);
  });

  it('[INV-10] the same recording and the same players give the same state, to the bit', async () => {
    const once = await playThrough([join(FIXTURES, 'race.jsonl')], { seed: 9, betEvery: 2 });
    const twice = await playThrough([join(FIXTURES, 'race.jsonl')], { seed: 9, betEvery: 2 });
    expect(twice.hash).toBe(once.hash);
    expect(twice.betIds).toEqual(once.betIds);
  });
});

function settledRight(played: PlayedThrough): void {
  expect(played.refused).toEqual([]);
  expect(played.faults).toEqual([]);
  expect(played.lateFills).toBe(0);
  expect(played.sumMinor).toBe(0);
  for (const bet of betsOf(played)) {
    const market = marketView(played.state, bet.marketId)!;
    expect(market.status).toBe('CLOSED');
    expect(bet.sizeMinor).toBe(bet.matchedMinor + bet.cancelledMinor + bet.lapsedMinor + bet.voidedMinor);
    expect(bet.result).not.toBe(bet.matchedMinor > 0 ? 'PENDING' : 'WIN');
    expect(Math.abs(bet.profitMinor - expectedProfitMinor(bet, market))).toBeLessThanOrEqual(0.5);
  }
}
