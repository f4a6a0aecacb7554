import { CALLS, COUNT, type Profile } from '@fairgame/contract';
import { useEffect } from 'react';
import { useCall } from '../api/api.ts';
import { takeWallet } from '../live/live.ts';
import { buttonPairs } from './button-pairs.ts';

/** The player's profile; its balance goes into the live wallet, where events keep it fresh. */
export function useProfile(): Profile | undefined {
  const { data } = useCall(CALLS.account.profile, {});
  useEffect(() => {
    if (data) takeWallet(data.userBal);
  }, [data]);
  return data;
}

export interface StakeButton {
  label: string;
  /** Minor units. */
  stakeMinor: number;
}

/** The player's stake buttons of a kind, from the profile. */
export function useStakeButtons(type: 'Match' | 'Casino' = 'Match'): StakeButton[] {
  const profile = useProfile();
  return readButtons(type === 'Match' ? profile?.buttonValues.value : profile?.buttonValues2.value);
}

/** JSON text of label to whole units; what does not fit is left out. */
export function readButtons(value: string | undefined): StakeButton[] {
  return buttonPairs(value)
    .map(([label, units]) => ({ label, stakeMinor: units * 100 }))
    .filter((button) => button.label !== '' && Number.isSafeInteger(button.stakeMinor) && button.stakeMinor > 0)
    .slice(0, COUNT.buttonRows);
}
