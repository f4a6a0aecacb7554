import { AUTH_TYPE, CodedError, auth as calls } from '@fairgame/contract';
import { toDataURL } from 'qrcode';
import type { Http, Session } from '../http/http.ts';
import { newRecoveryCodes, newSecret, stepOf } from './codes.ts';
import { inTurn, notify, type Parts, provePassword, userOf } from './parts.ts';
import type { User } from './users.ts';

interface Enrolment {
  type: 1 | 2;
  secret?: string;
}

/** A second factor given this lately in the same session also covers a password change (a code counts only once). */
const FRESH_CODE_MS = 10 * 60_000;
const SEAL_SLICE = 200;

export interface SecondFactor {
  routes(http: Http): void;
  /** Sends the code of a fresh sign-in; for kind 1. */
  sendCode(user: User, session: Pick<Session, 'sessionId'>): Promise<void>;
  /** Throws CODE_REQUIRED or the reason a code is refused, unless the player has no second factor or gave it lately. */
  demandCode(user: User, session: Session, code: string | undefined): Promise<void>;
  /** Seals what an older site secret sealed under the present one, a slice a call; the older may be taken away after. */
  sealAnew(): Promise<void>;
  /** Switches an authenticator app on without a code; for players made at a first start. Gives the secret. */
  enrolApp(user: User): Promise<string>;
  /** Switches an app on whose first code was seen, with its recovery codes. */
  switchOn(userId: number, secret: string, step: number, recoveryCodes: readonly string[]): Promise<void>;
  /** Whether a code of the app, or a recovery code, fits. Uses it up; counting wrong ones is the caller's. */
  takeCode(user: User, code: string): Promise<boolean>;
  forget(sessionIds: readonly string[]): void;
}

