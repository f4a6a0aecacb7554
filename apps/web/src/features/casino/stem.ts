/** A rank, a number or a player's letter that stands by itself: "K" and "5" are, "1-4" and "K♠" are not. */
const CODE = /(?<![\w.&-])(?:\d+(?:\.\d+)?|[A-DJ-LQRT])(?![\w.\u2660-\u2666-])/g;

/**
 * Texts of the tables differ by codes: "Card 5 D" and "Card K T" are one message, "Card {a} {b}". Read by the client and by
 * what gathers the messages (build/casino-words.ts).
 */
export function stemOf(text: string): { stem: string; codes: Readonly<Record<string, string>> } {
  const codes: Record<string, string> = {};
  const stem = text.replace(CODE, (code) => {
    const name = 'abcdefgh'.charAt(Object.keys(codes).length);
    codes[name] = code;
    return `{${name}}`;
  });
  return { stem, codes };
}
