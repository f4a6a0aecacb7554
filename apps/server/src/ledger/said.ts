import { inWords, type LanguageTag, languageTag } from '@fairgame/contract';
import said from './said.json' with { type: 'json' };

/** Of the client's catalogues what the server itself says (`npm run languages -- --write`), by its English. */
const SAID: Readonly<Record<string, Readonly<Record<string, string>>>> = said;

/** Names of markets, reasons and errors in a language, for files; what has no words stays as it came. */
export function namesIn(language: LanguageTag): (text: string) => string {
  if (language === 'en') return (text) => text;
  const words = (stem: string): string => (Object.hasOwn(SAID, stem) ? (SAID[stem]![language] ?? '') : '');
  return (text) =>
    words(text) ||
    inWords(text, (stem, values) => words(stem).replace(/\{(\w)\}/g, (_, key: string) => values[key] ?? ''));
}

/** A name in every language that has words for it, itself first: what a search of players of all of them may ask for. */
export const namesInAll = (text: string): string[] => [
  ...new Set(languageTag.options.map((language) => namesIn(language)(text))),
];
