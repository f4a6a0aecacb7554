import { CodedError, account as calls, type WorkspacePane } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';

/** So many a player. */
const MOST = 20;

/** Arrangements of the trading screen, kept with the account so that another device has them too. */
export function workspaceRoutes(http: Http, db: Db): void {
  http.route(calls.workspaces, async ({ session }) => {
    const rows = await db.query<{ name: string; panes: string }>(
      'SELECT name, panes FROM workspaces WHERE user_id = $1 ORDER BY name',
      [session.userId],
    );
    return rows.map(({ name, panes }) => ({ name, panes: JSON.parse(panes) as WorkspacePane[] }));
  });

  http.route(calls.saveWorkspace, async ({ session, body: { name, panes } }) => {
    const kept = await db.tx(async (query) => {
      // One after the other for a player, at all gateways: many at one moment would each find room.
      await query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [session.userId]);
      return query(
        `INSERT INTO workspaces (user_id, name, panes) SELECT $1::bigint, $2::text, $3::text
           WHERE (SELECT count(*) FROM workspaces WHERE user_id = $1::bigint AND name <> $2::text) < ${MOST}
           ON CONFLICT (user_id, name) DO UPDATE SET panes = EXCLUDED.panes RETURNING name`,
        [session.userId, name, JSON.stringify(panes)],
      );
    });
    if (kept.length === 0) throw new CodedError('WORKSPACE_LIMIT', { field: 'name' });
    return { data: null, message: 'The workspace is kept.' };
  });

  http.route(calls.removeWorkspace, async ({ session, body }) => {
    await db.query('DELETE FROM workspaces WHERE user_id = $1 AND name = $2', [session.userId, body.name]);
    return { data: null, message: 'The workspace is taken away.' };
  });
}
