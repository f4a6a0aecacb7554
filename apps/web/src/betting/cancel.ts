import { type BodyOf, CALLS } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import { ApiError, api, atItsPace, errorText, refreshBets } from '../api/api.ts';
import { takeWallet } from '../live/live.ts';
import { newKey } from '../platform/key.ts';
import { toast } from '../platform/toasts.ts';
import { eachWaiting } from './change-bet.ts';

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
    } catch (failure) {
      // A session that is over is told by its end.
      if (!(failure instanceof ApiError) || failure.status !== 401) toast.error(errorText(failure));
    } finally {
      setBusy(false);
      refreshBets();
    }
  };
  const each = async (ids: readonly number[]) =>
    cancelledOf(
      await eachWaiting(ids, async (id) => {
        const body = { key: newKey(), id };
        const { wallet } = await atItsPace(() => api(CALLS.bets.cancel, { body }, { quiet: true }));
        takeWallet(wallet);
      }),
    );
  const all = async (of: Omit<BodyOf<typeof CALLS.bets.cancelAll>, 'key'>) => {
    const { cancelled, wallet } = await api(CALLS.bets.cancelAll, { body: { key: newKey(), ...of } }, { quiet: true });
    takeWallet(wallet);
    return cancelled;
  };
  return {
    cancel: (id: number) => act(() => each([id])),
    /** The unmatched rest of each. */
    cancelEach: (ids: readonly number[]) => act(() => each(ids)),
    /** All unmatched bets of the named markets; of every market when none is named. */
    cancelAll: (marketIds: readonly number[]) =>
      act(async () => {
        let count = 0;
        for (const betId of marketIds.length === 0 ? [undefined] : new Set(marketIds))
          count += await all(betId ? { betId } : {});
        return cancelledWords(count);
      }),
    /** What waits for one runner of a market, or on one side of it: one command, however many there are. */
    cancelRunner: (betId: number, runnerId: number, side: 'BACK' | 'LAY' | null) =>
      act(async () => cancelledOf(await all({ betId, runnerId, ...(side === null ? {} : { side }) }))),
  };
}

const cancelledWords = (count: number): string => plural(count, { one: '# bet cancelled', other: '# bets cancelled' });
const cancelledOf = (count: number): string => (count === 1 ? t`Bet cancelled` : cancelledWords(count));
