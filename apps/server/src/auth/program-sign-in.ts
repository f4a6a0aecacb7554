/** How a program signs in for a player: the site's own ladder, budgets and times, with the code behind the password. */
import { type AccountStanding, AUTH_TYPE, CodedError } from '@fairgame/contract';
import type { Parts } from './parts.ts';
import { isShort } from './passwords.ts';
import type { SecondFactor } from './second-factor.ts';
import { checkLogin, SHUT, shortest } from './sign-in.ts';
import type { User } from './users.ts';

/** Codes of a program count within windows of this length, as an operator's do. */
const CODE_WINDOW_MS = 15 * 60_000;

export interface Proven {
  user: User;
  standing: AccountStanding | null;
}

/**
 * Throws LOGIN_FAILED, LOGIN_WAIT, ACCOUNT_LOCKED, CODE_REQUIRED, CODE_WRONG, CODE_TRIES, PASSWORD_CHANGE_REQUIRED. Codes by
 * message cannot be asked for here: an account that has its codes so is told CODE_REQUIRED.
 */
export async function proveProgram(
  parts: Parts,
  secondFactor: SecondFactor,
  { userName, password, ip }: { userName: string; password: string; ip: string },
): Promise<Proven> {
  const found = await parts.users.byName(userName);
  const [, before, code] = (found?.authenticatorType === AUTH_TYPE.app && /^(.*)(\d{6})$/s.exec(password)) || [];
  const user = await checkLogin(parts, 'user', userName, before ?? password, ip);
  if (user.authenticatorType !== AUTH_TYPE.none) {
    if (code === undefined) throw new CodedError('CODE_REQUIRED');
    await mustFit(parts, secondFactor, user, code);
  }
  if (user.forceChange || isShort(before ?? password, shortest(parts, user)))
    throw new CodedError('PASSWORD_CHANGE_REQUIRED');
  const standing = await parts.standing(user.id);
  await parts.users.setSignedIn(user.id);
  return { user, standing };
}

function mustFit(parts: Parts, secondFactor: SecondFactor, user: User, code: string): Promise<void> {
  const { challenges, clock } = parts;
  return parts.proveInTurn(user.id, async () => {
    const window = `program ${user.id} ${Math.floor(clock() / CODE_WINDOW_MS)}`;
    challenges.mayTry(window, user.id);
    if (await secondFactor.takeCode(user, code)) return challenges.passed(window);
    challenges.failed(window, user.id, clock());
    parts.security('code.wrong', { userId: user.id });
    throw new CodedError('CODE_WRONG');
  });
}

/** Whether the account may not be signed in to at all. */
export const isShut = ({ status }: User): boolean => SHUT.has(status);
