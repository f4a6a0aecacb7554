import { type AccountStanding, CodedError } from '@fairgame/contract';
import type { Config } from '../config.ts';
import type { Log } from '../db/db.ts';
import type { Session } from '../http/session.ts';
import type { AuditRecord } from '../ops/ops.ts';
import type { Challenges } from './codes.ts';
import type { Deliver } from './mailer.ts';
import type { Passwords } from './passwords.ts';
import type { SessionBook } from './sessions.ts';
import type { Tries } from './tries.ts';
import type { User, Users } from './users.ts';

/** What the files of this room share. */
export interface Parts {
  config: Config;
  log: Log;
  clock: () => number;
  users: Users;
  sessions: SessionBook;
  passwords: Passwords;
  tries: Tries;
  challenges: Challenges;
  deliver: Deliver | undefined;
  record(record: AuditRecord): Promise<void>;
  /** Why betting is off for a player who signs in, or null. */
  standing(userId: number): Promise<AccountStanding | null>;
  /** A line of the security log (trust SEC-L1); never a token, password or code. */
  security(event: string, fields: object): void;
}

export async function userOf(parts: Parts, session: Session): Promise<User> {
  const user = await parts.users.byId(session.userId);
  if (!user) throw new CodedError('SESSION_ENDED');
  return user;
}

/** Throws LOGIN_WAIT or ACCOUNT_LOCKED when no password may be tried on this name from this address now. */
export function mayTry(parts: Parts, nameKey: string, ip: string): void {
  const standing = parts.tries.standing(nameKey, ip, parts.clock());
  if (standing.may) return;
  if (standing.locked) throw new CodedError('ACCOUNT_LOCKED');
  throw new CodedError('LOGIN_WAIT', { retryAfterS: Math.max(1, Math.ceil(standing.waitMs / 1000)) });
}

/**
 * Checks the password of a signed-in player on the same budget as signing in (CAR-24). Throws LOGIN_WAIT, ACCOUNT_LOCKED;
 * answers whether it is right.
 */
export async function provePassword(
  parts: Parts,
  user: User,
  session: Session,
  ip: string,
  password: string,
): Promise<boolean> {
  mayTry(parts, user.nameKey, ip);
  if (await parts.passwords.verify(user.passwordHash, password)) {
    parts.tries.passed(user.nameKey, ip);
    if (user.failedCount > 0) await parts.users.setFailed(user.id, 0);
    return true;
  }
  const count = parts.tries.failed(user.nameKey, ip, parts.clock());
  await parts.users.setFailed(user.id, count);
  parts.security('password.wrong', { userId: user.id, session: session.sessionId, ip, inARow: count });
  return false;
}

/** Tells a player of a change to his account; a mailbox out of order never undoes the change. */
export async function notify(parts: Parts, user: User, subject: string, text: string): Promise<void> {
  if (!parts.deliver || !user.email) return;
  try {
    await parts.deliver({ to: user.email, subject, text });
  } catch (error) {
    parts.log.error({ err: error, userId: user.id }, 'message not delivered');
  }
}
