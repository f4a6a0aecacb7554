/**
 * What is said of a market whose result is being booked, or taken back, waits in a line of its own until that is over, so
 * that nothing of it is lost and other markets go on.
 */
import type { Command, MarketId } from '@fairgame/exchange';
import type { Request } from '../core/types.ts';
import type { FeedOutput } from './feed.ts';
import { mergePrices } from './merge.ts';

export interface Lines {
  /** Of these requests those that may be sent; the others wait. */
  pass(requests: readonly Request[]): Request[];
  /**
   * Requests that were sent together, and which of them came too early. These wait, and so does what was sent behind them of
   * their markets: said again after them, it is the last word again. Answers where in `sent` those stand that wait now.
   */
  early(sent: readonly Request[], isEarly: (at: number) => boolean): Set<number>;
  /** Takes out what waits no longer. */
  ready(): Request[];
  hasReady(): boolean;
  waiting(): number;
}

type Line = Array<{ output: Extract<FeedOutput, { type: 'command' }>; request: Request }>;

export function createLines(isSettling: (marketId: MarketId) => boolean): Lines {
  const lines = new Map<MarketId, Line>();

  /** Said again it is said anew: under no key that it was said under before. */
  function enqueue(marketId: MarketId, said: Request): void {
    const { key: _key, keyIsNew: _isNew, ...request } = said;
    const line = [
      ...(lines.get(marketId) ?? []),
      { output: { type: 'command' as const, command: request.command }, request },
    ];
    lines.set(marketId, mergePrices(line));
  }

  return {
    pass: (requests) =>
      requests.filter((request) => {
        const marketId = marketOf(request.command);
        if (marketId === undefined || !(lines.has(marketId) || isSettling(marketId))) return true;
        enqueue(marketId, request);
        return false;
      }),
    early(sent, isEarly) {
      const markets = new Set<MarketId>();
      const waiting = new Set<number>();
      sent.forEach((request, i) => {
        const marketId = marketOf(request.command);
        if (marketId === undefined) return;
        if (isEarly(i)) markets.add(marketId);
        if (!markets.has(marketId)) return;
        enqueue(marketId, request);
        waiting.add(i);
      });
      return waiting;
    },
    ready() {
      const requests: Request[] = [];
      for (const [marketId, line] of lines) {
        if (isSettling(marketId)) continue;
        lines.delete(marketId);
        for (const { output, request } of line) requests.push({ ...request, command: output.command });
      }
      return requests;
    },
    hasReady: () => [...lines.keys()].some((marketId) => !isSettling(marketId)),
    waiting: () => [...lines.values()].reduce((sum, line) => sum + line.length, 0),
  };
}

function marketOf(command: Command): MarketId | undefined {
  return 'marketId' in command ? command.marketId : undefined;
}
