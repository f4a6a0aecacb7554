import { CALLS, type MarketImage } from '@fairgame/contract';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { formatOdds, formatTime } from '../../ui/format.ts';
import { IconChartLine } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { StepChart } from '../../ui/step-chart.tsx';
import { Segmented } from '../../ui/tabs.tsx';

type Range = '15m' | '1h' | 'all';
const MS: Record<Range, number> = { '15m': 900_000, '1h': 3_600_000, all: Number.POSITIVE_INFINITY };

/** Traded prices of up to four runners of a market. */
function useHistory(market: MarketImage | undefined) {
  const runners = (market?.kind === 'book' ? market.runners : [])
    .filter((runner) => runner.status !== 'REMOVED')
    .slice(0, 4);
  const results = useQueries({
    queries: runners.map((runner) => ({
      queryKey: [CALLS.catalog.history.name, market?.id, runner.id],
      queryFn: () =>
        api(
          CALLS.catalog.history,
          { params: { id: String(market!.id) }, query: { runnerId: String(runner.id) } },
          { quiet: true },
        ),
      refetchInterval: 15_000,
    })),
  });
  return runners.map((runner, at) => ({ runner, points: results[at]?.data?.points ?? [] }));
}

export function PriceHistory({
  market,
  title = 'Price history',
}: {
  market: MarketImage | undefined;
  /** Shorter where there is little room. */
  title?: string;
}) {
  const [range, setRange] = useState<Range>('1h');
  const history = useHistory(market);
  if (!market || history.length === 0) return null;
  const last = Math.max(0, ...history.flatMap(({ points }) => points.map(([t]) => t)));
  const series = history.map(({ runner, points }, at) => ({
    name: runner.name,
    dashed: at % 2 === 1,
    points: points.filter(([t]) => last - t <= MS[range]).map(([t, v]) => ({ t, v })),
  }));
  const empty = series.every((one) => one.points.length < 2);
  return (
    <Panel
      title={title}
      flush={false}
      end={
        <Segmented
          label="Time shown"
          value={range}
          onChange={setRange}
          items={[
            { id: '15m', label: '15 min' },
            { id: '1h', label: '1 hour' },
            { id: 'all', label: 'Match' },
          ]}
        />
      }
    >
      {empty ? (
        <EmptyState icon={IconChartLine} title="No prices matched yet">
          The chart starts with the first matched bets.
        </EmptyState>
      ) : (
        <>
          <p className="legend fs-12 num">
            {series.map((one, at) => (
              <span key={one.name} className={`legend__i legend__i--${at + 1}`}>
                {one.name} <b>{one.points.length > 0 ? formatOdds(one.points.at(-1)!.v) : ''}</b>
              </span>
            ))}
          </p>
          <StepChart
            series={series.filter((one) => one.points.length > 0)}
            step={false}
            label={`Prices of ${market.name}: ${series.map((one) => `${one.name} ${one.points.length > 0 ? formatOdds(one.points.at(-1)!.v) : 'none'}`).join(', ')}`}
            formatValue={(v) => formatOdds(Math.round(v))}
            formatTime={formatTime}
          />
        </>
      )}
    </Panel>
  );
}

/** The small trend before the cells. */
export function Trend({ market, runnerId }: { market: MarketImage; runnerId: number }) {
  const history = useHistory(market);
  const points = history.find((one) => one.runner.id === runnerId)?.points ?? [];
  return <Sparkline points={points.slice(-40).map(([, v]) => v)} />;
}
