/**
 * What a simulated player does when it is his turn: pure, so that the same draws at the same prices lead to the same bets.
 * Takers take the best price there is; makers wait at the best place or one tick in front of it; followers bet on what moved.
 */
import { LADDER, tickIndex } from '@fairgame/contract';
import type { Persistence, Side } from '@fairgame/exchange';
import { between, chance, gaussian, type Rng, uniform } from './simulated/rng.ts';

export type Manner = 'taker' | 'maker' | 'follower';

/** Prices in hundredths, best first with their sizes; a list is empty where nothing is offered. */
export interface Sight {
  /** What can be backed, and what can be laid. */
  back: ReadonlyArray<readonly [number, number]>;
  lay: ReadonlyArray<readonly [number, number]>;
  /** By how many ticks the last traded price moved within the last minute; negative: it shortened. */
  moved: number;
  minStakeMinor: number;
  maxStakeMinor: number;
  /** What the player can still risk. */
  availableMinor: number;
}

export interface Wish {
  side: Side;
  price: number;
  sizeMinor: number;
  persistence: Persistence;
}

/** Ticks by which a price must have moved for a follower to see it. */
const SEEN_MOVE = 2;
/** Nobody risks more than a tenth of what he has. */
const RISKED = 10;
/** The middle stake, of a taker and of a maker. */
const STAKE_MINOR = { taker: 15_000, maker: 60_000, follower: 25_000 } as const;
/** A few bet by far more than the most. */
const SPREAD = 1.1;

/** What he asks for; null when nothing there is to his liking. */
export function wishOf(r: Rng, manner: Manner, sight: Sight): Wish | null {
  const side = sideOf(r, manner, sight);
  if (side === null) return null;
  const price = priceOf(r, manner, side, sight);
  if (price === null) return null;
  const sizeMinor = sizeOf(r, manner, side, price, sight);
  return sizeMinor === null ? null : { side, price, sizeMinor, persistence: chance(r, 0.2) ? 'PERSIST' : 'LAPSE' };
}

function sideOf(r: Rng, manner: Manner, { moved }: Sight): Side | null {
  if (manner !== 'follower') return chance(r, 0.55) ? 'BACK' : 'LAY';
  if (Math.abs(moved) < SEEN_MOVE) return null;
  return moved < 0 ? 'BACK' : 'LAY';
}

function priceOf(r: Rng, manner: Manner, side: Side, { back, lay }: Sight): number | null {
  const [bestBack, bestLay] = [back[0]?.[0], lay[0]?.[0]];
  if (manner !== 'maker') return (side === 'BACK' ? bestBack : bestLay) ?? null;
  if (bestBack === undefined || bestLay === undefined) return null;
  // Who wants to back waits among what can be laid, and in front of the others where there is a tick between.
  const [low, high] = [tickIndex(bestBack), tickIndex(bestLay)];
  const front = high - low > 1 && chance(r, 0.5) ? 1 : 0;
  const behind = front === 1 ? 0 : between(r, 0, 2);
  const at = side === 'BACK' ? high - front + behind : low + front - behind;
  return LADDER[at] ?? null;
}

/** A round amount between the market's bounds, of which the player can stand the loss. */
function sizeOf(r: Rng, manner: Manner, side: Side, price: number, sight: Sight): number | null {
  const wished = STAKE_MINOR[manner] * Math.exp(SPREAD * gaussian(r)) * (uniform(r) < 0.03 ? 6 : 1);
  const risk = side === 'BACK' ? 1 : (price - 100) / 100;
  const most = Math.min(sight.maxStakeMinor, sight.availableMinor / RISKED / Math.max(risk, 0.01));
  const step = wished >= 50_000 ? 10_000 : wished >= 10_000 ? 2500 : 500;
  const size = Math.floor(Math.min(wished, most) / step) * step;
  return size < sight.minStakeMinor || size === 0 ? null : size;
}
