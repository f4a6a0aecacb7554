/** Who may do what behind the site: people have roles, roles have rights, each operator call asks for one right. */

export const ROLES = ['trader', 'settler', 'support', 'payments', 'compliance', 'content', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * - markets: events, house prices, suspending; results: declaring, taking back, taking bets out;
 * - players: making, blocking, signing out, passwords; look: a player's record; money: credits and withdrawals;
 * - providers: rounds and books of the live casino; protection: states, age, jurisdiction, restrictions;
 * - texts: notices and rules; audit: reading the log; people: persons and roles; system: the site as a whole.
 */
export type Right =
  | 'markets'
  | 'results'
  | 'players'
  | 'look'
  | 'money'
  | 'providers'
  | 'protection'
  | 'texts'
  | 'audit'
  | 'people'
  | 'system';

export const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  trader: ['markets'],
  settler: ['results'],
  support: ['players', 'look'],
  payments: ['money', 'providers', 'look'],
  compliance: ['protection', 'players', 'look', 'audit'],
  content: ['texts'],
  admin: ['people', 'system', 'audit'],
};

export const rightsOf = (roles: readonly Role[]): Set<Right> => new Set(roles.flatMap((role) => RIGHTS_OF[role]));
