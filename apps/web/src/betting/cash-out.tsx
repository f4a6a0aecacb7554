import { CALLS, type MarketImage, type PlaceBody } from '@fairgame/contract';
import { type CashOut, cashOut, cashOutRate, type Hedge, type NoCashOut, type RunnerStatus } from '@fairgame/exchange';
import { useEffect, useState } from 'react';
import { ApiError, api } from '../api/api.ts';
import { newKey } from '../api/key.ts';
import { refreshBets } from '../api/refresh.ts';
import { useBroken, useMarketPrices, useStaleWords } from '../live/hooks.ts';
import { takeWallet } from '../live/wallet.ts';
import { fateOf } from '../slip/slip.ts';
import { CashoutButton } from '../ui/button.tsx';
import { formatSigned } from '../ui/format.ts';
import { holdReload } from '../ui/reload.ts';
import { toast } from '../ui/toasts.ts';
import type { MarketPosition } from './positions.ts';

const WHY: Record<NoCashOut, string | null> = {
  CLOSED: null,
  WRONG_MARKET: null,
  NO_POSITION: null,
  SUSPENDED: 'Cash out is off while suspended',
  RUNNER_SUSPENDED: 'Cash out is off while suspended',
  NO_DEPTH: 'Not enough money on offer',
  STAKE_TOO_SMALL: 'Too small to cash out',
  STAKE_TOO_LARGE: 'Too large to cash out at once',
};

/**
 * Takes the same result on every runner at the prices on offer. The first press asks, the second acts; a figure that moved
 * in between is asked again. Waiting bets of the market are cancelled first, and what could not be matched is told.
 */
export function CashOutAction({
  position,
  ...rest
}: {
  market: MarketImage;
  position: MarketPosition | undefined;
  small?: boolean;
}) {
  // Without a position nothing here follows the prices.
  return position ? <Offer position={position} {...rest} /> : null;
}

function Offer({
  market: shape,
  position,
  small = false,
}: {
  market: MarketImage;
  position: MarketPosition;
  small?: boolean;
}) {
  const market = useMarketPrices(shape.id) ?? shape;
  const broken = useBroken(market.id);
  const stale = useStaleWords();
  const [asked, setAsked] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const offer = offerOf(market, position);

  // The question does not stay open for ever.
  useEffect(() => {
    if (asked === null) return;
    const timer = setTimeout(() => setAsked(null), 8000);
    return () => clearTimeout(timer);
  }, [asked]);

  if (!offer) return null;
  if (!offer.ok) {
    const off = WHY[offer.reason];
    return off ? <CashoutButton small={small} minor={0} state={{ off }} onPress={() => undefined} /> : null;
  }
  const value = offer.valueMinor;
  const state = broken ? { off: stale } : busy ? 'busy' : asked === null ? 'ready' : asked === value ? 'ask' : 'moved';
  return (
    <CashoutButton
      small={small}
      minor={value}
      state={state}
      onPress={() => {
        if (asked !== value) {
          setAsked(value);
          return;
        }
        setAsked(null);
        setBusy(true);
        void cancelWaiting(market.id)
          .then(() => sendHedges(market, offer.hedges))
          .then((told) =>
            toast[told.complete ? 'success' : 'info'](told.complete ? `Cashed out ${formatSigned(value)}` : told.text),
          )
          .catch((error: unknown) =>
            toast.error(error instanceof Error ? error.message : 'Cash out did not go through.'),
          )
          .finally(() => {
            setBusy(false);
            refreshBets();
          });
      }}
    />
  );
}

function offerOf(market: MarketImage, position: MarketPosition): CashOut | null {
  if (market.kind !== 'book' && market.kind !== 'bookmaker') return null;
  const nets = market.runners
    .filter((runner) => runner.status !== 'REMOVED')
    .map((runner) => ({
      runnerId: runner.id,
      netMinor: position.runners.find((one) => one.runnerId === runner.id)?.net ?? 0,
    }));
  const status = market.status as 'OPEN' | 'SUSPENDED' | 'CLOSED' | 'INACTIVE';
  if (market.kind === 'book') {
    return cashOut(nets, {
      status,
      winners: market.winners,
      runners: market.runners.map((runner) => ({
        runnerId: runner.id,
        status: runner.status as RunnerStatus,
        backable: runner.back,
        layable: runner.lay,
      })),
      minStakeMinor: market.minStakeMinor,
      maxStakeMinor: market.maxStakeMinor,
    });
  }
  return cashOutRate(nets, {
    status,
    minStakeMinor: market.minStakeMinor,
    maxStakeMinor: market.maxStakeMinor,
    rows: market.runners.map((runner) => ({
      runnerId: runner.id,
      back: runner.back[0] ? { price: runner.back[0][0], sizeMinor: runner.back[0][1] } : null,
      lay: runner.lay[0] ? { price: runner.lay[0][0], sizeMinor: runner.lay[0][1] } : null,
      status: runner.status === 'ACTIVE' ? 'ACTIVE' : 'SUSPENDED',
    })),
  });
}

/** What still waits would change the position after the hedge: without this nothing is cashed out. */
async function cancelWaiting(marketId: number): Promise<void> {
  const { wallet } = await api(CALLS.bets.cancelAll, { body: { key: newKey(), betId: marketId } }, { quiet: true });
  takeWallet(wallet);
}

/** Sends the hedges one after the other, each to be matched at once as far as it goes; tells what was left. */
async function sendHedges(market: MarketImage, hedges: readonly Hedge[]): Promise<{ complete: boolean; text: string }> {
  const release = holdReload();
  let asked = 0;
  let matched = 0;
  let waits = false;
  try {
    for (const hedge of hedges) {
      asked += hedge.sizeMinor;
      const body: PlaceBody = {
        key: newKey(),
        betId: market.id,
        matchId: market.matchId,
        runnerId: hedge.runnerId,
        bettingType: hedge.side,
        odd: hedge.price,
        stake: hedge.sizeMinor,
        ...(market.kind === 'book' ? { minFill: 1 } : { placeIndex: hedge.box ?? 0 }),
        marketVersion: market.version,
      };
      const { bet, wallet } = await placeOnce(body);
      takeWallet(wallet);
      matched += bet.matched;
      waits ||= bet.status === 'PENDING';
    }
  } finally {
    release();
  }
  if (waits)
    return { complete: false, text: `Cash out is on its way: in-play bets wait ${market.betDelayMs / 1000} seconds.` };
  if (matched >= asked) return { complete: true, text: '' };
  return {
    complete: false,
    text: `Cashed out in part: ${Math.round((matched / asked) * 100)} % was matched, the rest of your position stays.`,
  };
}

/** A lost answer is asked for by its key; the hedge is never sent twice. */
async function placeOnce(body: PlaceBody) {
  try {
    return await api(CALLS.bets.place, { body }, { quiet: true, timeoutMs: 20_000 });
  } catch (error) {
    if (!(error instanceof ApiError) || !error.unknown) throw error;
    return fateOf(body.key, 10_000);
  }
}
