/** Conditional orders: each kind met, fired once by the market as it is then, ended with what it hangs on. */
import { describe, expect, it } from 'vitest';
import type { Command, ConditionalView, Event, RefusalCode } from '../src/exchange.ts';
import {
  apply,
  betOf,
  conditionalsOf,
  hashState,
  MOST_AT_ONCE,
  MOST_OF_ACCOUNT,
  nextDueAt,
  openBets,
  position,
  restore,
  snapshot,
  stakesOf,
  wallet,
} from '../src/exchange.ts';
import { ANN, BOB, CAT, MARKET, of, Site } from './site.ts';

type Make = Extract<Command, { type: 'conditional.make' }>;
type Stop = Extract<Make, { kind: 'STOP' | 'PROFIT' }>;
type Trail = Extract<Make, { kind: 'TRAIL' }>;

const stop = (over: Partial<Stop> = {}): Stop => ({
  type: 'conditional.make',
  accountId: ANN,
  marketId: MARKET,
  kind: 'STOP',
  runnerId: 1,
  side: 'LAY',
  trigger: 320,
  price: 340,
  sizeMinor: 1000,
  persistence: 'LAPSE',
  ...over,
});
const trail = (over: Partial<Trail> = {}): Trail => ({
  type: 'conditional.make',
  accountId: ANN,
  marketId: MARKET,
  kind: 'TRAIL',
  runnerId: 1,
  side: 'LAY',
  ticks: 3,
  slip: 5,
  sizeMinor: 1000,
  persistence: 'LAPSE',
  ...over,
});
const offset = (betId: number, over: object = {}): Command => ({
  type: 'conditional.make',
  accountId: ANN,
  marketId: MARKET,
  kind: 'OFFSET',
  betId,
  ticks: 2,
  level: false,
  persistence: 'PERSIST',
  ...over,
});
const expire = (betId: number, afterMs = 5000): Command => ({
  type: 'conditional.make',
  accountId: ANN,
  marketId: MARKET,
  kind: 'EXPIRE',
  betId,
  afterMs,
});

const told = (events: Event[]): ConditionalView[] => of(events, 'conditional').map(({ conditional }) => conditional);
const fates = (events: Event[]) => told(events).map((one) => [one.conditionalId, one.status]);

/** What players can back and lay of runner 1, best prices first, ample. */
function quote(s: Site, backable: number, layable: number, size = 100_000): Event[] {
  return s.go({
    type: 'house.book',
    marketId: MARKET,
    runners: [{ runnerId: 1, backable: [[backable, size]], layable: [[layable, size]] }],
  });
}

function site(): Site {
  const s = new Site();
  s.market();
  quote(s, 296, 300);
  return s;
}

const madeId = (events: Event[]): number => told(events)[0]!.conditionalId;

