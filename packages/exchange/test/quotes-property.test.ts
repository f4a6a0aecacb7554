import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuoteBet } from '../src/quotes.ts';
import { betAmounts, quoteExposure, settleQuote } from '../src/quotes.ts';
import type { RunMarket } from '../src/runs.ts';
import { runLadder } from '../src/runs.ts';
import type { QuoteKind, Result } from '../src/types.ts';
import { oracleExposure, oracleOutcomes, oracleProfit, oracleProfitE4 } from './oracle/quotes-oracle.ts';

const LINE_KINDS: QuoteKind[] = ['session', 'overByover', 'ballByBall', 'khado', 'meter'];
const KINDS: QuoteKind[] = [...LINE_KINDS, 'bookmaker', 'fancy1', 'oddEven', 'cricketCasino', 'tied', 'completed'];
const YES_NO: QuoteKind[] = ['fancy1', 'tied', 'completed'];

/** A market of the kind with up to nine bets in it. */
function book(
  kind: QuoteKind,
): fc.Arbitrary<{ market: RunMarket & { runners: Array<{ runnerId: number }> }; bets: QuoteBet[] }> {
  const size =
    kind === 'cricketCasino' ? fc.constant(10) : kind === 'bookmaker' ? fc.integer({ min: 2, max: 6 }) : fc.constant(2);
  const runners = size.map((n) => Array.from({ length: n }, (_, i) => ({ runnerId: 30 + i * 2 })));
  const cap = kind === 'meter' ? fc.integer({ min: 60, max: 130 }) : fc.constant(undefined);
  return fc.tuple(runners, cap).chain(([list, top]) =>
    fc.record({
      market: fc.constant({ kind, runners: list, ...(top === undefined ? {} : { cap: top }) }),
      bets: fc.array(
        fc
          .record({
            runnerId: fc.constantFrom(...list.map((runner) => runner.runnerId)),
            side: fc.constantFrom<'BACK' | 'LAY'>('BACK', 'LAY'),
            price:
              LINE_KINDS.includes(kind) || kind === 'bookmaker'
                ? fc.integer({ min: 1, max: 320 })
                : fc.integer({ min: 101, max: 1000 }),
            stakeMinor: fc.integer({ min: 1, max: 500_000 }),
            line: fc.integer({ min: 0, max: 60 }),
            width: fc.integer({ min: 1, max: 12 }),
          })
          .map(({ line, width, ...q }): QuoteBet => {
            const whole = {
              ...q,
              ...(LINE_KINDS.includes(kind) ? { line } : {}),
              ...(kind === 'khado' ? { width } : {}),
            };
            return { ...whole, ...betAmounts(kind, { ...whole, cap: top }) };
          }),
        { maxLength: 9 },
      ),
    }),
  );
}

function resultOf(kind: QuoteKind, runners: Array<{ runnerId: number }>, outcome: number): Result {
  if (YES_NO.includes(kind)) return { kind: 'yes', yes: outcome === 0 };
  if (kind === 'bookmaker') return { kind: 'winners', runnerIds: [runners[outcome]!.runnerId] };
  return { kind: 'score', score: kind === 'oddEven' ? 1 - outcome : outcome };
}

describe.each(KINDS)('%s', (kind) => {
  it('exposure is the worst outcome by brute force, and settlement pays what the outcome says', () => {
    fc.assert(
      fc.property(book(kind), ({ market, bets }) => {
        const exposure = quoteExposure(market, bets);
        expect(exposure).toBe(oracleExposure(market, bets));
        for (const outcome of oracleOutcomes(market, bets)) {
          let total = 0;
          for (const one of bets) {
            const { profitMinor } = settleQuote(market, one, resultOf(kind, market.runners, outcome));
            if (profitMinor !== oracleProfit(market, one, outcome))
              throw new Error(`outcome ${outcome}: ${profitMinor}`);
            if (profitMinor > one.winMinor || -profitMinor > one.lossMinor)
              throw new Error('outside the fixed amounts');
            total += oracleProfitE4(market, one, outcome);
          }
          if (total < -exposure * 100) throw new Error(`outcome ${outcome} loses ${-total}, reserved ${exposure}`);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('the ladder is the direct sum, and a deleted bet takes just its own result out of every row', () => {
    fc.assert(
      fc.property(book(kind), fc.nat(), ({ market, bets }, pick) => {
        for (const { run, profitMinor } of kind === 'bookmaker' ? [] : runLadder(market, bets)) {
          expect(profitMinor).toBe(
            Math.floor(bets.reduce((sum, one) => sum + oracleProfitE4(market, one, run), 0) / 100),
          );
        }
        if (bets.length === 0) return;
        const gone = pick % bets.length;
        const left = bets.filter((_, i) => i !== gone);
        const before = new Map(runLadder(market, bets).map((row) => [row.run, row.profitMinor]));
        for (const row of runLadder(market, left)) {
          // A meter rounds once, so its rows differ by the exact result or a minor unit more.
          const change = oracleProfitE4(market, bets[gone]!, row.run) / 100;
          expect(Math.abs(before.get(row.run)! - change - row.profitMinor)).toBeLessThan(kind === 'meter' ? 1 : 1e-9);
        }
      }),
      { numRuns: 500 },
    );
  });
});
