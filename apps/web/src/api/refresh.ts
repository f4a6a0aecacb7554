import { type AnyCall, CALLS } from '@fairgame/contract';
import type { Query } from '@tanstack/react-query';
import { perPlayer } from '../platform/per-player.ts';
import { queryClient } from './queries.ts';

/**
 * Reading again what may have changed: once for all that happens in one moment, only what is on the screen (the rest is
 * marked old), never by breaking off a reading on its way, and not while the tab is hidden.
 */
const SOON_MS = 60;
/** What events bring again and again is read no oftener than this. */
const LEAST_MS = 400;
const LEAST_SLOW_MS = 3000;
/** Read for a count or a clock beside what the event itself carries. */
const SLOW: ReadonlySet<string> = new Set(
  [CALLS.account.profile, CALLS.account.transactions, CALLS.protection.status].map((call) => call.name),
);

/** Call names with the time they are due. */
const due = new Map<string, number>();
const readAt = new Map<string, number>();
/** Readings that were on their way when they became old. */
const again = new Set<Query>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The player did something: what it changed is read at once. */
export function refresh(...calls: AnyCall[]): void {
  plan(calls, () => SOON_MS);
}

/** Something happened. `spreadMs`: to everyone, so that not all may ask in one moment. */
export function refreshAfterEvent(calls: readonly AnyCall[], spreadMs = 0): void {
  const now = performance.now();
  const spread = Math.random() * spreadMs;
  plan(calls, ({ name }) => {
    const least = SLOW.has(name) ? LEAST_SLOW_MS : LEAST_MS;
    return Math.max(SOON_MS + spread, (readAt.get(name) ?? Number.NEGATIVE_INFINITY) + least - now);
  });
}

const { bets, account } = CALLS;
/** What may have changed when a bet or a result did. */
export const BET_READINGS: readonly AnyCall[] = [
  bets.list,
  bets.positions,
  bets.myMarket,
  bets.runAmount,
  bets.profitLoss,
  account.transactions,
];

/** The player placed, changed or cancelled a bet. */
export const refreshBets = (): void => refresh(...BET_READINGS);

function plan(calls: readonly AnyCall[], waitMs: (call: AnyCall) => number): void {
  const now = performance.now();
  for (const call of calls)
    due.set(call.name, Math.min(due.get(call.name) ?? Number.POSITIVE_INFINITY, now + waitMs(call)));
  arm();
}

function arm(): void {
  clearTimeout(timer);
  if ((due.size === 0 && again.size === 0) || document.visibilityState === 'hidden') return;
  const next = again.size > 0 ? SOON_MS : Math.min(...due.values()) - performance.now();
  timer = setTimeout(run, Math.max(0, next));
}

function run(): void {
  const now = performance.now();
  for (const query of again) {
    if (query.state.fetchStatus === 'fetching') continue;
    again.delete(query);
    read(query);
  }
  for (const [name, at] of due) {
    if (at > now + 1) continue;
    due.delete(name);
    readAt.set(name, now);
    for (const query of queryClient.getQueryCache().findAll({ queryKey: [name] })) {
      query.invalidate();
      if (!query.isActive() || query.isDisabled()) continue;
      if (query.state.fetchStatus === 'fetching') again.add(query);
      else read(query);
    }
  }
  arm();
}

function read(query: Query): void {
  if (query.isActive())
    void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
}

document.addEventListener('visibilitychange', arm);

perPlayer(() => {
  clearTimeout(timer);
  for (const each of [due, readAt, again]) each.clear();
});
