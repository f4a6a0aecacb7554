import { type BodyOf, CALLS } from '@fairgame/contract';
import { api } from '../api/api.ts';
import { takeAsked } from '../platform/asked.ts';
import { endSession, endSessionBy, onTabs, readSession, startSession, tellTabs } from '../session/session.ts';

export { usePasswordProof } from './password-proof.ts';

/** Where a sign-in leads (OPN-22). */
export function pathAfterSignIn(session: {
  forceChangePassword: boolean;
  isAuthenticator: boolean | null;
  authType: number;
}): string {
  if (session.authType !== 0 && session.isAuthenticator !== true) return '/verify';
  return session.forceChangePassword ? '/change-password' : '/home';
}

/** Where nothing else is due, who came by a notification is led to what it was about. */
function leadsTo(session: Parameters<typeof pathAfterSignIn>[0]): string {
  const due = pathAfterSignIn(session);
  return due === '/home' ? (takeAsked() ?? due) : due;
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
  return leadsTo(session);
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
  return leadsTo(next);
}

/**
 * Signs out. The session of this browser ends also when the call fails or the network is gone (CAR-11).
 */
export async function signOut(): Promise<void> {
  const userId = readSession()?.userId;
  takeAsked();
  if (userId) tellTabs({ kind: 'signedOut', userId });
  await leave();
}

/** The other tabs of a player sign out with this one, whether they share its session or have their own. */
export function signOutWithOtherTabs(userId: number): () => void {
  return onTabs((message) => {
    if (message.kind === 'signedOut' && message.userId === userId) void leave();
  });
}

function leave(): Promise<void> {
  return keepingLooks(() => {
    const farewell = api(CALLS.auth.logout, {}, { quiet: true, timeoutMs: 5000 }).catch(() => null);
    endSession('signedOut');
    return farewell;
  });
}

/** Changes the password, which ends every session of the player. Rejects with ApiError, whose field belongs to the form. */
export async function changePassword(body: BodyOf<typeof CALLS.auth.changePassword>): Promise<void> {
  await endSessionBy('passwordChanged', () =>
    keepingLooks(() => api(CALLS.auth.changePassword, { body }, { quiet: true })),
  );
}

/** These answers may clear the site's storage; what this browser chose for its looks is no secret and comes back. */
async function keepingLooks(work: () => Promise<unknown>): Promise<void> {
  const looks = Object.entries(localStorage);
  await work();
  for (const [key, value] of looks) localStorage.setItem(key, value);
}
