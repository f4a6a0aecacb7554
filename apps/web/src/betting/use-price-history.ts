import { CALLS, type MarketImage } from '@fairgame/contract';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../api/api.ts';

const MOST_RUNNERS = 4;

/** The runners of a small field; of a big one the four in front when it is first looked at, so that no line changes its colour. */
export function useShownRunners(market: MarketImage | undefined): MarketImage['runners'] {
  const id = market?.kind === 'book' ? market.id : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the prices those at the first look count
  const chosen = useMemo(() => {
    const field = (id === null ? [] : market!.runners).filter((runner) => runner.status !== 'REMOVED');
    const priceOf = (runner: MarketImage['runners'][number]) => runner.back[0]?.[0] ?? (runner.last || 100_000);
    return new Set(
      field
        .toSorted((a, b) => priceOf(a) - priceOf(b))
        .slice(0, MOST_RUNNERS)
        .map((runner) => runner.id),
    );
  }, [id, market?.runners.length]);
  return id === null ? [] : market!.runners.filter((runner) => chosen.has(runner.id));
}

/** The prices of each of these runners over time; none, and not `come`, while they are on their way. */
export function usePriceHistory(market: MarketImage | undefined) {
  const runners = useShownRunners(market);
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
  return runners.map((runner, at) => ({
    runner,
    points: results[at]?.data?.points ?? [],
    come: results[at]?.isPending === false,
  }));
}

export type RunnerHistory = ReturnType<typeof usePriceHistory>[number];
