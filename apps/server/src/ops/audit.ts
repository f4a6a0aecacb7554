import { createHash } from 'node:crypto';
import type { Db } from '../db/db.ts';

export interface AuditRecord {
  /** `operator:anna`, `player:102`, `core`. */
  actor: string;
  /** `player.credit`, `market.declare` ... */
  action: string;
  /** What it was done to: `player:102`, `market:5001`. */
  object: string;
  reason?: string | undefined;
  detail?: unknown;
}

interface AuditRow extends AuditRecord {
  n: number;
  at: number;
  hash: string;
}

export interface Audit {
  /** Appends a record; resolves when it is committed. Throws when it cannot be written: then the act must not happen. */
  record(record: AuditRecord): Promise<void>;
  newest(limit: number): Promise<AuditRow[]>;
  /** Whether this was ever done to this object. */
  has(action: string, object: string): Promise<boolean>;
}

interface Stored {
  n: number;
  at: number;
  actor: string;
  action: string;
  object: string;
  reason: string | null;
  detail: string;
  prev_hash: string;
  hash: string;
}

const FIRST = '0'.repeat(64);

/** The append-only log. Records are written one after the other, each with the hash of the one before (INV-21). */
export function createAudit(db: Db, clock: () => number): Audit {
  let last: { n: number; hash: string } | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function append(record: AuditRecord): Promise<void> {
    if (!last) {
      const [row] = await db.query<{ n: number; hash: string }>('SELECT n, hash FROM audit ORDER BY n DESC LIMIT 1');
      last = row ?? { n: 0, hash: FIRST };
    }
    const row: Stored = {
      n: last.n + 1,
      at: clock(),
      actor: record.actor,
      action: record.action,
      object: record.object,
      reason: record.reason ?? null,
      detail: JSON.stringify(record.detail ?? null),
      prev_hash: last.hash,
      hash: '',
    };
    row.hash = hashOf(row);
    try {
      await db.query(
        'INSERT INTO audit (n, at, actor, action, object, reason, detail, prev_hash, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
        [row.n, row.at, row.actor, row.action, row.object, row.reason, row.detail, row.prev_hash, row.hash],
      );
    } catch (error) {
      // Whether it was written is not known: read the end of the chain again before the next record.
      last = undefined;
      throw error;
    }
    last = { n: row.n, hash: row.hash };
  }

  return {
    record(record) {
      const done = queue.then(() => append(record));
      queue = done.catch(() => undefined);
      return done;
    },
    async has(action, object) {
      const rows = await db.query('SELECT 1 FROM audit WHERE action = $1 AND object = $2 LIMIT 1', [action, object]);
      return rows.length > 0;
    },
    async newest(limit) {
      const rows = await db.query<Stored>('SELECT * FROM audit ORDER BY n DESC LIMIT $1', [limit]);
      return rows.map((row) => ({
        ...row,
        reason: row.reason ?? undefined,
        detail: JSON.parse(row.detail) as unknown,
      }));
    },
  };
}

/** Checks the whole chain. `brokenAt` is the first record that is missing, changed or out of place. */
export async function verifyAudit(db: Pick<Db, 'query'>): Promise<{ records: number; brokenAt: number | null }> {
  let previous = FIRST;
  let n = 0;
  for (;;) {
    const rows = await db.query<Stored>('SELECT * FROM audit WHERE n > $1 ORDER BY n LIMIT 1000', [n]);
    if (rows.length === 0) return { records: n, brokenAt: null };
    for (const row of rows) {
      if (row.n !== n + 1 || row.prev_hash !== previous || row.hash !== hashOf(row))
        return { records: n, brokenAt: n + 1 };
      previous = row.hash;
      n = row.n;
    }
  }
}

function hashOf(row: Stored): string {
  const fields = [row.n, row.at, row.actor, row.action, row.object, row.reason, row.detail, row.prev_hash];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
