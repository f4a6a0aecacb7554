import { type BodyOf, CALLS, type ConditionalOrder } from '@fairgame/contract';
import { ApiError, api, refresh, useCall } from '../api/api.ts';
import { formatOdds, formatStake, formatTime } from '../platform/format.ts';
import { newKey } from '../platform/key.ts';
import { toast } from '../platform/toasts.ts';

/** Orders that the server holds for the player until a price, a match or a time: read, made and taken back. */

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
    toast.success(cancelled === 1 ? 'Order taken back' : `${cancelled} orders taken back`);
  } catch {
    // The call told the player already.
  } finally {
    refresh(CALLS.trader.conditionals);
  }
}

export const HELD_WORDS: Readonly<Record<ConditionalOrder['kind'], string>> = {
  STOP: 'Stop',
  PROFIT: 'Take profit',
  TRAIL: 'Trailing stop',
  OFFSET: 'Offset',
  EXPIRE: 'Ends',
};

const ticksText = (ticks: number | null): string => (ticks === 1 ? '1 tick' : `${ticks} ticks`);

/** When it acts: "at 2.18", "3 ticks behind, at 2.30 now". */
export function whenHeld(order: ConditionalOrder): string {
  const { kind, trigger, ticks, dueAt, forBet } = order;
  if (kind === 'EXPIRE') return dueAt ? `at ${formatTime(Date.parse(dueAt))}` : 'with its time';
  if (kind === 'OFFSET') return `${ticksText(ticks)} from bet ${forBet}, once it is matched`;
  const at = trigger === null ? '' : formatOdds(trigger);
  if (kind === 'TRAIL') return at ? `${ticksText(ticks)} behind, at ${at} now` : `${ticksText(ticks)} behind`;
  return `at ${at}`;
}

/** What it does then: "Lay 12.50 at 2.24 or better". */
export function whatHeld(order: ConditionalOrder): string {
  const { kind, bettingType, stake, odd, forBet, level } = order;
  if (kind === 'EXPIRE') return `Cancels what is unmatched of bet ${forBet}`;
  const side = bettingType === 'BACK' ? 'Back' : 'Lay';
  if (kind === 'OFFSET') return level ? `${side}, the same result whatever wins` : `${side} what was matched`;
  return `${side} ${formatStake(stake ?? 0)}${odd === null ? ' at the best price' : ` to ${formatOdds(odd)}`}`;
}

/** Its end in words. */
export function endHeld({ status, code, placed }: Pick<ConditionalOrder, 'status' | 'code' | 'placed'>): string {
  if (status === 'WAITING') return 'Waiting';
  if (status === 'FIRED') return placed === null ? 'Done' : `Placed bet ${placed}`;
  const why = END_WORDS[code ?? ''] ?? code?.replaceAll('_', ' ').toLowerCase() ?? '';
  return status === 'FAILED' ? `Failed: ${why}` : `Over: ${why}`;
}

const END_WORDS: Readonly<Record<string, string>> = {
  CANCELLED: 'taken back',
  OTHER_FIRED: 'another of its group acted',
  BET_ENDED: 'its bet is over',
  MARKET_CLOSED: 'the market has its result',
  FIELD_CHANGED: 'a runner left or came back',
  LAPSED_IN_PLAY: 'the market went in play',
  INSUFFICIENT_FUNDS: 'not enough money',
  EXPOSURE_LIMIT: 'the exposure limit',
  ACCOUNT_BLOCKED: 'the account may not bet',
};
