import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betAmounts } from '../src/quotes.ts';
import type { QuoteBet, RunMarket } from '../src/runs.ts';
import { labelRuns, runLadder, sufficientRuns, sumAt, trimRuns } from '../src/runs.ts';

const session: RunMarket = { kind: 'session', runners: [{ runnerId: 1 }] };
const bets = fc.array(
  fc
    .record({
      side: fc.constantFrom<'BACK' | 'LAY'>('BACK', 'LAY'),
      price: fc.integer({ min: 20, max: 300 }),
      stakeMinor: fc.integer({ min: 100, max: 100_000 }),
      line: fc.integer({ min: 0, max: 40 }),
    })
    .map((q): QuoteBet => ({ runnerId: 1, ...q, ...betAmounts('session', q) })),
  { minLength: 1, maxLength: 8 },
);

describe('session ladders at random', () => {
  it('the sufficient rows hold the worst of the whole ladder and of every run beyond it', () => {
    fc.assert(
      fc.property(bets, (list) => {
        const worst = (runs: number[]) => Math.min(...runs.map((run) => sumAt(session, list, run)));
        const everything = Array.from({ length: 120 }, (_, run) => run);
        expect(worst(sufficientRuns(session, list))).toBe(worst(everything));
        expect(worst(runLadder(session, list).map((row) => row.run))).toBe(worst(everything));
      }),
      { numRuns: 20_000 },
    );
  });

  it('[CAR-26] the trimmed list holds a worst row, both rows of every sign change, and keeps the order', () => {
    fc.assert(
      fc.property(bets, (list) => {
        const rows = runLadder(session, list);
        const shown = trimRuns(rows);
        const worst = Math.min(...rows.map((row) => row.profitMinor));
        expect(shown.length).toBeGreaterThan(0);
        expect(shown.some((row) => row.profitMinor === worst)).toBe(true);
        const kept = new Set(shown);
        rows.forEach((row, i) => {
          const before = rows[i - 1];
          if (before && row.profitMinor < 0 !== before.profitMinor < 0) {
            expect(kept.has(row) && kept.has(before)).toBe(true);
          }
        });
        expect(shown).toEqual(rows.filter((row) => kept.has(row)));
      }),
      { numRuns: 5000 },
    );
  });

  it('a label never claims a run that brings something else', () => {
    fc.assert(
      fc.property(bets, fc.nat({ max: 90 }), (list, run) => {
        const rows = runLadder(session, list);
        for (const row of labelRuns(rows, trimRuns(rows))) {
          const says = (row.label.endsWith('less') && run <= row.run) || (row.label.endsWith('more') && run >= row.run);
          if (says) expect(sumAt(session, list, run)).toBe(row.profitMinor);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
