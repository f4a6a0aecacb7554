import { type Card, rankOf, rankWord, rankWords, suitOf } from './cards.ts';
import { capital } from './words.ts';

/** Classes of the best five cards, weakest first (rule book C5). */
export const POKER_NAMES = [
  'High Card',
  'One Pair',
  'Two Pair',
  'Three of a Kind',
  'Straight',
  'Flush',
  'Full House',
  'Four of a Kind',
  'Straight Flush',
  'Royal Flush',
] as const;

const CLASS_UNIT = 1 << 20;

/** For each set of the 13 ranks (bit 0 the two, bit 12 the ace): highest rank, five highest packed, best straight. */
const HIGHEST = new Uint8Array(8192);
const BEST_FIVE = new Int32Array(8192);
const STRAIGHT = new Uint8Array(8192);
for (let set = 1; set < 8192; set++) {
  let packed = 0;
  let taken = 0;
  for (let rank = 12; rank >= 0; rank--) {
    if ((set & (1 << rank)) === 0) continue;
    if (taken === 0) HIGHEST[set] = rank;
    if (taken < 5) packed |= rank << ((4 - taken) * 4);
    taken += 1;
  }
  BEST_FIVE[set] = packed;
  for (let top = 12; top >= 3; top--) {
    const run = top === 3 ? 0b1_0000_0000_1111 : 0b1_1111 << (top - 4);
    if ((set & run) === run) {
      STRAIGHT[set] = top;
      break;
    }
  }
}

/** Bit of a rank, ace high. */
export const pokerBit = (card: Card): number => 1 << ((rankOf(card) + 11) % 13);

/**
 * Strength from sets of ranks: held once or more, twice or more, three times, four times, and the ranks of the flush
 * suit (0 when no suit has five). A larger number wins, equal numbers tie.
 */
export function pokerStrength(once: number, twice: number, thrice: number, four: number, flush: number): number {
  if (flush !== 0) {
    const top = STRAIGHT[flush]!;
    if (top === 12) return 9 * CLASS_UNIT;
    if (top !== 0) return 8 * CLASS_UNIT + top;
  }
  if (four !== 0) {
    const rank = HIGHEST[four]!;
    return 7 * CLASS_UNIT + (rank << 4) + HIGHEST[once & ~(1 << rank)]!;
  }
  if (thrice !== 0) {
    const rank = HIGHEST[thrice]!;
    const pair = twice & ~(1 << rank);
    if (pair !== 0) return 6 * CLASS_UNIT + (rank << 4) + HIGHEST[pair]!;
  }
  if (flush !== 0) return 5 * CLASS_UNIT + BEST_FIVE[flush]!;
  if (STRAIGHT[once] !== 0) return 4 * CLASS_UNIT + STRAIGHT[once]!;
  if (thrice !== 0) {
    const rank = HIGHEST[thrice]!;
    return 3 * CLASS_UNIT + (rank << 8) + (BEST_FIVE[once & ~(1 << rank)]! >> 12);
  }
  if (twice !== 0) {
    const rank = HIGHEST[twice]!;
    const second = twice & ~(1 << rank);
    if (second !== 0) {
      const low = HIGHEST[second]!;
      return 2 * CLASS_UNIT + (rank << 8) + (low << 4) + HIGHEST[once & ~(1 << rank) & ~(1 << low)]!;
    }
    return CLASS_UNIT + (rank << 12) + (BEST_FIVE[once & ~(1 << rank)]! >> 8);
  }
  return BEST_FIVE[once]!;
}

