/** Rounding is against the taker of it, and what is told of bets, events and ledger is one figure (D10, SOC-08). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event, Result } from '../src/exchange.ts';
import { apply, COMMISSION, HOUSE, ROUNDING, wallet } from '../src/exchange.ts';
import { ANN, BOB, betIn, CAT, MARKET, of, runners, Site } from './site.ts';

const declare = (s: Site, result: Result) => s.go({ type: 'market.declare', marketId: MARKET, result });
const winner = (runnerId: number): Result => ({ kind: 'winners', runnerIds: [runnerId] });
const balance = (s: Site, id: number) => wallet(s.state, id)!.balanceMinor;

/** What the ledger booked for an account in the market, before commission. */
function booked(events: Event[], accountId: number): number {
  const entries = of(events, 'ledger').filter((event) => event.kind !== 'commission');
  return entries
    .flatMap((event) => event.entries.filter((entry) => entry.account === `a${accountId}`))
    .reduce((sum, entry) => sum + entry.amountMinor, 0);
}

describe('rounding', () => {
  it('[INV-07] a hundred winners of x.5 against one loser gain nothing: what is left goes to ROUNDING', () => {
    const s = new Site(101, 100_000);
    s.market({ runners: runners(2) });
    for (let i = 1; i <= 100; i++) s.match(ANN + i, ANN, 1, 150, 101);
    declare(s, winner(1));
    s.go({ type: 'work', units: 10_000 });
    let sum = 0;
    for (let i = 0; i <= 100; i++) sum += balance(s, ANN + i) - 100_000;
    expect(sum).toBeLessThanOrEqual(0);
    expect(balance(s, ROUNDING)).toBe(-sum);
    // 101 at 1.50 wins 50.5: each winner gets 50, the loser pays 5,050.
    expect([balance(s, ANN + 1), balance(s, ANN)]).toEqual([100_050, 94_950]);
  });

  it('a lay never risks less than it may win, and its liability is never rounded to nothing', () => {
    const s = new Site(1, 1000);
    s.market({ kind: 'fancy1', runners: [{ runnerId: 1, name: 'Yes', stands: 'yes' }] });
    const lay = { price: 149, sizeMinor: 100_000 };
    s.go({
      type: 'house.quotes',
      marketId: MARKET,
      rows: [{ runnerId: 1, back: { ...lay, price: 140 }, lay, status: 'ACTIVE' }],
    });
    const take = (side: 'BACK' | 'LAY', price: number, stakeMinor: number) =>
      ({
        type: 'quote.take',
        betId: s.lastBetId + 1,
        accountId: ANN,
        marketId: MARKET,
        runnerId: 1,
        side,
        price,
        stakeMinor,
      }) as const;
    // 0.01 at 1.49 risks 0.0049: as 0.01 it would be another bet.
    s.refused(take('LAY', 149, 1), 'PROFIT_RATIO', 'stakeMinor');
    s.refused(take('BACK', 140, 1), 'PROFIT_RATIO', 'stakeMinor');
    const taken = s.go(take('LAY', 149, 101));
    expect(betIn(taken, 1)).toMatchObject({ winMinor: 101, lossMinor: 50 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(50);
  });

  it('orders whose prize would be rounded by more than a fifth are refused, back and lay', () => {
    const s = new Site(2);
    s.market();
    for (const [side, price, size, fair] of [
      ['BACK', 150, 1, false],
      ['LAY', 150, 1, false],
      ['LAY', 165, 2, false],
      ['BACK', 101, 199, false],
      ['BACK', 101, 100, true],
      ['BACK', 101, 519, true],
      ['LAY', 101, 500, true],
      ['BACK', 300, 1, true],
    ] as const) {
      const order = s.order(ANN, 1, side, price, size);
      if (fair) s[side === 'BACK' ? 'back' : 'lay'](side === 'BACK' ? ANN : BOB, 1, price, size);
      else s.refused(order, 'PROFIT_RATIO', 'sizeMinor');
      s.go({ type: 'order.cancelAll', accountId: ANN });
      s.go({ type: 'order.cancelAll', accountId: BOB });
    }
    const id = s.back(ANN, 1, 300, 100);
    s.refused(
      { type: 'order.replace', accountId: ANN, betId: id, newBetId: id + 1, price: 101, sizeMinor: 150 },
      'PROFIT_RATIO',
      'sizeMinor',
    );
  });

  it('[SOC-08] the bets of an account sum to what it was booked: cents go to the bets cut most', () => {
    const s = new Site(2, 1_000_000);
    s.market({ runners: runners(2) });
    const ids = [101, 103, 107].map((size) => s.match(ANN, BOB, 1, 150, size));
    const events = declare(s, winner(1));
    // 50.5 + 51.5 + 53.5 is 155.5, booked as 155 and -156.
    expect(booked(events, ANN)).toBe(155);
    expect(ids.map(([back]) => betIn(events, back).profitMinor)).toEqual([51, 51, 53]);
    expect(booked(events, BOB)).toBe(-156);
    expect(ids.map(([, lay]) => betIn(events, lay).profitMinor)).toEqual([-50, -52, -54]);
  });

  it('[INV-03] [INV-16] bets, events and ledger agree to the cent, dead heats and every kind of account included', () => {
    const bet = fc.record({
      account: fc.integer({ min: ANN, max: CAT }),
      other: fc.integer({ min: 1, max: 2 }),
      runner: fc.integer({ min: 1, max: 4 }),
      price: fc.constantFrom(101, 150, 233 - 1, 310, 1050),
      size: fc.integer({ min: 500, max: 9999 }),
    });
    const cases = fc.record({
      bets: fc.array(bet, { maxLength: 14 }),
      places: fc.integer({ min: 1, max: 2 }),
      ranks: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 }),
      bps: fc.constantFrom(0, 200),
    });
    fc.assert(
      fc.property(cases, ({ bets, places, ranks, bps }) => {
        const s = new Site();
        s.market({ runners: runners(4), winners: places, commissionBps: bps });
        for (const { account, other, runner, price, size } of bets) {
          const partner = ANN + ((account - ANN + other) % 3);
          s.lastBetId++;
          apply(s.state, s.order(partner, runner, 'LAY', price, size, { betId: s.lastBetId }), s.now);
          s.lastBetId++;
          apply(s.state, s.order(account, runner, 'BACK', price, size, { betId: s.lastBetId }), s.now);
        }
        const result: Result = { kind: 'ranks', ranks: ranks.map((rank, i) => ({ runnerId: i + 1, rank })) };
        const events = declare(s, result);
        let all = 0;
        for (const id of [ANN, BOB, CAT]) {
          const told = of(events, 'bet').filter(({ bet: one }) => one.accountId === id && one.matchedMinor > 0);
          expect(told.reduce((sum, { bet: one }) => sum + one.profitMinor, 0)).toBe(booked(events, id));
          all += booked(events, id);
        }
        expect(booked(events, HOUSE) + booked(events, ROUNDING)).toBe(-all || 0);
        expect(booked(events, ROUNDING)).toBeGreaterThanOrEqual(0);
        expect(balance(s, COMMISSION)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 150 },
    );
  });

  it('a meter is booked once for an account, not once for each of its bets', () => {
    const s = new Site(1, 1_000_000);
    s.market({ kind: 'meter', cap: 100, runners: runners(1) });
    const back = { price: 7, sizeMinor: 100_000, line: 40 };
    s.go({ type: 'house.quotes', marketId: MARKET, rows: [{ runnerId: 1, back, lay: null, status: 'ACTIVE' }] });
    const bet = {
      accountId: ANN,
      marketId: MARKET,
      runnerId: 1,
      side: 'BACK',
      price: 7,
      stakeMinor: 105,
      line: 40,
    } as const;
    for (let betId = 1; betId <= 3; betId++) s.go({ type: 'quote.take', betId, ...bet });
    // 1.05 x 7/100 a run: 0.0735, over 5 runs 0.3675 a bet and 1.1025 in all.
    const held = wallet(s.state, ANN)!.exposureMinor;
    expect(held).toBe(Math.ceil((3 * 105 * 7 * 40) / 100));
    const events = declare(s, { kind: 'score', score: 45 });
    expect(booked(events, ANN)).toBe(110);
    expect([1, 2, 3].map((id) => betIn(events, id).profitMinor)).toEqual([37, 37, 36]);
    expect(booked(events, HOUSE) + booked(events, ROUNDING)).toBe(-110);
  });
});