describe('a price that meets it', () => {
  it('a stop lays what was backed once the price is at its trigger, in the command that brought it there', () => {
    const s = site();
    s.back(ANN, 1, 296, 1000);
    const id = madeId(s.go(stop()));
    expect(fates(quote(s, 310, 315))).toEqual([]);
    const events = quote(s, 315, 320);
    expect(told(events)).toEqual([expect.objectContaining({ conditionalId: id, status: 'FIRED', betId: 2 })]);
    expect(betOf(s.state, 2)).toMatchObject({ side: 'LAY', price: 340, matchedMinor: 1000, matchedSum: 320_000 });
    expect(conditionalsOf(s.state, ANN)).toEqual([]);
    // It is over: the same price once more meets nothing.
    quote(s, 296, 300);
    expect(fates(quote(s, 315, 320))).toEqual([]);
    expect(openBets(s.state, ANN)).toHaveLength(2);
  });

  it('a profit is met from the other side, and backs are the mirror of lays', () => {
    const s = site();
    const lower = madeId(s.go(stop({ kind: 'PROFIT', trigger: 280, price: 280 })));
    const stopBack = madeId(s.go(stop({ side: 'BACK', trigger: 270, price: 250 })));
    const profitBack = madeId(s.go(stop({ kind: 'PROFIT', side: 'BACK', trigger: 310, price: 310 })));
    expect(told(quote(s, 310, 315))).toMatchObject([{ conditionalId: profitBack, status: 'FIRED' }]);
    expect(told(quote(s, 276, 280))).toMatchObject([{ conditionalId: lower, status: 'FIRED' }]);
    expect(told(quote(s, 270, 276))).toMatchObject([{ conditionalId: stopBack, status: 'FIRED' }]);
  });

  it('a side without any price meets nothing', () => {
    const s = site();
    s.go(stop());
    s.go(stop({ side: 'BACK', trigger: 270, price: 250 }));
    const runners = [{ runnerId: 1, backable: [], layable: [] }];
    expect(fates(s.go({ type: 'house.book', marketId: MARKET, runners }))).toEqual([]);
    expect(conditionalsOf(s.state, ANN)).toHaveLength(2);
  });

  it('a trailing stop follows the best price it saw and fires so many ticks behind it, within its slip', () => {
    const s = site();
    const id = madeId(s.go(trail()));
    expect(conditionalsOf(s.state, ANN)[0]).toMatchObject({ conditionalId: id, trigger: 315 });
    quote(s, 276, 280);
    expect(conditionalsOf(s.state, ANN)[0]!.trigger).toBe(286);
    quote(s, 282, 284);
    expect(conditionalsOf(s.state, ANN)[0]!.trigger).toBe(286);
    expect(told(quote(s, 284, 286))).toMatchObject([{ conditionalId: id, status: 'FIRED', betId: 1 }]);
    expect(betOf(s.state, 1)).toMatchObject({ price: 296, matchedSum: 286_000 });
  });

  it('while the market is shut nothing is met; at its opening the price there is counts', () => {
    const s = site();
    const id = madeId(s.go(stop()));
    s.go({ type: 'market.state', marketId: MARKET, status: 'SUSPENDED' });
    expect(fates(quote(s, 315, 320))).toEqual([]);
    expect(fates(s.go({ type: 'market.state', marketId: MARKET, status: 'OPEN' }))).toEqual([]);
    // It was met by a command in which nothing fires: the clock is due at once.
    expect(nextDueAt(s.state)).toBe(s.now);
    expect(told(s.wait(0))).toMatchObject([{ conditionalId: id, status: 'FIRED' }]);
  });

  it('the bet of one may meet the next, which fires in the same command', () => {
    const s = site();
    const layable: Array<[number, number]> = [
      [300, 500],
      [310, 500],
      [320, 100_000],
    ];
    s.go({ type: 'house.book', marketId: MARKET, runners: [{ runnerId: 1, backable: [], layable }] });
    s.go(stop({ accountId: BOB, trigger: 320 }));
    s.go(stop({ trigger: 310, price: 310, sizeMinor: 500 }));
    expect(told(s.go(s.order(CAT, 1, 'LAY', 300, 500)))).toMatchObject([
      { conditionalId: 2, status: 'FIRED', betId: 2 },
      { conditionalId: 1, status: 'FIRED', betId: 3 },
    ]);
    expect(betOf(s.state, 3)).toMatchObject({ accountId: BOB, matchedSum: 320_000 });
  });
});

describe('what follows a bet', () => {
  it('an offset is placed for what was matched once nothing is left, also when that was so before', () => {
    const s = site();
    const bet = s.back(ANN, 1, 310, 1000);
    const id = madeId(s.go(offset(bet)));
    quote(s, 296, 350);
    const events = s.go(s.order(BOB, 1, 'LAY', 310, 1000));
    s.lastBetId += 2;
    expect(told(events)).toMatchObject([{ conditionalId: id, status: 'FIRED', betId: 3 }]);
    expect(betOf(s.state, 3)).toMatchObject({ side: 'LAY', price: 300, sizeMinor: 1000, persistence: 'PERSIST' });
    const taken = s.back(BOB, 1, 296, 1000);
    expect(told(s.go(offset(taken, { accountId: BOB, level: true })))).toMatchObject([
      { status: 'WAITING' },
      { status: 'FIRED', betId: taken + 1 },
    ]);
    // 10.00, matched at 3.00, and its lay at 2.92: the same whatever wins.
    expect(betOf(s.state, taken + 1)).toMatchObject({ side: 'LAY', price: 292, sizeMinor: 1027 });
  });

  it('it ends with a bet of which nothing was matched, and follows a bet that was moved', () => {
    const s = site();
    const bet = s.back(ANN, 1, 310, 1000);
    const id = madeId(s.go(offset(bet)));
    s.go({ type: 'order.replace', accountId: ANN, betId: bet, newBetId: 2, price: 320, sizeMinor: 1000 });
    expect(conditionalsOf(s.state, ANN)).toMatchObject([{ conditionalId: id, forBetId: 2 }]);
    expect(told(s.go({ type: 'order.cancel', accountId: ANN, betId: 2 }))).toMatchObject([
      { conditionalId: id, status: 'ENDED', endCode: 'BET_ENDED' },
    ]);
  });

  it('a bet with an end is killed at its time, by the clock and not before', () => {
    const s = site();
    const bet = s.back(ANN, 1, 310, 1000);
    s.go(expire(bet));
    expect(nextDueAt(s.state)).toBe(s.now + 5000);
    s.wait(4999);
    expect(betOf(s.state, bet)!.status).toBe('EXECUTABLE');
    expect(told(s.wait(1))).toMatchObject([{ status: 'FIRED' }]);
    expect(betOf(s.state, bet)).toMatchObject({ status: 'COMPLETE', endCode: 'KILLED', cancelledMinor: 1000 });
    expect(nextDueAt(s.state)).toBeNull();
  });
});

