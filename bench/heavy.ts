/**
 * What a bet on a quote costs an account that has many there already: 2,000 own bets in each kind of market, then the mean
 * of the next thousand takes. The baseline is the same account's first hundred bets in a market of its own: with running
 * sums both cost the same.
 *
 * `npm run bench -- heavy [own bets]` prints one JSON line a kind. Needs no server.
 */
import type { Command, MarketDef, QuoteKind, QuoteRow } from '@fairgame/exchange';
import { apply, createState, type State } from '@fairgame/exchange';
import { marketDef } from '../apps/server/test/fixture.ts';
import { report, round } from './report.ts';

const OWN = Number(process.argv[2] ?? 2_000);
const MEASURED = 1_000;
const FIRST = 100;
const PLAYER = 100;
const GOAL_MS = 0.1;
const NOW = 1_800_000_000_000;

const KINDS: readonly QuoteKind[] = [
  'session',
  'khado',
  'meter',
  'bookmaker',
  'fancy1',
  'oddEven',
  'cricketCasino',
  'card',
];

for (const kind of KINDS) {
  // Once for the compiler, once for the figure.
  run(kind, 1);
  const { few, many } = run(kind, 2);
  report({
    name: `heavy.${kind}`,
    unit: 'ms a take',
    value: round(many, 4),
    baseline: round(few, 4),
    ratio: round(few / many),
    goal: GOAL_MS,
  });
}

function run(kind: QuoteKind, marketId: number): { few: number; many: number } {
  const state = createState();
  send(state, { type: 'account.open', accountId: PLAYER, currency: 'EUR', kind: 'player' });
  const deposit = { accountId: PLAYER, reason: 'deposit', text: 'Bench' } as const;
  send(state, { type: 'account.transfer', ...deposit, amountMinor: 10_000_000_000 });
  send(state, { type: 'market.create', market: define(kind, marketId) });
  let betId = 0;
  const take = (count: number): number => {
    let spent = 0;
    for (let i = 0; i < count; i++) {
      // Every bet at another line: as many steps in the ladder as there may be.
      const line = hasLine(kind) ? 20 + ((betId * 7) % 300) : undefined;
      send(state, { type: 'house.quotes', marketId, rows: [row(kind, line)] });
      const command: Command = {
        type: 'quote.take',
        betId: ++betId,
        accountId: PLAYER,
        marketId,
        runnerId: 1,
        side: 'BACK',
        price: isRate(kind) ? 90 : 190,
        stakeMinor: 100,
        ...(line === undefined ? {} : { line }),
      };
      const started = performance.now();
      send(state, command);
      spent += performance.now() - started;
    }
    return spent / count;
  };
  const few = take(FIRST);
  take(OWN - FIRST);
  return { few, many: take(MEASURED) };
}

function send(state: State, command: Command): void {
  const [first] = apply(state, command, NOW);
  if (first?.type === 'refused') throw new Error(`${command.type} was refused: ${first.code} ${first.field ?? ''}`);
}

function define(kind: QuoteKind, marketId: number): MarketDef {
  const names = { fancy1: ['yes', 'no'], oddEven: ['odd', 'even'] } as const;
  const stands = kind === 'fancy1' || kind === 'oddEven' ? names[kind] : null;
  const count = kind === 'cricketCasino' ? 10 : kind === 'card' ? 20 : (stands?.length ?? 2);
  return marketDef(marketId, 1, {
    kind,
    name: 'Bench',
    runners: Array.from({ length: count }, (_, i) => ({
      runnerId: i + 1,
      name: `Runner ${i + 1}`,
      ...(stands?.[i] === undefined ? {} : { stands: stands[i] }),
      ...(kind === 'cricketCasino' ? { digit: i } : {}),
      ...(kind === 'khado' ? { width: 10 } : {}),
      ...(kind === 'card' ? { group: 1 } : {}),
    })),
    commissionBps: 0,
    minStakeMinor: 1,
    maxStakeMinor: 1_000_000,
    ...(kind === 'meter' ? { cap: 500 } : {}),
  });
}

function row(kind: QuoteKind, line: number | undefined): QuoteRow {
  const quote = { price: isRate(kind) ? 90 : 190, sizeMinor: 2_000_000_000, ...(line === undefined ? {} : { line }) };
  return { runnerId: 1, back: quote, lay: null, status: 'ACTIVE' };
}

function hasLine(kind: QuoteKind): boolean {
  return kind === 'session' || kind === 'khado' || kind === 'meter';
}

function isRate(kind: QuoteKind): boolean {
  return hasLine(kind) || kind === 'bookmaker';
}
