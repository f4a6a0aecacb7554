import { useState } from 'react';
import { useLevel, useMarket, useWallet, useWatch } from '../live/live.ts';
import { typedMinor } from '../platform/format.ts';
import { type Draft, useBettingOff } from '../slip/slip.ts';
import { useClosed } from './closed-words.ts';
import { shortageOf, takes } from './funds.ts';
import { useOpenBets, usePositions } from './positions.ts';
import { stakeTrouble } from './slip-words.ts';
import { outcomeOf, positionAfter } from './sums.ts';

/** What the form knows of its bet: figures, what is missing, and why it cannot be placed now. */
export function useBet(draft: Draft) {
  const market = useOwnMarket(draft);
  const position = usePositions(draft.matchId).get(draft.marketId);
  const { data: open } = useOpenBets(draft.matchId);
  const wallet = useWallet();
  const off = useBettingOff();
  const best = useLevel(draft.marketId, draft.runnerId, draft.side === 'BACK' ? 'back' : 'lay', 0);
  const stake = typedMinor(draft.stakeText) ?? 0;
  const runner = market?.runners.find((one) => one.id === draft.runnerId);
  const closed = useClosed(draft.marketId, market, runner);
  const taken = draft.kind !== 'book' || (best !== null && takes(draft, best[0]));
  return {
    market,
    runner,
    off,
    stake,
    trouble: stakeTrouble(draft, stake),
    closed,
    outcome: outcomeOf(draft, stake),
    after: positionAfter(market, position, draft, stake),
    shortage: shortageOf(draft, stake, { market, position, open: open?.rows, wallet, taken }),
  };
}

/** The market of the bet: where the page beside the slip does not follow it (another event's, or one of its lesser markets), the slip does. */
function useOwnMarket({ marketId, matchId }: Draft) {
  const market = useMarket(marketId);
  const [missed, setMissed] = useState(0);
  // Once missed it stays followed: what comes by this would be let go by it.
  if (!market && missed !== marketId) setMissed(marketId);
  useWatch(missed === marketId ? [matchId] : [], 'full');
  return market;
}
