import { type Card, keyOf, rankOf, suitOf } from './cards.ts';

/** Classes of a three-card hand, weakest first: a pure sequence beats a trail here (rule book C3). */
export const HIGH = 1;
export const PAIR = 2;
export const COLOR = 3;
export const SEQUENCE = 4;
export const TRAIL = 5;
export const PURE = 6;
export const TEEN_NAMES = ['', 'High Card', 'Pair', 'Color', 'Sequence', 'Trail', 'Pure Sequence'] as const;

const CLASS_UNIT = 4096;
const aceHigh = (card: Card) => (card % 13 === 0 ? 14 : (card % 13) + 1);

/** Strength of a teenpatti hand: a larger number wins, equal numbers tie. `teenClass` takes the class out of it. */
export function teenStrength(a: Card, b: Card, c: Card): number {
  let high = aceHigh(a);
  let middle = aceHigh(b);
  let low = aceHigh(c);
  if (high < middle) [high, middle] = [middle, high];
  if (middle < low) [middle, low] = [low, middle];
  if (high < middle) [high, middle] = [middle, high];
  const flush = suitOf(a) === suitOf(b) && suitOf(b) === suitOf(c);
  const run = sequenceRank(high, middle, low);
  if (run > 0) return (flush ? PURE : SEQUENCE) * CLASS_UNIT + run;
  if (high === low) return TRAIL * CLASS_UNIT + high;
  if (flush) return COLOR * CLASS_UNIT + packed(high, middle, low);
  if (high === middle || middle === low) {
    return PAIR * CLASS_UNIT + packed(0, middle, high === middle ? low : high);
  }
  return HIGH * CLASS_UNIT + packed(high, middle, low);
}

export const teenClass = (strength: number): number => Math.floor(strength / CLASS_UNIT);

/** A-K-Q is 13, A-2-3 is 12, K-Q-J is 11 down to 4-3-2 which is 2; no sequence is 0. */
function sequenceRank(high: number, middle: number, low: number): number {
  if (high === 14 && middle === 13 && low === 12) return 13;
  if (high === 14 && middle === 3 && low === 2) return 12;
  return high - 1 === middle && middle - 1 === low ? high - 2 : 0;
}

const packed = (high: number, middle: number, low: number) => high * 225 + middle * 15 + low;

/** "3 Baccarat" (C4): a larger number wins; with one deck no two hands are equal. */
export function threeBaccaratKey(cards: readonly Card[]): number {
  const first = rankOf(cards[0]!);
  if (cards.every((card) => rankOf(card) === first)) return 4_000_000 + (first === 1 ? 14 : first);
  let value = 0;
  let faces = 0;
  let bestFace = 0;
  let bestPoint = 0;
  for (const card of cards) {
    if (rankOf(card) > 10) {
      faces += 1;
      bestFace = Math.max(bestFace, keyOf(card));
    } else bestPoint = Math.max(bestPoint, keyOf(card));
    value += baccaratValue(card);
  }
  if (faces === 3) return 3_000_000 + bestFace;
  return (value % 10) * 10_000 + faces * 1000 + (faces > 0 ? bestFace : bestPoint);
}

/** A is 1, 2 to 9 their number, 10 and faces nothing (C6). */
export const baccaratValue = (card: Card): number => (rankOf(card) > 9 ? 0 : rankOf(card));

export function baccaratTotal(cards: readonly Card[]): number {
  let total = 0;
  for (const card of cards) total += baccaratValue(card);
  return total % 10;
}

/** The banker's third card (C6): `third` is the value of the player's third card, or null when the player stood. */
export function bankerDraws(banker: number, third: number | null): boolean {
  if (third === null) return banker <= 5;
  if (banker <= 2) return true;
  if (banker === 3) return third !== 8;
  if (banker === 4) return third >= 2 && third <= 7;
  if (banker === 5) return third >= 4 && third <= 7;
  return banker === 6 && (third === 6 || third === 7);
}

/** Kinds of a pana (C7). */
export type PanaKind = 'SP' | 'DP' | 'TP';

/** The digit of a card of the 40: ten counts 0. */
export const worliDigit = (card: Card): number => rankOf(card) % 10;

/** The three digits in order, 1 lowest and 0 highest: `120`, `278`, `990`, `000`. */
export function panaOf(digits: readonly number[]): string {
  return [...digits].sort((a, b) => (a || 10) - (b || 10)).join('');
}

export function panaKind(pana: string): PanaKind {
  const different = new Set(pana).size;
  return different === 3 ? 'SP' : different === 2 ? 'DP' : 'TP';
}

/** The single: last digit of the sum. */
export function ankOf(digits: readonly number[]): number {
  return digits.reduce((sum, digit) => sum + digit, 0) % 10;
}
