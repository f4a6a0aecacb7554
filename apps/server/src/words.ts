import type { LanguageTag } from '@fairgame/contract';
import words from './words.json' with { type: 'json' };

/**
 * What the server says in the language of who reads it, by its English: words of files and pushes, which are read where no
 * page with its messages is. The translations are brought here from the client's languages (`npm run languages -- --write`).
 */
export type Word = keyof typeof words;
const WORDS: Readonly<Record<Word, Readonly<Partial<Record<LanguageTag, string>>>>> = words;

/** What is not translated is said in English. */
export const wordsIn =
  (language: LanguageTag) =>
  (word: Word): string =>
    WORDS[word][language] ?? word;