describe('what an order brings with it', () => {
  const offset = { ticks: 2, level: false, persistence: 'PERSIST' as const };
  const EXPIRE = { kind: 'EXPIRE', status: 'WAITING', forBetId: 1 };

  it('is made in the command that places it, and goes on as one that was made afterwards', () => {
    const s = site();
    const events = s.go(s.order(ANN, 1, 'BACK', 310, 1000, { offset, expireMs: 5000 }));
    expect(told(events)).toMatchObject([
      { conditionalId: 1, kind: 'OFFSET', status: 'WAITING', forBetId: 1, side: 'LAY', ticks: 2, level: false },
      { conditionalId: 2, ...EXPIRE, dueAt: s.now + 5000 },
    ]);
    s.lastBetId = 1;
    quote(s, 296, 350);
    expect(told(s.go(s.order(BOB, 1, 'LAY', 310, 400)))).toEqual([]);
    expect(told(s.wait(5000))).toMatchObject([
      { conditionalId: 2, status: 'FIRED' },
      { conditionalId: 1, status: 'FIRED', betId: 3 },
    ]);
    expect(betOf(s.state, 3)).toMatchObject({ side: 'LAY', price: 300, sizeMinor: 400, persistence: 'PERSIST' });
  });

  it('an offset of an order that is matched at once fires in the same command, and no end is made of it', () => {
    const s = site();
    const events = s.go(s.order(ANN, 1, 'BACK', 296, 1000, { offset: { ...offset, level: true }, expireMs: 5000 }));
    expect(told(events)).toMatchObject([
      { conditionalId: 1, status: 'WAITING' },
      { conditionalId: 1, status: 'FIRED', betId: 2 },
    ]);
    expect(betOf(s.state, 2)).toMatchObject({ side: 'LAY', price: 292, sizeMinor: 1014 });
    expect(conditionalsOf(s.state, ANN)).toEqual([]);
    // Killed at its own order, with nothing matched, it is followed by nothing.
    s.lastBetId = 2;
    quote(s, 280, 300);
    expect(told(s.go(s.order(ANN, 1, 'BACK', 292, 500, { offset, expireMs: 5000 })))).toEqual([]);
    expect(betOf(s.state, 3)).toMatchObject({ endCode: 'SELF_MATCH', matchedMinor: 0 });
  });

  it('under a delay it waits with its order, whose time begins when the delay is over', () => {
    const s = new Site();
    s.market({ inPlay: true, betDelayMs: 3000 });
    quote(s, 296, 300);
    const events = s.go(s.order(ANN, 1, 'BACK', 296, 200_000, { offset, expireMs: 5000 }));
    expect(told(events)).toMatchObject([
      { kind: 'OFFSET', status: 'WAITING' },
      { ...EXPIRE, dueAt: s.now + 8000 },
    ]);
    expect(told(s.wait(3000))).toEqual([]);
    expect(told(s.wait(5000))).toMatchObject([{ status: 'FIRED' }, { kind: 'OFFSET', status: 'FIRED', betId: 2 }]);
    expect(betOf(s.state, 2)).toMatchObject({ side: 'LAY', sizeMinor: 100_000 });
  });

  it('is refused whole where it could not be made, with its field: nothing is placed', () => {
    const s = site();
    const bad = (over: object, code: RefusalCode, field: string) => {
      s.refused(s.order(ANN, 1, 'BACK', 296, 1000, over), code, field);
      const orders = [
        { runnerId: 1, side: 'BACK', price: 296, sizeMinor: 1000, persistence: 'LAPSE', ...over } as const,
      ];
      const together = { type: 'orders.place', betId: 1, accountId: ANN, marketId: MARKET } as const;
      s.refused({ ...together, orders: [...orders] }, code, `orders.0.${field}`);
    };
    bad({ offset: null }, 'BAD_INPUT', 'offset');
    bad({ offset: 3 }, 'BAD_INPUT', 'offset');
    for (const ticks of [0, -1, 1.5, 101, '2', undefined])
      bad({ offset: { ...offset, ticks } }, 'PRICE_INVALID', 'offset.ticks');
    bad({ price: 101, offset }, 'PRICE_INVALID', 'offset.ticks');
    bad({ offset: { ...offset, level: 1 } }, 'WRONG_KIND', 'offset.level');
    bad({ offset: { ...offset, persistence: 'KEEP' } }, 'WRONG_KIND', 'offset.persistence');
    for (const expireMs of [0, -1, 1.5, 3_600_001, '5', null]) bad({ expireMs }, 'AMOUNT_INVALID', 'expireMs');
    for (let i = 1; i < MOST_OF_ACCOUNT; i++) s.go(stop());
    bad({ offset, expireMs: 5000 }, 'CONDITIONAL_LIMIT', 'offset');
    s.go(s.order(ANN, 1, 'BACK', 310, 1000, { expireMs: 5000 }));
    s.lastBetId = 1;
    s.refused(s.order(ANN, 1, 'BACK', 310, 1000, { expireMs: 5000 }), 'CONDITIONAL_LIMIT', 'expireMs');
  });

  it('of several orders it comes with each, all of them or none', () => {
    const s = site();
    const one = { runnerId: 1, side: 'BACK', price: 310, sizeMinor: 1000, persistence: 'LAPSE' } as const;
    const together = { type: 'orders.place', betId: 1, accountId: ANN, marketId: MARKET } as const;
    for (let i = 3; i < MOST_OF_ACCOUNT; i++) s.go(stop());
    const held = { ...one, offset };
    s.refused({ ...together, orders: [held, one, held, held, held] }, 'CONDITIONAL_LIMIT', 'orders.4.offset');
    const events = s.go({ ...together, orders: [held, one, { ...held, price: 296 }] });
    expect(told(events)).toMatchObject([
      { status: 'WAITING', forBetId: 1 },
      { status: 'WAITING', forBetId: 3 },
      { status: 'FIRED', forBetId: 3, betId: 4 },
    ]);
  });

  it('[INV-29] its bet is judged by the money and limits of the moment it fires: the order stands without it', () => {
    const s = site();
    s.go({ type: 'account.restrict', accountId: ANN, betBlocked: false, exposureLimitMinor: 0, stakeLimitMinor: 1000 });
    const events = s.go(s.order(ANN, 1, 'BACK', 296, 1000, { offset: { ...offset, level: true } }));
    expect(told(events)).toMatchObject([{ status: 'WAITING' }, { status: 'FAILED', code: 'STAKE_LIMIT' }]);
    expect(openBets(s.state, ANN)).toMatchObject([{ betId: 1, matchedMinor: 1000 }]);
  });
});

