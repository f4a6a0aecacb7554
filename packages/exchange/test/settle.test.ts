import { LADDER } from '@fairgame/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event, Result } from '../src/exchange.ts';
import {
  apply,
  audit,
  betOf,
  COMMISSION,
  HOUSE,
  hashState,
  marketView,
  openBets,
  ROUNDING,
  restore,
  snapshot,
  wallet,
} from '../src/exchange.ts';
import { settleByFills } from './oracle/settle-oracle.ts';
import { ANN, BOB, CAT, MARKET, of, runners, Site, T0 } from './site.ts';

const declare = (s: Site, result: Result) => s.go({ type: 'market.declare', marketId: MARKET, result });
const winners = (...runnerIds: number[]): Result => ({ kind: 'winners', runnerIds });
/** All of these first. */
const level = (...runnerIds: number[]): Result => ({
  kind: 'ranks',
  ranks: runnerIds.map((runnerId) => ({ runnerId, rank: 1 })),
});
const balance = (s: Site, accountId: number) => wallet(s.state, accountId)!.balanceMinor;

/** Everybody's balance and exposure. */
function money(s: Site): string {
  return JSON.stringify([...s.state.accounts.keys()].map((id) => [id, wallet(s.state, id)]));
}

/** What the ledger says of each account and clearing account. */
function ledger(events: Event[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { entries } of of(events, 'ledger')) {
    for (const { account, amountMinor } of entries) sums.set(account, (sums.get(account) ?? 0) + amountMinor);
  }
  return sums;
}

describe('a finish by ranks', () => {
  /** 60 at 3.00 on each of A, B and C, against one layer. */
  function placed(): Site {
    const s = new Site(4, 100_000);
    s.market({ winners: 2, runners: runners(4) });
    for (const [account, runner] of [
      [ANN, 1],
      [BOB, 2],
      [CAT, 3],
    ] as const)
      s.match(account, CAT + 1, runner, 300, 6000);
    return s;
  }
  const ranks = (...list: Array<[number, number]>): Result => ({
    kind: 'ranks',
    ranks: list.map(([runnerId, rank]) => ({ runnerId, rank })),
  });
  const won = (s: Site) => [ANN, BOB, CAT, CAT + 1].map((id) => balance(s, id) - 100_000);

  it('only those who are level share a place: A first, B and C level second of two (8.2, D4)', () => {
    const s = placed();
    declare(s, ranks([1, 1], [2, 2], [3, 2]));
    expect(won(s)).toEqual([12_000, 3000, 3000, -18_000]);
    expect(marketView(s.state, MARKET)!.runners.map((one) => one.status)).toEqual([
      'WINNER',
      'WINNER',
      'WINNER',
      'LOSER',
    ]);
    const before = hashState(s.state);
    const back = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(back)).toBe(before);
  });

  it('three level first of two places take two thirds each; two level first take both; later ranks lose', () => {
    const s = placed();
    declare(s, ranks([1, 1], [2, 1], [3, 1]));
    expect(won(s)).toEqual([6000, 6000, 6000, -18_000]);
    const t = placed();
    declare(t, ranks([3, 4], [1, 1], [2, 1], [4, 3]));
    expect(won(t)).toEqual([12_000, 12_000, -6000, -18_000]);
    expect(marketView(t.state, MARKET)!.runners[2]!.status).toBe('LOSER');
  });

  it('with one place ranks and a list of winners mean the same', () => {
    for (const result of [winners(1, 2), ranks([1, 1], [2, 1], [3, 3])]) {
      const s = new Site(2, 100_000);
      s.market();
      s.match(ANN, BOB, 1, 500, 1000);
      declare(s, result);
      expect(balance(s, ANN)).toBe(101_500);
    }
  });

  it('is refused when it does not fit: too few, twice the same, no rank, or winners that do not say who is level', () => {
    const s = placed();
    for (const bad of [
      ranks([1, 1]),
      ranks([1, 1], [1, 2]),
      ranks([1, 0], [2, 1]),
      ranks([1, 1], [9, 2]),
      ranks([1, 1.5], [2, 2]),
      { kind: 'ranks', ranks: [null, null] } as unknown as Result,
      { kind: 'ranks', ranks: 'A' } as unknown as Result,
      winners(1, 2, 3),
    ])
      s.refused({ type: 'market.declare', marketId: MARKET, result: bad }, 'RESULT_INVALID', 'result');
  });

  it('[INV-10] a stored result of the old form keeps its old meaning', () => {
    const s = placed();
    declare(s, winners(1, 2));
    const [event] = of(s.go({ type: 'market.archive', marketId: MARKET }), 'archived');
    const old = JSON.parse(JSON.stringify(event!.snapshot.market)) as { result: Result; payouts: unknown };
    // As logic 1 wrote it: three winners of two places, each two thirds.
    old.result = winners(1, 2, 3);
    old.payouts = [ANN, BOB, CAT].map((id) => [id, 6000, 0]).concat([[CAT + 1, -18_000, 0]]);
    const archived = { snapshot: 1 as const, market: old };
    s.go({ type: 'bets.void', marketId: MARKET, betIds: [1], reason: 'late', archived });
    // A's bet is gone: the 6,000 and -18,000 of the archive become 0 and -12,000, the others keep what they had.
    expect(won(s)).toEqual([6000, 12_000, -6000, -12_000]);
  });

  it('a bookmaker market is won by the best alone, and two level there give the stakes back', () => {
    for (const [result, profit] of [
      [ranks([2, 2], [1, 1]), 8500],
      [ranks([2, 1], [1, 1]), 0],
    ] as const) {
      const s = new Site(1, 100_000);
      s.market({ kind: 'bookmaker', runners: runners(2) });
      const back = { price: 85, sizeMinor: 100_000 };
      s.go({
        type: 'house.quotes',
        marketId: MARKET,
        rows: [{ runnerId: 1, back, lay: null, status: 'ACTIVE' }],
      });
      const bet = {
        accountId: ANN,
        marketId: MARKET,
        runnerId: 1,
        side: 'BACK',
        price: 85,
        stakeMinor: 10_000,
      } as const;
      s.go({ type: 'quote.take', betId: 1, ...bet });
      declare(s, result);
      expect(balance(s, ANN)).toBe(100_000 + profit);
    }
  });
});

