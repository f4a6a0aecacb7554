import { type Session, startSession } from '../src/session/session.ts';

/** The session of a player who has nothing to do but play. */
export const sessionOf = (over: Partial<Session> = {}): Session => ({
  token: 't',
  userId: 7,
  forceChangePassword: false,
  isAuthenticator: true,
  authType: 0,
  isDemo: false,
  ...over,
});

export const signedIn = (over: Partial<Session> = {}): void => startSession(sessionOf(over));
