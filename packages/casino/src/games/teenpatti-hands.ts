import { type Card, rankOf, rankWord, rankWords } from '../cards.ts';
import { cardsAt, type Deal, LOSE, pays, REFUND, selection, won } from '../game.ts';
import { COLOR, PAIR, PURE, SEQUENCE, TEEN_NAMES, TRAIL, teenClass, teenStrength } from '../hands.ts';
import { capital } from '../words.ts';

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
const highFirst = (cards: readonly Card[]) =>
  cards.map((card) => (rankOf(card) === 1 ? 14 : rankOf(card))).sort((x, y) => y - x);
const twinOf = (ranks: readonly number[]) => ranks.find((rank, i) => rank === ranks[i + 1]);

/** `Pair of kings`, `King high, one card to come`: what a hand of one to three cards comes to so far. */
export const note = (deal: Deal, index: number) => {
  const cards = cardsAt(deal, index);
  if (cards.length === 0) return '';
  if (cards.length === 3) return handWords(handOf(cards), 0);
  const ranks = highFirst(cards);
  const twin = twinOf(ranks);
  const rest = cards.length === 2 ? 'one card' : 'two cards';
  return `${twin === undefined ? `${capital(rankWord(ranks[0]!))} high` : `Pair of ${rankWords(twin)}`}, ${rest} to come`;
};

/** What a hand holds. `detail` names one or two more of its cards, where that is what decided. */
function handWords({ cards, rank }: Hand, detail: 0 | 1 | 2): string {
  const ranks = highFirst(cards);
  const twin = twinOf(ranks);
  if (rank === TRAIL) return `Trail of ${rankWords(twin!)}`;
  // Ace, two, three is the second best sequence.
  if (rank === SEQUENCE || rank === PURE)
    return `${TEEN_NAMES[rank]}, ${ranks[1] === 3 ? 'ace to three' : `${rankWord(ranks[0]!)} high`}`;
  const rest = rank === PAIR ? ranks.filter((one) => one !== twin) : ranks.slice(1, 1 + detail);
  const more = detail === 0 ? '' : ` with ${rest.map(rankWord).join(' and ')}`;
  if (rank === PAIR) return `Pair of ${rankWords(twin!)}${more}`;
  const high = `${rankWord(ranks[0]!)} high${more}`;
  return rank === COLOR ? `${TEEN_NAMES[rank]}, ${high}` : capital(high);
}

/** Two hands in words that differ where the hands do: `king high with queen`, `king high with jack`. */
export function handsInWords(better: Hand, worse: Hand): [string, string] {
  const said = (detail: 0 | 1 | 2): [string, string] => [handWords(better, detail), handWords(worse, detail)];
  const details = ([0, 1, 2] as const).find((detail) => said(detail)[0] !== said(detail)[1]) ?? 0;
  const [one, other] = said(details);
  return [one.toLowerCase(), other.toLowerCase()];
}

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
    hint: 'by the hand alone',
    pays: Object.entries(table).map(([rank, n]) => ({ when: TEEN_NAMES[Number(rank)]!, odds: (n + 1) * 100 })),
    mark: (hands) => {
      const n = table[hands[index]!.rank];
      return n === undefined ? LOSE : pays((n + 1) * 100);
    },
  });
}
