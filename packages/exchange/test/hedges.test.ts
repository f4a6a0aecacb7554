/** Several bets as one: cash out judged by what it leaves, whole or not at all, at once or after the delay (D7). */
import { moveTicks, tickAtOrBelow } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import type { BetId, Command, HedgeLeg } from '../src/exchange.ts';
import { cashOutQuote, openBets, position, restore, snapshot, wallet } from '../src/exchange.ts';
import { createRandom } from './sim/random.ts';
import { ANN, BOB, betIn, CAT, MARKET, of, runners, Site } from './site.ts';

function hedge(s: Site, accountId: number, legs: HedgeLeg[], over: Partial<Hedge> = {}): Hedge {
  const betId = s.lastBetId + 1;
  s.lastBetId += legs.length;
  return { type: 'bets.hedge', betId, accountId, marketId: MARKET, legs, cancel: true, ...over };
}
type Hedge = Extract<Command, { type: 'bets.hedge' }>;

/** The legs of what the account is offered for the market. */
function offered(s: Site, accountId: number): { legs: HedgeLeg[]; valueMinor: number; cancels: BetId[] } {
  const quote = cashOutQuote(s.state, accountId, MARKET)!;
  if (!quote.cashOut.ok) throw new Error(quote.cashOut.reason);
  return { legs: quote.cashOut.hedges, valueMinor: quote.cashOut.valueMinor, cancels: quote.cancels };
}

/** Bob offers everything at a price and one tick more; Ann has backed the first runner with all she has. */
function allIn(prices = [300, 300, 300]): Site {
  const s = new Site(3, 100_000_000);
  s.market();
  prices.forEach((price, i) => {
    s.lay(BOB, i + 1, price, 1_000_000);
    s.back(BOB, i + 1, price + 5, 1_000_000);
  });
  s.back(ANN, 1, 300, 1_000);
  s.lay(BOB, 1, 280, 1_000_000);
  s.fund(ANN, -wallet(s.state, ANN)!.availableMinor);
  return s;
}

