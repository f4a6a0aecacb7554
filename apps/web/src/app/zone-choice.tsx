import { CALLS, type Profile, zoneNamed } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { api, queryClient, useCall } from '../api/api.ts';
import { locale } from '../platform/language.ts';
import { setTimeZone } from '../platform/zone.ts';
import { SelectInput } from '../ui/field.tsx';

/** Browsers name it as it was called before 2001. */
const nameOf = (zone: string): string => zone.replace('Calcutta', 'Kolkata').replaceAll('_', ' ');

/** All clocks of the browser by the name that everybody has for them; before it, in other languages, what its people say. */
function zonesIn(locale: string): Array<{ value: string; label: string }> {
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: nameOf(zone) }));
  if (locale === 'en-GB') return zones;
  const said = zones.map(({ value, label }) => {
    const clock = new Intl.DateTimeFormat(locale, { timeZone: value, timeZoneName: 'longGeneric' });
    const words = clock.formatToParts().find(({ type }) => type === 'timeZoneName')?.value;
    return { value, label: words ? `${words} \u00b7 ${label}` : label };
  });
  return said.toSorted((a, b) => a.label.localeCompare(b.label, locale));
}

/** With the account first: reports of the server and the page tell the same days. Null: as if nothing had been chosen. */
async function keepZone(to: string | null): Promise<void> {
  const { timeZone } = await api(CALLS.account.saveTimeZone, { body: { timeZone: to } });
  queryClient.setQueryData<Profile>([CALLS.account.profile.name, {}], (held) => held && { ...held, timeZone });
  setTimeZone(timeZone);
}

/** Of the player who is signed in: by whose clock his days and hours are told. */
export function ZoneChoice() {
  const own = useCall(CALLS.account.profile, {}).data?.timeZone;
  const speaks = locale();
  const zones = useMemo(() => zonesIn(speaks), [speaks]);
  if (own === undefined) return null;
  const chosen = own && zoneNamed(own);
  const missing = chosen && !zones.some(({ value }) => value === chosen);
  return (
    <SelectInput
      aria-label={t`Time zone`}
      value={chosen ?? ''}
      // What failed was told by the call, and the choice is as it was.
      onChange={(event) => void keepZone(event.target.value || null).catch(() => undefined)}
      options={[
        { value: '', label: t`Time zone of this device` },
        ...(missing ? [{ value: chosen, label: nameOf(chosen) }] : []),
        ...zones,
      ]}
    />
  );
}
