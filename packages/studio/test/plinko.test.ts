import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LEAST_ROWS,
  MOST_ROWS,
  type PlinkoView,
  plinko,
  plinkoPays,
  plinkoReturn,
  plinkoWays,
  RISKS,
} from '../src/rules/plinko.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, fair, playRound, refused } from './solo.ts';

const wagers = fc.record({
  stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100),
  rows: fc.integer({ min: LEAST_ROWS, max: MOST_ROWS }),
  risk: fc.constantFrom(...RISKS),
});
const MOST_TIMES = 100_000;

describe('plinko', () => {
  it('counts paths by hand and by walking all of them', () => {
    expect([0, 1, 2, 3, 4].map((bin) => plinkoWays(8, bin))).toEqual([1, 8, 28, 56, 70]);
    const rows = 10;
    const walked = Array.from({ length: rows + 1 }, () => 0);
    for (let path = 0; path < 2 ** rows; path++) {
      let bin = 0;
      for (let row = 0; row < rows; row++) bin += (path >> row) & 1;
      walked[bin]! += 1;
    }
    expect(walked).toEqual(walked.map((_, bin) => plinkoWays(rows, bin)));
    for (const risk of RISKS) {
      const paid = walked.reduce((sum, ways, bin) => sum + ways * plinkoPays(rows, risk)[bin]!, 0);
      expect(plinkoReturn(rows, risk)).toBe(Math.floor((paid * 10_000) / 2 ** rows));
    }
  });

  it('[issue 5] every number of rows and risk returns between 92 % and 100 %; both sides pay alike, the sides most', () => {
    for (const risk of RISKS) {
      for (let rows = LEAST_ROWS; rows <= MOST_ROWS; rows++) {
        expect(plinkoReturn(rows, risk)).toBeGreaterThanOrEqual(920_000);
        expect(plinkoReturn(rows, risk)).toBeLessThanOrEqual(1_000_000);
        const pays = plinkoPays(rows, risk);
        expect(pays).toHaveLength(rows + 1);
        expect([...pays].reverse()).toEqual(pays);
        expect(Math.max(...pays)).toBe(pays[0]);
        for (let bin = 1; bin <= rows / 2; bin++) expect(pays[bin]!).toBeLessThanOrEqual(pays[bin - 1]!);
        expect(pays[0]!).toBeLessThanOrEqual(MOST_TIMES);
      }
    }
    expect(plinko.returns()).toHaveLength(27);
    checkReturns(plinko);
  });

  it('pays the bin that the path leads to', () => {
    fc.assert(
      fc.property(wagers, fc.nat(100_000), (wager, nonce) => {
        const { end } = playRound(plinko, wager, [], fair(nonce));
        const view = plinko.view(end.state) as PlinkoView;
        expect(view.path).toHaveLength(wager.rows);
        const bin = view.path.filter((turn) => turn === 1).length;
        expect(view.times).toBe(plinkoPays(wager.rows, wager.risk)[bin]);
        expect(end.paidMinor * 100).toBe(wager.stakeMinor * view.times);
      }),
    );
  });

  it('keeps the laws of a game', () => checkLaws(plinko, wagers, null, MOST_TIMES));

  it('refuses wagers by the field at fault', () => {
    const right = { stakeMinor: 100, rows: 12, risk: 'low' };
    expect(refused(() => plinko.wager({ ...right, rows: 7 }))).toBe('rows');
    expect(refused(() => plinko.wager({ ...right, rows: 17 }))).toBe('rows');
    expect(refused(() => plinko.wager({ ...right, risk: 'none' }))).toBe('risk');
    expect(refused(() => plinko.wager({ ...right, stakeMinor: 101 }))).toBe('stakeMinor');
    expect(refused(() => plinko.wager({ ...right, balls: 2 }))).toBe('balls');
    checkRefusals((input) => plinko.wager(input));
  });

  it('returns in play what is computed', () => checkBySimulation(plinko));
});
