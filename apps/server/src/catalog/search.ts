/** Search for words anywhere in a text, blind to case, accents, and what players of other scripts leave out. Signs are signs: nothing in a query is a wildcard. */

/**
 * Accents of Latin, short vowels of Arabic, the dot below of Indian letters, and joiners nobody sees. All other marks are
 * letters of their scripts: by consonants alone every second name would be found.
 */
const LEFT_OUT = /[\u0300-\u036f\u064b-\u0655\u0670\u093c\u09bc\u0a3c\u200c\u200d]/gu;

/** A text as it is searched in. */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(LEFT_OUT, '').toLowerCase();
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
