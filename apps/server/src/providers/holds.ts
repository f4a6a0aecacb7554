/** Wins that wait for a person, by the provider's own transaction id. Kept in the database; the ids in memory too. */
import { CodedError } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import type { HeldWhy } from './bounds.ts';

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

export function createProviderHolds(db: Pick<Db, 'query'>): ProviderHolds {
  let reading: Promise<Map<string, HeldWin>> | undefined;
  const name = (provider: string, txId: string): string => `${provider} ${txId}`;

  async function read(): Promise<Map<string, HeldWin>> {
    const rows = await db.query<Row>(
      `SELECT provider, tx_id AS "txId", command, payload_hash AS "payloadHash", why, at, state FROM provider_holds ORDER BY at`,
    );
    return new Map(
      rows.map((row) => [name(row.provider, row.txId), { ...row, command: JSON.parse(row.command) as Credit }]),
    );
  }

  const known = (): Promise<Map<string, HeldWin>> => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  const waiting = async (): Promise<HeldWin[]> => [...(await known()).values()].filter(({ state }) => state === 'HELD');

  return {
    of: async (provider, txId) => (await known()).get(name(provider, txId)),
    ofRound: async (provider, accountId, roundId) =>
      (await waiting()).filter(
        ({ command }) =>
          command.provider === provider && command.accountId === accountId && command.roundId === roundId,
      ),
    async hold(win) {
      const { provider, txId, command, payloadHash, why, at } = win;
      await db.query(
        `INSERT INTO provider_holds (provider, tx_id, account_id, round_id, command, payload_hash, why, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        [provider, txId, command.accountId, command.roundId, JSON.stringify(command), payloadHash, why, at],
      );
      (await known()).set(name(provider, txId), { ...win, state: 'HELD' });
    },
    waiting,
    async mustWait(provider, txId) {
      const win = (await known()).get(name(provider, txId));
      if (!win) throw new CodedError('BET_UNKNOWN', { field: 'txId' });
      if (win.state !== 'HELD')
        throw new CodedError('STATE_NOT_FITTING', { field: 'txId', message: 'This win is decided already.' });
      return win;
    },
    async decided(win, state, by, at) {
      await db.query(
        'UPDATE provider_holds SET state = $3, decided_by = $4, decided_at = $5 WHERE provider = $1 AND tx_id = $2',
        [win.provider, win.txId, state, by, at],
      );
      (await known()).set(name(win.provider, win.txId), { ...win, state });
    },
  };
}
