import { LADDER } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import { bookOf, EVENS, isEdge, ordersOf, PRICES, rowOf, withinLadder } from '../src/betting/ladder-book.ts';
import { bet, MARKET_ID } from './trading.tsx';

describe('the rows of a ladder', () => {
  it('are all prices there are, high odds on top; a price between two stands at the lower one', () => {
    expect([PRICES.length, PRICES[0], PRICES.at(-1)]).toEqual([LADDER.length, 100_000, 101]);
    expect([PRICES[rowOf(218)], PRICES[rowOf(219)], PRICES[EVENS]]).toEqual([218, 218, 200]);
    expect([withinLadder(-3), withinLadder(7), withinLadder(9999)]).toEqual([0, 7, PRICES.length - 1]);
  });

  it('have a line where the size of a tick changes, and nowhere else', () => {
    const lines = PRICES.filter((_, row) => isEdge(row));
    expect(lines).toEqual([9500, 4800, 2900, 1950, 980, 590, 395, 298, 199]);
  });
});

describe('the book of a ladder', () => {
  const depth = { marketId: MARKET_ID, runnerId: 1, back: [], lay: [], traded: [], last: 0 };

  it('stands between what can be backed and laid; else at what there is, at the last trade, or nowhere', () => {
    const middle = (more: object) => {
      const row = bookOf({ ...depth, ...more }).middle;
      return row === null ? null : PRICES[row];
    };
    const back = [[210, 1]];
    expect(middle({ back, lay: [[220, 1]], last: 900 })).toBe(216);
    expect(middle({ back, last: 900 })).toBe(210);
    expect(middle({ lay: [[220, 1]] })).toBe(220);
    expect(middle({ last: 900 })).toBe(900);
    expect(middle({})).toBeNull();
    expect(bookOf(undefined)).toMatchObject({ middle: null, money: 0, share: 50, most: 1, mostTraded: 1 });
  });

  it('says how much waits in all, its share to back, and the largest sizes', () => {
    const book = bookOf({
      ...depth,
      back: [
        [218, 300],
        [216, 100],
      ],
      lay: [[220, 200]],
      traded: [
        [218, 50],
        [220, 70],
      ],
    });
    expect(book).toMatchObject({ money: 600, share: 67, most: 300, mostTraded: 70, bestBack: 218, bestLay: 220 });
    expect([book.back.get(216), book.lay.get(220), book.traded.get(218), book.back.get(220)]).toEqual([
      100,
      200,
      50,
      undefined,
    ]);
  });

  it('has own orders by side and price: of this runner, and only what still waits', () => {
    const bets = [
      bet({ id: 1 }),
      bet({ id: 2 }),
      bet({ id: 3, betType: 'LAY' }),
      bet({ id: 4, remaining: 0 }),
      bet({ id: 5, runnerId: 2 }),
      bet({ id: 6, betId: MARKET_ID + 1 }),
    ];
    const own = [...ordersOf(bets, MARKET_ID, 1)].map(([at, orders]) => [at, orders.map(({ id }) => id)]);
    expect(own).toEqual([
      ['BACK.220', [1, 2]],
      ['LAY.220', [3]],
    ]);
  });
});
