import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CashOut, CashOutMarket, RunnerNet, RunnerOffers } from '../src/cashout.ts';
import { cashOut, cashOutRate, greenUp, whatIf, whatIfRate } from '../src/cashout.ts';
import type { QuoteRow } from '../src/types.ts';

const A = 1;
const B = 2;
const C = 3;
const nets: RunnerNet[] = [
  { runnerId: A, netMinor: 26_000 },
  { runnerId: B, netMinor: -19_000 },
  { runnerId: C, netMinor: -4000 },
];
const offers = (runnerId: number, back: Array<[number, number]>, lay: Array<[number, number]>): RunnerOffers => ({
  runnerId,
  status: 'ACTIVE',
  backable: back,
  layable: lay,
});
const DEEP = 10_000_000;
const market = (runners: RunnerOffers[], more: Partial<CashOutMarket> = {}): CashOutMarket => ({
  status: 'OPEN',
  winners: 1,
  runners,
  ...more,
});
/** The offers of the example in section 10. */
const example = () => [
  offers(A, [[280, DEEP]], [[284, DEEP]]),
  offers(B, [[236, DEEP]], [[238, DEEP]]),
  offers(C, [[440, DEEP]], [[460, DEEP]]),
];
function good(result: CashOut): Extract<CashOut, { ok: true }> {
  if (!result.ok) throw new Error(result.reason);
  return result;
}

describe('what-if (section 10)', () => {
  it('back B 50 at 2.36 gives A 210, B -122, C -90', () => {
    const after = whatIf(nets, { runnerId: B, side: 'BACK', price: 236, sizeMinor: 5000 });
    expect(after.map((row) => row.netMinor)).toEqual([21_000, -12_200, -9000]);
  });
  it('a lay is the mirror', () => {
    const after = whatIf(nets, { runnerId: B, side: 'LAY', price: 236, sizeMinor: 5000 });
    expect(after.map((row) => row.netMinor)).toEqual([31_000, -25_800, 1000]);
  });
  it('a bookmaker rate pays per 100', () => {
    const flat = [A, B].map((runnerId) => ({ runnerId, netMinor: 0 }));
    const back = whatIfRate(flat, { runnerId: A, side: 'BACK', price: 85, sizeMinor: 100_000 });
    expect(back.map((row) => row.netMinor)).toEqual([85_000, -100_000]);
    const lay = whatIfRate(flat, { runnerId: A, side: 'LAY', price: 87, sizeMinor: 100_000 });
    expect(lay.map((row) => row.netMinor)).toEqual([-87_000, 100_000]);
  });
});

describe('green-up of one runner (section 10)', () => {
  it('back 10 at 10.0, lay 12.50 at 8.0: +2.50 either way', () => {
    const closed = good(
      greenUp({ runnerId: A, winMinor: 9000, loseMinor: -1000 }, market([offers(A, [], [[800, DEEP]])])),
    );
    expect(closed.hedges).toEqual([{ runnerId: A, side: 'LAY', price: 800, sizeMinor: 1250 }]);
    expect(closed.results.map((row) => row.netMinor)).toEqual([250, 250]);
    expect(closed.valueMinor).toBe(250);
  });
  it('back 100 at 3.0, lay 105.63 at 2.84: +5.64 and +5.63', () => {
    const closed = good(
      greenUp({ runnerId: A, winMinor: 20_000, loseMinor: -10_000 }, market([offers(A, [], [[284, DEEP]])])),
    );
    expect(closed.hedges[0]!.sizeMinor).toBe(10_563);
    expect(closed.results.map((row) => row.netMinor)).toEqual([564, 563]);
    expect(closed.valueMinor).toBe(563);
  });
  it('a lay is closed by backing, walking down the offered prices', () => {
    const walked = good(
      greenUp(
        { runnerId: A, winMinor: -20_000, loseMinor: 10_000 },
        market([
          offers(
            A,
            [
              [320, 5000],
              [300, DEEP],
            ],
            [],
          ),
        ]),
      ),
    );
    // 30 000 of return: 5000 at 3.20 is 160.00, the other 140.00 at 3.00 are 46.67.
    expect(walked.hedges).toEqual([{ runnerId: A, side: 'BACK', price: 300, sizeMinor: 9667 }]);
    expect(walked.results.map((row) => row.netMinor)).toEqual([334, 333]);
  });
  it('works on one runner of a three-winner market', () => {
    const closed = greenUp(
      { runnerId: A, winMinor: 9000, loseMinor: -1000 },
      market([offers(A, [], [[800, DEEP]])], { winners: 3 }),
    );
    expect(good(closed).valueMinor).toBe(250);
  });
});

