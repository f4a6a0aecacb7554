import { describe, expect, it } from 'vitest';
import {
  betOf,
  depth,
  HOUSE,
  hashState,
  nextDueAt,
  openBets,
  position,
  type RefusalCode,
  type Side,
  wallet,
} from '../src/exchange.ts';
import { ANN, BOB, betIn, CAT, fills, MARKET, of, Site, T0 } from './site.ts';

function site(): Site {
  const made = new Site();
  made.market();
  return made;
}

describe('matching', () => {
  it('fills at the waiting prices, best first, and tells the average exactly (reference 3.2)', () => {
    const s = site();
    s.lay(BOB, 1, 310, 2000);
    s.lay(BOB, 1, 305, 3000);
    s.lay(BOB, 1, 300, 10_000);
    const events = s.go(s.order(ANN, 1, 'BACK', 300, 7500));
    expect(fills(events)).toEqual([
      [310, 2000],
      [305, 3000],
      [300, 2500],
    ]);
    const bet = betIn(events, 4);
    expect(bet).toMatchObject({ matchedMinor: 7500, remainingMinor: 0, status: 'COMPLETE', result: 'PENDING' });
    expect((bet.matchedSum / bet.matchedMinor / 100).toFixed(4)).toBe('3.0467');
    expect(depth(s.state, MARKET, 1, 3)).toMatchObject({
      back: [[300, 7500]],
      lay: [],
      lastPrice: 300,
      tradedMinor: 7500,
    });
  });

  it('keeps the stake when the price improves: back 10 at 6.0 filled at 6.2 wins 52', () => {
    const s = site();
    s.lay(BOB, 1, 620, 1000);
    s.back(ANN, 1, 600, 1000);
    expect(position(s.state, ANN, MARKET)!.runners![0]).toMatchObject({ winMinor: 5200, loseMinor: -1000 });
  });

  it('costs a layer less at a better price: lay 10 at 5.0 filled at 4.9 risks 39', () => {
    const s = site();
    s.back(BOB, 1, 490, 1000);
    s.lay(ANN, 1, 500, 1000);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(3900);
  });

  it('fills partly, waits with the rest, and tells the new levels', () => {
    const s = site();
    s.lay(BOB, 1, 300, 400);
    const events = s.go(s.order(ANN, 1, 'BACK', 300, 1000));
    expect(betIn(events, 2)).toMatchObject({ matchedMinor: 400, remainingMinor: 600, status: 'EXECUTABLE' });
    expect(of(events, 'book')[0]!.levels).toEqual([
      ['LAY', 300, 0],
      ['BACK', 300, 600],
    ]);
  });

  it('[INV-13] never matches an account with itself: what is left of the incoming bet is cancelled', () => {
    const s = site();
    s.lay(BOB, 1, 310, 100);
    s.lay(ANN, 1, 305, 100);
    s.lay(BOB, 1, 300, 100);
    const events = s.go(s.order(ANN, 1, 'BACK', 300, 300));
    expect(fills(events)).toEqual([[310, 100]]);
    expect(betIn(events, 4)).toMatchObject({ matchedMinor: 100, cancelledMinor: 200, endCode: 'SELF_MATCH' });
    expect(betOf(s.state, 2)!.remainingMinor).toBe(100);
  });
});

describe('fill or kill', () => {
  it('is refused when the least amount is not there, else fills and cancels the rest', () => {
    const s = site();
    s.lay(BOB, 1, 300, 600);
    s.refused(s.order(ANN, 1, 'BACK', 300, 1000, { minFillMinor: 1000 }), 'NOT_FILLED');
    s.refused(s.order(ANN, 1, 'BACK', 305, 500, { minFillMinor: 500 }), 'NOT_FILLED');
    const events = s.go(s.order(ANN, 1, 'BACK', 300, 1000, { minFillMinor: 500 }));
    expect(betIn(events, 2)).toMatchObject({
      matchedMinor: 600,
      cancelledMinor: 400,
      remainingMinor: 0,
      endCode: 'KILLED',
      status: 'COMPLETE',
    });
  });

  it('does not count money behind its own waiting bet', () => {
    const s = site();
    s.lay(ANN, 1, 310, 100);
    s.lay(BOB, 1, 300, 900);
    s.refused(s.order(ANN, 1, 'BACK', 300, 500, { minFillMinor: 500 }), 'NOT_FILLED');
  });

  it('wants a sensible least amount', () => {
    const s = site();
    for (const minFillMinor of [-1, 1.5, 1001, Number.NaN]) {
      s.refused(s.order(ANN, 1, 'BACK', 300, 1000, { minFillMinor }), 'STAKE_INVALID', 'minFillMinor');
    }
  });
});

