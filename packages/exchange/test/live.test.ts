/** What ends bets costs as much as there are bets to end: the lists it looks at hold those alone. */
import { describe, expect, it } from 'vitest';
import { nextDueAt, restore, snapshot } from '../src/exchange.ts';
import { liveOf } from '../src/live.ts';
import { ANN, BOB, MARKET, Site } from './site.ts';

const live = (s: Site) => liveOf(s.state.markets.get(MARKET)!.live, () => true).map((order) => order.id);

describe('bets with something left', () => {
  it('what ends bets looks at those with something left only, oldest first', () => {
    const s = new Site(2);
    s.market();
    s.match(ANN, BOB, 1, 300, 1000);
    const kept = [s.lay(BOB, 1, 200, 500), s.back(ANN, 2, 400, 500), s.lay(BOB, 3, 200, 500)];
    expect(live(s)).toEqual(kept);
    s.go({ type: 'order.cancel', accountId: ANN, betId: kept[1]! });
    const partly = s.back(ANN, 1, 200, 800);
    expect(live(s)).toEqual([kept[2], partly]);
    expect(liveOf(restore(snapshot(s.state)).markets.get(MARKET)!.live, () => true).map(({ id }) => id)).toEqual(
      live(s),
    );
    s.go({ type: 'order.cancelAll', accountId: BOB });
    expect(live(s)).toEqual([partly]);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] } });
    expect(live(s)).toEqual([]);
  });

  it('[INV-14] the delay line forgets bets that ended, and lets the others go by time and id', () => {
    const s = new Site(2);
    for (const marketId of [MARKET, 8]) s.market({ marketId, inPlay: true, betDelayMs: marketId === 8 ? 1000 : 5000 });
    const slow = [s.back(ANN, 1, 300, 100), s.back(ANN, 2, 300, 100)];
    const quick = [s.back(BOB, 1, 300, 100, { marketId: 8 }), s.back(BOB, 2, 300, 100, { marketId: 8 })];
    expect(nextDueAt(s.state)).toBe(s.now + 1000);
    s.go({ type: 'market.state', marketId: 8, runners: [{ runnerId: 1, status: 'SUSPENDED' }] });
    expect(nextDueAt(s.state)).toBe(s.now + 1000);
    s.go({ type: 'market.state', marketId: 8, status: 'SUSPENDED' });
    expect(nextDueAt(s.state)).toBe(s.now + 5000);
    const told = s.wait(5000).flatMap((event) => (event.type === 'bet' ? [event.bet.betId] : []));
    expect(told).toEqual(slow);
    expect(quick.map((id) => s.state.orders.get(id)!.endCode)).toEqual(['LAPSED_SUSPENDED', 'LAPSED_SUSPENDED']);
    expect(nextDueAt(s.state)).toBeNull();
  });
});
