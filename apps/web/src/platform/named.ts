import { filled, language, wordsOf } from './language.ts';

/** Figures, with the English of an ordinal behind them, and short names of teams. */
const VALUES = /(\d+(?:\.\d+)?)(st|nd|rd|th)?\b|\b[A-Z]{2,4}\b/g;

/** A market, a runner or a reason as it is shown: in the player's words where the server's are known (feed-names.ts). */
export function named(name: string): string {
  if (language() === 'en') return name;
  const values: Record<string, string> = {};
  let count = 0;
  const stem = name.replace(VALUES, (text, figure?: string, ordinal?: string) => {
    const key = String.fromCharCode(97 + count++);
    values[key] = figure ?? text;
    return `{${key}}${ordinal ? 'th' : ''}`;
  });
  const words = wordsOf(`feed:${stem}`, '');
  if (words !== '') return filled(words, values);
  // A batter's, by his name.
  const batter = name.endsWith(' runs') ? wordsOf('feed:{a} runs', '') : '';
  return batter === '' ? name : filled(batter, { a: name.slice(0, -5) });
}

/** What came out of a market: winners, a score, or why it is void. */
export function namedResult(text: string): string {
  const [, reason] = /^Void[:,] (.*)$/.exec(text) ?? [];
  return reason === undefined
    ? text.split(', ').map(named).join(', ')
    : filled(wordsOf('feed:Void: {a}', ['Void: ', ['a']]), { a: named(reason) });
}
