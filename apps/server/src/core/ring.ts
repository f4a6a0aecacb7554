/** The ring of tables of commands that only the next start needs: one is filled, those behind two snapshots are emptied. */
import type { Db, Query } from '../db/db.ts';

const SLOTS = [0, 1, 2, 3] as const;
const LOCK_MS = 200;

/** The table that was filled last. */
export async function currentSlot(db: Pick<Db, 'query'>): Promise<number> {
  const [row] = await db.query<{ slot: number }>('SELECT slot FROM core_log_short ORDER BY first_seq DESC LIMIT 1');
  return row?.slot ?? 0;
}

/**
 * Empties what lies behind the older of the two newest snapshots, and takes older snapshots and hashes away. Answers the
 * table to be filled from now on.
 */
export async function pruneLog(db: Db, owner: string, current: number): Promise<number> {
  const snapshots = await db.query<{ seq: number }>('SELECT seq FROM core_snapshots ORDER BY seq DESC LIMIT 2');
  const older = snapshots[1]?.seq;
  if (older === undefined) return current;
  await db.query('DELETE FROM core_snapshots WHERE seq < $1', [older]);
  await db.query('DELETE FROM core_hashes WHERE seq <= $1', [older]);
  let next = current;
  for (const slot of SLOTS) {
    const last = await lastOf(db.query, slot);
    if (slot !== current && (last === null || last <= older)) {
      if (last !== null) await emptySlot(db, owner, slot, older);
      next = slot;
    }
  }
  const [row] = await db.query(`SELECT 1 FROM core_log_short_${current} LIMIT 1`);
  return row ? next : current;
}

async function emptySlot(db: Db, owner: string, slot: number, older: number): Promise<void> {
  await db.tx(async (q) => {
    await q(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    // Only the leader may, and only what it looked at.
    const leads = (await q('SELECT 1 FROM leader WHERE owner = $1', [owner])).length > 0;
    const last = await lastOf(q, slot);
    if (leads && last !== null && last <= older) await q(`TRUNCATE core_log_short_${slot}`);
  });
}

async function lastOf(q: Query, slot: number): Promise<number | null> {
  const [row] = await q<{ last_seq: number }>(
    `SELECT last_seq FROM core_log_short_${slot} ORDER BY first_seq DESC LIMIT 1`,
  );
  return row?.last_seq ?? null;
}
