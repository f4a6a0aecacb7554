/** Work that takes more than one command, from its begin to its end; its market is locked meanwhile, and SETTLING unless it leaves memory. */
import { assert } from './guard.ts';
import type { Market, State, Work } from './state.ts';
import type { MarketId } from './types.ts';
import { changeMarket } from './work.ts';

type Begun = Pick<Work, 'type' | 'phase'> & Partial<Work>;

export function openWork(state: State, market: Market, { reason = '', ...begun }: Begun & { reason?: string }): Work {
  market.status = 'SETTLING';
  market.reason = reason;
  return addWork(state, market, begun);
}

/** Work that leaves its market as it is: closed. */
export function addWork(state: State, { id }: Market, begun: Begun): Work {
  const work: Work = {
    marketId: id,
    at: 0,
    booked: 0,
    clearing: 0,
    holds: [],
    lapses: [],
    untold: new Map(),
    after: null,
    field: null,
    parts: 0,
    seal: '',
    head: null,
    index: null,
    ...begun,
  };
  state.pending.push(work);
  return work;
}

/** Whether something of the market is still to be done: it is SETTLING, or it leaves memory or comes back. */
export function isSettling({ pending }: State, marketId: MarketId): boolean {
  return pending.some((work) => work.marketId === marketId);
}

/** Whether it books a result or takes one back. The rest is neither: bets lapse, a field changes, what was done is told. */
export function isBooking({ type }: Work): boolean {
  return type === 'market.declare' || type === 'market.undeclare';
}

export function closeWork(state: State, market: Market, work: Work): void {
  assert(work.clearing === 0, 'INV-01', `clearing of market ${market.id}`);
  endWork(state, work);
  changeMarket(state, market, isBooking(work));
}

export function endWork(state: State, work: Work): void {
  state.pending = state.pending.filter((one) => one !== work);
}
