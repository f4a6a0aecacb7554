import { useRef } from 'react';
import * as store from '../../live/store.ts';

export const closed = (id: number): boolean => store.market(id)?.status === 'CLOSED';

/** Of these markets those that were settled before they came on the screen. */
export function useSettledBefore(ids: readonly number[]): ReadonlySet<number> {
  const seenOpen = useRef(new Set<number>());
  for (const id of ids) if (!closed(id)) seenOpen.current.add(id);
  return new Set(ids.filter((id) => !seenOpen.current.has(id)));
}