describe('what it may do', () => {
  it('[INV-29] it reserves nothing, and fails where the money is gone when it is met', () => {
    const s = site();
    s.go(stop({ sizeMinor: 1_000_000, price: 340 }));
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(0);
    s.fund(ANN, -(100_000_000 - 1_000_000));
    const before = position(s.state, ANN, MARKET);
    expect(told(quote(s, 315, 320))).toMatchObject([{ status: 'FAILED', code: 'INSUFFICIENT_FUNDS' }]);
    expect(position(s.state, ANN, MARKET)).toEqual(before);
    expect(conditionalsOf(s.state, ANN)).toEqual([]);
  });

  it('[INV-29] it fails at the limits of the account as they are then, and may always lower a risk', () => {
    const s = site();
    s.back(ANN, 1, 296, 1000);
    s.go(stop({ sizeMinor: 1000 }));
    s.go(stop({ sizeMinor: 100_000, trigger: 330 }));
    s.go({ type: 'account.restrict', accountId: ANN, betBlocked: false, exposureLimitMinor: 1000 });
    s.fund(ANN, -(100_000_000 - 1000));
    expect(told(quote(s, 315, 320))).toMatchObject([{ status: 'FIRED' }]);
    expect(told(quote(s, 325, 330))).toMatchObject([{ status: 'FAILED' }]);
  });

  it("[INV-29] it fails where the player's own limits on stakes have no room for it when it is met", () => {
    const s = site();
    const limit = (own: object) =>
      s.go({ type: 'account.restrict', accountId: ANN, betBlocked: false, exposureLimitMinor: 0, ...own });
    const met = (own: object): ConditionalView[] => {
      quote(s, 296, 300);
      s.go(stop());
      limit(own);
      return told(quote(s, 315, 320));
    };
    expect(met({ stakeLimitMinor: 999 })).toMatchObject([{ status: 'FAILED', code: 'STAKE_LIMIT' }]);
    expect(met({ wager: { leftMinor: 999, from: s.now } })).toMatchObject([{ status: 'FAILED', code: 'WAGER_LIMIT' }]);
    expect(openBets(s.state, ANN)).toEqual([]);
    expect(met({ stakeLimitMinor: 1000, wager: { leftMinor: 1000, from: s.now } })).toMatchObject([
      { status: 'FIRED' },
    ]);
    // What was placed since counts, and what of it is taken back does not.
    limit({ wager: { leftMinor: 1500, from: s.now } });
    s.lastBetId = 10;
    const early = s.back(ANN, 1, 400, 600);
    expect(told(quote(s, 296, 300).concat(s.go(stop()), quote(s, 315, 320)))).toMatchObject([
      { status: 'WAITING' },
      { status: 'FAILED', code: 'WAGER_LIMIT' },
    ]);
    s.go({ type: 'order.cancel', accountId: ANN, betId: early, byMinor: 100 });
    expect(told(quote(s, 296, 300).concat(s.go(stop()), quote(s, 315, 320)))).toMatchObject([
      { status: 'WAITING' },
      { status: 'FIRED' },
    ]);
    // A bet from before the limit's window brings nothing back.
    s.wait(1);
    limit({ wager: { leftMinor: 900, from: s.now } });
    s.go({ type: 'order.cancel', accountId: ANN, betId: early });
    expect(told(quote(s, 296, 300).concat(s.go(stop()), quote(s, 315, 320)))).toMatchObject([
      { status: 'WAITING' },
      { status: 'FAILED', code: 'WAGER_LIMIT' },
    ]);
  });

  it('[INV-29] what was set aside for a bet comes back with it, before an order that it brings or meets fires', () => {
    const s = site();
    const limit = (leftMinor: number, asideMinor?: number) =>
      s.go({
        type: 'account.restrict',
        accountId: ANN,
        betBlocked: false,
        exposureLimitMinor: 0,
        wager: { leftMinor, from: 0, ...(asideMinor !== undefined && { asideMinor }) },
      });
    const back = (over: object = {}) => {
      s.lastBetId += 10;
      return { ...s.order(ANN, 1, 'BACK', 296, 1500), takesAside: true as const, ...over };
    };
    quote(s, 296, 300);
    s.go(stop());
    // 2,500 may be staked: 1,500 are on their way. The order that wants 1,000 and is met meanwhile still has them; then the offset has none.
    limit(1000, 1500);
    expect(told(quote(s, 315, 320))).toMatchObject([{ status: 'FIRED' }]);
    quote(s, 296, 300);
    const brings = { ticks: 5, level: false, persistence: 'LAPSE' as const };
    expect(told(s.go(back({ offset: brings })))).toMatchObject([
      { status: 'WAITING' },
      { status: 'FAILED', code: 'WAGER_LIMIT' },
    ]);
    // Of 3,000 all that the bet leaves is there for its offset, and no more.
    limit(1500, 1500);
    expect(told(s.go(back({ offset: brings })))).toMatchObject([{ status: 'WAITING' }, { status: 'FIRED' }]);
    limit(1499, 1500);
    const early = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(early)).toBe(hashState(s.state));
    expect(told(s.go(back({ offset: brings })))).toMatchObject([{ status: 'WAITING' }, { status: 'FAILED' }]);
    // A bet that is refused gives nothing back; without a limit there is nothing to give.
    limit(0, 1000);
    s.refused(back({ price: 101.5 }), 'PRICE_INVALID', 'price');
    quote(s, 296, 300);
    s.go(stop());
    expect(told(quote(s, 315, 320))).toMatchObject([{ status: 'FAILED', code: 'WAGER_LIMIT' }]);
    s.refused(
      {
        type: 'account.restrict',
        accountId: ANN,
        betBlocked: false,
        exposureLimitMinor: 0,
        wager: { leftMinor: 0, from: 0, asideMinor: -1 },
      },
      'AMOUNT_INVALID',
      'wager.asideMinor',
    );
  });

  it('[INV-29] limits that somebody else tells leave what is set aside for a bet where it is', () => {
    const s = site();
    const limit = (wager: { leftMinor: number; asideMinor?: number; keepsAside?: true }) =>
      ({
        type: 'account.restrict',
        accountId: ANN,
        betBlocked: false,
        exposureLimitMinor: 0,
        wager: { from: 0, ...wager },
      }) as const;
    quote(s, 296, 300);
    s.go(stop());
    // 2,000 may be staked, 1,500 of it are on their way: the order that wants 1,000 and is met meanwhile has them no more.
    s.go(limit({ leftMinor: 500, asideMinor: 1500 }));
    s.go(limit({ leftMinor: 2000, keepsAside: true }));
    expect(told(quote(s, 315, 320))).toMatchObject([{ status: 'FAILED', code: 'WAGER_LIMIT' }]);
    // The bet brings it back; who set it aside says so himself where it is there again.
    quote(s, 296, 300);
    s.lastBetId += 10;
    s.go({ ...s.order(ANN, 1, 'BACK', 296, 1500), takesAside: true });
    s.go(stop());
    s.go(limit({ leftMinor: 1000, keepsAside: true }));
    expect(told(quote(s, 315, 320))).toMatchObject([{ status: 'FIRED' }]);
    s.go(limit({ leftMinor: 500, asideMinor: 1500 }));
    s.go(limit({ leftMinor: 2000 }));
    quote(s, 296, 300);
    s.go(stop());
    expect(told(quote(s, 315, 320))).toMatchObject([{ status: 'FIRED' }]);
    s.refused(limit({ leftMinor: 0, asideMinor: 1, keepsAside: true }), 'WRONG_KIND', 'wager.keepsAside');
  });

  it('[INV-29] limits that were reckoned beside a stake are refused, and are the same after a restart', () => {
    const s = site();
    const limit = (stakes: number) =>
      ({
        type: 'account.restrict',
        accountId: ANN,
        betBlocked: false,
        exposureLimitMinor: 0,
        stakeLimitMinor: 5000,
        wager: { leftMinor: 5000, from: 0, stakes },
      }) as const;
    const before = stakesOf(s.state, ANN);
    s.back(ANN, 1, 400, 600);
    s.refused(limit(before), 'BALANCE_MOVED', 'wager.stakes');
    s.go(limit(stakesOf(s.state, ANN)));
    const back = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(back)).toBe(hashState(s.state));
    expect(stakesOf(back, ANN)).toBe(before + 1);
  });

  it('of a group the first that fires ends the others', () => {
    const s = site();
    s.back(ANN, 1, 296, 1000);
    const first = madeId(s.go(stop()));
    const second = madeId(s.go(stop({ kind: 'PROFIT', trigger: 280, price: 280, link: first })));
    expect(conditionalsOf(s.state, ANN).map(({ link }) => link)).toEqual([first, first]);
    expect(told(quote(s, 276, 280))).toMatchObject([
      { conditionalId: second, status: 'FIRED' },
      { conditionalId: first, status: 'ENDED', endCode: 'OTHER_FIRED' },
    ]);
  });

  it('in play its bet waits for its delay as every other', () => {
    const s = site();
    s.go({ type: 'market.state', marketId: MARKET, inPlay: true, betDelayMs: 5000 });
    quote(s, 296, 300);
    s.go(stop());
    quote(s, 315, 320);
    expect(betOf(s.state, 1)).toMatchObject({ status: 'PENDING', dueAt: s.now + 5000 });
    s.wait(5000);
    expect(betOf(s.state, 1)!.matchedMinor).toBe(1000);
  });

  it('so many have their turn in one command, the rest with the next, in the order in which they were met', () => {
    const s = site();
    for (let i = 0; i < MOST_AT_ONCE + 3; i++) s.go(stop({ sizeMinor: 100 }));
    expect(told(quote(s, 315, 320)).map((one) => one.conditionalId)).toEqual(
      Array.from({ length: MOST_AT_ONCE }, (_, i) => i + 1),
    );
    expect(nextDueAt(s.state)).toBe(s.now);
    // What is met and not fired survives a restart in its order.
    const copy = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(copy)).toBe(hashState(s.state));
    const rest = s.wait(0);
    expect(fates(rest)).toEqual([1, 2, 3].map((i) => [MOST_AT_ONCE + i, 'FIRED']));
    expect(apply(copy, { type: 'clock' }, s.now)).toEqual(rest);
    expect(hashState(copy)).toBe(hashState(s.state));
  });

  it('bets it places are numbered behind all others of the site', () => {
    const s = site();
    s.go(stop());
    const runners = [{ runnerId: 1, backable: [], layable: [[320, 5000] as [number, number]] }];
    const events = apply(s.state, { type: 'house.book', marketId: MARKET, runners }, s.now, 71);
    expect(told(events)).toMatchObject([{ status: 'FIRED', betId: 72 }]);
  });
});

