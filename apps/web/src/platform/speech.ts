import { inWords, lineInWords, resultInWords } from '@fairgame/contract';
import { filled, language, wordsOf } from './language.ts';

/** What is said and typed otherwise than in English. Fetched with the first language that is not: most players never need it. */

export const named = (name: string): string =>
  inWords(name, (stem, values) => filled(wordsOf(`feed:${stem}`, ''), values));
export const namedResult = (text: string): string => resultInWords(text, named);
export const namedLine = (text: string): string => lineInWords(text, named);

/** Languages whose players write a comma before the cents, and points between thousands. */
const withComma = (): boolean => /^(pt|es)/.test(language());

/** "1.9k" as its people write it. */
export const short = (text: string): string => (withComma() ? text.replace('.', ',') : text);

/** Digits and the point as keyboards of other scripts write them. */
const latin = (text: string): string =>
  text
    .replace('\u066b', '.')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0be6-\u0bef\u0c66-\u0c6f]/g, (digit) =>
      String((digit.charCodeAt(0) + (digit < '\u0900' ? 0 : 10)) & 15),
    );

/**
 * A figure as the player types it, written as in English. With a comma only so much is one in Spanish and Portuguese: "1,250"
 * would be another for who reads it otherwise; `amount`: points stand between thousands.
 */
export function typed(text: string, amount: boolean): string {
  const figure = latin(text);
  if (!withComma()) return figure;
  const plain = amount && /^\d{1,3}(\.\d{3})+(,\d+)?$/.test(figure) ? figure.replaceAll('.', '') : figure;
  return !plain.includes(',') ? plain : /^\d+,\d{1,2}$/.test(plain) ? plain.replace(',', '.') : '';
}