/** Strength of five to seven cards. */
export function pokerHand(cards: readonly Card[]): number {
  let once = 0;
  let twice = 0;
  let thrice = 0;
  let four = 0;
  let suits0 = 0;
  let suits1 = 0;
  let suits2 = 0;
  let suits3 = 0;
  let counts = 0;
  for (const card of cards) {
    const bit = pokerBit(card);
    four |= thrice & bit;
    thrice |= twice & bit;
    twice |= once & bit;
    once |= bit;
    const suit = suitOf(card);
    counts += 1 << (suit * 4);
    if (suit === 0) suits0 |= bit;
    else if (suit === 1) suits1 |= bit;
    else if (suit === 2) suits2 |= bit;
    else suits3 |= bit;
  }
  let flush = 0;
  if ((counts & 15) > 4) flush = suits0;
  else if (((counts >> 4) & 15) > 4) flush = suits1;
  else if (((counts >> 8) & 15) > 4) flush = suits2;
  else if (((counts >> 12) & 15) > 4) flush = suits3;
  return pokerStrength(once, twice, thrice, four, flush);
}

export const pokerClass = (strength: number): number => Math.floor(strength / CLASS_UNIT);

/** Which five of the cards make the best hand, by their number among them. */
export function bestFive(cards: readonly Card[]): number[] {
  const strength = pokerHand(cards);
  for (const five of fives(cards.length)) if (pokerHand(five.map((i) => cards[i]!)) === strength) return five;
  throw new Error('A hand has at least five cards.');
}

/** Every choice of five of so many. */
function* fives(count: number, chosen: readonly number[] = []): Generator<number[]> {
  if (chosen.length === 5) yield [...chosen];
  else
    for (let i = (chosen.at(-1) ?? -1) + 1; i < count; i++) {
      yield* fives(count, [...chosen, i]);
    }
}

/** The best five of the cards: the words of its class with its ranks, and the side cards that decide between equals. */
function named(cards: readonly Card[]): { words: string; sides: string[] } {
  const five = bestFive(cards).map((i) => cards[i]!);
  const order = [...new Set(five.map((card) => (rankOf(card) === 1 ? 14 : rankOf(card))))];
  const times = (rank: number) => five.filter((card) => rankOf(card) === rank || rankOf(card) + 13 === rank).length;
  // The ranks that come more often first, then the higher ones.
  order.sort((x, y) => times(y) - times(x) || y - x);
  const [first, second] = order.map((rank) => rankWords(rank)) as [string, string];
  const top = rankWord(order[0]!);
  const sides = (from: number) => order.slice(from).map((rank) => rankWord(rank));
  // Ace to five is the lowest straight.
  const end = order[0] === 14 && order[1] === 5 ? 'five' : top;
  switch (pokerClass(pokerHand(cards))) {
    case 9:
      return { words: 'royal flush', sides: [] };
    case 8:
      return { words: `straight flush to the ${end}`, sides: [] };
    case 7:
      return { words: `four ${first}`, sides: sides(1) };
    case 6:
      return { words: `full house, ${first} over ${second}`, sides: [] };
    case 5:
      return { words: `flush, ${top} high`, sides: sides(1) };
    case 4:
      return { words: `straight to the ${end}`, sides: [] };
    case 3:
      return { words: `three ${first}`, sides: sides(1) };
    case 2:
      return { words: `two pair, ${first} and ${second}`, sides: sides(2) };
    case 1:
      return { words: `pair of ${first}`, sides: sides(1) };
    default:
      return { words: `${top} high`, sides: sides(1) };
  }
}

/** `Two pair, kings and nines`: what the best five of the cards come to. */
export const pokerWords = (cards: readonly Card[]): string => capital(named(cards).words);

/** Two hands in words that differ where the hands do: `pair of kings with queen`, `pair of kings with jack`. */
export function pokerHandsInWords(better: readonly Card[], worse: readonly Card[]): [string, string] {
  const hands = [named(better), named(worse)] as const;
  const said = (count: number) =>
    hands.map(({ words, sides }) =>
      count > 0 && sides.length > 0 ? `${words} with ${sides.slice(0, count).join(' and ')}` : words,
    ) as [string, string];
  for (let count = 0; count <= 4; count++) {
    const [one, other] = said(count);
    if (one !== other) return [one, other];
  }
  return said(0);
}
