import { type Card, rankOf } from '../cards.ts';
import { teenStrength } from '../hands.ts';

/**
 * Exact chances of two three-card hands from one deck. For every way to complete A, the completions of B that avoid A's
 * cards are counted by inclusion and exclusion over B's completions as a whole: no pair of hands is compared one by one.
 */
export interface HandChances {
  readonly winA: number;
  readonly tie: number;
  readonly winB: number;
}

/** Before any card: 203,359,936 wins each way and 450,528 ties of 407,170,400 (C3). */
const START: HandChances = {
  winA: 203_359_936 / 407_170_400,
  tie: 450_528 / 407_170_400,
  winB: 203_359_936 / 407_170_400,
};

/** After one card only its rank matters. */
const byFirstRank = new Map<number, HandChances>();

/** Both hands so far, A being at most one card ahead as the deal goes. */
export function handChances(a: readonly Card[], b: readonly Card[]): HandChances {
  if (a.length === 0) return START;
  if (b.length > 0) return count(a, b);
  const rank = rankOf(a[0]!);
  const known = byFirstRank.get(rank) ?? count(a, b);
  byFirstRank.set(rank, known);
  return known;
}

/** Counts what the second window needs once for all rounds of the process, a rank at a step. */
export function* prepareHands(): Generator<void> {
  levelTable();
  yield;
  for (let card = 0; card < 13; card++) {
    handChances([card], []);
    yield;
  }
}

/** Number of different strengths (C3), and one place more for sums up to and including each. */
const LEVELS = 741;
const WIDTH = LEVELS + 1;

let levels: Int16Array | null = null;

/** Place of a hand in the order of all strengths, from 0; by the three cards in any order. */
function levelTable(): Int16Array {
  if (levels) return levels;
  const strengths = new Int32Array(52 * 52 * 52);
  const found = new Set<number>();
  choose(52, 3, (a, b, c) => {
    const strength = teenStrength(a, b, c);
    found.add(strength);
    for (const [x, y, z] of [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ] as const) {
      strengths[(x * 52 + y) * 52 + z] = strength;
    }
  });
  const place = new Int16Array(1 << 15);
  for (const [index, strength] of [...found].sort((x, y) => x - y).entries()) place[strength] = index;
  levels = Int16Array.from(strengths, (strength) => place[strength]!);
  return levels;
}

/** The place of a hand: the cards known and those at the given positions of the unseen ones (-1: none). */
function levelOf(known: readonly Card[], unseen: readonly Card[], x: number, y: number, z: number): number {
  const more = known.length;
  const first = more > 0 ? known[0]! : unseen[x]!;
  const second = more > 1 ? known[1]! : unseen[more > 0 ? x : y]!;
  const third = more > 2 ? known[2]! : unseen[more > 1 ? x : more > 0 ? y : z]!;
  return levelTable()[(first * 52 + second) * 52 + third]!;
}

function count(a: readonly Card[], b: readonly Card[]): HandChances {
  const unseen: Card[] = [];
  for (let card = 0; card < 52; card++) if (!a.includes(card) && !b.includes(card)) unseen.push(card);
  const size = unseen.length;
  const needA = 3 - a.length;
  const needB = 3 - b.length;

  // Completions of B by place: all of them, those with one card, those with two cards (by position among the unseen).
  const all = new Int32Array(WIDTH);
  const withOne = new Int32Array(size * WIDTH);
  const withTwo = new Int32Array(needA === 2 && needB === 3 ? size * size * WIDTH : 0);
  const pairLevel = new Int16Array(needA === 2 && needB === 2 ? size * size : 0);
  choose(size, needB, (x, y, z) => {
    const at = levelOf(b, unseen, x, y, z) + 1;
    all[at]! += 1;
    if (x >= 0) withOne[x * WIDTH + at]! += 1;
    if (y >= 0) withOne[y * WIDTH + at]! += 1;
    if (z >= 0) withOne[z * WIDTH + at]! += 1;
    if (pairLevel.length > 0) pairLevel[x * size + y] = at;
    if (withTwo.length > 0) {
      withTwo[(x * size + y) * WIDTH + at]! += 1;
      withTwo[(x * size + z) * WIDTH + at]! += 1;
      withTwo[(y * size + z) * WIDTH + at]! += 1;
    }
  });
  accumulate(all);
  accumulate(withOne);
  if (withTwo.length > 0) accumulate(withTwo);

  // Completions of B below a place that use none of A's new cards.
  const below = (place: number, x: number, y: number) => {
    let sum = all[place]!;
    if (x >= 0) sum -= withOne[x * WIDTH + place]!;
    if (y >= 0) {
      sum -= withOne[y * WIDTH + place]!;
      if (pairLevel.length > 0) sum += pairLevel[x * size + y]! <= place ? 1 : 0;
      else sum += withTwo[(x * size + y) * WIDTH + place]!;
    }
    return sum;
  };
  let lower = 0;
  let same = 0;
  let total = 0;
  choose(size, needA, (x, y, z) => {
    const level = levelOf(a, unseen, x, y, z);
    const less = below(level, x, y);
    lower += less;
    same += below(level + 1, x, y) - less;
    total += below(LEVELS, x, y);
  });
  return { winA: lower / total, tie: same / total, winB: (total - lower - same) / total };
}

/** Running sums within each row of WIDTH. */
function accumulate(rows: Int32Array): void {
  for (let row = 0; row < rows.length; row += WIDTH) {
    let sum = 0;
    for (let at = row; at < row + WIDTH; at++) {
      sum += rows[at]!;
      rows[at] = sum;
    }
  }
}

/** Every choice of `need` (0 to 3) positions in ascending order; positions not needed are -1. */
function choose(size: number, need: number, visit: (x: number, y: number, z: number) => void): void {
  if (need === 0) visit(-1, -1, -1);
  for (let x = 0; need > 0 && x < size; x++) {
    if (need === 1) visit(x, -1, -1);
    for (let y = x + 1; need > 1 && y < size; y++) {
      if (need === 2) visit(x, y, -1);
      for (let z = y + 1; need > 2 && z < size; z++) visit(x, y, z);
    }
  }
}
