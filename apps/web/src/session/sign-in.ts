import { CALLS } from '@fairgame/contract';
import { api } from '../api/api.ts';
import { queryClient } from '../api/queries.ts';
import { endSession, readSession, startSession } from './session.ts';
import { tellTabs } from './tabs.ts';

/** Where a sign-in leads (OPN-22). */
export function pathAfterSignIn(session: {
  forceChangePassword: boolean;
  isAuthenticator: boolean | null;
  authType: number;
}): string {
  if (session.authType !== 0 && session.isAuthenticator !== true) return '/verify';
  return session.forceChangePassword ? '/change-password' : '/home';
}

/** Signs in; answers where to go. Rejects with ApiError, whose message belongs to the form. */
export async function signIn(userName: string, password: string): Promise<string> {
  const reply = await api(CALLS.auth.login, { body: { userName: userName.trim(), password } }, { quiet: true });
  const session = {
    token: reply.token,
    userId: reply.userId,
    forceChangePassword: reply.forceChangePassword,
    // Unset while the code is due: a stored false would clear the session on /verify (CAR-12).
    isAuthenticator: reply.authenticatorType === 0 || reply.isAuthenticator ? true : null,
    authType: reply.authenticatorType,
    isDemo: false,
  };
  startSession(session);
  return pathAfterSignIn(session);
}

export async function signInWithDemo(): Promise<string> {
  const { token, userId } = await api(CALLS.auth.demo, {}, { quiet: true });
  startSession({ token, userId, forceChangePassword: false, isAuthenticator: true, authType: 0, isDemo: true });
  return '/home';
}

/** Proves the security code; the new token replaces the pending one. */
export async function verifyCode(code: string): Promise<string> {
  const token = await api(CALLS.auth.verify, { body: { authToken: code } }, { quiet: true });
  const session = readSession();
  const next = {
    token,
    userId: session?.userId ?? 0,
    forceChangePassword: session?.forceChangePassword ?? false,
    isAuthenticator: true,
    authType: session?.authType ?? 0,
    isDemo: false,
  };
  startSession(next);
  return pathAfterSignIn(next);
}

/** Signs out. The session of this browser ends also when the call fails or the network is gone (CAR-11). */
export async function signOut(): Promise<void> {
  const userId = readSession()?.userId;
  // The answer clears the site's storage; what this browser chose for its looks is no secret and comes back.
  const looks = Object.entries(localStorage);
  const farewell = api(CALLS.auth.logout, {}, { quiet: true, timeoutMs: 5000 }).catch(() => null);
  endSession('signedOut');
  queryClient.clear();
  if (userId) tellTabs({ kind: 'signedOut', userId });
  await farewell;
  for (const [key, value] of looks) localStorage.setItem(key, value);
}
