import { CALLS, eq, inArr, type PlacedBet, type ReplyOf } from '@fairgame/contract';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useAllBets, useCall } from '../api/api.ts';
import { knowBets, onOwnBet, ownBet } from '../live/live.ts';
import { isDeleted } from './bet-state.ts';

export type MarketPosition = ReplyOf<typeof CALLS.bets.positions>[number];

/** The player's standing per market of a match, matched bets only. */
export const usePositions = (matchId: number): Map<number, MarketPosition> => useStandings(matchId).open;

/** What markets of a match that are over paid the player, for half an hour after their results. */
export const usePaid = (matchId: number): Map<number, NonNullable<MarketPosition['paid']>> =>
  useStandings(matchId).paid;

function useStandings(matchId: number) {
  const { data } = useCall(
    CALLS.bets.positions,
    { query: { matchId: String(matchId) } },
    { keep: true, enabled: matchId > 0 },
  );
  return useMemo(() => {
    const open = new Map<number, MarketPosition>();
    const paid = new Map<number, NonNullable<MarketPosition['paid']>>();
    for (const one of data ?? []) {
      if (one.paid) paid.set(one.betId, one.paid);
      else open.set(one.betId, one);
    }
    return { open, paid };
  }, [data]);
}

/** Open bets, those that wait first, then the newest; of one match or of all. Of more than a hundred the last are left out. */
export function useOpenBets(matchId?: number) {
  const read = useCall(
    CALLS.bets.list,
    {
      query: {
        result: inArr(['PENDING', 'UNDECLARE']),
        ...(matchId ? { 'betPlaced.matchId': eq(matchId) } : {}),
        // No sort: those that wait come first by themselves, and a gateway that is a version behind need not know how.
        limit: '100',
      },
    },
    { keep: true },
  );
  const rows = read.data?.rows;
  useEffect(() => {
    if (rows) knowBets(rows);
  }, [rows]);
  return read;
}

const NONE = { rows: [], total: 0 } as const satisfies Partial<ReplyOf<typeof CALLS.bets.list>>;

/**
 * Bets of a match, all of those among them that wait in this market; `readAt`: when. Where a hundred that wait are not all of the
 * match, those of the market are read to the last: one that is not there could be neither seen on a ladder nor cancelled there.
 */
export function useMarketBets(matchId: number, marketId: number) {
  const open = useOpenBets(matchId);
  const { rows, total } = open.data ?? NONE;
  // Those that wait come first: behind one that does not there is none.
  const isCut = rows.length < total && rows.at(-1)?.status !== 'COMPLETE';
  const all = useAllBets({ betId: eq(marketId), status: inArr(['PENDING', 'EXECUTABLE']) }, isCut);
  const waiting = isCut ? all.data : undefined;
  useEffect(() => {
    if (waiting) knowBets(waiting);
  }, [waiting]);
  return { rows: waiting ?? rows, total, readAt: waiting ? all.dataUpdatedAt : open.dataUpdatedAt };
}

/** A bet as last heard of, from an answer on: also after it has left the open bets. */
export function useOwnBet(answered: PlacedBet): PlacedBet {
  const listen = useCallback((listener: () => void) => onOwnBet(answered.id, listener), [answered.id]);
  const heard = useSyncExternalStore(listen, () => ownBet(answered.id));
  return heard && heard.version > answered.version ? heard : answered;
}

/** On which sides of which runners the player has open bets: `${marketId}.${runnerId}.${BACK|LAY}`. */
export function useBetMarks(matchId: number): ReadonlySet<string> {
  const { data } = useOpenBets(matchId);
  return useMemo(
    () =>
      new Set(
        (data?.rows ?? []).filter((bet) => !isDeleted(bet)).map((bet) => markOf(bet.betId, bet.runnerId, sideOf(bet))),
      ),
    [data],
  );
}

export const markOf = (marketId: number, runnerId: number, side: 'BACK' | 'LAY'): string =>
  `${marketId}.${runnerId}.${side}`;
export const sideOf = (bet: Pick<PlacedBet, 'betType'>): 'BACK' | 'LAY' =>
  bet.betType === 'BACK' || bet.betType === 'YES' ? 'BACK' : 'LAY';
