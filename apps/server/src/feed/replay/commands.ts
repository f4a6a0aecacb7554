/** The commands a recorded definition gives rise to, and what its result means to the core. */
import { type Command, MAX_BETS, type MarketId, type Result } from '@fairgame/exchange';
import type { FeedOutput } from '../feed.ts';
import { isRemoved } from './fold.ts';
import { marketInfo, marketName, matchTypeOf, runnerName } from './identity.ts';
import type { Definition } from './message.ts';

/** A market's state as the core was told it. */
export interface ToldState {
  status: 'INACTIVE' | 'OPEN' | 'SUSPENDED';
  inPlay: boolean;
  betDelayMs: number;
}

const TEAMS: ReadonlySet<string> = new Set(['cricket', 'football', 'tennis']);
const MIN_STAKE_MINOR = 100;
const MAX_STAKE_MINOR = 500_000;

/** What the core is to hold while a definition stands; a market held back is suspended instead of open. */
export function stateOf(definition: Definition, heldBack: boolean): ToldState {
  const status =
    definition.status === 'CLOSED' || (heldBack && definition.status === 'OPEN') ? 'SUSPENDED' : definition.status;
  return { status, inPlay: definition.inPlay, betDelayMs: definition.betDelaySeconds * 1000 };
}

export function createCommand(
  marketId: MarketId,
  eventId: number,
  definition: Definition,
  state: ToldState,
  order: number,
): Extract<FeedOutput, { type: 'command' }> {
  const place = definition.marketType === 'PLACE' || definition.marketType === 'OTHER_PLACE';
  const command: Command = {
    type: 'market.create',
    market: {
      marketId,
      eventId,
      kind: 'book',
      name: marketName(definition),
      runners: definition.runners.map((runner) => ({
        runnerId: runner.runnerId,
        name: runnerName(definition, runner),
        adjustmentFactor: runner.adjustmentFactor,
      })),
      winners: placesOf(definition),
      commissionBps: definition.baseRate,
      minStakeMinor: MIN_STAKE_MINOR,
      maxStakeMinor: MAX_STAKE_MINOR,
      maxExposureMinor: 0,
      maxBets: MAX_BETS,
      ...state,
      // A goal cancels what is unmatched; racing and tennis keep it (exchange reference 3.6).
      lapseOnSuspend: matchTypeOf(definition) === 'football',
      placeMarket: place,
      // Non-runners of races, withdrawals of outright fields, scorers who do not play; the sides of a match stay.
      removable: !isSides(definition),
    },
  };
  return { type: 'command', command, info: marketInfo(definition, order) };
}

/** The two sides of a match, and the draw. */
export const isSides = (definition: Definition): boolean =>
  TEAMS.has(matchTypeOf(definition)) && definition.runners.length <= 3;

/** Names only what differs; null when nothing does. */
export function stateCommand(marketId: MarketId, last: ToldState, next: ToldState, reason: string): Command | null {
  const changes = {
    ...(last.status !== next.status && { status: next.status }),
    ...(last.inPlay !== next.inPlay && { inPlay: next.inPlay }),
    ...(last.betDelayMs !== next.betDelayMs && { betDelayMs: next.betDelayMs }),
  };
  return Object.keys(changes).length > 0 ? { type: 'market.state', marketId, ...changes, reason } : null;
}

/** How many win, as the core was told when the market was made; a recording that changes it later is not followed. */
export function placesOf(definition: Definition): number {
  return Math.min(definition.numberOfWinners, definition.runners.length);
}

/**
 * `known` are the runners the core has, and whether it holds them removed. A result the core cannot pay on is a void: its
 * exposures count on as many winners as the market has places (or runners left). Null: more winners than several places, a
 * dead heat of which the recording does not say who was level with whom.
 */
export function resultOf(definition: Definition, known: ReadonlyMap<number, boolean>, places: number): Result | null {
  const winners = definition.runners.filter((runner) => runner.status === 'WINNER').map((runner) => runner.runnerId);
  if (winners.length === 0) return { kind: 'void', reason: 'No winner in the recording' };
  if (winners.some((runnerId) => known.get(runnerId) !== false))
    return { kind: 'void', reason: 'The winner joined after the market opened here' };
  const standing = [...known.values()].filter((removed) => !removed).length;
  if (winners.length < Math.min(places, standing))
    return { kind: 'void', reason: 'Fewer winners in the recording than places' };
  if (places > 1 && winners.length > places) return null;
  return { kind: 'winners', runnerIds: winners };
}

export function sameResult(a: Definition, b: Definition): boolean {
  const text = (definition: Definition): string =>
    definition.runners
      .map((runner) => `${runner.runnerId}${runner.status === 'WINNER' ? 'W' : isRemoved(runner) ? 'R' : 'L'}`)
      .sort()
      .join();
  return text(a) === text(b);
}

/** A non-runner more or less, or other factors: the race card is to be told again. */
export function cardChanged(a: Definition, b: Definition): boolean {
  const text = (definition: Definition): string =>
    definition.runners.map((runner) => `${runner.runnerId}${isRemoved(runner)}${runner.adjustmentFactor}`).join();
  return text(a) !== text(b);
}
