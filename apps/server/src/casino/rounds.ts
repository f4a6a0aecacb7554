/** Rounds of the card tables as rows. What a round is dealt from is written into its row only when it is over. */
import type { Round, TableCode } from '@fairgame/casino';
import { publicView, resultOf } from '@fairgame/casino';
import type { CardResult } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import type { Drawn, Link, SeedChain } from './seeds.ts';

export interface OpenRound {
  mid: string;
  roundNo: number;
  marketId: number;
  openedAt: number;
  /** Null where its seed cannot be opened. */
  round: Round | null;
}

export interface RoundStore {
  /** Stores a round before anybody can bet on it, with its place in the chain and the public seed it leaves behind. */
  insert(round: {
    mid: string;
    roundNo: number;
    marketId: number;
    openedAt: number;
    drawn: Drawn;
    round: Round;
  }): Promise<void>;
  /** Rounds that are not over, oldest first. */
  open(): Promise<OpenRound[]>;
  /** The round is over and its seed public. `voided`: stakes were returned, for the reason given. */
  finish(mid: string, round: Round, at: number, voided?: string): Promise<void>;
  /** Over without a deal: its seed is lost. */
  giveUp(mid: string, at: number): Promise<void>;
  /** The public seed of the table's last round. */
  publicSeed(): Promise<string>;
}

export function createRoundStore(db: Db, code: TableCode, chain: SeedChain): RoundStore {
  return new RoundRows(db, code, chain);
}

class RoundRows implements RoundStore {
  private readonly db: Db;
  private readonly code: TableCode;
  private readonly chain: SeedChain;

  constructor(db: Db, code: TableCode, chain: SeedChain) {
    this.db = db;
    this.code = code;
    this.chain = chain;
  }

  async insert({ mid, roundNo, marketId, openedAt, drawn, round }: Parameters<RoundStore['insert']>[0]): Promise<void> {
    const { seeds } = round;
    const hidden = JSON.stringify({ ...round, seeds: { ...seeds, serverSeed: '' } });
    await this.db.tx(async (q) => {
      await this.chain.use(q, drawn);
      await q('UPDATE card_tables SET round_no = $2, public_seed = $3 WHERE code = $1', [
        this.code,
        roundNo,
        seeds.clientSeed,
      ]);
      await q(
        `INSERT INTO card_rounds (mid, code, round_no, market_id, opened_at_ms, round, chain, link)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [mid, this.code, roundNo, marketId, openedAt, hidden, drawn.chain, drawn.link],
      );
    });
  }

  async open(): Promise<OpenRound[]> {
    const rows = await this.db.query<{
      mid: string;
      round_no: number;
      market_id: number;
      opened_at_ms: number;
      round: Round | string;
      chain: number | null;
      link: number | null;
    }>(
      `SELECT mid, round_no, market_id, opened_at_ms, round, chain, link FROM card_rounds
          WHERE code = $1 AND NOT over ORDER BY round_no`,
      [this.code],
    );
    return Promise.all(
      rows.map(async (row) => ({
        mid: row.mid,
        roundNo: Number(row.round_no),
        marketId: Number(row.market_id),
        openedAt: Number(row.opened_at_ms),
        round: await this.withSeed(roundIn(row.round), row),
      })),
    );
  }

  async finish(mid: string, round: Round, at: number, voided?: string): Promise<void> {
    const result = resultOf(round)!;
    await this.db.query(
      `UPDATE card_rounds SET over = true, round = $2, win = $3, badge = $4, result_text = $5, over_at_ms = $6, voided = $7
          WHERE mid = $1`,
      [mid, JSON.stringify(round), result.win, result.badge, voided ?? result.words, at, voided !== undefined],
    );
  }

  async giveUp(mid: string, at: number): Promise<void> {
    await this.db.query('UPDATE card_rounds SET over = true, over_at_ms = $2, voided = true WHERE mid = $1', [mid, at]);
  }

  async publicSeed(): Promise<string> {
    const [row] = await this.db.query<{ public_seed: string | null }>(
      'SELECT public_seed FROM card_tables WHERE code = $1',
      [this.code],
    );
    return row?.public_seed ?? this.code;
  }

  private async withSeed(round: Round, at: { chain: number | null; link: number | null }): Promise<Round | null> {
    if (at.chain === null || at.link === null) return round;
    const serverSeed = await this.chain.seedAt({ chain: at.chain, link: at.link } satisfies Link);
    return serverSeed === null ? null : { ...round, seeds: { ...round.seeds, serverSeed } };
  }
}

/** Finished rounds as results, with their cards where asked for. `tail` is SQL of this room, never of a caller. */
export async function resultRows(
  db: Db,
  tail: string,
  params: unknown[],
  { cards = false } = {},
): Promise<CardResult[]> {
  const rows = await db.query<{
    mid: string;
    code: string;
    round_no: number;
    win: string;
    badge: string;
    result_text: string;
    over_at_ms: number;
    round?: Round | string;
  }>(
    `SELECT mid, code, round_no, win, badge, result_text, over_at_ms ${cards ? ', round' : ''} FROM card_rounds
      WHERE over AND win IS NOT NULL AND ${tail}`,
    params,
  );
  return rows.map((row) => ({
    mid: row.mid,
    type: row.code,
    roundNo: Number(row.round_no),
    win: row.win,
    badge: row.badge,
    text: row.result_text,
    createdAt: new Date(Number(row.over_at_ms)).toISOString(),
    ...(row.round === undefined ? {} : { cards: [...publicView(roundIn(row.round)).cards] }),
  }));
}

/** A round that is over, for its proof. */
export async function finishedRow(
  db: Db,
  mid: string,
): Promise<{ round: Round; marketId: number; voided: boolean } | undefined> {
  const [row] = await db.query<{ round: Round | string; market_id: number; voided: boolean }>(
    'SELECT round, market_id, voided FROM card_rounds WHERE mid = $1 AND over AND win IS NOT NULL',
    [mid],
  );
  return row && { round: roundIn(row.round), marketId: Number(row.market_id), voided: row.voided };
}

const roundIn = (stored: Round | string): Round =>
  typeof stored === 'string' ? (JSON.parse(stored) as Round) : stored;
