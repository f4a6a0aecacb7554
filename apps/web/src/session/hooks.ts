import { useSyncExternalStore } from 'react';
import { onSession, readSession, type Session } from './record.ts';

/** The session of this tab; the component follows sign-in and sign-out. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSession, readSession);
}
