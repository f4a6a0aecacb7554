import { randomBytes } from 'node:crypto';
import { AUTH_TYPE, CodedError, auth as calls } from '@fairgame/contract';
import { networkOf } from '../http/address.ts';
import type { Http, Session } from '../http/http.ts';
import { endAll, inTurn, mayTry, notify, type Parts, provePassword, trierOf } from './parts.ts';
import { checkChosenPassword, isShort } from './passwords.ts';
import type { SecondFactor } from './second-factor.ts';
import { nameKey, SHUT, type User } from './users.ts';

/** Play money of a fresh demo account: 10,000.00. */
const DEMO_CREDIT_MINOR = 1_000_000;
const SHORTEST_WITH_FACTOR = 8;

/**
 * Checks a user name and a password of the given role on the ladder of wrong tries. Unknown names and wrong passwords look
 * alike in status, text and time (SEC-A6). Throws LOGIN_FAILED, LOGIN_WAIT, ACCOUNT_LOCKED, RATE_LIMITED.
 */
export function checkLogin(
  parts: Parts,
  role: User['role'],
  userName: string,
  password: string,
  ip: string,
): Promise<User> {
  // Many at once are no more tries than one after the other.
  const pair = `${role} ${nameKey(userName)} ${networkOf(ip).near}`;
  return parts.tryInTurn(pair, () => tryLogin(parts, role, userName, password, ip));
}

async function tryLogin(
  parts: Parts,
  role: User['role'],
  userName: string,
  password: string,
  ip: string,
): Promise<User> {
  const key = nameKey(userName);
  const found = await parts.users.byName(userName);
  const user = found?.role === role ? found : undefined;
  const trier = await trierOf(parts, role, key, user, ip);
  if (user) parts.tries.restore(trier, user.failedCount, user.failedAt);
  mayTry(parts, trier);
  const right = await parts.passwords.verify(user?.passwordHash, password);
  // Tries from other networks went on meanwhile; a right guess past the last one allowed is none.
  mayTry(parts, trier);
  if (!user || !right) {
    const count = parts.tries.failed(trier, parts.clock());
    // Not waited for: an unknown name has nothing to save and must not answer sooner.
    if (user && !trier.isKnown)
      void parts.users
        .setFailed(user.id, count)
        .catch((error: unknown) => parts.log.error({ err: error }, 'failed tries not saved'));
    parts.security('login.failed', { name: key.slice(0, 64), ip, inARow: count });
    throw new CodedError('LOGIN_FAILED');
  }
  if (SHUT.has(user.status)) {
    parts.security('login.shut', { userId: user.id, ip, status: user.status });
    throw new CodedError('ACCOUNT_LOCKED');
  }
  parts.tries.passed(trier);
  await parts.users.rememberNetwork(user.id, networkOf(ip).near);
  const passwordHash = parts.passwords.isOld(user.passwordHash)
    ? await parts.passwords.hash(password)
    : user.passwordHash;
  if (passwordHash !== user.passwordHash) await parts.users.replaceHash(user.id, user.passwordHash, passwordHash);
  parts.security('login.ok', { userId: user.id, ip });
  return { ...user, passwordHash };
}

/** Fewer are enough beside a second factor (SEC-A1). */
export function shortest(parts: Parts, user: User): number {
  return user.authenticatorType === AUTH_TYPE.none ? parts.config.passwordMin : SHORTEST_WITH_FACTOR;
}

const whole = (sessions: readonly Session[]): Session[] => sessions.filter(({ pending }) => !pending);

