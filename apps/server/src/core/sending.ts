/** Sends a batch to the database and finds out what became of it, however the line behaves. */
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import { createBackOff } from '../back-off.ts';
import { type Db, DbLost, fencedBy, type Log } from '../db/db.ts';
import { type Batch, commitParams } from './batch.ts';
import { COMMIT } from './columns.ts';
import { failureOf } from './outcome.ts';

/** A database that is away is asked again this soon, and this often at last: asking costs little, and it is wanted back. */
const RETRY_MS = 250;
const RETRY_LONGEST_MS = 1000;
/** A commit that failed for something passing is sent again for so long; then nothing was taken. */
const AGAIN_MS = 10_000;

export type Landing =
  | { is: 'committed' }
  /** Nothing of it was done, for what is in it. */
  | { is: 'refused'; error: unknown }
  /**
   * Nothing of it was done, or nobody can say. `fence`: and this process must write no more. `shut`: the database is there and takes
   * nothing, so that the next one would fail, too.
   */
  | { is: 'lost'; tell: CodedError; fence?: string; shut?: boolean };

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
  /** Since then commits fail, and that was told: moment of the steady clock. */
  private toldSince: number | null = null;
  epoch: number;

  constructor(options: SendingOptions) {
    this.options = options;
    this.epoch = options.epoch;
  }

  async send(batch: Batch): Promise<Landing> {
    const { db, log } = this.options;
    const started = performance.now();
    const backOff = createBackOff(RETRY_MS, RETRY_LONGEST_MS);
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
        else await pause(backOff.next());
      }
    }
  }

  /** The commit was refused, or nobody knows. */
  private async landingOf(batch: Batch, error: unknown): Promise<Landing> {
    const fence = fencedBy(error);
    if (fence !== null) return { is: 'lost', tell: unavailable(), fence };
    const failure = failureOf(error);
    if (failure === 'refused') {
      this.options.log.error({ err: error, first: batch.first, last: batch.last }, 'a commit failed');
      return { is: 'refused', error };
    }
    this.tellFailing(batch, error);
    if (failure !== 'unknown') return { is: 'lost', tell: unavailable(), shut: true };
    this.options.onBroken();
    const decided = await this.decided(batch);
    return decided.is === 'lost' && !(error instanceof DbLost) ? { ...decided, shut: true } : decided;
  }

  /** Once, however many fail behind it. */
  private tellFailing({ first, last }: Batch, error: unknown): void {
    if (this.toldSince !== null) return;
    this.toldSince = performance.now();
    this.options.log.error({ err: error, first, last }, 'commits fail: nothing is taken until one goes well');
  }

  /** Commits go well for good. */
  tellWell(): void {
    if (this.toldSince === null) return;
    const failedMs = Math.round(performance.now() - this.toldSince);
    this.toldSince = null;
    this.options.log.warn({ failedMs, epoch: this.epoch }, 'commits go well again');
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
    const backOff = createBackOff(RETRY_MS, RETRY_LONGEST_MS);
    let isTold = false;
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
        if (!isTold) log.warn({ err: error }, 'the database is away');
        isTold = true;
        await pause(backOff.next());
      }
    }
    return null;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Nothing was taken. */
export function unavailable(): CodedError {
  return new CodedError('UNAVAILABLE', { retryAfterS: 2 });
}

export function unknownOutcome(): CodedError {
  return new CodedError('INTERNAL', { message: 'The outcome is not known. Ask by key what became of this request.' });
}
