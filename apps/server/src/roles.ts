/** What one process of the site does (ARCHITECTURE.md); all of it where nothing else is said. */
import type { Settings } from './settings.ts';

export const ROLES = ['core', 'gateway', 'feed', 'tables', 'desk'] as const;
export type SiteRole = (typeof ROLES)[number];

/** A part of them needs what the others are reached by. */
export function readRoles(
  list: Settings['list'],
  has: { database: boolean; bus: boolean; secret: boolean },
  problems: string[],
): readonly SiteRole[] {
  const asked = list('FAIRGAME_ROLES');
  const unknown = asked.filter((role) => !(ROLES as readonly string[]).includes(role));
  if (unknown.length > 0) problems.push(`FAIRGAME_ROLES: ${unknown.join(', ')} is none of ${ROLES.join(', ')}`);
  const roles = asked.length === 0 ? ROLES : ROLES.filter((role) => asked.includes(role));
  if (roles.length < ROLES.length && !(has.database && has.bus && has.secret))
    problems.push(
      'FAIRGAME_ROLES names a part of the roles: all processes then need one DATABASE_URL (the embedded database is of one process), one NATS_URL and one FAIRGAME_SECRET',
    );
  return roles;
}
