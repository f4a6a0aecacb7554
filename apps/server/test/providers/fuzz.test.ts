import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../src/ledger/ledger.ts';
import { type Bench, makeBench, type Player, type Seat } from './bench.ts';
import { type Driver, newRound, newTx } from './drivers.ts';

const RUNS = 150;
let bench: Bench;
let player: Player;
const seats: Partial<Record<'a' | 'b', Seat>> = {};
beforeAll(async () => {
  bench = await makeBench();
  player = await bench.player(1_000_000);
  for (const driver of [bench.a, bench.b]) seats[driver.id] = await bench.seat(driver, player);
});
afterAll(() => bench.close());

/** Values that a field of a call may hold by mistake or on purpose. */
const anything = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e21,
    '',
    ' ',
    '0',
    '1.00',
    '-1.00',
    '__proto__',
    'constructor',
    '\u0000',
    'é',
  ),
  fc.string({ maxLength: 200 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

describe.each(['a', 'b'] as const)('[FUZZ-7] calls of dialect %s, signed well and made badly', (id) => {
  const driverOf = (): Driver => bench[id];
  const FIELDS =
    id === 'a'
      ? ['session', 'player', 'tx', 'round', 'game', 'currency', 'amount', 'roundClosed', 'refTx', 'call']
      : [
          'session_id',
          'player_id',
          'transaction_id',
          'round_id',
          'game_code',
          'currency',
          'amount',
          'round_closed',
          'action',
        ];

  it('any field may be anything: no error of ours, nothing taken beyond the stake that was named, the books stay whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('debit', 'credit', 'rollback', 'promoCredit', 'roundEnd' as const),
        fc.dictionary(fc.constantFrom(...FIELDS, '__proto__', 'more'), anything, { maxKeys: 3 }),
        async (op, replace) => {
          const seat = seats[id]!;
          const before = bench.balance(player.userId);
          bench.site.clock.advance(6000);
          const said = await bench.send(
            driverOf(),
            { op, ...seat, ...newRound(), amount: 100, closed: true, ref: newTx(), reason: 'gift' },
            { replace },
          );
          expect([200, 401]).toContain(said.status);
          const moved = bench.balance(player.userId) - before;
          if (said.code !== 'OK') expect(moved).toBe(0);
          if (op === 'debit') expect(moved).toBeLessThanOrEqual(0);
          // Nothing is credited without a bet that was taken, but a gift.
          if (op === 'credit' || op === 'rollback') expect(moved).toBe(0);
        },
      ),
      { numRuns: RUNS },
    );
  }, 120_000);

  it('bytes of any kind under a good signature', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 300 }), async (raw) => {
        const said = await bench.send(driverOf(), { op: 'balance', session: seats[id]!.session }, { raw });
        expect([200, 401]).toContain(said.status);
        expect(said.code).not.toBe('OK');
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});

describe('after all of it', () => {
  it('[INV-19] the books are whole', async () => {
    const report = await verify(bench.site.app.db);
    expect(report.checks.filter(({ breaks }) => breaks > 0)).toEqual([]);
    // What a provider may not pay out by itself raises an alarm, as it should; nothing else is an error.
    const errors = bench.site
      .logText()
      .split('\n')
      .filter((line) => line.includes('"level":50') && !line.includes('"security":"provider-money"'));
    expect(errors).toEqual([]);
  });
});
