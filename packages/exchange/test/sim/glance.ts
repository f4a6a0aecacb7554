/** What whoever sends a command looks up first. */
import { moveTicks } from '@fairgame/contract';
import type { AccountId, BetId } from '../../src/types.ts';
import { FIRST_PLAYER } from '../../src/types.ts';
import type { Random } from './random.ts';
import type { Market, Runner, World } from './world.ts';

export function somePlayer(world: World, random: Random): AccountId {
  const players = [...world.accounts.keys()].filter((id) => id >= FIRST_PLAYER);
  return players.length ? random.pick(players) : FIRST_PLAYER;
}

export function freshId(world: World, random: Random): BetId {
  return world.lastBetId + (random.chance(0.9) ? 1 : random.int(1, 5));
}

/** A price near the action of a runner: around the best waiting orders, or around a price of its own. */
export function near(random: Random, market: Market, runner: Runner): number {
  const waiting = market.queue.filter((one) => one.runnerId === runner.id);
  const centre = waiting.length ? random.pick(waiting).price : 150 + ((runner.id * 37) % 500);
  return moveTicks(centre, random.int(-3, 3));
}

export const GARBAGE = [
  Number.NaN,
  -1,
  0,
  1.5,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  -(2 ** 53),
  1e300,
  99,
  100_001,
  0.1 + 0.2,
];
