import { hash, randomBytes } from 'node:crypto';
import { TIME } from '@fairgame/contract';
import type { Db, Log } from '../db/db.ts';
import type { Session } from '../http/session.ts';
import type { User } from './users.ts';

const MOST_SESSIONS = 3;
/** Sessions of people behind the site. */
export const OPERATOR_TIME = { sessionMs: 12 * 3_600_000, idleMs: 30 * 60_000 } as const;
/** A sign-in whose code does not come; a code lives ten minutes. */
const PENDING_MS = 15 * 60_000;
/** The password counts this long, however busy the player is. */
const PROOF_MS = 12 * 3_600_000;
const KEEP_ENDED_MS = 7 * 86_400_000;

export type EndReason =
  | 'logout'
  | 'password'
  | 'code'
  | 'forced'
  | 'expired'
  | 'newer'
  | 'renewed'
  | 'ended'
  | 'removed';
export type EndListener = (sessionIds: string[], userId: number, reason: EndReason) => void;

interface Kept extends Session {
  readonly tokenHash: string;
  /** Last time the password was given. */
  provedAt: number;
  /** Last time a second factor was given; 0 for never. */
  codeAt: number;
  dirty: boolean;
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

/**
 * All live sessions, in memory and in the database. Memory answers every question, so an end counts at once; the database
 * brings them back after a restart. A token is 256 random bits and stored as its SHA-256 only (trust SEC-S1).
 */
export class SessionBook {
  private readonly byHash = new Map<string, Kept>();
  private readonly byId = new Map<string, Kept>();
  private readonly byUser = new Map<number, Set<Kept>>();
  private readonly listeners = new Set<EndListener>();
  /** Ends the database has not heard of yet. */
  private readonly unsaved = new Map<string, EndReason>();
  private readonly db: Db;
  private readonly log: Log;
  private readonly clock: () => number;

  constructor(db: Db, log: Log, clock: () => number) {
    this.db = db;
    this.log = log;
    this.clock = clock;
  }

  /** Brings the sessions of the last run back. */
  async load(users: { byIds(ids: readonly number[]): Promise<User[]> }): Promise<void> {
    const rows = await this.db.query<Row>('SELECT * FROM sessions WHERE ended_at IS NULL AND created_at > $1', [
      this.clock() - TIME.sessionMs,
    ]);
    const found = await users.byIds([...new Set(rows.map((row) => row.user_id))]);
    const byId = new Map(found.map((user) => [user.id, user]));
    for (const row of rows) {
      const user = byId.get(row.user_id);
      if (!user) continue;
      this.keep({
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
      });
    }
  }

