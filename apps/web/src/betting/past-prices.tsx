import { CALLS, type MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useCall } from '../api/api.ts';
import { named } from '../platform/named.ts';
import { ErrorNote } from '../ui/note.tsx';
import { Segmented } from '../ui/tabs.tsx';
import { PriceHistory } from './price-history.tsx';

/** The price charts that an event left behind when it was over; nothing where it has none. */
export function PastPrices({ matchId }: { matchId: number }) {
  const { data, isError, refetch } = useCall(CALLS.catalog.past, { params: { id: String(matchId) } });
  const [chosen, setChosen] = useState(0);
  const markets = data ?? [];
  const shown = markets.find(({ id }) => id === chosen) ?? markets[0];
  if (isError && !data) return <ErrorNote title={t`The prices did not load.`} onRetry={() => void refetch()} />;
  if (!shown) return null;
  return (
    <>
      {markets.length > 1 && (
        <Segmented
          label={t`Market of the chart`}
          value={String(shown.id)}
          onChange={(id) => setChosen(Number(id))}
          items={markets.map(({ id, name }) => ({ id: String(id), label: named(name) }))}
        />
      )}
      <Past key={shown.id} marketId={shown.id} matchId={matchId} name={shown.name} />
    </>
  );
}

function Past({ marketId, matchId, name }: { marketId: number; matchId: number; name: string }) {
  const { data, isError, refetch } = useCall(CALLS.catalog.history, {
    params: { id: String(marketId) },
    query: { span: 'all' },
  });
  if (isError && !data) return <ErrorNote title={t`The prices did not load.`} onRetry={() => void refetch()} />;
  if (!data) return null;
  return <PriceHistory market={closedMarket(marketId, matchId, name, data.runners)} title={named(name)} />;
}

/** What the chart reads of a market, of one that is not in memory any more. */
function closedMarket(
  id: number,
  matchId: number,
  name: string,
  runners: ReadonlyArray<{ id: number; name: string; candles: ReadonlyArray<readonly number[]> }>,
): MarketImage {
  return {
    id,
    matchId,
    name,
    kind: 'book',
    status: 'CLOSED',
    reason: '',
    inPlay: false,
    betDelayMs: 0,
    version: 0,
    winners: 1,
    commissionBps: 0,
    minStakeMinor: 0,
    maxStakeMinor: 0,
    tradedMinor: 0,
    sno: 0,
    resultText: '',
    runners: runners.map(({ id: runnerId, name: called, candles }) => {
      const last = candles.at(-1)?.[4] ?? 0;
      return { id: runnerId, name: called, status: 'ACTIVE', factor: 0, last, tradedMinor: 0, back: [], lay: [] };
    }),
  };
}
