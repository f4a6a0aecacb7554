/**
 * Jacks or Better by enumeration. For every set of up to five cards the pays of all five-card hands that hold it are
 * summed once; the mean pay of a hold then follows from these sums by inclusion and exclusion of the cards thrown away.
 */
import { POKER_PAYS, rankOf } from '../src/rules/video-poker.ts';

const CARDS = 52;
const choose: number[][] = Array.from({ length: CARDS + 1 }, (_, n) => {
  const row = [1, 0, 0, 0, 0, 0];
  for (let k = 1; k <= 5; k++) row[k] = k > n ? 0 : Math.round((row[k - 1]! * (n - k + 1)) / k);
  return row;
});

/** Place of a rising set among the sets of its size. */
const placeOf = (cards: readonly number[], mask: number) => {
  let place = 0;
  let size = 0;
  for (let i = 0; i < 5; i++) {
    if ((mask & (1 << i)) === 0) continue;
    size += 1;
    place += choose[cards[i]!]![size]!;
  }
  return place;
};

const SIZES = Array.from({ length: 32 }, (_, mask) => [0, 1, 2, 3, 4].filter((i) => mask & (1 << i)).length);

export interface PokerTables {
  /** By size of the set and its place, the sum of the pays (hundredths) of all hands that hold it. */
  readonly sums: readonly Float64Array[];
}

export function pokerTables(): PokerTables {
  const sums = [0, 1, 2, 3, 4, 5].map((size) => new Float64Array(choose[CARDS]![size]!));
  eachHand((cards) => {
    const pay = POKER_PAYS[rankOf(cards)];
    if (pay === 0) return;
    for (let mask = 0; mask < 32; mask++) sums[SIZES[mask]!]![placeOf(cards, mask)]! += pay;
  });
  return { sums };
}

/** The best hold of five rising cards, as a mask, and its mean pay in hundredths. */
export function bestHold(tables: PokerTables, cards: readonly number[]): { mask: number; mean: number } {
  const parts = new Float64Array(32);
  for (let mask = 0; mask < 32; mask++) parts[mask] = tables.sums[SIZES[mask]!]![placeOf(cards, mask)]!;
  let best = { mask: 31, mean: parts[31]! };
  for (let mask = 0; mask < 31; mask++) {
    const thrown = 31 ^ mask;
    let sum = 0;
    for (let out = thrown; ; out = (out - 1) & thrown) {
      sum += SIZES[out]! % 2 === 0 ? parts[mask | out]! : -parts[mask | out]!;
      if (out === 0) break;
    }
    const mean = sum / choose[CARDS - 5]![5 - SIZES[mask]!]!;
    if (mean > best.mean) best = { mask, mean };
  }
  return best;
}

/**
 * Return of best play, in millionths. Suits may change their names: only hands whose suits appear in order of their cards
 * of the lowest ranks are gone through, each counted as often as it has likenesses.
 */
export function bestReturn(tables: PokerTables): number {
  let sum = 0;
  let hands = 0;
  eachHand((cards) => {
    const weight = likenesses(cards);
    if (weight === 0) return;
    hands += weight;
    sum += weight * bestHold(tables, cards).mean;
  });
  if (hands !== choose[CARDS]![5]) throw new Error(`${hands} hands were counted.`);
  return Math.floor((sum / hands) * 10_000);
}

/** 0 unless the hand is the first of those alike but for the names of the suits; else their number. */
function likenesses(cards: readonly number[]): number {
  const held = [0, 0, 0, 0];
  for (const card of cards) held[Math.floor(card / 13)]! |= 1 << (card % 13);
  const [a, b, c, d] = held as [number, number, number, number];
  if (a < b || b < c || c < d) return 0;
  let weight = 24;
  let alike = 1;
  for (let i = 1; i < 4; i++) {
    alike = held[i] === held[i - 1] ? alike + 1 : 1;
    weight /= alike;
  }
  return weight;
}

function eachHand(visit: (cards: readonly number[]) => void) {
  const cards = [0, 0, 0, 0, 0];
  for (cards[4] = 4; cards[4] < CARDS; cards[4]!++)
    for (cards[3] = 3; cards[3] < cards[4]!; cards[3]!++)
      for (cards[2] = 2; cards[2] < cards[3]!; cards[2]!++)
        for (cards[1] = 1; cards[1] < cards[2]!; cards[1]!++)
          for (cards[0] = 0; cards[0] < cards[1]!; cards[0]!++) visit(cards);
}
