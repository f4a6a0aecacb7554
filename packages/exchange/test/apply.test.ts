import { LADDER } from '@fairgame/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, Event, State } from '../src/exchange.ts';
import {
  apply,
  audit,
  betOf,
  CASH,
  createState,
  depth,
  HOUSE,
  hashState,
  marketsOf,
  marketView,
  myMarkets,
  openBets,
  position,
  quoteRows,
  restore,
  snapshot,
  wallet,
} from '../src/exchange.ts';
import { ANN, BOB, CAT, MARKET, marketDef, of, runners, Site, T0 } from './site.ts';

const BAD_NUMBERS: unknown[] = [
  0,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 31),
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '100',
  null,
  undefined,
  {},
  [],
];

function copy(state: State): State {
  return restore(JSON.parse(JSON.stringify(snapshot(state))));
}

describe('accounts', () => {
  it('leave for good once they have no money, bets or rounds in memory, and the state is as if they had never been', () => {
    const s = new Site(2);
    const accountId = ANN;
    s.refused({ type: 'account.close', accountId }, 'ACCOUNT_IN_USE', 'accountId');
    s.fund(accountId, -wallet(s.state, accountId)!.balanceMinor);
    const visitor = 900;
    const before = hashState(s.state);
    s.go({ type: 'account.open', accountId: visitor, currency: 'EUR', kind: 'player' });
    s.go({ type: 'account.close', accountId: visitor });
    expect(hashState(s.state)).toBe(before);
    expect(s.go({ type: 'account.close', accountId })).toEqual([{ type: 'accountClosed', accountId }]);
    expect(wallet(s.state, accountId)).toBeNull();
    expect(hashState(copy(s.state))).toBe(hashState(s.state));
    s.refused({ type: 'account.close', accountId }, 'ACCOUNT_UNKNOWN', 'accountId');
    s.refused({ type: 'account.close', accountId: HOUSE }, 'ACCOUNT_UNKNOWN', 'accountId');
    expect(audit(s.state)).toEqual([]);
  });

  it('[INV-01] money comes from and goes to CASH', () => {
    const s = new Site(1, 0);
    const events = s.fund(ANN, 500);
    expect(of(events, 'ledger')).toEqual([
      {
        type: 'ledger',
        kind: 'deposit',
        text: 'test',
        entries: [
          { account: 'a100', amountMinor: 500 },
          { account: 'a2', amountMinor: -500 },
        ],
      },
    ]);
    expect(wallet(s.state, CASH)!.balanceMinor).toBe(-500);
    s.fund(ANN, -200);
    expect(wallet(s.state, ANN)).toEqual({ balanceMinor: 300, exposureMinor: 0, heldMinor: 0, availableMinor: 300 });
    s.refused(
      { type: 'account.transfer', accountId: ANN, amountMinor: -301, reason: 'withdrawal', text: '' },
      'INSUFFICIENT_FUNDS',
    );
  });

  it('money that is held is not paid out', () => {
    const s = new Site(1, 1000);
    s.market();
    s.back(ANN, 1, 300, 600);
    s.refused(
      { type: 'account.transfer', accountId: ANN, amountMinor: -401, reason: 'withdrawal', text: '' },
      'INSUFFICIENT_FUNDS',
    );
    s.fund(ANN, -400);
  });

  it('opens an account once; accounts of the site are there from the start', () => {
    const s = new Site(1, 0);
    s.refused({ type: 'account.open', accountId: ANN, currency: 'EUR', kind: 'player' }, 'ACCOUNT_EXISTS');
    s.refused({ type: 'account.open', accountId: HOUSE, currency: 'EUR', kind: 'system' }, 'ACCOUNT_EXISTS');
    s.refused({ type: 'account.open', accountId: 50, currency: 'EUR', kind: 'player' }, 'AMOUNT_INVALID');
    expect(wallet(s.state, 999)).toBeNull();
  });

  it('every change of a wallet is told with a rising version', () => {
    const s = new Site(1, 1000);
    s.market();
    const first = of(s.fund(ANN, 1), 'wallet').find((event) => event.accountId === ANN)!;
    const second = of(s.go(s.order(ANN, 1, 'BACK', 300, 10)), 'wallet')[0]!;
    expect(second).toEqual({
      type: 'wallet',
      accountId: ANN,
      balanceMinor: 1001,
      exposureMinor: 10,
      heldMinor: 0,
      version: first.version + 1,
    });
  });
});