describe('[INV-28] what it ends with', () => {
  it('a result, a runner that leaves and the turn in-play end it before it can fire', () => {
    const s = site();
    s.market({ marketId: MARKET + 1, removable: true });
    s.go(stop({ persistence: 'PERSIST' }));
    s.go(stop());
    s.go(stop({ marketId: MARKET + 1, trigger: 500, price: 500 }));
    s.go({ type: 'market.state', marketId: MARKET, inPlay: true });
    s.go({ type: 'runner.remove', marketId: MARKET + 1, runnerId: 2, factor: 2000 });
    expect(told(s.wait(0)).map(({ conditionalId, endCode }) => [conditionalId, endCode])).toEqual([
      [2, 'LAPSED_IN_PLAY'],
      [3, 'FIELD_CHANGED'],
    ]);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] } });
    expect(told(s.wait(0))).toMatchObject([{ conditionalId: 1, status: 'ENDED', endCode: 'MARKET_CLOSED' }]);
    s.go({ type: 'market.undeclare', marketId: MARKET });
    s.go({ type: 'market.state', marketId: MARKET, status: 'OPEN' });
    expect(fates(quote(s, 315, 320))).toEqual([]);
  });

  it('a market that leaves memory, an account that is blocked or closed', () => {
    const s = site();
    s.go(stop({ accountId: BOB }));
    s.go(stop({ accountId: CAT }));
    s.go(stop());
    const blocked = { type: 'account.restrict', accountId: BOB, betBlocked: true, exposureLimitMinor: 0 } as const;
    expect(told(s.go(blocked))).toMatchObject([{ accountId: BOB, endCode: 'ACCOUNT_BLOCKED' }]);
    s.fund(CAT, -100_000_000);
    expect(told(s.go({ type: 'account.close', accountId: CAT }))).toMatchObject([{ accountId: CAT, status: 'ENDED' }]);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'void', reason: 'Practice' } });
    expect(told(s.go({ type: 'market.archive', marketId: MARKET }))).toMatchObject([
      { accountId: ANN, status: 'ENDED' },
    ]);
    expect(nextDueAt(s.state)).toBeNull();
  });

  it('its owner cancels one, those of a market or all, and nobody else does; cash out takes them with it', () => {
    const s = site();
    s.market({ marketId: MARKET + 1 });
    const one = madeId(s.go(stop()));
    s.go(stop());
    s.go(stop({ marketId: MARKET + 1, trigger: 500, price: 500 }));
    s.refused(
      { type: 'conditional.cancel', accountId: BOB, conditionalId: one },
      'CONDITIONAL_UNKNOWN',
      'conditionalId',
    );
    s.go({ type: 'conditional.cancel', accountId: ANN, conditionalId: one });
    s.refused({ type: 'conditional.cancel', accountId: ANN, conditionalId: one }, 'CONDITIONAL_UNKNOWN');
    const legs = [{ runnerId: 1, side: 'BACK' as const, price: 296, sizeMinor: 100 }];
    s.go({ type: 'bets.hedge', betId: 1, accountId: ANN, marketId: MARKET, legs, cancel: true });
    expect(conditionalsOf(s.state, ANN)).toHaveLength(1);
    s.go({ type: 'conditional.cancel', accountId: ANN });
    expect(conditionalsOf(s.state, ANN)).toEqual([]);
  });
});