describe('cash-out over all runners (section 10)', () => {
  it('the example leaves C alone: lay A, back B, 2.07 locked', () => {
    const closed = good(cashOut(nets, market(example())));
    expect(closed.hedges).toEqual([
      { runnerId: A, side: 'LAY', price: 284, sizeMinor: 10_563 },
      { runnerId: B, side: 'BACK', price: 236, sizeMinor: 6356 },
    ]);
    expect(closed.results.map((row) => row.netMinor)).toEqual([208, 207, 207]);
    expect(closed.valueMinor).toBe(207);
  });
  it('by backs only it locks 1.14, by lays only 1.06', () => {
    const backs = good(cashOut(nets, market(example().map((r) => ({ ...r, layable: [] })))));
    expect(backs.hedges.map((hedge) => [hedge.runnerId, hedge.side, hedge.sizeMinor])).toEqual([
      [B, 'BACK', 19_068],
      [C, 'BACK', 6818],
    ]);
    expect(backs.results.map((row) => row.netMinor)).toEqual([114, 114, 113]);
    expect(backs.valueMinor).toBe(113);
    const lays = good(cashOut(nets, market(example().map((r) => ({ ...r, backable: [] })))));
    expect(lays.hedges.map((hedge) => [hedge.runnerId, hedge.side, hedge.sizeMinor])).toEqual([
      [A, 'LAY', 15_845],
      [C, 'LAY', 3261],
    ]);
    expect(lays.results.map((row) => row.netMinor)).toEqual([106, 106, 105]);
  });
  it('takes commission off a profit and never off a loss', () => {
    expect(good(cashOut(nets, market(example(), { commissionBps: 500 }))).valueMinor).toBe(197);
    const lost = nets.map((row) => ({ ...row, netMinor: row.netMinor - 50_000 }));
    const gross = good(cashOut(lost, market(example()))).valueMinor;
    expect(gross).toBe(-49_793);
    expect(good(cashOut(lost, market(example(), { commissionBps: 500 }))).valueMinor).toBe(gross);
  });
  it('a removed runner is no outcome', () => {
    const removed = example();
    removed[2] = { ...removed[2]!, status: 'REMOVED', backable: [], layable: [] };
    const closed = good(cashOut(nets, market(removed)));
    expect(closed.results.map((row) => row.runnerId)).toEqual([A, B]);
  });
  it('says why there is none', () => {
    const reason = (result: CashOut) => (result.ok ? 'ok' : result.reason);
    expect(reason(cashOut(nets, market(example(), { status: 'SUSPENDED' })))).toBe('SUSPENDED');
    expect(reason(cashOut(nets, market(example(), { status: 'CLOSED' })))).toBe('CLOSED');
    expect(reason(cashOut(nets, market(example(), { winners: 3 })))).toBe('WRONG_MARKET');
    expect(reason(cashOut([], market(example())))).toBe('NO_POSITION');
    expect(
      reason(
        cashOut(
          nets.map((row) => ({ ...row, netMinor: 500 })),
          market(example()),
        ),
      ),
    ).toBe('NO_POSITION');
    expect(reason(cashOut(nets, market(example().map((r) => offers(r.runnerId, [], [])))))).toBe('NO_DEPTH');
    const thin = example().map((r) => offers(r.runnerId, [[r.backable[0]![0], 100]], [[r.layable[0]![0], 100]]));
    expect(reason(cashOut(nets, market(thin)))).toBe('NO_DEPTH');
    const halted = example().map((r) => ({ ...r, status: 'SUSPENDED' as const }));
    expect(reason(cashOut(nets, market(halted)))).toBe('RUNNER_SUSPENDED');
    const dust = nets.map((row, i) => ({ ...row, netMinor: i * 40 }));
    expect(reason(cashOut(dust, market(example(), { minStakeMinor: 100 })))).toBe('STAKE_TOO_SMALL');
    expect(reason(cashOut(nets, market(example(), { maxStakeMinor: 500 })))).toBe('STAKE_TOO_LARGE');
    const flat = { runnerId: A, winMinor: 5, loseMinor: 5 };
    expect(reason(greenUp(flat, market(example())))).toBe('NO_POSITION');
    expect(reason(greenUp({ ...flat, winMinor: 900 }, market([offers(A, [[280, DEEP]], [])])))).toBe('NO_DEPTH');
    expect(reason(greenUp({ ...flat, runnerId: 9 }, market(example())))).toBe('RUNNER_SUSPENDED');
  });
  it('at random, never beats what is on offer: sizes and prices fit, results are the exact sums, no level is better', () => {
    const ladder = (low: number, high: number) =>
      fc.array(fc.tuple(fc.integer({ min: low, max: high }), fc.integer({ min: 50, max: 40_000 })), { maxLength: 3 });
    const runner = fc.record({
      net: fc.integer({ min: -50_000, max: 50_000 }),
      back: ladder(150, 600),
      spread: fc.integer({ min: 2, max: 40 }),
      lay: ladder(600, 900),
    });
    fc.assert(
      fc.property(fc.array(runner, { minLength: 2, maxLength: 5 }), (list) => {
        const positions = list.map(({ net }, i) => ({ runnerId: i + 1, netMinor: net }));
        const rows = list.map(({ back, lay, spread }, i) =>
          offers(
            i + 1,
            [...back].sort((x, y) => y[0] - x[0]),
            [...lay].map(([p, s]): [number, number] => [p + spread, s]).sort((x, y) => x[0] - y[0]),
          ),
        );
        const closed = cashOut(positions, market(rows));
        if (!closed.ok) return;
        const effect = new Map(positions.map((row) => [row.runnerId, row.netMinor * 100]));
        for (const hedge of closed.hedges) {
          const row = rows[hedge.runnerId - 1]!;
          let left = hedge.sizeMinor;
          let returned = 0;
          for (const [price, size] of hedge.side === 'BACK' ? row.backable : row.layable) {
            if (hedge.side === 'BACK' ? price < hedge.price : price > hedge.price) break;
            const taken = Math.min(size, left);
            left -= taken;
            returned += taken * price;
          }
          expect(left).toBe(0);
          const sign = hedge.side === 'BACK' ? 1 : -1;
          for (const [id, net] of effect) {
            effect.set(id, net + sign * ((id === hedge.runnerId ? returned : 0) - hedge.sizeMinor * 100));
          }
        }
        const values = [...effect.values()];
        const worst = Math.min(...values);
        expect(closed.valueMinor).toBe(Math.floor(worst / 100) || 0);
        // Equal on all runners, but for rounding stakes to a minor unit at odds below 10.
        expect(Math.max(...values) - worst).toBeLessThanOrEqual(1000 * list.length);
        // No level of a coarse sweep locks more (real arithmetic; half a minor unit of stake per hedge is allowed).
        for (
          let z = Math.min(...positions.map((p) => p.netMinor));
          z <= Math.max(...positions.map((p) => p.netMinor));
          z += 400
        ) {
          let locked = z;
          for (const { runnerId, netMinor } of positions) locked -= spent(rows[runnerId - 1]!, z - netMinor);
          if (Number.isFinite(locked)) expect(locked).toBeLessThanOrEqual(worst / 100 + 6 * list.length);
        }
      }),
      { numRuns: 1500 },
    );
  });
});