export function createSecondFactor(parts: Parts): SecondFactor {
  const enrolments = parts.notes<Enrolment>('enrolments');
  /** Shown once, right after switching on. By the new session. */
  const freshCodes = parts.notes<string[]>('recovery-codes');
  const { users, sessions, challenges, clock, config } = parts;

  async function sendCode(user: User, session: Pick<Session, 'sessionId'>): Promise<void> {
    const to = addressOf(user);
    const deliver = parts.deliver;
    if (!deliver)
      throw new CodedError('NOT_OPEN_YET', { message: 'Codes by message are not available. Please contact support.' });
    const code = challenges.make(session.sessionId, user.id);
    await deliver({
      to,
      subject: 'Your security code',
      text: `Your security code is ${code}. It is valid for 10 minutes. Never give it to anyone.`,
    });
    parts.security('code.sent', { userId: user.id, session: session.sessionId });
  }

  /** A local site needs no mailbox: its log is one. */
  function addressOf(user: User): string {
    if (user.email) return user.email;
    if (config.smtpUrl || config.profile === 'production') {
      throw new CodedError('BAD_INPUT', {
        message: 'This account has no address to send a code to. Please contact support.',
      });
    }
    return `${user.userName} (server log)`;
  }

  function secretOf(userId: number, sealed: string): string {
    const secret = config.keyring.open(sealedFor(userId), sealed);
    if (secret === null)
      throw new Error(`the authenticator of ${userId} is sealed under a secret that is not in FAIRGAME_SECRET`);
    return secret;
  }

  /** Whether a code fits the factor in force: app, message or one of the recovery codes. Uses it up. */
  async function fits(user: User, session: Session, code: string): Promise<boolean> {
    if (user.authenticatorType === AUTH_TYPE.message && !code.includes('-'))
      return challenges.take(session.sessionId, code);
    return takeCode(user, code);
  }

  async function takeCode(user: User, code: string): Promise<boolean> {
    if (code.includes('-')) {
      for (const kept of await users.recoveryCodes(user.id)) {
        if (await parts.passwords.verify(kept.code_hash, code)) return users.takeRecoveryCode(kept.id);
      }
      return false;
    }
    const step = stepOf(secretOf(user.id, user.totpSecret ?? ''), code, clock());
    return step !== null && (await users.takeStep(user.id, step));
  }

  /** Runs one try on the budget of wrong codes. The last wrong one ends the session: 429, sign in again. Never 401 (CAR-09). */
  async function attempt(user: User, session: Session, check: () => Promise<boolean>): Promise<void> {
    try {
      challenges.mayTry(session.sessionId, user.id);
    } catch (error) {
      await sessions.end([session], 'code');
      throw error;
    }
    if (await check()) {
      challenges.passed(session.sessionId);
      parts.security('code.right', { userId: user.id, session: session.sessionId });
      return;
    }
    parts.security('code.wrong', { userId: user.id, session: session.sessionId });
    if (challenges.failed(session.sessionId, user.id, clock())) {
      await sessions.end([session], 'code');
      throw new CodedError('CODE_TRIES');
    }
    throw new CodedError('CODE_WRONG', { field: 'authToken' });
  }

  /** Throws PASSWORD_WRONG, LOGIN_WAIT. */
  async function mustProve(user: User, session: Session, ip: string, password: string): Promise<void> {
    if (await provePassword(parts, user, session, ip, password)) return;
    throw new CodedError('PASSWORD_WRONG', { field: 'password', message: 'The password is not right.' });
  }

  async function switchOn(
    user: User,
    session: Session,
    enrolment: Enrolment,
    code: string,
    ip: string,
    device: string,
  ): Promise<string> {
    let step: number | null = null;
    await attempt(user, session, async () => {
      if (enrolment.type === AUTH_TYPE.message) return challenges.take(session.sessionId, code);
      step = stepOf(enrolment.secret!, code, clock());
      return step !== null;
    });
    const sealed = enrolment.secret === undefined ? null : config.keyring.seal(sealedFor(user.id), enrolment.secret);
    const recovery = newRecoveryCodes();
    const hashes = await Promise.all(recovery.map((one) => parts.passwords.hash(one)));
    await users.setAuthenticator(user.id, enrolment.type, sealed, step, hashes);
    await parts.record({
      actor: `player:${user.id}`,
      action: 'authenticator.on',
      object: `player:${user.id}`,
      detail: { type: enrolment.type },
    });
    const fresh = await users.byId(user.id);
    const opened = await sessions.open(fresh ?? user, { ip, device, pending: false, codeAt: clock() });
    freshCodes.set(opened.session.sessionId, recovery);
    await sessions.end(
      (await sessions.ofUser(user.id)).filter((other) => other.sessionId !== opened.session.sessionId),
      'renewed',
    );
    await notify(
      parts,
      user,
      'Second factor switched on',
      'A second factor was switched on for your account. If this was not you, contact support at once.',
    );
    return opened.token;
  }

  function routes(http: Http): void {
    http.route(calls.generate, ({ body, session, ip }) =>
      inTurn(parts, session, async (user) => {
        if (user.authenticatorType !== AUTH_TYPE.none) throw new CodedError('AUTHENTICATOR_SET');
        await mustProve(user, session, ip, body.password);
        if (body.type === AUTH_TYPE.message) {
          const sentTo = maskAddress(addressOf(user));
          await sendCode(user, session);
          enrolments.set(session.sessionId, { type: 1 });
          return { type: 1, sentTo };
        }
        const { secret, uri } = newSecret(user.userName);
        enrolments.set(session.sessionId, { type: 2, secret });
        return { type: 2, secret, uri, qr: await toDataURL(uri, { margin: 2, width: 220 }) };
      }),
    );

    http.route(calls.verify, ({ body, session, ip, device }) =>
      inTurn(parts, session, async (user) => {
        if (session.pending) {
          await attempt(user, session, () => fits(user, session, body.authToken));
          const opened = await sessions.open(user, { ip, device, pending: false, codeAt: clock() });
          await sessions.end([session], 'renewed');
          await users.setSignedIn(user.id);
          return opened.token;
        }
        if (session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
        if (session.forceChangePassword) throw new CodedError('PASSWORD_CHANGE_REQUIRED');
        const enrolment = enrolments.get(session.sessionId);
        if (!enrolment) throw new CodedError('CODE_EXPIRED', { field: 'authToken' });
        const token = await switchOn(user, session, enrolment, body.authToken, ip, device);
        return { data: token, message: 'The second factor is switched on.' };
      }),
    );

    http.route(calls.authenticator, async ({ session }) => {
      const user = await userOf(parts, session);
      const recoveryCodes = freshCodes.get(session.sessionId);
      freshCodes.delete(session.sessionId);
      return {
        type: user.authenticatorType,
        since: user.authenticatorSince === undefined ? null : new Date(user.authenticatorSince).toISOString(),
        recoveryCodesLeft: (await users.recoveryCodes(user.id)).length,
        ...(recoveryCodes ? { recoveryCodes } : {}),
      };
    });

    http.route(calls.resend, async ({ session }) => {
      const user = await userOf(parts, session);
      if (session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
      if (!session.pending && session.forceChangePassword) throw new CodedError('PASSWORD_CHANGE_REQUIRED');
      const enrolling = enrolments.get(session.sessionId)?.type === AUTH_TYPE.message;
      if (user.authenticatorType !== AUTH_TYPE.message && !enrolling) {
        throw new CodedError('AUTHENTICATOR_NOT_SET', { message: 'Codes by message are not switched on.' });
      }
      await sendCode(user, session);
      return { data: null, message: 'A new code is on its way.' };
    });

    http.route(calls.remove, async ({ body, session, ip }) => {
      await inTurn(parts, session, async (user) => {
        if (user.authenticatorType === AUTH_TYPE.none) throw new CodedError('AUTHENTICATOR_NOT_SET');
        await mustProve(user, session, ip, body.password);
        await attempt(user, session, () => fits(user, session, body.authToken));
        await users.setAuthenticator(user.id, AUTH_TYPE.none, null, null, []);
        await parts.record({ actor: `player:${user.id}`, action: 'authenticator.off', object: `player:${user.id}` });
        await sessions.end(
          (await sessions.ofUser(user.id)).filter((other) => other.sessionId !== session.sessionId),
          'forced',
        );
        await notify(
          parts,
          user,
          'Second factor switched off',
          'The second factor of your account was switched off. If this was not you, contact support at once.',
        );
      });
      return { data: null, message: 'The second factor is switched off.' };
    });
  }

  /** The last player looked at; null when there is nothing left to seal. */
  let sealedUpTo: number | null = 0;
  async function sealAnew(): Promise<void> {
    if (sealedUpTo === null) return;
    const { keyring } = config;
    const rows = await users.secretsSealedBefore(keyring.mark, sealedUpTo, SEAL_SLICE);
    for (const { id, totp_secret: before } of rows) {
      const text = keyring.open(sealedFor(id), before);
      if (text === null)
        parts.log.error({ userId: id }, 'an authenticator is sealed under a secret that is not in FAIRGAME_SECRET');
      else await users.replaceSecret(id, before, keyring.seal(sealedFor(id), text));
    }
    sealedUpTo = rows.length < SEAL_SLICE ? null : rows.at(-1)!.id;
    if (rows.length > 0) parts.log.info({ players: rows.length, more: sealedUpTo !== null }, 'secrets sealed anew');
  }

  async function keepSecret(
    userId: number,
    secret: string,
    step: number | null,
    recoveryCodes: readonly string[],
  ): Promise<void> {
    const hashes = await Promise.all(recoveryCodes.map((one) => parts.passwords.hash(one)));
    const sealed = config.keyring.seal(sealedFor(userId), secret);
    await users.setAuthenticator(userId, AUTH_TYPE.app, sealed, step, hashes);
  }

  return {
    routes,
    sealAnew,
    sendCode,
    async demandCode(user, session, code) {
      if (user.authenticatorType === AUTH_TYPE.none) return;
      if (code === undefined) {
        if (clock() - sessions.codeAt(session) <= FRESH_CODE_MS) return;
        throw new CodedError('CODE_REQUIRED', { field: 'authToken' });
      }
      await attempt(user, session, () => fits(user, session, code));
    },
    async enrolApp(user) {
      const { secret } = newSecret(user.userName);
      await keepSecret(user.id, secret, null, newRecoveryCodes());
      return secret;
    },
    switchOn: keepSecret,
    takeCode,
    forget(sessionIds) {
      challenges.forget(sessionIds);
      for (const id of sessionIds) {
        enrolments.delete(id);
        freshCodes.delete(id);
      }
    },
  };
}

/** A secret that is copied to another player's row does not open. */
const sealedFor = (userId: number): string => `user:${userId}`;

/** "al***@example.org". */
function maskAddress(address: string): string {
  const at = address.indexOf('@');
  return at < 1 ? address : `${address.slice(0, Math.min(2, at))}***${address.slice(at)}`;
}
