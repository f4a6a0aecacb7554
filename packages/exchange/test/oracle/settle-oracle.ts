/**
 * Settlement fill by fill with exact fractions (exchange reference 8.1, 8.2, 8.5). Shares no code with the package.
 */
export interface OracleFill {
  runner: number;
  price: number;
  size: number;
  /** Account ids. */
  backer: number;
  layer: number;
}

/** Net of each account in minor units, rounded once, down; and commission on what is positive. */
export function settleByFills(
  fills: OracleFill[],
  winners: number[],
  places: number,
  commissionBps: number,
): { nets: Map<number, number>; commissions: Map<number, number> } {
  const sharing = BigInt(winners.length);
  const paid = BigInt(Math.min(places, winners.length));
  const exact = new Map<number, bigint>();
  const add = (account: number, amount: bigint) => exact.set(account, (exact.get(account) ?? 0n) + amount);
  for (const fill of fills) {
    const size = BigInt(fill.size);
    const profit = size * BigInt(fill.price - 100);
    const stake = size * 100n;
    // In 1/10 000 times the number of sharing runners.
    const back = winners.includes(fill.runner) ? profit * paid - stake * (sharing - paid) : -stake * sharing;
    add(fill.backer, back);
    add(fill.layer, -back);
  }
  const nets = new Map<number, number>();
  const commissions = new Map<number, number>();
  for (const [account, amount] of exact) {
    const by = 100n * sharing;
    const net = Number((amount - (((amount % by) + by) % by)) / by);
    nets.set(account, net);
    commissions.set(account, net > 0 ? round(BigInt(net) * BigInt(commissionBps), 10_000n) : 0);
  }
  return { nets, commissions };
}

function round(value: bigint, by: bigint): number {
  const sign = value < 0n ? -1n : 1n;
  const size = value * sign;
  const whole = size / by + (2n * (size % by) >= by ? 1n : 0n);
  return Number(sign * whole);
}
