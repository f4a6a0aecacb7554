/**
 * Money nobody has is never paid out: exposures cover a removal (D1), and what an account lacks by others' acts is held
 * back from those who win it (D2; exchange reference 7, rules 1 to 3).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../src/exchange.ts';
import {
  apply,
  audit,
  betOf,
  HOUSE,
  hashState,
  holdsOf,
  isTold,
  marketView,
  pendingWork,
  restore,
  shortsOf,
  snapshot,
  wallet,
} from '../src/exchange.ts';
import { resultE4, winnerSets } from './oracle/exposure-oracle.ts';
import { ANN, BOB, CAT, MARKET, of, runners, Site } from './site.ts';

const winner = (runnerId: number): Result => ({ kind: 'winners', runnerIds: [runnerId] });
const declare = (s: Site, runnerId: number) =>
  s.go({ type: 'market.declare', marketId: MARKET, result: winner(runnerId) });
const remove = (s: Site, runnerId: number, factor = 0, force?: string) => {
  s.go({ type: 'runner.remove', marketId: MARKET, runnerId, factor, ...(force !== undefined && { force }) });
  while (pendingWork(s.state).length > 0) s.go({ type: 'work', units: 1000 });
};
const money = (s: Site, id: number) => wallet(s.state, id)!;

function race(s: Site, factors: number[], over: Parameters<Site['market']>[0] = {}): Site {
  s.market({
    runners: runners(factors.length).map((one, i) => ({ ...one, adjustmentFactor: factors[i]! })),
    removable: true,
    ...over,
  });
  return s;
}

/** Ann lays every runner of a fair book to Bob for the same return, as often as it is taken. @returns how often. */
function layTheField(s: Site, prices: number[], returnMinor: number, rounds: number): number {
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < prices.length; i++) {
      const size = Math.round((returnMinor * 100) / prices[i]!);
      const lay = s.order(ANN, i + 1, 'LAY', prices[i]!, size, { betId: ++s.lastBetId });
      if (apply(s.state, lay, s.now)[0]!.type === 'refused') return round;
      s.lastBetId = lay.betId;
      const back = s.order(BOB, i + 1, 'BACK', prices[i]!, size, { betId: ++s.lastBetId });
      if (apply(s.state, back, s.now)[0]!.type === 'refused') return round;
    }
  }
  return rounds;
}

