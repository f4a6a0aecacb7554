/**
 * Launch tokens, the sessions they become, and what a provider knows a player by. All in the database: a restart ends no game.
 * A session is always asked of its row, since it may have ended at another gateway.
 */
import { createHash, randomBytes } from 'node:crypto';
import { CodedError } from '@fairgame/contract';
import type { Db } from '../db/types.ts';
import type { WalletSession } from './movement.ts';
import type { GameTerms, WalletOptions } from './wallet-options.ts';

export interface LaunchToken {
  /** One use, 60 s. Never log it. */
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  playerRef: string;
  currency: string;
}

export interface Launch {
  userId: number;
  provider: string;
  game: string;
  switching?: boolean;
  /** The session of the site it is opened in; its end ends the game. */
  siteSession?: string;
}

export interface LiveSession extends WalletSession {
  switching: boolean;
}

type Dead = 'INVALID_TOKEN' | 'TOKEN_EXPIRED' | 'USER_DISABLED' | 'REALITY_CHECK_DUE' | 'LIMIT_REACHED';

export interface Sessions {
  issue(launch: Launch): Promise<LaunchToken>;
  /** Exchanges a token; older sessions of the player at this provider end. */
  start(provider: string, token: string): Promise<{ session: WalletSession; nickname: string } | Dead>;
  live(provider: string, sessionId: string): Promise<LiveSession | 'INVALID_TOKEN' | 'TOKEN_EXPIRED'>;
  end(provider: string, sessionId: string): Promise<boolean>;
  /** Ends what was opened in these sessions of the site, or in none that is known. */
  endAll(userId: number, siteSessions: readonly string[]): Promise<void>;
  /** Whoever the provider means, with or without a session. */
  player(provider: string, playerRef: string): Promise<{ userId: number; currency: string } | null>;
}

const TOKEN_MS = 60_000;
/** As the site's own sessions (trust SEC-S5). */
const SESSION_MS = 24 * 3_600_000;
const KEPT_MS = 30 * 24 * 3_600_000;
const MANY = 20_000;

interface Row {
  id: string;
  provider: string;
  user_id: number;
  player_ref: string;
  game: string;
  switching: boolean;
  currency: string;
  issued_at: number;
  started_at: number | null;
  ended_at: number | null;
}

export function createSessions(options: WalletOptions): Sessions {
  return new LaunchSessions(options);
}

class LaunchSessions implements Sessions {
  private readonly db: Db;
  private readonly mayPlay: (userId: number) => Promise<void>;
  private readonly clock: () => number;
  private readonly gameOf: (provider: string, game: string) => GameTerms | undefined;
  private readonly players = new Map<string, { userId: number; currency: string }>();

  constructor({ db, mayPlay, clock, gameOf }: WalletOptions) {
    this.db = db;
    this.mayPlay = mayPlay;
    this.clock = clock;
    this.gameOf = gameOf;
  }

