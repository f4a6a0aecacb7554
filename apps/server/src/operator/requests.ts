/** Acts that wait for a second person, as rows. Whoever asked cannot agree; after a day nobody can. */
import { CodedError } from '@fairgame/contract';
import type { Db } from '../db/db.ts';

export interface Asked {
  call: string;
  body: unknown;
  object: string;
  reason: string;
  actor: string;
  /** Asked again under the same key it is the same request. */
  key: string;
}

export interface AskedRow {
  id: number;
  call: string;
  body: unknown;
  object: string;
  reason: string;
  askedBy: string;
  askedAt: number;
  expiresAt: number;
  state: 'OPEN' | 'DONE' | 'REFUSED' | 'WITHDRAWN' | 'FAILED' | 'EXPIRED';
  decidedBy: string | null;
  decidedAt: number | null;
  outcome: string | null;
}

export interface Requests {
  file(asked: Asked): Promise<number>;
  /** Open ones and the last hundred that are over, newest first. */
  list(): Promise<AskedRow[]>;
  /** Throws REQUEST_UNKNOWN. */
  one(id: number): Promise<AskedRow>;
  /** Throws REQUEST_OVER where it is decided already. */
  close(
    id: number,
    state: 'DONE' | 'REFUSED' | 'WITHDRAWN' | 'FAILED',
    by: string,
    outcome: string | null,
  ): Promise<void>;
}

const EXPIRES_MS = 24 * 3_600_000;

interface Row extends Omit<AskedRow, 'body'> {
  body: string;
}

const COLUMNS = `id, call, body, object, reason, asked_by AS "askedBy", asked_at AS "askedAt", expires_at AS "expiresAt", state,
  decided_by AS "decidedBy", decided_at AS "decidedAt", outcome FROM operator_requests`;

export function createRequests(db: Db, clock: () => number): Requests {
  const read = (row: Row): AskedRow => ({
    ...row,
    id: Number(row.id),
    body: JSON.parse(row.body) as unknown,
    state: row.state === 'OPEN' && row.expiresAt <= clock() ? 'EXPIRED' : row.state,
  });
  return {
    async file({ call, body, object, reason, actor, key }) {
      const now = clock();
      const text = JSON.stringify(body);
      await db.query(
        `INSERT INTO operator_requests (call, body, object, reason, asked_by, asked_key, asked_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (asked_by, asked_key) DO NOTHING`,
        [call, text, object, reason, actor, key, now, now + EXPIRES_MS],
      );
      const [row] = await db.query<{ id: number; call: string; body: string }>(
        'SELECT id, call, body FROM operator_requests WHERE asked_by = $1 AND asked_key = $2',
        [actor, key],
      );
      if (row!.call !== call || row!.body !== text) throw new CodedError('KEY_REUSED', { field: 'key' });
      return Number(row!.id);
    },
    async list() {
      const rows = await db.query<Row>(
        `(SELECT ${COLUMNS} WHERE state = 'OPEN' AND expires_at > $1)
         UNION ALL (SELECT ${COLUMNS} WHERE NOT (state = 'OPEN' AND expires_at > $1) ORDER BY id DESC LIMIT 100)
         ORDER BY id DESC`,
        [clock()],
      );
      return rows.map(read);
    },
    async one(id) {
      const [row] = await db.query<Row>(`SELECT ${COLUMNS} WHERE id = $1`, [id]);
      if (!row) throw new CodedError('REQUEST_UNKNOWN', { field: 'id' });
      return read(row);
    },
    async close(id, state, by, outcome) {
      const rows = await db.query(
        `UPDATE operator_requests SET state = $2, decided_by = $3, decided_at = $4, outcome = $5
          WHERE id = $1 AND state = 'OPEN' RETURNING id`,
        [id, state, by, clock(), outcome],
      );
      if (rows.length === 0) throw new CodedError('REQUEST_OVER', { field: 'id' });
    },
  };
}