describe('a group of bets', () => {
  it('takes whoever has all he owns in the position out of it', () => {
    let offers = 0;
    let singly = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = createRandom(seed);
      const count = random.int(3, 6);
      const s = new Site(2, 100_000_000);
      s.market({ runners: runners(count), minStakeMinor: 1 });
      s.fund(BOB, 1_000_000_000_000);
      const fair = (): number[] => {
        const weights = Array.from({ length: count }, () => random.int(5, 105));
        const sum = weights.reduce((total, weight) => total + weight, 0);
        return weights.map((weight) => moveTicks(tickAtOrBelow(Math.floor((sum * 100) / weight)), 1));
      };
      const offer = (prices: number[]) => {
        s.go({ type: 'order.cancelAll', accountId: BOB });
        prices.forEach((price, i) => {
          s.lay(BOB, i + 1, price, 5_000_000);
          s.back(BOB, i + 1, moveTicks(price, 1), 5_000_000);
        });
        return prices;
      };
      const prices = offer(fair());
      for (let i = random.int(1, 3); i > 0; i--) {
        const id = random.int(1, count);
        const size = random.int(100, 20_000);
        if (random.chance(0.5)) s.back(ANN, id, prices[id - 1]!, size);
        else s.lay(ANN, id, moveTicks(prices[id - 1]!, 1), size);
      }
      offer(fair());
      const free = wallet(s.state, ANN)!.availableMinor;
      if (free > 0) s.fund(ANN, -free);
      const quote = cashOutQuote(s.state, ANN, MARKET)!;
      if (!quote.cashOut.ok) continue;
      offers++;
      const { hedges, results } = quote.cashOut;
      if (!passesSingly(s, hedges)) singly++;
      s.go(hedge(s, ANN, hedges));
      const nets = position(s.state, ANN, MARKET)!.runners!.map((runner) => runner.netMinor);
      // The quote starts from results that are shown rounded.
      results.forEach(({ netMinor }, i) => {
        expect(Math.abs(nets[i]! - netMinor)).toBeLessThanOrEqual(1);
      });
    }
    expect(offers).toBeGreaterThan(60);
    // What the legs one by one were refused, although together they cost nothing.
    expect(singly).toBeGreaterThan(offers / 4);
  });

  it('leaves so much of the exposure as is asked for, at most all of it, and nothing where none is', () => {
    const s = allIn();
    for (const runnerId of [1, undefined]) {
      const of = (share: Parameters<typeof cashOutQuote>[4]) =>
        cashOutQuote(s.state, ANN, MARKET, runnerId, share)!.cashOut;
      // She loses 10.00 at worst.
      expect(of({ amountMinor: 250 })).toEqual(of({ percent: 25 }));
      expect(of({ amountMinor: 250 }).ok).toBe(true);
      expect(of({ amountMinor: 1_000_000 })).toEqual(of({ percent: 100 }));
    }
    const safe = new Site(3, 100_000_000);
    safe.market();
    safe.match(ANN, BOB, 1, 300, 1_000);
    safe.match(BOB, ANN, 1, 250, 1_000);
    safe.back(BOB, 1, 250, 1_000_000);
    expect(cashOutQuote(safe.state, ANN, MARKET, 1)!.cashOut.ok).toBe(true);
    expect(cashOutQuote(safe.state, ANN, MARKET, 1, { amountMinor: 100 })!.cashOut).toEqual({
      ok: false,
      reason: 'NO_POSITION',
    });
  });

  it('is whole or nothing: a leg that finds too little leaves every bet and the waiting orders as they were', () => {
    const s = allIn();
    const { legs } = offered(s, ANN);
    expect(legs.length).toBeGreaterThan(0);
    const short = legs.map((leg, i) => (i === legs.length - 1 ? { ...leg, sizeMinor: 90_000_000 } : leg));
    s.fund(ANN, 500_000_000_000);
    s.refused(hedge(s, ANN, short), 'NOT_FILLED');
  });

  it('own waiting orders are never in the quote or on the other side; they go with it, and are named', () => {
    const s = new Site(3, 100_000_000);
    s.market();
    s.match(ANN, BOB, 1, 300, 1_000);
    // Ann's own lay and back of the others are the best on offer.
    const own = [s.back(ANN, 1, 250, 10_000), s.lay(ANN, 2, 500, 10_000), s.lay(ANN, 3, 500, 10_000)];
    s.back(BOB, 1, 260, 10_000);
    for (const id of [2, 3]) s.lay(BOB, id, 400, 10_000);
    const { legs, cancels } = offered(s, ANN);
    expect(cancels).toEqual(own);
    expect(legs.map((leg) => leg.price)).not.toContain(500);
    expect(legs.map((leg) => leg.price)).not.toContain(250);
    const events = s.go(hedge(s, ANN, legs));
    for (const id of own) expect(betIn(events, id)).toMatchObject({ status: 'COMPLETE', endCode: 'CANCELLED' });
    const sides = of(events, 'fill').flatMap((fill) => [fill.backAccountId, fill.layAccountId]);
    expect(sides.sort((a, b) => a - b)).toEqual([...legs.map(() => ANN), ...legs.map(() => BOB)].sort((a, b) => a - b));
    // Without the cancel the own order stands in the way, and nothing is taken.
    const t = new Site(2, 100_000_000);
    t.market();
    t.lay(ANN, 1, 300, 1_000);
    t.lay(BOB, 1, 290, 1_000);
    t.refused(
      hedge(t, ANN, [{ runnerId: 1, side: 'BACK', price: 290, sizeMinor: 500 }], { cancel: false }),
      'NOT_FILLED',
    );
  });

  it('that raises what may be lost needs money and keeps the limits, all legs together', () => {
    const s = new Site(2, 10_000);
    s.market();
    s.fund(BOB, 1_000_000);
    s.go({ type: 'account.restrict', accountId: ANN, betBlocked: false, exposureLimitMinor: 9_000 });
    for (const id of [1, 2]) s.lay(BOB, id, 300, 20_000);
    const back = (runnerId: number, sizeMinor: number) => ({ runnerId, side: 'BACK' as const, price: 300, sizeMinor });
    s.refused(hedge(s, ANN, [back(1, 5_001), back(2, 5_000)]), 'INSUFFICIENT_FUNDS');
    s.refused(hedge(s, ANN, [back(1, 4_501), back(2, 4_500)]), 'EXPOSURE_LIMIT');
    s.go(hedge(s, ANN, [back(1, 4_500), back(2, 4_500)]));
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(9_000);
  });

  it('names the leg at fault', () => {
    const s = allIn();
    const good: HedgeLeg = { runnerId: 2, side: 'BACK', price: 300, sizeMinor: 10 };
    s.refused(hedge(s, ANN, []), 'BAD_INPUT', 'legs');
    s.refused(hedge(s, ANN, [good, good]), 'BAD_INPUT', 'legs');
    s.refused(hedge(s, ANN, [good, { ...good, runnerId: 9 }]), 'RUNNER_UNKNOWN', 'legs.1.runnerId');
    s.refused(hedge(s, ANN, [good, { ...good, runnerId: 3, price: 301 }]), 'PRICE_INVALID', 'legs.1.price');
    s.refused(hedge(s, ANN, [{ ...good, sizeMinor: 0 }]), 'STAKE_INVALID', 'legs.0.sizeMinor');
    s.refused(hedge(s, ANN, [good], { marketVersion: 0 }), 'MARKET_VERSION', 'marketVersion');
  });
});

