import { type Card, rankOf, rankWord, rankWords } from '../cards.ts';
import { cardsAt, type Deal, LOSE, pays, REFUND, selection, won } from '../game.ts';
import { COLOR, HIGH, PAIR, PURE, SEQUENCE, TEEN_NAMES, TRAIL, teenClass, teenStrength } from '../hands.ts';

/** A three-card hand and what it comes to. */
export interface Hand {
  readonly cards: readonly Card[];
  readonly strength: number;
  readonly rank: number;
  /** Sum of the ranks, ace 1 to king 13. */
  readonly total: number;
}
/** Hands by seat. */
export type Hands = readonly Hand[];

export const HAND_RANKS = TEEN_NAMES.slice(1).reverse();
export const RANK_RULES = [
  'Best first: pure sequence, trail, sequence, color, pair, high card. A-K-Q is the highest sequence, A-2-3 the second.',
];

function handOf(cards: readonly Card[]): Hand {
  const strength = teenStrength(cards[0]!, cards[1]!, cards[2]!);
  const total = rankOf(cards[0]!) + rankOf(cards[1]!) + rankOf(cards[2]!);
  return { cards, strength, rank: teenClass(strength), total };
}

export const rounds = (seats: number) => Array.from({ length: seats * 3 }, (_, index) => index % seats);
export const handsOf = (seats: number) => (deal: Deal) =>
  Array.from({ length: seats }, (_, index) => handOf(cardsAt(deal, index)));
/** `Pair of kings`, `King high, one card to come`: what a hand of one to three cards comes to so far. */
export const note = (deal: Deal, index: number) => {
  const cards = cardsAt(deal, index);
  if (cards.length === 0) return '';
  const ranks = cards.map((card) => (rankOf(card) === 1 ? 14 : rankOf(card))).sort((x, y) => y - x);
  const top = rankWord(ranks[0]!);
  const twin = ranks.find((rank, i) => rank === ranks[i + 1]);
  const high = `${top[0]!.toUpperCase()}${top.slice(1)} high`;
  if (cards.length < 3) {
    const rest = cards.length === 2 ? 'one card' : 'two cards';
    return `${twin === undefined ? high : `Pair of ${rankWords(twin)}`}, ${rest} to come`;
  }
  const { rank } = handOf(cards);
  if (rank === HIGH) return high;
  if (rank === PAIR || rank === TRAIL) return `${TEEN_NAMES[rank]} of ${rankWords(twin!)}`;
  // Ace, two, three is the second best sequence.
  return `${TEEN_NAMES[rank]}, ${rank !== COLOR && ranks[1] === 3 ? 'ace to three' : high.toLowerCase()}`;
};

/** Against seat `against`: a tie gives the stake back. */
export const beats = (index: number, against: number) => (hands: Hands) => {
  const difference = hands[index]!.strength - hands[against]!.strength;
  return difference === 0 ? REFUND : won(difference > 0);
};

/** What each class pays, N to 1, weakest first. */
type PairPlus = Readonly<Record<number, number>>;
export const PAIR_PLUS_20: PairPlus = { [PAIR]: 1, [COLOR]: 4, [SEQUENCE]: 6, [TRAIL]: 35, [PURE]: 45 };
export const PAIR_PLUS_8: PairPlus = { [PAIR]: 1, [COLOR]: 4, [SEQUENCE]: 6, [TRAIL]: 30, [PURE]: 40 };

export function pairPlus(id: number, name: string, column: string, index: number, table: PairPlus, returnPpm: number) {
  return selection<Hands>({
    id,
    name: `Pair Plus ${name}`,
    group: 'Pair plus',
    column,
    label: 'Pair plus',
    price: { back: 200 },
    shown: 'to-one',
    returnPpm,
    table: Object.entries(table).map(([rank, n]) => [TEEN_NAMES[Number(rank)]!, `${n}:1`] as const),
    mark: (hands) => {
      const n = table[hands[index]!.rank];
      return n === undefined ? LOSE : pays((n + 1) * 100);
    },
  });
}