describe('bad input', () => {
  it('[INV-07] every number of a bet is checked: 0, negative, fractions, 2^53, NaN, text', () => {
    const s = new Site(2);
    s.market({ maxStakeMinor: Number.MAX_SAFE_INTEGER });
    s.lay(BOB, 1, 300, 1000);
    const with_ = (field: string, value: unknown) =>
      ({ ...s.order(ANN, 1, 'BACK', 300, 100), [field]: value }) as Command;
    for (const value of BAD_NUMBERS) {
      s.refused(with_('sizeMinor', value), value === 2 ** 53 ? 'STAKE_INVALID' : 'STAKE_INVALID', 'sizeMinor');
      s.refused(with_('price', value), 'PRICE_INVALID', 'price');
      if (value !== undefined) s.refused(with_('marketVersion', value === 1.5 ? value : Number.NaN), 'MARKET_VERSION');
      s.refused(with_('accountId', value), 'ACCOUNT_UNKNOWN', 'accountId');
      s.refused(with_('marketId', value), 'MARKET_UNKNOWN', 'marketId');
      s.refused(with_('runnerId', value), 'RUNNER_UNKNOWN', 'runnerId');
      const betId = apply(s.state, with_('betId', value), T0)[0]!;
      expect(betId).toMatchObject({ type: 'refused', code: 'AMOUNT_INVALID', field: 'betId' });
    }
    for (const price of [100, 201, 301, 100_001, 99_999]) s.refused(with_('price', price), 'PRICE_INVALID');
    s.refused(with_('side', 'back'), 'PRICE_INVALID', 'side');
    s.refused(with_('persistence', 'MARKET_ON_CLOSE'), 'WRONG_KIND', 'persistence');
  });

  it('[INV-07] transfers and cancels too', () => {
    const s = new Site(1);
    s.market();
    const id = s.back(ANN, 1, 300, 100);
    for (const value of [0, 1.5, 2 ** 53, Number.NaN, '5', null, 10_000_000_000_001]) {
      const amountMinor = value as number;
      s.refused(
        { type: 'account.transfer', accountId: ANN, amountMinor, reason: 'deposit', text: '' },
        'AMOUNT_INVALID',
        'amountMinor',
      );
    }
    for (const value of BAD_NUMBERS) {
      if (value === undefined) continue;
      s.refused(
        { type: 'order.cancel', accountId: ANN, betId: id, byMinor: value as number },
        'STAKE_INVALID',
        'byMinor',
      );
      s.refused(
        { type: 'order.replace', accountId: ANN, betId: id, newBetId: 9, price: 310, sizeMinor: value as number },
        'STAKE_INVALID',
        'sizeMinor',
      );
    }
  });

  it('[INV-08] a bet id is used once, and later ids are higher', () => {
    const s = new Site(1);
    s.market();
    s.back(ANN, 1, 300, 100, { betId: 10 });
    s.refused(s.order(ANN, 1, 'BACK', 300, 100, { betId: 10 }), 'DUPLICATE_BET', 'betId');
    s.refused(s.order(ANN, 1, 'BACK', 300, 100, { betId: 9 }), 'DUPLICATE_BET', 'betId');
  });

  it('markets with a wrong definition are refused with the field', () => {
    const s = new Site(0);
    const bad: Array<[object, string]> = [
      [{ marketId: 0 }, 'marketId'],
      [{ kind: 'lottery' }, 'kind'],
      [{ runners: [] }, 'runners'],
      [
        {
          runners: [
            { runnerId: 1, name: 'A' },
            { runnerId: 1, name: 'B' },
          ],
        },
        'runners',
      ],
      [{ winners: 0 }, 'winners'],
      [{ winners: 4 }, 'winners'],
      [{ commissionBps: 10_001 }, 'commissionBps'],
      [{ minStakeMinor: 10, maxStakeMinor: 5 }, 'maxStakeMinor'],
      [{ maxBets: -1 }, 'maxBets'],
      [{ betDelayMs: Number.NaN }, 'betDelayMs'],
      [{ status: 'CLOSED' }, 'status'],
      [{ kind: 'meter', cap: 1.5 }, 'cap'],
    ];
    for (const [over, field] of bad) {
      s.refused({ type: 'market.create', market: { ...marketDef(), ...over } }, 'MARKET_INVALID', field);
    }
    s.market();
    s.refused({ type: 'market.create', market: marketDef() }, 'MARKET_EXISTS');
    s.refused({ type: 'market.state', marketId: MARKET, status: 'CLOSED' as 'OPEN' }, 'MARKET_INVALID', 'status');
    s.refused(
      { type: 'market.state', marketId: MARKET, runners: [{ runnerId: 9, status: 'ACTIVE' }] },
      'RUNNER_UNKNOWN',
    );
    s.refused({ type: 'nothing' } as unknown as Command, 'WRONG_KIND', 'type');
  });

  it('a definition of the caller is not kept: changing it afterwards changes nothing', () => {
    const s = new Site(1);
    const def = marketDef();
    s.go({ type: 'market.create', market: def });
    def.runners[0]!.name = 'changed';
    def.minStakeMinor = 999_999;
    expect(marketView(s.state, MARKET)!.runners[0]!.name).toBe('A');
    s.back(ANN, 1, 300, 10);
  });
});

