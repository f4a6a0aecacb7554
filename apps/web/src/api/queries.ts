import { type AnyCall, CALLS, type InputOf, type ReplyOf } from '@fairgame/contract';
import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { perPlayer } from '../platform/per-player.ts';
import { readSession } from '../session/session.ts';
import { ApiError, api } from './call.ts';
import { atItsPace } from './pace.ts';

/** One cache of reads. Prices are never in it: they come by socket. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
});

/** An answer about one of many is kept, once nothing shows it, as long as prices are (live/store.ts): a day has hundreds of them. */
const ONE_OF_MANY_KEPT_MS = 60_000;
const kept = (call: AnyCall) => (call.path.includes(':') ? { gcTime: ONE_OF_MANY_KEPT_MS } : {});

/**
 * Reads a call in a component: its name and input are the key. Failures are shown by the screen, so no toast. `merge` puts
 * a refreshed answer over the one held (which it must not change); it is not asked for failures, they change nothing.
 */
export function useCall<C extends AnyCall>(
  call: C,
  input: InputOf<C>,
  options: {
    enabled?: boolean;
    /** Until the answer is there the one to the input before stands: always, or where that input says it may. */
    keep?: true | ((before: InputOf<C>) => boolean);
    refetchMs?: number;
    merge?: (held: ReplyOf<C> | undefined, answer: ReplyOf<C>) => ReplyOf<C>;
  } = {},
): UseQueryResult<ReplyOf<C>> {
  const { keep } = options;
  return useQuery<ReplyOf<C>>({
    queryKey: [call.name, input],
    queryFn: ({ signal }) => api(call, input, { quiet: true, signal }),
    enabled: (options.enabled ?? true) && mayAsk(call),
    ...kept(call),
    ...(keep === true ? { placeholderData: keepPreviousData } : {}),
    ...(typeof keep === 'function'
      ? { placeholderData: (held, query) => (query && keep(query.queryKey[1] as InputOf<C>) ? held : undefined) }
      : {}),
    ...(options.refetchMs ? { refetchInterval: options.refetchMs } : {}),
    ...(options.merge
      ? { structuralSharing: (held, answer) => options.merge!(held as ReplyOf<C> | undefined, answer as ReplyOf<C>) }
      : {}),
  });
}

/** So many rows are in one answer at most. */
const PAGE = 100;
type BetList = typeof CALLS.bets.list;

/**
 * Reads all bets of a filter in a component, however many pages they have, and again as any reading of that call. One that comes
 * or goes meanwhile shifts the pages: what is passed over by that comes with the reading that the change itself asks for.
 */
export function useAllBets(
  query: NonNullable<InputOf<BetList>['query']>,
  enabled: boolean,
): UseQueryResult<ReplyOf<BetList>['rows']> {
  const call = CALLS.bets.list;
  return useQuery<ReplyOf<BetList>['rows']>({
    queryKey: [call.name, { query, pages: 'all' }],
    queryFn: async ({ signal }) => {
      const bets = new Map<number, ReplyOf<BetList>['rows'][number]>();
      for (let page = 1; ; page++) {
        const one = { query: { ...query, page: String(page), limit: String(PAGE) } };
        const { rows, total } = await atItsPace(() => api(call, one, { quiet: true, signal }));
        for (const bet of rows) bets.set(bet.id, bet);
        if (rows.length < PAGE || page * PAGE >= total) return [...bets.values()];
      }
    },
    enabled: enabled && mayAsk(call),
  });
}

/** A last draw of the chrome after the sign-out asks for nothing, nor does one before a forced new password. */
function mayAsk(call: AnyCall): boolean {
  if (call.who === 'public') return true;
  const session = readSession();
  return session !== null && (call.who === 'pending' || !session.forceChangePassword);
}

const MAIN_SPORTS = new Set(['cricket', 'football', 'tennis']);
/** The call that reads one event of a sport. */
export const eventCall = (matchType: string) =>
  MAIN_SPORTS.has(matchType) ? CALLS.catalog.match : CALLS.catalog.other;

/** Reads a call once, outside a component, through the same cache. */
export function readCall<C extends AnyCall>(call: C, input: InputOf<C>): Promise<ReplyOf<C>> {
  return queryClient.fetchQuery<ReplyOf<C>>({
    queryKey: [call.name, input],
    queryFn: () => api(call, input, { quiet: true }),
    ...kept(call),
  });
}

perPlayer(() => queryClient.clear());
