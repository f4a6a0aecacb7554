import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  betAmounts,
  type CardPay,
  type MarketDef,
  position,
  quoteExposure,
  settleQuote,
  wallet,
} from '../src/exchange.ts';
import { ANN, BOB, MARKET, Site } from './site.ts';

// Runners of the round: 1 and 2 exclude each other, 3 stands for itself, 4 pays by the hand, 5 is a session, 6 pays per point, 7 is a market by itself.
const runners: MarketDef['runners'] = [
  { runnerId: 1, name: 'Player A', group: 1 },
  { runnerId: 2, name: 'Player B', group: 1 },
  { runnerId: 3, name: 'Pair plus A' },
  { runnerId: 4, name: 'Bonus', payMax: 3000 },
  { runnerId: 5, name: 'Runs' },
  { runnerId: 6, name: 'Meter', payMax: 5000, payMin: 5000 },
  { runnerId: 7, name: 'Run 7', group: 2 },
];

function table(site: Site): void {
  site.market({ kind: 'card', name: 'Round 1', runners });
  const quote = (runnerId: number, back: number, lay: number | null = null, line?: number) => ({
    runnerId,
    back: { price: back, sizeMinor: 1_000_000, ...(line === undefined ? {} : { line }) },
    lay: lay === null ? null : { price: lay, sizeMinor: 1_000_000, ...(line === undefined ? {} : { line }) },
    status: 'ACTIVE' as const,
  });
  site.go({
    type: 'house.quotes',
    marketId: MARKET,
    rows: [
      quote(1, 198, 202),
      quote(2, 198, 202),
      quote(3, 350),
      quote(4, 200),
      quote(5, 95, 105, 12),
      quote(6, 200),
      quote(7, 165, 169),
    ],
  });
}

const take = (
  site: Site,
  accountId: number,
  runnerId: number,
  side: 'BACK' | 'LAY',
  price: number,
  stakeMinor: number,
  line?: number,
) =>
  site.go({
    type: 'quote.take',
    betId: ++site.lastBetId,
    accountId,
    marketId: MARKET,
    runnerId,
    side,
    price,
    stakeMinor,
    ...(line === undefined ? {} : { line }),
  });

describe('half of the stake back', () => {
  it('[INV-05] [INV-06] never in a group: a lay there counts on the whole stake of those that lose (D6)', () => {
    const site = new Site(1, 80_000);
    const group = [1, 2, 3].map((runnerId) => ({ runnerId, name: `S${runnerId}`, group: 1 }));
    site.market({ kind: 'card', runners: group });
    const quote = (runnerId: number, price: number) => {
      const side = { price, sizeMinor: 1_000_000 };
      return { runnerId, back: side, lay: side, status: 'ACTIVE' as const };
    };
    site.go({ type: 'house.quotes', marketId: MARKET, rows: [quote(1, 200), quote(2, 200), quote(3, 900)] });
    take(site, ANN, 3, 'LAY', 900, 10_000);
    take(site, ANN, 1, 'LAY', 200, 40_000);
    take(site, ANN, 2, 'LAY', 200, 40_000);
    expect(wallet(site.state, ANN)!.exposureMinor).toBe(0);
    const pays: CardPay[] = [
      { runnerId: 1, is: 'HALF' },
      { runnerId: 2, is: 'HALF' },
      { runnerId: 3, is: 'WIN' },
    ];
    site.refused(
      { type: 'market.declare', marketId: MARKET, result: { kind: 'cards', text: 'Tie', pays } },
      'RESULT_INVALID',
      'result',
    );
  });
});

const declare = (site: Site, pays: CardPay[]) =>
  site.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'cards', pays, text: 'Player A' } });

