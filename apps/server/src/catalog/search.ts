/** Search by the beginnings of words, blind to case and accents. */

/** Words of a text, for the index and for a query alike. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Every word asked for begins a word of the text. Nothing matches a query without words. */
export function matches(haystack: readonly string[], query: readonly string[]): boolean {
  return query.length > 0 && query.every((word) => haystack.some((have) => have.startsWith(word)));
}
