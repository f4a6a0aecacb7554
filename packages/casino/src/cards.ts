/**
 * A card is a number: suit * 13 + rank - 1, suits in the order spade, heart, club, diamond (rule book C1, C11).
 * Rank 1 is the ace, 11, 12, 13 are jack, queen and king. Two equal numbers are the same card of two decks.
 */
export type Card = number;

export const SPADE = 0;
export const HEART = 1;
export const CLUB = 2;
export const DIAMOND = 3;

const RANKS: readonly string[] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
const SUITS = 'SHCD';
/** The site's doubled letters are not the initials of two of the suits: HH is the spade, SS the diamond. */
const SITE_SUITS: readonly string[] = ['HH', 'DD', 'CC', 'SS'];
const RANK_WORDS = 'ace two three four five six seven eight nine ten jack queen king'.split(' ');
const SUIT_WORDS = ['spades', 'hearts', 'clubs', 'diamonds'] as const;

/** How feeds write a card that has not been dealt. */
export const NOT_DEALT = '1';

export const cardOf = (rank: number, suit: number): Card => suit * 13 + rank - 1;
export const rankOf = (card: Card): number => (card % 13) + 1;
export const suitOf = (card: Card): number => Math.floor(card / 13);
export const isRed = (card: Card): boolean => suitOf(card) === HEART || suitOf(card) === DIAMOND;
export const isEven = (card: Card): boolean => rankOf(card) % 2 === 0;
/** Ace low, then the suit: spade over heart over club over diamond (C2). */
export const keyOf = (card: Card): number => rankOf(card) * 10 + 4 - suitOf(card);

export const rankName = (rank: number): string => RANKS[rank - 1]!;
export const standardName = (card: Card): string => `${rankName(rankOf(card))}${SUITS[suitOf(card)]}`;
export const siteName = (card: Card): string => `${rankName(rankOf(card))}${SITE_SUITS[suitOf(card)]}`;
/** `king`, and `kings`; 14 is an ace too. */
export const rankWord = (rank: number): string => RANK_WORDS[(rank - 1) % 13]!;
export const suitWord = (suit: number): string => SUIT_WORDS[suit]!;
export const rankWords = (rank: number): string => `${rankWord(rank)}${rank === 6 ? 'es' : 's'}`;
export const cardWords = (card: Card): string => `${RANK_WORDS[rankOf(card) - 1]} of ${SUIT_WORDS[suitOf(card)]}`;

/** Reads `10H` (standard) or `10DD` (site); fails on anything else. */
export function parseCard(text: string): Card {
  const found = /^(10|[A2-9JQK])(HH|DD|CC|SS|[SHCD])$/.exec(text);
  if (!found) throw new Error(`"${text}" is not a card.`);
  const suit = found[2]!;
  const index = suit.length === 2 ? SITE_SUITS.indexOf(suit) : SUITS.indexOf(suit);
  return cardOf(RANKS.indexOf(found[1]) + 1, index);
}

/** Every stack of C11 in its order before the shuffle. U1000 is no stack: one number from 0 to 999 (ballbyball). */
export type DeckName = 'D1' | 'D8' | 'D32' | 'D48' | 'D40' | 'DB' | 'DSO' | 'DV3' | 'DQ' | 'U1000';

const OVER_RANKS = [1, 2, 3, 4, 6, 10, 13];
const suits = (from: number, to: number) => copies(1, (rank) => rank >= from && rank <= to);

const DECKS: Readonly<Record<Exclude<DeckName, 'U1000'>, readonly Card[]>> = {
  D1: suits(1, 13),
  D8: copies(8, () => true),
  D32: suits(6, 13),
  D48: suits(1, 12),
  D40: suits(1, 10),
  DB: copies(2, (rank) => rank === 1 || rank >= 11),
  DSO: bySuits([SPADE, HEART, CLUB, DIAMOND, SPADE]),
  DV3: bySuits([0, 1, 2, 3, 0, 1, 2, 3, 0, 1]),
  DQ: [...suits(2, 6), cardOf(12, HEART)],
};

/** A new list of the unshuffled stack. */
export function deckOf(name: Exclude<DeckName, 'U1000'>): Card[] {
  return [...DECKS[name]];
}

function copies(count: number, keep: (rank: number) => boolean): Card[] {
  const deck: Card[] = [];
  for (let copy = 0; copy < count; copy++) {
    for (let card = 0; card < 52; card++) if (keep(rankOf(card))) deck.push(card);
  }
  return deck;
}

function bySuits(order: readonly number[]): Card[] {
  return order.flatMap((suit) => OVER_RANKS.map((rank) => cardOf(rank, suit)));
}
