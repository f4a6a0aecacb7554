/**
 * The committed state and how it goes on: batch by batch of the log, in the same way in the process that leads, in those
 * that follow it and at a start. Whoever applied the same batches has the same state and told the same events.
 */
import { apply, createState, type Event } from '@fairgame/exchange';
import { betIdsOf } from './bet-ids.ts';
import type { Logged } from './log.ts';
import type { World, Worlds } from './worlds.ts';

/** What the log makes up to command `seq`. Nothing uncommitted is ever in it. */
export interface CommittedState {
  worlds: Worlds;
  seq: number;
  /** Time of that command. */
  at: number;
  lastBetId: number;
}

/** Brings the state on by the batch behind it; of each command the events of each of its worlds. */
export function advance(
  state: CommittedState,
  batch: { last: number; items: readonly Logged[] },
  /** Of a world that had no command yet. */
  currencyOf: (world: World) => string = (world) => world,
): Event[][][] {
  const events = batch.items.map((item) => {
    for (const { world } of item.applied) state.worlds[world] ??= createState({ currency: currencyOf(world) });
    const told = applyLogged(state.worlds, item);
    const ids = betIdsOf(item.applied[0]?.command);
    for (const { first, count } of [ids, item.fired].filter((one) => one != null))
      state.lastBetId = Math.max(state.lastBetId, first + count - 1);
    state.at = item.at;
    return told;
  });
  state.seq = batch.last;
  return events;
}

/** Applies one logged command in its worlds; the events of each. */
export function applyLogged(worlds: Worlds, { applied, at, fired }: Logged): Event[][] {
  return applyIn(worlds, applied, at, fired === undefined ? 0 : fired.first - 1).events;
}

/**
 * Applies a command in each of its worlds. Bets that the core places by itself are numbered behind `idFloor`, through all of
 * them. @returns the events of each, and the last number that is taken now.
 */
export function applyIn(
  worlds: Worlds,
  applied: Logged['applied'],
  at: number,
  idFloor: number,
): { events: Event[][]; lastBetId: number } {
  let lastBetId = idFloor;
  const events = applied.map(({ world, command }) => {
    const told = apply(worlds[world], command, at, lastBetId);
    lastBetId = Math.max(lastBetId, worlds[world].lastBetId);
    return told;
  });
  return { events, lastBetId };
}
