import { endSession, readSession, type Session } from '../session/session.ts';
import { pathAfterSignIn } from '../sign-in/sign-in.ts';

/**
 * Who may see which screen. Storage is a hint (CAR-13): a wrong one shows a screen whose calls the server refuses.
 * Guards redirect by replacing the entry of the history, so that Back never leads into a redirect.
 */

/** `/` and unknown paths: the session decides before any screen is drawn (CAR-38). */
export function entryPath(session: Session | null): string {
  return session ? pathAfterSignIn(session) : '/login';
}

/**
 * A signed-in screen: the path to go to instead, or null to stay. A password that must change leaves only its own screen
 * (PWD-06..08); a security code that is still due leaves only /verify.
 */
export function signedInDetour(session: Session | null, path: string): string | null {
  if (!session) return '/login';
  const due = pathAfterSignIn(session);
  if (due === '/verify') return due;
  if (due === '/change-password' && path !== due) return due;
  return null;
}

/** /login with a session leads into the product, except where the session is not ready to be used (PWD-07). */
export function loginDetour(session: Session | null): string | null {
  return session && pathAfterSignIn(session) === '/home' ? '/home' : null;
}

/** /verify: proven goes home; a stored 'false' clears the session; unset shows the form (VER-07, VER-08, CAR-12). */
export function verifyDetour(session: Session | null): string | null {
  if (!session) return '/login';
  if (session.isAuthenticator === true) return '/home';
  return session.isAuthenticator === false ? '/login' : null;
}

export const entryGuard = (): string => entryPath(readSession());

export const signedInGuard = (path: string): string | null => signedInDetour(readSession(), path);

/** Pages of frames: for everyone, but not past a password or a code that is due. */
export function frameGuard(path: string): string | null {
  const session = readSession();
  return session && signedInDetour(session, path);
}

export const loginGuard = (): string | null => loginDetour(readSession());

export function verifyGuard(): string | null {
  const session = readSession();
  const to = verifyDetour(session);
  if (to === '/login' && session) endSession('signedOut');
  return to;
}

/** Any other path: inside with a session, else the sign-in (PUB-03, NAV-19, OSH-01). */
export const catchAllGuard = (): string => (readSession() ? '/home' : '/login');
