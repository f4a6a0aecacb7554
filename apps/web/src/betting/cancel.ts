import { CALLS } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { api, refreshBets } from '../api/api.ts';
import { takeWallet } from '../live/live.ts';
import { newKey } from '../platform/key.ts';
import { toast } from '../platform/toasts.ts';

/** Cancels the unmatched rest of one bet, or of all (of a market). One toast says so, however many calls it took. */
export function useCancel() {
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<string>) => {
    setBusy(true);
    try {
      toast.success(await work());
    } catch {
      // The call told the player already.
    } finally {
      setBusy(false);
      refreshBets();
    }
  };
  return {
    busy,
    cancel: (id: number) =>
      act(async () => {
        const { wallet } = await api(CALLS.bets.cancel, { body: { key: newKey(), id } }, { quiet: 'success' });
        takeWallet(wallet);
        return t`Bet cancelled`;
      }),
    /** All unmatched bets of the named markets; of every market when none is named. */
    cancelAll: (marketIds: readonly number[]) =>
      act(async () => {
        let count = 0;
        for (const betId of marketIds.length === 0 ? [undefined] : new Set(marketIds)) {
          const body = { key: newKey(), ...(betId ? { betId } : {}) };
          const { cancelled, wallet } = await api(CALLS.bets.cancelAll, { body }, { quiet: 'success' });
          takeWallet(wallet);
          count += cancelled;
        }
        return plural(count, { one: '# bet cancelled', other: '# bets cancelled' });
      }),
  };
}
