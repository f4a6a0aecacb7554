/**
 * Short accounts and what is held back for them: an account may have less than nothing only by what the rules name, and of
 * what it then loses nothing that it has no money for reaches anybody (exchange reference 7, rules 1, 2 and 4).
 */
import type { Command, Event } from '../../src/types.ts';
import { FIRST_PLAYER } from '../../src/types.ts';
import { freeOf } from './exposure.ts';
import type { Market, World } from './world.ts';
import { heldOf, must, owedBy } from './world.ts';

/** What every account had free and owed before the command. */
export interface Before {
  free: Map<number, number>;
  owed: Map<number, number>;
  factors: Map<number, number>;
  removals: number;
  /** What was not reserved for a removal because there was no money for it, by market and account. */
  waived: Map<number, Map<number, number>>;
}

export function lookBefore(world: World, command: Command): Before {
  const market = 'marketId' in command ? world.markets.get(command.marketId ?? 0) : undefined;
  return {
    free: new Map([...world.accounts.keys()].map((id) => [id, freeOf(world, id)])),
    owed: new Map([...world.accounts.keys()].map((id) => [id, owedBy(world, id)])),
    factors: new Map(market?.runners.map((runner) => [runner.id, runner.def.adjustmentFactor ?? 0])),
    removals: market?.runners.filter((one) => one.status === 'REMOVED').length ?? 0,
    waived: new Map([...world.markets.values()].map(({ id, waived }) => [id, new Map(waived)])),
  };
}

/** Takes what was told of holds. */
export function foldHolds(world: World, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== 'hold') continue;
    const { marketId, debtorId, creditorId, amountMinor } = event.hold;
    const key = `${marketId}/${debtorId}/${creditorId}`;
    if (amountMinor === 0) world.holds.delete(key);
    else world.holds.set(key, amountMinor);
  }
}

/** What an operator gives up is gone, and what else the same account owes is not. */
export function checkGivenUp(
  world: World,
  { accountId, marketId: meant }: Extract<Command, { type: 'hold.release' }>,
  before: ReadonlyMap<string, number>,
): void {
  for (const [key, amount] of before) {
    const [marketId, debtor] = key.split('/').map(Number);
    if (debtor !== accountId) continue;
    const should = meant === undefined || meant === marketId ? 0 : amount;
    const left = world.holds.get(key) ?? 0;
    must(left === should, 'INV-25', () => `${left} of ${key} is held after hold.release, should be ${should}`);
  }
}

/** `cause`: the command by whose rules this one is judged; of a slice, what it goes on with. */
export function checkHolds(
  world: World,
  command: Command,
  cause: Command['type'],
  market: Market | undefined,
  before: Before,
): void {
  for (const account of world.accounts.values()) {
    if (account.id < FIRST_PLAYER) continue;
    const free = freeOf(world, account.id);
    const had = before.free.get(account.id) ?? 0;
    const allowed =
      free >= 0 ||
      free >= had ||
      (market !== undefined &&
        (cause === 'market.undeclare' || mayLeaveShort(command, market, before, had - free, account.id)));
    must(allowed, 'INV-06', () => `${command.type} left ${account.id} with ${free} free, it had ${had}`);
    const owed = owedBy(world, account.id);
    const lacking = Math.max(0, -free);
    must(
      owed <= lacking,
      'INV-25',
      () => `${account.id} owes ${owed} and lacks ${lacking}: what is covered is not released`,
    );
    if (!MAY_RELEASE.has(cause)) {
      const least = Math.min(before.owed.get(account.id) ?? 0, lacking);
      must(owed >= least, 'INV-25', () => `${account.id} lacks ${lacking}, but only ${owed} of ${least} is still held`);
    }
    must(heldOf(world, account.id) >= 0, 'INV-25', () => `held of ${account.id}`);
  }
  const booked = cause === 'market.declare' || cause === 'bets.void';
  if (booked && market?.status === 'CLOSED') checkBooked(world, market, command.type !== 'work');
}

/** Commands that give up what is held, by the operator's word or to book it anew. */
const MAY_RELEASE = new Set(['hold.release', 'market.undeclare', 'bets.void']);

/** Rule 4: only what nobody could reserve for. */
function mayLeaveShort(command: Command, market: Market, before: Before, less: number, accountId: number): boolean {
  switch (command.type) {
    case 'bets.void':
      return true;
    case 'runner.reinstate':
      return command.force !== undefined;
    case 'runner.remove':
      // The first removal at the factor that was known is covered, but for what somebody short had no money for.
      return (
        market.def.removable !== true ||
        before.removals > 0 ||
        before.factors.get(command.runnerId) !== command.factor ||
        less <= (before.waived.get(market.id)?.get(accountId) ?? 0)
      );
    default:
      return false;
  }
}

/**
 * After a result: all that short accounts lost here and have no money for is held, from those who won it. Of one that was
 * booked in slices how much that was is fixed when the last loser is booked; money may have come and gone since.
 */
function checkBooked(world: World, market: Market, isWhole: boolean): void {
  const paid = market.paid!;
  let wanted = 0;
  const held = new Map<number, number>();
  let owed = 0;
  for (const [key, amount] of world.holds) {
    const [marketId, debtor, creditor] = key.split('/').map(Number) as [number, number, number];
    if (marketId !== market.id) continue;
    owed += amount;
    held.set(creditor, (held.get(creditor) ?? 0) + amount);
    must(world.accounts.get(debtor)!.short.has(market.id), 'INV-25', () => `${debtor} is not short by ${market.id}`);
  }
  for (const account of world.accounts.values()) {
    if (!account.short.has(market.id)) continue;
    const lost = -(paid.get(account.id)?.net ?? 0);
    wanted += Math.max(0, Math.min(lost, -freeOf(world, account.id)));
  }
  let won = 0;
  for (const [id, { net, commission }] of paid) {
    if (net <= 0 || (id < FIRST_PLAYER && id !== 1)) continue;
    won += net - commission;
    const part = held.get(id) ?? 0;
    must(part <= net - commission, 'INV-25', () => `${part} held of ${id}, who won ${net - commission}`);
  }
  must(
    !isWhole || owed === Math.min(wanted, won),
    'INV-25',
    () => `${owed} held in ${market.id}, should be ${wanted} of ${won} won`,
  );
}
