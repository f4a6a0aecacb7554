/**
 * A limit that is lowered holds at once: what waits out its delay has not been taken yet, and of it ends what is beyond the
 * limit, the youngest first. What stands in a book or is matched was taken, and stays.
 */
import { availableOf } from './available.ts';
import { endRemaining, exposureWithout, updateExposure } from './holding.ts';
import { delayedOf } from './live.ts';
import type { Account, Order, State } from './state.ts';

/** After the account's limits were set. `stakeLimitBefore`: none is looked at for one that is not lower. */
export function endBeyondLimits(state: State, account: Account, stakeLimitBefore: number): void {
  const { stakeLimit } = account;
  const isLower = stakeLimit > 0 && (stakeLimitBefore === 0 || stakeLimit < stakeLimitBefore);
  if (!isLower && !isOverstaked(account) && !isAtRisk(account)) return;
  for (const order of waitingOf(account)) {
    // With one of a group all of it ends.
    if (order.status !== 'PENDING') continue;
    const { holding } = order;
    const counts = account.wager !== null && order.placedAt >= account.wager.from;
    const isBeyond =
      (isLower && order.size > stakeLimit) ||
      (counts && isOverstaked(account)) ||
      (isAtRisk(account) && exposureWithout(order) < holding.exposure);
    if (!isBeyond) continue;
    endRemaining(state, order, 'CANCELLED', 'A limit was lowered during the delay');
    updateExposure(state, holding);
  }
}

/** What was set aside is a bet's on its way, and not staked yet. */
const isOverstaked = ({ wager }: Account): boolean => wager !== null && wager.left + wager.aside < 0;

function isAtRisk(account: Account): boolean {
  const { exposure, exposureLimit, lossFloor } = account;
  return (exposureLimit > 0 && exposure > exposureLimit) || (lossFloor !== null && availableOf(account) < lossFloor);
}

/** The youngest first. Those of a market that is settling end with its work. */
function waitingOf(account: Account): Order[] {
  const found: Order[] = [];
  for (const { market, live } of account.holdings.values())
    if (market.status !== 'SETTLING') found.push(...delayedOf(live));
  return found.sort((a, b) => b.id - a.id);
}
