/** Sessions as the database has them: the truth for every process of the site. */
import type { Db } from '../db/db.ts';
import type { Session } from '../http/session.ts';
import { SHUT, type User, type Users } from './users.ts';

export interface Kept extends Session {
  readonly tokenHash: string;
  lastSeenAt: number;
  /** Last time the password was given. */
  provedAt: number;
  /** Last time a second factor was given; 0 for never. */
  codeAt: number;
  dirty: boolean;
  /** When it was last read from its row. */
  readAt: number;
}

interface Row {
  id: string;
  token_hash: string;
  user_id: number;
  created_at: number;
  last_seen_at: number;
  proved_at: number;
  code_at: number | null;
  pending: boolean;
  step_up_due: boolean;
  ip: string;
  device: string;
}

export class SessionRows {
  private readonly db: Db;
  private readonly users: Pick<Users, 'byIds'>;

  constructor(db: Db, users: Pick<Users, 'byIds'>) {
    this.db = db;
    this.users = users;
  }

  /** Whether what this user was proven by is still his, and his account is open. */
  async isStill(proven: User): Promise<boolean> {
    const [user] = await this.users.byIds([proven.id]);
    return (
      user !== undefined &&
      user.passwordHash === proven.passwordHash &&
      user.authenticatorType === proven.authenticatorType &&
      user.authenticatorSince === proven.authenticatorSince &&
      !SHUT.has(user.status)
    );
  }

  async insert(kept: Kept): Promise<void> {
    await this.db.query(
      `INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, proved_at, code_at, pending, ip, device)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        kept.sessionId,
        kept.tokenHash,
        kept.userId,
        kept.createdAt,
        kept.lastSeenAt,
        kept.provedAt,
        kept.codeAt || null,
        kept.pending,
        kept.ip,
        kept.device,
      ],
    );
  }

  /** Those that live and were opened since. */
  since(createdAt: number, now: number): Promise<Kept[]> {
    return this.read('created_at > $1', createdAt, now);
  }

  ofToken(tokenHash: string, now: number): Promise<Kept[]> {
    return this.read('token_hash = $1', tokenHash, now);
  }

  ofUser(userId: number, now: number): Promise<Kept[]> {
    return this.read('user_id = $1', userId, now);
  }

  byIds(ids: readonly string[], now: number): Promise<Kept[]> {
    return this.read('id = ANY($1::text[])', ids, now);
  }

  private async read(which: string, value: unknown, now: number): Promise<Kept[]> {
    const rows = await this.db.query<Row>(`SELECT * FROM sessions WHERE ended_at IS NULL AND ${which}`, [value]);
    if (rows.length === 0) return [];
    const found = await this.users.byIds([...new Set(rows.map((row) => row.user_id))]);
    const byId = new Map(found.map((user) => [user.id, user]));
    return rows.flatMap((row) => {
      const user = byId.get(row.user_id);
      if (!user) return [];
      return {
        ...ofUser(user),
        sessionId: row.id,
        tokenHash: row.token_hash,
        createdAt: row.created_at,
        lastSeenAt: row.last_seen_at,
        provedAt: row.proved_at,
        codeAt: row.code_at ?? 0,
        pending: row.pending,
        stepUpDue: row.step_up_due,
        ip: row.ip,
        device: row.device,
        ended: false,
        dirty: false,
        readAt: now,
      };
    });
  }

  /** Which of these have ended, and why. */
  async ended(ids: readonly string[]): Promise<{ id: string; reason: string }[]> {
    return this.db.query<{ id: string; reason: string }>(
      'SELECT id, end_reason AS reason FROM sessions WHERE id = ANY($1::text[]) AND ended_at IS NOT NULL',
      [ids],
    );
  }

  async end(ends: readonly (readonly [id: string, reason: string])[], now: number): Promise<void> {
    await this.db.query(
      `UPDATE sessions SET ended_at = $3, end_reason = d.reason FROM unnest($1::text[], $2::text[]) AS d (id, reason)
       WHERE sessions.id = d.id AND ended_at IS NULL`,
      [ends.map(([id]) => id), ends.map(([, reason]) => reason), now],
    );
  }

  /** Idle clocks and proofs. Of two processes that saw a session the later one counts, for each of its times. */
  async save(sessions: readonly Kept[]): Promise<void> {
    await this.db.query(
      `UPDATE sessions SET last_seen_at = GREATEST(last_seen_at, d.seen), proved_at = GREATEST(proved_at, d.proved),
              step_up_due = CASE WHEN proved_at > d.proved THEN step_up_due ELSE d.due END,
              code_at = NULLIF(GREATEST(code_at, d.code), 0)
       FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::boolean[], $5::bigint[]) AS d (id, seen, proved, due, code)
       WHERE sessions.id = d.id`,
      [
        sessions.map((k) => k.sessionId),
        sessions.map((k) => k.lastSeenAt),
        sessions.map((k) => k.provedAt),
        sessions.map((k) => k.stepUpDue),
        sessions.map((k) => k.codeAt),
      ],
    );
  }

  async forgetBefore(createdAt: number): Promise<void> {
    await this.db.query('DELETE FROM sessions WHERE created_at < $1', [createdAt]);
  }
}

/** What a session knows of its user. */
export function ofUser(user: User) {
  return {
    userId: user.id,
    accountId: user.id,
    world: user.world,
    role: user.role,
    userName: user.userName,
    currency: user.currency,
    isDemo: user.world === 'demo',
    forceChangePassword: user.forceChange,
  };
}