  /**
   * Opens a session and gives its token, which is never seen again. A fourth session ends the oldest; a sign-in that still
   * owes its code counts only beside others of its kind (CAR-14).
   */
  async open(
    user: User,
    about: { ip: string; device: string; pending: boolean; codeAt?: number },
  ): Promise<{ token: string; session: Session }> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock();
    const kept: Kept = {
      ...ofUser(user),
      sessionId: randomBytes(12).toString('base64url'),
      tokenHash: hashOf(token),
      createdAt: now,
      lastSeenAt: now,
      provedAt: now,
      codeAt: about.codeAt ?? 0,
      pending: about.pending,
      stepUpDue: false,
      ip: about.ip,
      device: about.device,
      ended: false,
      dirty: false,
    };
    await this.db.query(
      `INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, proved_at, code_at, pending, ip, device)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [kept.sessionId, kept.tokenHash, user.id, now, now, now, kept.codeAt || null, kept.pending, kept.ip, kept.device],
    );
    this.keep(kept);
    const alike = [...(this.byUser.get(user.id) ?? [])].filter(({ pending }) => pending === kept.pending);
    const oldestFirst = alike.filter((one) => one !== kept).sort((a, b) => a.createdAt - b.createdAt);
    const tooMany = oldestFirst.slice(0, Math.max(0, alike.length - MOST_SESSIONS));
    if (tooMany.length > 0) await this.end(tooMany, 'newer');
    return { token, session: kept };
  }

  /** The live session of a token, or null. An expired one is ended on sight. */
  sessionOf(token: string): Session | null {
    const kept = this.byHash.get(hashOf(token));
    if (!kept) return null;
    if (this.isExpired(kept)) {
      void this.end([kept], 'expired');
      return null;
    }
    return kept;
  }

  touch(session: Session, attended = true): void {
    const kept = this.byId.get(session.sessionId);
    if (!kept) return;
    const now = this.clock();
    const isStale = now - kept.lastSeenAt > TIME.stepUpMs || now - kept.provedAt > PROOF_MS;
    if (isStale && !kept.isDemo) kept.stepUpDue = true;
    // What a client reads by itself is no sign of its player.
    if (attended) kept.lastSeenAt = now;
    kept.dirty = true;
  }

  /** The password was given again; with a second factor too, that is said with its time. */
  proved(session: Session, codeAt?: number): void {
    const kept = this.byId.get(session.sessionId);
    if (!kept) return;
    kept.provedAt = this.clock();
    if (codeAt !== undefined) kept.codeAt = codeAt;
    kept.stepUpDue = false;
    kept.dirty = true;
  }

  /** When this session last gave a second factor; 0 for never. */
  codeAt(session: Session): number {
    return this.byId.get(session.sessionId)?.codeAt ?? 0;
  }

  ofUser(userId: number): Session[] {
    return [...(this.byUser.get(userId) ?? [])].filter((kept) => !this.isExpired(kept));
  }

  all(): Session[] {
    return [...this.byId.values()];
  }

  /** Ends sessions: at once in memory and for listeners, then in the database (retried by `tick` when that fails). */
  async end(sessions: readonly Session[], reason: EndReason): Promise<void> {
    const byUser = new Map<number, string[]>();
    for (const session of sessions) {
      const kept = this.byId.get(session.sessionId);
      if (!kept) continue;
      kept.ended = true;
      this.byId.delete(kept.sessionId);
      this.byHash.delete(kept.tokenHash);
      const mine = this.byUser.get(kept.userId);
      mine?.delete(kept);
      if (mine?.size === 0) this.byUser.delete(kept.userId);
      this.unsaved.set(kept.sessionId, reason);
      byUser.set(kept.userId, [...(byUser.get(kept.userId) ?? []), kept.sessionId]);
    }
    for (const [userId, ids] of byUser) for (const listener of this.listeners) listener(ids, userId, reason);
    await this.saveEnds();
  }

  onEnded(listener: EndListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Every half minute: ends what has expired, saves the idle clocks, forgets old rows. */
  async tick(): Promise<void> {
    const expired = [...this.byId.values()].filter((kept) => this.isExpired(kept));
    if (expired.length > 0) await this.end(expired, 'expired');
    else await this.saveEnds();
    const dirty = [...this.byId.values()].filter((kept) => kept.dirty);
    if (dirty.length > 0) {
      for (const kept of dirty) kept.dirty = false;
      await this.db.query(
        `UPDATE sessions SET last_seen_at = d.seen, proved_at = d.proved, step_up_due = d.due, code_at = NULLIF(d.code, 0)
         FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::boolean[], $5::bigint[]) AS d (id, seen, proved, due, code)
         WHERE sessions.id = d.id`,
        [
          dirty.map((k) => k.sessionId),
          dirty.map((k) => k.lastSeenAt),
          dirty.map((k) => k.provedAt),
          dirty.map((k) => k.stepUpDue),
          dirty.map((k) => k.codeAt),
        ],
      );
    }
    await this.db.query('DELETE FROM sessions WHERE created_at < $1', [this.clock() - KEEP_ENDED_MS]);
  }

  private keep(kept: Kept): void {
    this.byHash.set(kept.tokenHash, kept);
    this.byId.set(kept.sessionId, kept);
    const mine = this.byUser.get(kept.userId) ?? new Set();
    mine.add(kept);
    this.byUser.set(kept.userId, mine);
  }

  private isExpired(kept: Kept): boolean {
    const now = this.clock();
    if (kept.pending && now - kept.createdAt >= PENDING_MS) return true;
    const { sessionMs, idleMs } = kept.role === 'operator' ? OPERATOR_TIME : TIME;
    return now - kept.createdAt >= sessionMs || now - kept.lastSeenAt >= idleMs;
  }

  private async saveEnds(): Promise<void> {
    if (this.unsaved.size === 0) return;
    const ends = [...this.unsaved];
    try {
      await this.db.query(
        `UPDATE sessions SET ended_at = $3, end_reason = d.reason FROM unnest($1::text[], $2::text[]) AS d (id, reason)
         WHERE sessions.id = d.id AND ended_at IS NULL`,
        [ends.map(([id]) => id), ends.map(([, reason]) => reason), this.clock()],
      );
      for (const [id] of ends) this.unsaved.delete(id);
    } catch (error) {
      this.log.error({ err: error, sessions: ends.length }, 'ended sessions not saved yet');
    }
  }
}

const hashOf = (token: string): string => hash('sha256', token, 'base64url');

function ofUser(user: User) {
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
