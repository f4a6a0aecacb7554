/**
 * The log of what people did to accounts and markets: append only, each record under a key that is not in the database and
 * with the hash of the one before (INV-21). So a record can neither be changed nor taken out by whoever writes the database;
 * that the end was not cut off is told by the anchors beside it (audit-anchors.ts).
 */
import { createHash, createHmac } from 'node:crypto';
import type { Db, Query } from '../db/db.ts';
import type { Keyring } from '../keyring.ts';
import type { Anchor } from './audit-anchors.ts';

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

/** The newest record: with all before it, since its hash covers them. */
export interface AuditHead {
  n: number;
  hash: string;
}

export interface Audit {
  /**
   * Appends a record; resolves when it is committed. Throws when it cannot be written, or when the record before it is no
   * longer there: then the act must not happen.
   */
  record(record: AuditRecord): Promise<void>;
  newest(limit: number): Promise<AuditRow[]>;
  /** Whether this was ever done to this object. */
  has(action: string, object: string): Promise<boolean>;
  /** Null: there is no record yet. */
  head(): Promise<AuditHead | null>;
  /** Whether a record is there as it was once. */
  holds(head: AuditHead): Promise<boolean>;
  onRecord(listener: (head: AuditHead) => void): void;
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
/** Of PostgreSQL: a row of that number is there. */
const UNIQUE = '23505';
const MOST_TRIES = 20;

/** The ring of the log's own keys; `keyring` is the site's. */
const auditRing = (keyring: Keyring): Keyring => keyring.purpose('audit');

export function createAudit(db: Db, clock: () => number, keyring: Keyring): Audit {
  const ring = auditRing(keyring);
  const listeners = new Set<(head: AuditHead) => void>();
  let last: AuditHead | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const newestHead = async (): Promise<AuditHead | undefined> =>
    (await db.query<AuditHead>('SELECT n, hash FROM audit ORDER BY n DESC LIMIT 1'))[0];

  async function append(record: AuditRecord, tries = 1): Promise<void> {
    last ??= (await newestHead()) ?? { n: 0, hash: FIRST };
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
    row.hash = ring.mark + macOf(ring.keys[0]!, row);
    let written: unknown[];
    try {
      written = await db.query(
        `INSERT INTO audit (n, at, actor, action, object, reason, detail, prev_hash, hash)
         SELECT $1::bigint, $2::bigint, $3, $4, $5, $6, $7, $8, $9
          WHERE $1 = 1 OR EXISTS (SELECT FROM audit WHERE n = $1 - 1 AND hash = $8)
         RETURNING n`,
        [row.n, row.at, row.actor, row.action, row.object, row.reason, row.detail, row.prev_hash, row.hash],
      );
    } catch (error) {
      // Whether it was written is not known: read the end of the chain again before the next record.
      last = undefined;
      // Another process of the site was faster: behind its record.
      if ((error as { code?: unknown }).code === UNIQUE && tries < MOST_TRIES) return append(record, tries + 1);
      throw error;
    }
    if (written.length === 0) throw new Error(`audit record ${last.n} is gone: nothing is recorded behind a gap`);
    last = { n: row.n, hash: row.hash };
    for (const listener of listeners) listener(last);
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
    async holds({ n, hash }) {
      return (await db.query('SELECT 1 FROM audit WHERE n = $1 AND hash = $2', [n, hash])).length > 0;
    },
    head: async () => last ?? (await newestHead()) ?? null,
    onRecord: (listener) => void listeners.add(listener),
  };
}

/**
 * What the database role of the server could do to records that are written: none where it may read and append only. Whoever owns
 * the table, its schema's database, or everything, could take the refusal of the database itself away. None before the log is
 * there at all.
 */
export async function auditRights(query: Query): Promise<string[]> {
  const [row] = await query<
    Record<'superuser' | 'owner' | 'schema' | 'update' | 'delete' | 'truncate' | 'trigger', boolean>
  >(
    `SELECT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
            pg_has_role(current_user, c.relowner, 'MEMBER') AS owner,
            pg_has_role(current_user, n.nspowner, 'MEMBER') AS schema,
            has_table_privilege(current_user, c.oid, 'UPDATE') AS update,
            has_table_privilege(current_user, c.oid, 'DELETE') AS delete,
            has_table_privilege(current_user, c.oid, 'TRUNCATE') AS truncate,
            has_table_privilege(current_user, c.oid, 'TRIGGER') AS trigger
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass('audit')`,
  );
  return Object.entries(row ?? {}).flatMap(([right, has]) => (has ? [right] : []));
}

export interface AuditFinding {
  records: number;
  /** The first record that is missing, changed or out of place; null where the log is whole. */
  brokenAt: number | null;
}

/**
 * Checks the whole log: each record by its key, the chain, and that no record is gone of which there is an anchor. Records of
 * before the log had a key are checked by what follows them. The keys of old records must still be in the ring.
 */
export async function verifyAudit(
  db: Pick<Db, 'query'>,
  keyring: Keyring,
  anchors: readonly Anchor[],
): Promise<AuditFinding> {
  const { keys } = auditRing(keyring);
  const anchored = new Map(anchors.map(({ n, hash }) => [n, hash]));
  let previous = FIRST;
  let n = 0;
  let keyed = false;
  for (;;) {
    const rows = await db.query<Stored>('SELECT * FROM audit WHERE n > $1 ORDER BY n LIMIT 1000', [n]);
    if (rows.length === 0) break;
    for (const row of rows) {
      const [mark, mac] = row.hash.split('.');
      keyed ||= mac !== undefined;
      const whole = keyed ? keys.some((key) => mac === macOf(key, row)) : mark === plainHashOf(row);
      const wanted = anchored.get(row.n) ?? row.hash;
      if (row.n !== n + 1 || row.prev_hash !== previous || !whole || row.hash !== wanted)
        return { records: n, brokenAt: n + 1 };
      previous = row.hash;
      n = row.n;
    }
  }
  const cut = Math.max(0, ...anchored.keys()) > n;
  return { records: n, brokenAt: cut ? n + 1 : null };
}

const textOf = (row: Stored): string =>
  JSON.stringify([row.n, row.at, row.actor, row.action, row.object, row.reason, row.detail, row.prev_hash]);

const macOf = (key: Buffer, row: Stored): string => createHmac('sha256', key).update(textOf(row)).digest('hex');

/** Of records that were written before the log had a key. */
const plainHashOf = (row: Stored): string => createHash('sha256').update(textOf(row)).digest('hex');
