import { CodedError, account as calls, type StakeTemplate } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';

/** In the player's order; none until he makes one. */
export async function templatesOf(db: Db, userId: number): Promise<StakeTemplate[]> {
  const [row] = await db.query<{ templates: string }>('SELECT templates FROM stake_templates WHERE user_id = $1', [
    userId,
  ]);
  return row ? (JSON.parse(row.templates) as StakeTemplate[]) : [];
}

/** Stake templates, kept with the account beside the stake buttons. */
export function templateRoutes(http: Http, db: Db): void {
  http.route(calls.saveTemplates, async ({ session, body: { templates } }) => {
    const labels = new Set<string>();
    for (const [at, { label, kind, value }] of templates.entries()) {
      if (kind === 'percent' && value > 100) throw new CodedError('BAD_INPUT', { field: `templates.${at}.value` });
      if (labels.has(label)) throw new CodedError('BUTTON_LABEL_TWICE', { field: `templates.${at}.label` });
      labels.add(label);
    }
    await db.query(
      `INSERT INTO stake_templates (user_id, templates) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET templates = EXCLUDED.templates`,
      [session.userId, JSON.stringify(templates)],
    );
    return { data: { templates }, message: 'Your templates are kept.' };
  });
}
