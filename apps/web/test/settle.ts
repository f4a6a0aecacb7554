import { act } from '@testing-library/react';
import { queryClient } from '../src/api/queries.ts';

/** Real time, also where a test has stopped the clock. */
const later = setTimeout;

/** Waits until nothing is asked or drawn any more: a fixed time would be too short on a busy machine. */
export async function settle(): Promise<void> {
  for (let same = 0, before = ''; same < 5; ) {
    await act(() => new Promise((resolve) => later(resolve, 12)));
    const now = document.body.innerHTML;
    same = now === before && queryClient.isFetching() === 0 ? same + 1 : 0;
    before = now;
  }
}