describe('readings', () => {
  it('my markets, open bets, markets, unknown things', () => {
    const s = new Site(2);
    s.market();
    s.market({ marketId: 3 });
    s.back(ANN, 1, 300, 100);
    s.back(ANN, 1, 300, 100, { marketId: 3 });
    s.back(ANN, 2, 300, 100, { marketId: 3 });
    expect(myMarkets(s.state, ANN)).toEqual([
      { marketId: 3, betCount: 2 },
      { marketId: MARKET, betCount: 1 },
    ]);
    expect(openBets(s.state, ANN, 3).map((bet) => bet.betId)).toEqual([2, 3]);
    expect(marketsOf(s.state).map((view) => view.marketId)).toEqual([MARKET, 3]);
    expect([position(s.state, ANN, 99), depth(s.state, 99, 1, 3), marketView(s.state, 99), betOf(s.state, 99)]).toEqual(
      [null, null, null, null],
    );
    expect([quoteRows(s.state, MARKET), myMarkets(s.state, 999), openBets(s.state, 999)]).toEqual([[], [], []]);
    expect(position(s.state, BOB, MARKET)).toMatchObject({ exposureMinor: 0, betCount: 0 });
  });

  it('nothing happens without a change', () => {
    const s = new Site(1);
    s.market();
    expect(s.go({ type: 'market.state', marketId: MARKET, status: 'OPEN', inPlay: false })).toEqual([]);
    expect(s.go({ type: 'clock' })).toEqual([]);
  });
});

