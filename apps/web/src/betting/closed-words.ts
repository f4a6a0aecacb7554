import type { MarketImage, RunnerImage } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useBroken, useStaleWords } from '../live/live.ts';
import { say } from '../platform/language.ts';
import { useBettingOff } from '../slip/slip.ts';
import { veilOf } from './kinds.ts';

const CLOSED = {
  suspended: msg`Market suspended`,
  ball: msg`Ball running`,
  settling: msg`Settling`,
  closed: msg`Market closed`,
  removed: msg`Removed`,
} as const;

/** Why nothing can be bet there at this moment; null where it can. */
export function useClosed(marketId: number, market: MarketImage | undefined, runner?: RunnerImage): string | null {
  const broken = useBroken(marketId);
  const stale = useStaleWords();
  const off = useBettingOff();
  const veil = market ? veilOf(market, runner) : null;
  return off ? t`Betting is off` : broken ? stale : veil ? say(CLOSED[veil]) : null;
}
