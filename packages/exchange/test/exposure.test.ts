import { LADDER } from '@fairgame/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../src/exchange.ts';
import { apply, audit, position, wallet } from '../src/exchange.ts';
import { heldMinor, LOSE, OPEN_LIABILITY, OPEN_STAKE, SUMS, WIN, worstE4 } from '../src/exposure.ts';
import { zeros } from '../src/zeros.ts';
import type { OracleBet } from './oracle/exposure-oracle.ts';
import { exposureByOutcomes, exposureBySubsets } from './oracle/exposure-oracle.ts';
import { ANN, BOB, CAT, MARKET, marketDef, runners, Site, T0 } from './site.ts';

/** Sums of an account as the package keeps them. */
function sumsOf(matched: OracleBet[], open: OracleBet[], count: number): number[] {
  const sums = zeros(SUMS * count);
  for (const bet of matched) {
    const sign = bet.side === 'BACK' ? 1 : -1;
    sums[SUMS * bet.runner + WIN]! += sign * bet.size * (bet.price - 100);
    sums[SUMS * bet.runner + LOSE]! -= sign * bet.size * 100;
  }
  for (const bet of open) {
    if (bet.side === 'BACK') sums[SUMS * bet.runner + OPEN_STAKE]! += bet.size * 100;
    else sums[SUMS * bet.runner + OPEN_LIABILITY]! += bet.size * (bet.price - 100);
  }
  return sums;
}

const bet = (count: number) =>
  fc.record({
    runner: fc.integer({ min: 0, max: count - 1 }),
    side: fc.constantFrom('BACK' as const, 'LAY' as const),
    price: fc.nat(LADDER.length - 1).map((i) => LADDER[i]!),
    size: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 10_000_000 })),
  });

