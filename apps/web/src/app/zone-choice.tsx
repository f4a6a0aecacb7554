import { CALLS, type Profile, zoneNamed } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { api, queryClient, useCall } from '../api/api.ts';
import { setTimeZone } from '../platform/zone.ts';
import { SelectInput } from '../ui/field.tsx';

/** Browsers name it as it was called before 2001. */
const nameOf = (zone: string): string => zone.replace('Calcutta', 'Kolkata').replaceAll('_', ' ');

/** With the account first: reports of the server and the page tell the same days. Null: as if nothing had been chosen. */
async function keepZone(to: string | null): Promise<void> {
  const { timeZone } = await api(CALLS.account.saveTimeZone, { body: { timeZone: to } });
  queryClient.setQueryData<Profile>([CALLS.account.profile.name, {}], (held) => held && { ...held, timeZone });
  setTimeZone(timeZone);
}

/** Of the player who is signed in: by whose clock his days and hours are told. */
export function ZoneChoice() {
  const own = useCall(CALLS.account.profile, {}).data?.timeZone;
  if (own === undefined) return null;
  const chosen = own && zoneNamed(own);
  const zones = Intl.supportedValuesOf('timeZone');
  if (chosen && !zones.includes(chosen)) zones.unshift(chosen);
  return (
    <SelectInput
      aria-label={t`Time zone`}
      value={chosen ?? ''}
      // What failed was told by the call, and the choice is as it was.
      onChange={(event) => void keepZone(event.target.value || null).catch(() => undefined)}
      options={[
        { value: '', label: t`Time zone of this device` },
        ...zones.map((zone) => ({ value: zone, label: nameOf(zone) })),
      ]}
    />
  );
}
