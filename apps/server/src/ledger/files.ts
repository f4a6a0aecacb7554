/** Reports as files of rows, newest first: read in slices, so that nobody waits for a long one and none is in memory whole. */
import { CodedError, CSV_BEGIN, csvLine, type LanguageTag, zoneNamed } from '@fairgame/contract';
import type { Word } from '../words.ts';

const SLICE = 500;
/** A file ends with these, and says so. */
const MOST_ROWS = 50_000;
const CUT = 'Only the newest {count} rows are in this file. Choose a shorter time for the others.';

export interface Columns<Row> {
  heads: readonly string[];
  cells: (row: Row) => readonly string[];
}

/** Whose file it is: by whose clock, and in whose words. */
export interface Reader {
  zone: string;
  language: LanguageTag;
  say: (word: Word) => string;
  /** Of a market, a reason, an error or a line of the books. */
  named: (text: string) => string;
}

/** `read` answers the rows behind the last one it gave, at most so many. */
export async function* csvOf<Row>(
  { heads, cells }: Columns<Row>,
  { say }: Pick<Reader, 'say'>,
  read: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<string> {
  let last: Row | null = null;
  let count = 0;
  let begin = CSV_BEGIN + csvLine(heads);
  for (;;) {
    const rows: readonly Row[] = await read(last, SLICE);
    yield begin + rows.map((row) => csvLine(cells(row))).join('');
    begin = '';
    count += rows.length;
    last = rows.at(-1) ?? null;
    if (rows.length < SLICE) return;
    if (count >= MOST_ROWS) {
      yield csvLine([say(CUT).replace('{count}', String(count))]);
      return;
    }
  }
}

/** The one spelling of the time zone a player named. Throws BAD_INPUT where it is none. */
export function zoneOf(text: string | undefined): string {
  const zone = zoneNamed(text ?? 'UTC');
  if (zone === null) throw new CodedError('BAD_INPUT', { field: 'timeZone' });
  return zone;
}

/** "12.34" of minor units. */
export const amountText = (minor: number): string => (minor / 100).toFixed(2);
