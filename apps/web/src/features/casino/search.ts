/**
 * Whether a game is meant by what was typed: spaces, accents and doubled letters do not count ("teen pati" finds Teenpatti),
 * and in a word of five letters or more one may be wrong.
 */
export function isFound(search: string, text: string): boolean {
  const words = wordsOf(search);
  if (words.length === 0) return true;
  const known = wordsOf(text);
  const whole = known.join('');
  if (whole.includes(words.join(''))) return true;
  return words.every((word) => whole.includes(word) || known.some((one) => isNear(word, one)));
}

const wordsOf = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => word.replace(/(\p{L})\1+/gu, '$1'));

const LONG = 5;

/** One letter more, less or other than the beginning of a word. */
function isNear(word: string, other: string): boolean {
  if (word.length < LONG) return false;
  let at = 0;
  while (at < word.length && word[at] === other[at]) at++;
  const rest = word.slice(at + 1);
  return other.startsWith(rest, at + 1) || other.startsWith(rest, at) || other.startsWith(word.slice(at), at + 1);
}
