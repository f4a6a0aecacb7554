import { type BodyOf, CALLS, type ConditionalOrder, type PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { ApiError, api, errorText, refresh } from '../api/api.ts';
import { newKey } from '../platform/key.ts';
import { toast } from '../platform/toasts.ts';

/** What the server is asked to hold for a bet once that is placed, and orders that it holds in general. */

export interface After {
  /** Ticks from the bet at which its other side is placed once it is matched; 0: none. */
  offset: number;
  /** Seconds after which what is unmatched ends; 0: never. */
  seconds: number;
}

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

/** The bet stands also where one of these is refused: then the player is told. */
export async function holdAfter(bet: PlacedBet, { offset, seconds }: After): Promise<void> {
  const held = { betId: bet.betId, id: bet.id };
  const open = bet.remaining > 0 || bet.status === 'PENDING';
  try {
    if (offset > 0 && (open || bet.matched > 0))
      await holdOrder({ ...held, kind: 'OFFSET', ticks: offset, level: true });
    if (seconds > 0 && open) await holdOrder({ ...held, kind: 'EXPIRE', seconds });
  } catch (error) {
    toast.error(t`The bet stands without its offset or end: ${{ reason: errorText(error) }}`);
  }
}