describe('a result', () => {
  it('pays winners, charges losers, releases everything (reference 8.1)', () => {
    const s = new Site(2, 10_000);
    s.market();
    const [back, lay] = s.match(ANN, BOB, 1, 310, 1000);
    const open = s.back(ANN, 2, 500, 100);
    const events = declare(s, winners(1));
    expect([balance(s, ANN), balance(s, BOB)]).toEqual([12_100, 7900]);
    expect(betOf(s.state, back)).toMatchObject({ result: 'WIN', profitMinor: 2100 });
    expect(betOf(s.state, lay)).toMatchObject({ result: 'LOSS', profitMinor: -2100 });
    expect(betOf(s.state, open)).toMatchObject({ result: 'VOID', lapsedMinor: 100, endCode: 'LAPSED_CLOSED' });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(0);
    expect(of(events, 'settled')).toEqual([
      { type: 'settled', marketId: MARKET, eventId: 1, result: winners(1), resultVersion: 1 },
    ]);
    expect(marketView(s.state, MARKET)).toMatchObject({ status: 'CLOSED', result: winners(1) });
    expect(marketView(s.state, MARKET)!.runners.map((runner) => runner.status)).toEqual(['WINNER', 'LOSER', 'LOSER']);
    s.refused({ type: 'market.declare', marketId: MARKET, result: winners(1) }, 'MARKET_CLOSED');
    s.refused(s.order(ANN, 1, 'BACK', 300, 100), 'MARKET_CLOSED');
  });

  it('[INV-03] one posting an account against the clearing account, which ends at zero with house and rounding', () => {
    const s = new Site(3);
    s.market({ commissionBps: 200 });
    s.go({ type: 'house.book', marketId: MARKET, runners: [{ runnerId: 1, backable: [[233 + 1, 33]], layable: [] }] });
    s.back(ANN, 1, 234, 33);
    s.match(BOB, CAT, 1, 189, 77);
    const events = declare(s, winners(1));
    const sums = ledger(events);
    expect(sums.get(`m${MARKET}`)).toBe(0);
    // 0.33 x 1.34 = 0.4422; 0.77 x 0.89 = 0.6853: 44, 68, -69 and the house -45.
    expect([sums.get('a1'), sums.get('a102')]).toEqual([-45, -69]);
    const settled = of(events, 'ledger').filter((event) => event.kind === 'settle');
    expect(settled.map((event) => event.entries.map((entry) => entry.account))).toEqual([
      // Losers first.
      ['a102', 'm7'],
      ['a1', 'm7'],
      ['a100', 'm7'],
      ['a101', 'm7'],
      ['a4', 'm7'],
    ]);
  });

  it('[INV-07] what rounding leaves goes to the rounding account', () => {
    const s = new Site(3);
    s.market();
    s.lay(CAT, 1, 150, 202);
    s.back(ANN, 1, 150, 101);
    s.back(BOB, 1, 150, 101);
    const before = balance(s, CAT);
    declare(s, winners(1));
    // 1.01 x 0.5 = 0.505 each, rounded down to 0.50; the layer pays 1.01.
    expect([balance(s, ANN), balance(s, BOB), balance(s, CAT) - before]).toEqual([100_000_050, 100_000_050, -101]);
    expect(balance(s, ROUNDING)).toBe(1);
  });

  it('takes commission on a positive net of the whole market only, as its own line', () => {
    const s = new Site(2, 10_000);
    s.market({ commissionBps: 500 });
    s.match(ANN, BOB, 1, 300, 1000);
    s.match(ANN, BOB, 2, 300, 500);
    const events = declare(s, winners(1));
    expect(balance(s, ANN)).toBe(10_000 + 1500 - 75);
    expect(balance(s, BOB)).toBe(10_000 - 1500);
    expect(balance(s, COMMISSION)).toBe(75);
    expect(of(events, 'ledger').filter((event) => event.kind === 'commission')).toHaveLength(1);
  });

  it('dead heat: two share one place, 10 at 5.0 wins 15; three share it, 300 at 4.0 loses 100 for the layer', () => {
    const s = new Site();
    s.market({ runners: runners(4) });
    const [five] = s.match(ANN, BOB, 1, 500, 1000);
    declare(s, winners(1, 2));
    expect(betOf(s.state, five)).toMatchObject({ profitMinor: 1500, result: 'WIN' });

    const t = new Site();
    t.market({ runners: runners(4) });
    const [back, lay] = t.match(ANN, BOB, 1, 400, 30_000);
    declare(t, winners(1, 2, 3));
    expect([betOf(t.state, back)!.profitMinor, betOf(t.state, lay)!.profitMinor]).toEqual([10_000, -10_000]);
  });

  it('dead heat in a place market: 30 at 2.0, three share two places: 10', () => {
    const s = new Site();
    s.market({ runners: runners(5), winners: 2 });
    const [back] = s.match(ANN, BOB, 1, 200, 3000);
    declare(s, level(1, 2, 3));
    expect(betOf(s.state, back)!.profitMinor).toBe(1000);
  });

  it('a tie is void or a dead heat as the market says', () => {
    for (const [tieRule, profit, result] of [
      ['VOID', 0, 'TIE'],
      ['DEAD_HEAT', 500, 'WIN'],
    ] as const) {
      const s = new Site();
      s.market({ runners: runners(2), tieRule });
      const [back] = s.match(ANN, BOB, 1, 300, 1000);
      declare(s, { kind: 'tie' });
      expect(betOf(s.state, back)).toMatchObject({ profitMinor: profit, result });
    }
  });

  it('[INV-16] a void market: stakes back, no profit, no commission', () => {
    const s = new Site(2, 10_000);
    s.market({ commissionBps: 500 });
    const [back] = s.match(ANN, BOB, 1, 300, 1000);
    const events = declare(s, { kind: 'void', reason: 'No ball bowled' });
    expect(of(events, 'ledger')).toEqual([]);
    expect(betOf(s.state, back)).toMatchObject({ result: 'VOID', profitMinor: 0 });
    expect(wallet(s.state, ANN)).toEqual({
      balanceMinor: 10_000,
      exposureMinor: 0,
      heldMinor: 0,
      availableMinor: 10_000,
    });
  });

  it('refuses results that do not fit', () => {
    const s = new Site();
    s.market({ runners: runners(4), winners: 2, removable: true });
    s.go({ type: 'runner.remove', marketId: MARKET, runnerId: 4, factor: 0 });
    const bad: unknown[] = [
      winners(),
      winners(1),
      winners(1, 1),
      winners(1, 9),
      winners(1, 4),
      { kind: 'score', score: 3 },
    ];
    bad.push(
      { kind: 'yes', yes: true },
      { kind: 'nonsense' },
      null,
      { kind: 'void' },
      { kind: 'winners', runnerIds: 'x' },
    );
    for (const result of bad) {
      s.refused({ type: 'market.declare', marketId: MARKET, result: result as Result }, 'RESULT_INVALID');
    }
    declare(s, winners(1, 2));
  });

  it('[INV-04] [INV-03] every account gets what its fills say, dead heats included; the sum is zero', () => {
    const order = fc.record({
      account: fc.integer({ min: ANN, max: CAT }),
      runner: fc.integer({ min: 1, max: 4 }),
      side: fc.constantFrom('BACK' as const, 'LAY' as const),
      price: fc.integer({ min: 90, max: 130 }).map((i) => LADDER[i]!),
      size: fc.integer({ min: 1, max: 999 }),
    });
    const cases = fc.record({
      orders: fc.array(order, { maxLength: 40 }),
      places: fc.integer({ min: 1, max: 2 }),
      won: fc.shuffledSubarray([1, 2, 3, 4], { minLength: 2 }),
      commission: fc.constantFrom(0, 200, 777),
    });
    fc.assert(
      fc.property(cases, ({ orders, places, won, commission }) => {
        const s = new Site();
        s.market({ runners: runners(4), winners: places, commissionBps: commission });
        for (const runnerId of [1, 2, 3, 4]) {
          const entry = {
            runnerId,
            backable: [[LADDER[100]!, 500] as [number, number]],
            layable: [[LADDER[120]!, 500] as [number, number]],
          };
          s.go({ type: 'house.book', marketId: MARKET, runners: [entry] });
        }
        let betId = 0;
        const seen: Event[] = [];
        for (const { account, runner, side, price, size } of orders) {
          seen.push(...apply(s.state, s.order(account, runner, side, price, size, { betId: ++betId }), T0));
        }
        const fills = of(seen, 'fill').map((fill) => ({
          runner: fill.runnerId,
          price: fill.price,
          size: fill.sizeMinor,
          backer: fill.backAccountId,
          layer: fill.layAccountId,
        }));
        const before = money(s);
        const exposures = new Map([ANN, BOB, CAT].map((id) => [id, wallet(s.state, id)!.exposureMinor]));
        const balances = new Map([ANN, BOB, CAT, HOUSE].map((id) => [id, balance(s, id)]));
        const events = declare(s, level(...won));
        const expected = settleByFills(fills, won, places, commission);
        let rounding = 0;
        for (const id of [ANN, BOB, CAT, HOUSE]) {
          const net = expected.nets.get(id) ?? 0;
          const taken = id === HOUSE ? 0 : (expected.commissions.get(id) ?? 0);
          expect(balance(s, id) - balances.get(id)!).toBe(net - taken);
          if (id !== HOUSE) expect(-net).toBeLessThanOrEqual(exposures.get(id)!);
          rounding -= net;
        }
        expect(balance(s, ROUNDING)).toBe(rounding);
        expect(ledger(events).get(`m${MARKET}`) ?? 0).toBe(0);
        const unmatched = [...s.state.orders.values()].some((one) => one.lapsed > 0);
        s.go({ type: 'market.undeclare', marketId: MARKET });
        if (!unmatched) expect(money(s)).toBe(before);
        for (const [id, amount] of balances) expect(balance(s, id)).toBe(amount);
        const again = declare(s, level(...won));
        expect(ledger(again)).toEqual(ledger(events));
      }),
      { numRuns: 150 },
    );
  });
});