describe('what is refused, and which field is named', () => {
  it('market, runner, side, prices, stake, trigger that is met, money, link', () => {
    const s = site();
    s.market({ marketId: MARKET + 1, kind: 'bookmaker' });
    s.refused(stop({ marketId: 99 }), 'MARKET_UNKNOWN', 'marketId');
    s.refused(stop({ marketId: MARKET + 1 }), 'WRONG_KIND', 'marketId');
    s.refused(stop({ accountId: 7 }), 'ACCOUNT_UNKNOWN', 'accountId');
    s.refused(stop({ runnerId: 9 }), 'RUNNER_UNKNOWN', 'runnerId');
    s.refused(stop({ trigger: 321 }), 'PRICE_INVALID', 'trigger');
    s.refused(stop({ price: Number.NaN }), 'PRICE_INVALID', 'price');
    s.refused(stop({ trigger: 320, price: 310 }), 'PRICE_INVALID', 'price');
    s.refused(stop({ sizeMinor: 0 }), 'STAKE_INVALID', 'sizeMinor');
    s.refused(stop({ side: 'BOTH' as 'LAY' }), 'PRICE_INVALID', 'side');
    s.refused(stop({ kind: 'LATER' as 'STOP' }), 'WRONG_KIND', 'kind');
    s.refused(stop({ persistence: 'X' as 'LAPSE' }), 'WRONG_KIND', 'persistence');
    const met = s.refused(stop({ trigger: 300 }), 'CONDITION_MET', 'trigger');
    expect(met.current).toEqual({ price: 300 });
    s.refused(stop({ kind: 'PROFIT', trigger: 300 }), 'CONDITION_MET', 'trigger');
    s.refused(stop({ sizeMinor: 90_000_000 }), 'INSUFFICIENT_FUNDS', 'sizeMinor');
    s.refused(stop({ link: 5 }), 'CONDITIONAL_UNKNOWN', 'link');
    s.refused(trail({ ticks: 0 }), 'PRICE_INVALID', 'ticks');
    s.refused(trail({ ticks: 101 }), 'PRICE_INVALID', 'ticks');
    s.refused(trail({ slip: -1 }), 'PRICE_INVALID', 'slip');
  });

  it('bets that are not there, not open or have one already', () => {
    const s = site();
    s.refused(offset(5), 'BET_UNKNOWN', 'betId');
    const bet = s.back(ANN, 1, 310, 1000);
    s.refused({ ...offset(bet), accountId: BOB } as Command, 'BET_UNKNOWN', 'betId');
    s.refused(offset(bet, { ticks: 0 }), 'PRICE_INVALID', 'ticks');
    s.refused(offset(bet, { level: 1 }), 'WRONG_KIND', 'level');
    s.refused(expire(bet, 0), 'AMOUNT_INVALID', 'afterMs');
    s.go(expire(bet));
    s.refused(expire(bet), 'CONDITIONAL_LIMIT', 'betId');
    s.go({ type: 'order.cancel', accountId: ANN, betId: bet });
    s.refused(expire(bet), 'BET_NOT_OPEN', 'betId');
    s.refused(offset(bet), 'BET_NOT_OPEN', 'betId');
  });

  it('more than an account may have', () => {
    const s = site();
    for (let i = 0; i < MOST_OF_ACCOUNT; i++) s.go(stop({ sizeMinor: 100 }));
    s.refused(stop(), 'CONDITIONAL_LIMIT', 'accountId');
  });
});

