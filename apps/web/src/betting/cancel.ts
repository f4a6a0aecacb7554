import { CALLS } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import { api, refreshBets } from '../api/api.ts';
import { takeWallet } from '../live/live.ts';
import { newKey } from '../platform/key.ts';
import { toast } from '../platform/toasts.ts';

/** Cancels the unmatched rest of one bet, or of all (of a market). One toast says so, however many calls it took. */
export function useCancel() {
  const [busy, setBusy] = useState(false);
  // The same for the life of the caller: rows that are given them are not drawn anew for them.
  const deeds = useMemo(() => deedsOf(setBusy), []);
  return { busy, ...deeds };
}

function deedsOf(setBusy: (busy: boolean) => void) {
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
  const each = async (ids: readonly number[]) => {
    for (const id of ids) {
      const { wallet } = await api(CALLS.bets.cancel, { body: { key: newKey(), id } }, { quiet: 'success' });
      takeWallet(wallet);
    }
    return ids.length === 1 ? t`Bet cancelled` : cancelledWords(ids.length);
  };
  return {
    cancel: (id: number) => act(() => each([id])),
    /** The unmatched rest of each. */
    cancelEach: (ids: readonly number[]) => act(() => each(ids)),
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
        return cancelledWords(count);
      }),
  };
}

const cancelledWords = (count: number): string => plural(count, { one: '# bet cancelled', other: '# bets cancelled' });
