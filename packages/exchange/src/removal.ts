/** A runner that leaves a field, and one that comes back (exchange reference 7): what is asked, and what it begins (field.ts). */
import { endInField, fieldOn, fieldsOf, leavesShort, reducedLay } from './field.ts';
import { reckon } from './field-sums.ts';
import type { Refused } from './guard.ts';
import { isCount, isRefused, refuse } from './guard.ts';
import { clearHouse } from './house.ts';
import { createChoice } from './lapses.ts';
import { liveOf } from './live.ts';
import { openWork } from './pending.ts';
import { isLayLapsing } from './reduction.ts';
import type { FieldChange, Market, Order, Runner, State, Work } from './state.ts';
import { SMALL_WORK, seqOf } from './state.ts';
import type { Command } from './types.ts';
import { changeMarket } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;
type Change = Of<'runner.remove'> | Of<'runner.reinstate'>;

/**
 * Takes a runner out: its unmatched bets lapse, its matched ones are void, bets on the others are paid at reduced prices,
 * and unmatched lays on the others lapse or, when kept, move down to a reduced price. The house's prices all go.
 */
export function removeRunner(state: State, c: Of<'runner.remove'>): Refused | null {
  const found = runnerOf(state, c);
  if (isRefused(found)) return found;
  const { market, runner } = found;
  if (runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'runnerId');
  // Nobody reserved for it there: it may leave accounts short, so a person must want it.
  if (market.def.removable !== true && c.force === undefined) return refuse('WRONG_KIND', 'marketId');
  const { removals } = market;
  const { id: runnerId } = runner;
  const own = { runnerId, factor: c.factor, upTo: state.lastFillId, upToBet: state.lastBetId };
  const field = changeOf(market, c, market.isBook ? [...removals, own] : removals);
  const { lapses, choose, isChosen } = createChoice(market);
  choose('LAPSED_REMOVAL', (order) => order.runner === runner);
  choose('LAPSED_VERSION', (order) => order.status === 'PENDING');
  if (market.isBook) {
    // They belong to the old field.
    clearHouse(state, market);
    if (isLayLapsing(c.factor, market.def.placeMarket === true)) {
      choose('LAPSED_REMOVAL', (order) => isWaitingLay(order) && order.persistence === 'LAPSE');
      const kept = liveOf(market.live, (order) => isWaitingLay(order) && !isChosen(order));
      const moving = kept.filter((order) => reducedLay(market, field, order) < order.price);
      field.lays = moving.sort((a, b) => seqOf(a) - seqOf(b)).map(({ id }) => id);
    }
  }
  begin(state, market, c, { field, lapses });
  return null;
}

/**
 * Puts a removed runner back (seen in golf): what its removal made void counts again, what it reduced is paid in full
 * again. What lapsed stays lapsed, and a kept lay stays at its reduced price. Refused while somebody would be short by it; of a
 * large market that is known with the change of the field only, and then the runner stays out.
 */
export function reinstateRunner(state: State, c: Of<'runner.reinstate'>): Refused | null {
  const found = runnerOf(state, c);
  if (isRefused(found)) return found;
  const { market, runner } = found;
  if (runner.status !== 'REMOVED') return refuse('RUNNER_UNKNOWN', 'runnerId');
  const others = market.removals.filter((removal) => removal.runnerId !== runner.id);
  const field: FieldChange = { ...changeOf(market, c, others), ifCovered: c.force === undefined };
  if (field.ifCovered && isSmall(market, c)) {
    const { after } = fieldsOf(market, { type: c.type, field });
    if (leavesShort(market, (holding) => reckon(after, holding))) return refuse('INSUFFICIENT_FUNDS', 'runnerId');
  }
  const { lapses, choose } = createChoice(market);
  choose('LAPSED_VERSION', ({ status }) => status === 'PENDING');
  begin(state, market, c, { field, lapses });
  return null;
}

function changeOf(market: Market, { runnerId, factor, factors }: Change, removals: Market['removals']): FieldChange {
  const all = [...(factors ?? []), { runnerId, factor }];
  return { runnerId, factors: all, before: market.removals, removals, lays: [], ifCovered: false };
}

/** Whether all of it is done in its own command. */
function isSmall({ orders, holdings }: Market, { units = SMALL_WORK }: Change): boolean {
  return orders.length + holdings.size <= units;
}

const isWaitingLay = (order: Order) => order.status === 'EXECUTABLE' && order.side === 'LAY';

/** Locks the market and begins; of a small one all is done at once. */
function begin(state: State, market: Market, c: Change, of: Partial<Work>): void {
  const { type, units = SMALL_WORK } = c;
  const { status, reason } = market;
  const after = { status, reason };
  if (of.field?.ifCovered !== true) endInField(state, market);
  const work = openWork(state, market, { type, phase: 'lapse', ...of, reason: 'Bets are brought up to date', after });
  changeMarket(state, market, false);
  fieldOn(state, market, work, isSmall(market, c) ? Number.POSITIVE_INFINITY : units);
}

function runnerOf(state: State, c: Change): { market: Market; runner: Runner } | Refused {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (market.status === 'SETTLING') return refuse('MARKET_SETTLING', 'marketId');
  const runner = market.byId.get(c.runnerId);
  if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
  if (!isFactor(c.factor)) return refuse('AMOUNT_INVALID', 'factor');
  for (const { runnerId, factor } of c.factors ?? []) {
    if (!market.byId.has(runnerId)) return refuse('RUNNER_UNKNOWN', 'factors');
    if (!isFactor(factor)) return refuse('AMOUNT_INVALID', 'factors');
  }
  if (!market.isBook && market.def.kind !== 'bookmaker') return refuse('WRONG_KIND', 'marketId');
  return { market, runner };
}

function isFactor(factor: unknown): boolean {
  return isCount(factor) && factor < 10_000;
}
