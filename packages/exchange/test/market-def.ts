import type { MarketDef, RunnerDef } from '../src/exchange.ts';

export const MARKET = 7;

export function runners(count: number): RunnerDef[] {
  return Array.from({ length: count }, (_, i) => ({
    runnerId: i + 1,
    name: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i] ?? `R${i}`,
  }));
}

export function marketDef(over: Partial<MarketDef> = {}): MarketDef {
  return {
    marketId: MARKET,
    eventId: 1,
    kind: 'book',
    name: 'Match Odds',
    runners: runners(3),
    winners: 1,
    commissionBps: 0,
    minStakeMinor: 1,
    maxStakeMinor: 100_000_000,
    maxExposureMinor: 0,
    maxBets: 0,
    inPlay: false,
    status: 'OPEN',
    betDelayMs: 0,
    lapseOnSuspend: false,
    ...over,
  };
}
