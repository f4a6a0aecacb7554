import { t } from '@lingui/core/macro';
import type { RefObject } from 'react';
import { typedAmount } from '../platform/format.ts';
import { useHotkey } from '../platform/hotkeys.ts';
import { clearSlip, type Draft, edit, isBusy } from '../slip/slip.ts';
import { announce } from '../ui/live-region.tsx';
import { focusOpener } from './keep-focus.ts';
import { useStakeButtons } from './profile.ts';
import { limitWords } from './slip-words.ts';

/**
 * The slip by keys, from wherever the keyboard is: `draft` is the bet they mean, `form` is sent as by its button, with its
 * question where the player wants one. `go` leads to another bet where there are several.
 */
export function useSlipKeys(
  form: RefObject<HTMLFormElement | null>,
  draft: Draft | undefined,
  go?: (by: 1 | -1) => void,
): void {
  const buttons = useStakeButtons('Match');
  const toStake = () => {
    const box = (placeOf(form.current, draft) ?? form.current)?.querySelector<HTMLInputElement>('[data-stake] input');
    box?.focus();
    // What stands there is typed over, never typed on.
    box?.select();
  };
  useHotkey('nextBet', () => (go ? go(1) : toStake()));
  useHotkey('previousBet', () => (go ? go(-1) : toStake()));
  useHotkey('stake', toStake);
  useHotkey('place', () => form.current?.requestSubmit());
  useHotkey('clear', () => {
    if (!draft || isBusy(draft)) return;
    clearSlip(draft.pressed);
    focusOpener();
  });
  useHotkey('stakes', (key) => {
    const button = buttons[Number(key) - 1];
    if (!draft || !button || isBusy(draft) || limitWords(draft, button.stakeMinor)) return;
    edit({ stakeText: typedAmount(button.stakeMinor) }, draft.pressed);
    announce(t`Stake ${{ stake: button.label }}`);
  });
}

/** Where a bet of several stands in the form. */
export const placeOf = (form: HTMLFormElement | null, draft: Draft | undefined): HTMLElement | null =>
  form?.querySelector<HTMLElement>(`[data-bet="${draft?.pressed}"]`) ?? null;
