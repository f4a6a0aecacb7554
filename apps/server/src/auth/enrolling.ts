/** How a player switches his second factor on and off (second-factor.ts): begun with the password, on with the first code. */
import { AUTH_TYPE, CodedError, auth as calls } from '@fairgame/contract';
import { toDataURL } from 'qrcode';
import type { Asked, Http, Session } from '../http/http.ts';
import { newRecoveryCodes, newSecret, stepOf } from './codes.ts';
import { inTurn, notify, type Parts, provePassword, userOf } from './parts.ts';
import type { Factor, SecondFactor } from './second-factor.ts';
import type { User } from './users.ts';

export class Enrolling {
  private readonly parts: Parts;
  private readonly factor: SecondFactor;
  /** By session. */
  private readonly begun;
  /** Shown once, right after switching on. By the new session. */
  private readonly freshCodes;

  constructor(parts: Parts, factor: SecondFactor) {
    this.parts = parts;
    this.factor = factor;
    this.begun = parts.notes<Factor>('enrolments');
    this.freshCodes = parts.notes<string[]>('recovery-codes');
  }

  routes(http: Http): void {
    const { parts } = this;
    http.route(calls.generate, (asked) => inTurn(parts, asked.session, (user) => this.begin(user, asked)));
    http.route(calls.verify, (asked) =>
      inTurn(parts, asked.session, async (user) =>
        asked.session.pending ? await this.prove(user, asked) : await this.finish(user, asked),
      ),
    );
    http.route(calls.authenticator, ({ session }) => this.standing(session));
    http.route(calls.resend, ({ session }) => this.resend(session));
    http.route(calls.remove, async (asked) => {
      await inTurn(parts, asked.session, (user) => this.remove(user, asked));
      return { data: null, message: 'The second factor is switched off.' };
    });
  }

  forget(sessionIds: readonly string[]): void {
    for (const id of sessionIds) {
      this.begun.delete(id);
      this.freshCodes.delete(id);
    }
  }

  private async begin(user: User, { body, session, ip }: Asked<typeof calls.generate>) {
    if (user.authenticatorType !== AUTH_TYPE.none) throw new CodedError('AUTHENTICATOR_SET');
    await this.mustProve(user, session, ip, body.password);
    if (body.type === AUTH_TYPE.message) {
      const sentTo = maskAddress(this.factor.addressOf(user));
      await this.factor.sendCode(user, session);
      this.begun.set(session.sessionId, { type: AUTH_TYPE.message });
      return { type: AUTH_TYPE.message, sentTo };
    }
    const { secret, uri } = newSecret(user.userName);
    this.begun.set(session.sessionId, { type: AUTH_TYPE.app, secret });
    return { type: AUTH_TYPE.app, secret, uri, qr: await toDataURL(uri, { margin: 2, width: 220 }) };
  }

  /** The code of a sign-in: a session that is whole comes in the place of the one that waited. */
  private async prove(user: User, { body, session, ip, device }: Asked<typeof calls.verify>) {
    const { users, sessions, clock } = this.parts;
    await this.factor.mustFit(user, session, body.authToken);
    const opened = await sessions.open(user, { ip, device, pending: false, codeAt: clock(), from: session });
    await sessions.end([session], 'renewed');
    await users.setSignedIn(user.id);
    return opened.token;
  }

