import { CALLS, eq, inArr, type PlacedBet, type ReplyOf } from '@fairgame/contract';
import { useMemo } from 'react';
import { useCall } from '../api/queries.ts';

export type MarketPosition = ReplyOf<typeof CALLS.bets.positions>[number];

/** The player's standing per market of a match, matched bets only. */
export function usePositions(matchId: number): Map<number, MarketPosition> {
  const { data } = useCall(CALLS.bets.positions, { query: { matchId: String(matchId) } }, { keep: true });
  return useMemo(() => new Map((data ?? []).map((position) => [position.betId, position])), [data]);
}

/** Open bets, newest first; of one match or of all. */
export function useOpenBets(matchId?: number) {
  return useCall(
    CALLS.bets.list,
    {
      query: {
        result: inArr(['PENDING', 'UNDECLARE']),
        ...(matchId ? { 'betPlaced.matchId': eq(matchId) } : {}),
        sort: 'betPlaced.createdAt:DESC',
        limit: '100',
      },
    },
    { keep: true },
  );
}

/** On which sides of which runners the player has open bets: `${marketId}.${runnerId}.${BACK|LAY}`. */
export function useBetMarks(matchId: number): ReadonlySet<string> {
  const { data } = useOpenBets(matchId);
  return useMemo(
    () =>
      new Set(
        (data?.rows ?? [])
          .filter((bet) => bet.deleteReason === null)
          .map((bet) => markOf(bet.betId, bet.runnerId, sideOf(bet))),
      ),
    [data],
  );
}

export const markOf = (marketId: number, runnerId: number, side: 'BACK' | 'LAY'): string =>
  `${marketId}.${runnerId}.${side}`;
export const sideOf = (bet: Pick<PlacedBet, 'betType'>): 'BACK' | 'LAY' =>
  bet.betType === 'BACK' || bet.betType === 'YES' ? 'BACK' : 'LAY';
