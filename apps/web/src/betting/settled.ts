import { useRef } from 'react';
import { marketNow } from '../live/live.ts';

export const closed = (id: number): boolean => marketNow(id)?.status === 'CLOSED';

/** Of these markets those that were settled before they came on the screen. */
export function useSettledBefore(ids: readonly number[]): ReadonlySet<number> {
  const seenOpen = useRef(new Set<number>());
  for (const id of ids) if (!closed(id)) seenOpen.current.add(id);
  return new Set(ids.filter((id) => !seenOpen.current.has(id)));
}