describe('card rounds', () => {
  it('[CAS-12] nets selections that exclude each other and holds the stake of every other one (C8)', () => {
    const site = new Site();
    table(site);
    take(site, ANN, 1, 'BACK', 198, 10_000);
    expect(wallet(site.state, ANN)?.exposureMinor).toBe(10_000);
    take(site, ANN, 2, 'BACK', 198, 10_000); // A wins: +9,800 - 10,000
    expect(wallet(site.state, ANN)?.exposureMinor).toBe(200);
    take(site, ANN, 3, 'BACK', 350, 5_000);
    expect(wallet(site.state, ANN)?.exposureMinor).toBe(5_200);
    take(site, ANN, 6, 'BACK', 200, 100); // per point: 50 times the stake
    expect(wallet(site.state, ANN)?.exposureMinor).toBe(10_200);
    expect(
      position(site.state, ANN, MARKET)
        ?.runners?.slice(0, 2)
        .map((one) => one.netMinor),
    ).toEqual([-200, -200]);
  });

  it('[CAS-12] nets back and lay of a market of one selection, which may win, lose or be void (C8)', () => {
    for (const [is, bring] of [
      ['WIN', 6_500 - 3_450],
      ['LOSE', -10_000 + 5_000],
      ['VOID', 0],
    ] as const) {
      const site = new Site();
      table(site);
      const { balanceMinor } = wallet(site.state, ANN)!;
      take(site, ANN, 7, 'BACK', 165, 10_000);
      expect(wallet(site.state, ANN)?.exposureMinor).toBe(10_000);
      take(site, ANN, 7, 'LAY', 169, 5_000); // wins: +6,500 - 3,450; loses: -10,000 + 5,000
      expect(wallet(site.state, ANN)?.exposureMinor).toBe(5_000);
      take(site, ANN, 7, 'LAY', 169, 5_000); // wins: -400; loses: 0
      expect(wallet(site.state, ANN)?.exposureMinor).toBe(400);
      take(site, ANN, 1, 'BACK', 198, 1_000); // another market adds up
      expect(wallet(site.state, ANN)?.exposureMinor).toBe(1_400);
      expect(position(site.state, ANN, MARKET)?.runners?.[6]).toMatchObject({
        winMinor: -400,
        loseMinor: 0,
        netMinor: -400,
      });
      const without = new Site();
      table(without);
      take(without, ANN, 7, 'BACK', 165, 10_000);
      take(without, ANN, 7, 'LAY', 169, 5_000);
      declare(without, [{ runnerId: 7, is }]);
      expect(wallet(without.state, ANN)?.balanceMinor).toBe(balanceMinor + bring);
    }
  });

  it('[INV-01] [INV-16] settles win, lose, half, push, table pays and sessions, and takes it back exactly', () => {
    const site = new Site();
    table(site);
    take(site, ANN, 1, 'BACK', 198, 10_000);
    take(site, ANN, 3, 'BACK', 350, 1_000);
    take(site, ANN, 4, 'BACK', 200, 1_000);
    take(site, BOB, 2, 'LAY', 202, 10_000);
    take(site, BOB, 5, 'LAY', 105, 2_000, 12);
    take(site, BOB, 6, 'BACK', 200, 100);
    const before = [wallet(site.state, ANN), wallet(site.state, BOB)];
    declare(site, [
      { runnerId: 1, is: 'WIN' },
      { runnerId: 2, is: 'LOSE' },
      { runnerId: 3, is: 'HALF' },
      { runnerId: 4, is: 'PAY', per100: 2500 },
      { runnerId: 5, is: 'SCORE', score: 11 },
      { runnerId: 6, is: 'PAY', per100: -700 },
    ]);
    // Ann: +9,800 - 500 + 25,000; Bob: +10,000 (lay of the loser), +2,000 (no at 11), -700.
    expect(wallet(site.state, ANN)?.balanceMinor).toBe(before[0]!.balanceMinor + 9_800 - 500 + 25_000);
    expect(wallet(site.state, BOB)?.balanceMinor).toBe(before[1]!.balanceMinor + 10_000 + 2_000 - 700);
    expect(wallet(site.state, ANN)?.exposureMinor).toBe(0);
    site.go({ type: 'market.undeclare', marketId: MARKET });
    expect([wallet(site.state, ANN), wallet(site.state, BOB)]).toEqual(before);
  });

  it('pays every stake back when nobody wins a group', () => {
    const site = new Site();
    table(site);
    take(site, ANN, 1, 'BACK', 198, 10_000);
    const { balanceMinor } = wallet(site.state, ANN)!;
    declare(site, [
      { runnerId: 1, is: 'VOID' },
      { runnerId: 2, is: 'VOID' },
    ]);
    expect(wallet(site.state, ANN)).toEqual({
      balanceMinor,
      exposureMinor: 0,
      heldMinor: 0,
      availableMinor: balanceMinor,
    });
  });

  it.each<[string, CardPay[]]>([
    [
      'two winners of a group',
      [
        { runnerId: 1, is: 'WIN' },
        { runnerId: 2, is: 'WIN' },
      ],
    ],
    [
      'a group that all lose',
      [
        { runnerId: 1, is: 'LOSE' },
        { runnerId: 2, is: 'LOSE' },
      ],
    ],
    ['a winner beside a push', [{ runnerId: 1, is: 'WIN' }]],
    ['half of the stake in a market of one selection', [{ runnerId: 7, is: 'HALF' }]],
    ['more than the table pays', [{ runnerId: 4, is: 'PAY', per100: 3001 }]],
    ['more than can be lost', [{ runnerId: 6, is: 'PAY', per100: -5001 }]],
    ['an unknown selection', [{ runnerId: 99, is: 'WIN' }]],
  ])('refuses a result with %s', (_, pays) => {
    const site = new Site();
    table(site);
    site.refused(
      { type: 'market.declare', marketId: MARKET, result: { kind: 'cards', pays, text: '' } },
      'RESULT_INVALID',
    );
  });

  it('[INV-05] exposure is the worst of all results the round may have', () => {
    const bet = fc.record({
      runnerId: fc.integer({ min: 1, max: 7 }),
      side: fc.constantFrom<'BACK' | 'LAY'>('BACK', 'LAY'),
      price: fc.integer({ min: 101, max: 900 }),
      stakeMinor: fc.integer({ min: 1, max: 10_000 }),
    });
    fc.assert(
      fc.property(fc.array(bet, { maxLength: 7 }), (drawn) => {
        const market = { kind: 'card' as const, runners };
        const bets = drawn.map((one) => {
          const { payMax, payMin } = runners[one.runnerId - 1]!;
          const line = one.runnerId === 5 ? { line: 12 } : {};
          return { ...one, ...line, ...betAmounts('card', { ...one, ...line, payMax, payMin }) };
        });
        const isNetted = ({ runnerId }: { runnerId: number }) => runners[runnerId - 1]!.group !== undefined;
        let worst = 0;
        let worstNetted = 0;
        const solo: Array<[number, CardPay[]]> = [
          [
            7,
            [
              { runnerId: 7, is: 'WIN' },
              { runnerId: 7, is: 'LOSE' },
              { runnerId: 7, is: 'VOID' },
            ],
          ],
          [
            3,
            [
              { runnerId: 3, is: 'WIN' },
              { runnerId: 3, is: 'LOSE' },
              { runnerId: 3, is: 'HALF' },
            ],
          ],
          [
            4,
            [
              { runnerId: 4, is: 'PAY', per100: 3000 },
              { runnerId: 4, is: 'LOSE' },
            ],
          ],
          [
            5,
            [
              { runnerId: 5, is: 'SCORE', score: 0 },
              { runnerId: 5, is: 'SCORE', score: 99 },
            ],
          ],
          [
            6,
            [
              { runnerId: 6, is: 'PAY', per100: 5000 },
              { runnerId: 6, is: 'PAY', per100: -5000 },
            ],
          ],
        ];
        const groups: CardPay[][] = [
          [
            { runnerId: 1, is: 'WIN' },
            { runnerId: 2, is: 'LOSE' },
          ],
          [
            { runnerId: 1, is: 'LOSE' },
            { runnerId: 2, is: 'WIN' },
          ],
          [
            { runnerId: 1, is: 'VOID' },
            { runnerId: 2, is: 'VOID' },
          ],
        ];
        for (const group of groups) {
          const walk = (at: number, pays: CardPay[]): void => {
            if (at === solo.length) {
              const result = { kind: 'cards' as const, pays, text: '' };
              const end = (of: typeof bets) =>
                of.reduce((sum, one) => sum + settleQuote(market, one, result).profitMinor, 0);
              worst = Math.min(worst, end(bets));
              worstNetted = Math.min(worstNetted, end(bets.filter(isNetted)));
              return;
            }
            for (const pay of solo[at]![1]) walk(at + 1, [...pays, pay]);
          };
          walk(0, group);
        }
        const held = quoteExposure(market, bets);
        expect(held).toBeGreaterThanOrEqual(-worst);
        // The worst case of what is netted, and of every other bet all that it can lose (C8).
        const alone = bets.filter((one) => !isNetted(one)).reduce((sum, one) => sum + one.lossMinor, 0);
        expect(held).toBe(alone - worstNetted);
      }),
      { numRuns: 300 },
    );
  });
});