describe('a field that may lose a runner', () => {
  it.each([
    ['dogs, no factor', [300, 300, 300], [0, 0, 0], 3],
    ['a horse of 2.4 %', [400, 400, 200], [0, 0, 240], 3],
    ['a horse of 20 %', [400, 400, 200], [0, 0, 2000], 3],
    ['ten runners, 1 %', Array(10).fill(1000), [...Array(9).fill(0), 100], 10],
  ] as const)(
    '%s: laying it whole costs what a withdrawal may cost, and nobody owes money he has not got (D1)',
    (_, prices, factors, gone) => {
      const s = race(new Site(2, 400_000), [...factors]);
      const rounds = layTheField(s, [...prices], 300_000, 30);
      expect(rounds).toBeLessThan(30);
      expect(money(s, ANN).exposureMinor).toBeGreaterThan(0);
      remove(s, gone, factors[gone - 1]!);
      expect([money(s, ANN).availableMinor, money(s, BOB).availableMinor].every((free) => free >= 0)).toBe(true);
      declare(s, 1);
      expect(money(s, ANN).balanceMinor).toBeGreaterThanOrEqual(0);
      expect(money(s, ANN).balanceMinor + money(s, BOB).balanceMinor).toBeLessThanOrEqual(800_000);
    },
  );

  it('nor through the prices of the house (D1)', () => {
    const s = race(new Site(2, 2_000_000), [0, 0, 0, 0, 0, 0]);
    const quote = () =>
      s.go({
        type: 'house.book',
        marketId: MARKET,
        runners: runners(6).map(({ runnerId }) => ({
          runnerId,
          backable: [[580, 500_000]],
          layable: [[620, 500_000]],
        })),
      });
    let rounds = 0;
    for (; rounds < 100; rounds++) {
      quote();
      const refused = [1, 2, 3, 4, 5, 6].some((runnerId) => {
        const lay = s.order(ANN, runnerId, 'LAY', 620, 100_000, { betId: ++s.lastBetId });
        const back = s.order(BOB, runnerId, 'BACK', 580, 100_000, { betId: ++s.lastBetId });
        return [lay, back].some((one) => apply(s.state, one, s.now)[0]!.type === 'refused');
      });
      if (refused) break;
    }
    expect(rounds).toBeLessThan(100);
    remove(s, 6);
    expect(money(s, ANN).availableMinor).toBeGreaterThanOrEqual(0);
    declare(s, 1);
    expect(money(s, ANN).balanceMinor).toBeGreaterThanOrEqual(0);
  });

  it('[INV-05] what is held is the worst of no removal and each single one, every winner set tried', () => {
    const bet = fc.record({
      runner: fc.integer({ min: 1, max: 4 }),
      side: fc.constantFrom('BACK' as const, 'LAY' as const),
      price: fc.constantFrom(110, 150, 220, 400, 860),
      size: fc.integer({ min: 100, max: 9000 }),
      open: fc.boolean(),
    });
    const cases = fc.record({
      bets: fc.array(bet, { maxLength: 8 }),
      factors: fc.array(fc.constantFrom(0, 249, 399, 400, 1620, 5000), { minLength: 4, maxLength: 4 }),
      winners: fc.integer({ min: 1, max: 3 }),
      place: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ bets, factors, winners, place }) => {
        const s = race(new Site(2, 1_000_000_000), factors, { winners, placeMarket: place });
        for (const { runner, side, price, size, open } of bets) {
          const taker = s.order(ANN, runner, side, price, size, { betId: ++s.lastBetId });
          const maker = { ...taker, accountId: BOB, side: side === 'BACK' ? ('LAY' as const) : ('BACK' as const) };
          if (!open) apply(s.state, maker, s.now);
          apply(s.state, { ...taker, betId: ++s.lastBetId }, s.now);
          if (!open) apply(s.state, { type: 'order.cancelAll', accountId: BOB }, s.now);
        }
        const own = [...s.state.orders.values()].filter((order) => order.holding.account.id === ANN);
        const lower = (price: number, factor: number) => {
          if (place ? factor === 0 : factor < 250) return price;
          const base = place ? 100 : 0;
          return Math.max(101, base + Math.floor(((price - base) * (10_000 - factor)) / 10_000 + 0.5));
        };
        const worst = (gone: number) => {
          const field = [1, 2, 3, 4].filter((id) => id !== gone);
          let least = 0;
          for (const set of winnerSets(field, Math.min(winners, field.length))) {
            let sum = 0;
            for (const { runner, side, price, matched, matchedSum, remaining } of own) {
              if (runner.id === gone) continue;
              const factor = gone === 0 ? 0 : factors[gone - 1]!;
              const one = { runner: runner.id, side };
              // Every fill of these bets is at one price.
              const paid = matched > 0 ? lower(matchedSum / matched, factor) : 0;
              sum += resultE4({ ...one, price: paid, size: matched }, set.includes(runner.id));
              // A waiting lay goes or is reduced from 2.5 % (win) or 4 % (place) on; below that it stays at its price.
              const left = place && factor < 400 ? price : lower(price, factor);
              const waiting = resultE4({ ...one, price: left, size: remaining }, set.includes(runner.id));
              sum += Math.min(0, waiting);
            }
            least = Math.min(least, sum);
          }
          return Math.ceil(-least / 100) || 0;
        };
        expect(money(s, ANN).exposureMinor).toBe(Math.max(...[0, 1, 2, 3, 4].map(worst)));
        expect(audit(s.state)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('a bookmaker field reserves for it too, and a field that cannot lose a runner does not', () => {
    const row = (runnerId: number) => {
      const side = { price: 200, sizeMinor: 1_000_000 };
      return { runnerId, back: side, lay: side, status: 'ACTIVE' as const };
    };
    for (const [removable, held] of [
      [true, 100_000],
      [false, 0],
    ] as const) {
      const s = new Site(1, 10_000_000);
      s.market({ kind: 'bookmaker', runners: runners(3), rateThan100: true, removable });
      s.go({ type: 'house.quotes', marketId: MARKET, rows: [1, 2, 3].map(row) });
      for (const runnerId of [1, 2, 3]) {
        const bet = {
          accountId: ANN,
          marketId: MARKET,
          runnerId,
          side: 'LAY',
          price: 200,
          stakeMinor: 100_000,
        } as const;
        s.go({ type: 'quote.take', betId: runnerId, ...bet });
      }
      expect(money(s, ANN).exposureMinor).toBe(held);
    }
  });

  it('the first removal asks nobody for more; what a second might cost is waived as far as there is no money', () => {
    const s = race(new Site(2, 400_000), [0, 0, 0]);
    layTheField(s, [300, 300, 300], 30_000, 100);
    const before = money(s, ANN);
    expect(before.availableMinor).toBeLessThanOrEqual(10_000);
    remove(s, 3);
    expect(money(s, ANN).availableMinor).toBeGreaterThanOrEqual(0);
    expect(money(s, ANN).availableMinor).toBeLessThanOrEqual(before.availableMinor);
    const copy = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect([hashState(copy), wallet(copy, ANN)]).toEqual([hashState(s.state), money(s, ANN)]);
    // New risk pays for a second removal again.
    s.refused(s.order(ANN, 1, 'LAY', 200, 100_000), 'INSUFFICIENT_FUNDS');
    remove(s, 2);
    expect(money(s, ANN).availableMinor).toBeLessThan(0);
    expect(shortsOf(s.state)).toMatchObject([{ accountId: ANN, marketIds: [MARKET] }]);
  });
});

/** Ann has laid A, B and C to Bob, Cat and Dan; two leave, and she lacks 10,000 of what she may lose. */
function short(over: Parameters<Site['market']>[0] = {}): Site {
  const s = race(new Site(4, 30_000), [0, 0, 0], over);
  s.fund(ANN, 10_000);
  for (const [i, id] of [BOB, CAT, CAT + 1].entries()) s.match(id, ANN, i + 1, 300, 20_000);
  // One removal may cost 20,000; the other 10,000 are free.
  s.fund(ANN, -10_000);
  remove(s, 2);
  remove(s, 3);
  return s;
}

describe('a short account', () => {
  it('may only lower its risk, and is known until it has enough again', () => {
    const s = short();
    expect(money(s, ANN)).toMatchObject({ balanceMinor: 30_000, exposureMinor: 40_000, availableMinor: -10_000 });
    expect(shortsOf(s.state)).toEqual([{ accountId: ANN, marketIds: [MARKET], lackingMinor: 10_000, owedMinor: 0 }]);
    s.market({ marketId: 8 });
    s.refused(s.order(ANN, 1, 'BACK', 300, 100, { marketId: 8 }), 'INSUFFICIENT_FUNDS');
    s.refused(
      { type: 'account.transfer', accountId: ANN, amountMinor: -1, reason: 'withdrawal', text: '' },
      'INSUFFICIENT_FUNDS',
    );
    s.match(ANN, BOB, 1, 200, 100);
    expect(money(s, ANN).availableMinor).toBe(-9900);
    s.fund(ANN, 9900);
    expect(shortsOf(s.state)).toEqual([]);
  });

  it('[INV-25] nothing it owes is paid out: that much of what is won from it is held, until the money comes (D2)', () => {
    const s = short();
    const events = declare(s, 1);
    expect(money(s, ANN)).toMatchObject({ balanceMinor: -10_000, exposureMinor: 0, availableMinor: -10_000 });
    expect(money(s, BOB)).toEqual({
      balanceMinor: 70_000,
      exposureMinor: 0,
      heldMinor: 10_000,
      availableMinor: 60_000,
    });
    expect(of(events, 'hold').map((event) => event.hold)).toEqual([
      { marketId: MARKET, debtorId: ANN, creditorId: BOB, amountMinor: 10_000 },
    ]);
    expect(of(events, 'wallet').find((event) => event.accountId === BOB)).toMatchObject({ heldMinor: 10_000 });
    // Neither withdrawn nor bet.
    s.refused(
      { type: 'account.transfer', accountId: BOB, amountMinor: -60_001, reason: 'withdrawal', text: '' },
      'INSUFFICIENT_FUNDS',
    );
    s.market({ marketId: 8 });
    s.refused(s.order(BOB, 1, 'BACK', 300, 60_001, { marketId: 8 }), 'INSUFFICIENT_FUNDS');
    const copy = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect([hashState(copy), holdsOf(copy)]).toEqual([hashState(s.state), holdsOf(s.state)]);

    s.fund(ANN, 4000);
    expect([money(s, BOB).heldMinor, money(s, ANN).availableMinor]).toEqual([6000, -6000]);
    const last = s.fund(ANN, 7000);
    expect(of(last, 'hold').at(-1)!.hold.amountMinor).toBe(0);
    expect([money(s, BOB).heldMinor, money(s, ANN).availableMinor, holdsOf(s.state)]).toEqual([0, 1000, []]);
    s.fund(BOB, -70_000);
  });

  it('is held from those who won it from him, not from others in the market or elsewhere', () => {
    const s = short();
    s.market({ marketId: 8 });
    s.lay(CAT, 1, 200, 5000, { marketId: 8 });
    s.back(BOB, 1, 200, 5000, { marketId: 8 });
    // Dan wins from Cat on the same runner: none of that is Ann's.
    s.match(CAT + 1, CAT, 1, 200, 8000);
    declare(s, 1);
    expect([BOB, CAT, CAT + 1].map((id) => money(s, id).heldMinor)).toEqual([10_000, 0, 0]);
    s.go({ type: 'market.declare', marketId: 8, result: winner(1) });
    expect(money(s, BOB).heldMinor).toBe(10_000);
  });

  it('a hedged counterparty is not asked for what he did not win: the winner behind him is', () => {
    const s = race(new Site(4, 40_000), [0, 0, 0]);
    s.match(BOB, ANN, 1, 300, 20_000);
    s.match(CAT, ANN, 2, 300, 20_000);
    s.match(CAT, ANN, 3, 300, 20_000);
    s.fund(ANN, -10_000);
    // Bob passes all of it on to Dan.
    s.match(CAT + 1, BOB, 1, 300, 20_000);
    remove(s, 2);
    remove(s, 3);
    declare(s, 1);
    expect([BOB, CAT, CAT + 1].map((id) => money(s, id).heldMinor)).toEqual([0, 0, 10_000]);
    expect(money(s, BOB).availableMinor).toBe(40_000);
  });

  it('what a removal in slices frees covers what it owes with the change of the field, not with its turn', () => {
    const s = race(new Site(4, 30_000), [0, 0, 0]);
    s.market({ marketId: 8, removable: true });
    // The last of the accounts: its turn is far off when the field changes.
    const dan = CAT + 1;
    s.fund(dan, 15_000);
    s.lay(CAT, 2, 300, 5000, { marketId: 8 });
    s.back(dan, 2, 300, 5000, { marketId: 8 });
    for (const [i, id] of [ANN, BOB, CAT].entries()) s.match(id, dan, i + 1, 300, 20_000);
    s.fund(dan, -10_000);
    remove(s, 2);
    remove(s, 3);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] } });
    expect(holdsOf(s.state)).toMatchObject([{ debtorId: dan, creditorId: ANN, amountMinor: 10_000 }]);
    s.go({ type: 'runner.remove', marketId: 8, runnerId: 2, factor: 0, units: 1 });
    const isGone = () => marketView(s.state, 8)!.runners[1]!.status === 'REMOVED';
    while (!isGone()) {
      expect(holdsOf(s.state)).toMatchObject([{ amountMinor: 10_000 }]);
      s.go({ type: 'work', units: 1 });
    }
    expect([isTold(s.state, dan), holdsOf(s.state)]).toMatchObject([false, [{ debtorId: dan, amountMinor: 5000 }]]);
    while (pendingWork(s.state).length > 0) s.go({ type: 'work', units: 1 });
    expect(money(s, dan)).toMatchObject({ exposureMinor: 0, availableMinor: -5000 });
  });

  it('when it loses nothing, nothing is held', () => {
    const s = short();
    // B and C are gone: A's lay is won when the race is void.
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'void', reason: 'Abandoned' } });
    expect([money(s, ANN).availableMinor, holdsOf(s.state), shortsOf(s.state)]).toEqual([30_000, [], []]);
  });

  it('commission is not held: with it the winner would be short himself', () => {
    const s = new Site(2, 0);
    s.market({ commissionBps: 500, tieRule: 'VOID' });
    for (const id of [ANN, BOB]) s.fund(id, 20_000);
    const [taken] = s.match(BOB, ANN, 1, 300, 10_000);
    declare(s, 2);
    // Ann draws all she has; the result is wrong, and what she has to pay is not there.
    s.fund(ANN, -29_500);
    s.go({ type: 'market.undeclare', marketId: MARKET });
    declare(s, 1);
    expect(money(s, ANN).balanceMinor).toBe(-29_500);
    // Bob wins 20,000 less 1,000.
    expect(money(s, BOB)).toMatchObject({ balanceMinor: 39_000, heldMinor: 19_000, availableMinor: 20_000 });
    expect(taken).toBeGreaterThan(0);
  });

  it('winnings elsewhere cover it, and what that releases may cover others in turn', () => {
    const s = short();
    declare(s, 1);
    // Bob owes too: a result he drew on is taken back.
    s.market({ marketId: 8 });
    s.lay(CAT, 1, 300, 10_000, { marketId: 8 });
    s.back(BOB, 1, 300, 10_000, { marketId: 8 });
    s.go({ type: 'market.declare', marketId: 8, result: winner(1) });
    s.fund(BOB, -money(s, BOB).availableMinor);
    s.go({ type: 'market.undeclare', marketId: 8 });
    s.go({ type: 'market.declare', marketId: 8, result: winner(2) });
    expect(money(s, BOB)).toMatchObject({ balanceMinor: -20_000, heldMinor: 10_000, availableMinor: -30_000 });
    expect(money(s, CAT).heldMinor).toBe(10_000);
    s.fund(ANN, 10_000);
    // Bob has his 10,000 now, and still lacks 20,000: Cat's is not covered by it.
    expect([money(s, BOB).heldMinor, money(s, BOB).availableMinor, money(s, CAT).heldMinor]).toEqual([
      0, -20_000, 10_000,
    ]);
    s.fund(BOB, 15_000);
    expect([money(s, BOB).availableMinor, money(s, CAT).heldMinor]).toEqual([-5000, 5000]);
  });

  it('[INV-16] a result taken back gives up its holds, and the next one holds anew', () => {
    const s = short();
    const before = [ANN, BOB, CAT].map((id) => money(s, id));
    declare(s, 1);
    s.go({ type: 'market.undeclare', marketId: MARKET });
    expect([ANN, BOB, CAT].map((id) => money(s, id))).toEqual(before);
    expect(holdsOf(s.state)).toEqual([]);
    declare(s, 1);
    expect(money(s, BOB).heldMinor).toBe(10_000);
  });

  it('is released by an operator with a reason, for good', () => {
    const s = short();
    declare(s, 1);
    s.refused({ type: 'hold.release', accountId: BOB, reason: 'x' }, 'NOTHING_HELD', 'accountId');
    s.refused({ type: 'hold.release', accountId: ANN, marketId: 99, reason: 'x' }, 'NOTHING_HELD', 'marketId');
    s.refused({ type: 'hold.release', accountId: 999, reason: 'x' }, 'ACCOUNT_UNKNOWN', 'accountId');
    s.go({ type: 'hold.release', accountId: ANN, marketId: MARKET, reason: 'Bob acted in good faith' });
    expect([money(s, BOB).availableMinor, money(s, ANN).availableMinor]).toEqual([70_000, -10_000]);
    // A correction of the market does not hold it again.
    const [other] = [s.lastBetId];
    s.go({ type: 'bets.void', marketId: MARKET, betIds: [1], reason: 'mistake' });
    expect(holdsOf(s.state)).toEqual([]);
    expect(other).toBeGreaterThan(0);
  });

  it('or what it lacks is written off by the site, and with it everything held is released', () => {
    const s = short();
    declare(s, 1);
    s.refused(
      { type: 'debt.writeOff', accountId: ANN, amountMinor: 10_001, reason: 'x' },
      'AMOUNT_INVALID',
      'amountMinor',
    );
    s.refused({ type: 'debt.writeOff', accountId: BOB, amountMinor: 1, reason: 'x' }, 'AMOUNT_INVALID', 'amountMinor');
    const events = s.go({ type: 'debt.writeOff', accountId: ANN, amountMinor: 10_000, reason: 'not to be had' });
    expect(of(events, 'ledger')).toMatchObject([{ kind: 'writeOff', text: 'not to be had' }]);
    expect([money(s, BOB).heldMinor, money(s, ANN).balanceMinor, money(s, HOUSE).balanceMinor]).toEqual([
      0, 0, -10_000,
    ]);
  });
});

