import type { Query } from '../db/db.ts';

/** What a check of the whole database found wrong, in words; counted up to a bound, since one damage may break a million rows. */
export interface Findings {
  readonly list: string[];
  push(wrong: string): void;
}

export const MOST_FOUND = 1000;

/** The statements of a check see the tables as of one moment, however long it takes. */
export const ONE_VIEW = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

export function findings(): Findings {
  const list: string[] = [];
  return {
    list,
    push(wrong) {
      if (list.length < MOST_FOUND) list.push(wrong);
    },
  };
}

/** A check whose query lists what is wrong: a text a row. */
export function listed(sql: string): (q: Query) => Promise<string[]> {
  return async (q) =>
    (await q<{ wrong: string }>(`SELECT wrong FROM (${sql}) AS w LIMIT ${MOST_FOUND}`)).map((row) => row.wrong);
}
