/** What a player chose for every device of his: the language of the client, and by whose clock his days are told. */
import { CodedError, account as calls, type ReplyOf, zoneNamed } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Protection } from '../protection/protection.ts';

type Language = ReplyOf<typeof calls.profile>['language'];

export class OwnChoices {
  private readonly db: Db;
  private readonly protection: Pick<Protection, 'clockOf'>;

  constructor(db: Db, protection: Pick<Protection, 'clockOf'>) {
    this.db = db;
    this.protection = protection;
  }

  /** Null: he has not chosen. */
  async language(userId: number): Promise<Language> {
    const rows = await this.db.query<{ language: NonNullable<Language> }>(
      'SELECT language FROM player_languages WHERE user_id = $1',
      [userId],
    );
    return rows[0]?.language ?? null;
  }

  /** As chosen, else that of his jurisdiction; null where neither says one. */
  async zone(userId: number): Promise<string | null> {
    const [row] = await this.db.query<{ zone: string }>('SELECT zone FROM player_zones WHERE user_id = $1', [userId]);
    return row?.zone ?? this.protection.clockOf(userId);
  }

  routes(http: Http): void {
    http.route(calls.saveLanguage, async ({ session, body }) => {
      await this.db.query(
        `INSERT INTO player_languages (user_id, language) VALUES ($1, $2)
           ON CONFLICT (user_id) DO UPDATE SET language = EXCLUDED.language`,
        [session.userId, body.language],
      );
      return { data: body, message: 'Your language is kept.' };
    });

    http.route(calls.saveTimeZone, async ({ session: { userId }, body }) => {
      const zone = body.timeZone === null ? null : zoneNamed(body.timeZone);
      if (zone === null && body.timeZone !== null) throw new CodedError('BAD_INPUT', { field: 'timeZone' });
      if (zone === null) await this.db.query('DELETE FROM player_zones WHERE user_id = $1', [userId]);
      else
        await this.db.query(
          `INSERT INTO player_zones (user_id, zone) VALUES ($1, $2)
             ON CONFLICT (user_id) DO UPDATE SET zone = EXCLUDED.zone`,
          [userId, zone],
        );
      return { data: { timeZone: await this.zone(userId) }, message: 'Your time zone is kept.' };
    });
  }
}
