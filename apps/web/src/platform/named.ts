import { filled, language, wordsOf } from './language.ts';

/** Figures, with the English of an ordinal behind them, and short names of teams. */
const VALUES = /(\d+(?:\.\d+)?)(st|nd|rd|th)?\b|\b[A-Z]{2,4}\b/g;
/** And what is free in a note or a line of the books: before a score's verb, behind a colon, who made what, a round's id. */
const NAMES = new RegExp(
  `(?<=: |^Won by |, round ).+$|^.+?(?= (?:need|won|lead|trail) | (?:runs|\\(own goal\\))$)|${VALUES.source}`,
  'g',
);

/** A market, a runner, a reason or a note as it is shown: in the player's words where the server's are known (feed-names.ts). */
export const named = (name: string): string =>
  language() === 'en' ? name : worded(name, VALUES) || worded(name, NAMES) || name;

function worded(name: string, patterns: RegExp): string {
  const values: Record<string, string> = {};
  let count = 0;
  const stem = name.replace(patterns, (text, figure?: string, ordinal?: string) => {
    const key = String.fromCharCode(97 + count++);
    values[key] = figure ?? (text === name ? text : named(text));
    return `{${key}}${ordinal ? 'th' : ''}`;
  });
  return filled(wordsOf(`feed:${stem}`, ''), values);
}

/** What came out of a market: winners, a score, or why it is void. */
export const namedResult = (text: string): string =>
  text.startsWith('Void') ? named(text.replace(/^Void,/, 'Void:')) : text.split(', ').map(named).join(', ');
