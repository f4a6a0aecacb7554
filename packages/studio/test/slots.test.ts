import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Random } from '../src/game.ts';
import type { SlotView } from '../src/rules/slots.ts';
import { CLUSTER_PAYS, groupsIn, HOLLOW, slotsCluster, WEIGHTS } from '../src/rules/slots-cluster.ts';
import {
  LINE_PAYS,
  LINE_TIMES,
  LINES,
  LINES_PPM,
  LINES_STRIPS,
  ORCHARD,
  slotsLines,
} from '../src/rules/slots-lines.ts';
import { slotsWays, WAYS, WAYS_PAYS, WAYS_PPM, WAYS_STRIPS } from '../src/rules/slots-ways.ts';
import { linesExact, linesPayAt, waysExact, waysPayAt } from './slot-exact.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, quick } from './solo.ts';

const stake = { stakeMinor: 1000 };
const wagers = fc.integer({ min: 1, max: 100 }).map((n) => ({ stakeMinor: n * 100 }));

/** The numbers in their order, then zeros. */
function numbers(...list: number[]): Random {
  let at = 0;
  return { int: () => list[at++] ?? 0 };
}
/** The stop at which a reel shows a symbol in its middle row. */
const stopFor = (strip: readonly number[], symbol: number) => {
  const at = strip.indexOf(symbol);
  return (at - 1 + strip.length) % strip.length;
};
const sumOf = (wins: SlotView['steps'][number]['wins']) => wins.reduce((sum, win) => sum + win.times, 0);
const played = (game: typeof slotsWays, random: Random) => {
  const step = game.open(game.wager(stake), random);
  return { paidMinor: step.paidMinor, view: game.view(step.state) as SlotView };
};

describe('slots by ways', () => {
  it('pays by hand: jellyfish on all five reels in the middle row', () => {
    const stops = WAYS_STRIPS.map((strip) => stopFor(strip, 2));
    const { view, paidMinor } = played(slotsWays, numbers(...stops));
    const [step] = view.steps;
    // Counted from the grid: ways of the jellyfish, the lantern fish standing for it.
    const ways = [0, 1, 2, 3, 4].reduce((product, reel) => {
      const cells = step!.cells.slice(reel * 3, reel * 3 + 3);
      return product * cells.filter((cell) => cell === 2 || cell === 0).length;
    }, 1);
    const jelly = step!.wins.find((win) => win.symbol === 2)!;
    expect(ways).toBeGreaterThan(0);
    expect(jelly.times).toBe(ways * WAYS_PAYS[2]![2]!);
    expect(view.times).toBe(step!.times);
    expect(paidMinor).toBe(10 * view.times);
  });

  it('gives eight free dives at double pay for three pearls', () => {
    const stops = WAYS_STRIPS.map((strip, reel) => (reel < 3 ? stopFor(strip, 1) : stopFor(strip, 9)));
    const { view } = played(slotsWays, numbers(...stops));
    expect(view.steps).toHaveLength(1 + WAYS.freeSpins);
    expect(view.steps[0]!.spins).toBe(8);
    const free = view.steps.slice(1);
    expect(free.every((step) => step.kind === 'free' && step.multiplier === 2)).toBe(true);
    // All free dives stop at zero here, so they pay alike.
    expect(new Set(free.map((step) => step.times)).size).toBe(1);
    expect(view.times).toBe(view.steps.reduce((sum, step) => sum + step.times, 0));
  });

  it('pays at random stops what is counted apart', () => {
    const random = quick(7);
    for (let i = 0; i < 3000; i++) {
      const stops = WAYS_STRIPS.map((strip) => random.int(strip.length));
      const [step] = played(slotsWays, numbers(...stops)).view.steps;
      expect(step!.times).toBe(waysPayAt(stops));
      expect(step!.times).toBe(sumOf(step!.wins));
    }
  });

  it('[issue 5] returns what is printed: every combination of stops, free dives and cap included', () => {
    const exact = waysExact();
    expect(Math.floor(exact.ppm + 1e-6)).toBe(WAYS_PPM);
    expect(exact.uncappedPpm - exact.ppm).toBeLessThan(1);
    // The stated most can be reached.
    expect(exact.most[0] + WAYS.freeSpins * exact.most[1]).toBeGreaterThanOrEqual(WAYS.maxTimes);
    checkReturns(slotsWays);
  });

  it('keeps the laws of a game', () => {
    checkLaws(slotsWays, wagers, null, WAYS.maxTimes);
    checkRefusals((input) => slotsWays.wager(input));
    checkBySimulation(slotsWays, 200_000);
  });
});

