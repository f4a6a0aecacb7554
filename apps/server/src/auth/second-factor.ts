/**
 * The second factor of who signs in: codes by message or of an app, recovery codes, and the budget of wrong ones. How a player
 * switches it on and off is enrolling.ts.
 */
import { AUTH_TYPE, CodedError } from '@fairgame/contract';
import type { Session } from '../http/http.ts';
import { newRecoveryCodes, newSecret, stepOf } from './codes.ts';
import type { Parts } from './parts.ts';
import type { User } from './users.ts';

/** A second factor given this lately in the same session also covers a password change (a code counts only once). */
const FRESH_CODE_MS = 10 * 60_000;
const SEAL_SLICE = 200;

export class SecondFactor {
  private readonly parts: Parts;
  /** The last player whose secret was looked at; null when there is nothing left to seal. */
  private sealedUpTo: number | null = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Sends the code of a fresh sign-in; for kind 1. */
  async sendCode(user: User, session: Pick<Session, 'sessionId'>): Promise<void> {
    const to = this.addressOf(user);
    const { deliver, challenges } = this.parts;
    if (!deliver)
      throw new CodedError('NOT_OPEN_YET', { message: 'Codes by message are not available. Please contact support.' });
    const code = challenges.make(session.sessionId, user.id);
    await deliver({
      to,
      subject: 'Your security code',
      text: `Your security code is ${code}. It is valid for 10 minutes. Never give it to anyone.`,
    });
    this.parts.security('code.sent', { userId: user.id, session: session.sessionId });
  }

  /** A local site needs no mailbox: its log is one. */
  addressOf(user: User): string {
    const { config } = this.parts;
    if (user.email) return user.email;
    if (config.smtpUrl || config.profile === 'production') {
      throw new CodedError('BAD_INPUT', {
        message: 'This account has no address to send a code to. Please contact support.',
      });
    }
    return `${user.userName} (server log)`;
  }

  /** Throws CODE_REQUIRED or the reason a code is refused, unless the player has no second factor or gave it lately. */
  async demandCode(user: User, session: Session, code: string | undefined): Promise<void> {
    if (user.authenticatorType === AUTH_TYPE.none) return;
    if (code !== undefined) return this.mustFit(user, session, code);
    if (this.parts.clock() - this.parts.sessions.codeAt(session) <= FRESH_CODE_MS) return;
    throw new CodedError('CODE_REQUIRED', { field: 'authToken' });
  }

  /** A code of the factor in force: app, message or one of the recovery codes. Uses it up. Throws as `attempt`. */
  mustFit(user: User, session: Session, code: string): Promise<void> {
    const isSent = user.authenticatorType === AUTH_TYPE.message && !code.includes('-');
    return this.attempt(user, session, async () =>
      isSent ? this.parts.challenges.take(session.sessionId, code) : this.takeCode(user, code),
    );
  }

  /** Whether a code of the app, or a recovery code, fits. Uses it up; counting wrong ones is the caller's. */
  async takeCode(user: User, code: string): Promise<boolean> {
    const { users, passwords, clock } = this.parts;
    if (code.includes('-')) {
      for (const kept of await users.recoveryCodes(user.id)) {
        if (await passwords.verify(kept.code_hash, code)) return users.takeRecoveryCode(kept.id);
      }
      return false;
    }
    const step = stepOf(this.secretOf(user.id, user.totpSecret ?? ''), code, clock());
    return step !== null && (await users.takeStep(user.id, step));
  }

  /**
   * Runs one try on the budget of wrong codes. Throws CODE_WRONG; the last wrong one ends the session: 429 CODE_TRIES, sign in
   * again. Never 401 (CAR-09).
   */
  async attempt(user: User, session: Session, check: () => Promise<boolean>): Promise<void> {
    const { challenges, sessions, clock } = this.parts;
    try {
      challenges.mayTry(session.sessionId, user.id);
    } catch (error) {
      await sessions.end([session], 'code');
      throw error;
    }
    if (await check()) {
      challenges.passed(session.sessionId);
      this.parts.security('code.right', { userId: user.id, session: session.sessionId });
      return;
    }
    this.parts.security('code.wrong', { userId: user.id, session: session.sessionId });
    if (challenges.failed(session.sessionId, user.id, clock())) {
      await sessions.end([session], 'code');
      throw new CodedError('CODE_TRIES');
    }
    throw new CodedError('CODE_WRONG', { field: 'authToken' });
  }

  /** Switches an authenticator app on without a code; for players made at a first start. Gives the secret. */
  async enrolApp(user: User): Promise<string> {
    const { secret } = newSecret(user.userName);
    await this.switchOn(user.id, { type: AUTH_TYPE.app, secret }, null, newRecoveryCodes());
    return secret;
  }

  /** Switches a factor on whose first code was seen (`step`: that of an app), with its recovery codes. */
  async switchOn(userId: number, factor: Factor, step: number | null, recoveryCodes: readonly string[]): Promise<void> {
    const { config, users, passwords } = this.parts;
    const sealed = factor.secret === undefined ? null : config.keyring.seal(sealedFor(userId), factor.secret);
    const hashes = await Promise.all(recoveryCodes.map((one) => passwords.hash(one)));
    await users.setAuthenticator(userId, factor.type, sealed, step, hashes);
  }

  /** Seals what an older site secret sealed under the present one, a slice a call; the older may be taken away after. */
  async sealAnew(): Promise<void> {
    if (this.sealedUpTo === null) return;
    const { users, log } = this.parts;
    const { keyring } = this.parts.config;
    const rows = await users.secretsSealedBefore(keyring.mark, this.sealedUpTo, SEAL_SLICE);
    for (const { id, totp_secret: before } of rows) {
      const text = keyring.open(sealedFor(id), before);
      if (text === null)
        log.error({ userId: id }, 'an authenticator is sealed under a secret that is not in FAIRGAME_SECRET');
      else await users.replaceSecret(id, before, keyring.seal(sealedFor(id), text));
    }
    this.sealedUpTo = rows.length < SEAL_SLICE ? null : rows.at(-1)!.id;
    if (rows.length > 0) log.info({ players: rows.length, more: this.sealedUpTo !== null }, 'secrets sealed anew');
  }

  private secretOf(userId: number, sealed: string): string {
    const secret = this.parts.config.keyring.open(sealedFor(userId), sealed);
    if (secret === null)
      throw new Error(`the authenticator of ${userId} is sealed under a secret that is not in FAIRGAME_SECRET`);
    return secret;
  }
}

/** Codes by message, or of an app that holds the secret. */
export interface Factor {
  type: 1 | 2;
  secret?: string;
}

/** A secret that is copied to another player's row does not open. */
const sealedFor = (userId: number): string => `user:${userId}`;
