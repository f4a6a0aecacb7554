import type { StakeTemplate } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { formatStake } from '../platform/format.ts';
import type { Draft } from '../slip/slip.ts';
import { useProfile } from './profile.ts';
import { type Outcome, outcomeOf } from './sums.ts';

const NONE: readonly StakeTemplate[] = [];

/** A server of the version before tells none. */
export const useStakeTemplates = (): readonly StakeTemplate[] => useProfile()?.stakeTemplates ?? NONE;

/** "Liability 20". */
export function templateWords({ kind, value }: StakeTemplate): string {
  if (kind === 'percent') return t`${value} % of what is available`;
  const amount = formatStake(value * 100);
  return kind === 'liability' ? t`Liability ${amount}` : t`Target profit ${amount}`;
}

type Priced = Pick<Draft, 'kind' | 'side' | 'price' | 'line' | 'maxStakeMinor'>;

/**
 * The stake a template stands for at this price, minor units: the largest that costs no more than its liability, the smallest
 * that wins its profit. One over the market's largest stake where it would be more than that.
 */
export function templateStake({ kind, value }: StakeTemplate, bet: Priced, availableMinor: number): number {
  if (kind === 'percent') return Math.floor((Math.max(0, availableMinor) * value) / 100);
  const asked = value * 100;
  if (kind === 'profit') return leastStake(bet, ({ profitMinor }) => profitMinor >= asked);
  return leastStake(bet, ({ liabilityMinor }) => liabilityMinor > asked) - 1;
}

/** The least stake whose outcome is so; what it is of grows with the stake. */
function leastStake(bet: Priced, isSo: (outcome: Outcome) => boolean): number {
  let low = 1;
  let high = bet.maxStakeMinor + 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(outcomeOf(bet, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
