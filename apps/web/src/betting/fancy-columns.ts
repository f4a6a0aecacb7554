import { useRef } from 'react';
import { closed, useSettledBefore } from './settled.ts';

const RESULTS_SHOWN = 6;

/** Those that are settled come last, of them the latest first. */
export const sessionsInOrder = (ids: readonly number[]): number[] =>
  ids.toSorted((a, b) => Number(closed(a)) - Number(closed(b)) || (closed(a) ? b - a : 0));

/**
 * Sessions that were settled before the page was opened, but for the latest of them: a long match has dozens. What settles
 * while it is looked at stays where it is.
 */
export const useFoldedResults = (ids: readonly number[]): ReadonlySet<number> =>
  new Set([...useSettledBefore(ids)].slice(RESULTS_SHOWN));

/**
 * Sessions in columns. None that takes bets ever moves while it is looked at: a new one takes the place of a settled one,
 * which sinks to the end, or else the end of the shortest column.
 */
export function useStandingColumns(ids: readonly number[], filter: string, count: number): number[][] {
  const held = useRef<{ filter: string; columns: number[][] }>({ filter, columns: [] });
  const known =
    held.current.filter === filter && held.current.columns.length === count
      ? held.current.columns
      : Array.from({ length: count }, () => []);
  const columns = known.map((column) => column.filter((id) => ids.includes(id)));
  for (const id of ids) {
    if (columns.some((column) => column.includes(id))) continue;
    const column = columns.find((one) => !closed(id) && one.some(closed));
    if (column) {
      const at = column.findIndex(closed);
      column.push(column[at]!);
      column[at] = id;
    } else columns.reduce((least, one) => (one.length < least.length ? one : least)).push(id);
  }
  held.current = { filter, columns };
  return columns;
}