export function signInRoutes(parts: Parts, secondFactor: SecondFactor, http: Http): void {
  const { users, sessions, passwords } = parts;

  http.open(calls.login, async ({ body, ip, device }) => {
    const user = await checkLogin(parts, 'user', body.userName, body.password, ip);
    const forceChange = user.forceChange || isShort(body.password, shortest(parts, user));
    if (forceChange && !user.forceChange) await users.setForceChange(user.id);
    const standing = await parts.standing(user.id);
    const pending = user.authenticatorType !== AUTH_TYPE.none;
    const { token, session } = await sessions.open({ ...user, forceChange }, { ip, device, pending });
    if (user.authenticatorType === AUTH_TYPE.message) {
      // A code that cannot be sent now can be asked for again on the next screen.
      await secondFactor
        .sendCode(user, session)
        .catch((error: unknown) => parts.log.warn({ err: error, userId: user.id }, 'security code not sent'));
    }
    if (!pending) await users.setSignedIn(user.id);
    const data = {
      token,
      userId: user.id,
      authenticatorType: user.authenticatorType,
      forceChangePassword: forceChange,
      isAuthenticator: !pending,
    };
    // Who excluded himself may look at his account; that betting stays off is said at once.
    return standing ? { data: { ...data, standing }, message: standing.text } : data;
  });

  http.open(calls.demo, async ({ ip, device }) => {
    const user = await users.create({
      userName: `demo-${randomBytes(6).toString('hex')}`,
      role: 'user',
      isDemo: true,
      passwordHash: '',
      forceChange: false,
      creditMinor: DEMO_CREDIT_MINOR,
      actor: 'core',
    });
    const { token } = await sessions.open(user, { ip, device, pending: false });
    parts.security('login.demo', { userId: user.id, ip });
    return { token, userId: user.id };
  });

  http.route(calls.logout, async ({ session, header }) => {
    const keeps = await parts.keepsBrowser(session.sessionId);
    await sessions.end([session], 'logout');
    if (!keeps) header('clear-site-data', '"storage"');
    parts.security('logout', { userId: session.userId, session: session.sessionId });
    return { data: null, message: 'You are signed out.' };
  });

  http.route(calls.changePassword, async ({ body, session, ip, header }) => {
    if (session.pending) throw new CodedError('CODE_REQUIRED');
    if (session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
    await inTurn(parts, session, async (user) => {
      if (!(await provePassword(parts, user, session, ip, body.oldPassword)))
        throw new CodedError('PASSWORD_WRONG', { field: 'oldPassword' });
      await checkChosenPassword(
        { password: body.newPassword, userName: user.userName, old: body.oldPassword, min: shortest(parts, user) },
        parts.judge,
      );
      await secondFactor.demandCode(user, session, body.authToken);
      await users.setPassword(user.id, await passwords.hash(body.newPassword), false);
      await parts.record({ actor: `player:${user.id}`, action: 'password.change', object: `player:${user.id}` });
      await endAll(parts, user.id, 'password');
      await notify(
        parts,
        user,
        'Password changed',
        'The password of your account was changed. If this was not you, contact support at once.',
      );
    });
    header('clear-site-data', '"storage"');
    return { data: null, message: 'Your password is changed. Please sign in with the new one.' };
  });

  http.route(calls.checkOldPassword, async ({ body, session, ip }) => {
    if (session.pending) throw new CodedError('CODE_REQUIRED');
    if (session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
    return inTurn(parts, session, async (user) => ({
      isPasswordMatch: await provePassword(parts, user, session, ip, body.oldPassword),
    }));
  });

  http.route(calls.stepUp, async ({ body, session, ip }) => {
    if (session.isDemo) return null;
    return inTurn(parts, session, async (user) => {
      if (!(await provePassword(parts, user, session, ip, body.password))) {
        throw new CodedError('PASSWORD_WRONG', { field: 'password', message: 'The password is not right.' });
      }
      await sessions.proved(session);
      return null;
    });
  });

  http.route(calls.sessions, async ({ session }) =>
    // A sign-in that still owes its code is nobody's session yet.
    whole(await sessions.ofUser(session.userId)).map((other) => ({
      id: other.sessionId,
      current: other.sessionId === session.sessionId,
      createdAt: new Date(other.createdAt).toISOString(),
      lastSeenAt: new Date(other.lastSeenAt).toISOString(),
      device: other.device,
      ip: other.ip,
    })),
  );

  http.route(calls.endSession, async ({ body, session }) => {
    const others = (await sessions.ofUser(session.userId)).filter((other) => other.sessionId !== session.sessionId);
    const chosen = body.id === undefined ? others : others.filter((other) => other.sessionId === body.id);
    if (body.id !== undefined && chosen.length === 0) throw new CodedError('NOT_FOUND', { field: 'id' });
    await sessions.end(chosen, 'ended');
    return { data: null, message: chosen.length === 1 ? 'The session is ended.' : 'The other sessions are ended.' };
  });
}
