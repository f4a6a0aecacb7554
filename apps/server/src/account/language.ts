import { account as calls, type ReplyOf } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';

type Language = ReplyOf<typeof calls.profile>['language'];

/** What the player chose; null: he has not. */
export async function languageOf(db: Db, userId: number): Promise<Language> {
  const rows = await db.query<{ language: NonNullable<Language> }>(
    'SELECT language FROM player_languages WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.language ?? null;
}

/** The language of the client is kept with the account, so that another device speaks it too. */
export function languageRoutes(http: Http, db: Db): void {
  http.route(calls.saveLanguage, async ({ session, body }) => {
    await db.query(
      `INSERT INTO player_languages (user_id, language) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET language = EXCLUDED.language`,
      [session.userId, body.language],
    );
    return { data: body, message: 'Your language is kept.' };
  });
}
