/** Sends a batch to the database and finds out what became of it, however the line behaves. */
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import { type Db, fencedBy, type Log } from '../db/db.ts';
import { type Batch, commitParams } from './batch.ts';
import { COMMIT } from './columns.ts';
import { failureOf } from './outcome.ts';

/** A database that is away is asked again this often. */
const RETRY_MS = 250;
/** A commit that failed for something passing is sent again for so long; then nothing was taken. */
const AGAIN_MS = 10_000;

export type Landing =
  | { is: 'committed' }
  /** Nothing of it was done, for what is in it. */
  | { is: 'refused'; error: unknown }
  /** Nothing of it was done, or nobody can say. `fence`: and this process must write no more. */
  | { is: 'lost'; tell: CodedError; fence?: string };

export interface SendingOptions {
  db: Db;
  log: Log;
  /** Names this process in the leader's row. */
  owner: string;
  epoch: number;
  /** A batch had no table to go to: makes the missing month's. */
  onNoTable: () => Promise<void>;
  /** A try failed for the database's sake. */
  onFailing: () => void;
  /** The line broke: until it is known what became of the batch nothing more can be taken. */
  onBroken: () => void;
  isStopping: () => boolean;
}

export class Sending {
  private readonly options: SendingOptions;
  epoch: number;

  constructor(options: SendingOptions) {
    this.options = options;
    this.epoch = options.epoch;
  }

  async send(batch: Batch): Promise<Landing> {
    const { db, log } = this.options;
    const started = performance.now();
    for (;;) {
      try {
        await db.write(COMMIT, commitParams(batch, this.epoch));
        return { is: 'committed' };
      } catch (error) {
        const failure = failureOf(error);
        if (failure !== 'refused') this.options.onFailing();
        const passing = failure === 'again' || failure === 'noTable';
        if (!passing || performance.now() - started > AGAIN_MS) return await this.landingOf(batch, error);
        log.warn({ err: error, first: batch.first, last: batch.last }, 'a commit is tried again');
        if (failure === 'noTable') await this.options.onNoTable();
        else await pause();
      }
    }
  }

  /** The commit was refused, or nobody knows. */
  private async landingOf(batch: Batch, error: unknown): Promise<Landing> {
    const fence = fencedBy(error);
    if (fence !== null) return { is: 'lost', tell: unavailable(), fence };
    this.options.log.error({ err: error, first: batch.first, last: batch.last }, 'a commit failed');
    const failure = failureOf(error);
    if (failure === 'refused') return { is: 'refused', error };
    if (failure !== 'unknown') return { is: 'lost', tell: unavailable() };
    this.options.onBroken();
    return this.decided(batch);
  }

  private async decided(batch: Batch): Promise<Landing> {
    const found = await this.lastSeq();
    if (typeof found === 'number') {
      if (found === batch.last) return { is: 'committed' };
      const lost: Landing = { is: 'lost', tell: unavailable() };
      const before = batch.first - 1;
      return found === before
        ? lost
        : { ...lost, fence: `the database is at command ${found}, this process at ${before}` };
    }
    return found === null ? { is: 'lost', tell: unknownOutcome() } : { is: 'lost', tell: unknownOutcome(), ...found };
  }

  /**
   * Reads up to where the log has come; null when nobody can say. Taking a new epoch in the same statement makes the answer
   * final: should the old connection's statement still be under way, it can only come before or be refused.
   */
  private async lastSeq(): Promise<number | { fence: string } | null> {
    const { db, log, owner } = this.options;
    while (!this.options.isStopping()) {
      try {
        const [row] = await db.write<{ epoch: number; last_seq: number }>(
          'UPDATE leader SET epoch = epoch + 1 WHERE owner = $1 RETURNING epoch, last_seq',
          [owner],
        );
        if (!row) return { fence: 'another fairGame leads this database' };
        this.epoch = row.epoch;
        log.warn({ epoch: row.epoch, seq: row.last_seq }, 'the database is back');
        return row.last_seq;
      } catch (error) {
        const fence = fencedBy(error);
        if (fence !== null) return { fence };
        log.warn({ err: error }, 'the database is away');
        await pause();
      }
    }
    return null;
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/** Nothing was taken. */
export function unavailable(): CodedError {
  return new CodedError('UNAVAILABLE', { retryAfterS: 2 });
}

export function unknownOutcome(): CodedError {
  return new CodedError('INTERNAL', { message: 'The outcome is not known. Ask by key what became of this request.' });
}