/** Stake that moves a runner by `change` against the field, plain arithmetic; Infinity when it is not there. */
function spent(row: RunnerOffers, change: number): number {
  let left = Math.abs(change);
  let stake = 0;
  for (const [price, size] of change > 0 ? row.backable : row.layable) {
    const taken = Math.min(size, (left * 100) / price);
    stake += taken;
    left -= (taken * price) / 100;
  }
  if (left > 1e-6) return Number.POSITIVE_INFINITY;
  return change > 0 ? stake : -stake;
}

describe('cash-out of a bookmaker market (section 10, South-Asian)', () => {
  const row = (runnerId: number, back: number, lay: number): QuoteRow => ({
    runnerId,
    back: { price: back, sizeMinor: DEEP },
    lay: { price: lay, sizeMinor: DEEP },
    status: 'ACTIVE',
  });
  const pair: RunnerNet[] = [
    { runnerId: A, netMinor: 85_000 },
    { runnerId: B, netMinor: -100_000 },
  ];
  const quoted = {
    status: 'OPEN' as const,
    rows: [row(A, 60, 62), row(B, 150, 170)],
    minStakeMinor: 100,
    maxStakeMinor: 500_000,
  };

  it('A 850, B -1000, lay box 62: lay A 1141.98 for about 141.98 on both', () => {
    const closed = good(cashOutRate(pair, quoted));
    expect(closed.hedges).toEqual([{ runnerId: A, side: 'LAY', price: 62, sizeMinor: 114_198, box: 0 }]);
    expect(closed.results.map((entry) => entry.netMinor)).toEqual([14_197, 14_198]);
    expect(closed.valueMinor).toBe(14_197);
  });
  it('backs the runner under 100 when it is the losing one', () => {
    const closed = good(
      cashOutRate(
        [
          { runnerId: A, netMinor: -30_000 },
          { runnerId: B, netMinor: 40_000 },
        ],
        quoted,
      ),
    );
    expect(closed.hedges).toEqual([{ runnerId: A, side: 'BACK', price: 60, sizeMinor: 43_750, box: 0 }]);
    expect(closed.results.map((entry) => entry.netMinor)).toEqual([-3750, -3750]);
  });
  it('goes to an outer box when the stake is over the first box share', () => {
    const closed = good(cashOutRate(pair, { ...quoted, maxStakeMinor: 300_000 }));
    expect(closed.hedges[0]).toMatchObject({ price: 63, box: 1, sizeMinor: 113_497 });
  });
  it('says why there is none', () => {
    const reason = (result: CashOut) => (result.ok ? 'ok' : result.reason);
    const halted = quoted.rows.map((entry) => ({ ...entry, status: 'BALL_RUNNING' as const }));
    expect(reason(cashOutRate(pair, { ...quoted, status: 'SUSPENDED' }))).toBe('SUSPENDED');
    expect(reason(cashOutRate(pair, { ...quoted, rows: halted }))).toBe('SUSPENDED');
    expect(
      reason(
        cashOutRate(
          pair.map((entry) => ({ ...entry, netMinor: 7 })),
          quoted,
        ),
      ),
    ).toBe('NO_POSITION');
    expect(reason(cashOutRate(nets, quoted))).toBe('WRONG_MARKET');
    expect(reason(cashOutRate(pair, { ...quoted, maxStakeMinor: 1000 }))).toBe('NO_DEPTH');
    expect(
      reason(
        cashOutRate(
          pair.map((entry, i) => ({ ...entry, netMinor: i })),
          quoted,
        ),
      ),
    ).toBe('STAKE_TOO_SMALL');
  });
});
