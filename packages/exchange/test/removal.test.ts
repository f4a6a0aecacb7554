import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../src/exchange.ts';
import {
  apply,
  betOf,
  depth,
  HOUSE,
  hashState,
  marketView,
  position,
  reducedPrice,
  restore,
  snapshot,
  wallet,
} from '../src/exchange.ts';
import { createRandom } from './sim/random.ts';
import { ANN, BOB, betIn, CAT, MARKET, of, runners, Site } from './site.ts';

function race(over: Parameters<Site['market']>[0] = {}): Site {
  const s = new Site();
  s.market({ runners: runners(8).map((runner) => ({ ...runner, adjustmentFactor: 1250 })), removable: true, ...over });
  return s;
}

function remove(s: Site, runnerId: number, factor: number) {
  return s.go({ type: 'runner.remove', marketId: MARKET, runnerId, factor });
}

const removals = (...factors: number[]) => factors.map((factor, i) => ({ runnerId: i + 1, factor, upTo: 10 }));

describe('reduced prices (reference 7)', () => {
  it('WIN: price x (1 - f), several multiply from the original, two decimals, 1.01 at least', () => {
    const win = (price: number, ...factors: number[]) => reducedPrice({ id: 1, price }, removals(...factors), false);
    expect(win(800, 2500)).toBe(600);
    expect(win(860, 1620)).toBe(721);
    expect(win(1200, 2000, 1000)).toBe(864);
    expect(win(212, 5000)).toBe(106);
    expect(win(150, 5000)).toBe(101);
    expect(win(800, 249)).toBe(800);
    expect(win(800, 0)).toBe(800);
  });

  it('PLACE: the winnings are reduced, small factors too', () => {
    const place = (price: number, ...factors: number[]) => reducedPrice({ id: 1, price }, removals(...factors), true);
    expect(place(300, 1000)).toBe(280);
    expect(place(300, 200)).toBe(296);
    expect(place(101, 5000)).toBe(101);
  });

  it('only removals that came after the fill count; the same runner counts once', () => {
    const list = [
      { runnerId: 1, factor: 2500, upTo: 5 },
      { runnerId: 1, factor: 2500, upTo: 9 },
    ];
    expect(reducedPrice({ id: 3, price: 800 }, list, false)).toBe(600);
    expect(reducedPrice({ id: 7, price: 800 }, list, false)).toBe(600);
    expect(reducedPrice({ id: 12, price: 800 }, list, false)).toBe(800);
  });

  it('order of removals does not matter; never above the original, never under 1.01', () => {
    const factors = fc.array(fc.integer({ min: 0, max: 9999 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.integer({ min: 101, max: 100_000 }), factors, fc.boolean(), (price, list, place) => {
        const once = reducedPrice({ id: 1, price }, removals(...list), place);
        expect(reducedPrice({ id: 1, price }, removals(...list.toReversed()), place)).toBe(once);
        expect(once).toBeLessThanOrEqual(price);
        expect(once).toBeGreaterThanOrEqual(101);
      }),
    );
  });
});

describe('a removed runner', () => {
  it('voids what was matched on it, lapses what was not, and releases the money', () => {
    const s = race();
    const [back, lay] = s.match(ANN, BOB, 1, 500, 1000);
    const open = s.back(ANN, 1, 600, 300, { persistence: 'PERSIST' });
    const events = remove(s, 1, 100);
    expect(betIn(events, back)).toMatchObject({
      matchedMinor: 0,
      voidedMinor: 1000,
      result: 'VOID',
      reason: 'A: non-runner',
    });
    expect(betIn(events, lay)).toMatchObject({ matchedMinor: 0, voidedMinor: 1000, result: 'VOID' });
    expect(betIn(events, open)).toMatchObject({ lapsedMinor: 300, endCode: 'LAPSED_REMOVAL' });
    expect([wallet(s.state, ANN)!.exposureMinor, wallet(s.state, BOB)!.exposureMinor]).toEqual([0, 0]);
    s.refused(s.order(ANN, 1, 'BACK', 300, 100), 'RUNNER_REMOVED', 'runnerId');
    s.refused({ type: 'runner.remove', marketId: MARKET, runnerId: 1, factor: 100 }, 'RUNNER_REMOVED');
  });

  it('reduces matched bets on the others on both sides; stakes stay (10 at 8.6, 16.2 %: 76 to 62.10)', () => {
    const s = race();
    const [back, lay] = s.match(ANN, BOB, 2, 860, 1000);
    const events = remove(s, 1, 1620);
    expect(betIn(events, back)).toMatchObject({ matchedMinor: 1000, matchedSum: 721_000, price: 860 });
    expect(betIn(events, back).reason).toContain('8.60 to 7.21');
    expect(betIn(events, lay).matchedSum).toBe(721_000);
    expect(position(s.state, ANN, MARKET)!.runners!.find((row) => row.runnerId === 2)).toMatchObject({
      winMinor: 6210,
      loseMinor: -1000,
    });
    expect(wallet(s.state, BOB)!.exposureMinor).toBe(6210);
  });

  it('several removals multiply from the original: 12 with 20 % and 10 % is 8.64; later fills are not touched', () => {
    const s = race();
    const [first] = s.match(ANN, BOB, 3, 1200, 1000);
    remove(s, 1, 2000);
    const [second] = s.match(ANN, BOB, 3, 1000, 1000);
    remove(s, 2, 1000);
    expect(betOf(s.state, first)!.matchedSum).toBe(864_000);
    expect(betOf(s.state, second)!.matchedSum).toBe(900_000);
  });

  it('factor 0 (greyhounds) changes nothing for the others', () => {
    const s = race();
    const [back] = s.match(ANN, BOB, 2, 860, 1000);
    const lay = s.lay(CAT, 3, 500, 100);
    remove(s, 1, 0);
    expect(betOf(s.state, back)!.matchedSum).toBe(860_000);
    expect(betOf(s.state, lay)!.remainingMinor).toBe(100);
  });

  it('unmatched lays on the others go at 2.5 %, kept ones move down to the reduced price, backs stay', () => {
    const s = race();
    const lapsing = s.lay(ANN, 2, 800, 100);
    const kept = s.lay(BOB, 2, 800, 100, { persistence: 'PERSIST' });
    const back = s.back(CAT, 2, 1000, 100);
    const events = remove(s, 1, 2400);
    expect(betIn(events, lapsing)).toMatchObject({ lapsedMinor: 100, endCode: 'LAPSED_REMOVAL' });
    // 8.00 x 0.76 = 6.08, taken down to the tick 6.00 in the layer's favour.
    expect(betIn(events, kept)).toMatchObject({ remainingMinor: 100, price: 600 });
    expect(betOf(s.state, back)).toMatchObject({ remainingMinor: 100, price: 1000 });
    expect(depth(s.state, MARKET, 2, 3)).toMatchObject({ back: [[600, 100]], lay: [[1000, 100]] });
    expect(wallet(s.state, BOB)!.exposureMinor).toBe(500);
  });

  it('kept lays stay in their order of arrival', () => {
    const s = race();
    const first = s.lay(ANN, 2, 800, 100, { persistence: 'PERSIST' });
    const second = s.lay(BOB, 2, 800, 100, { persistence: 'PERSIST' });
    remove(s, 1, 2500);
    const events = s.go(s.order(CAT, 2, 'BACK', 600, 150));
    expect(of(events, 'fill').map((fill) => fill.layBetId)).toEqual([first, second]);
  });

  it('[INV-06] in slices: what a kept lay frees by coming down is not free before the field has changed', () => {
    const s = race();
    s.match(BOB, ANN, 8, 282, 2800);
    s.lay(ANN, 1, 232, 16_298, { persistence: 'PERSIST' });
    const free = () => wallet(s.state, ANN)!.availableMinor;
    // Everything free leaves, as soon as it is.
    const take = () => free() > 0 && s.fund(ANN, -free());
    take();
    const before = position(s.state, ANN, MARKET)!.exposureMinor;
    s.go({ type: 'runner.remove', marketId: MARKET, runnerId: 8, factor: 1250, units: 1 });
    let slices = 0;
    for (; marketView(s.state, MARKET)!.status === 'SETTLING'; slices++) {
      take();
      expect(hashState(restore(snapshot(s.state)))).toBe(hashState(s.state));
      s.go({ type: 'work', units: 1 });
      expect(free()).toBeGreaterThanOrEqual(0);
    }
    expect(slices).toBeGreaterThan(3);
    // 2.32 came down to 2.02: 166.24 are at risk, and no win on the runner that is gone stands against them any more.
    expect(position(s.state, ANN, MARKET)!.exposureMinor).toBe(16_624);
    expect(before).toBeGreaterThan(16_624);
  });

  it('under 2.5 % the lays stay; PLACE markets reduce from the first basis point and drop lays at 4 %', () => {
    const s = race();
    const lay = s.lay(ANN, 2, 800, 100);
    const [back] = s.match(BOB, CAT, 3, 800, 100);
    remove(s, 1, 249);
    expect([betOf(s.state, lay)!.remainingMinor, betOf(s.state, back)!.matchedSum]).toEqual([100, 80_000]);

    const p = race({ winners: 3, placeMarket: true });
    const placeLay = p.lay(ANN, 2, 300, 100);
    const [placeBack] = p.match(BOB, CAT, 3, 300, 100);
    remove(p, 1, 399);
    expect([betOf(p.state, placeLay)!.remainingMinor, betOf(p.state, placeBack)!.matchedSum]).toEqual([100, 29_200]);
    remove(p, 4, 400);
    expect(betOf(p.state, placeLay)!.endCode).toBe('LAPSED_REMOVAL');
  });

  it('a lay that a removal would leave at its price is reserved at its price: the removal leaves nobody short', () => {
    for (const [factor, held] of [
      [300, 10_000],
      [399, 10_000],
      // From 4 % on it would lapse, or be reduced where it is kept.
      [400, 9600],
    ] as const) {
      const s = race({
        runners: runners(4).map((runner) => ({ ...runner, adjustmentFactor: factor })),
        winners: 1,
        placeMarket: true,
      });
      s.match(BOB, ANN, 3, 200, 5000);
      s.lay(ANN, 2, 1100, 1000);
      expect(position(s.state, ANN, MARKET)!.exposureMinor).toBe(held);
      s.fund(ANN, -wallet(s.state, ANN)!.availableMinor);
      remove(s, 3, factor);
      expect(wallet(s.state, ANN)!.availableMinor).toBe(factor < 400 ? 0 : held);
      expect(position(s.state, ANN, MARKET)!.exposureMinor).toBe(factor < 400 ? 10_000 : 0);
    }
  });

  it('takes the house out of the runner and keeps its side of reduced fills', () => {
    const s = race();
    const ladder = (runnerId: number) => ({ runnerId, backable: [[860, 5000] as [number, number]], layable: [] });
    s.go({ type: 'house.book', marketId: MARKET, runners: [ladder(1), ladder(2)] });
    s.back(ANN, 1, 860, 1000);
    s.back(ANN, 2, 860, 1000);
    remove(s, 1, 1620);
    expect(depth(s.state, MARKET, 1, 3)!.back).toEqual([]);
    expect(position(s.state, HOUSE, MARKET)!.runners!.find((row) => row.runnerId === 2)).toMatchObject({
      winMinor: -6210,
    });
    s.refused({ type: 'house.book', marketId: MARKET, runners: [ladder(1)] }, 'RUNNER_REMOVED');
  });

  it('pulls the prices of the house on every runner: they belong to the old field (D5)', () => {
    for (const factor of [5000, 0]) {
      const s = race({ runners: runners(3).map((runner) => ({ ...runner, adjustmentFactor: factor })) });
      const ladder = (runnerId: number) => ({
        runnerId,
        backable: [[400, 100_000] as [number, number]],
        layable: [[500, 100_000] as [number, number]],
      });
      s.go({ type: 'house.book', marketId: MARKET, runners: [ladder(2), ladder(3)] });
      const player = s.back(BOB, 3, 600, 100);
      remove(s, 1, factor);
      expect(depth(s.state, MARKET, 2, 5)).toMatchObject({ back: [], lay: [] });
      expect(depth(s.state, MARKET, 3, 5)).toMatchObject({ back: [], lay: [[600, 100]] });
      s.refused(s.order(ANN, 2, 'BACK', 400, 100_000, { minFillMinor: 100_000 }), 'NOT_FILLED');
      expect(betOf(s.state, player)!.remainingMinor).toBe(100);
    }
  });

  it('refuses bets that saw the market before, and factors that are none', () => {
    const s = race();
    remove(s, 1, 100);
    s.refused(s.order(ANN, 2, 'BACK', 300, 100, { marketVersion: 1 }), 'MARKET_VERSION');
    for (const factor of [-1, 10_000, Number.NaN, 2.5]) {
      s.refused({ type: 'runner.remove', marketId: MARKET, runnerId: 2, factor }, 'AMOUNT_INVALID', 'factor');
    }
    s.refused({ type: 'runner.remove', marketId: MARKET, runnerId: 99, factor: 1 }, 'RUNNER_UNKNOWN');
    const factors = (runnerId: number, factor: number) => [{ runnerId, factor }];
    const gone = { type: 'runner.remove', marketId: MARKET, runnerId: 2, factor: 1 } as const;
    s.refused({ ...gone, factors: factors(99, 1) }, 'RUNNER_UNKNOWN', 'factors');
    s.refused({ ...gone, factors: factors(3, 10_000) }, 'AMOUNT_INVALID', 'factors');
    const fixed = new Site();
    fixed.market({ runners: runners(3) });
    fixed.refused({ ...gone }, 'WRONG_KIND', 'marketId');
    fixed.go({ ...gone, force: 'withdrew' });
  });

  it('a delayed bet on any runner lapses', () => {
    const s = race({ inPlay: true, betDelayMs: 1000 });
    const own = s.back(ANN, 1, 300, 100);
    const other = s.back(ANN, 2, 300, 100);
    remove(s, 1, 100);
    expect([betOf(s.state, own)!.endCode, betOf(s.state, other)!.endCode]).toEqual([
      'LAPSED_REMOVAL',
      'LAPSED_VERSION',
    ]);
  });

  it('every runner may go: nothing is held, and the market ends void', () => {
    const s = new Site();
    s.market({ runners: runners(2), removable: true });
    s.match(ANN, BOB, 1, 300, 100);
    for (const runnerId of [1, 2]) remove(s, runnerId, 5000);
    expect(wallet(s.state, BOB)!.exposureMinor).toBe(0);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'void', reason: 'Abandoned' } });
  });
});

