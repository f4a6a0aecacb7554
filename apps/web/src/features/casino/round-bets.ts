import { CALLS, eq, type PlacedBet } from '@fairgame/contract';
import { useMemo } from 'react';
import { useCall } from '../../api/queries.ts';
import { sideOf, usePositions } from '../../betting/positions.ts';
import type { Mine } from './odds-cells.tsx';

export interface RoundBets {
  rows: readonly PlacedBet[];
  /** What the round brought, minor units; null while a bet of it waits for the result or there is none. */
  netMinor: number | null;
  mine: ReadonlyMap<number, Mine>;
}

/** The player's bets of one round, with their results once it is over. Read again with every private event. */
export function useRoundBets(matchId: number, betId: number): RoundBets {
  const { data } = useCall(
    CALLS.bets.list,
    { query: { betId: eq(betId), sort: 'betPlaced.createdAt:DESC', limit: '100' } },
    { enabled: betId > 0 },
  );
  const position = usePositions(matchId).get(betId);
  return useMemo(() => {
    const rows = (data?.rows ?? []).filter((bet) => bet.betId === betId && bet.deleteReason === null);
    const mine = new Map<number, Mine>();
    for (const bet of rows) {
      const own = mine.get(bet.runnerId) ?? { back: 0, lay: 0, net: null };
      if (sideOf(bet) === 'BACK') own.back += bet.matched;
      else own.lay += bet.matched;
      mine.set(bet.runnerId, own);
    }
    for (const { runnerId, win, lose, net } of position?.runners ?? []) {
      if (win === 0 && lose === 0 && net === 0) continue;
      const own = mine.get(runnerId);
      if (own) own.net = net;
      else mine.set(runnerId, { back: 0, lay: 0, net });
    }
    const waits = rows.some((bet) => bet.result === 'PENDING' || bet.result === 'UNDECLARE');
    const netMinor = rows.length === 0 || waits ? null : rows.reduce((sum, bet) => sum + bet.profitLoss, 0);
    return { rows, netMinor, mine };
  }, [data, position, betId]);
}
