/**
 * When a price cannot be believed at once (trust FLT-17, "price jump > 50 %"): the odds rose or fell by more than half, and
 * the chance they stand for moved by two points at least, so that an outsider who goes from 300 to 600 is none. Lines of
 * number markets are compared as runs: more than half, and more than ten.
 */
import type { Command, MarketKind } from '@fairgame/exchange';

/** A price as it is compared: decimal odds, and the line where there is one. */
export interface Told {
  odds: number;
  line: number | null;
}

const HALF = 1.5;
const LEAST_POINTS = 0.02;
const LEAST_RUNS = 10;
/** Kinds whose price is a rate per 100. */
const RATES = new Set<MarketKind>(['bookmaker', 'session', 'overByover', 'ballByBall', 'khado', 'meter']);

type PriceCommand = Extract<Command, { type: 'house.book' | 'house.quotes' }>;

/** Best price of each runner that has one; a runner without says nothing. */
export function pricesOf(command: PriceCommand, kind: MarketKind): Map<number, Told> {
  const told = new Map<number, Told>();
  if (command.type === 'house.book') {
    for (const { runnerId, backable, layable } of command.runners) {
      const price = backable[0]?.[0] ?? layable[0]?.[0];
      if (price !== undefined) told.set(runnerId, { odds: price / 100, line: null });
    }
    return told;
  }
  for (const { runnerId, back, lay, status } of command.rows) {
    const quote = back ?? lay;
    if (!quote || status !== 'ACTIVE') continue;
    const odds = RATES.has(kind) ? 1 + quote.price / 100 : quote.price / 100;
    told.set(runnerId, { odds, line: quote.line ?? null });
  }
  return told;
}

export function tellsPrice(command: PriceCommand): boolean {
  return command.type === 'house.book'
    ? command.runners.some((runner) => runner.backable.length > 0 || runner.layable.length > 0)
    : command.rows.some((row) => row.status === 'ACTIVE' && (row.back !== null || row.lay !== null));
}

/** Runners that are told to have no price that could be taken. */
export function withoutPrice(command: PriceCommand): number[] {
  return command.type === 'house.book'
    ? command.runners.filter((one) => one.backable.length + one.layable.length === 0).map((one) => one.runnerId)
    : command.rows.filter((row) => row.status !== 'ACTIVE' || !(row.back || row.lay)).map((row) => row.runnerId);
}

export function isJump(before: Told | undefined, now: Told): boolean {
  if (!before) return false;
  const points = Math.abs(1 / before.odds - 1 / now.odds);
  if (isHalfAway(before.odds, now.odds) && points >= LEAST_POINTS) return true;
  if (before.line === null || now.line === null) return false;
  return isHalfAway(before.line, now.line) && Math.abs(before.line - now.line) > LEAST_RUNS;
}

function isHalfAway(a: number, b: number): boolean {
  return Math.max(a, b) > Math.min(a, b) * HALF;
}
