/** How a program signs in for a player: the site's own ladder, budgets and times, with the code behind the password. */
import { type AccountStanding, AUTH_TYPE, CodedError } from '@fairgame/contract';
import { type Parts, trierOf } from './parts.ts';
import { isShort } from './passwords.ts';
import type { SecondFactor } from './second-factor.ts';
import { checkLogin, shortest } from './sign-in.ts';
import { nameKey, SHUT, type User } from './users.ts';

/** Codes of a program count within windows of this length, as an operator's do. */
const CODE_WINDOW_MS = 15 * 60_000;

/** Why nobody signs in: this try was one too many, or the account is shut (told after the right password alone). */
export class ProgramShutOut extends Error {
  readonly why: 'now locked' | 'blocked' | 'closed';
  constructor(why: ProgramShutOut['why']) {
    super(why);
    this.why = why;
  }
}

export interface Proven {
  user: User;
  standing: AccountStanding | null;
}

/**
 * Throws ProgramShutOut, LOGIN_FAILED, LOGIN_WAIT, ACCOUNT_LOCKED, CODE_REQUIRED, CODE_WRONG, CODE_EXPIRED, CODE_TRIES, PASSWORD_CHANGE_REQUIRED.
 * Where codes come by message, the password alone sends one and is told CODE_REQUIRED; the next try has it behind.
 */
export async function proveProgram(
  parts: Parts,
  secondFactor: SecondFactor,
  { userName, password, ip }: { userName: string; password: string; ip: string },
): Promise<Proven> {
  const found = await parts.users.byName(userName);
  const [, before, code] = (found && wantsCode(parts, found) && /^(.*)(\d{6})$/s.exec(password)) || [];
  const user = await checkLogin(parts, 'user', userName, before ?? password, ip).catch(async (error: unknown) => {
    throw (await shutOut(parts, found, { userName, ip }, error)) ?? error;
  });
  if (user.authenticatorType !== AUTH_TYPE.none) {
    if (code === undefined) {
      if (user.authenticatorType === AUTH_TYPE.message) await send(secondFactor, user);
      throw new CodedError('CODE_REQUIRED');
    }
    await mustFit(parts, secondFactor, user, code);
  }
  if (user.forceChange || isShort(before ?? password, shortest(parts, user)))
    throw new CodedError('PASSWORD_CHANGE_REQUIRED');
  const standing = await parts.standing(user.id);
  await parts.users.setSignedIn(user.id);
  return { user, standing };
}

/** Names that are nobody's are locked like others, so that nobody learns who is there. */
async function shutOut(
  parts: Parts,
  found: User | undefined,
  { userName, ip }: { userName: string; ip: string },
  error: unknown,
): Promise<ProgramShutOut | null> {
  if (!(error instanceof CodedError)) return null;
  const user = found?.role === 'user' ? found : undefined;
  if (error.code === 'ACCOUNT_LOCKED' && error.retryAfterS === undefined)
    return new ProgramShutOut(user?.status === 'closed' ? 'closed' : 'blocked');
  if (error.code !== 'LOGIN_FAILED') return null;
  const trier = await trierOf(parts, 'user', nameKey(userName), user, ip);
  return parts.tries.standing(trier, parts.clock()).may ? null : new ProgramShutOut('now locked');
}

/** What a code by message is for: one sign-in of a program at a time. */
const signInOf = ({ id }: User): string => `program ${id}`;

/** A password may end in digits: they are a code only where one was sent. */
const wantsCode = ({ challenges }: Parts, user: User): boolean =>
  user.authenticatorType === AUTH_TYPE.app ||
  (user.authenticatorType === AUTH_TYPE.message && challenges.isOut(signInOf(user)));

async function send(secondFactor: SecondFactor, user: User): Promise<void> {
  try {
    await secondFactor.sendCode(user, { sessionId: signInOf(user) });
  } catch (error) {
    // One went a moment ago.
    if (!(error instanceof CodedError) || error.code !== 'RESEND_WAIT') throw error;
  }
}

function mustFit(parts: Parts, secondFactor: SecondFactor, user: User, code: string): Promise<void> {
  const { challenges, clock } = parts;
  return parts.proveInTurn(user.id, async () => {
    const window = `program ${user.id} ${Math.floor(clock() / CODE_WINDOW_MS)}`;
    challenges.mayTry(window, user.id);
    const isRight =
      user.authenticatorType === AUTH_TYPE.message
        ? await challenges.take(signInOf(user), code)
        : await secondFactor.takeCode(user, code);
    if (isRight) return challenges.passed(window);
    challenges.failed(window, user.id, clock());
    parts.security('code.wrong', { userId: user.id });
    throw new CodedError('CODE_WRONG');
  });
}

/** Whether the account may not be signed in to at all. */
export const isShut = ({ status }: User): boolean => SHUT.has(status);
