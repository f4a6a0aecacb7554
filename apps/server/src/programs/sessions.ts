/**
 * Sessions of programs: a kind of their own. They are not counted with the website's, nobody asks them anything, and only
 * keepAlive prolongs them. What shuts the player out ends them: another password, a block, an exclusion, a break.
 */
import { hash, randomBytes } from 'node:crypto';
import { type Auth, isShut, type User } from '../auth/auth.ts';
import type { World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Protection } from '../protection/protection.ts';
import { Held } from './held.ts';

const LIFE_MS = 12 * 3_600_000;
const KEPT_MS = 7 * 86_400_000;
/** flumine, a recorder and a ladder each have their own; the oldest ends beyond that. */
const MOST_SESSIONS = 30;
/** States of an account in which no program of it may go on. */
const SHUT_STATES: ReadonlySet<string> = new Set(['self-excluded', 'cooling off', 'blocked', 'closed']);

export interface ProgramSession {
  readonly tokenHash: string;
  readonly userId: number;
  readonly accountId: number;
  readonly world: World;
  readonly currency: string;
  readonly keyId: number;
  expiresAt: number;
}

interface Row {
  token_hash: string;
  user_id: number;
  key_id: number;
  password_mark: string;
  expires_at: number;
}

export class ProgramSessions {
  private readonly held = new Held<ProgramSession>();
  private readonly db: Db;
  private readonly auth: Auth;
  private readonly protection: Protection;
  private readonly clock: () => number;
  private readonly ended: (userId: number) => void;

  /** `ended`: a session of the player is over, which other gateways may hold. */
  constructor(parts: {
    db: Db;
    auth: Auth;
    protection: Protection;
    clock: () => number;
    ended: (userId: number) => void;
  }) {
    this.db = parts.db;
    this.auth = parts.auth;
    this.protection = parts.protection;
    this.clock = parts.clock;
    this.ended = parts.ended;
  }

  /** Opens one; its token is never seen again. */
  async open(user: User, keyId: number, ip: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock();
    await this.db.query(
      `INSERT INTO program_sessions (token_hash, user_id, key_id, password_mark, ip, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [hashOf(token), user.id, keyId, markOf(user), ip, now, now + LIFE_MS],
    );
    const oldest = await this.db.query(
      `UPDATE program_sessions SET ended_at = $2 WHERE ended_at IS NULL AND token_hash IN
         (SELECT token_hash FROM program_sessions WHERE user_id = $1 AND ended_at IS NULL ORDER BY created_at DESC, token_hash OFFSET $3)
         RETURNING 1`,
      [user.id, now, MOST_SESSIONS],
    );
    if (oldest.length > 0) this.ended(user.id);
    return token;
  }

  /** The live session of a token, or null. */
  async of(token: string): Promise<ProgramSession | null> {
    if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null;
    const tokenHash = hashOf(token);
    const session = await this.held.get(tokenHash, () => this.read(tokenHash));
    return session && (await this.isAlive(session)) ? session : null;
  }

  /** Whether a session, once given, may still be used; for those who hold one for long. */
  async lives(session: ProgramSession): Promise<boolean> {
    const now = await this.held.get(session.tokenHash, () => this.read(session.tokenHash));
    return now !== null && this.isAlive(now);
  }

  async prolong(session: ProgramSession): Promise<void> {
    session.expiresAt = this.clock() + LIFE_MS;
    await this.db.query('UPDATE program_sessions SET expires_at = $2 WHERE token_hash = $1', [
      session.tokenHash,
      session.expiresAt,
    ]);
  }

  async end({ tokenHash, userId }: ProgramSession): Promise<void> {
    await this.db.query('UPDATE program_sessions SET ended_at = $2 WHERE token_hash = $1', [tokenHash, this.clock()]);
    this.ended(userId);
  }

  /** Of a player (all players where none is said), or of one of his keys. */
  async endAll(userId: number | undefined, keyId?: number): Promise<void> {
    await this.db.query(
      `UPDATE program_sessions SET ended_at = $1 WHERE ended_at IS NULL
         AND ($2::bigint IS NULL OR user_id = $2) AND ($3::bigint IS NULL OR key_id = $3)`,
      [this.clock(), userId ?? null, keyId ?? null],
    );
    this.forget(userId);
  }

  forget(userId: number | undefined): void {
    this.held.forget((one) => userId === undefined || one.userId === userId);
  }

  /** Rows of sessions that were over long ago. */
  async forgetOld(): Promise<void> {
    await this.db.query('DELETE FROM program_sessions WHERE expires_at < $1', [this.clock() - KEPT_MS]);
  }

  private async read(tokenHash: string): Promise<ProgramSession | null> {
    const [row] = await this.db.query<Row>(
      'SELECT * FROM program_sessions WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > $2',
      [tokenHash, this.clock()],
    );
    const user = row && (await this.auth.user(row.user_id));
    if (!row || !user || isShut(user) || user.forceChange || markOf(user) !== row.password_mark) return null;
    const { id: userId, world, currency } = user;
    return { tokenHash, userId, accountId: userId, world, currency, keyId: row.key_id, expiresAt: row.expires_at };
  }

  private async isAlive(session: ProgramSession): Promise<boolean> {
    if (session.expiresAt <= this.clock()) return false;
    if (session.world === 'demo') return true;
    const { state } = await this.protection.standing(session.userId);
    return !SHUT_STATES.has(state);
  }
}

/** Whether a state of an account shuts its programs out. */
export const shutsOut = (state: string): boolean => SHUT_STATES.has(state);

const hashOf = (text: string): string => hash('sha256', text, 'base64url');
const markOf = ({ passwordHash }: User): string => hashOf(passwordHash).slice(0, 16);