describe('a group of bets under a delay', () => {
  function delayed(): { s: Site; legs: HedgeLeg[] } {
    const s = allIn([300, 300, 300]);
    s.go({ type: 'market.state', marketId: MARKET, betDelayMs: 5_000, inPlay: true });
    s.now += 1_000;
    for (const id of [1, 2, 3]) {
      s.lay(BOB, id, 290, 100_000, { persistence: 'PERSIST' });
      s.back(BOB, id, 320, 100_000, { persistence: 'PERSIST' });
    }
    s.wait(6_000);
    const { legs } = offered(s, ANN);
    return { s, legs };
  }

  it('waits, holds what is worse of with and without it, and then goes whole', () => {
    const { s, legs } = delayed();
    const exposure = wallet(s.state, ANN)!.exposureMinor;
    const command = hedge(s, ANN, legs);
    const events = s.go(command);
    expect(of(events, 'bet').map(({ bet }) => bet.status)).toEqual(legs.map(() => 'PENDING'));
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(exposure);
    // It is remembered as one, and another has to wait.
    expect(restore(snapshot(s.state)).accounts.get(ANN)!.holdings.get(MARKET)!.hedge).toHaveLength(legs.length);
    s.refused(hedge(s, ANN, legs), 'HEDGE_WAITING');
    const done = s.wait(5_000);
    legs.forEach((leg, i) => {
      expect(betIn(done, command.betId + i)).toMatchObject({ matchedMinor: leg.sizeMinor, status: 'COMPLETE' });
    });
    expect(wallet(s.state, ANN)!.exposureMinor).toBeLessThan(exposure);
  });

  it.each([
    ['an offer that went', 'KILLED'],
    ['a runner that was suspended', 'LAPSED_SUSPENDED'],
    ['a bet of it that was taken out', 'CANCELLED'],
  ])('goes not at all after %s', (what, endCode) => {
    const { s } = delayed();
    const legs: HedgeLeg[] = [2, 3].map((runnerId) => ({ runnerId, side: 'BACK', price: 290, sizeMinor: 300 }));
    s.fund(ANN, 1_000);
    const command = hedge(s, ANN, legs);
    s.go(command);
    if (endCode === 'KILLED') s.go({ type: 'order.cancelAll', accountId: BOB, marketId: MARKET });
    else if (endCode === 'LAPSED_SUSPENDED')
      s.go({ type: 'market.state', marketId: MARKET, runners: [{ runnerId: 3, status: 'SUSPENDED' }] });
    else s.go({ type: 'bets.void', marketId: MARKET, betIds: [command.betId + 1], reason: what });
    s.wait(5_000);
    const mine = openBets(s.state, ANN).filter((bet) => bet.betId >= command.betId);
    expect(mine).toEqual([]);
    const ended = s.state.orders.get(command.betId)!;
    expect(ended).toMatchObject({ status: 'COMPLETE', matched: 0, remaining: 0, endCode });
    expect(s.state.orders.get(command.betId + 1)).toMatchObject({ status: 'COMPLETE', matched: 0 });
  });

  it('goes although the account is short by then, since it lowers what may be lost', () => {
    const { s, legs } = delayed();
    s.market({ marketId: 8 });
    s.fund(ANN, 1_000);
    s.lay(CAT, 1, 300, 1_000, { marketId: 8 });
    s.back(ANN, 1, 300, 1_000, { marketId: 8 });
    const hedged = s.back(CAT, 1, 300, 1_000, { marketId: 8 });
    s.lay(ANN, 1, 300, 1_000, { marketId: 8 });
    s.fund(ANN, -wallet(s.state, ANN)!.availableMinor);
    const command = hedge(s, ANN, legs);
    s.go(command);
    s.go({ type: 'bets.void', marketId: 8, betIds: [hedged], reason: 'an error' });
    expect(wallet(s.state, ANN)!.availableMinor).toBeLessThan(0);
    const done = s.wait(5_000);
    expect(betIn(done, command.betId).matchedMinor).toBe(legs[0]!.sizeMinor);
  });
});

