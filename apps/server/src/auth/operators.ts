/**
 * How people behind the site sign in: a password of their own and always a code of an authenticator. Their sessions last
 * twelve hours and half an hour idle; money and results ask for both again after a quarter of an hour.
 */
import { AUTH_TYPE, CodedError } from '@fairgame/contract';
import type { Config } from '../config.ts';
import type { Session } from '../http/http.ts';
import type { Notes } from './alike.ts';
import { type Challenges, newRecoveryCodes, newSecret, stepOf } from './codes.ts';
import { inTurn, type Parts, provePassword, unlock, userOf } from './parts.ts';
import { checkNewPassword, type Passwords } from './passwords.ts';
import type { SecondFactor } from './second-factor.ts';
import { OPERATOR_TIME, type SessionBook } from './sessions.ts';
import { checkLogin } from './sign-in.ts';
import type { User, Users } from './users.ts';

/** A proof counts this long. */
const PROOF_MS = 15 * 60_000;
/** Of wrong codes: so many in a quarter of an hour, beside the twenty a day of every account. */
const CODE_WINDOW_MS = 15 * 60_000;

interface SignInAsk {
  userName: string;
  password: string;
  code?: string | undefined;
  ip: string;
  device: string;
}

/** What switches an authenticator on: its code, and a new password where one is due. */
export interface Enrolment {
  code: string;
  newPassword?: string | undefined;
  ip: string;
  device: string;
}

export interface OperatorAuth {
  /**
   * A token; `enrol` when the authenticator has still to be set up, and then it is good for that alone. Throws LOGIN_FAILED,
   * LOGIN_WAIT, ACCOUNT_LOCKED, CODE_REQUIRED, CODE_WRONG, CODE_TRIES.
   */
  signIn(ask: SignInAsk): Promise<{ token: string; enrol: boolean }>;
  /** A secret for an authenticator, kept until `confirm` or the end of the session. Throws AUTHENTICATOR_SET. */
  enrol(session: Session): Promise<{ secret: string; uri: string }>;
  /**
   * Switches it on. Every session of the person ends; answers a whole one. Throws CODE_EXPIRED (no secret was made),
   * CODE_WRONG, and what a new password is refused for, where one is due.
   */
  confirm(session: Session, ask: Enrolment): Promise<{ token: string; recoveryCodes: string[] }>;
  /** Throws PASSWORD_WRONG, CODE_WRONG, CODE_TRIES, LOGIN_WAIT. */
  prove(session: Session, ask: { password: string; code: string; ip: string }): Promise<void>;
  /** Until when calls that need a fresh proof are taken; milliseconds since 1970. */
  provedUntil(session: Session): number;
  /** When the session ends if it is used no more, or at the latest. */
  endsAt(session: Session): number;
  changePassword(
    session: Session,
    ask: { oldPassword: string; newPassword: string; code: string; ip: string },
  ): Promise<void>;
  signOut(session: Session): Promise<void>;
  /** A new person, or a new password for a known one. Throws NAME_TAKEN where a player has the name. */
  setPassword(userName: string, password: string, forceChange: boolean): Promise<User>;
  /** Switches an authenticator on without a code (first people of a local site); gives its secret. */
  enrolled(user: User): Promise<string>;
  /** No authenticator; every session ends. */
  withoutFactor(user: User): Promise<void>;
  endSessions(userId: number): Promise<void>;
}

export function createOperatorAuth(parts: Parts, factor: SecondFactor): OperatorAuth {
  return new OperatorSignIn(parts, factor);
}

class OperatorSignIn implements OperatorAuth {
  private readonly parts: Parts;
  private readonly factor: SecondFactor;
  private readonly users: Users;
  private readonly sessions: SessionBook;
  private readonly challenges: Challenges;
  private readonly passwords: Passwords;
  private readonly clock: () => number;
  private readonly config: Config;
  private readonly secrets: Notes<string>;

  constructor(parts: Parts, factor: SecondFactor) {
    this.parts = parts;
    this.factor = factor;
    this.users = parts.users;
    this.sessions = parts.sessions;
    this.challenges = parts.challenges;
    this.passwords = parts.passwords;
    this.clock = parts.clock;
    this.config = parts.config;
    this.secrets = parts.notes<string>('operator-secrets');
    this.sessions.onEnded((ids) => {
      for (const id of ids) this.secrets.delete(id);
    });
  }

  async signIn({ userName, password, code, ip, device }: SignInAsk): Promise<{ token: string; enrol: boolean }> {
    const user = await checkLogin(this.parts, 'operator', userName, password, ip);
    const enrol = user.authenticatorType !== AUTH_TYPE.app;
    if (!enrol) {
      if (code === undefined) throw new CodedError('CODE_REQUIRED', { field: 'code' });
      await this.mustFit(user, code, 'code');
    }
    const { token } = await this.sessions.open(user, {
      ip,
      device,
      pending: enrol,
      ...(enrol ? {} : { codeAt: this.clock() }),
    });
    await this.users.setSignedIn(user.id);
    return { token, enrol };
  }

  async enrol(session: Session): Promise<{ secret: string; uri: string }> {
    const user = await userOf(this.parts, session);
    if (user.authenticatorType === AUTH_TYPE.app) throw new CodedError('AUTHENTICATOR_SET');
    const made = newSecret(user.userName);
    this.secrets.set(session.sessionId, made.secret);
    return made;
  }

