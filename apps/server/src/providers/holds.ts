/** Wins that wait for a person, by the provider's own transaction id. */
import { CodedError } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import type { PayoutWhy } from '../core/core.ts';
import type { Db } from '../db/db.ts';

export type HeldWhy = Exclude<PayoutWhy, 'promo'>;
export type Credit = Extract<Command, { type: 'game.credit' }>;

export interface HeldWin {
  provider: string;
  txId: string;
  command: Credit;
  payloadHash: string;
  why: HeldWhy;
  at: number;
  state: 'HELD' | 'PAID' | 'REFUSED';
}

export interface ProviderHolds {
  /** What is known of an id; undefined: it was never held. */
  of(provider: string, txId: string): Promise<HeldWin | undefined>;
  /** Wins of a round that still wait. */
  ofRound(provider: string, accountId: number, roundId: string): Promise<HeldWin[]>;
  hold(win: Omit<HeldWin, 'state'>): Promise<void>;
  /** Oldest first. */
  waiting(): Promise<HeldWin[]>;
  /** Throws BET_UNKNOWN, and STATE_NOT_FITTING where it is decided already. */
  mustWait(provider: string, txId: string): Promise<HeldWin>;
  decided(win: HeldWin, state: 'PAID' | 'REFUSED', by: string, at: number): Promise<void>;
}

interface Row extends Omit<HeldWin, 'command'> {
  command: string;
}

const ROWS = `SELECT provider, tx_id AS "txId", command, payload_hash AS "payloadHash", why, at, state FROM provider_holds`;

const winOf = (row: Row): HeldWin => ({ ...row, command: JSON.parse(row.command) as Credit });

/** Always asked of the rows: another gateway may have kept a win, and its people decided. */
export function createProviderHolds(db: Pick<Db, 'query'>): ProviderHolds {
  async function of(provider: string, txId: string): Promise<HeldWin | undefined> {
    const [row] = await db.query<Row>(`${ROWS} WHERE provider = $1 AND tx_id = $2`, [provider, txId]);
    return row && winOf(row);
  }

  return {
    of,
    async ofRound(provider, accountId, roundId) {
      const rows = await db.query<Row>(
        `${ROWS} WHERE state = 'HELD' AND provider = $1 AND account_id = $2 AND round_id = $3`,
        [provider, accountId, roundId],
      );
      return rows.map(winOf);
    },
    async hold({ provider, txId, command, payloadHash, why, at }) {
      await db.query(
        `INSERT INTO provider_holds (provider, tx_id, account_id, round_id, command, payload_hash, why, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        [provider, txId, command.accountId, command.roundId, JSON.stringify(command), payloadHash, why, at],
      );
    },
    waiting: async () => (await db.query<Row>(`${ROWS} WHERE state = 'HELD' ORDER BY at`)).map(winOf),
    async mustWait(provider, txId) {
      const win = await of(provider, txId);
      if (!win) throw new CodedError('BET_UNKNOWN', { field: 'txId' });
      if (win.state !== 'HELD') throw decidedBefore();
      return win;
    },
    async decided({ provider, txId }, state, by, at) {
      // What was paid is paid, whoever refused it in the same moment.
      const rows = await db.query(
        `UPDATE provider_holds SET state = $3, decided_by = $4, decided_at = $5
          WHERE provider = $1 AND tx_id = $2 AND (state = 'HELD' OR $3 = 'PAID') RETURNING 1`,
        [provider, txId, state, by, at],
      );
      if (rows.length === 0) throw decidedBefore();
    },
  };
}

const decidedBefore = () =>
  new CodedError('STATE_NOT_FITTING', { field: 'txId', message: 'This win is decided already.' });
