/** Search for words anywhere in a text, blind to case and accents. Signs are signs: nothing in a query is a wildcard. */

/** A text as it is searched in. */
export function searchable(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** What a query asks for: its words, split at spaces alone. */
export function wordsOf(query: string): string[] {
  return searchable(query)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** Every word asked for stands in the text. Nothing matches a query without words. */
export function matches(text: string, words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => text.includes(word));
}
