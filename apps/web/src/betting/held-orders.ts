import { CALLS } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { api, refresh, useCall } from '../api/api.ts';
import { newKey } from '../platform/key.ts';
import { toast } from '../platform/toasts.ts';

/** Orders that the server holds for the player until a price, a match or a time: read and taken back. */

/** Those that wait, oldest first: of one market, or all. */
export const useHeldOrders = (marketId?: number) =>
  useCall(
    CALLS.trader.conditionals,
    { query: marketId === undefined ? {} : { betId: String(marketId) } },
    { keep: true },
  );

/** Takes back one, those of a market, or all. */
export async function releaseHeld(which: { id?: number; betId?: number }): Promise<void> {
  try {
    const { cancelled } = await api(
      CALLS.trader.cancelConditional,
      { body: { key: newKey(), ...which } },
      { quiet: 'success' },
    );
    // It may have fired, or ended, since the list was read.
    if (cancelled === 0) toast.info(t`Nothing was changed.`);
    else toast.success(plural(cancelled, { one: '# order taken back', other: '# orders taken back' }));
  } catch {
    // The call told the player already.
  } finally {
    refresh(CALLS.trader.conditionals);
  }
}