describe('cancel, reduce, replace', () => {
  it('cancels the rest and gives the money back', () => {
    const s = site();
    s.lay(BOB, 1, 300, 400);
    const id = s.back(ANN, 1, 300, 1000);
    const events = s.go({ type: 'order.cancel', accountId: ANN, betId: id });
    expect(betIn(events, id)).toMatchObject({
      matchedMinor: 400,
      cancelledMinor: 600,
      status: 'COMPLETE',
      result: 'PENDING',
    });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(400);
    s.refused({ type: 'order.cancel', accountId: ANN, betId: id }, 'BET_NOT_OPEN');
  });

  it('a bet cancelled with nothing matched is over', () => {
    const s = site();
    const id = s.back(ANN, 1, 300, 1000);
    s.go({ type: 'order.cancel', accountId: ANN, betId: id });
    expect(openBets(s.state, ANN)).toEqual([]);
    expect(betOf(s.state, id)!.result).toBe('VOID');
  });

  it("knows nobody else's bets", () => {
    const s = site();
    const id = s.back(ANN, 1, 300, 1000);
    s.refused({ type: 'order.cancel', accountId: BOB, betId: id }, 'BET_UNKNOWN', 'betId');
    s.refused({ type: 'order.cancel', accountId: BOB, betId: 999 }, 'BET_UNKNOWN');
  });

  it('a reduction keeps the place in the queue, also through replace; a raise loses it', () => {
    const s = site();
    const first = s.back(ANN, 1, 300, 1000);
    const second = s.back(BOB, 1, 300, 1000);
    s.go({ type: 'order.cancel', accountId: ANN, betId: first, byMinor: 100 });
    s.go({ type: 'order.replace', accountId: ANN, betId: first, newBetId: 50, price: 300, sizeMinor: 800 });
    expect(betOf(s.state, 50)).toBeNull();
    let events = s.go(s.order(CAT, 1, 'LAY', 300, 100, { betId: 51 }));
    expect(of(events, 'fill')[0]!.backBetId).toBe(first);
    s.go({ type: 'order.replace', accountId: ANN, betId: first, newBetId: 60, price: 300, sizeMinor: 900 });
    expect(betOf(s.state, first)).toMatchObject({ matchedMinor: 100, cancelledMinor: 900, status: 'COMPLETE' });
    events = s.go(s.order(CAT, 1, 'LAY', 300, 100, { betId: 61 }));
    expect(of(events, 'fill')[0]!.backBetId).toBe(second);
  });

  it('a new price is a new bet and may match at once', () => {
    const s = site();
    const id = s.back(ANN, 1, 300, 1000, { persistence: 'PERSIST' });
    s.lay(BOB, 1, 280, 1000);
    const events = s.go({ type: 'order.replace', accountId: ANN, betId: id, newBetId: 9, price: 280, sizeMinor: 1000 });
    expect(betIn(events, 9)).toMatchObject({ matchedMinor: 1000, persistence: 'PERSIST' });
    expect(betIn(events, id)).toMatchObject({ cancelledMinor: 1000, endCode: 'CANCELLED' });
  });

  it('a replace with another persistence is one step: both or nothing', () => {
    const s = site();
    const id = s.back(ANN, 1, 300, 1000);
    const replace = { type: 'order.replace', accountId: ANN, betId: id, newBetId: 9 } as const;
    s.refused({ ...replace, price: 311, sizeMinor: 1000, persistence: 'PERSIST' }, 'PRICE_INVALID', 'price');
    s.refused({ ...replace, price: 300, sizeMinor: 900, persistence: 'NEVER' as never }, 'WRONG_KIND', 'persistence');
    expect(betOf(s.state, id)).toMatchObject({ remainingMinor: 1000, persistence: 'LAPSE' });
    let events = s.go({ ...replace, price: 300, sizeMinor: 1000, persistence: 'PERSIST' });
    expect(betIn(events, id)).toMatchObject({ remainingMinor: 1000, persistence: 'PERSIST' });
    events = s.go({ ...replace, price: 310, sizeMinor: 1200, persistence: 'LAPSE' });
    expect(betIn(events, 9)).toMatchObject({ price: 310, remainingMinor: 1200, persistence: 'LAPSE' });
  });

  it('[INV-06] a replace that fails leaves the old bet; one step counts the net change only', () => {
    const s = new Site(2, 1000);
    s.market();
    const id = s.back(ANN, 1, 300, 1000);
    s.refused(
      { type: 'order.replace', accountId: ANN, betId: id, newBetId: 9, price: 310, sizeMinor: 1001 },
      'INSUFFICIENT_FUNDS',
    );
    s.refused(
      { type: 'order.replace', accountId: ANN, betId: id, newBetId: 1, price: 310, sizeMinor: 5 },
      'DUPLICATE_BET',
      'newBetId',
    );
    s.refused(
      { type: 'order.replace', accountId: ANN, betId: id, newBetId: 9, price: 311, sizeMinor: 5 },
      'PRICE_INVALID',
      'price',
    );
    expect(betOf(s.state, id)!.remainingMinor).toBe(1000);
    s.go({ type: 'order.replace', accountId: ANN, betId: id, newBetId: 9, price: 310, sizeMinor: 1000 });
    expect(wallet(s.state, ANN)).toEqual({ balanceMinor: 1000, exposureMinor: 1000, heldMinor: 0, availableMinor: 0 });
  });

  it('cancels all of an account, in one market or everywhere, and nobody else', () => {
    const s = site();
    s.market({ marketId: 8 });
    s.back(ANN, 1, 300, 100);
    s.back(ANN, 2, 300, 100);
    s.back(BOB, 1, 300, 100);
    const other = s.back(ANN, 1, 300, 100, { marketId: 8 });
    s.go({ type: 'order.cancelAll', accountId: ANN, marketId: MARKET });
    expect(openBets(s.state, ANN).map((bet) => bet.betId)).toEqual([other]);
    s.go({ type: 'order.cancelAll', accountId: ANN });
    expect(openBets(s.state, ANN)).toEqual([]);
    expect(openBets(s.state, BOB)).toHaveLength(1);
    s.refused({ type: 'order.cancelAll', accountId: 999 }, 'ACCOUNT_UNKNOWN');
    s.refused({ type: 'order.cancelAll', accountId: ANN, marketId: 99 }, 'MARKET_UNKNOWN');
  });

  it('cancels of a market what waits for one runner, or on one side', () => {
    const s = site();
    const [back, other, lay] = [s.back(ANN, 1, 300, 100), s.back(ANN, 2, 300, 100), s.lay(ANN, 1, 200, 100)];
    const left = () => openBets(s.state, ANN).map((bet) => bet.betId);
    const all = { type: 'order.cancelAll', accountId: ANN } as const;
    s.go({ ...all, marketId: MARKET, runnerId: 1, side: 'BACK' });
    expect(left()).toEqual([other, lay]);
    s.go({ ...all, marketId: MARKET, side: 'BACK' });
    expect(left()).toEqual([lay]);
    const again = s.back(ANN, 2, 300, 100);
    s.go({ ...all, marketId: MARKET, runnerId: 1 });
    expect(left()).toEqual([again]);
    expect(betOf(s.state, back)).toMatchObject({ remainingMinor: 0, endCode: 'CANCELLED' });
    s.refused({ ...all, runnerId: 1 }, 'MARKET_UNKNOWN', 'marketId');
    s.refused({ ...all, marketId: MARKET, runnerId: 77 }, 'RUNNER_UNKNOWN', 'runnerId');
    s.refused({ ...all, marketId: MARKET, side: 'HOLD' as 'BACK' }, 'PRICE_INVALID', 'side');
    expect(left()).toEqual([again]);
  });

  it('cancels market after market while there are units; each goes whole', () => {
    const s = site();
    for (const marketId of [8, 9]) s.market({ marketId });
    for (const marketId of [8, MARKET, 8, 9, 9]) s.back(ANN, 1, 300, 100, { marketId });
    const left = () => openBets(s.state, ANN).map((bet) => bet.marketId);
    const cancel = (units: number) => s.go({ type: 'order.cancelAll', accountId: ANN, units });
    cancel(1);
    expect(left()).toEqual([8, 8, 9, 9]);
    cancel(1);
    expect(left()).toEqual([9, 9]);
    cancel(3);
    expect(left()).toEqual([]);
    s.refused({ type: 'order.cancelAll', accountId: ANN, units: 0 }, 'AMOUNT_INVALID', 'units');
  });
});

