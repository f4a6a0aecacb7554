import { account } from './account.ts';
import { alerts } from './alerts.ts';
import { auth } from './auth.ts';
import { bets } from './bets.ts';
import { casino, provider } from './casino.ts';
import { catalog, racing } from './catalog.ts';
import { programs } from './programs.ts';
import { protection } from './protection.ts';
import { trader } from './trader.ts';

/**
 * The calls of players and of the pages they see, by area. The client is built with what it reads of them
 * (apps/web/build/calls.ts) in place of this file: schemas are for who answers.
 */
export const CALLS = {
  auth,
  account,
  catalog,
  racing,
  bets,
  trader,
  casino,
  provider,
  programs,
  alerts,
  protection,
} as const;
