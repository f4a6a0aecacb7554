import { CALLS } from '@fairgame/contract';
import { useCall } from '../api/queries.ts';
import { useServerNow } from '../api/use-server-now.ts';
import { useSession } from '../session/hooks.ts';
import { formatDuration } from '../ui/format.ts';

/** How long this visit has lasted, by the one clock there is: it began when the server says. */
export function SessionClock() {
  const session = useSession();
  const startedAt = useCall(CALLS.account.profile, {}, { enabled: session !== null }).data?.visitStartedAt;
  const now = useServerNow();
  return startedAt ? formatDuration(Math.max(0, now - Date.parse(startedAt))) : '\u2013';
}