/** Random commands over a book with the house, a session, and everything that can happen to them. */
function commands(): fc.Arbitrary<Array<(s: Site, ids: { next: number }) => Command>> {
  const account = fc.integer({ min: ANN, max: CAT });
  const runnerId = fc.integer({ min: 1, max: 3 });
  const price = fc.integer({ min: 95, max: 125 }).map((i) => LADDER[i]!);
  const side = fc.constantFrom('BACK' as const, 'LAY' as const);
  const pick = fc.nat(1000);
  type Make = (s: Site, ids: { next: number }) => Command;
  const any = (s: Site, n: number) => {
    const all = [...s.state.orders.values()];
    return all[n % Math.max(1, all.length)];
  };
  const place: fc.Arbitrary<Make> = fc
    .record({
      account,
      runnerId,
      price,
      side,
      size: fc.integer({ min: 1, max: 9000 }),
      keep: fc.boolean(),
      fok: fc.integer({ min: 0, max: 6 }),
    })
    .map((r) => (_s, ids) => ({
      type: 'order.place',
      betId: ++ids.next,
      accountId: r.account,
      marketId: MARKET,
      runnerId: r.runnerId,
      side: r.side,
      price: r.price,
      sizeMinor: r.size,
      persistence: r.keep ? 'PERSIST' : 'LAPSE',
      ...(r.fok === 0 && { minFillMinor: Math.ceil(r.size / 2) }),
    }));
  const house: fc.Arbitrary<Make> = fc
    .record({ runnerId, middle: fc.integer({ min: 97, max: 122 }), size: fc.integer({ min: 0, max: 5000 }) })
    .map((r) => () => ({
      type: 'house.book',
      marketId: MARKET,
      runners: [
        {
          runnerId: r.runnerId,
          backable: [
            [LADDER[r.middle - 1]!, r.size],
            [LADDER[r.middle - 2]!, 2 * r.size],
          ],
          layable: [[LADDER[r.middle + 1]!, r.size]],
        },
      ],
    }));
  const change: fc.Arbitrary<Make> = fc
    .record({ pick, price, size: fc.integer({ min: 1, max: 9000 }), what: fc.integer({ min: 0, max: 4 }), account })
    .map((r) => (s, ids) => {
      const order = any(s, r.pick);
      const accountId = order?.holding.account.id ?? r.account;
      const betId = order?.id ?? 1;
      if (r.what === 0) return { type: 'order.cancel', accountId, betId };
      if (r.what === 1) return { type: 'order.cancel', accountId, betId, byMinor: r.size };
      if (r.what === 2) return { type: 'order.persistence', accountId, betId, persistence: 'PERSIST' };
      if (r.what === 3) return { type: 'order.cancelAll', accountId };
      return { type: 'order.replace', accountId, betId, newBetId: ++ids.next, price: r.price, sizeMinor: r.size };
    });
  const quotes: fc.Arbitrary<Make> = fc
    .record({ line: fc.integer({ min: 40, max: 50 }), rate: fc.integer({ min: 80, max: 110 }) })
    .map((r) => () => ({
      type: 'house.quotes',
      marketId: 8,
      rows: [
        {
          runnerId: 1,
          back: { price: r.rate, sizeMinor: 10_000, line: r.line },
          lay: { price: r.rate, sizeMinor: 10_000, line: r.line },
          status: 'ACTIVE',
        },
      ],
    }));
  const take: fc.Arbitrary<Make> = fc
    .record({ account, side, stake: fc.integer({ min: 1, max: 9000 }), off: fc.boolean() })
    .map((r) => (s, ids) => {
      const row = quoteRows(s.state, 8)[0];
      return {
        type: 'quote.take',
        betId: ++ids.next,
        accountId: r.account,
        marketId: 8,
        runnerId: 1,
        side: r.side,
        price: (row?.back?.price ?? 90) + (r.off ? 1 : 0),
        stakeMinor: r.stake,
        line: row?.back?.line ?? 45,
      };
    });
  const life: fc.Arbitrary<Make> = fc
    .record({ what: fc.integer({ min: 0, max: 9 }), runnerId, account, pick })
    .map((r) => (s) => {
      const market = r.pick % 3 === 0 ? 8 : MARKET;
      const book = market === MARKET;
      switch (r.what) {
        case 0:
          return { type: 'market.state', marketId: market, status: 'SUSPENDED', reason: 'Wicket' };
        case 1:
        case 2:
          return { type: 'market.state', marketId: market, status: 'OPEN' };
        case 3:
          return { type: 'market.state', marketId: market, inPlay: r.pick % 2 === 0, betDelayMs: 2000 };
        case 4:
          return { type: 'runner.remove', marketId: MARKET, runnerId: r.runnerId, factor: r.pick * 5 };
        case 5:
          return { type: 'runner.reinstate', marketId: MARKET, runnerId: r.runnerId, factor: 0 };
        case 6:
          return {
            type: 'market.declare',
            marketId: market,
            result: book ? { kind: 'winners', runnerIds: [r.runnerId] } : { kind: 'score', score: 40 + (r.pick % 10) },
          };
        case 7:
          return { type: 'market.undeclare', marketId: market };
        case 8: {
          const order = any(s, r.pick);
          return {
            type: 'bets.void',
            marketId: order?.holding.market.id ?? market,
            betIds: [order?.id ?? 1],
            reason: 'Rule 4',
          };
        }
        default:
          return {
            type: 'account.restrict',
            accountId: r.account,
            betBlocked: r.pick % 4 === 0,
            exposureLimitMinor: 0,
          };
      }
    });
  const clock: fc.Arbitrary<Make> = fc.integer({ min: 0, max: 3000 }).map((ms) => (s) => {
    s.now += ms;
    return { type: 'clock' };
  });
  return fc.array(
    fc.oneof(
      { weight: 12, arbitrary: place },
      { weight: 3, arbitrary: house },
      { weight: 6, arbitrary: change },
      { weight: 2, arbitrary: quotes },
      { weight: 3, arbitrary: take },
      { weight: 3, arbitrary: life },
      { weight: 3, arbitrary: clock },
    ),
    { maxLength: 70 },
  );
}

