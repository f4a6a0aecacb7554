/** Who a program is: signing in with password or certificate, and what each call shows. */
import { CodedError } from '@fairgame/contract';
import { ApiError, certIdentity, identity, type LoginError, loginErrorOf } from '@fairgame/exchange-api';
import { type Auth, ProgramShutOut } from '../auth/auth.ts';
import type { Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { ProgramKey, ProgramKeys } from './keys.ts';
import { type ProgramSession, type ProgramSessions, shutsOut } from './sessions.ts';

export interface Comer {
  ip: string;
  /** SHA-256 of the client certificate, where the connection showed one. */
  certificate?: string | undefined;
  requestId: string;
}

/** Who makes a call. */
export interface Caller {
  session: ProgramSession;
  key: ProgramKey;
  ip: string;
  requestId: string;
}

export interface EntryParts {
  auth: Auth;
  keys: ProgramKeys;
  sessions: ProgramSessions;
  http: Pick<Http, 'mayAsk'>;
  log: Log;
}

interface LoginForm {
  userName: string;
  password: string;
  appKey: string;
}

const SHUT_OUT = { 'now locked': 'ACCOUNT_NOW_LOCKED', blocked: 'SUSPENDED', closed: 'CLOSED' } as const;

export class Entry {
  private readonly parts: EntryParts;

  constructor(parts: EntryParts) {
    this.parts = parts;
  }

  /** Never throws: what a sign-in fails of is said in its answer. */
  async login(form: LoginForm, comer: Comer) {
    const told = await this.signIn(form, comer);
    return 'token' in told ? identity(told.token, form.appKey, '') : identity('', form.appKey, told.error);
  }

  async certLogin(form: LoginForm, comer: Comer) {
    return certIdentity(comer.certificate ? await this.signIn(form, comer, true) : { error: 'CERT_AUTH_REQUIRED' });
  }

  async keepAlive(token: string, appKey: string) {
    const session = await this.parts.sessions.of(token);
    if (!session) return identity('', appKey, 'NO_SESSION');
    await this.parts.sessions.prolong(session);
    return identity(token, appKey, '');
  }

  async logout(token: string, appKey: string) {
    const session = await this.parts.sessions.of(token);
    if (!session) return identity('', appKey, 'NO_SESSION');
    await this.parts.sessions.end(session);
    return identity(token, appKey, '');
  }

  /** Who makes a call. Throws NO_APP_KEY, INVALID_APP_KEY, NO_SESSION, INVALID_SESSION_INFORMATION, ACCESS_DENIED. */
  async caller(appKey: string | undefined, token: string | undefined, comer: Comer): Promise<Caller> {
    const { keys, sessions, log } = this.parts;
    if (!appKey) throw new ApiError('NO_APP_KEY');
    if (!token) throw new ApiError('NO_SESSION');
    const session = await sessions.of(token);
    if (!session) throw new ApiError('INVALID_SESSION_INFORMATION');
    const key = await keys.of(appKey);
    if (key?.userId !== session.userId) throw new ApiError('INVALID_APP_KEY');
    if (!key.isFrom(comer.ip)) throw new ApiError('ACCESS_DENIED');
    keys.used(key).catch((error: unknown) => log.warn({ err: error }, 'the use of a key was not written down'));
    return { session, key, ip: comer.ip, requestId: comer.requestId };
  }

  /** Whether a caller of a moment ago may still go on. */
  async isStill({ session, key }: Caller): Promise<boolean> {
    const { keys, sessions } = this.parts;
    return (await sessions.lives(session)) && (await keys.of(key.key)) !== null;
  }

  /** The account of a session alone, for what needs no key. */
  async holder(token: string | undefined): Promise<ProgramSession> {
    if (!token) throw new ApiError('NO_SESSION');
    const session = await this.parts.sessions.of(token);
    if (!session) throw new ApiError('INVALID_SESSION_INFORMATION');
    return session;
  }

  private async signIn(
    { userName, password, appKey }: LoginForm,
    comer: Comer,
    byCertificate = false,
  ): Promise<{ token: string } | { error: LoginError }> {
    const { keys, sessions, http, log } = this.parts;
    if (!http.mayAsk('login', comer.ip, undefined)) return { error: 'TEMPORARY_BAN_TOO_MANY_REQUESTS' };
    if (!userName || !password || !appKey) return { error: 'INPUT_VALIDATION_ERROR' };
    try {
      const { user, standing } = await this.parts.auth.proveProgram({ userName, password, ip: comer.ip });
      if (standing && shutsOut(standing.state)) return { error: 'SELF_EXCLUDED' };
      const key = await keys.of(appKey);
      if (key?.userId !== user.id) return { error: 'INPUT_VALIDATION_ERROR' };
      if (!key.isFrom(comer.ip)) return { error: 'SECURITY_RESTRICTED_LOCATION' };
      if (byCertificate && key.certificate !== comer.certificate) return { error: 'CERT_AUTH_REQUIRED' };
      const token = await sessions.open(user, key.id, comer.ip);
      log.info({ security: 'program.login', userId: user.id, key: key.id, ip: comer.ip }, 'security');
      return { token };
    } catch (error) {
      if (error instanceof ProgramShutOut) return { error: SHUT_OUT[error.why] };
      const code = error instanceof CodedError ? error.code : 'INTERNAL';
      if (code === 'INTERNAL') log.error({ err: error, requestId: comer.requestId }, 'a program could not sign in');
      return { error: loginErrorOf(code) };
    }
  }
}
