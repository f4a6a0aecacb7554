/** How a run begins: players with money, books and quoted markets of every kind. */

import type { Command, MarketDef, QuoteKind, RunnerDef } from '../../src/types.ts';
import { FIRST_PLAYER } from '../../src/types.ts';
import { cardRunners } from './cards.ts';
import type { Random } from './random.ts';

export const LINE_KINDS: QuoteKind[] = ['session', 'overByover', 'ballByBall', 'khado', 'meter'];

const KINDS: QuoteKind[] = [...LINE_KINDS, 'fancy1', 'oddEven', 'cricketCasino', 'tied', 'completed', 'card', 'card'];

export const RATE_KINDS: QuoteKind[] = [...LINE_KINDS, 'bookmaker'];

/** First commands of a run: players with money, books and quoted markets, first prices. */
export function opening(random: Random): Command[] {
  const commands: Command[] = [];
  const players = random.int(5, random.chance(0.2) ? 40 : 12);
  for (let i = 0; i < players; i++) {
    const accountId = FIRST_PLAYER + i;
    commands.push({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
    const amountMinor = random.weighted([
      [5, random.int(50_000, 500_000)],
      [2, random.int(100, 3000)],
      [1, 100_000_000],
    ]);
    commands.push({ type: 'account.transfer', accountId, amountMinor, reason: 'deposit', text: 'Deposit' });
  }
  let marketId = 1000;
  const books = random.int(1, 2);
  for (let i = 0; i < books; i++) commands.push({ type: 'market.create', market: newBook(random, marketId++) });
  const quoted = random.int(1, 3);
  for (let i = 0; i < quoted; i++) {
    const kind = random.chance(0.4) ? 'bookmaker' : random.pick(KINDS);
    commands.push({ type: 'market.create', market: newQuoted(random, marketId++, kind) });
  }
  return commands;
}

export function newBook(random: Random, marketId: number): MarketDef {
  const race = random.chance(0.5);
  const dogs = random.chance(0.4);
  const count = race ? random.int(4, 6) : random.int(2, 4);
  const winners = race && random.chance(0.4) ? random.int(2, 3) : 1;
  return {
    ...newMarket(random, marketId),
    kind: 'book',
    name: race ? 'Race' : 'Match Odds',
    winners,
    runners: Array.from(
      { length: count },
      (_, i): RunnerDef => ({
        runnerId: marketId * 10 + i,
        name: `Runner ${i + 1}`,
        ...(race && !dogs ? { adjustmentFactor: random.pick([100, 249, 250, 1620, Math.floor(10_000 / count)]) } : {}),
      }),
    ),
    ...(winners > 1 ? { placeMarket: true } : {}),
    ...(race && random.chance(0.9) ? { removable: true } : {}),
    tieRule: random.pick(['VOID', 'DEAD_HEAT'] as const),
    lapseOnSuspend: random.chance(0.4),
  };
}

function newQuoted(random: Random, marketId: number, kind: QuoteKind): MarketDef {
  const count =
    kind === 'cricketCasino'
      ? 10
      : kind === 'bookmaker'
        ? random.int(2, 4)
        : LINE_KINDS.includes(kind)
          ? random.int(1, 2)
          : 2;
  return {
    ...newMarket(random, marketId),
    // The house's side of cards has no model: they are no part of what is bounded over an event.
    eventId: kind === 'card' ? 2 : 1,
    kind,
    name: kind,
    winners: 1,
    runners:
      kind === 'card'
        ? cardRunners(marketId)
        : // Which row stands for what is said by its fields alone, so their order is any.
          random.shuffle(
            Array.from(
              { length: count },
              (_, i): RunnerDef => ({
                runnerId: marketId * 10 + i,
                name: `Row ${i + 1}`,
                ...(kind === 'khado' ? { width: random.int(1, 10) } : {}),
                ...(kind === 'cricketCasino' ? { digit: i } : {}),
                ...(kind === 'oddEven' ? { stands: i === 0 ? ('odd' as const) : ('even' as const) } : {}),
                ...(['fancy1', 'tied', 'completed'].includes(kind)
                  ? { stands: i === 0 ? ('yes' as const) : ('no' as const) }
                  : {}),
              }),
            ),
          ),
    lapseOnSuspend: random.chance(0.5),
    ...(kind === 'meter' ? { cap: random.int(80, 140) } : {}),
    ...(kind === 'bookmaker' ? { rateThan100: random.chance(0.6), removable: random.chance(0.6) } : {}),
  };
}

function newMarket(random: Random, marketId: number) {
  return {
    marketId,
    eventId: 1,
    commissionBps: random.pick([0, 200, 500]),
    minStakeMinor: 100,
    maxStakeMinor: random.pick([20_000, 500_000, 5_000_000]),
    maxExposureMinor: random.chance(0.2) ? 30_000 : 0,
    maxBets: random.chance(0.15) ? 6 : 0,
    inPlay: random.chance(0.35),
    status: random.chance(0.85) ? ('OPEN' as const) : ('SUSPENDED' as const),
    betDelayMs: random.pick([0, 0, 1000, 5000]),
  };
}
