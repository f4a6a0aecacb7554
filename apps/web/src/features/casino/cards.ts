/** Cards of a deal as numbers, suit * 13 + rank - 1 with the suits spade, heart, club, diamond (rule book C1). */
const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
const SITE_SUITS = ['HH', 'DD', 'CC', 'SS'];
const SUITS = ['S', 'H', 'C', 'D'];

export const rankOf = (card: number): number => (card % 13) + 1;
export const suitOf = (card: number): number => Math.floor(card / 13);
/** "A" for 1, "K" for 13. */
export const rankName = (rank: number): string => RANKS[rank - 1] ?? String(rank);

/** "KHH" -> "KS": the doubled letters are not the initials of the suits. */
export function shownCard(code: string): string {
  const suit = SUITS[SITE_SUITS.indexOf(code.slice(-2))];
  return suit ? code.slice(0, -2) + suit : code;
}

/** "KHH" -> 12; null for anything that is no card. */
export function cardNumber(code: string): number | null {
  const suit = SITE_SUITS.indexOf(code.slice(-2));
  const rank = RANKS.indexOf(code.slice(0, -2));
  return suit < 0 || rank < 0 ? null : suit * 13 + rank;
}
