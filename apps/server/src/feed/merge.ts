/** Prices that were told one after the other become one command a market: only the newest of each runner is worth a commit. */
import type { Command, MarketId } from '@fairgame/exchange';
import type { FeedOutput } from './feed.ts';

type CommandOutput = Extract<FeedOutput, { type: 'command' }>;

/** Anything else that is said of a market stays where it was between its prices. Nothing given is changed. */
export function mergePrices<T extends { output: FeedOutput }>(queue: readonly T[]): T[] {
  const merged: T[] = [];
  /** Where the prices of a market stand, as long as nothing else was said of it. */
  const open = new Map<MarketId, number>();
  for (const item of queue) {
    const { output } = item;
    const marketId = output.type === 'command' ? marketOf(output.command) : undefined;
    if (output.type !== 'command' || marketId === undefined) {
      merged.push(item);
      continue;
    }
    const at = open.get(marketId);
    const both = at === undefined ? null : together(merged[at]!.output as CommandOutput, output.command);
    if (at !== undefined && both) merged[at] = { ...item, output: { ...output, command: both } };
    else {
      if (isPrice(output.command)) open.set(marketId, merged.length);
      else open.delete(marketId);
      merged.push(item);
    }
  }
  return merged;
}

export function isPrice(command: Command): boolean {
  return command.type === 'house.book' || (command.type === 'house.quotes' && command.names === undefined);
}

function marketOf(command: Command): MarketId | undefined {
  if (command.type === 'market.create') return command.market.marketId;
  return 'marketId' in command ? command.marketId : undefined;
}

function together({ command: first }: CommandOutput, next: Command): Command | null {
  if (first.type === 'house.book' && next.type === 'house.book')
    return { ...first, runners: newest(first.runners, next.runners) };
  if (first.type === 'house.quotes' && next.type === 'house.quotes' && next.names === undefined)
    return { ...first, rows: newest(first.rows, next.rows) };
  return null;
}

function newest<T extends { runnerId: number }>(first: readonly T[], next: readonly T[]): T[] {
  const byRunner = new Map(first.map((one) => [one.runnerId, one]));
  for (const one of next) byRunner.set(one.runnerId, one);
  return [...byRunner.values()];
}
