/** A runner that leaves a field, and one that comes back (exchange reference 7): what is asked, and what it begins (field.ts). */
import { availableOf } from './available.ts';
import { endInMarket } from './conditionals.ts';
import { fieldOn, fieldsOf, reducedLay } from './field.ts';
import { reckon } from './field-sums.ts';
import type { Refused } from './guard.ts';
import { isCount, isRefused, refuse } from './guard.ts';
import { clearHouse } from './house.ts';
import { liveOf } from './live.ts';
import { lapse } from './markets.ts';
import { openWork } from './pending.ts';
import { isLayLapsing } from './reduction.ts';
import type { FieldChange, Market, Order, Runner, State, Work } from './state.ts';
import { SMALL_WORK, seqOf } from './state.ts';
import type { BetId, Command, EndCode } from './types.ts';
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
  const lapses = new Map<BetId, EndCode>();
  const choose = (code: EndCode, which: (order: Order) => boolean) => {
    for (const { id } of liveOf(market.live, which)) if (!lapses.has(id)) lapses.set(id, code);
  };
  choose('LAPSED_REMOVAL', (order) => order.runner === runner);
  choose('LAPSED_VERSION', (order) => order.status === 'PENDING');
  if (market.isBook) {
    // They belong to the old field.
    clearHouse(state, market);
    if (isLayLapsing(c.factor, market.def.placeMarket === true)) {
      choose('LAPSED_REMOVAL', (order) => isWaitingLay(order) && order.persistence === 'LAPSE');
      const kept = liveOf(market.live, (order) => isWaitingLay(order) && !lapses.has(order.id));
      const moving = kept.filter((order) => reducedLay(market, field, order) < order.price);
      field.lays = moving.sort((a, b) => seqOf(a) - seqOf(b)).map(({ id }) => id);
    }
  }
  begin(state, market, c, { field, lapses: [...lapses] });
  return null;
}

/**
 * Puts a removed runner back (seen in golf): what its removal made void counts again, what it reduced is paid in full
 * again. What lapsed stays lapsed, and a kept lay stays at its reduced price. Refused while somebody would be short by it;
 * so that nobody is by what he does after he was looked at, such a return changes the field in its own command.
 */
export function reinstateRunner(state: State, c: Of<'runner.reinstate'>): Refused | null {
  const found = runnerOf(state, c);
  if (isRefused(found)) return found;
  const { market, runner } = found;
  if (runner.status !== 'REMOVED') return refuse('RUNNER_UNKNOWN', 'runnerId');
  const field = changeOf(
    market,
    c,
    market.removals.filter((removal) => removal.runnerId !== runner.id),
  );
  const isDelayed = (order: Order) => order.status === 'PENDING';
  if (c.force !== undefined) {
    const lapses = liveOf(market.live, isDelayed).map(({ id }): [BetId, EndCode] => [id, 'LAPSED_VERSION']);
    begin(state, market, c, { field, lapses });
    return null;
  }
  if (leavesShort(market, { type: c.type, field })) return refuse('INSUFFICIENT_FUNDS', 'runnerId');
  lapse(state, market, 'LAPSED_VERSION', isDelayed);
  begin(state, market, c, { field, phase: 'change' });
  return null;
}

function changeOf(market: Market, { runnerId, factor, factors }: Change, removals: Market['removals']): FieldChange {
  return { runnerId, factors: [...(factors ?? []), { runnerId, factor }], before: market.removals, removals, lays: [] };
}

const isWaitingLay = (order: Order) => order.status === 'EXECUTABLE' && order.side === 'LAY';

/** Locks the market and begins; of a small one all is done at once. */
function begin(state: State, market: Market, c: Change, of: Partial<Work>): void {
  const { type, units = SMALL_WORK } = c;
  const { status, reason } = market;
  endInMarket(state, market, 'FIELD_CHANGED', (one) => one.kind !== 'EXPIRE');
  const after = { status, reason };
  const work = openWork(state, market, { type, phase: 'lapse', ...of, reason: 'Bets are brought up to date', after });
  changeMarket(state, market, false);
  const isSmall = market.orders.length + market.holdings.size <= units;
  fieldOn(state, market, work, isSmall ? Number.POSITIVE_INFINITY : units);
}

/** Whether the return of a runner would cost somebody money he has not got. Looks only; what it reckoned is kept for the change. */
function leavesShort(market: Market, work: Pick<Work, 'type' | 'field'>): boolean {
  const { after } = fieldsOf(market, work);
  const next = Array.from(market.holdings.values(), (holding) => [holding, reckon(after, holding)] as const);
  for (const [holding, { hard }] of next) {
    const more = hard - holding.exposure;
    if (more > 0 && availableOf(holding.account) < more) return true;
  }
  for (const [holding, reckoned] of next) holding.next = reckoned;
  return false;
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
