/** A rank, a number or a player's letter that stands by itself: "K" and "5" are, "1-4" and "K♠" are not. */
const CODE = /(?<![\w.&-])(?:\d+(?:\.\d+)?|[A-DJ-LQRT])(?![\w.\u2660-\u2666-])/g;

/** Ranks and suits as words of a hand: "kings", "ace", "spades". */
export const CARD_WORDS: readonly string[] = [
  ...['ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king'].flatMap(
    (rank) => [rank, rank === 'six' ? 'sixes' : `${rank}s`],
  ),
  'spades',
  'hearts',
  'clubs',
  'diamonds',
];
const CARD_WORD = new RegExp(`\\b(?:${CARD_WORDS.join('|')})\\b`, 'gi');

interface Stem {
  stem: string;
  /** What stood where the stem has `{a}`, `{b}`... */
  held: Readonly<Record<string, string>>;
}

/**
 * Texts of the tables differ by codes: "Card 5 D" and "Card K T" are one message, "Card {a} {b}". Read by the client and by
 * what gathers the messages (build/casino-words.ts).
 */
export const stemOf = (text: string): Stem => taken(text, CODE);

/** The same of a hand: "Pair of kings" is "Pair of {a}". */
export const handStemOf = (text: string): Stem => taken(text, CARD_WORD);

function taken(text: string, what: RegExp): Stem {
  const held: Record<string, string> = {};
  const stem = text.replace(what, (found) => {
    const name = 'abcdefgh'.charAt(Object.keys(held).length);
    held[name] = found;
    return `{${name}}`;
  });
  return { stem, held };
}
