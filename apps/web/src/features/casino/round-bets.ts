import { CALLS, eq, type PlacedBet } from '@fairgame/contract';
import { useEffect, useMemo } from 'react';
import { useCall } from '../../api/api.ts';
import { sideOf, usePositions } from '../../betting/betting.ts';
import { known, useChips } from './chips.ts';

/** What the player has on a field: the stakes, and what they brought once the round is over. */
export interface OnField {
  stakeMinor: number;
  resultMinor: number | null;
}

export interface RoundBets {
  rows: readonly PlacedBet[];
  /** What the round brought, minor units; null while a bet of it waits for the result or there is none. */
  netMinor: number | null;
  /** By `fieldOf` of a selection and side. */
  fields: ReadonlyMap<string, OnField>;
  /** By selection: what the round brings if it wins. */
  nets: ReadonlyMap<number, number>;
}

/** A choice of ranks or digits has a runner of its own above the thousands (server's numbering of choices). */
export const selectionIdOf = (runnerId: number): number => runnerId % 1000;
export const fieldOf = (selectionId: number, side: 'BACK' | 'LAY'): string => `${selectionId}.${side}`;

/** The player's bets of one round, with their results once it is over. Read again with every private event. */
export function useRoundBets(matchId: number, betId: number): RoundBets {
  const { data } = useCall(
    CALLS.bets.list,
    { query: { betId: eq(betId), sort: 'betPlaced.createdAt:DESC', limit: '100' } },
    { enabled: betId > 0 },
  );
  const position = usePositions(matchId).get(betId);
  const { sent } = useChips(matchId);
  const bets = useMemo(() => {
    const rows = (data?.rows ?? []).filter((bet) => bet.betId === betId && bet.deleteReason === null);
    const fields = new Map<string, OnField>();
    const add = (key: string, stakeMinor: number, resultMinor: number | null) => {
      const own = fields.get(key);
      fields.set(key, {
        stakeMinor: (own?.stakeMinor ?? 0) + stakeMinor,
        resultMinor: resultMinor === null ? null : (own?.resultMinor ?? 0) + resultMinor,
      });
    };
    const waits = (bet: PlacedBet) => bet.result === 'PENDING' || bet.result === 'UNDECLARE';
    for (const bet of rows)
      add(fieldOf(selectionIdOf(bet.runnerId), sideOf(bet)), bet.matched, waits(bet) ? null : bet.profitLoss);
    // What was taken a moment ago and is not in the list yet, and what is on its way.
    for (const bet of sent)
      if (bet.body.betId === betId && bet.fate !== 'password' && !rows.some(({ id }) => id === bet.betId))
        add(fieldOf(bet.selectionId, bet.side), bet.stakeMinor, null);
    const nets = new Map<number, number>();
    for (const { runnerId, win, lose, net } of position?.runners ?? [])
      if (win !== 0 || lose !== 0 || net !== 0) nets.set(selectionIdOf(runnerId), net);
    const netMinor = rows.length === 0 || rows.some(waits) ? null : rows.reduce((sum, bet) => sum + bet.profitLoss, 0);
    return { rows, netMinor, fields, nets };
  }, [data, position, betId, sent]);
  useEffect(() => {
    if (bets.rows.length > 0) known(matchId, new Set(bets.rows.map(({ id }) => id)));
  }, [matchId, bets.rows]);
  return bets;
}
