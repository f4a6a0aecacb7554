import { type BodyOf, CALLS, type ConditionalOrder } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { ApiError, api, refresh, useCall } from '../api/api.ts';
import { newKey } from '../platform/key.ts';
import { toast } from '../platform/toasts.ts';

/** Orders that the server holds for the player until a price, a match or a time: made, read and taken back. */

/** Those that wait, oldest first: of one market, or all. */
export const useHeldOrders = (marketId?: number) =>
  useCall(
    CALLS.trader.conditionals,
    { query: marketId === undefined ? {} : { betId: String(marketId) } },
    { keep: true },
  );

type Wanted = Omit<BodyOf<typeof CALLS.trader.conditional>, 'key'>;

/** A lost answer is asked for by sending the same again under its key: it is made once. */
const TRIES = 4;

/** Rejects with the server's refusal. */
export async function holdOrder(wanted: Wanted): Promise<ConditionalOrder> {
  const body = { key: newKey(), ...wanted };
  for (let left = TRIES; ; left--) {
    try {
      const { order } = await api(CALLS.trader.conditional, { body }, { quiet: true });
      refresh(CALLS.trader.conditionals);
      return order;
    } catch (error) {
      if (left === 1 || !(error instanceof ApiError) || !error.unknown) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

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
