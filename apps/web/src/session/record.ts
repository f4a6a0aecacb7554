import { Signal } from '../platform/listeners.ts';
import { forgetPlayer } from '../platform/per-player.ts';

/**
 * Who is signed in, as the client may know it: hints in the tab's session storage under the specified keys.
 * The server decides everything by its own record of the session.
 */
export interface Session {
  token: string;
  userId: number;
  forceChangePassword: boolean;
  /** null: not said; false: the security code of this session is still due. */
  isAuthenticator: boolean | null;
  /** 0 none, 1 code by message, 2 authenticator app. */
  authType: number;
  isDemo: boolean;
}

/** The state of sign-in as the specification names it (AUT-06). */
export interface AuthState {
  forceChangePassword: boolean;
  isAuthenticator: boolean | null;
  /** Who plays with play money; null for a player of real money and for nobody. */
  demoDetails: { userId: number } | null;
  authToken: string | null;
}

export const KEYS = {
  token: 'jwtMaxUser',
  forceChangePassword: 'forceChangePassword',
  isAuthenticator: 'isAuthenticator',
  authType: 'authType',
  isDemo: 'isDemo',
  userId: 'uid',
} as const;

/** Why a session ended; the login screen says it. */
export type EndReason = 'signedOut' | 'ended' | 'forced' | 'idle' | 'passwordChanged';

const changed = new Signal<[session: Session | null, reason: EndReason | null]>();
export const onSession = changed.on;
let cached: { text: string; session: Session | null } | null = null;

/** The session of this tab, or null. The same object as long as nothing changed. */
export function readSession(): Session | null {
  const values = Object.values(KEYS).map((key) => sessionStorage.getItem(key));
  const text = values.join('\n');
  if (cached?.text === text) return cached.session;
  const [token, force, authenticator, authType, demo, uid] = values;
  const session: Session | null = token
    ? {
        token,
        userId: Number(uid ?? 0),
        forceChangePassword: force === 'true',
        isAuthenticator: authenticator === 'true' ? true : authenticator === 'false' ? false : null,
        authType: Number(authType ?? 0),
        isDemo: demo === 'true',
      }
    : null;
  cached = { text, session };
  return session;
}

/** The state of sign-in of this tab. */
export function authState(): AuthState {
  const session = readSession();
  return {
    forceChangePassword: session?.forceChangePassword ?? false,
    isAuthenticator: session?.isAuthenticator ?? null,
    demoDetails: session?.isDemo ? { userId: session.userId } : null,
    authToken: session?.token ?? null,
  };
}

export function startSession(session: Session): void {
  sessionStorage.setItem(KEYS.token, session.token);
  sessionStorage.setItem(KEYS.userId, String(session.userId));
  sessionStorage.setItem(KEYS.authType, String(session.authType));
  sessionStorage.setItem(KEYS.forceChangePassword, String(session.forceChangePassword));
  sessionStorage.setItem(KEYS.isDemo, String(session.isDemo));
  if (session.isAuthenticator === null) sessionStorage.removeItem(KEYS.isAuthenticator);
  else sessionStorage.setItem(KEYS.isAuthenticator, String(session.isAuthenticator));
  sessionStorage.removeItem('fg.ended');
  tell(null);
}

/** Set while a call runs that ends every session of the player if it succeeds; holds the first ending seen meanwhile. */
let awaited: { seen: EndReason | null } | null = null;

/**
 * Runs a call that ends the session by succeeding, then ends it with this reason. Other readings answered 401 and the
 * forced sign-out of the socket often arrive before the call's own answer: they wait for it, so that its reason is told.
 */
export async function endSessionBy(reason: EndReason, work: () => Promise<unknown>): Promise<void> {
  const here = { seen: null as EndReason | null };
  awaited = here;
  try {
    await work();
    here.seen = reason;
  } finally {
    awaited = null;
    if (here.seen) endSession(here.seen);
  }
}

/** Clears the session of this tab: the six keys and everything of the player's that the client holds. */
export function endSession(reason: EndReason): void {
  if (awaited) {
    awaited.seen ??= reason;
    return;
  }
  if (!sessionStorage.getItem(KEYS.token)) return;
  for (const key of Object.values(KEYS)) sessionStorage.removeItem(key);
  for (let i = sessionStorage.length - 1; i >= 0; i--) {
    const key = sessionStorage.key(i);
    if (key?.startsWith('fg.player.')) sessionStorage.removeItem(key);
  }
  if (reason !== 'signedOut') sessionStorage.setItem('fg.ended', reason);
  tell(reason);
}

/** Why the last session of this tab ended, told once. */
export function takeEndReason(): EndReason | null {
  const reason = sessionStorage.getItem('fg.ended');
  sessionStorage.removeItem('fg.ended');
  return reason as EndReason | null;
}

/** Whose things this tab holds. */
let holder: number | null = readSession()?.userId ?? null;

function tell(reason: EndReason | null): void {
  const session = readSession();
  const userId = session?.userId ?? null;
  if (session === null || userId !== holder) forgetPlayer();
  holder = userId;
  changed.tell(session, reason);
}
