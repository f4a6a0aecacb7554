import { inWords, lineInWords, resultInWords } from '@fairgame/contract';
import { filled, language, wordsOf } from './language.ts';

/** A market, a runner, a reason or a note as it is shown: in the player's words where the server's are known (feed-names.ts). */
export const named = (name: string): string =>
  language() === 'en' ? name : inWords(name, (stem, values) => filled(wordsOf(`feed:${stem}`, ''), values));

/** What came out of a market: winners, a score, or why it is void. */
export const namedResult = (text: string): string => resultInWords(text, named);

/** What an entry of the statement was for. */
export const namedLine = (text: string): string => lineInWords(text, named);