describe('a state that comes back', () => {
  it('[INV-27] from its snapshot fires the same, once, trailing stops from what they had seen', () => {
    const s = site();
    const bet = s.back(ANN, 1, 310, 1000);
    s.go(offset(bet));
    s.go(expire(bet, 60_000));
    s.go(trail());
    quote(s, 276, 280);
    s.go(trail({ accountId: BOB }));
    quote(s, 280, 282);
    s.go(trail({ accountId: CAT, side: 'BACK' }));
    s.go(stop({ trigger: 290 }));
    const copy = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(copy)).toBe(hashState(s.state));
    const commands: Command[] = [
      {
        type: 'house.book',
        marketId: MARKET,
        runners: [{ runnerId: 1, backable: [[284, 9000]], layable: [[286, 9000]] }],
      },
      {
        type: 'house.book',
        marketId: MARKET,
        runners: [{ runnerId: 1, backable: [[320, 9000]], layable: [[330, 9000]] }],
      },
      { type: 'clock' },
    ];
    const fired: number[] = [];
    for (const [i, command] of commands.entries()) {
      const events = apply(s.state, command, s.now + i);
      expect(apply(copy, command, s.now + i)).toEqual(events);
      expect(hashState(copy)).toBe(hashState(s.state));
      fired.push(...told(events).flatMap((one) => (one.status === 'FIRED' ? [one.conditionalId] : [])));
    }
    expect(fired.length).toBeGreaterThan(3);
    expect(new Set(fired).size).toBe(fired.length);
  });
});