  /** The first code of what was begun switches it on, and ends every other session. */
  private async finish(user: User, asked: Asked<typeof calls.verify>) {
    const { session, body } = asked;
    if (session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
    if (session.forceChangePassword) throw new CodedError('PASSWORD_CHANGE_REQUIRED');
    const begun = this.begun.get(session.sessionId);
    if (!begun) throw new CodedError('CODE_EXPIRED', { field: 'authToken' });
    const recoveryCodes = newRecoveryCodes();
    const step = await this.firstCode(user, session, begun, body.authToken);
    await this.factor.switchOn(user.id, begun, step, recoveryCodes);
    await this.parts.record({
      actor: `player:${user.id}`,
      action: 'authenticator.on',
      object: `player:${user.id}`,
      detail: { type: begun.type },
    });
    const token = await this.openAnew(user, asked, recoveryCodes);
    await notify(
      this.parts,
      user,
      'Second factor switched on',
      'A second factor was switched on for your account. If this was not you, contact support at once.',
    );
    return { data: token, message: 'The second factor is switched on.' };
  }

  /** Throws as `attempt`; gives the step of an app's code. */
  private async firstCode(user: User, session: Session, begun: Factor, code: string): Promise<number | null> {
    const { challenges, clock } = this.parts;
    let step: number | null = null;
    await this.factor.attempt(user, session, async () => {
      if (begun.type === AUTH_TYPE.message) return challenges.take(session.sessionId, code);
      step = stepOf(begun.secret!, code, clock());
      return step !== null;
    });
    return step;
  }

  private async openAnew(user: User, { session, ip, device }: Asked<typeof calls.verify>, recoveryCodes: string[]) {
    const { users, sessions, clock } = this.parts;
    const fresh = await users.byId(user.id);
    const about = { ip, device, pending: false, codeAt: clock(), from: session };
    const opened = await sessions.open(fresh ?? user, about);
    this.freshCodes.set(opened.session.sessionId, recoveryCodes);
    await this.endOthers(user, opened.session, 'renewed');
    return opened.token;
  }

  private async standing(session: Session) {
    const user = await userOf(this.parts, session);
    const recoveryCodes = this.freshCodes.get(session.sessionId);
    this.freshCodes.delete(session.sessionId);
    return {
      type: user.authenticatorType,
      since: user.authenticatorSince === undefined ? null : new Date(user.authenticatorSince).toISOString(),
      recoveryCodesLeft: (await this.parts.users.recoveryCodes(user.id)).length,
      ...(recoveryCodes ? { recoveryCodes } : {}),
    };
  }

  private async resend(session: Session) {
    const user = await userOf(this.parts, session);
    if (session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
    if (!session.pending && session.forceChangePassword) throw new CodedError('PASSWORD_CHANGE_REQUIRED');
    const enrolling = this.begun.get(session.sessionId)?.type === AUTH_TYPE.message;
    if (user.authenticatorType !== AUTH_TYPE.message && !enrolling) {
      throw new CodedError('AUTHENTICATOR_NOT_SET', { message: 'Codes by message are not switched on.' });
    }
    await this.factor.sendCode(user, session);
    return { data: null, message: 'A new code is on its way.' };
  }

  private async remove(user: User, { body, session, ip }: Asked<typeof calls.remove>): Promise<void> {
    if (user.authenticatorType === AUTH_TYPE.none) throw new CodedError('AUTHENTICATOR_NOT_SET');
    await this.mustProve(user, session, ip, body.password);
    await this.factor.mustFit(user, session, body.authToken);
    await this.parts.users.setAuthenticator(user.id, AUTH_TYPE.none, null, null, []);
    await this.parts.record({ actor: `player:${user.id}`, action: 'authenticator.off', object: `player:${user.id}` });
    await this.endOthers(user, session, 'forced');
    await notify(
      this.parts,
      user,
      'Second factor switched off',
      'The second factor of your account was switched off. If this was not you, contact support at once.',
    );
  }

  private async endOthers(user: User, kept: Session, reason: 'renewed' | 'forced'): Promise<void> {
    const { sessions } = this.parts;
    const others = (await sessions.ofUser(user.id)).filter(({ sessionId }) => sessionId !== kept.sessionId);
    await sessions.end(others, reason);
  }

  /** Throws PASSWORD_WRONG, LOGIN_WAIT. */
  private async mustProve(user: User, session: Session, ip: string, password: string): Promise<void> {
    if (await provePassword(this.parts, user, session, ip, password)) return;
    throw new CodedError('PASSWORD_WRONG', { field: 'password', message: 'The password is not right.' });
  }
}

/** "al***@example.org". */
function maskAddress(address: string): string {
  const at = address.indexOf('@');
  return at < 1 ? address : `${address.slice(0, Math.min(2, at))}***${address.slice(at)}`;
}
