import { type AccountStanding, CodedError } from '@fairgame/contract';
import type { Config } from '../config.ts';
import type { Log } from '../db/db.ts';
import { networkOf } from '../http/address.ts';
import type { Session } from '../http/session.ts';
import type { AuditRecord } from '../ops/ops.ts';
import type { NoteBook } from './alike.ts';
import type { Challenges } from './codes.ts';
import type { Deliver } from './mailer.ts';
import type { Judge, Passwords } from './passwords.ts';
import type { EndReason, SessionBook } from './sessions.ts';
import type { Trier, Tries } from './tries.ts';
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
  /** Judges the passwords that players choose. */
  judge: Judge;
  /** Tries on one name from one network go one after the other. */
  tryInTurn<T>(pair: string, work: () => Promise<T>): Promise<T>;
  /** Acts on one user's proofs (password, codes, factor) go one after the other: a budget is one budget. */
  proveInTurn<T>(userId: number, work: () => Promise<T>): Promise<T>;
  challenges: Challenges;
  /** Who else has something of a player that ends with all his sessions. */
  thrownOut: Set<(userId: number | undefined) => Promise<void>>;
  /** What one gateway begins and another may go on with. */
  notes: NoteBook;
  /** Whether nothing of this name was asked before, here or at another gateway. */
  isFirst(name: string): Promise<boolean>;
  deliver: Deliver | undefined;
  record(record: AuditRecord): Promise<void>;
  /** Why betting is off for a player who signs in, or null. */
  standing(userId: number): Promise<AccountStanding | null>;
  /** Whether the player wants something of this session's browser to outlast it: then it is not told to forget the site. */
  keepsBrowser(sessionId: string): Promise<boolean>;
  /** A line of the security log (trust SEC-L1); never a token, password or code. */
  security(event: string, fields: object): void;
}

/** An act on the proofs of who is signed in, with the user as he is when its turn comes. Throws SESSION_ENDED when another act ended it. */
export function inTurn<T>(parts: Parts, session: Session, work: (user: User) => Promise<T>): Promise<T> {
  return parts.proveInTurn(session.userId, async () => {
    if (session.ended) throw new CodedError('SESSION_ENDED');
    return work(await userOf(parts, session));
  });
}

export async function userOf(parts: Parts, session: Session): Promise<User> {
  const user = await parts.users.byId(session.userId);
  if (!user) throw new CodedError('SESSION_ENDED');
  return user;
}

/** Throws LOGIN_WAIT or ACCOUNT_LOCKED when no password may be tried on this name from this network now. */
export function mayTry(parts: Parts, trier: Trier): void {
  const standing = parts.tries.standing(trier, parts.clock());
  if (standing.may) return;
  const retryAfterS = Math.max(1, Math.ceil(standing.waitMs / 1000));
  if (!standing.locked) throw new CodedError('LOGIN_WAIT', { retryAfterS });
  const hours = Math.ceil(retryAfterS / 3600);
  throw new CodedError('ACCOUNT_LOCKED', {
    retryAfterS,
    message: `There were too many wrong passwords for this name. Sign in from where you did before, or from here in ${hours === 1 ? 'an hour' : `${hours} hours`}, or contact support.`,
  });
}

/** Whether the owner of a name was at this network before; asked of names that do not exist too, so that both take as long. */
export async function trierOf(
  parts: Parts,
  role: Trier['role'],
  nameKey: string,
  user: User | undefined,
  ip: string,
): Promise<Trier> {
  return { role, nameKey, ip, isKnown: await parts.users.knowsNetwork(user?.id ?? 0, networkOf(ip).near) };
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
  // Who is signed in is no stranger, but guesses on the same budget.
  const trier: Trier = { role: user.role, nameKey: user.nameKey, ip, isKnown: true };
  mayTry(parts, trier);
  if (await parts.passwords.verify(user.passwordHash, password)) {
    parts.tries.passed(trier);
    if (user.failedCount > 0) await parts.users.setFailed(user.id, 0);
    return true;
  }
  const count = parts.tries.failed(trier, parts.clock());
  parts.security('password.wrong', { userId: user.id, session: session.sessionId, ip, inARow: count });
  return false;
}

/** The owner proved himself another way: nothing that was tried on his name before counts. */
export async function unlock(parts: Parts, user: User): Promise<void> {
  parts.tries.reset(user);
  parts.challenges.reset(user.id);
  await parts.users.setFailed(user.id, 0);
}

/** Ends all sessions of a player, those of his programs too, and what browsers of his were promised: also where none of the website is left. */
export async function endAll(parts: Parts, userId: number, reason: EndReason): Promise<void> {
  await parts.sessions.end(await parts.sessions.ofUser(userId), reason);
  await throwOut(parts, userId);
}

export async function throwOut({ thrownOut }: Parts, userId: number | undefined): Promise<void> {
  for (const listener of thrownOut) await listener(userId);
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