  async issue({ userId, provider, game, switching = false, siteSession }: Launch): Promise<LaunchToken> {
    const [user] = await this.db.query<{ world: string; currency: string; role: string }>(
      'SELECT world, currency, role FROM users WHERE id = $1',
      [userId],
    );
    if (user?.role !== 'user') throw new CodedError('ACCOUNT_UNKNOWN');
    if (user.world !== 'real') throw new CodedError('DEMO_NOT_ALLOWED');
    if (!this.gameOf(provider, game)) throw new CodedError('NOT_FOUND');
    await this.mayPlay(userId);
    const playerRef = await this.refOf(provider, userId);
    const token = randomBytes(32).toString('base64url');
    const now = this.clock();
    await this.db.query(
      `INSERT INTO provider_sessions (id, token_hash, provider, user_id, player_ref, game, switching, currency, issued_at, site_session)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        randomBytes(18).toString('base64url'),
        hash(token),
        provider,
        userId,
        playerRef,
        game,
        switching,
        user.currency,
        now,
        siteSession ?? null,
      ],
    );
    await this.db.query('DELETE FROM provider_sessions WHERE user_id = $1 AND issued_at < $2', [userId, now - KEPT_MS]);
    return { token, expiresAt: now + TOKEN_MS, playerRef, currency: user.currency };
  }

  async start(provider: string, token: string): Promise<{ session: WalletSession; nickname: string } | Dead> {
    const now = this.clock();
    const [row] = await this.db.query<Row & { user_name: string }>(
      `SELECT s.*, u.user_name FROM provider_sessions s JOIN users u ON u.id = s.user_id
          WHERE s.token_hash = $1 AND s.provider = $2`,
      [hash(token), provider],
    );
    if (!row || row.started_at !== null || row.ended_at !== null) return 'INVALID_TOKEN';
    if (now >= row.issued_at + TOKEN_MS) return 'TOKEN_EXPIRED';
    try {
      await this.mayPlay(row.user_id);
    } catch (error) {
      const code = error instanceof CodedError ? error.code : '';
      if (code === 'ACCOUNT_BLOCKED') return 'USER_DISABLED';
      if (code === 'SESSION_TIME_LIMIT') return 'LIMIT_REACHED';
      if (code === 'REALITY_CHECK_DUE') return code;
      throw error;
    }
    // Of two at once only one finds it unused.
    const [used] = await this.db.query<Row>(
      'UPDATE provider_sessions SET started_at = $2 WHERE id = $1 AND started_at IS NULL AND ended_at IS NULL RETURNING *',
      [row.id, now],
    );
    if (!used) return 'INVALID_TOKEN';
    await this.db.query(
      `UPDATE provider_sessions SET ended_at = $4
          WHERE provider = $1 AND user_id = $2 AND id <> $3 AND started_at IS NOT NULL AND ended_at IS NULL`,
      [provider, row.user_id, row.id, now],
    );
    const { sessionId, userId, playerRef, currency, game } = sessionOf(used);
    return {
      session: { sessionId, provider, userId, playerRef, currency, game },
      nickname: `${row.user_name.slice(0, 2)}***`,
    };
  }

  async live(provider: string, sessionId: string): Promise<LiveSession | 'INVALID_TOKEN' | 'TOKEN_EXPIRED'> {
    const [row] = await this.db.query<Row>('SELECT * FROM provider_sessions WHERE id = $1', [sessionId]);
    if (!row || row.started_at === null || row.provider !== provider) return 'INVALID_TOKEN';
    if (row.ended_at !== null || this.clock() >= row.started_at + SESSION_MS) return 'TOKEN_EXPIRED';
    return sessionOf(row);
  }

  async end(provider: string, sessionId: string): Promise<boolean> {
    const rows = await this.db.query(
      `UPDATE provider_sessions SET ended_at = COALESCE(ended_at, $3)
          WHERE id = $1 AND provider = $2 AND started_at IS NOT NULL RETURNING id`,
      [sessionId, provider, this.clock()],
    );
    return rows.length > 0;
  }

  async endAll(userId: number, siteSessions: readonly string[]): Promise<void> {
    await this.db.query(
      `UPDATE provider_sessions SET ended_at = $2
          WHERE user_id = $1 AND ended_at IS NULL AND (site_session IS NULL OR site_session = ANY($3))`,
      [userId, this.clock(), siteSessions],
    );
  }

  async player(provider: string, playerRef: string): Promise<{ userId: number; currency: string } | null> {
    if (typeof playerRef !== 'string') return null;
    const name = `${provider} ${playerRef}`;
    const held = this.players.get(name);
    if (held) return held;
    const [row] = await this.db.query<{ user_id: number; currency: string }>(
      `SELECT p.user_id, u.currency FROM provider_players p JOIN users u ON u.id = p.user_id
          WHERE p.provider = $1 AND p.ref = $2`,
      [provider, playerRef],
    );
    if (!row) return null;
    const player = { userId: row.user_id, currency: row.currency };
    this.players.set(name, player);
    if (this.players.size > MANY) this.players.delete(this.players.keys().next().value!);
    return player;
  }

  private async refOf(provider: string, userId: number): Promise<string> {
    const ref = randomBytes(12).toString('hex');
    const [row] = await this.db.query<{ ref: string }>(
      `WITH made AS (INSERT INTO provider_players VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING ref)
       SELECT ref FROM made UNION ALL SELECT ref FROM provider_players WHERE provider = $1 AND user_id = $2`,
      [provider, userId, ref],
    );
    return row!.ref;
  }
}

function sessionOf(row: Row): LiveSession {
  return {
    sessionId: row.id,
    provider: row.provider,
    userId: row.user_id,
    playerRef: row.player_ref,
    currency: row.currency,
    game: row.game,
    switching: row.switching,
  };
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
