/**
 * The order book of one runner: price-time matching on typed arrays over the 350 ladder ticks.
 *
 * A level is `side * TICKS + tick`, where side is that of the WAITING orders. Inside a level orders stand in a linked
 * queue, oldest first. Orders are integer handles into a pool that any number of books may share; a freed handle is
 * used again. Nothing is allocated on the way of an order, except when an array has to grow.
 *
 * Waiting backs are what a layer can take (lowest price first); waiting lays are what a backer can take (highest first).
 */
import { TICKS } from '@fairgame/contract';

export const BACK = 0;
export const LAY = 1;
export type SideCode = typeof BACK | typeof LAY;
export const LEVELS = 2 * TICKS;

/** Waiting orders of any number of books. `T` is whatever the caller wants to find again at a handle. Handle 0 is none. */
export interface Pool<T> {
  next: Int32Array;
  prev: Int32Array;
  level: Int16Array;
  /** Whole minor units under 2^31: small integers are several times cheaper than doubles. */
  size: Int32Array;
  account: Float64Array;
  /** Time of arrival in the queue: rises with every order that is put at the end of a level. */
  seq: Float64Array;
  owner: Array<T | null>;
  used: number;
  free: number;
  /** What the last `take` did, `fills` entries long; a consumed order's owner stays readable until the next `rest`. */
  fills: number;
  fillNode: Int32Array;
  fillSize: Int32Array;
  fillLevel: Int16Array;
  /** 1 where the fill consumed the waiting order whole. */
  fillGone: Uint8Array;
  /** Whether the last `take` stopped at an order of the same account. */
  blocked: boolean;
}

export interface Book<T> {
  pool: Pool<T>;
  head: Int32Array;
  tail: Int32Array;
  /** Waiting size of each level. */
  total: Float64Array;
  /** Lowest tick with a waiting back, TICKS when there is none. */
  bestBack: number;
  /** Highest tick with a waiting lay, -1 when there is none. */
  bestLay: number;
}

export function createPool<T>(capacity = 1024): Pool<T> {
  return {
    next: new Int32Array(capacity),
    prev: new Int32Array(capacity),
    level: new Int16Array(capacity),
    size: new Int32Array(capacity),
    account: new Float64Array(capacity),
    seq: new Float64Array(capacity),
    owner: [null],
    used: 1,
    free: 0,
    fills: 0,
    fillNode: new Int32Array(64),
    fillSize: new Int32Array(64),
    fillLevel: new Int16Array(64),
    fillGone: new Uint8Array(64),
    blocked: false,
  };
}

export function createBook<T>(pool: Pool<T> = createPool<T>()): Book<T> {
  return {
    pool,
    head: new Int32Array(LEVELS),
    tail: new Int32Array(LEVELS),
    total: new Float64Array(LEVELS),
    bestBack: TICKS,
    bestLay: -1,
  };
}

/**
 * Matches an incoming order against what waits, best price first, oldest first, at the waiting orders' prices, and stops
 * before an order of the same account (`pool.blocked`). The fills are in the pool's `fill...` arrays until the next call.
 * @returns the size that found nobody.
 */
export function take<T>(book: Book<T>, side: SideCode, tick: number, size: number, account: number): number {
  const pool = book.pool;
  pool.fills = 0;
  pool.blocked = false;
  let left = size;
  if (side === BACK) {
    while (left > 0 && book.bestLay >= tick && !pool.blocked)
      left = takeLevel(book, TICKS + book.bestLay, left, account);
  } else {
    while (left > 0 && book.bestBack <= tick && !pool.blocked) left = takeLevel(book, book.bestBack, left, account);
  }
  return left;
}

/** Puts an order at the end of its level's queue. The caller has matched it before: the book must not become crossed. */
export function enqueue<T>(
  book: Book<T>,
  side: SideCode,
  tick: number,
  size: number,
  account: number,
  seq: number,
  owner: T | null,
): number {
  const pool = book.pool;
  let node = pool.free;
  if (node !== 0) pool.free = pool.next[node]!;
  else {
    node = pool.used++;
    if (node >= pool.next.length) grow(pool);
  }
  const level = side * TICKS + tick;
  const last = book.tail[level]!;
  pool.level[node] = level;
  pool.size[node] = size;
  pool.account[node] = account;
  pool.seq[node] = seq;
  pool.owner[node] = owner;
  pool.prev[node] = last;
  pool.next[node] = 0;
  if (last === 0) book.head[level] = node;
  else pool.next[last] = node;
  book.tail[level] = node;
  book.total[level]! += size;
  if (side === BACK) {
    if (tick < book.bestBack) book.bestBack = tick;
  } else if (tick > book.bestLay) book.bestLay = tick;
  return node;
}

/** Matches, then rests what is left. @returns the handle of the resting order, 0 when nothing rests. */
export function place<T>(
  book: Book<T>,
  side: SideCode,
  tick: number,
  size: number,
  account: number,
  seq: number,
  owner: T | null,
): number {
  const left = take(book, side, tick, size, account);
  return left > 0 && !book.pool.blocked ? enqueue(book, side, tick, left, account, seq, owner) : 0;
}