describe('worst case of a market', () => {
  it('[INV-05] the worked example with one winner: 190 (reference 9.1)', () => {
    const s = new Site();
    s.market();
    s.match(ANN, BOB, 1, 300, 10_000);
    s.match(BOB, ANN, 2, 250, 6000);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(19_000);
    expect(position(s.state, ANN, MARKET)!.runners!.map((row) => row.netMinor)).toEqual([26_000, -19_000, -4000]);
    s.lay(ANN, 3, 400, 5000);
    s.lay(ANN, 1, 280, 10_000);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(19_000);
    expect(position(s.state, ANN, MARKET)!.runners!.map((row) => row.netMinor)).toEqual([26_000, -19_000, -4000]);
  });

  it('[INV-05] the worked example with three winners: 280', () => {
    const s = new Site();
    s.market({ runners: runners(6), winners: 3 });
    s.match(ANN, BOB, 1, 200, 5000);
    s.match(BOB, ANN, 2, 300, 4000);
    s.match(BOB, ANN, 3, 180, 10_000);
    s.match(ANN, BOB, 4, 400, 2000);
    s.lay(ANN, 5, 600, 1000);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(28_000);
  });

  it('[INV-05] two lays in one match: 10 at 3.15 and 10 at 2.52 hold 11.50', () => {
    const s = new Site();
    s.market();
    s.match(BOB, ANN, 1, 315, 1000);
    s.match(BOB, ANN, 2, 252, 1000);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(1150);
  });

  it('rounds what is held up to the cent', () => {
    expect([0, 5, -1, -99, -100, -101].map(heldMinor)).toEqual([0, 0, 1, 1, 1, 2]);
    expect(heldMinor(-Number.MAX_SAFE_INTEGER)).toBe(90_071_992_547_410);
  });

  it('[INV-05] closed form = every winner set and every subset of the unmatched bets', () => {
    const cases = fc.integer({ min: 1, max: 6 }).chain((count) =>
      fc.record({
        count: fc.constant(count),
        winners: fc.integer({ min: 1, max: 4 }),
        removed: fc.subarray(
          Array.from({ length: count }, (_, i) => i),
          { maxLength: count - 1 },
        ),
        matched: fc.array(bet(count), { maxLength: 8 }),
        open: fc.array(bet(count), { maxLength: 7 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ count, winners, removed, matched, open }) => {
        const active = Array.from({ length: count }, (_, i) => i).filter((i) => !removed.includes(i));
        const live = (list: OracleBet[]) => list.filter((one) => active.includes(one.runner));
        const held = heldMinor(worstE4(sumsOf(live(matched), live(open), count), Int32Array.from(active), winners));
        expect(held).toBe(exposureBySubsets(live(matched), live(open), active, winners));
        expect(held).toBe(exposureByOutcomes(live(matched), live(open), active, winners));
      }),
      { numRuns: 1500 },
    );
  });
});

describe('exposure while a market is traded', () => {
  /** From the fills and the waiting orders, over every set of winners of four runners. */
  function bruteForce(s: Site, accountId: number, winners: number): number {
    const matched: OracleBet[] = [];
    const waiting: OracleBet[] = [];
    for (const order of s.state.orders.values()) {
      if (order.holding.account.id !== accountId || order.remaining === 0) continue;
      waiting.push({ runner: order.runner.id, side: order.side, price: order.price, size: order.remaining });
    }
    for (const fill of s.state.markets.get(MARKET)!.fills) {
      const bet = { runner: fill.runner.id, price: fill.price, size: fill.size };
      if (fill.back!.holding.account.id === accountId) matched.push({ ...bet, side: 'BACK' });
      if (fill.lay!.holding.account.id === accountId) matched.push({ ...bet, side: 'LAY' });
    }
    return exposureByOutcomes(matched, waiting, [1, 2, 3, 4], winners);
  }

  const command = fc.record({
    what: fc.integer({ min: 0, max: 11 }),
    account: fc.integer({ min: ANN, max: CAT }),
    runner: fc.integer({ min: 1, max: 4 }),
    side: fc.constantFrom('BACK' as const, 'LAY' as const),
    price: fc.integer({ min: 60, max: 150 }).map((i) => LADDER[i]!),
    size: fc.integer({ min: 1, max: 5000 }),
    pick: fc.nat(100),
  });

  it('[INV-05] [INV-06] held = brute force after every command; available never below 0; fills never raise it', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), fc.integer({ min: 1, max: 2 }), (steps, winners) => {
        const s = new Site(3, 12_000);
        s.market({ runners: runners(4), winners });
        let betId = 0;
        for (const step of steps) {
          const open = [...s.state.orders.values()].filter((order) => order.status === 'EXECUTABLE');
          const target = open[step.pick % Math.max(1, open.length)];
          let next: Command;
          if (step.what === 10 && target) {
            next = { type: 'order.cancel', accountId: target.holding.account.id, betId: target.id, byMinor: step.size };
          } else if (step.what === 11 && target) {
            const accountId = target.holding.account.id;
            next = {
              type: 'order.replace',
              accountId,
              betId: target.id,
              newBetId: ++betId,
              price: step.price,
              sizeMinor: step.size,
            };
          } else {
            next = {
              type: 'order.place',
              betId: ++betId,
              accountId: step.account,
              marketId: MARKET,
              runnerId: step.runner,
              side: step.side,
              price: step.price,
              sizeMinor: step.size,
              persistence: 'LAPSE',
            };
          }
          const before = new Map([ANN, BOB, CAT].map((id) => [id, wallet(s.state, id)!]));
          const actor = 'accountId' in next ? next.accountId : 0;
          const events = apply(s.state, next, T0);
          expect(audit(s.state)).toEqual([]);
          for (const accountId of [ANN, BOB, CAT]) {
            const now = wallet(s.state, accountId)!;
            expect(now.exposureMinor).toBe(bruteForce(s, accountId, winners));
            expect(now.availableMinor).toBeGreaterThanOrEqual(0);
            if (accountId !== actor)
              expect(now.exposureMinor).toBeLessThanOrEqual(before.get(accountId)!.exposureMinor);
          }
          // What was refused for money would indeed have taken available below 0.
          const refused = events[0];
          if (refused?.type === 'refused' && next.type === 'order.place') {
            expect(['INSUFFICIENT_FUNDS', 'PROFIT_RATIO']).toContain(refused.code);
          }
        }
        for (const accountId of [ANN, BOB, CAT]) apply(s.state, { type: 'order.cancelAll', accountId }, T0);
        // With everything cancelled only what is matched is held.
        for (const accountId of [ANN, BOB, CAT]) {
          expect([...s.state.orders.values()].every((order) => order.remaining === 0)).toBe(true);
          expect(wallet(s.state, accountId)!.exposureMinor).toBe(bruteForce(s, accountId, winners));
        }
      }),
      { numRuns: 120 },
    );
  });

  it('[INV-07] a market stops taking bets before its sums could leave the safe integers', () => {
    const s = new Site(2, 1_000_000_000_000);
    s.market({ maxStakeMinor: Number.MAX_SAFE_INTEGER });
    for (let i = 0; i < 45; i++) s.back(ANN, 1, 100_000, 2_000_000_000);
    s.refused(s.order(ANN, 1, 'BACK', 100_000, 2_000_000_000), 'STAKE_TOO_LARGE', 'sizeMinor');
    s.refused(s.order(BOB, 1, 'BACK', 100_000, 2 ** 31), 'STAKE_TOO_LARGE', 'sizeMinor');
    expect(marketDef().runners).toHaveLength(3);
  });

  it('of what came and went nothing counts against that bound: a market never closes by its own history', () => {
    const s = new Site(2, 9_000_000_000_000);
    const size = 2_000_000_000;
    s.market({ maxStakeMinor: size, lapseOnSuspend: true });
    const status = (to: 'OPEN' | 'SUSPENDED') => s.go({ type: 'market.state', marketId: MARKET, status: to });
    // Of each kind more than the 45 that the bound allows at a time.
    for (let i = 0; i < 50; i++) {
      s.go({ type: 'order.cancel', accountId: ANN, betId: s.back(ANN, 1, 100_000, size) });
      s.back(ANN, 1, 100_000, size);
      status('SUSPENDED');
      status('OPEN');
      const [back] = s.match(ANN, BOB, 1, 100_000, size);
      s.go({ type: 'bets.void', marketId: MARKET, betIds: [back], reason: 'Test' });
    }
    for (let i = 0; i < 45; i++) s.back(ANN, 1, 100_000, size);
    s.refused(s.order(ANN, 1, 'BACK', 100_000, size), 'STAKE_TOO_LARGE', 'sizeMinor');
  });
});
