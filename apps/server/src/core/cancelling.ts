/**
 * Cancels all that rests of an account, many bets in several commands, so that others' come between. Each market goes whole;
 * a bet of a later one may be matched meanwhile, as it may be before a cancel is there.
 */
import type { Command } from '@fairgame/exchange';
import { ownBets } from './bet-ids.ts';
import type { Answer, Core, Request } from './types.ts';

type CancelAll = Extract<Command, { type: 'order.cancelAll' }>;

/** About 20 ms of the database; a market holds 1,000 bets of an account at most. */
const AT_ONCE = 500;

/**
 * Answers when nothing rests any more, with the ids of the bets that were cancelled and with the last answer. Under a key that
 * is the same however often it is asked, and goes on where an earlier try was cut off.
 */
export async function cancelAll(
  core: Pick<Core, 'submit'>,
  command: CancelAll,
  { expiresAt, key, ...asked }: Omit<Request, 'command'>,
  units = AT_ONCE,
): Promise<{ betIds: Set<number>; last: Answer }> {
  const request = { ...asked, command: command.marketId === undefined ? { ...command, units } : command };
  const betIds = new Set<number>();
  for (let part = 0; ; part++) {
    const keyed = key === undefined ? {} : { key: part === 0 ? key : `${key}:${part}` };
    // What has begun goes on, however late.
    const last = await core.submit({ ...request, ...keyed, ...(part === 0 ? { expiresAt } : {}) });
    const before = betIds.size;
    for (const bet of ownBets(last.events, command.accountId)) betIds.add(bet.betId);
    if (command.marketId !== undefined || betIds.size - before < units) return { betIds, last };
  }
}
