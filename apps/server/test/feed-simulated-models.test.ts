import { LADDER, tickIndex } from '@fairgame/contract';
import type { Result } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import type { FeedOutput } from '../src/feed/feed.ts';
import { ballChances, chaseFromStart, OUT, outlook } from '../src/feed/simulated/cricketModel.ts';
import type { Ctx } from '../src/feed/simulated/desk.ts';
import { footballChances } from '../src/feed/simulated/footballModel.ts';
import { bestPrices, lineQuotes } from '../src/feed/simulated/ladder.ts';
import { LANES, priceEvent, type SimEvent, startEvent, stepEvent } from '../src/feed/simulated/lanes.ts';
import { apportion, orderChances } from '../src/feed/simulated/orderModel.ts';
import { gaussian, makeRng, uniform } from '../src/feed/simulated/rng.ts';
import { gameChance, tennisChances, tieBreakChance } from '../src/feed/simulated/tennisModel.ts';

describe('models of the simulated feed', () => {
  it('cricket: forward outlook and backward table agree, and chances add up', () => {
    for (const format of ['T20', 'ODI'] as const) {
      const balls = format === 'T20' ? 120 : 300;
      for (const need of [90, 160, 220]) {
        const ahead = outlook(format, 1, { ballsLeft: balls, wickets: 0, need }, []);
        const table = chaseFromStart(format, 1, need);
        expect(ahead.win).toBeCloseTo(table.win, 5);
        expect(ahead.tie).toBeCloseTo(table.tie, 5);
      }
      const first = outlook(format, 0, { ballsLeft: balls, wickets: 0, need: 0 }, [36, 60]);
      for (const part of [first.total, first.nextWicket, ...first.marks]) {
        expect(part.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4);
      }
    }
    const p = ballChances('T20', 0, 60, 3, 0);
    expect(p.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    expect(ballChances('T20', 0, 12, 3, 40)[OUT.six]!).toBeGreaterThan(ballChances('T20', 0, 12, 3, 8)[OUT.six]!);
  });

  it('cricket: totals are those of real cricket', () => {
    const mean = (more: Float64Array): number => more.reduce((sum, q, runs) => sum + q * runs, 0);
    const t20 = mean(outlook('T20', 0, { ballsLeft: 120, wickets: 0, need: 0 }, []).total);
    const odi = mean(outlook('ODI', 0, { ballsLeft: 300, wickets: 0, need: 0 }, []).total);
    expect(t20).toBeGreaterThan(145);
    expect(t20).toBeLessThan(175);
    expect(odi).toBeGreaterThan(225);
    expect(odi).toBeLessThan(280);
  });

  it('football: the grid, the result and the totals are one distribution', () => {
    const chances = footballChances(1, 0, 0.9, 1.1);
    expect(chances.home + chances.draw + chances.away).toBeCloseTo(1, 9);
    expect(chances.over[0]).toBeCloseTo(1, 9);
    expect(chances.over[2]).toBeCloseTo(1 - Math.exp(-2) * 3, 6);
    expect(footballChances(2, 1, 0, 0)).toMatchObject({ home: 1, bothScore: 1 });
  });

  it('tennis: even players are even, a game from deuce is the known one, the games add up', () => {
    expect(gameChance(0.6, 3, 3)).toBeCloseTo(0.36 / 0.52, 9);
    const even = { serveA: 0.64, serveB: 0.64, bestOf: 3 };
    expect(tieBreakChance(even, 0, 0, true)).toBeCloseTo(0.5, 6);
    const start = {
      setsA: 0,
      setsB: 0,
      gamesA: 0,
      gamesB: 0,
      pointsA: 0,
      pointsB: 0,
      tieBreak: false,
      aServes: true,
      gamesBefore: 0,
    };
    const chances = tennisChances(even, start);
    expect(chances.match).toBeCloseTo(0.5, 6);
    expect(chances.games.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    expect(tennisChances({ ...even, bestOf: 5 }, { ...start, setsA: 2, gamesA: 5, pointsA: 3 }).match).toBeGreaterThan(
      0.97,
    );
  });

  it('order: agrees with drawing, sums to the places, leaves removed runners out', () => {
    const means = [3, 1, 0.5, Number.NaN, -2];
    const r = makeRng(4);
    const count = means.map(() => 0);
    const draws = 20_000;
    for (let i = 0; i < draws; i++) {
      const order = means
        .map((mean, at) => ({ at, x: mean + gaussian(r) * 2 }))
        .filter(({ x }) => !Number.isNaN(x))
        .sort((a, b) => b.x - a.x);
      for (const { at } of order.slice(0, 2)) count[at]!++;
    }
    const places = orderChances(means, 2, 2);
    expect(places.reduce((a, b) => a + b, 0)).toBeCloseTo(2, 3);
    places.forEach((p, i) => {
      expect(Math.abs(p - count[i]! / draws)).toBeLessThan(0.012);
    });
    expect(apportion([0.5, 0.3, 0, 0.2], 10_000, 5).reduce((a, b) => a + b, 0)).toBe(10_000);
  });

  it('prices: on the ladder, never crossed, backs under fair and lays over it', () => {
    const r = makeRng(8);
    for (let i = 0; i < 5000; i++) {
      const p = uniform(r) ** 3;
      const { back, lay } = bestPrices(p, 0.004);
      if (back > 0) {
        expect(tickIndex(back)).toBeGreaterThanOrEqual(0);
        expect(back * p).toBeLessThanOrEqual(100 + 1e-9);
      }
      if (lay > 0) {
        expect(tickIndex(lay)).toBeGreaterThanOrEqual(0);
        expect(lay * p).toBeGreaterThanOrEqual(100 - 1e-9);
      }
      if (back > 0 && lay > 0) expect(back).toBeLessThan(lay);
    }
    expect(LADDER.length).toBe(350);
    const atLeast = (n: number): number => Math.max(0, Math.min(1, (60 - n) / 40));
    expect(lineQuotes(atLeast, 20, 60, 100)).toMatchObject({ yes: { line: 41 }, no: { line: 39 } });
    expect(lineQuotes(atLeast, 20, 20, 100)).toBeNull();
  });
});

describe('calibration: what is priced p happens with frequency near p', () => {
  it('cricket T20 match odds', { timeout: 120_000 }, () =>
    judge(forecasts('cricket', 'T20', 220, [0, 0.35, 0.7, 0.9], 'odds')),
  );
  it('cricket ODI match odds', { timeout: 120_000 }, () =>
    judge(forecasts('cricket', 'ODI', 90, [0, 0.4, 0.8], 'odds')),
  );
  it('cricket Test match odds', { timeout: 120_000 }, () =>
    judge(forecasts('cricket', 'Test', 100, [0, 0.3, 0.6, 0.8], 'odds')),
  );
  it('football match odds', () => judge(forecasts('football', undefined, 400, [0, 0.3, 0.6, 0.85], 'odds')));
  it('football over 2.5', () => judge(forecasts('football', undefined, 1000, [0, 0.25, 0.45], 'over:2')));
  it('football correct score', () => judge(forecasts('football', undefined, 300, [0, 0.5], 'score')));
  it('tennis match odds', () => judge(forecasts('tennis', undefined, 300, [0, 0.3, 0.6, 0.85], 'odds')));
  it('tennis total games', () => judge(forecasts('tennis', undefined, 300, [0, 0.3, 0.6], 'games')));
  it('horse racing win', () => judge(forecasts('horseRacing', undefined, 500, [0, 0.5, 0.8], 'win')));
  it('horse racing place', () => judge(forecasts('horseRacing', undefined, 500, [0, 0.5, 0.8], 'place')));
  it('greyhounds win', () => judge(forecasts('greyHound', undefined, 700, [0], 'win')));
  it('politics winner', () => judge(forecasts('politics', undefined, 150, [0, 0.5, 0.9], 'winner')));

  it('cricket sessions: neither No nor Yes beats the house, and neither is hopeless', { timeout: 120_000 }, () => {
    const { yes, no } = sessionReturns(60);
    for (const side of [yes, no]) {
      expect(side.bets).toBeGreaterThan(2000);
      expect(side.profit / side.staked).toBeLessThan(0.03);
      expect(side.profit / side.staked).toBeGreaterThan(-0.2);
    }
  });
});

interface Forecast {
  p: number;
  happened: number;
  event: number;
}

const laneOf = (matchType: string, format?: string): number =>
  LANES.findIndex((lane) => lane.matchType === matchType && lane.format === format);

function playOut(matchType: string, format: string | undefined, slot: number): { sim: SimEvent; ctx: Ctx } {
  let id = 0;
  const ctx: Ctx = { ids: { next: () => ++id }, out: [] };
  const lane = laneOf(matchType, format);
  const start = slot * LANES[lane]!.slotMs + LANES[lane]!.offsetMs;
  const ahead = matchType === 'politics' ? 14 * 86_400_000 : 3_600_000;
  const sim = startEvent(ctx, '99', lane, slot, start - ahead, [], () => 1);
  return { sim, ctx };
}

/** Fair chances of a market at these shares of the event's length, with what came of them. */
function forecasts(
  matchType: string,
  format: string | undefined,
  events: number,
  shares: number[],
  key: string,
): Forecast[] {
  const all: Forecast[] = [];
  // Looked at after so many steps, whatever the event will bring: a share of its own length would know the future.
  const stops = shares.map((share) => Math.floor(share * usualSteps(matchType, format)));
  for (let slot = 1; slot <= events; slot++) {
    const { sim, ctx } = playOut(matchType, format, slot);
    const open: Array<{ runnerId: number; p: number }> = [];
    let marketId = 0;
    for (let step = 0; !sim.closed; step++) {
      if (stops.includes(step)) {
        priceEvent(ctx, sim);
        const market = sim.markets.find((m) => m.key === key);
        if (market) {
          marketId = market.def.marketId;
          market.fair.forEach((p, i) => {
            // Of two runners the second says nothing that the first does not.
            if (!market.removed[i] && (i === 0 || market.fair.length > 2))
              open.push({ runnerId: market.def.runners[i]!.runnerId, p });
          });
        }
      }
      stepEvent(ctx, sim);
    }
    const removed = new Set(
      sim.sport === 'race' ? sim.event.race!.runners.filter((r) => r.nonRunner).map((r) => r.runnerId) : [],
    );
    const result = declared(ctx.out, marketId);
    for (const { runnerId, p } of open) {
      if (removed.size > 0 || result?.kind === 'void') continue;
      all.push({ p, happened: share(result!, runnerId), event: slot });
    }
  }
  return all;
}

/** Mean length of twelve events, which are not among those judged. */
function usualSteps(matchType: string, format: string | undefined): number {
  let steps = 0;
  for (let slot = 90_001; slot <= 90_012; slot++) {
    const { sim, ctx } = playOut(matchType, format, slot);
    for (; !sim.closed; steps++) stepEvent(ctx, sim);
  }
  return steps / 12;
}

function declared(out: FeedOutput[], marketId: number): Result | undefined {
  for (const o of out) {
    if (o.type === 'command' && o.command.type === 'market.declare' && o.command.marketId === marketId)
      return o.command.result;
  }
  return undefined;
}

/** What a runner got: 1, 0, or a part in a tie. */
function share(result: Result, runnerId: number): number {
  if (result.kind === 'tie') return 0.5;
  if (result.kind === 'ranks') return result.ranks.some((one) => one.runnerId === runnerId) ? 1 : 0;
  return result.kind === 'winners' && result.runnerIds.includes(runnerId) ? 1 : 0;
}

/** By bins of the forecast, and all together; forecasts of one event hang together, so the spread is taken by event. */
function judge(all: Forecast[]): void {
  expect(all.length).toBeGreaterThan(200);
  const bins = [0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 1.0001];
  for (let b = 0; b + 1 < bins.length; b++) {
    const own = all.filter(({ p }) => p >= bins[b]! && p < bins[b + 1]!);
    const byEvent = new Map<number, number>();
    for (const f of own) byEvent.set(f.event, (byEvent.get(f.event) ?? 0) + f.happened - f.p);
    if (byEvent.size < 30) continue;
    const gap = [...byEvent.values()].reduce((sum, d) => sum + d, 0) / own.length;
    const spread = Math.sqrt([...byEvent.values()].reduce((sum, d) => sum + d * d, 0)) / own.length;
    expect(
      Math.abs(gap),
      `bin from ${bins[b]}: off by ${gap.toFixed(3)} with spread ${spread.toFixed(3)}`,
    ).toBeLessThan(4 * spread + 0.015);
  }
  const base = all.reduce((sum, f) => sum + f.happened, 0) / all.length;
  const brier = all.reduce((sum, f) => sum + (f.p - f.happened) ** 2, 0) / all.length;
  const naive = all.reduce((sum, f) => sum + (base - f.happened) ** 2, 0) / all.length;
  expect(brier).toBeLessThan(naive * 0.97);
}

/** Backs every Yes and every No shown at the end of each third over for 100, and settles them. */
function sessionReturns(matches: number): Record<'yes' | 'no', { bets: number; staked: number; profit: number }> {
  const total = { yes: { bets: 0, staked: 0, profit: 0 }, no: { bets: 0, staked: 0, profit: 0 } };
  for (let slot = 1; slot <= matches; slot++) {
    const { sim, ctx } = playOut('cricket', slot % 3 === 0 ? 'ODI' : 'T20', 5000 + slot);
    const bets: Array<{ marketId: number; yes: boolean; line: number; rate: number }> = [];
    let shown = 0;
    while (!sim.closed) {
      stepEvent(ctx, sim);
      if (sim.sport !== 'cricket' || sim.state.phase !== 'overBreak' || ++shown % 3 !== 0) continue;
      priceEvent(ctx, sim);
      for (const market of sim.markets) {
        const row = market.rows[0];
        if (market.def.kind !== 'session' || row?.status !== 'ACTIVE') continue;
        const { marketId } = market.def;
        if (row.back) bets.push({ marketId, yes: true, line: row.back.line!, rate: row.back.price });
        if (row.lay) bets.push({ marketId, yes: false, line: row.lay.line!, rate: row.lay.price });
      }
    }
    for (const bet of bets) {
      const result = declared(ctx.out, bet.marketId);
      if (result?.kind !== 'score') continue;
      const happened = result.score >= bet.line;
      const side = bet.yes ? total.yes : total.no;
      side.bets++;
      side.staked += 100;
      if (bet.yes) side.profit += happened ? bet.rate : -100;
      else side.profit += happened ? -bet.rate : 100;
    }
  }
  return total;
}
