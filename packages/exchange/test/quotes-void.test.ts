import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, QuoteKind, State } from '../src/exchange.ts';
import { apply, createState, position, wallet } from '../src/exchange.ts';
import { MARKET, marketDef } from './market-def.ts';

const PLAYER = 100;
const KINDS: QuoteKind[] = ['session', 'khado', 'meter', 'bookmaker', 'oddEven', 'fancy1', 'cricketCasino', 'tied'];

interface Drawn {
  side: 'BACK' | 'LAY';
  price: number;
  line: number;
  stakeMinor: number;
  runner: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  side: fc.constantFrom<'BACK' | 'LAY'>('BACK', 'LAY'),
  price: fc.integer({ min: 20, max: 99 }),
  line: fc.integer({ min: 0, max: 60 }),
  stakeMinor: fc.integer({ min: 100, max: 50_000 }),
  runner: fc.nat(1),
});

function send(state: State, command: Command): void {
  const refused = apply(state, command, 1000).find((event) => event.type === 'refused');
  if (refused) throw new Error(`${command.type}: ${refused.code}`);
}

/** A market of the kind with the drawn bets in it, each at a quote made for it. Holes in the list are not placed. */
function play(kind: QuoteKind, bets: Array<Drawn | null>): State {
  const state = createState();
  const lined = ['session', 'khado', 'meter'].includes(kind);
  const decimal = ['oddEven', 'fancy1', 'cricketCasino', 'tied'].includes(kind);
  const backOnly = ['khado', 'oddEven', 'cricketCasino'].includes(kind);
  send(state, { type: 'account.open', accountId: PLAYER, currency: 'EUR', kind: 'player' });
  const deposit = { type: 'account.transfer' as const, reason: 'deposit' as const, text: '' };
  send(state, { ...deposit, accountId: PLAYER, amountMinor: 1_000_000_000 });
  send(state, {
    type: 'market.create',
    market: marketDef({
      kind,
      name: kind,
      runners: Array.from({ length: kind === 'cricketCasino' ? 10 : 2 }, (_, i) => ({
        runnerId: i + 1,
        name: `${i}`,
        width: 6,
        ...(kind === 'oddEven' && { stands: i === 0 ? ('odd' as const) : ('even' as const) }),
        ...((kind === 'fancy1' || kind === 'tied') && { stands: i === 0 ? ('yes' as const) : ('no' as const) }),
        ...(kind === 'cricketCasino' && { digit: i }),
      })),
      minStakeMinor: 100,
      maxStakeMinor: 1_000_000,
      cap: 90,
    }),
  });
  bets.forEach((bet, i) => {
    if (!bet) return;
    const price = decimal ? bet.price + 100 : bet.price;
    const quote = { price, sizeMinor: 1_000_000, ...(lined ? { line: bet.line } : {}) };
    const runnerId = bet.runner + 1;
    send(state, {
      type: 'house.quotes',
      marketId: MARKET,
      rows: [{ runnerId, back: quote, lay: quote, status: 'ACTIVE' }],
    });
    send(state, {
      type: 'quote.take',
      betId: i + 1,
      accountId: PLAYER,
      marketId: MARKET,
      runnerId,
      side: backOnly ? 'BACK' : bet.side,
      price,
      stakeMinor: bet.stakeMinor,
      ...(lined ? { line: bet.line } : {}),
    });
  });
  return state;
}

describe('a deleted quote bet', () => {
  it.each(KINDS)('%s: leaves ladder, table, exposure and wallet as if it had never been placed', (kind) => {
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 6 }), fc.nat(), (bets, pick) => {
        const gone = pick % bets.length;
        const voided = play(kind, bets);
        send(voided, { type: 'bets.void', marketId: MARKET, betIds: [gone + 1], reason: 'Wrong rate' });
        const never = play(
          kind,
          bets.map((bet, i) => (i === gone ? null : bet)),
        );
        expect(position(voided, PLAYER, MARKET)).toEqual(position(never, PLAYER, MARKET));
        expect(wallet(voided, PLAYER)).toEqual(wallet(never, PLAYER));
      }),
      { numRuns: 150 },
    );
  });
});
