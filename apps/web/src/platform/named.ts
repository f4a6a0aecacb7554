import { speech } from './language.ts';

/** A market, a runner, a reason or a note as it is shown: in the player's words where the server's are known (feed-names.ts). */
export const named = (name: string): string => speech?.named(name) ?? name;

/** What came out of a market: winners, a score, or why it is void. */
export const namedResult = (text: string): string => speech?.namedResult(text) ?? text.replace(/^Void,/, 'Void:');

/** A country, of which the server knows the code and the English name. */
export const namedCountry = (code: string, name: string): string => speech?.country(code) ?? name;

/** What an entry of the statement was for. */
export const namedLine = (line: string): string => speech?.namedLine(line) ?? line;
