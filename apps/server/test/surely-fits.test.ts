import { allCalls, CALLS, lineCall } from '@fairgame/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { surelyFits } from '../src/http/surely-fits.ts';

const BET = {
  key: 'a-key-of-a-bet-0001',
  betId: 7,
  matchId: 8,
  runnerId: 9,
  bettingType: 'BACK',
  odd: 220,
  stake: 100,
};
/** Good and bad for one field or another. */
const NUMBERS = [0, 1, -1, 2, 100, 1.5, 1001, 1_000_001, 2 ** 53, -0, Number.NaN];
const TEXTS = ['', 'BACK', 'LAPSE', 'a-key-of-a-bet-0001', 'no key', 'a-key-of-a-bet-0001\n', 'x'.repeat(5000)];
const OTHERS = [null, undefined, true, false, [], [1], [1, 'a'], {}, { key: 'a' }, BET, [BET], [{ ...BET, odd: 0 }]];
const VALUES = [...NUMBERS, ...TEXTS, ...OTHERS];

const bodies = [
  { name: 'the line', schema: lineCall },
  ...allCalls().flatMap((call) => (call.body ? [{ name: call.name, schema: call.body }] : [])),
];

describe('the quick look at a body', () => {
  it('says yes of a bet, of several, and of one with all that may be said', () => {
    const { body } = CALLS.bets.place;
    const more = { line: 3, placeIndex: 1, persistence: 'PERSIST', minFill: 100, marketVersion: 2, window: 4 };
    expect(surelyFits(body!, BET)).toBe(true);
    expect(surelyFits(body!, { ...BET, ...more, pick: [1, 2] })).toBe(true);
    expect(surelyFits(lineCall, { call: 'bet.place', body: BET, unattended: true })).toBe(true);
    expect(surelyFits(CALLS.bets.placeMany.body!, { bets: [BET, { ...BET, odd: 110 }] })).toBe(true);
  });

  it.each(bodies)('says yes of nothing that the schema of $name refuses or changes', ({ schema }) => {
    const shape = Object.keys((schema as { shape?: object }).shape ?? {});
    const value = fc.constantFrom(...VALUES);
    const mixed = fc.dictionary(fc.constantFrom(...shape, ...Object.keys(BET), 'more', 'bets', 'call', 'body'), value, {
      noNullPrototype: true,
    });
    // One field of a good bet is another thing, or nothing.
    const spoilt = fc
      .tuple(fc.constantFrom(...Object.keys(BET), 'line', 'pick', 'more'), value)
      .map(([name, other]) => {
        const { [name]: _, ...rest } = { ...BET } as Record<string, unknown>;
        return other === undefined ? rest : { ...rest, [name]: other };
      });
    const several = fc.array(spoilt, { maxLength: 3 }).map((bets) => ({ bets }));
    fc.assert(
      fc.property(fc.oneof(mixed, spoilt, several, value), (given) => {
        if (!surelyFits(schema, given)) return;
        const { success, data } = schema.safeParse(given);
        expect(success).toBe(true);
        expect(data).toStrictEqual(given);
      }),
      { numRuns: 200 },
    );
  });
});