describe('a group of bets at the bookmaker', () => {
  const rate = (runnerId: number, price: number) => ({
    runnerId,
    back: { price, sizeMinor: 1_000_000 },
    lay: { price: price + 2, sizeMinor: 1_000_000 },
    status: 'ACTIVE' as const,
  });

  it.each([0, 5_000])('takes the quoted box, or nothing once the rate has moved (delay %i)', (betDelayMs) => {
    const s = new Site(1, 1_000_000);
    s.market({ kind: 'bookmaker', runners: runners(2), inPlay: true, betDelayMs: 0 });
    s.go({ type: 'house.quotes', marketId: MARKET, rows: [rate(1, 90), rate(2, 80)] });
    const take = { type: 'quote.take' as const, accountId: ANN, marketId: MARKET, side: 'BACK' as const };
    s.go({ ...take, betId: ++s.lastBetId, runnerId: 1, price: 90, stakeMinor: 10_000, box: 0 });
    s.fund(ANN, -wallet(s.state, ANN)!.availableMinor);
    s.go({ type: 'market.state', marketId: MARKET, betDelayMs });
    const { legs, valueMinor } = offered(s, ANN);
    s.refused(
      hedge(
        s,
        ANN,
        legs.map((leg) => ({ ...leg, price: leg.price + 1 })),
      ),
      'PRICE_CHANGED',
      'legs.0.price',
    );
    const command = hedge(s, ANN, legs);
    s.go(command);
    if (betDelayMs > 0) s.wait(betDelayMs);
    const nets = position(s.state, ANN, MARKET)!.runners!.map((runner) => runner.netMinor);
    expect(Math.min(...nets)).toBe(valueMinor);
    if (betDelayMs === 0) return;
    s.fund(ANN, 100_000);
    const again = hedge(s, ANN, [{ runnerId: 2, side: 'BACK', price: 80, sizeMinor: 100, box: 0 }]);
    s.go(again);
    s.go({ type: 'house.quotes', marketId: MARKET, rows: [rate(2, 81)] });
    expect(betIn(s.wait(betDelayMs), again.betId)).toMatchObject({ matchedMinor: 0, endCode: 'LAPSED_PRICE' });
  });
});

/** Whether the legs would be accepted one after the other, each alone. */
function passesSingly(s: Site, legs: readonly HedgeLeg[]): boolean {
  const copy = new Site(0);
  Object.assign(copy, { state: restore(snapshot(s.state)), now: s.now, lastBetId: s.lastBetId });
  try {
    for (const { runnerId, side, price, sizeMinor } of legs) {
      if (side === 'BACK') copy.back(ANN, runnerId, price, sizeMinor, { minFillMinor: sizeMinor });
      else copy.lay(ANN, runnerId, price, sizeMinor, { minFillMinor: sizeMinor });
    }
    return true;
  } catch {
    return false;
  }
}
