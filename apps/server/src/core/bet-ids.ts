/** Which bet ids a command takes: they are given out when it is applied, in the order of the log. */
import type { AccountId, Bet, Command, Event } from '@fairgame/exchange';

/** The first id and how many follow one another; null for a command that places nothing. */
export function betIdsOf(command: Command | undefined): { first: number; count: number } | null {
  switch (command?.type) {
    case 'order.place':
    case 'quote.take':
      return { first: command.betId, count: 1 };
    case 'order.replace':
      return { first: command.newBetId, count: 1 };
    case 'orders.place':
      return { first: command.betId, count: command.orders.length };
    case 'quotes.take':
      return { first: command.betId, count: command.takes.length };
    case 'bets.hedge':
      return { first: command.betId, count: command.legs.length };
    default:
      return null;
  }
}

/** The command with its ids, the first behind `last`. */
export function numbered(command: Command, last: number): Command {
  if (command.type === 'order.replace') return { ...command, newBetId: last + 1 };
  return { ...command, betId: last + 1 } as Command;
}

/** The bet an accepted command is about: the first it placed, or the one it changed without placing another. */
export function toldBetId(command: Command | undefined, events: readonly Event[]): number | null {
  const ids = betIdsOf(command);
  if (ids === null) return null;
  if (command?.type !== 'order.replace') return ids.first;
  return events.some((event) => event.type === 'bet' && event.bet.betId === ids.first) ? ids.first : command.betId;
}

/** The account's bets that a command was about: without those its conditional orders became meanwhile. */
export function ownBets(events: readonly Event[], accountId: AccountId): Bet[] {
  const fired = new Set<number>();
  const own: Bet[] = [];
  for (const event of events) {
    if (event.type === 'conditional') fired.add(event.conditional.betId ?? 0);
    else if (event.type === 'bet' && event.bet.accountId === accountId) own.push(event.bet);
  }
  return fired.size === 0 ? own : own.filter((bet) => !fired.has(bet.betId));
}
