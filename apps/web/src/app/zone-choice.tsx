import { CALLS, zoneNamed } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCall } from '../api/api.ts';
import { SelectInput } from '../ui/field.tsx';
import { keepZone } from './own-zone.ts';

/** Browsers name it as it was called before 2001. */
const nameOf = (zone: string): string => zone.replace('Calcutta', 'Kolkata').replaceAll('_', ' ');

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
