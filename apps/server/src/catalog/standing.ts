/** A player's standing in the markets of an event, in the shapes the event pages read (requirements MAT-06, FAN-01). */
import type { MatchDetails } from '@fairgame/contract';
import type { MarketId } from '@fairgame/exchange';
import type { Readings, World } from '../core/types.ts';

export interface Holder {
  world: World;
  accountId: number;
}

type Reader = Pick<Readings, 'myMarkets' | 'position'>;

export interface Standing {
  /** `{betId}_profitLoss_{matchId}` to JSON text of runnerId to minor units as text. */
  match: Record<string, string>;
  session: MatchDetails['profitLossDataSession'];
  /** Net per runner of each runner market. */
  net: Map<MarketId, Map<number, number>>;
}

export function standingIn(core: Reader, holder: Holder, eventId: number, marketIds: readonly MarketId[]): Standing {
  const standing: Standing = { match: {}, session: [], net: new Map() };
  const mine = new Set(core.myMarkets(holder.world, holder.accountId).map((market) => market.marketId));
  for (const marketId of marketIds) {
    if (!mine.has(marketId)) continue;
    const position = core.position(holder.world, holder.accountId, marketId);
    if (position.runs) {
      standing.session.push({
        betId: marketId,
        maxLoss: position.exposureMinor,
        totalBet: position.betCount,
        profitLoss: position.runs.map(({ run, profitMinor }) => ({ odds: run, profitLoss: profitMinor })),
      });
      continue;
    }
    const net = new Map(position.runners?.map((runner) => [runner.runnerId, runner.netMinor]));
    standing.net.set(marketId, net);
    const byRunner = Object.fromEntries([...net].map(([id, minor]) => [String(id), String(minor)]));
    standing.match[`${marketId}_profitLoss_${eventId}`] = JSON.stringify(byRunner);
  }
  return standing;
}
