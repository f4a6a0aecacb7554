/** The browsers that players named, and the pair of keys by which push services know the site. */
import { createECDH } from 'node:crypto';
import { type LanguageTag, MOST_PUSH_PLACES, TIME } from '@fairgame/contract';
import type { Db, Log } from '../db/db.ts';
import type { Keyring } from '../keyring.ts';

export interface Place {
  endpoint: string;
  userId: number;
  p256dh: string;
  auth: string;
  language: LanguageTag;
}
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const ABOUT = 'push service';
/** No news for who may not come in: a break is one from being called back, too. */
const SHUT = ['self-excluded', 'cooling off', 'blocked', 'closed'];

export class Places {
  private readonly db: Db;
  private readonly clock: () => number;

  constructor(db: Db, clock: () => number) {
    this.db = db;
    this.clock = clock;
  }

  /** A browser has one place: whoever signs in there next takes it over. Beyond the most the oldest of the player goes. */
  async put(place: Place, sessionId: string, keep: boolean): Promise<void> {
    const { endpoint, userId, p256dh, auth, language } = place;
    await this.db.query(
      `INSERT INTO push_places (endpoint, user_id, session_id, keep, p256dh, auth, created_at, language)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (endpoint) DO UPDATE SET user_id = EXCLUDED.user_id, session_id = EXCLUDED.session_id, keep = EXCLUDED.keep,
         p256dh = EXCLUDED.p256dh, auth = EXCLUDED.auth, created_at = EXCLUDED.created_at,
         language = EXCLUDED.language`,
      [endpoint, userId, sessionId, keep, p256dh, auth, this.clock(), language],
    );
    await this.db.query(
      `DELETE FROM push_places WHERE endpoint IN (
         SELECT endpoint FROM push_places WHERE user_id = $1 ORDER BY created_at DESC, endpoint OFFSET ${MOST_PUSH_PLACES})`,
      [userId],
    );
  }

  async remove(userId: number, endpoint: string): Promise<void> {
    await this.db.query('DELETE FROM push_places WHERE user_id = $1 AND endpoint = $2', [userId, endpoint]);
  }

  async gone(endpoint: string): Promise<void> {
    await this.db.query('DELETE FROM push_places WHERE endpoint = $1', [endpoint]);
  }

  async endSessions(sessionIds: readonly string[]): Promise<void> {
    await this.db.query('DELETE FROM push_places WHERE session_id = ANY($1::text[]) AND NOT keep', [sessionIds]);
  }

  async keeps(sessionId: string): Promise<boolean> {
    const [kept] = await this.db.query('SELECT 1 AS is FROM push_places WHERE session_id = $1 AND keep', [sessionId]);
    return kept !== undefined;
  }

  /** Another password, or thrown out: what was kept goes too. */
  async endUser(userId: number): Promise<void> {
    await this.db.query('DELETE FROM push_places WHERE user_id = $1', [userId]);
  }

  async count(userId: number): Promise<number> {
    return (await this.ofUsers([userId])).length;
  }

  /** Where these players are told now. That a session has ended counts here, whoever was told of it. */
  async ofUsers(userIds: readonly number[]): Promise<Place[]> {
    const now = this.clock();
    return this.db.query<Place>(
      `SELECT p.endpoint, p.user_id AS "userId", p.p256dh, p.auth, COALESCE(l.language, p.language, 'en') AS language
       FROM push_places p
       LEFT JOIN player_languages l ON l.user_id = p.user_id
       JOIN users u ON u.id = p.user_id AND NOT u.status = ANY($4::text[])
       LEFT JOIN sessions s ON s.id = p.session_id AND s.ended_at IS NULL AND s.created_at > $2 AND s.last_seen_at > $3
       WHERE p.user_id = ANY($1::bigint[]) AND (p.keep OR s.id IS NOT NULL)`,
      [userIds, now - TIME.sessionMs, now - TIME.idleMs, SHUT],
    );
  }

  /**
   * The pair of this site, made where there is none; of two processes that make one at the same time the first counts. Where
   * the secret is another one and the older is not known, a new pair is made: no push service takes the old places from it.
   */
  async keys(keyring: Keyring, log: Log): Promise<VapidKeys> {
    for (;;) {
      const [known] = await this.db.query<{ publicKey: string; sealed: string }>(
        'SELECT public_key AS "publicKey", private_key AS sealed FROM push_keys',
      );
      const privateKey = known ? keyring.open(ABOUT, known.sealed) : null;
      if (known && privateKey !== null) {
        // While the older secret is still there.
        if (!known.sealed.startsWith(keyring.mark))
          await this.db.query('UPDATE push_keys SET private_key = $1', [keyring.seal(ABOUT, privateKey)]);
        return { publicKey: known.publicKey, privateKey };
      }
      if (known) {
        log.warn({}, 'the key for push services does not open by this secret: a new one is made, browsers ask again');
        await this.db.tx(async (q) => {
          await q('DELETE FROM push_keys WHERE private_key = $1', [known.sealed]);
          await q('DELETE FROM push_places');
        });
      }
      const pair = createECDH('prime256v1');
      const publicKey = pair.generateKeys('base64url');
      // A key that begins with zeros is given without them.
      const secret = pair.getPrivateKey('hex').padStart(64, '0');
      const sealed = keyring.seal(ABOUT, Buffer.from(secret, 'hex').toString('base64url'));
      await this.db.query('INSERT INTO push_keys VALUES (true, $1, $2) ON CONFLICT DO NOTHING', [publicKey, sealed]);
    }
  }
}
