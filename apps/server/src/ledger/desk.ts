/**
 * Reports of players: on connections of their own and a few at a time for each account, so that nobody's long history, and
 * nobody's many tabs, hold up anybody else.
 */
import { CodedError } from '@fairgame/contract';
import type { Db, Query } from '../db/db.ts';

export interface Reading extends Pick<Db, 'query'> {
  /** Writes what a reading found, for the next one: a replica that is read from takes nothing. */
  keep?: Query;
}

export interface ReportDesk {
  /** Runs the reading when it is the account's turn. Throws BUSY when too many of his wait already. */
  run<T>(accountId: number, read: (db: Reading) => Promise<T>): Promise<T>;
}

const AT_ONCE = 2;
const WAITING = 6;

/** `seen` is the last command of which this process knows: no report leaves out what its player was told of. */
export function createReportDesk(db: Pick<Db, 'report' | 'query'>, seen: () => number): ReportDesk {
  const desks = new Map<number, { running: number; waiting: Array<() => void> }>();
  return {
    async run(accountId, read) {
      const desk = desks.get(accountId) ?? { running: 0, waiting: [] };
      desks.set(accountId, desk);
      if (desk.running >= AT_ONCE) {
        if (desk.waiting.length >= WAITING) throw new CodedError('BUSY', { retryAfterS: 2 });
        await new Promise<void>((resolve) => desk.waiting.push(resolve));
      } else desk.running++;
      try {
        return await db.report(seen(), ({ query }) => read({ query, keep: db.query }));
      } finally {
        // The place goes to the next one, or is given up.
        const next = desk.waiting.shift();
        if (next) next();
        else if (--desk.running === 0) desks.delete(accountId);
      }
    },
  };
}
