import { CALLS } from '@fairgame/contract';
import { useCall } from '../api/api.ts';
import { formatDuration } from '../platform/format.ts';
import { useServerNow } from '../platform/use-server-now.ts';
import { useSession } from '../session/session.ts';

/** How long this visit has lasted, by the one clock there is: it began when the server says. */
export function SessionClock() {
  const session = useSession();
  const startedAt = useCall(CALLS.account.profile, {}, { enabled: session !== null }).data?.visitStartedAt;
  const now = useServerNow();
  return startedAt ? formatDuration(Math.max(0, now - Date.parse(startedAt))) : '\u2013';
}
