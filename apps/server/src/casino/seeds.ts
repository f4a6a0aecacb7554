/**
 * Server seeds of one table. They are a chain: each is the hash of the one that comes after it, and the hash of the first is
 * public before any is used. So the seed of a round was fixed when its chain was made, the seed of a round that is over is
 * the commitment of the next one, and the house can choose none of them once somebody plays. See docs/why/fair-deals.md.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Db, Log, Query } from '../db/db.ts';
import type { Keyring } from '../keyring.ts';

/** Place of a round's seed: a chain, and a link of it from 1. */
export interface Link {
  chain: number;
  link: number;
}

export interface Drawn extends Link {
  serverSeed: string;
  /** Hash of the seed of the round after this one, where that is not this round's own seed: at the end of a chain. */
  nextCommit: string | null;
}

export interface SeedChain {
  /** The seed of the table's next round. It counts as used once `use` has committed. */
  draw(): Promise<Drawn>;
  use(q: Query, drawn: Link): Promise<void>;
  /** The seed at a place; null where it cannot be opened, because the site's key is another one. */
  seedAt(at: Link): Promise<string | null>;
}

interface Row {
  chain: number;
  commit: string;
  sealed: string;
  length: number;
  used: number;
}

/** Rounds of one chain: some nine hours of play. */
export const CHAIN_LENGTH = 1000;

export function createSeedChain(opts: {
  db: Db;
  code: string;
  keyring: Keyring;
  clock: () => number;
  log: Log;
  length?: number;
}): SeedChain {
  const { db, code, keyring, clock, log, length = CHAIN_LENGTH } = opts;
  const about = (chain: number) => `card-chain ${code} ${chain}`;

  async function make(chain: number): Promise<Row> {
    const last = randomBytes(32).toString('hex');
    const row: Row = { chain, commit: back(last, length), sealed: keyring.seal(about(chain), last), length, used: 0 };
    await db.query(
      'INSERT INTO card_chains (code, chain, commit, sealed, length, made_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [code, chain, row.commit, row.sealed, length, clock()],
    );
    return row;
  }

  const rowsFrom = (chain: number): Promise<Row[]> =>
    db.query<Row>(
      'SELECT chain, commit, sealed, length, used FROM card_chains WHERE code = $1 AND chain >= $2 ORDER BY chain',
      [code, chain],
    );

  /** The chain to draw from: the first with a seed left that opens. */
  async function current(): Promise<{ row: Row; last: string }> {
    const [used] = await db.query<{ chain: number | null }>(
      'SELECT max(chain) AS chain FROM card_chains WHERE code = $1 AND used > 0',
      [code],
    );
    let newest = 0;
    for (const row of await rowsFrom(used?.chain ?? 0)) {
      newest = row.chain;
      if (row.used === row.length) continue;
      const last = keyring.open(about(row.chain), row.sealed);
      if (last !== null) return { row, last };
      log.error({ table: code, chain: row.chain }, 'the seeds of a table cannot be opened: a new chain begins');
    }
    const row = await make(newest + 1);
    return { row, last: keyring.open(about(row.chain), row.sealed)! };
  }

  return {
    async draw() {
      const { row, last } = await current();
      const link = row.used + 1;
      let nextCommit: string | null = null;
      if (link === row.length) {
        const [, next = await make(row.chain + 1)] = await rowsFrom(row.chain);
        nextCommit = next.commit;
      }
      return { chain: row.chain, link, serverSeed: back(last, row.length - link), nextCommit };
    },
    async use(q, { chain, link }) {
      const rows = await q(
        'UPDATE card_chains SET used = $3 WHERE code = $1 AND chain = $2 AND used = $3 - 1 RETURNING chain',
        [code, chain, link],
      );
      if (rows.length === 0) throw new Error(`seed ${link} of chain ${chain} of ${code} was used before`);
    },
    async seedAt({ chain, link }) {
      const [row] = await rowsFrom(chain);
      const last = row?.chain === chain ? keyring.open(about(chain), row.sealed) : null;
      return last === null ? null : back(last, row!.length - link);
    },
  };
}

/** `steps` towards the front of the chain; each step is the hash that the table shows as a commitment. */
function back(seed: string, steps: number): string {
  let at = seed;
  for (let n = 0; n < steps; n++) at = createHash('sha256').update(at).digest('hex');
  return at;
}
