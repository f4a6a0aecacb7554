import { CodedError } from '@fairgame/contract';
import type { Core, Currency, World } from '../core/types.ts';
import type { Db } from '../db/db.ts';

export interface User {
  id: number;
  userName: string;
  nameKey: string;
  role: 'user' | 'operator';
  world: World;
  currency: Currency;
  passwordHash: string;
  forceChange: boolean;
  /** active, frozen, blocked, closed ... (specification, section 4). */
  status: string;
  betBlocked: boolean;
  email: string | undefined;
  authenticatorType: number;
  authenticatorSince: number | undefined;
  totpSecret: string | undefined;
  /** Wrong passwords in a row from networks that are not his, and when the last was. */
  failedCount: number;
  failedAt: number;
  createdAt: number;
  lastLoginAt: number | undefined;
}

interface Row {
  id: number;
  user_name: string;
  name_key: string;
  role: 'user' | 'operator';
  /** Real money or play money; which world of real money says the currency. */
  world: 'real' | 'demo';
  currency: Currency;
  password_hash: string;
  force_change: boolean;
  status: string;
  bet_blocked: boolean;
  email: string | null;
  authenticator_type: number;
  authenticator_since: number | null;
  totp_secret: string | null;
  failed_count: number;
  failed_at: number | null;
  created_at: number;
  last_login_at: number | null;
}

export interface NewUser {
  userName: string;
  role: 'user' | 'operator';
  /** Plays with play money. */
  isDemo: boolean;
  /** Absent: the first of the site. */
  currency?: Currency | undefined;
  passwordHash: string;
  forceChange: boolean;
  email?: string | undefined;
  /** First money of the account; 0 for none. */
  creditMinor: number;
  actor: string;
}

const NETWORK_KEPT_MS = 90 * 86_400_000;
const MOST_NETWORKS = 10;

/** These may not sign in; the player is told only after the right password. */
export const SHUT: ReadonlySet<string> = new Set(['blocked', 'closed']);

/** Names that look alike are one name: trimmed, normalised, lower case. */
export const nameKey = (userName: string): string => userName.trim().normalize('NFKC').toLowerCase();

/** The users table. Only the columns a caller names are ever changed. */
export class Users {
  private readonly db: Db;
  private readonly core: Core;
  private readonly clock: () => number;
  constructor(db: Db, core: Core, clock: () => number) {
    this.db = db;
    this.core = core;
    this.clock = clock;
  }

  async byId(id: number): Promise<User | undefined> {
    const [row] = await this.db.query<Row>('SELECT * FROM users WHERE id = $1', [id]);
    return row && this.toUser(row);
  }

  async byIds(ids: readonly number[]): Promise<User[]> {
    const rows = await this.db.query<Row>('SELECT * FROM users WHERE id = ANY($1::bigint[])', [ids]);
    return rows.map((row) => this.toUser(row));
  }

  async byName(userName: string): Promise<User | undefined> {
    const [row] = await this.db.query<Row>('SELECT * FROM users WHERE name_key = $1', [nameKey(userName)]);
    return row && this.toUser(row);
  }

