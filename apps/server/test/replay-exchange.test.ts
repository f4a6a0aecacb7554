import { join } from 'node:path';
import { marketView } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import { FIXTURES, generator, makeFootball, makeGolf, makeRace, scratch, writeLines } from './replay-fixtures.ts';
import { betsOf, expectedProfitMinor, type PlayedThrough, playThrough, roundedAway } from './replay-harness.ts';

const folder = scratch();

describe('recordings in the betting core', () => {
  it('damaged recordings never bring the site down: lines lost, doubled, out of order and altered at random, 40 seeds', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = generator(seed);
      const source = [makeRace(seed, 40).lines, makeFootball(), makeGolf()][seed % 3]!;
      const file = writeLines(
        folder,
        'damaged.jsonl',
        source.flatMap((line) => damage(line, random)),
      );
      const played = await playThrough([file], { seed, betEvery: 1, auditEvery: 5 });
      expect([seed, played.faults]).toEqual([seed, []]);
      expect([seed, played.lateFills, played.sumMinor]).toEqual([seed, 0, 0]);
      expect([seed, played.refused]).toEqual([seed, []]);
      // Whatever was lost, nobody is left with an open bet.
      for (const bet of betsOf(played))
        expect([seed, marketView(played.state, bet.marketId)!.status]).toEqual([seed, 'CLOSED']);
    }
  });

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
    // Its share of what the account was booked, within a cent.
    expect(Math.abs(bet.profitMinor - expectedProfitMinor(bet, market))).toBeLessThan(1);
  }
  for (const under of roundedAway(played)) expect(Math.abs(under - 0.5)).toBeLessThan(0.500001);
}

/** One line as a bad line, a bad disk or a bad recorder may leave it: none, one or two lines. */
function damage(line: string, random: () => number): string[] {
  const roll = random();
  if (roll < 0.08) return [];
  if (roll < 0.14) return [line, line];
  if (roll < 0.18) return [line.slice(0, Math.floor(random() * line.length))];
  if (roll < 0.3) {
    // One number of it becomes another.
    const numbers = [...line.matchAll(/(?<=[:[,])-?[\d.]+/g)];
    const hit = numbers[Math.floor(random() * numbers.length)]!;
    const others = ['0', '-1', '1e300', '0.001', '99999999999', 'null', '"NaN"', 'NaN', '[]', 'true', '1.005', '7'];
    const other = others[Math.floor(random() * others.length)]!;
    return [line.slice(0, hit.index) + other + line.slice(hit.index + hit[0].length)];
  }
  if (roll < 0.36) {
    const words = ['ACTIVE', 'REMOVED', 'OPEN', 'SUSPENDED', 'CLOSED', 'WINNER', 'INACTIVE'];
    const from = words[Math.floor(random() * words.length)]!;
    return [line.replace(from, words[Math.floor(random() * words.length)]!)];
  }
  return [line];
}