function randomSite(): Site {
  const s = new Site(3, 40_000);
  s.market({ runners: runners(3), commissionBps: 300 });
  s.market({ marketId: 8, kind: 'session', name: 'Session', runners: runners(1) });
  return s;
}

describe('whatever happens', () => {
  it('[INV-01] [INV-04] [INV-05] [INV-13] [INV-17] the state stays whole after every command', () => {
    fc.assert(
      fc.property(commands(), (makes) => {
        const s = randomSite();
        const ids = { next: 0 };
        let open = true;
        const ledger = new Map<string, number>();
        for (const make of makes) {
          const command = make(s, ids);
          const before = hashState(s.state);
          const events = apply(s.state, command, s.now);
          expect(audit(s.state)).toEqual([]);
          if (events[0]?.type === 'refused') {
            expect(events).toHaveLength(1);
            expect(hashState(s.state)).toBe(before);
          }
          // [INV-15] no fill while suspended.
          if (!open) expect(of(events, 'fill')).toEqual([]);
          open = marketView(s.state, MARKET)!.status === 'OPEN';
          for (const event of of(events, 'ledger')) {
            let sum = 0;
            for (const { account, amountMinor } of event.entries) {
              sum += amountMinor;
              ledger.set(account, (ledger.get(account) ?? 0) + amountMinor);
            }
            expect(sum).toBe(0);
          }
          for (const { market } of of(events, 'market')) {
            // [INV-03] nothing stays on a clearing account after a result.
            if (market.result !== null) expect(ledger.get(`m${market.marketId}`) ?? 0).toBe(0);
          }
        }
        // [INV-02] balances follow from the entries.
        for (const id of [ANN, BOB, CAT])
          expect(wallet(s.state, id)!.balanceMinor).toBe(40_000 + (ledger.get(`a${id}`) ?? 0));
      }),
      { numRuns: 250 },
    );
  });

  it('[INV-10] the same commands give the same events and hashes; a snapshot goes on exactly like the original', () => {
    fc.assert(
      fc.property(commands(), fc.nat(70), (makes, at) => {
        const s = randomSite();
        const ids = { next: 0 };
        const log: Array<[Command, number, Event[]]> = [];
        let restored: State | null = null;
        makes.forEach((make, i) => {
          if (i === at) {
            restored = copy(s.state);
            expect(hashState(restored)).toBe(hashState(s.state));
            expect(audit(restored)).toEqual([]);
          }
          const command = make(s, ids);
          const events = structuredClone(apply(s.state, command, s.now));
          if (restored) {
            expect(apply(restored, command, s.now)).toEqual(events);
            expect(hashState(restored)).toBe(hashState(s.state));
          }
          log.push([command, s.now, events]);
        });
        const again = randomSite();
        for (const [command, now, events] of log) expect(apply(again.state, command, now)).toEqual(events);
        expect(hashState(again.state)).toBe(hashState(s.state));
        expect(hashState(copy(again.state))).toBe(hashState(again.state));
      }),
      { numRuns: 150 },
    );
  });

  it('[INV-10] the hash tells states apart, and does not depend on when it was first asked for', () => {
    const early = new Site(2);
    const late = new Site(2);
    hashState(early.state);
    for (const s of [early, late]) {
      s.market();
      s.lay(BOB, 1, 300, 100);
      s.back(ANN, 1, 300, 60);
    }
    expect(hashState(early.state)).toBe(hashState(late.state));
    const seen = new Set([hashState(early.state)]);
    early.go({ type: 'order.cancel', accountId: BOB, betId: 1, byMinor: 1 });
    seen.add(hashState(early.state));
    early.fund(ANN, 1);
    seen.add(hashState(early.state));
    early.go({ type: 'market.state', marketId: MARKET, reason: 'x' });
    seen.add(hashState(early.state));
    expect(seen.size).toBe(4);
    expect(hashState(createState())).toBe(hashState(createState()));
  });

  it('a time that is none stops the writer', () => {
    const s = new Site(1);
    expect(() => apply(s.state, { type: 'clock' }, Number.NaN)).toThrow('INV-07');
  });
});