describe('a result withdrawn', () => {
  it('[INV-16] puts every balance and exposure back; bets are open again; the version rises; the next result pays anew', () => {
    const s = new Site(2, 10_000);
    s.market({ commissionBps: 200 });
    const [back] = s.match(ANN, BOB, 1, 300, 1000);
    const before = money(s);
    declare(s, winners(1));
    const events = s.go({ type: 'market.undeclare', marketId: MARKET });
    expect(money(s)).toBe(before);
    expect(of(events, 'ledger').map((event) => event.kind)).toEqual(['reverse', 'reverse', 'reverse']);
    expect(of(events, 'undeclared')[0]).toMatchObject({ resultVersion: 2 });
    expect(betOf(s.state, back)).toMatchObject({ result: 'PENDING', profitMinor: 0, remainingMinor: 0 });
    expect(openBets(s.state, ANN)).toHaveLength(1);
    expect(marketView(s.state, MARKET)).toMatchObject({ status: 'SUSPENDED', result: null, resultVersion: 2 });
    declare(s, winners(2));
    expect([balance(s, ANN), balance(s, BOB)]).toEqual([9000, 10_980]);
    expect(marketView(s.state, MARKET)!.resultVersion).toBe(3);
  });

  it('is refused where there is no result', () => {
    const s = new Site();
    s.market();
    s.refused({ type: 'market.undeclare', marketId: MARKET }, 'NOT_DECLARED');
    s.refused({ type: 'market.undeclare', marketId: 99 }, 'MARKET_UNKNOWN');
  });

  it('[INV-06] an account that is short after a correction is refused new risk until it is covered', () => {
    const s = new Site(2, 1000);
    s.market();
    s.market({ marketId: 8 });
    s.match(ANN, BOB, 1, 200, 1000);
    declare(s, winners(1));
    s.fund(ANN, -1500);
    s.go({ type: 'market.undeclare', marketId: MARKET });
    expect(wallet(s.state, ANN)).toMatchObject({ balanceMinor: -500, availableMinor: -1500 });
    s.refused(s.order(ANN, 1, 'BACK', 200, 1, { marketId: 8 }), 'INSUFFICIENT_FUNDS');
    s.refused(
      { type: 'account.transfer', accountId: ANN, amountMinor: -1, reason: 'withdrawal', text: '' },
      'INSUFFICIENT_FUNDS',
    );
    s.fund(ANN, 1600);
    s.back(ANN, 1, 200, 100, { marketId: 8 });
  });
});

