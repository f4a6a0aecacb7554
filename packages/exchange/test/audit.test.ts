import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audit } from '../src/exchange.ts';
import { OrderIndex } from '../src/order-index.ts';
import type { Order } from '../src/state.ts';
import { ANN, BOB, MARKET, Site } from './site.ts';

describe('the watchdog', () => {
  function traded(): Site {
    const s = new Site(2, 10_000);
    s.market();
    s.match(ANN, BOB, 1, 300, 1000);
    s.back(ANN, 2, 300, 500);
    s.go({ type: 'house.book', marketId: MARKET, runners: [{ runnerId: 1, backable: [[300, 100]], layable: [] }] });
    s.back(ANN, 1, 300, 50);
    return s;
  }

  it('[INV-01] finds money from nowhere', () => {
    const s = traded();
    s.state.accounts.get(ANN)!.balance += 1;
    expect(audit(s.state)).toEqual(['INV-01 balances sum to 1']);
  });

  it('[INV-05] finds an exposure that does not follow from the bets', () => {
    const s = traded();
    s.state.accounts.get(ANN)!.exposure += 1;
    s.state.markets.get(MARKET)!.holdings.get(BOB)!.sums[0]! += 100;
    expect(audit(s.state)).toEqual(['INV-05 exposure of account 100', 'INV-05 account 101 in 7: sums']);
  });

  it('[INV-04] [INV-13] finds bets, fills and books that do not agree', () => {
    const s = traded();
    const market = s.state.markets.get(MARKET)!;
    market.orders[0]!.matched -= 1;
    expect(audit(s.state).join('\n')).toContain('INV-13 parts of bet 1');
    expect(audit(s.state).join('\n')).toContain('INV-04 backs and lays matched on 1');
    const t = traded();
    t.state.markets.get(MARKET)!.fills.pop();
    expect(audit(t.state).join('\n')).toContain('INV-04 house in 7: sums');
    const u = traded();
    const { book } = u.state.markets.get(MARKET)!.byId.get(2)!;
    book.total[book.bestBack]! += 1;
    expect(audit(u.state)).toEqual(['INV-13 level total of runner 2 in 7']);
  });
});

describe('bets by id', () => {
  it('finds, forgets and lists like a map, whatever the gaps between ids', () => {
    const step = fc.record({
      gap: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1e9 })),
      drop: fc.nat(3),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3000, size: 'max' }), (steps) => {
        const index = new OrderIndex();
        const map = new Map<number, Order>();
        const ids: number[] = [];
        let id = 0;
        for (const { gap, drop, pick } of steps) {
          id += gap;
          const order = { id } as Order;
          index.set(id, order);
          map.set(id, order);
          ids.push(id);
          if (drop > 0) {
            const gone = ids[pick % ids.length]!;
            index.delete(gone);
            map.delete(gone);
            expect(index.get(gone)).toBeUndefined();
          }
          const any = ids[(pick * 7) % ids.length]!;
          expect(index.get(any)).toBe(map.get(any));
          expect(index.get(any + 0.5)).toBeUndefined();
        }
        expect([...index.values()]).toEqual([...map.values()]);
        for (const one of ids) expect(index.get(one)).toBe(map.get(one));
      }),
      { numRuns: 30 },
    );
  });

  it('takes back what came from an archive', () => {
    const index = new OrderIndex();
    for (const id of [5, 9]) index.set(id, { id } as Order);
    index.set(3, { id: 3 } as Order);
    index.set(9.5, { id: 9.5 } as Order);
    expect([index.get(3)?.id, index.get(5)?.id, index.get(9.5)?.id, index.get(4)]).toEqual([3, 5, 9.5, undefined]);
    index.delete(3);
    expect(index.get(3)).toBeUndefined();
    expect(index.get(Number.NaN)).toBeUndefined();
  });
});