  async count(): Promise<number> {
    const [row] = await this.db.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM users WHERE role = 'user' AND world = 'real'",
    );
    return row?.n ?? 0;
  }

  /** Opens the account in the core first: a crash in between leaves an empty account nobody owns, never a player without one. */
  async create(user: NewUser): Promise<User> {
    const currency = user.currency ?? this.core.currencies[0]!;
    const world = this.core.worldFor(currency, user.isDemo);
    if (await this.byName(user.userName)) throw new CodedError('NAME_TAKEN', { field: 'userName' });
    const id = this.core.nextId();
    if (user.role === 'user') {
      await this.core.submit({
        world,
        actor: user.actor,
        command: { type: 'account.open', accountId: id, currency, kind: 'player' },
      });
    }
    const rows = await this.db.query<Row>(
      `INSERT INTO users (id, user_name, name_key, role, world, currency, password_hash, force_change, email, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (name_key) DO NOTHING RETURNING *`,
      [
        id,
        user.userName.trim(),
        nameKey(user.userName),
        user.role,
        user.isDemo ? 'demo' : 'real',
        currency,
        user.passwordHash,
        user.forceChange,
        user.email ?? null,
        this.clock(),
      ],
    );
    if (!rows[0]) throw new CodedError('NAME_TAKEN', { field: 'userName' });
    if (user.creditMinor > 0) {
      await this.core.submit({
        world,
        actor: user.actor,
        command: {
          type: 'account.transfer',
          accountId: id,
          amountMinor: user.creditMinor,
          reason: 'deposit',
          text: 'First balance',
        },
      });
    }
    return this.toUser(rows[0]);
  }

  setPassword(id: number, passwordHash: string, forceChange: boolean): Promise<unknown> {
    return this.db.query('UPDATE users SET password_hash = $2, force_change = $3, failed_count = 0 WHERE id = $1', [
      id,
      passwordHash,
      forceChange,
    ]);
  }

  /** The same password hashed anew, unless the player has another one meanwhile. */
  replaceHash(id: number, before: string, after: string): Promise<unknown> {
    return this.db.query('UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2', [
      id,
      before,
      after,
    ]);
  }

  setFailed(id: number, count: number): Promise<unknown> {
    return this.db.query('UPDATE users SET failed_count = $2, failed_at = $3 WHERE id = $1', [id, count, this.clock()]);
  }

  /** The right password came from this network within the last months. */
  async knowsNetwork(id: number, network: string): Promise<boolean> {
    const rows = await this.db.query(
      'SELECT 1 FROM known_networks WHERE user_id = $1 AND network = $2 AND seen_at > $3',
      [id, network, this.clock() - NETWORK_KEPT_MS],
    );
    return rows.length > 0;
  }

  /** Remembers where the right password came from; of many networks the latest. */
  async rememberNetwork(id: number, network: string): Promise<void> {
    await this.db.query(
      `INSERT INTO known_networks (user_id, network, seen_at) VALUES ($1, $2, $3)
       ON CONFLICT (user_id, network) DO UPDATE SET seen_at = EXCLUDED.seen_at`,
      [id, network, this.clock()],
    );
    await this.db.query(
      `DELETE FROM known_networks WHERE user_id = $1 AND network IN
         (SELECT network FROM known_networks WHERE user_id = $1 ORDER BY seen_at DESC OFFSET $2)`,
      [id, MOST_NETWORKS],
    );
  }

  /** He must choose another password at his next step. */
  setForceChange(id: number): Promise<unknown> {
    return this.db.query('UPDATE users SET force_change = true WHERE id = $1', [id]);
  }

  setSignedIn(id: number): Promise<unknown> {
    return this.db.query('UPDATE users SET last_login_at = $2, failed_count = 0 WHERE id = $1', [id, this.clock()]);
  }

  setStatus(id: number, status: string): Promise<unknown> {
    return this.db.query('UPDATE users SET status = $2 WHERE id = $1', [id, status]);
  }

  setBetBlocked(id: number, blocked: boolean): Promise<unknown> {
    return this.db.query('UPDATE users SET bet_blocked = $2 WHERE id = $1', [id, blocked]);
  }

  /** Switches a second factor on with its recovery codes, or off (type 0), in one transaction. */
  setAuthenticator(
    id: number,
    type: number,
    totpSecret: string | null,
    lastStep: number | null,
    codeHashes: string[],
  ): Promise<void> {
    return this.db.tx(async (q) => {
      await q(
        'UPDATE users SET authenticator_type = $2, authenticator_since = $3, totp_secret = $4, totp_last_step = $5 WHERE id = $1',
        [id, type, type === 0 ? null : this.clock(), totpSecret, lastStep],
      );
      await q('DELETE FROM recovery_codes WHERE user_id = $1', [id]);
      for (const hash of codeHashes)
        await q('INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)', [id, hash]);
    });
  }

  /** Authenticator secrets that do not begin with `mark`, of players after `afterId`, by id. */
  secretsSealedBefore(
    mark: string,
    afterId: number,
    most: number,
  ): Promise<Array<{ id: number; totp_secret: string }>> {
    return this.db.query(
      `SELECT id, totp_secret FROM users WHERE totp_secret IS NOT NULL AND NOT starts_with(totp_secret, $1) AND id > $2
       ORDER BY id LIMIT $3`,
      [mark, afterId, most],
    );
  }

  /** Puts a newly sealed text in the place of the old one, unless the player has changed his factor meanwhile. */
  replaceSecret(id: number, before: string, after: string): Promise<unknown> {
    return this.db.query('UPDATE users SET totp_secret = $3 WHERE id = $1 AND totp_secret = $2', [id, before, after]);
  }

  /** Uses up a step of the authenticator app. False when this or a later one was used before: a code counts once. */
  async takeStep(id: number, step: number): Promise<boolean> {
    const rows = await this.db.query(
      'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2) RETURNING id',
      [id, step],
    );
    return rows.length === 1;
  }

  recoveryCodes(id: number): Promise<Array<{ id: number; code_hash: string }>> {
    return this.db.query(
      'SELECT id, code_hash FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL ORDER BY id',
      [id],
    );
  }

  async takeRecoveryCode(codeId: number): Promise<boolean> {
    const rows = await this.db.query(
      'UPDATE recovery_codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL RETURNING id',
      [codeId, this.clock()],
    );
    return rows.length === 1;
  }

  /** Demo players made before the given time. */
  async demosBefore(before: number): Promise<number[]> {
    const rows = await this.db.query<{ id: number }>("SELECT id FROM users WHERE world = 'demo' AND created_at < $1", [
      before,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Demo players among these go; their accounts follow (demo-accounts.ts). Answers who they were. */
  async removeDemos(ids: readonly number[]): Promise<number[]> {
    const rows = await this.db.query<{ id: number }>(
      "DELETE FROM users WHERE world = 'demo' AND id = ANY($1) RETURNING id",
      [ids],
    );
    const gone = rows.map(({ id }) => id);
    if (gone.length > 0) {
      await this.db.query('DELETE FROM stake_buttons WHERE user_id = ANY($1)', [gone]);
      await this.db.query('DELETE FROM favourites WHERE user_id = ANY($1)', [gone]);
      await this.db.query('DELETE FROM player_languages WHERE user_id = ANY($1)', [gone]);
      await this.db.query('DELETE FROM player_zones WHERE user_id = ANY($1)', [gone]);
      await this.db.query('DELETE FROM stake_templates WHERE user_id = ANY($1)', [gone]);
      await this.db.query('DELETE FROM workspaces WHERE user_id = ANY($1)', [gone]);
    }
    return gone;
  }

  private toUser(row: Row): User {
    return {
      id: row.id,
      userName: row.user_name,
      nameKey: row.name_key,
      role: row.role,
      world: row.role === 'operator' ? 'real' : this.core.worldFor(row.currency, row.world === 'demo'),
      currency: row.currency,
      passwordHash: row.password_hash,
      forceChange: row.force_change,
      status: row.status,
      betBlocked: row.bet_blocked,
      email: row.email ?? undefined,
      authenticatorType: row.authenticator_type,
      authenticatorSince: row.authenticator_since ?? undefined,
      totpSecret: row.totp_secret ?? undefined,
      failedCount: row.failed_count,
      failedAt: row.failed_at ?? 0,
      createdAt: row.created_at,
      lastLoginAt: row.last_login_at ?? undefined,
    };
  }
}
