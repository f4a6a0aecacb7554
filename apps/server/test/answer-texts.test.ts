import type { Bet, Event } from '@fairgame/exchange';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packAnswer, packFate, unpackFate } from '../src/core/answers.ts';
import { listText, readList } from '../src/core/columns.ts';
import { betText, keyText } from '../src/core/row-texts.ts';

const int = fc.integer({ min: 0, max: 10 ** 12 });
const text = fc.string({ unit: 'binary', maxLength: 20 });
const bet: fc.Arbitrary<Bet> = fc.record(
  {
    betId: int,
    accountId: int,
    marketId: int,
    runnerId: int,
    kind: fc.constantFrom('order', 'quote'),
    side: fc.constantFrom('BACK', 'LAY'),
    price: int,
    matchedSum: int,
    sizeMinor: int,
    matchedMinor: int,
    remainingMinor: int,
    cancelledMinor: int,
    lapsedMinor: int,
    voidedMinor: int,
    persistence: fc.constantFrom('LAPSE', 'PERSIST'),
    status: fc.constantFrom('PENDING', 'EXECUTABLE', 'COMPLETE'),
    dueAt: int,
    placedAt: int,
    result: fc.constantFrom('PENDING', 'WIN', 'VOID'),
    profitMinor: fc.integer(),
    version: int,
    firstPrice: int,
    line: int,
    box: int,
    width: int,
    winMinor: int,
    lossMinor: int,
    endCode: fc.constantFrom('CANCELLED', 'LAPSED'),
    reason: text,
  },
  {
    requiredKeys: [
      ...(['betId', 'accountId', 'marketId', 'runnerId', 'kind', 'side', 'price', 'matchedSum', 'sizeMinor'] as const),
      ...(['matchedMinor', 'remainingMinor', 'cancelledMinor', 'lapsedMinor', 'voidedMinor', 'persistence'] as const),
      ...(['status', 'dueAt', 'placedAt', 'result', 'profitMinor', 'version'] as const),
    ],
  },
) as fc.Arbitrary<Bet>;

describe('what is written as text by hand', () => {
  it('is read back as the answer it was, and as JSON of the packed one is', () => {
    const wallet = fc.record({ accountId: int, balanceMinor: int, exposureMinor: int, heldMinor: int, version: int });
    const event: fc.Arbitrary<Event> = fc.oneof(
      bet.map((one) => ({ type: 'bet' as const, bet: one })),
      wallet.map((one) => ({ type: 'wallet' as const, ...one })),
    );
    fc.assert(
      fc.property(int, int, fc.array(event), (seq, at, events) => {
        const answer = { seq, at, events, replayed: false };
        const written = packFate({ is: 'taken', answer });
        expect(unpackFate(written)).toEqual({ is: 'taken', answer });
        // As leaders of before wrote it.
        expect(unpackFate(JSON.stringify(packAnswer(answer)))).toEqual(unpackFate(written));
      }),
    );
  });

  it('holds all that a row of a bet or a key has', () => {
    fc.assert(
      fc.property(bet, int, fc.option(int), (one, seq, settledAt) => {
        const row = { ...one, world: 'real', settledAt, seq };
        const written = `[${betText({ bet: one, world: 'real', settledAt, seq })}]`;
        expect(readList('newBets', written)).toEqual(readList('newBets', listText('newBets', [row])!));
        expect(readList('newBets', written)[0]).toMatchObject(row);
      }),
    );
    fc.assert(
      fc.property(text, text, text, int, int, fc.option(int), (actor, key, payloadHash, seq, at, betId) => {
        for (const answer of ['null', '[1,2,[]]', '{"code":"BUSY"}']) {
          const row = { actor, key, world: 'real' as const, payloadHash, seq, at, betId, answer };
          expect(readList('keys', `[${keyText(row)}]`)).toEqual([row]);
        }
      }),
    );
  });
});
