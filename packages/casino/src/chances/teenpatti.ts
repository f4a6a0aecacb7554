import type { Card } from '../cards.ts';
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

/** Number of different strengths, and one place more for sums up to and including each. */
const LEVELS = 741;
const WIDTH = LEVELS + 1;

let levels: Int16Array | null = null;

/** Place of a hand in the order of all strengths, from 0; by the three cards in any order. */
function levelTable(): Int16Array {
  if (levels) return levels;
  const strengths = new Int32Array(52 * 52 * 52);
  for (let a = 0; a < 52; a++) {
    for (let b = 0; b < 52; b++) {
      for (let c = 0; c < 52; c++) {
        if (a !== b && a !== c && b !== c) strengths[(a * 52 + b) * 52 + c] = teenStrength(a, b, c);
      }
    }
  }
  const order = [...new Set(strengths)].filter((strength) => strength > 0).sort((x, y) => x - y);
  const place = new Map(order.map((strength, index) => [strength, index]));
  levels = Int16Array.from(strengths, (strength) => place.get(strength) ?? -1);
  return levels;
}

/** Both hands so far, A being at most one card ahead as the deal goes. */
export function handChances(a: readonly Card[], b: readonly Card[]): HandChances {
  if (a.length === 0 && b.length === 0) return START;
  const table = levelTable();
  const seen = new Set([...a, ...b]);
  const unseen: number[] = [];
  for (let card = 0; card < 52; card++) if (!seen.has(card)) unseen.push(card);
  const count = unseen.length;
  const needA = 3 - a.length;
  const needB = 3 - b.length;

  // Completions of B by strength: all, those with a card, those with a pair of cards (by position among the unseen).
  const all = new Int32Array(WIDTH);
  const withCard = new Int32Array(count * WIDTH);
  const withPair = needA === 2 ? new Int32Array(count * count * WIDTH) : null;
  completions(count, needB, (x, y, z) => {
    const hand = [...b];
    for (const at of [x, y, z]) if (at >= 0) hand.push(unseen[at]!);
    const level = table[(hand[0]! * 52 + hand[1]!) * 52 + hand[2]!]!;
    all[level + 1]! += 1;
    for (const at of [x, y, z]) if (at >= 0) withCard[at * WIDTH + level + 1]! += 1;
    if (!withPair) return;
    if (y >= 0) withPair[(x * count + y) * WIDTH + level + 1]! += 1;
    if (z >= 0) {
      withPair[(x * count + z) * WIDTH + level + 1]! += 1;
      withPair[(y * count + z) * WIDTH + level + 1]! += 1;
    }
  });
  for (let at = 1; at < WIDTH; at++) all[at]! += all[at - 1]!;
  accumulate(withCard);
  if (withPair) accumulate(withPair);

  let below = 0;
  let same = 0;
  let total = 0;
  completions(count, needA, (x, y) => {
    const hand = [...a];
    if (x >= 0) hand.push(unseen[x]!);
    if (y >= 0) hand.push(unseen[y]!);
    const level = table[(hand[0]! * 52 + hand[1]!) * 52 + hand[2]!]!;
    const upTo = (place: number) => {
      let sum = all[place]!;
      if (x >= 0) sum -= withCard[x * WIDTH + place]!;
      if (y >= 0) sum -= withCard[y * WIDTH + place]! - (withPair ? withPair[(x * count + y) * WIDTH + place]! : 0);
      return sum;
    };
    const less = upTo(level);
    below += less;
    same += upTo(level + 1) - less;
    total += upTo(LEVELS);
  });
  return { winA: below / total, tie: same / total, winB: (total - below - same) / total };
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
function completions(count: number, need: number, visit: (x: number, y: number, z: number) => void): void {
  if (need === 0) {
    visit(-1, -1, -1);
    return;
  }
  for (let x = 0; x < count; x++) {
    if (need === 1) {
      visit(x, -1, -1);
      continue;
    }
    for (let y = x + 1; y < count; y++) {
      if (need === 2) {
        visit(x, y, -1);
        continue;
      }
      for (let z = y + 1; z < count; z++) visit(x, y, z);
    }
  }
}
