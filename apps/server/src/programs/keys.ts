/** The keys that players make for their programs. Rows are the truth; what was read counts for some seconds, or until it is told that it changed. */
import { randomBytes } from 'node:crypto';
import { CodedError } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import { addressSet } from '../http/address.ts';
import { Held } from './held.ts';

export interface ProgramKey {
  id: number;
  userId: number;
  name: string;
  key: string;
  mayBet: boolean;
  addresses: readonly string[];
  certificate: string | null;
  createdAt: number;
  lastUsedAt: number | null;
  /** Whether it may be used from there. */
  isFrom: (ip: string) => boolean;
}

interface Row {
  id: number;
  user_id: number;
  name: string;
  key: string;
  rights: string;
  addresses: string;
  certificate: string | null;
  created_at: number;
  last_used_at: number | null;
}

const MOST_KEYS = 10;
const USED_MS = 60_000;

export class ProgramKeys {
  private readonly held = new Held<ProgramKey>();
  private readonly db: Db;
  private readonly clock: () => number;

  constructor(db: Db, clock: () => number) {
    this.db = db;
    this.clock = clock;
  }

  /** A key that is not revoked; null for any other text. */
  of(key: string): Promise<ProgramKey | null> {
    if (!/^[A-Za-z0-9]{16,40}$/.test(key)) return Promise.resolve(null);
    return this.held.get(key, async () => {
      const [row] = await this.db.query<Row>('SELECT * FROM program_keys WHERE key = $1 AND revoked_at IS NULL', [key]);
      return row ? toKey(row) : null;
    });
  }

  async ofUser(userId: number): Promise<ProgramKey[]> {
    const rows = await this.db.query<Row>(
      'SELECT * FROM program_keys WHERE user_id = $1 AND revoked_at IS NULL ORDER BY id',
      [userId],
    );
    return rows.map(toKey);
  }

  /** Throws NAME_TAKEN, also where there are as many as there may be: then `field` is none. */
  async make(given: {
    userId: number;
    name: string;
    mayBet: boolean;
    addresses: readonly string[];
    certificate: string | null;
  }): Promise<ProgramKey> {
    const { userId, name, mayBet, addresses, certificate } = given;
    if ((await this.ofUser(userId)).length >= MOST_KEYS)
      throw new CodedError('NOT_ALLOWED', { message: `There are ${MOST_KEYS} keys already. Take one away first.` });
    const [row] = await this.db.query<Row>(
      `INSERT INTO program_keys (user_id, name, key, rights, addresses, certificate, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (user_id, name) WHERE revoked_at IS NULL DO NOTHING RETURNING *`,
      [userId, name, newKey(), mayBet ? 'bet' : 'read', JSON.stringify(addresses), certificate, this.clock()],
    );
    if (!row) throw new CodedError('NAME_TAKEN', { field: 'name', message: 'You have a key of this name.' });
    return toKey(row);
  }

  /** False where the player has no such key. */
  async revoke(userId: number, id: number): Promise<boolean> {
    const rows = await this.db.query<Row>(
      'UPDATE program_keys SET revoked_at = $3 WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING *',
      [userId, id, this.clock()],
    );
    return rows.length > 0;
  }

  forget(userId: number): void {
    this.held.forget((key) => key.userId === userId);
  }

  /** Written down at most once a minute. */
  async used(key: ProgramKey): Promise<void> {
    const now = this.clock();
    if (key.lastUsedAt !== null && now - key.lastUsedAt < USED_MS) return;
    key.lastUsedAt = now;
    await this.db.query('UPDATE program_keys SET last_used_at = $2 WHERE id = $1', [key.id, now]);
  }
}

/** Letters and digits: some programs put it into addresses and files. */
function newKey(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  return [...randomBytes(24)].map((byte) => letters[byte % letters.length]).join('');
}

function toKey(row: Row): ProgramKey {
  const addresses = JSON.parse(row.addresses) as string[];
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    key: row.key,
    mayBet: row.rights === 'bet',
    addresses,
    certificate: row.certificate,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    isFrom: addresses.length === 0 ? () => true : addressSet(addresses),
  };
}
