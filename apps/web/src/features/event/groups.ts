import { useMemo } from 'react';
import { kindOf, sessionsInOrder } from '../../betting/betting.ts';
import { marketNow } from '../../live/live.ts';

export type Groups = ReturnType<typeof useGroups>;

/** Markets of the page by their place on it; settled sessions come last, of them the latest first. */
export function useGroups(ids: number[]) {
  return useMemo(() => {
    const groups = { books: [] as number[], bookmaker: [] as number[], pairs: [] as number[], fancy: [] as number[] };
    for (const id of ids) {
      const kind = marketNow(id)?.kind ?? 'book';
      (kindOf(kind).fancy
        ? groups.fancy
        : kind === 'book'
          ? groups.books
          : kind === 'bookmaker'
            ? groups.bookmaker
            : groups.pairs
      ).push(id);
    }
    return { ...groups, fancy: sessionsInOrder(groups.fancy) };
  }, [ids]);
}