describe('suspension, the turn in play, the delay', () => {
  it('[INV-15] takes and matches nothing while suspended; cancels go on', () => {
    const s = site();
    const id = s.back(ANN, 1, 300, 1000);
    s.go({ type: 'market.state', marketId: MARKET, status: 'SUSPENDED', reason: 'Wicket' });
    s.refused(s.order(BOB, 1, 'LAY', 300, 1000), 'MARKET_SUSPENDED');
    s.refused(
      { type: 'order.replace', accountId: ANN, betId: id, newBetId: 9, price: 280, sizeMinor: 10 },
      'MARKET_SUSPENDED',
    );
    const events = s.go({
      type: 'house.book',
      marketId: MARKET,
      runners: [
        {
          runnerId: 1,
          backable: [
            [310, 500],
            [280, 100],
          ],
          layable: [],
        },
      ],
    });
    expect(of(events, 'fill')).toEqual([]);
    expect(depth(s.state, MARKET, 1, 3)!.back).toEqual([[280, 100]]);
    s.go({ type: 'order.cancel', accountId: ANN, betId: id, byMinor: 400 });
    s.go({ type: 'market.state', marketId: MARKET, status: 'OPEN' });
    expect(fills(s.go(s.order(BOB, 1, 'LAY', 300, 1000)))).toEqual([[300, 600]]);
  });

  it('lapses what is unmatched at a suspension where the market says so, the house with it', () => {
    const s = new Site();
    s.market({ lapseOnSuspend: true });
    const id = s.back(ANN, 1, 300, 1000, { persistence: 'PERSIST' });
    s.go({ type: 'house.book', marketId: MARKET, runners: [{ runnerId: 1, backable: [[280, 500]], layable: [] }] });
    const events = s.go({ type: 'market.state', marketId: MARKET, status: 'SUSPENDED', reason: 'Goal' });
    expect(betIn(events, id)).toMatchObject({ lapsedMinor: 1000, endCode: 'LAPSED_SUSPENDED', status: 'COMPLETE' });
    expect(depth(s.state, MARKET, 1, 3)).toMatchObject({ back: [], lay: [] });
  });

  it('lapses what is unmatched on request, whatever the market says (after an outage)', () => {
    const s = site();
    const id = s.back(ANN, 1, 300, 1000, { persistence: 'PERSIST' });
    const events = s.go({ type: 'market.state', marketId: MARKET, status: 'SUSPENDED', lapse: true, reason: 'Outage' });
    expect(betIn(events, id)).toMatchObject({ lapsedMinor: 1000, endCode: 'LAPSED_SUSPENDED', result: 'VOID' });
  });

  it('lapses LAPSE at the turn, keeps PERSIST with its place', () => {
    const s = site();
    const kept = s.back(ANN, 1, 300, 1000, { persistence: 'PERSIST' });
    const lapsed = s.back(BOB, 1, 300, 1000);
    const changed = s.back(CAT, 1, 300, 1000);
    s.go({ type: 'order.persistence', accountId: CAT, betId: changed, persistence: 'PERSIST' });
    const events = s.go({ type: 'market.state', marketId: MARKET, inPlay: true });
    expect(betIn(events, lapsed)).toMatchObject({ lapsedMinor: 1000, endCode: 'LAPSED_IN_PLAY', result: 'VOID' });
    expect(betOf(s.state, kept)!.remainingMinor).toBe(1000);
    const taken = s.go(s.order(BOB, 1, 'LAY', 300, 1500));
    expect(of(taken, 'fill').map((fill) => fill.backBetId)).toEqual([kept, changed]);
  });

  it('inPlay may go back to false and true again (golf)', () => {
    const s = site();
    for (const inPlay of [true, false, true]) s.go({ type: 'market.state', marketId: MARKET, inPlay });
    expect(betOf(s.state, s.back(ANN, 1, 300, 100))!.status).toBe('EXECUTABLE');
  });

  function inPlay(delay = 5000): Site {
    const s = new Site();
    s.market({ inPlay: true, betDelayMs: delay });
    return s;
  }

  it('[INV-14] a bet in play waits for the delay with its money held, then matches', () => {
    const s = inPlay();
    s.lay(BOB, 1, 300, 1000);
    s.wait(5000);
    const id = s.back(ANN, 1, 300, 1000);
    expect(betOf(s.state, id)).toMatchObject({ status: 'PENDING', dueAt: s.now + 5000, remainingMinor: 1000 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(1000);
    expect(nextDueAt(s.state)).toBe(s.now + 5000);
    s.refused({ type: 'order.cancel', accountId: ANN, betId: id }, 'BET_NOT_OPEN');
    expect(s.wait(4999)).toEqual([]);
    expect(fills(s.wait(1))).toEqual([[300, 1000]]);
    expect(nextDueAt(s.state)).toBeNull();
  });

  it('[INV-14] the waiting side may withdraw during the delay', () => {
    const s = inPlay();
    const lay = s.lay(BOB, 1, 300, 1000);
    s.wait(5000);
    const id = s.back(ANN, 1, 300, 1000);
    s.go({ type: 'order.cancel', accountId: BOB, betId: lay });
    s.wait(5000);
    expect(betOf(s.state, id)).toMatchObject({ status: 'EXECUTABLE', matchedMinor: 0 });
  });

  it('[INV-14] a suspension in the delay lapses the bet even when the market opens again in time', () => {
    const s = inPlay();
    const id = s.back(ANN, 1, 300, 1000);
    s.now += 1000;
    s.go({ type: 'market.state', marketId: MARKET, status: 'SUSPENDED' });
    s.go({ type: 'market.state', marketId: MARKET, status: 'OPEN' });
    expect(betOf(s.state, id)).toMatchObject({ endCode: 'LAPSED_SUSPENDED', lapsedMinor: 1000 });
    expect(s.wait(9000)).toEqual([]);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(0);
  });

  it('[INV-14] ball running on the runner lapses its delayed bets; others go on', () => {
    const s = inPlay();
    const one = s.back(ANN, 1, 300, 1000);
    const two = s.back(ANN, 2, 300, 1000);
    s.go({ type: 'market.state', marketId: MARKET, runners: [{ runnerId: 1, status: 'BALL_RUNNING' }] });
    s.refused(s.order(ANN, 1, 'BACK', 300, 100), 'RUNNER_SUSPENDED', 'runnerId');
    s.wait(5000);
    expect([betOf(s.state, one)!.endCode, betOf(s.state, two)!.status]).toEqual(['LAPSED_SUSPENDED', 'EXECUTABLE']);
  });

  it('fill or kill is decided after the delay', () => {
    const s = inPlay();
    const id = s.back(ANN, 1, 300, 1000, { minFillMinor: 1000 });
    const events = s.wait(5000);
    expect(betIn(events, id)).toMatchObject({ cancelledMinor: 1000, endCode: 'KILLED', result: 'VOID' });
  });

  it('delayed bets go in the order of their time, also across markets', () => {
    const s = inPlay();
    s.market({ marketId: 8, inPlay: true, betDelayMs: 1000 });
    const late = s.back(ANN, 1, 300, 100);
    const soon = s.back(ANN, 1, 300, 100, { marketId: 8 });
    expect(of(s.wait(9000), 'bet').map((event) => event.bet.betId)).toEqual([soon, late]);
  });

  it('a restriction during the delay ends the bet at its time', () => {
    const s = inPlay();
    const id = s.back(ANN, 1, 300, 1000);
    s.go({ type: 'account.restrict', accountId: ANN, betBlocked: true, exposureLimitMinor: 0 });
    s.wait(5000);
    expect(betOf(s.state, id)).toMatchObject({ cancelledMinor: 1000, endCode: 'CANCELLED' });
  });

  it.each([
    ['on one stake', { stakeLimitMinor: 999 }],
    ['on what is staked', { wager: { leftMinor: -1, from: T0 } }],
    ['on what is at risk', { exposureLimitMinor: 1499 }],
    ['on what may be lost', { lossFloorMinor: 100_000_000 - 1499 }],
  ])('[INV-18] a limit %s that is lowered in the delay ends the youngest bets that are beyond it', (_, lower) => {
    const s = inPlay();
    const older = s.back(ANN, 1, 300, 500);
    const younger = s.back(ANN, 1, 300, 1000);
    const other = s.back(BOB, 1, 300, 1000);
    s.go({ type: 'account.restrict', accountId: ANN, betBlocked: false, exposureLimitMinor: 0, ...lower });
    expect(betOf(s.state, younger)).toMatchObject({
      cancelledMinor: 1000,
      endCode: 'CANCELLED',
      reason: 'A limit was lowered during the delay',
    });
    s.wait(5000);
    for (const id of [older, other]) expect(betOf(s.state, id)?.status).toBe('EXECUTABLE');
    expect(wallet(s.state, ANN)).toMatchObject({ exposureMinor: 500 });
  });

  it('a bet that saw an older version is refused only after a material change', () => {
    const s = site();
    s.go({ type: 'market.state', marketId: MARKET, reason: 'Rain' });
    s.back(ANN, 1, 300, 100, { marketVersion: 1 });
    s.go({ type: 'market.state', marketId: MARKET, inPlay: true });
    const refused = s.refused(s.order(ANN, 1, 'BACK', 300, 100, { marketVersion: 2 }), 'MARKET_VERSION');
    expect(refused.current).toEqual({ version: 3 });
    s.back(ANN, 1, 300, 100, { marketVersion: 3 });
    s.refused(s.order(ANN, 1, 'BACK', 300, 100, { marketVersion: Number.NaN }), 'MARKET_VERSION');
  });
});

describe('money', () => {
  it('[INV-06] holds the worst case before the bet, refuses what is not covered', () => {
    const s = new Site(2, 1000);
    s.market();
    s.refused(s.order(ANN, 1, 'BACK', 300, 1001), 'INSUFFICIENT_FUNDS');
    s.refused(s.order(ANN, 1, 'LAY', 300, 501), 'INSUFFICIENT_FUNDS');
    s.lay(ANN, 1, 300, 500);
    s.refused(s.order(ANN, 1, 'LAY', 300, 1), 'INSUFFICIENT_FUNDS');
    // Backing what was laid costs nothing more: only one of the two can lose.
    s.back(ANN, 1, 350, 1000);
    expect(wallet(s.state, ANN)!.availableMinor).toBe(0);
    // If runner 2 wins, its lay and the back on runner 1 would both lose.
    s.refused(s.order(ANN, 2, 'LAY', 300, 1), 'INSUFFICIENT_FUNDS');
  });

  it('[INV-06] a bet that lowers the risk passes with nothing available', () => {
    const s = new Site(2, 1000);
    s.market();
    s.match(ANN, BOB, 1, 300, 500);
    s.back(ANN, 2, 300, 500);
    expect(wallet(s.state, ANN)!.availableMinor).toBe(0);
    s.lay(ANN, 1, 200, 500);
    expect(wallet(s.state, ANN)!.availableMinor).toBe(0);
  });

  it('the 2011 case: a lay of 21,474,836.47 at 29.0 from a small account is refused', () => {
    const s = new Site(1, 100_000);
    s.market({ maxStakeMinor: Number.MAX_SAFE_INTEGER });
    s.refused(s.order(ANN, 1, 'LAY', 2900, 2 ** 31 - 1), 'INSUFFICIENT_FUNDS');
    s.refused(s.order(ANN, 1, 'LAY', 2900, 2 ** 53 - 1), 'STAKE_TOO_LARGE', 'sizeMinor');
  });

  it('keeps account and market limits, and the number of bets', () => {
    const s = new Site();
    s.market({ maxExposureMinor: 5000, maxBets: 2, minStakeMinor: 100, maxStakeMinor: 4000 });
    s.refused(s.order(ANN, 1, 'BACK', 300, 99), 'STAKE_TOO_SMALL', 'sizeMinor');
    s.refused(s.order(ANN, 1, 'BACK', 300, 4001), 'STAKE_TOO_LARGE', 'sizeMinor');
    s.back(ANN, 1, 300, 3000);
    s.refused(s.order(ANN, 1, 'BACK', 300, 2001), 'MARKET_EXPOSURE_LIMIT');
    s.go({ type: 'account.restrict', accountId: ANN, betBlocked: false, exposureLimitMinor: 4000 });
    s.refused(s.order(ANN, 1, 'BACK', 300, 1001), 'EXPOSURE_LIMIT');
    const second = s.back(ANN, 1, 300, 1000);
    s.refused(s.order(ANN, 1, 'BACK', 300, 100), 'BET_LIMIT');
    // A replaced bet makes room for the new one; a cancelled one too.
    s.go({ type: 'order.replace', accountId: ANN, betId: second, newBetId: 9, price: 310, sizeMinor: 1000 });
    s.go({ type: 'order.cancel', accountId: ANN, betId: 9 });
    s.go(s.order(ANN, 1, 'BACK', 300, 100, { betId: 10 }));
  });

  it('[INV-18] a blocked account has no bet accepted after its restriction', () => {
    const s = site();
    const id = s.back(ANN, 1, 300, 100);
    s.go({ type: 'account.restrict', accountId: ANN, betBlocked: true, exposureLimitMinor: 0 });
    s.refused(s.order(ANN, 1, 'BACK', 300, 100), 'ACCOUNT_BLOCKED');
    s.refused(
      { type: 'order.replace', accountId: ANN, betId: id, newBetId: 9, price: 310, sizeMinor: 100 },
      'ACCOUNT_BLOCKED',
    );
    s.go({ type: 'order.cancel', accountId: ANN, betId: id });
  });
});

describe('the house in the book', () => {
  const ladder = (s: Site, backable: Array<[number, number]>, layable: Array<[number, number]>) =>
    s.go({ type: 'house.book', marketId: MARKET, runners: [{ runnerId: 1, backable, layable }] });

  it('shows what is wanted, by difference', () => {
    const s = site();
    ladder(
      s,
      [
        [300, 100],
        [294, 200],
      ],
      [[310, 300]],
    );
    const events = ladder(
      s,
      [
        [300, 50],
        [290, 20],
      ],
      [[310, 300]],
    );
    expect(of(events, 'book')[0]!.levels).toEqual([
      ['LAY', 294, 0],
      ['LAY', 300, 50],
      ['LAY', 290, 20],
    ]);
    expect(
      ladder(
        s,
        [
          [300, 50],
          [290, 20],
        ],
        [[310, 300]],
      ),
    ).toEqual([]);
  });

  it('keeps its place when a level shrinks, loses it when it grows or comes back', () => {
    const s = site();
    ladder(s, [[300, 100]], []);
    const lay = s.lay(BOB, 1, 300, 100);
    ladder(s, [[300, 60]], []);
    let events = s.go(s.order(ANN, 1, 'BACK', 300, 10, { betId: 5 }));
    expect(of(events, 'fill')[0]!.layBetId).toBe(0);
    ladder(s, [[300, 100]], []);
    events = s.go(s.order(ANN, 1, 'BACK', 300, 10, { betId: 6 }));
    expect(of(events, 'fill')[0]!.layBetId).toBe(lay);
  });

  it("takes waiting players at the players' prices, best first, then rests", () => {
    const s = site();
    const a = s.back(ANN, 1, 300, 100);
    const b = s.back(BOB, 1, 290, 100);
    const events = ladder(
      s,
      [
        [310, 250],
        [300, 10],
      ],
      [],
    );
    expect(
      of(events, 'fill').map((fill) => [fill.backBetId, fill.price, fill.sizeMinor, fill.layAccountId, fill.taker]),
    ).toEqual([
      [b, 290, 100, HOUSE, 'LAY'],
      [a, 300, 100, HOUSE, 'LAY'],
    ]);
    expect(depth(s.state, MARKET, 1, 3)!.back).toEqual([
      [310, 50],
      [300, 10],
    ]);
    expect(position(s.state, HOUSE, MARKET)!.runners![0]).toMatchObject({ winMinor: -390, loseMinor: 200 });
  });

  it('fills a waiting player later', () => {
    const s = site();
    const id = s.lay(ANN, 1, 300, 100);
    const events = ladder(s, [], [[294, 40]]);
    expect(fills(events)).toEqual([[300, 40]]);
    expect(betOf(s.state, id)!.remainingMinor).toBe(60);
  });

  it('refuses a ladder that crosses itself, off-ladder prices, double prices, bad sizes', () => {
    const s = site();
    ladder(s, [[300, 100]], [[310, 100]]);
    const bad = (
      backable: Array<[number, number]>,
      layable: Array<[number, number]>,
      code: 'PRICE_INVALID' | 'STAKE_INVALID',
    ) => s.refused({ type: 'house.book', marketId: MARKET, runners: [{ runnerId: 1, backable, layable }] }, code);
    bad([[310, 1]], [[310, 1]], 'PRICE_INVALID');
    bad([[301, 1]], [], 'PRICE_INVALID');
    bad(
      [
        [300, 1],
        [300, 2],
      ],
      [],
      'PRICE_INVALID',
    );
    bad([[300, -1]], [], 'STAKE_INVALID');
    bad([[300, Number.NaN]], [], 'STAKE_INVALID');
    s.refused(
      { type: 'house.book', marketId: MARKET, runners: [{ runnerId: 99, backable: [], layable: [] }] },
      'RUNNER_UNKNOWN',
    );
  });

  it('has no funds to check and no bets to show', () => {
    const s = site();
    ladder(s, [[100_000, 2_000_000_000]], []);
    s.back(ANN, 1, 100_000, 100_000_000);
    expect(position(s.state, HOUSE, MARKET)!.runners![0]!.winMinor).toBe(-99_900_000_000);
    s.refused(s.order(HOUSE, 1, 'BACK', 300, 100), 'ACCOUNT_BLOCKED');
    expect(hashState(s.state)).toHaveLength(16);
    expect(s.now).toBe(T0);
  });
});

describe('several at once', () => {
  const of3 = (...orders: Array<[number, Side, number, number, number?]>) => ({
    type: 'orders.place' as const,
    accountId: ANN,
    marketId: MARKET,
    orders: orders.map(([runnerId, side, price, sizeMinor, minFillMinor = 0]) => ({
      runnerId,
      side,
      price,
      sizeMinor,
      persistence: 'LAPSE' as const,
      ...(minFillMinor > 0 ? { minFillMinor } : {}),
    })),
  });

  it('go in their order, each with its number; one that is not filled is killed and the others stand', () => {
    const s = site();
    s.lay(BOB, 1, 300, 500);
    const events = s.go({
      ...of3([1, 'BACK', 300, 400], [1, 'BACK', 300, 400, 400], [2, 'LAY', 200, 300], [2, 'BACK', 190, 50]),
      betId: 2,
    });
    expect(fills(events)).toEqual([[300, 400]]);
    const is = (betId: number) => {
      const { status, endCode, matchedMinor, remainingMinor } = betIn(events, betId);
      return [status, endCode, matchedMinor, remainingMinor];
    };
    expect([2, 3, 4, 5].map(is)).toEqual([
      ['COMPLETE', undefined, 400, 0],
      ['COMPLETE', 'KILLED', 0, 0],
      ['EXECUTABLE', undefined, 0, 300],
      ['COMPLETE', 'SELF_MATCH', 0, 0],
    ]);
    expect(wallet(s.state, ANN)).toMatchObject({ exposureMinor: 700 });
  });

  it('are none of them there where one may not be, or all together cost too much', () => {
    const s = site();
    const { availableMinor } = wallet(s.state, ANN)!;
    const half = Math.ceil(availableMinor / 2);
    const refused = (command: ReturnType<typeof of3>, code: RefusalCode, field?: string) =>
      s.refused({ ...command, betId: 1 }, code, field);
    refused(of3([1, 'BACK', 300, half], [2, 'BACK', 300, half + 1]), 'INSUFFICIENT_FUNDS');
    refused(of3([1, 'BACK', 300, 100], [1, 'BACK', 301, 100]), 'PRICE_INVALID', 'orders.1.price');
    refused(of3([1, 'BACK', 300, 100], [9, 'BACK', 300, 100]), 'RUNNER_UNKNOWN', 'orders.1.runnerId');
    refused(of3([1, 'BACK', 300, 100, 101]), 'STAKE_INVALID', 'orders.0.minFillMinor');
    refused(of3(), 'BAD_INPUT', 'orders');
    refused(
      of3(...Array.from({ length: 201 }, () => [1, 'BACK', 300, 1] as [number, Side, number, number])),
      'BAD_INPUT',
    );
    // A back and a lay that cover each other cost what both together may cost.
    s.go({ ...of3([1, 'BACK', 300, availableMinor], [1, 'LAY', 200, availableMinor]), betId: 1 });
    const limited = new Site();
    limited.market({ maxBets: 2 });
    limited.refused({ ...of3([1, 'BACK', 300, 1], [1, 'BACK', 305, 1], [1, 'BACK', 310, 1]), betId: 1 }, 'BET_LIMIT');
    limited.go({ ...of3([1, 'BACK', 300, 1], [1, 'BACK', 305, 1]), betId: 1 });
  });

  it('wait together for the delay in play', () => {
    const s = new Site();
    s.market({ inPlay: true, betDelayMs: 2000 });
    s.go({ ...of3([1, 'BACK', 300, 100], [2, 'BACK', 300, 100, 100]), betId: 1 });
    expect(openBets(s.state, ANN).map(({ status, dueAt }) => [status, dueAt - s.now])).toEqual([
      ['PENDING', 2000],
      ['PENDING', 2000],
    ]);
    const events = s.wait(2000);
    expect([betIn(events, 1).status, betIn(events, 2).endCode]).toEqual(['EXECUTABLE', 'KILLED']);
  });
});