describe('bets taken out', () => {
  const take = (s: Site, ...betIds: number[]) =>
    s.go({ type: 'bets.void', marketId: MARKET, betIds, reason: 'Wrong price' });

  it('an open bet: as if never placed, both sides of its fills alike, still visible with the reason', () => {
    const s = new Site(3, 10_000);
    s.market();
    s.lay(BOB, 1, 300, 600);
    const id = s.back(ANN, 1, 300, 1000);
    s.lay(CAT, 1, 300, 100);
    take(s, id);
    expect(betOf(s.state, id)).toMatchObject({
      result: 'UNDECLARE',
      voidedMinor: 1000,
      matchedMinor: 0,
      remainingMinor: 0,
      reason: 'Wrong price',
      endCode: 'VOIDED',
    });
    expect(betOf(s.state, 1)).toMatchObject({ result: 'UNDECLARE', voidedMinor: 600, reason: 'Wrong price' });
    for (const account of [ANN, BOB, CAT]) expect(wallet(s.state, account)!.exposureMinor).toBe(0);
    s.refused({ type: 'bets.void', marketId: MARKET, betIds: [id], reason: 'again' }, 'BET_NOT_OPEN');
    s.refused({ type: 'bets.void', marketId: MARKET, betIds: [99], reason: 'x' }, 'BET_UNKNOWN');
    s.refused({ type: 'bets.void', marketId: MARKET, betIds: [], reason: 'x' }, 'BET_UNKNOWN');
  });

  it('the other bet keeps what it matched elsewhere', () => {
    const s = new Site(3, 10_000);
    s.market();
    const lay = s.lay(BOB, 1, 300, 1000);
    const id = s.back(ANN, 1, 300, 400);
    s.back(CAT, 1, 300, 300);
    take(s, id);
    expect(betOf(s.state, lay)).toMatchObject({
      matchedMinor: 300,
      voidedMinor: 400,
      remainingMinor: 300,
      result: 'PENDING',
    });
  });

  it('[INV-16] a settled bet: the ledger ends as if it had never been, the version rises, undeclare still restores', () => {
    const s = new Site(3, 10_000);
    s.market({ commissionBps: 200 });
    const [back] = s.match(ANN, BOB, 1, 300, 1000);
    s.match(CAT, BOB, 1, 300, 500);
    declare(s, winners(1));
    const events = take(s, back);
    expect([balance(s, ANN), balance(s, BOB), balance(s, CAT)]).toEqual([10_000, 9000, 10_980]);
    expect(balance(s, COMMISSION)).toBe(20);
    expect(ledger(events).get(`m${MARKET}`)).toBe(0);
    expect(new Set(of(events, 'ledger').map((event) => event.resultVersion))).toEqual(new Set([2]));
    expect(ledger(events).has('a102')).toBe(false);
    s.go({ type: 'market.undeclare', marketId: MARKET });
    for (const account of [ANN, BOB, CAT]) expect(balance(s, account)).toBe(10_000);
    expect(betOf(s.state, back)!.result).toBe('UNDECLARE');
    expect(wallet(s.state, BOB)!.exposureMinor).toBe(1000);
  });
});

