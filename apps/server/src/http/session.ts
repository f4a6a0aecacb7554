import type { AnyCall } from '@fairgame/contract';
import type { Currency, World } from '../core/types.ts';

/**
 * Who is asking. The one object per session is kept by auth and changes in place, so a holder of it (a socket) always
 * sees the present state. Nothing here is ever taken from the client.
 */
export interface Session {
  /** Public id of the session; not the token and no way to it. */
  readonly sessionId: string;
  readonly userId: number;
  /** Account in the core; the same number as the user id. */
  readonly accountId: number;
  readonly world: World;
  readonly role: 'user' | 'operator';
  readonly userName: string;
  readonly currency: Currency;
  readonly isDemo: boolean;
  readonly createdAt: number;
  readonly ip: string;
  readonly device: string;
  /** The security code of this session is still due. */
  pending: boolean;
  forceChangePassword: boolean;
  /** Idle for an hour, or half a day without a password: it is needed again before the next bet (trust SEC-S5). */
  stepUpDue: boolean;
  lastSeenAt: number;
  ended: boolean;
}

/** What http needs of auth. */
export interface Sessions {
  /** To be waited for before `sessionOf` where another process may know more of this token; null: nothing to wait for. */
  look(token: string): Promise<void> | null;
  /** The live session of a token, or null. Does not count as activity. */
  sessionOf(token: string): Session | null;
  /** A call came in: sets stepUpDue after an idle hour or half a day without a password, and moves the idle clock where the player himself was at it. */
  touch(session: Session, attended: boolean): void;
}

/** Who decides what a person behind the site may call. */
export interface OperatorGate {
  /** Throws what forbids the call: roles, a second factor that is not set up, a proof that is too old. */
  mayCall(session: Session, call: AnyCall): void;
}