describe('a reinstated runner', () => {
  const back = (factor: number) => ({ type: 'runner.reinstate', marketId: MARKET, runnerId: 1, factor }) as const;

  it('finds the bets as they stood: what was void counts, what was reduced is paid in full', () => {
    const s = race();
    const [onIt, layOnIt] = s.match(ANN, BOB, 1, 500, 1000);
    const [other] = s.match(ANN, BOB, 2, 800, 1000);
    const before = [ANN, BOB].map((id) => wallet(s.state, id));
    remove(s, 1, 2500);
    expect(betOf(s.state, onIt)).toMatchObject({ result: 'VOID', voidedMinor: 1000 });
    expect(betOf(s.state, other)!.matchedSum).toBe(600_000);
    const events = s.go(back(1250));
    expect(betIn(events, onIt)).toMatchObject({
      result: 'PENDING',
      matchedMinor: 1000,
      matchedSum: 500_000,
      voidedMinor: 0,
    });
    expect(betIn(events, layOnIt)).toMatchObject({ result: 'PENDING', matchedMinor: 1000 });
    expect(betIn(events, other).matchedSum).toBe(800_000);
    expect([ANN, BOB].map((id) => wallet(s.state, id))).toEqual(before);
    s.match(ANN, BOB, 1, 500, 100);
    remove(s, 1, 2500);
    expect(betOf(s.state, other)!.matchedSum).toBe(600_000);
    s.refused({ type: 'runner.reinstate', marketId: MARKET, runnerId: 2, factor: 0 }, 'RUNNER_UNKNOWN');
  });

  it('is refused exactly where it would be without the bets that wait out their delay, one by one or as a group', () => {
    const fates = { refused: 0, taken: 0, groups: 0 };
    for (let seed = 1; seed <= 300; seed++) {
      const random = createRandom(seed);
      const s = new Site(4, 2000);
      s.market();
      const tried = (command: Command) => apply(s.state, command, s.now)[0]?.type !== 'refused';
      const some = () => ({
        accountId: ANN + random.int(0, 3),
        runnerId: random.int(1, 3),
        price: random.pick([150, 200, 300]),
        side: random.pick(['BACK', 'LAY'] as const),
        sizeMinor: random.int(100, 1200),
      });
      const place = ({ accountId, runnerId, side, price, sizeMinor }: ReturnType<typeof some>) =>
        tried(s.order(accountId, runnerId, side, price, sizeMinor, { betId: ++s.lastBetId }));
      for (let i = 0; i < 12; i++) place(some());
      s.go({ type: 'runner.remove', marketId: MARKET, runnerId: 1, factor: 0, force: 'Withdrawn' });
      for (let i = 0; i < 14; i++) place({ ...some(), runnerId: random.int(2, 3) });
      s.go({ type: 'market.state', marketId: MARKET, inPlay: true, betDelayMs: 5000 });
      for (let i = 0; i < 4; i++) {
        const { accountId, ...leg } = { ...some(), runnerId: random.int(2, 3) };
        if (random.chance(0.5)) place({ accountId, ...leg });
        else {
          const legs = [leg, { ...leg, runnerId: 5 - leg.runnerId }];
          const betId = s.lastBetId + 1;
          s.lastBetId += legs.length;
          if (tried({ type: 'bets.hedge', betId, accountId, marketId: MARKET, legs, cancel: false })) fates.groups++;
        }
      }
      const [now, later] = [restore(snapshot(s.state)), restore(snapshot(s.state))];
      apply(later, { type: 'market.state', marketId: MARKET, status: 'SUSPENDED' }, s.now);
      const [told, expected] = [now, later].map((state) => apply(state, back(0), s.now)[0]!);
      const isRefused = expected!.type === 'refused';
      expect([seed, told!.type === 'refused']).toEqual([seed, isRefused]);
      fates[isRefused ? 'refused' : 'taken']++;
      if (!isRefused)
        for (let id = ANN; id < ANN + 4; id++)
          expect(wallet(now, id)!.exposureMinor).toBe(wallet(later, id)!.exposureMinor);
    }
    expect(Math.min(...Object.values(fates))).toBeGreaterThan(20);
  });

  it.each(['order.place', 'bets.hedge'] as const)(
    'what of %s waits out its delay lapses and stands in no way',
    (type) => {
      const s = new Site(3, 1000);
      s.market();
      // The return costs Ann all she has.
      s.match(BOB, ANN, 1, 200, 1000);
      s.go({ type: 'runner.remove', marketId: MARKET, runnerId: 1, factor: 0, force: 'Withdrawn' });
      s.lay(CAT, 2, 150, 1000);
      s.go({ type: 'market.state', marketId: MARKET, inPlay: true, betDelayMs: 5000 });
      const leg = { runnerId: 2, side: 'BACK', price: 150, sizeMinor: 1000 } as const;
      const betId = ++s.lastBetId;
      if (type === 'order.place') s.go({ ...s.order(ANN, 2, 'BACK', 150, 1000), betId });
      else
        s.go({
          type,
          betId,
          accountId: ANN,
          marketId: MARKET,
          legs: [leg],
          cancel: false,
        });
      expect([betOf(s.state, betId)!.status, wallet(s.state, ANN)!.availableMinor]).toEqual(['PENDING', 0]);
      s.go(back(0));
      expect(betOf(s.state, betId)).toMatchObject({ endCode: 'LAPSED_VERSION', lapsedMinor: 1000 });
      expect(wallet(s.state, ANN)).toMatchObject({ exposureMinor: 1000, availableMinor: 0 });
    },
  );

  it('what the operator made void meanwhile, and what lapsed, stays so', () => {
    const s = race();
    const [onIt] = s.match(ANN, BOB, 1, 500, 1000);
    const [taken] = s.match(ANN, BOB, 1, 500, 700);
    const lapsed = s.back(ANN, 1, 900, 100);
    s.go({ type: 'bets.void', marketId: MARKET, betIds: [taken], reason: 'mistake' });
    remove(s, 1, 100);
    s.go(back(100));
    expect(betOf(s.state, onIt)!.matchedMinor).toBe(1000);
    expect(betOf(s.state, taken)).toMatchObject({ matchedMinor: 0, result: 'UNDECLARE' });
    expect(betOf(s.state, lapsed)).toMatchObject({ lapsedMinor: 100, result: 'VOID' });
  });

  it('a kept lay is reduced once for a runner, however often it leaves; its first price is a field (D9)', () => {
    const s = race();
    const kept = s.lay(BOB, 2, 800, 100, { persistence: 'PERSIST' });
    expect(betOf(s.state, kept)!.firstPrice).toBeUndefined();
    for (let i = 0; i < 2; i++) {
      remove(s, 1, 2500);
      expect(betOf(s.state, kept)).toMatchObject({ price: 600, firstPrice: 800, remainingMinor: 100 });
      s.go(back(2500));
    }
    const copy = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(copy)).toBe(hashState(s.state));
    expect(betOf(copy, kept)).toMatchObject({ price: 600, firstPrice: 800 });
    remove(s, 3, 1000);
    // 8.00 less 10 %, not 6.00 less 10 %: the first runner is back.
    expect(betOf(s.state, kept)!.price).toBe(600);
    remove(s, 1, 2500);
    expect(betOf(s.state, kept)!.price).toBe(540);
  });

  it('bets on a bookmaker row come back too', () => {
    const s = new Site();
    s.market({ kind: 'bookmaker', runners: runners(3), removable: true });
    const quote = { price: 90, sizeMinor: 100_000 };
    s.go({ type: 'house.quotes', marketId: MARKET, rows: [{ runnerId: 1, back: quote, lay: null, status: 'ACTIVE' }] });
    const bet = { accountId: ANN, marketId: MARKET, runnerId: 1, side: 'BACK', price: 90, stakeMinor: 1000 } as const;
    s.go({ type: 'quote.take', betId: 1, ...bet });
    remove(s, 1, 0);
    expect(betOf(s.state, 1)!.result).toBe('VOID');
    s.go(back(0));
    expect(betOf(s.state, 1)).toMatchObject({ result: 'PENDING', matchedMinor: 1000, voidedMinor: 0 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(1000);
  });
});
