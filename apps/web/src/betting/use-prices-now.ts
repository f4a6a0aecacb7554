import { priceNow } from '@fairgame/contract';
import { useEffect, useState } from 'react';
import { keys, runnerNow, subscribe } from '../live/live.ts';
import { serverNow } from '../platform/clock.ts';

/** What moves on the screen between two readings is drawn so often. */
const TAIL_MS = 1000;

/** What the prices of these runners are now, drawn at most once a second while they move: [ms, hundredths], 0 for none. */
export function usePricesNow(marketId: number, runnerIds: readonly number[]): ReadonlyArray<[number, number]> {
  const [, moved] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = subscribe(keys.prices(marketId), () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        moved((n) => n + 1);
      }, TAIL_MS);
    });
    return () => {
      clearTimeout(timer);
      off();
    };
  }, [marketId]);
  const now = serverNow();
  return runnerIds.map((id) => {
    const runner = runnerNow(marketId, id);
    return [now, runner ? priceNow(runner) : 0];
  });
}
