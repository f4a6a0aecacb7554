/** Work that takes more than one command, from its begin to its end; its market is SETTLING meanwhile, and locked. */
import { assert } from './guard.ts';
import type { Market, State, Work } from './state.ts';
import { changeMarket } from './work.ts';

export function openWork(
  state: State,
  market: Market,
  { type, phase, reason = '', ...more }: Pick<Work, 'type' | 'phase'> & { reason?: string } & Partial<Work>,
): Work {
  market.status = 'SETTLING';
  market.reason = reason;
  const work: Work = {
    type,
    marketId: market.id,
    phase,
    at: 0,
    booked: 0,
    clearing: 0,
    holds: [],
    lapses: [],
    untold: new Map(),
    after: null,
    index: null,
    ...more,
  };
  state.pending.push(work);
  return work;
}

/** Whether it books a result or takes one back. What else takes long was done by its command, and is only ended and told. */
export function isBooking({ type }: Work): boolean {
  return type === 'market.declare' || type === 'market.undeclare';
}

export function closeWork(state: State, market: Market, work: Work): void {
  assert(work.clearing === 0, 'INV-01', `clearing of market ${market.id}`);
  state.pending = state.pending.filter((one) => one !== work);
  changeMarket(state, market, isBooking(work));
}
