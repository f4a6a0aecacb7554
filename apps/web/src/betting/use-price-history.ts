import { CALLS, type MarketImage, type ReplyOf } from '@fairgame/contract';
import { useMemo } from 'react';
import { useCall } from '../api/api.ts';

const MOST_RUNNERS = 4;
const READ_MS = 15_000;

export type History = ReplyOf<typeof CALLS.catalog.history>;
export type Candle = History['runners'][number]['candles'][number];
export type Mark = History['marks'][number];
type Runner = MarketImage['runners'][number];

export interface RunnerHistory {
  runner: Runner;
  candles: readonly Candle[];
  stepMs: number;
  /** It was read, whether there is something or not. */
  come: boolean;
}

const NONE: readonly number[] = [];

/**
 * The runners of a small field; of a big one the four in front when it is first looked at, so that no line changes its colour, and
 * those that were asked for beside them.
 */
export function useShownRunners(
  market: MarketImage | undefined,
  more: readonly number[] = NONE,
): MarketImage['runners'] {
  const id = market?.kind === 'book' ? market.id : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the prices those at the first look count
  const chosen = useMemo(() => {
    const field = (id === null ? [] : market!.runners).filter((runner) => runner.status !== 'REMOVED');
    const priceOf = (runner: Runner) => runner.back[0]?.[0] ?? (runner.last || 100_000);
    return new Set(
      field
        .toSorted((a, b) => priceOf(a) - priceOf(b))
        .slice(0, MOST_RUNNERS)
        .map((runner) => runner.id),
    );
  }, [id, market?.runners.length]);
  if (id === null) return [];
  const later = more.flatMap((one) => market!.runners.find((runner) => runner.id === one && !chosen.has(one)) ?? []);
  return [...market!.runners.filter((runner) => chosen.has(runner.id)), ...later];
}

/** The prices of these runners over time, the last hour or all of it; none, and not `come`, while they are on their way. */
export function usePriceHistory(
  market: MarketImage | undefined,
  span: 'hour' | 'all' = 'hour',
  more: readonly number[] = NONE,
): { runners: RunnerHistory[]; marks: readonly Mark[]; retry: (() => void) | null } {
  const runners = useShownRunners(market, more);
  const { data, isPending, isError, refetch } = useCall(
    CALLS.catalog.history,
    { params: { id: String(market?.id ?? 0) }, query: { span, runners: runners.map(({ id }) => id).join(',') } },
    { enabled: runners.length > 0, refetchMs: READ_MS, keep: (before) => before.params.id === String(market?.id) },
  );
  return {
    runners: runners.map((runner) => {
      const known = data?.runners?.find(({ id }) => id === runner.id);
      return {
        runner,
        candles: known?.candles ?? [],
        stepMs: known?.stepMs ?? 0,
        come: known !== undefined || !isPending,
      };
    }),
    marks: data?.marks ?? [],
    // Nothing was read, and that is not the market's doing.
    retry: isError && !data ? () => void refetch() : null,
  };
}
