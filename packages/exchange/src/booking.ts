/** What a market owes each account becomes postings, and what of it is held back (exchange reference 8). */
import { divFloor } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { BACK, LAY } from './book.ts';
import type { PlannedHold, Winner } from './debts.ts';
import { planHolds } from './debts.ts';
import { accountOf, post } from './ledger.ts';
import type { Judge } from './payouts.ts';
import type { Account, Market, Payout, State } from './state.ts';
import { idsOf } from './turns.ts';
import type { AccountId } from './types.ts';
import { COMMISSION, HOUSE } from './types.ts';

/**
 * What is to be held back from those who won, because a short account lost it without money for it: over the whole market,
 * once all who lost are booked.
 */
export function holdsToCome(state: State, market: Market, judge: Judge): PlannedHold[] {
  const payouts = market.payouts!;
  const owing = new Map<AccountId, { account: Account; owed: number }>();
  const ids = idsOf(market);
  for (const id of ids) {
    const { account } = market.holdings.get(id)!;
    const lost = -(payouts.get(id)?.net ?? 0);
    const owed = Math.min(lost, -availableOf(account));
    if (owed > 0 && account.short.has(market.id)) owing.set(id, { account, owed });
  }
  if (owing.size === 0) return [];
  const winners = [...ids, HOUSE].flatMap((id) => winnerOf(state, id, payouts.get(id)));
  const from = wonFrom(market, owing, judge);
  return [...owing].flatMap(([id, { account, owed }]) => planHolds(account, owed, winners, from.get(id)!));
}

function winnerOf(state: State, id: AccountId, payout: Payout | undefined): Winner[] {
  return payout !== undefined && payout.net > 0
    ? [{ account: accountOf(state, id), free: payout.net - payout.commission }]
    : [];
}

/** By account that owes: what each of its opposite sides won from it in the market, whole minor units. */
function wonFrom(
  market: Market,
  owing: ReadonlyMap<AccountId, unknown>,
  judge: Judge,
): Map<AccountId, Map<AccountId, number>> {
  const all = new Map([...owing.keys()].map((id) => [id, new Map<AccountId, number>()]));
  if (!market.isBook) {
    for (const from of all.values()) from.set(HOUSE, Number.MAX_SAFE_INTEGER);
    return all;
  }
  for (const fill of market.fills) {
    if (fill.void) continue;
    const back = fill.back?.holding.account.id ?? HOUSE;
    const lay = fill.lay?.holding.account.id ?? HOUSE;
    for (const [id, other, side] of [
      [back, lay, BACK],
      [lay, back, LAY],
    ] as const) {
      const from = all.get(id);
      if (from === undefined) continue;
      from.set(other, (from.get(other) ?? 0) + divFloor(-judge.fill(fill, side), judge.by));
    }
  }
  return all;
}

/** Takes the entry of an account in the payouts; without a net there is none. */
export function enterPayout(market: Market, id: AccountId, net: number, commissionBps: number): void {
  if (net === 0) market.payouts!.delete(id);
  else market.payouts!.set(id, { net, commission: commissionOf(net, commissionBps) });
}

/** What an account gets, and the commission on it. */
export function pay(state: State, market: Market, id: AccountId, payout: Payout, text: string): void {
  const account = accountOf(state, id);
  if (payout.net !== 0) post(state, 'settle', text, market, [[account, payout.net]], true);
  if (payout.commission !== 0) {
    const percent = market.def.commissionBps / 100;
    post(state, 'commission', `${market.def.name}: commission ${percent} %`, market, [
      [account, -payout.commission],
      [accountOf(state, COMMISSION), payout.commission],
    ]);
  }
}

/** Takes back what an account got. */
export function repay(
  state: State,
  market: Market,
  id: AccountId,
  payout: Payout,
  kind: 'reverse' | 'void',
  text: string,
): void {
  const account = accountOf(state, id);
  if (payout.commission !== 0) {
    post(state, kind, `${text}, commission back`, market, [
      [account, payout.commission],
      [accountOf(state, COMMISSION), -payout.commission],
    ]);
  }
  if (payout.net !== 0) post(state, kind, text, market, [[account, -payout.net]], true);
}

/** Half up (exchange reference 8.5). */
function commissionOf(net: number, bps: number): number {
  if (net <= 0) return 0;
  const exact = net * bps;
  if (Number.isSafeInteger(exact)) return divFloor(exact + 5_000, 10_000);
  return Number((BigInt(net) * BigInt(bps) + 5_000n) / 10_000n);
}
