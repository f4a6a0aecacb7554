import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, hashState, restore, snapshot, wallet } from '../src/exchange.ts';
import { ANN, BOB, MARKET, type Place, Site } from './site.ts';

const floor = (s: Site, lossFloorMinor: number | null) =>
  s.go({
    type: 'account.restrict',
    accountId: ANN,
    betBlocked: false,
    exposureLimitMinor: 0,
    ...(lossFloorMinor === null ? {} : { lossFloorMinor }),
  });
const move = (s: Site, amountMinor: number) =>
  s.go({
    type: 'account.transfer',
    accountId: ANN,
    amountMinor,
    reason: amountMinor > 0 ? 'deposit' : 'withdrawal',
    text: '',
  });

/** Refused or not, both are fine. */
function attempt(s: Site, order: Place): void {
  if (apply(s.state, order, s.now)[0]?.type !== 'refused') s.lastBetId = order.betId;
}

describe('the loss floor of an account', () => {
  it('[INV-18] refuses new risk below it, to the unit; what lowers the risk passes', () => {
    const s = new Site(2, 10_000);
    s.market();
    floor(s, 9000);
    s.refused(s.order(ANN, 1, 'BACK', 300, 1001), 'LOSS_LIMIT');
    s.match(ANN, BOB, 1, 300, 1000);
    s.refused(s.order(ANN, 2, 'BACK', 300, 1), 'LOSS_LIMIT');
    s.lay(ANN, 1, 300, 1000);
    floor(s, null);
    s.back(ANN, 2, 300, 5000);
  });

  it('[INV-18] counts in the moment it was reckoned from: beside money that moved it is refused whole', () => {
    const s = new Site(2, 10_000);
    s.market();
    const restrict = { type: 'account.restrict', accountId: ANN, betBlocked: true, exposureLimitMinor: 0 } as const;
    move(s, 500);
    s.refused({ ...restrict, lossFloorMinor: 9000, balanceMinor: 10_000 }, 'BALANCE_MOVED', 'balanceMinor');
    s.back(ANN, 1, 300, 1000);
    s.go({ ...restrict, betBlocked: false, lossFloorMinor: 9500, balanceMinor: 10_500 });
    s.refused(s.order(ANN, 1, 'BACK', 300, 1), 'LOSS_LIMIT');
  });

  it('[INV-18] a lost bet leaves no room, a won one makes room; money in or out is no play', () => {
    const s = new Site(2, 10_000);
    s.market();
    floor(s, 9000);
    s.match(ANN, BOB, 1, 300, 1000);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [2] } });
    s.market({ marketId: 8 });
    s.refused(s.order(ANN, 1, 'BACK', 300, 1, { marketId: 8 }), 'LOSS_LIMIT');
    move(s, 5000);
    s.refused(s.order(ANN, 1, 'BACK', 300, 1, { marketId: 8 }), 'LOSS_LIMIT');
    move(s, -5000);
    s.go({ type: 'market.undeclare', marketId: MARKET });
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] } });
    // 10,000 + 2,000 won: 3,000 above the floor.
    s.refused(s.order(ANN, 1, 'BACK', 300, 3001, { marketId: 8 }), 'LOSS_LIMIT');
    s.back(ANN, 1, 300, 3000, { marketId: 8 });
  });

  it('is part of the state: hash, snapshot and replay know it', () => {
    const s = new Site(2, 10_000);
    s.market();
    const before = hashState(s.state);
    floor(s, 9000);
    expect(hashState(s.state)).not.toBe(before);
    const again = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(again)).toBe(hashState(s.state));
    floor(s, null);
    expect(hashState(s.state)).toBe(before);
    s.refused(
      {
        type: 'account.restrict',
        accountId: ANN,
        betBlocked: false,
        exposureLimitMinor: 0,
        lossFloorMinor: Number.NaN,
      },
      'AMOUNT_INVALID',
      'lossFloorMinor',
    );
  });

  it('[INV-18] whatever is played and settled: lost plus at risk never passes the limit', () => {
    const step = fc.oneof(
      fc.record({
        act: fc.constant('bet' as const),
        runner: fc.integer({ min: 1, max: 2 }),
        stake: fc.integer({ min: 1, max: 3000 }),
        back: fc.boolean(),
      }),
      fc.record({ act: fc.constant('settle' as const), runner: fc.integer({ min: 1, max: 2 }) }),
      fc.record({
        act: fc.constant('money' as const),
        amount: fc.integer({ min: -2000, max: 2000 }).filter((n) => n !== 0),
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8000 }), fc.array(step, { maxLength: 40 }), (limit, steps) => {
        const s = new Site(2, 10_000);
        let marketId = 50;
        s.market({ marketId });
        floor(s, 10_000 - limit);
        let moved = 0;
        for (const one of steps) {
          if (one.act === 'bet') {
            const other = one.back ? 'LAY' : 'BACK';
            attempt(s, s.order(BOB, one.runner, other, 300, one.stake, { marketId }));
            attempt(s, s.order(ANN, one.runner, one.back ? 'BACK' : 'LAY', 300, one.stake, { marketId }));
          } else if (one.act === 'settle') {
            s.go({ type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [one.runner] } });
            s.market({ marketId: ++marketId });
          } else {
            const { availableMinor } = wallet(s.state, ANN)!;
            if (availableMinor + one.amount >= 0) {
              move(s, one.amount);
              moved += one.amount;
            }
          }
          const { balanceMinor, exposureMinor } = wallet(s.state, ANN)!;
          const lost = 10_000 + moved - balanceMinor;
          expect(lost + exposureMinor).toBeLessThanOrEqual(Math.max(limit, lost));
          if (lost <= limit) expect(lost + exposureMinor).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 150 },
    );
  });
});
