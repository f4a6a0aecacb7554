/** The life of a market: made, opened, suspended, turned in play (exchange reference 5). */

import { endInMarket } from './conditionals.ts';
import { badDefinition, copyDefinition, isLimits, STATUSES } from './definition.ts';
import type { Refused } from './guard.ts';
import { isCount, refuse } from './guard.ts';
import { clearHouse } from './house.ts';
import { createChoice, endLapses, suspendLapsing } from './lapses.ts';
import type { State } from './state.ts';
import { addMarket } from './state.ts';
import type { Command } from './types.ts';
import { append, changeMarket } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

const RUNNER_STATUSES = new Set<string>(['ACTIVE', 'SUSPENDED', 'BALL_RUNNING']);
export function createMarket(state: State, c: Of<'market.create'>): Refused | null {
  const def = c.market;
  const bad = badDefinition(def);
  if (bad !== null) return refuse('MARKET_INVALID', bad);
  if (state.markets.has(def.marketId)) return refuse('MARKET_EXISTS', 'marketId');
  const market = addMarket(state, copyDefinition(def));
  market.changed = true;
  append(state.changedMarkets, market);
  return null;
}

export function setMarketState(state: State, c: Of<'market.state'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (market.status === 'SETTLING') return suspendLapsing(state, market, c);
  if (c.status !== undefined && !STATUSES.has(c.status)) return refuse('MARKET_INVALID', 'status');
  if (c.inPlay !== undefined && typeof c.inPlay !== 'boolean') return refuse('MARKET_INVALID', 'inPlay');
  if (c.betDelayMs !== undefined && !isCount(c.betDelayMs)) return refuse('MARKET_INVALID', 'betDelayMs');
  if (c.limits && !isLimits(c.limits.minStakeMinor, c.limits.maxStakeMinor)) return refuse('MARKET_INVALID', 'limits');
  for (const { runnerId, status } of c.runners ?? []) {
    const runner = market.byId.get(runnerId);
    if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
    if (runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'runnerId');
    if (!RUNNER_STATUSES.has(status)) return refuse('MARKET_INVALID', 'status');
  }

  const { lapses, choose } = createChoice(market);
  if (c.status !== undefined && c.status !== market.status) {
    const leaving = market.status === 'OPEN';
    market.status = c.status;
    market.reason = '';
    changeMarket(state, market, false);
    if (leaving) {
      choose('LAPSED_SUSPENDED', (order) => order.status === 'PENDING' || market.def.lapseOnSuspend);
      if (market.def.lapseOnSuspend) clearHouse(state, market);
    }
  }
  if (c.lapse === true) {
    choose('LAPSED_SUSPENDED', () => true);
    clearHouse(state, market);
  }
  if (c.reason !== undefined && c.reason !== market.reason) {
    market.reason = c.reason;
    changeMarket(state, market, false);
  }
  if (c.inPlay !== undefined && c.inPlay !== market.inPlay) {
    market.inPlay = c.inPlay;
    changeMarket(state, market, c.inPlay);
    if (c.inPlay) {
      // The house quotes anew after the turn, like everybody without "keep".
      choose('LAPSED_IN_PLAY', (order) => order.status === 'EXECUTABLE' && order.persistence === 'LAPSE');
      choose('LAPSED_VERSION', (order) => order.status === 'PENDING');
      clearHouse(state, market);
      endInMarket(state, market, 'LAPSED_IN_PLAY', (one) => one.kind !== 'EXPIRE' && one.persistence === 'LAPSE');
    }
  }
  if (c.betDelayMs !== undefined && c.betDelayMs !== market.betDelayMs) {
    market.betDelayMs = c.betDelayMs;
    changeMarket(state, market, false);
  }
  if (c.limits && (c.limits.minStakeMinor !== market.minStake || c.limits.maxStakeMinor !== market.maxStake)) {
    market.minStake = c.limits.minStakeMinor;
    market.maxStake = c.limits.maxStakeMinor;
    changeMarket(state, market, false);
  }
  for (const { runnerId, status } of c.runners ?? []) {
    const runner = market.byId.get(runnerId)!;
    if (runner.status === status) continue;
    runner.status = status;
    changeMarket(state, market, false);
    if (status !== 'ACTIVE') {
      choose('LAPSED_SUSPENDED', (order) => order.status === 'PENDING' && order.runner === runner);
    }
  }
  endLapses(state, market, lapses, c.units);
  return null;
}