describe('slots by lines', () => {
  it('pays by hand: five apples on the middle line', () => {
    const stops = LINES_STRIPS.map((strip) => stopFor(strip, 2));
    const { view } = played(slotsLines, numbers(...stops));
    const [step] = view.steps;
    const middle = step!.wins.find((win) => win.words === '5 on line 1')!;
    expect(middle).toMatchObject({ symbol: 2, times: LINE_PAYS[2]![2]! * LINE_TIMES, cells: [1, 4, 7, 10, 13] });
  });

  it('has twenty different lines of one cell a reel', () => {
    expect(LINES).toHaveLength(20);
    expect(new Set(LINES.map((line) => line.join(''))).size).toBe(20);
    for (const line of LINES) expect(line.every((row) => row >= 0 && row < 3)).toBe(true);
    expect(LINES.every((line) => line.length === 5)).toBe(true);
  });

  it('baskets on reels one, three and five pay twice the stake and give free spins with suns in the middle', () => {
    const stops = LINES_STRIPS.map((strip, reel) => (reel % 2 === 0 ? stopFor(strip, 1) : stopFor(strip, 9)));
    const { view } = played(slotsLines, numbers(...stops));
    expect(view.steps).toHaveLength(1 + ORCHARD.freeSpins);
    expect(view.steps[0]!.wins.find((win) => win.symbol === 1)).toMatchObject({ times: 200 });
    for (const step of view.steps.slice(1)) {
      expect(step.cells.slice(6, 9)).toEqual([0, 0, 0]);
      expect(step.spins).toBe(0);
    }
    expect(view.times).toBe(view.steps.reduce((sum, step) => sum + step.times, 0));
  });

  it('pays at random stops what is counted apart, on free spins too', () => {
    const random = quick(8);
    const baskets = LINES_STRIPS.map((strip, reel) => (reel % 2 === 0 ? stopFor(strip, 1) : 0));
    for (let i = 0; i < 3000; i++) {
      const stops = LINES_STRIPS.map((strip) => random.int(strip.length));
      const [step] = played(slotsLines, numbers(...stops)).view.steps;
      const bonus = step!.spins > 0 ? ORCHARD.basketTimes : 0;
      expect(step!.times - bonus).toBe(linesPayAt(stops, false));
      expect(step!.times).toBe(sumOf(step!.wins));
      const free = played(slotsLines, numbers(...baskets, ...stops)).view.steps[1]!;
      expect(free.times).toBe(linesPayAt(stops, true));
    }
  });

  it('[issue 5] returns what is printed: every combination of stops, free spins and cap included', () => {
    const exact = linesExact();
    expect(Math.floor(exact.ppm + 1e-6)).toBe(LINES_PPM);
    expect(exact.uncappedPpm - exact.ppm).toBeLessThan(1);
    expect(exact.most[0] + ORCHARD.basketTimes + ORCHARD.freeSpins * exact.most[1]).toBeGreaterThanOrEqual(
      ORCHARD.maxTimes,
    );
    checkReturns(slotsLines);
  });

  it('keeps the laws of a game', () => {
    checkLaws(slotsLines, wagers, null, ORCHARD.maxTimes);
    checkRefusals((input) => slotsLines.wager(input));
    checkBySimulation(slotsLines, 200_000);
  });
});

describe('slots by clusters', () => {
  /** Draws of the first grid that make these stones, column by column; others follow in the order given. */
  const drawOf = (stone: number) => WEIGHTS.slice(0, stone).reduce((sum, weight) => sum + weight, 0);
  const grid = (text: string) => {
    const rows = text.trim().split(/\s+/);
    return Array.from({ length: 36 }, (_, cell) => drawOf(Number(rows[cell % 6]![Math.floor(cell / 6)])));
  };
  const mixed = `
    010101
    232323
    010101
    232323
    010101
    232323`;

  it('pays nothing where nothing touches, and for five, not for four', () => {
    expect(played(slotsCluster, numbers(...grid(mixed))).paidMinor).toBe(0);
    const four = mixed.replace('010101', '444401');
    expect(played(slotsCluster, numbers(...grid(four))).paidMinor).toBe(0);
    const five = mixed.replace('010101', '444441');
    const fill = [0, 1, 0, 1, 0].map((stone) => drawOf(stone));
    const { view, paidMinor } = played(slotsCluster, numbers(...grid(five), ...fill));
    expect(view.steps).toHaveLength(2);
    expect(view.steps[0]!.wins).toEqual([
      { symbol: 4, cells: [0, 6, 12, 18, 24], times: CLUSTER_PAYS[4]![0]!, words: '5 together' },
    ]);
    expect(paidMinor).toBe(10 * CLUSTER_PAYS[4]![0]!);
  });

  it('stones fall, new ones come from the top, and the second grid pays double', () => {
    // Five rubies lie in the second row; the opals over them fall onto nothing that they match, five new quartz come in.
    const start = `
      555515
      000001
      121212
      343434
      121212
      343434`;
    const fill = Array.from({ length: 5 }, () => drawOf(5));
    const { view } = played(
      slotsCluster,
      numbers(...grid(start), ...fill, ...Array.from({ length: 30 }, () => drawOf(2))),
    );
    expect(view.steps[0]!.wins[0]).toMatchObject({ symbol: 0, words: '5 together' });
    const second = view.steps[1]!;
    expect(second.multiplier).toBe(2);
    // Top row new opals, second row the old opals and one topaz.
    expect([0, 1].map((row) => [0, 1, 2, 3, 4, 5].map((column) => second.cells[column * 6 + row]).join(''))).toEqual([
      '555555',
      '555511',
    ]);
    expect(second.wins).toHaveLength(1);
    expect(second.wins[0]).toMatchObject({ symbol: 5, words: '10 together' });
  });

  it('groups are whole: every two neighbours alike are in one group or in none', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 36, maxLength: 36 }), (cells) => {
        const groups = groupsIn(cells);
        const group = new Map(groups.flatMap((members, index) => members.map((cell) => [cell, index] as const)));
        expect(groups.flat().length).toBe(group.size);
        for (let cell = 0; cell < 36; cell++) {
          const beside = [...(cell % 6 < 5 ? [cell + 1] : []), ...(cell < 30 ? [cell + 6] : [])];
          for (const next of beside) if (cells[cell] === cells[next]) expect(group.get(next)).toBe(group.get(cell));
        }
        for (const members of groups) expect(new Set(members.map((cell) => cells[cell])).size).toBe(1);
      }),
    );
  });

  it('weights are of a hundred', () => {
    expect(WEIGHTS.reduce((sum, weight) => sum + weight, 0)).toBe(100);
  });

  it('keeps the laws of a game', () => {
    checkReturns(slotsCluster);
    checkLaws(slotsCluster, wagers, null, HOLLOW.maxTimes);
    checkRefusals((input) => slotsCluster.wager(input));
    checkBySimulation(slotsCluster, 200_000);
  });
});
