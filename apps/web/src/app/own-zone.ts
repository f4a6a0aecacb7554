import { CALLS, type Profile } from '@fairgame/contract';
import { useEffect } from 'react';
import { api, queryClient } from '../api/api.ts';
import { setTimeZone } from '../platform/zone.ts';

/** The clock of the account counts wherever the player signs in; an account without one leaves the device's. */
export function useOwnZone(own: Profile['timeZone'] | undefined): void {
  useEffect(() => {
    if (own !== undefined) setTimeZone(own);
  }, [own]);
}

/** With the account first: reports of the server and the page tell the same days. Null: as if nothing had been chosen. */
export async function keepZone(to: string | null): Promise<void> {
  const { timeZone } = await api(CALLS.account.saveTimeZone, { body: { timeZone: to } });
  queryClient.setQueryData<Profile>([CALLS.account.profile.name, {}], (held) => held && { ...held, timeZone });
  setTimeZone(timeZone);
}