describe('an archived market', () => {
  it('leaves memory, and comes back from its snapshot for undeclare with the same money', () => {
    const s = new Site(2, 10_000);
    s.market({ commissionBps: 200 });
    const [back] = s.match(ANN, BOB, 1, 300, 1000);
    const before = money(s);
    declare(s, winners(1));
    const after = money(s);
    s.refused({ type: 'market.archive', marketId: 99 }, 'MARKET_UNKNOWN');
    hashState(s.state);
    const archived = of(s.go({ type: 'market.archive', marketId: MARKET }), 'archived')[0]!;
    expect(betOf(s.state, back)).toBeNull();
    expect([marketView(s.state, MARKET), money(s)]).toEqual([null, after]);
    const snapshot = JSON.parse(JSON.stringify(archived.snapshot));
    s.refused({ type: 'market.undeclare', marketId: 8, archived: snapshot }, 'MARKET_UNKNOWN', 'archived');
    s.go({ type: 'market.undeclare', marketId: MARKET, archived: snapshot });
    expect(money(s)).toBe(before);
    expect(betOf(s.state, back)!.result).toBe('PENDING');
    declare(s, winners(1));
    expect(money(s)).toBe(after);
  });

  it('corrects bets of an archived market, which can be archived again', () => {
    const s = new Site(2, 10_000);
    s.market();
    const [back] = s.match(ANN, BOB, 1, 300, 1000);
    declare(s, winners(1));
    const { snapshot } = of(s.go({ type: 'market.archive', marketId: MARKET }), 'archived')[0]!;
    s.go({ type: 'bets.void', marketId: MARKET, betIds: [back], reason: 'Late', archived: snapshot });
    expect([balance(s, ANN), balance(s, BOB)]).toEqual([10_000, 10_000]);
    s.go({ type: 'market.archive', marketId: MARKET });
    expect(audit(s.state)).toEqual([]);
  });

  it('an open market is not archived; a snapshot that is none is refused', () => {
    const s = new Site();
    s.market();
    s.refused({ type: 'market.archive', marketId: MARKET }, 'NOT_DECLARED');
    s.refused(
      { type: 'market.undeclare', marketId: 9, archived: { snapshot: 1, market: { nothing: true } } },
      'MARKET_UNKNOWN',
    );
  });
});
