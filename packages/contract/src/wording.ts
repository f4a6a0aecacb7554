/** What feeds, operators and the books write alike everywhere, taken apart so that client and files can say it in another language. Pure. */

/** Figures, with the English of an ordinal behind them, and short names of teams. */
const VALUES = /(\d+(?:\.\d+)?)(st|nd|rd|th)?\b|\b[A-Z]{2,4}\b/g;
/** What the name of a competition ends with, behind a name of its own. */
const COMPETITIONS =
  'Premier League|Super League|Champions League|T20 League|League|Championship|Trophy|Cup|Open|Masters|Women|elections|politics';
/**
 * And what is free in a note, a line of the books or a competition's name: before a score's verb, behind a colon, who made what,
 * a round's id, who tours whom. A title of two teams is none of these.
 */
const NAMES = new RegExp(
  `(?<=: |^Won by |, round | tour of ).+$|^.+?(?= (?:need|won|lead|trail) | (?:runs|\\(own goal\\))$)|^(?:(?! v ).)+?(?= tour of | (?:${COMPETITIONS})$)|${VALUES.source}`,
  'g',
);

/** The words of a stem (`{a} over runs, {b}`) with its values; '' where it has none. */
type Say = (stem: string, values: Readonly<Record<string, string>>) => string;

/** A market, a runner, a reason or a note in these words; as it came where they have none for it. */
export const inWords = (text: string, say: Say): string =>
  worded(text, VALUES, say) || worded(text, NAMES, say) || text;

function worded(text: string, patterns: RegExp, say: Say): string {
  const values: Record<string, string> = {};
  let count = 0;
  const stem = text.replace(patterns, (part, figure?: string, ordinal?: string) => {
    const key = String.fromCharCode(97 + count++);
    values[key] = figure ?? (part === text ? part : inWords(part, say));
    return `{${key}}${ordinal ? 'th' : ''}`;
  });
  return say(stem, values);
}

/** What came out of a market: winners, a score, or why it is void. */
export const resultInWords = (text: string, named: (name: string) => string): string =>
  text.startsWith('Void') ? named(text.replace(/^Void,/, 'Void:')) : text.split(', ').map(named).join(', ');

/** What an entry of the statement was for: "Rovers v City / Match Odds: Rovers", "Roulette / win, round 7"; tables have names in other languages, too. */
export function lineInWords(line: string, named: (name: string) => string): string {
  const [, where, market, result] = /^(?:(.*?) \/ )?(?:([^:]+): )?(.*)$/s.exec(line)!;
  if (where === undefined) return named(line);
  const what = market ? `${named(market)}: ${resultInWords(result!, named)}` : named(line.slice(where.length + 3));
  return `${named(where)} / ${what}`;
}