  async confirm(session: Session, asked: Enrolment): Promise<{ token: string; recoveryCodes: string[] }> {
    return inTurn(this.parts, session, (user) => this.switchOn(user, session, asked));
  }

  private async switchOn(
    user: User,
    session: Session,
    { code, newPassword, ip, device }: Enrolment,
  ): Promise<{ token: string; recoveryCodes: string[] }> {
    const secret = this.secrets.get(session.sessionId);
    if (secret === undefined) throw new CodedError('CODE_EXPIRED', { field: 'code' });
    const step = stepOf(secret, code, this.clock());
    if (step === null) throw new CodedError('CODE_WRONG', { field: 'code' });
    if (user.forceChange) {
      checkNewPassword(newPassword ?? '', { userName: user.userName, old: '', min: this.config.passwordMin });
      if (await this.passwords.verify(user.passwordHash, newPassword!))
        throw new CodedError('PASSWORD_SAME', { field: 'newPassword' });
      await this.users.setPassword(user.id, await this.passwords.hash(newPassword!), false);
    }
    const recoveryCodes = newRecoveryCodes();
    await this.factor.switchOn(user.id, { type: AUTH_TYPE.app, secret }, step, recoveryCodes);
    const about = { ip, device, pending: false, codeAt: this.clock(), from: session };
    const opened = await this.sessions.open(await userOf(this.parts, session), about);
    const others = (await this.sessions.ofUser(user.id)).filter(
      ({ sessionId }) => sessionId !== opened.session.sessionId,
    );
    await this.sessions.end(others, 'renewed');
    return { token: opened.token, recoveryCodes };
  }

  async prove(session: Session, { password, code, ip }: { password: string; code: string; ip: string }): Promise<void> {
    const user = await userOf(this.parts, session);
    await this.mustKnow(user, session, ip, password, 'password');
    await this.mustFit(user, code, 'code');
    await this.sessions.proved(session, this.clock());
  }

  provedUntil(session: Session): number {
    return this.sessions.codeAt(session) + PROOF_MS;
  }

  endsAt({ createdAt, lastSeenAt }: Session): number {
    return Math.min(createdAt + OPERATOR_TIME.sessionMs, lastSeenAt + OPERATOR_TIME.idleMs);
  }

  async changePassword(
    session: Session,
    { oldPassword, newPassword, code, ip }: { oldPassword: string; newPassword: string; code: string; ip: string },
  ): Promise<void> {
    const user = await userOf(this.parts, session);
    await this.mustKnow(user, session, ip, oldPassword, 'oldPassword');
    checkNewPassword(newPassword, { userName: user.userName, old: oldPassword, min: this.config.passwordMin });
    await this.mustFit(user, code, 'code');
    await this.users.setPassword(user.id, await this.passwords.hash(newPassword), false);
    const others = (await this.sessions.ofUser(user.id)).filter(({ sessionId }) => sessionId !== session.sessionId);
    await this.sessions.end(others, 'password');
  }

  signOut(session: Session): Promise<void> {
    return this.sessions.end([session], 'logout');
  }

  async setPassword(userName: string, password: string, forceChange: boolean): Promise<User> {
    const user = await this.users.byName(userName);
    if (user && user.role !== 'operator') throw new CodedError('NAME_TAKEN', { field: 'userName' });
    // A new password, or the one in the settings at a start: who set it holds the name, whatever strangers tried on it.
    if (user) await unlock(this.parts, user);
    if (user && !forceChange && (await this.passwords.verify(user.passwordHash, password))) return user;
    const passwordHash = await this.passwords.hash(password);
    if (user) {
      await this.users.setPassword(user.id, passwordHash, forceChange);
      return { ...user, passwordHash, forceChange };
    }
    return this.users.create({
      userName,
      role: 'operator',
      isDemo: false,
      passwordHash,
      forceChange,
      creditMinor: 0,
      actor: 'core',
    });
  }

  enrolled(user: User): Promise<string> {
    return this.factor.enrolApp(user);
  }

  async withoutFactor(user: User): Promise<void> {
    await this.users.setAuthenticator(user.id, AUTH_TYPE.none, null, null, []);
    await this.sessions.end(await this.sessions.ofUser(user.id), 'forced');
  }

  async endSessions(userId: number): Promise<void> {
    return this.sessions.end(await this.sessions.ofUser(userId), 'forced');
  }

  /** Uses a code up. Those that come at the same time wait for one another. */
  private mustFit(user: User, code: string, field: string): Promise<void> {
    return this.parts.proveInTurn(user.id, async () => {
      const window = `operator ${user.id} ${Math.floor(this.clock() / CODE_WINDOW_MS)}`;
      this.challenges.mayTry(window, user.id);
      if (await this.factor.takeCode(user, code)) return this.challenges.passed(window);
      this.challenges.failed(window, user.id, this.clock());
      this.parts.security('code.wrong', { userId: user.id });
      throw new CodedError('CODE_WRONG', { field });
    });
  }

  private mustKnow(user: User, session: Session, ip: string, password: string, field: string): Promise<void> {
    return this.parts.proveInTurn(user.id, async () => {
      if (!(await provePassword(this.parts, user, session, ip, password)))
        throw new CodedError('PASSWORD_WRONG', { field, message: 'The password is not right.' });
    });
  }
}
