/**
 * Work too large for one command. A command that concerns more than SMALL_WORK bets and accounts begins it and locks its
 * market (SETTLING); `work` commands go on with it, so the writer decides how much is done between two others' commands.
 */
import { archiveOn, unitsToLeave } from './archive.ts';
import { fieldOn } from './field.ts';
import type { Refused } from './guard.ts';
import { isAmount, refuse } from './guard.ts';
import { changeOn } from './lapses.ts';
import { isBooking } from './pending.ts';
import { settleOn } from './settle.ts';
import type { State, Work, WorkPhase } from './state.ts';
import type { Command, MarketId, PendingWork } from './types.ts';

/** How much a command may do at once is a whole number; only `work` has to say it. */
export function unitsRefusal(command: Command): Refused | null {
  const units = 'units' in command ? command.units : undefined;
  if (units === undefined ? command.type !== 'work' : isAmount(units)) return null;
  return refuse('AMOUNT_INVALID', 'units');
}

/** Goes on with the oldest work. With none it does nothing: who asked could not know that the last slice was the last. */
export function goOn(state: State, c: Extract<Command, { type: 'work' }>): Refused | null {
  const work = workOf(state, c);
  if (work === undefined) return null;
  const market = state.markets.get(work.marketId)!;
  if (work.type === 'market.archive') archiveOn(state, market, work, c.units);
  else if (isBooking(work)) settleOn(state, market, work, c.units);
  else if (work.field !== null) fieldOn(state, market, work, c.units);
  else changeOn(state, market, work, c.units);
  return null;
}

/** What such a command goes on with. */
export function workOf({ pending }: State, { marketId }: { marketId?: MarketId }): Work | undefined {
  return pending.find((work) => work.type !== 'market.recall' && (marketId ?? work.marketId) === work.marketId);
}

/** What was begun and is not done, oldest first. Empty: no `work` is needed. */
export function pendingWork(state: State): PendingWork[] {
  return state.pending.map((work) => {
    const { type, marketId, phase, parts: part } = work;
    const pending = { type, marketId, phase, unitsAtMost: unitsOf(state, work) };
    return type === 'market.recall' ? { ...pending, part } : pending;
  });
}

const PHASES = {
  'market.declare': ['lapse', 'judge', 'losers', 'winners'],
  'market.undeclare': ['winners', 'losers'],
};

const FIELD_PHASES: WorkPhase[] = ['lapse', 'lays', 'house', 'reckon', 'change', 'turns', 'ending'];

/** Each phase looks at every account and bet once at most. */
function unitsOf(state: State, work: Work): number {
  const { type, marketId, phase, at, lapses, untold, field, parts, head } = work;
  if (type === 'market.recall') return head!.count! - parts;
  if (type === 'market.archive') return unitsToLeave(state.markets.get(marketId)!, at);
  if (field !== null) {
    const { orders, fills, holdings } = state.markets.get(marketId)!;
    const phases = FIELD_PHASES.length - FIELD_PHASES.indexOf(phase);
    return lapses.length + field.lays.length + fills.length + phases * (orders.length + holdings.size);
  }
  if (type !== 'market.declare' && type !== 'market.undeclare') {
    let units = untold.size + lapses.length - at;
    for (const betIds of untold.values()) units += betIds.length;
    return units;
  }
  const { orders, holdings } = state.markets.get(marketId)!;
  const phases = PHASES[type];
  return (phases.length - phases.indexOf(phase)) * (orders.length + holdings.size) - at;
}
