import { inWords, lineInWords, resultInWords } from '@fairgame/contract';

/** Digits and the point as keyboards of other scripts write them. */
const latin = (text: string): string =>
  text
    .replace('\u066b', '.')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0be6-\u0bef\u0c66-\u0c6f]/g, (digit) =>
      String((digit.charCodeAt(0) + (digit < '\u0900' ? 0 : 10)) & 15),
    );

/** "12,50" and "1.250,50" as in English. With a comma only so much is a figure: "1,250" would be another for who reads it otherwise. */
function pointed(text: string, amount: boolean): string {
  const plain = amount && /^\d{1,3}(\.\d{3})+(,\d+)?$/.test(text) ? text.replaceAll('.', '') : text;
  return !plain.includes(',') ? plain : /^\d+,\d{1,2}$/.test(plain) ? plain.replace(',', '.') : '';
}

/**
 * What a language but English says and writes otherwise. Fetched with the first of them: most players never need it. `say` has
 * the words of a stem of feed-names.ts.
 */
export function speechOf(language: string, say: Parameters<typeof inWords>[1]) {
  // What begins with a Latin name and goes on in words is read from right to left all the same.
  const named = (name: string): string => {
    const said = inWords(name, say);
    return said !== name && language === 'ur' && !/^[\u0600-\u06ff]/.test(said) ? `\u200f${said}` : said;
  };
  // Its players write a comma before the cents, and points between thousands.
  const comma = /^(pt|es)/.test(language);
  const countries = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  return {
    named,
    namedResult: (text: string): string => resultInWords(text, named),
    namedLine: (line: string): string => lineInWords(line, named),
    country(code: string): string | undefined {
      try {
        return countries.of(code);
      } catch {
        // No code of a country at all.
        return undefined;
      }
    },
    /** Between the parts of a list. */
    comma: language === 'ur' ? '\u060c ' : ', ',
    /** "1.9k" as its people write it. */
    short: (text: string): string => (comma ? text.replace('.', ',') : text),
    /** A figure as the player types it, written as in English; of an amount thousands may stand apart. */
    typed: (text: string, amount: boolean): string => (comma ? pointed(latin(text), amount) : latin(text)),
  };
}
