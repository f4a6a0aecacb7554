import { LADDER, TICKS, tickIndex } from '@fairgame/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Book } from '../src/book.ts';
import { BACK, createBook, createPool, crosses, LAY, place, reduce, remove, volume } from '../src/book.ts';
import { OracleBook } from './oracle/book-oracle.ts';

const tick = (price: number) => tickIndex(price);

function fillsOf(book: Book<number>): Array<[number, number]> {
  const { pool } = book;
  return Array.from({ length: pool.fills }, (_, i) => [LADDER[pool.fillLevel[i]! % TICKS]!, pool.fillSize[i]!]);
}

function depthOf(book: Book<number>): { back: Array<[number, number]>; lay: Array<[number, number]> } {
  const back: Array<[number, number]> = [];
  const lay: Array<[number, number]> = [];
  for (let t = 0; t < TICKS; t++) {
    if (book.total[t]! > 0) lay.push([LADDER[t]!, book.total[t]!]);
    if (book.total[TICKS + t]! > 0) back.unshift([LADDER[t]!, book.total[TICKS + t]!]);
  }
  return { back, lay };
}

describe('a book of one runner', () => {
  it('takes the best price first and leaves the rest of a level waiting (reference 3.2, example)', () => {
    const book = createBook<number>();
    place(book, LAY, tick(310), 2000, 1, 1, 1);
    place(book, LAY, tick(305), 3000, 2, 2, 2);
    place(book, LAY, tick(300), 10_000, 3, 3, 3);
    expect(place(book, BACK, tick(300), 7500, 9, 4, 4)).toBe(0);
    expect(fillsOf(book)).toEqual([
      [310, 2000],
      [305, 3000],
      [300, 2500],
    ]);
    expect(depthOf(book)).toEqual({ back: [[300, 7500]], lay: [] });
  });

  it('fills the oldest order of a level first', () => {
    const book = createBook<number>();
    const first = place(book, BACK, tick(200), 100, 1, 1, 1);
    const second = place(book, BACK, tick(200), 100, 2, 2, 2);
    place(book, LAY, tick(200), 150, 3, 3, 3);
    expect([book.pool.fillNode[0], book.pool.fillNode[1]]).toEqual([first, second]);
    expect([book.pool.fillGone[0], book.pool.fillGone[1]]).toEqual([1, 0]);
    expect(book.total[tick(200)]).toBe(50);
  });

  it('keeps the place of an order that becomes smaller', () => {
    const book = createBook<number>();
    const first = place(book, BACK, tick(200), 100, 1, 1, 1);
    place(book, BACK, tick(200), 100, 2, 2, 2);
    reduce(book, first, 60);
    place(book, LAY, tick(200), 50, 3, 3, 3);
    expect(Array.from(book.pool.fillNode.subarray(0, 1))).toEqual([first]);
    expect(fillsOf(book)).toEqual([
      [200, 40],
      [200, 10],
    ]);
  });

  it('counts what fill-or-kill could take, stopping at its own order', () => {
    const book = createBook<number>();
    place(book, LAY, tick(310), 20, 1, 1, 1);
    place(book, LAY, tick(305), 30, 9, 2, 2);
    place(book, LAY, tick(300), 40, 3, 3, 3);
    expect(volume(book, BACK, tick(300), 5, 1000)).toBe(90);
    expect(volume(book, BACK, tick(305), 5, 1000)).toBe(50);
    expect(volume(book, BACK, tick(300), 9, 1000)).toBe(20);
    expect(crosses(book, BACK, tick(310))).toBe(true);
    expect(crosses(book, BACK, tick(315))).toBe(false);
  });

  it('works at both ends of the ladder', () => {
    const book = createBook<number>();
    place(book, LAY, tick(101), 10, 1, 1, 1);
    place(book, BACK, tick(100_000), 10, 2, 2, 2);
    expect(place(book, BACK, tick(101), 10, 3, 3, 3)).toBe(0);
    expect(place(book, LAY, tick(100_000), 10, 4, 4, 4)).toBe(0);
    expect([book.bestLay, book.bestBack]).toEqual([-1, TICKS]);
  });

  it('[INV-13] equals the sorted-array book on random orders, cancels and reductions, also with a shared pool', () => {
    const step = fc.record({
      what: fc.integer({ min: 0, max: 9 }),
      side: fc.constantFrom('BACK' as const, 'LAY' as const),
      price: fc.integer({ min: 0, max: 12 }).map((i) => LADDER[100 + i]!),
      size: fc.integer({ min: 1, max: 60 }),
      account: fc.integer({ min: 1, max: 4 }),
      pick: fc.nat(200),
      book: fc.integer({ min: 0, max: 1 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const pool = createPool<number>(2);
        const books = [createBook(pool), createBook(pool)];
        const oracles = [new OracleBook(), new OracleBook()];
        const nodes = [new Map<number, number>(), new Map<number, number>()];
        let id = 0;
        for (const { what, side, price, size, account, pick, book: which } of steps) {
          const book = books[which]!;
          const oracle = oracles[which]!;
          const handle = nodes[which]!;
          const waiting = oracle.waiting[pick % Math.max(1, oracle.waiting.length)];
          if (what === 8 && waiting) {
            remove(book, handle.get(waiting.id)!);
            oracle.cancel(waiting.id);
          } else if (what === 9 && waiting && waiting.size > 1) {
            const by = Math.min(size, waiting.size - 1);
            reduce(book, handle.get(waiting.id)!, by);
            oracle.cancel(waiting.id, by);
          } else {
            id++;
            const node = place(book, side === 'BACK' ? BACK : LAY, tick(price), size, account, id, id);
            const owners = Array.from({ length: pool.fills }, (_, i) => pool.owner[pool.fillNode[i]!]);
            const expected = oracle.place(id, account, side, price, size);
            expect(fillsOf(book)).toEqual(expected.fills.map((fill) => [fill.price, fill.size]));
            if (node === 0) expect(owners).toEqual(expected.fills.map((fill) => fill.maker));
            expect(node !== 0).toBe(expected.rest === 'waits');
            if (node !== 0) handle.set(id, node);
          }
          expect(depthOf(book)).toEqual(oracle.depth());
          expect(book.bestLay).toBeLessThan(book.bestBack);
        }
      }),
      { numRuns: 300 },
    );
  });
});