/** Takes a waiting order out of the book. The handle is dead afterwards. */
export function remove<T>(book: Book<T>, node: number): void {
  const pool = book.pool;
  const level = pool.level[node]!;
  const before = pool.prev[node]!;
  const after = pool.next[node]!;
  if (before === 0) book.head[level] = after;
  else pool.next[before] = after;
  if (after === 0) book.tail[level] = before;
  else pool.prev[after] = before;
  book.total[level]! -= pool.size[node]!;
  release(pool, node);
  if (book.head[level] === 0) moveBest(book, level);
}

/** Makes a waiting order smaller (by less than its size); it keeps its place in the queue. */
export function reduce<T>(book: Book<T>, node: number, by: number): void {
  book.pool.size[node]! -= by;
  book.total[book.pool.level[node]!]! -= by;
}

/**
 * How much an incoming order could take at once at its limit or better, counting no further than `enough`: the test of
 * fill-or-kill. It stops before an order of the same account, or leaves those out (`without`).
 */
export function volume<T>(
  book: Book<T>,
  side: SideCode,
  tick: number,
  account: number,
  enough: number,
  without = false,
): number {
  const { pool, head } = book;
  let sum = 0;
  const step = side === BACK ? -1 : 1;
  const base = side === BACK ? TICKS : 0;
  for (let t = side === BACK ? book.bestLay : book.bestBack; side === BACK ? t >= tick : t <= tick; t += step) {
    if (t < 0 || t >= TICKS) break;
    for (let node = head[base + t]!; node !== 0; node = pool.next[node]!) {
      if (pool.account[node] === account) {
        if (without) continue;
        return sum;
      }
      sum += pool.size[node]!;
      if (sum >= enough) return sum;
    }
  }
  return sum;
}

/** Whether an order of this side and tick would meet a waiting one. */
export function crosses<T>(book: Book<T>, side: SideCode, tick: number): boolean {
  return side === BACK ? book.bestLay >= tick : book.bestBack <= tick;
}

function takeLevel<T>(book: Book<T>, level: number, size: number, account: number): number {
  const pool = book.pool;
  const { next, account: accounts, size: sizes } = pool;
  let left = size;
  let node = book.head[level]!;
  while (node !== 0 && left > 0) {
    if (accounts[node] === account) {
      pool.blocked = true;
      break;
    }
    const waiting = sizes[node]!;
    const at = pool.fills++;
    if (at >= pool.fillNode.length) growFills(pool);
    pool.fillNode[at] = node;
    pool.fillLevel[at] = level;
    if (waiting <= left) {
      pool.fillSize[at] = waiting;
      pool.fillGone[at] = 1;
      left -= waiting;
      const after = next[node]!;
      next[node] = pool.free;
      pool.free = node;
      node = after;
    } else {
      pool.fillSize[at] = left;
      pool.fillGone[at] = 0;
      sizes[node] = waiting - left;
      left = 0;
    }
  }
  book.total[level]! -= size - left;
  book.head[level] = node;
  if (node === 0) {
    book.tail[level] = 0;
    moveBest(book, level);
  } else pool.prev[node] = 0;
  return left;
}

/** After a level became empty: the next best level, when it was the best. */
function moveBest<T>(book: Book<T>, level: number): void {
  const head = book.head;
  if (level < TICKS) {
    if (level !== book.bestBack) return;
    let tick = level + 1;
    while (tick < TICKS && head[tick] === 0) tick++;
    book.bestBack = tick;
  } else {
    let tick = level - TICKS;
    if (tick !== book.bestLay) return;
    tick--;
    while (tick >= 0 && head[TICKS + tick] === 0) tick--;
    book.bestLay = tick;
  }
}

function release<T>(pool: Pool<T>, node: number): void {
  pool.owner[node] = null;
  pool.next[node] = pool.free;
  pool.free = node;
}

function grow<T>(pool: Pool<T>): void {
  const capacity = pool.next.length * 2;
  pool.next = copyInto(new Int32Array(capacity), pool.next);
  pool.prev = copyInto(new Int32Array(capacity), pool.prev);
  pool.level = copyInto(new Int16Array(capacity), pool.level);
  pool.size = copyInto(new Int32Array(capacity), pool.size);
  pool.account = copyInto(new Float64Array(capacity), pool.account);
  pool.seq = copyInto(new Float64Array(capacity), pool.seq);
}

function growFills<T>(pool: Pool<T>): void {
  const capacity = pool.fillNode.length * 2;
  pool.fillNode = copyInto(new Int32Array(capacity), pool.fillNode);
  pool.fillSize = copyInto(new Int32Array(capacity), pool.fillSize);
  pool.fillLevel = copyInto(new Int16Array(capacity), pool.fillLevel);
  pool.fillGone = copyInto(new Uint8Array(capacity), pool.fillGone);
}

function copyInto<A extends Int32Array | Int16Array | Uint8Array | Float64Array>(to: A, from: A): A {
  to.set(from);
  return to;
}
