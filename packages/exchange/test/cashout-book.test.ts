import { LADDER } from '@fairgame/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunnerOffers } from '../src/cashout.ts';
import { cashOut } from '../src/cashout.ts';
import type { Command, State } from '../src/exchange.ts';
import { apply, createState, depth, position } from '../src/exchange.ts';
import { MARKET, marketDef } from './market-def.ts';

const PLAYER = 100;

function send(state: State, command: Command): void {
  const refused = apply(state, command, 1000).find((event) => event.type === 'refused');
  if (refused) throw new Error(`${command.type}: ${refused.code}`);
}

/** Two to four runners with a house ladder of three levels a side around each given tick. */
function openBook(ticks: number[], sizes: number[]): State {
  const state = createState();
  send(state, { type: 'account.open', accountId: PLAYER, currency: 'EUR', kind: 'player' });
  const deposit = { type: 'account.transfer' as const, reason: 'deposit' as const, text: '' };
  send(state, { ...deposit, accountId: PLAYER, amountMinor: 1_000_000_000 });
  send(state, {
    type: 'market.create',
    market: marketDef({
      marketId: MARKET,
      runners: ticks.map((_, i) => ({ runnerId: i + 1, name: `Runner ${i + 1}` })),
    }),
  });
  house(state, ticks, sizes);
  return state;
}

function house(state: State, ticks: number[], sizes: number[]): void {
  const level = (tick: number, i: number): [number, number] => [LADDER[tick]!, sizes[i % sizes.length]!];
  send(state, {
    type: 'house.book',
    marketId: MARKET,
    runners: ticks.map((tick, r) => ({
      runnerId: r + 1,
      backable: [0, 1, 2].map((i) => level(tick - i, r + i)),
      layable: [0, 1, 2].map((i) => level(tick + 1 + i, r + i + 1)),
    })),
  });
}

describe('cash-out against a real book', () => {
  it('the hedges, sent as fill-or-kill at their limits, bring exactly the results that were shown', () => {
    let closed = 0;
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 30, max: 230 }), { minLength: 2, maxLength: 4 }),
        fc.array(fc.integer({ min: 2000, max: 300_000 }), { minLength: 3, maxLength: 8 }),
        fc.array(
          fc.record({ runner: fc.nat(3), back: fc.boolean(), sizeMinor: fc.integer({ min: 100, max: 20_000 }) }),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        fc.integer({ min: -12, max: 12 }),
        (ticks, sizes, bets, move) => {
          const state = openBook(ticks, sizes);
          let betId = 1;
          for (const { runner, back, sizeMinor } of bets) {
            const place = { type: 'order.place' as const, betId: betId++, accountId: PLAYER, marketId: MARKET };
            const runnerId = (runner % ticks.length) + 1;
            const limit = back ? { side: 'BACK' as const, price: 101 } : { side: 'LAY' as const, price: 100_000 };
            apply(state, { ...place, ...limit, runnerId, sizeMinor, persistence: 'LAPSE', minFillMinor: 1 }, 1000);
          }
          house(
            state,
            ticks.map((tick) => tick + move),
            sizes,
          );
          const nets = position(state, PLAYER, MARKET)!.runners!;
          const runners = ticks.map((_, i): RunnerOffers => {
            const { back, lay } = depth(state, MARKET, i + 1, 10)!;
            return { runnerId: i + 1, status: 'ACTIVE', backable: back, layable: lay };
          });
          const out = cashOut(nets, { status: 'OPEN', winners: 1, runners, minStakeMinor: 1000 });
          if (!out.ok) return;
          closed++;
          for (const { runnerId, side, price, sizeMinor } of out.hedges) {
            const place = { type: 'order.place' as const, betId: betId++, accountId: PLAYER, marketId: MARKET };
            send(state, { ...place, runnerId, side, price, sizeMinor, persistence: 'LAPSE', minFillMinor: sizeMinor });
          }
          const after = position(state, PLAYER, MARKET)!.runners!;
          for (const { runnerId, netMinor } of out.results) {
            // What is shown starts from a position in whole minor units, so it may be one unit off.
            const real = after.find((row) => row.runnerId === runnerId)!.netMinor;
            expect(Math.abs(real - netMinor)).toBeLessThanOrEqual(1);
          }
          expect(position(state, PLAYER, MARKET)!.exposureMinor).toBeLessThanOrEqual(Math.max(0, -out.valueMinor) + 1);
        },
      ),
      { numRuns: 400 },
    );
    expect(closed).toBeGreaterThan(100);
  });
});