describe("others' acts that leave an account short", () => {
  it('a reinstatement is refused while it would, and forced with a reason holds what is won of it (D2)', () => {
    const s = race(new Site(2, 200_000), [0, 0, 0], { maxStakeMinor: 500_000 });
    remove(s, 3);
    for (let i = 0; i < 5; i++) for (const runnerId of [1, 2]) s.match(ANN, BOB, runnerId, 200, 20_000);
    // Both are backed evenly: nothing to lose while C is out.
    expect(money(s, ANN).availableMinor).toBeGreaterThanOrEqual(0);
    for (let i = 0; i < 10; i++)
      for (const runnerId of [1, 2]) {
        const lay = s.order(BOB, runnerId, 'LAY', 200, 20_000);
        if (apply(s.state, lay, s.now)[0]!.type === 'refused') continue;
        s.lastBetId++;
        const back = s.order(ANN, runnerId, 'BACK', 200, 20_000);
        if (apply(s.state, back, s.now)[0]!.type !== 'refused') s.lastBetId++;
      }
    const back = { type: 'runner.reinstate', marketId: MARKET, runnerId: 3, factor: 0 } as const;
    const before = money(s, ANN);
    if (before.balanceMinor - before.exposureMinor < 0) throw new Error('short before');
    s.refused(back, 'INSUFFICIENT_FUNDS', 'runnerId');
    s.go({ ...back, force: 'The stewards say so' });
    expect(money(s, ANN).availableMinor).toBeLessThan(0);
    declare(s, 3);
    const owed = -money(s, ANN).balanceMinor;
    expect(owed).toBeGreaterThan(0);
    expect(money(s, BOB).heldMinor).toBe(owed);
    expect(money(s, BOB).availableMinor).toBeLessThanOrEqual(400_000);
  });

  it("a void of somebody else's bet: the other leg is held for (D2)", () => {
    const s = new Site(4, 120_000);
    s.market();
    const bets = [1, 2, 3].map((runnerId) => s.match(ANN + runnerId, ANN, runnerId, 300, 60_000)[0]);
    s.fund(ANN, -20_000);
    expect(money(s, ANN).exposureMinor).toBe(0);
    s.go({ type: 'bets.void', marketId: MARKET, betIds: [bets[2]!], reason: 'mistake of the third' });
    expect(money(s, ANN)).toMatchObject({ exposureMinor: 60_000, availableMinor: 40_000 });
    s.fund(ANN, -40_000);
    s.go({ type: 'bets.void', marketId: MARKET, betIds: [bets[1]!], reason: 'and of the second' });
    expect(money(s, ANN)).toMatchObject({ exposureMinor: 120_000, availableMinor: -60_000 });
    declare(s, 1);
    expect([money(s, ANN).balanceMinor, money(s, BOB).heldMinor, money(s, BOB).availableMinor]).toEqual([
      -60_000, 60_000, 180_000,
    ]);
    expect(betOf(s.state, bets[1]!)!.result).toBe('UNDECLARE');
  });

  it('a bet taken out after the result: the rest is booked and held anew', () => {
    const s = new Site(4, 60_000);
    s.market();
    const bets = [1, 2, 3].map((runnerId) => s.match(ANN + runnerId, ANN, runnerId, 300, 30_000)[0]);
    declare(s, 1);
    expect(money(s, ANN).balanceMinor).toBe(60_000);
    s.fund(ANN, -60_000);
    // C's bettor is paid his stake back, and Ann has to find it.
    s.go({ type: 'bets.void', marketId: MARKET, betIds: [bets[2]!], reason: 'mistake of the third' });
    expect(money(s, ANN)).toMatchObject({ balanceMinor: -30_000, availableMinor: -30_000 });
    expect([1, 2, 3].map((i) => money(s, ANN + i).heldMinor)).toEqual([30_000, 0, 0]);
  });
});
