import { writeFileSync } from 'node:fs';
import { finish, gameOf, newRound, prepareOdds, TABLES, type TableCode } from '@fairgame/casino';
import { offersFor } from '../packages/casino/src/round.ts';
import { createDealer, createRandom, measure, randomDeals } from '../packages/casino/test/sim.ts';
import { percentile, report, round } from './report.ts';

/**
 * npm run bench -- casino [--rounds N] [--table CODE] [--record FILE]
 * Pricing of every window (exact enumeration, no result kept between states), rounds a second, and the return of every
 * fixed bet over N simulated rounds of each table (200,000 unless given; 10,000,000 for the proof of an odds table)
 * beside the book's figure; fails where a bet is more than four standard errors from it. `--record` writes the returns as
 * a page.
 */
const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const rounds = Number(option('rounds') ?? 200_000);
const only = option('table');
const record = option('record');
const codes = (Object.keys(TABLES) as TableCode[]).filter((code) => !only || code === only);

/** Target of the issue: every window priced in under 50 ms at p99 on one core. */
const PRICING_MS = 50;
const STATES = 200;
const MOST_ERRORS = 4;
/** Shares of the stake in per cent. */
interface Bet {
  bet: string;
  /** Hundredths. */
  odds: number;
  measured: number;
  /** By calculation; null where it hangs on what the player picks. */
  book: number | null;
  /** Standard errors between the two. */
  errors: number | null;
  /** Odds and return of the rule book, where ours were raised. */
  before: string;
}
interface Returns {
  code: TableCode;
  worst: number;
  bets: Bet[];
}

preparing();
for (const code of codes) pricing(code);
for (const code of codes) speed(code);
const measured = codes.flatMap((code) => returns(code) ?? []);
if (record) writeFileSync(record, page(measured));
if (measured.some(({ worst }) => worst > MOST_ERRORS)) process.exitCode = 1;

function preparing(): void {
  const steps: number[] = [];
  for (let started = performance.now(), walk = prepareOdds(); !walk.next().done; started = performance.now()) {
    steps.push(performance.now() - started);
  }
  report({
    name: 'casino.prepare',
    unit: 'ms',
    value: round(steps.reduce((sum, ms) => sum + ms, 0)),
    baseline: null,
    ratio: null,
    steps: steps.length,
    longestStepMs: round(Math.max(...steps)),
  });
}

/** The same number of random states for each number of cards at which this table opens a window. */
function pricing(code: TableCode): void {
  const game = gameOf(code);
  if (game.selections.every(({ price }) => price !== null)) return;
  const deal = createDealer(game, createRandom(1));
  const times = new Map<number, { cpu: number; wall: number }[]>();
  for (let played = 0; played < STATES; played++) {
    const { cards, seats } = deal();
    for (let dealt = 0; dealt < cards.length; dealt++) {
      const state = { cards: cards.slice(0, dealt), seats: seats.slice(0, dealt) };
      if (game.windowMs(state) === 0) continue;
      const cpu = process.cpuUsage();
      const started = performance.now();
      offersFor(game, state);
      const wall = performance.now() - started;
      const { user, system } = process.cpuUsage(cpu);
      const list = times.get(dealt) ?? [];
      // On a shared machine the wall clock also counts the time of others.
      list.push({ cpu: Math.min((user + system) / 1000, wall), wall });
      times.set(dealt, list);
    }
  }
  for (const [dealt, list] of [...times].sort(([x], [y]) => x - y)) {
    const cpu = list.map((time) => time.cpu);
    const wall = list.map((time) => time.wall);
    const p99 = percentile(cpu, 99);
    report({
      name: `casino.price.${code}`,
      unit: 'ms of one core, p99',
      value: round(p99, 3),
      baseline: PRICING_MS,
      ratio: round(PRICING_MS / Math.max(p99, 0.001), 1),
      cardsDealt: dealt,
      p50: round(percentile(cpu, 50), 3),
      wallP50: round(percentile(wall, 50), 3),
      wallP99: round(percentile(wall, 99), 3),
      states: list.length,
    });
  }
}

/** Whole rounds from seeds (hash, shuffle, steps, result), and deals with a quick generator for comparison. */
function speed(code: TableCode): void {
  const game = gameOf(code);
  const until = (work: (i: number) => void) => {
    const started = performance.now();
    let count = 0;
    while (performance.now() - started < 300) work(count++);
    return (count / (performance.now() - started)) * 1000;
  };
  const serverSeed = 'ab'.repeat(32);
  const fair = until((nonce) => {
    const end = finish(newRound(code, { serverSeed, clientSeed: 'bench', nonce }));
    game.result(game.outcome(end), end);
  });
  const deal = createDealer(game, createRandom(2));
  const quick = until(() => {
    const dealt = deal();
    game.result(game.outcome(dealt), dealt);
  });
  report({
    name: `casino.rounds.${code}`,
    unit: 'rounds/s',
    value: round(fair, 0),
    baseline: null,
    ratio: null,
    withoutHashing: round(quick, 0),
  });
}

function returns(code: TableCode): Returns | null {
  const game = gameOf(code);
  if (game.selections.every(({ price }) => price === null || price.yes)) return null;
  const started = performance.now();
  const { mean, error } = measure(game, randomDeals(game, rounds, 42));
  const seconds = (performance.now() - started) / 1000;
  const bets: Bet[] = [];
  let worst = 0;
  for (const { id, name, returnPpm, price, book: printed } of game.selections) {
    const measured = mean.get(id);
    if (measured === undefined) continue;
    const book = returnPpm === null ? null : returnPpm / 10_000;
    // With too few wins to expect, their spread cannot be told from the sample.
    const expectedWins = (rounds * (returnPpm ?? 0)) / 10_000 / (price?.back ?? 200);
    const away = book === null || expectedWins < 30 ? null : Math.abs(measured * 100 - book) / (error.get(id)! * 100);
    if (away !== null && Number.isFinite(away)) worst = Math.max(worst, away);
    bets.push({
      bet: name,
      odds: price?.back ?? 0,
      before: printed ? `${(printed.back / 100).toFixed(2)}, ${(printed.returnPpm / 10_000).toFixed(3)} %` : '',
      measured: round(measured * 100, 4),
      book: book === null ? null : round(book, 4),
      errors: away === null ? null : round(away),
    });
  }
  report({
    name: `casino.return.${code}`,
    unit: 'standard errors from the book, worst bet',
    value: round(worst),
    baseline: MOST_ERRORS,
    ratio: worst === 0 ? null : round(MOST_ERRORS / worst),
    rounds,
    seconds: round(seconds, 1),
    bets,
  });
  return { code, worst, bets };
}

function page(tables: Returns[]): string {
  const share = (value: number) => `${value.toFixed(3)} %`;
  const lines = tables.flatMap(({ code, bets }) =>
    bets.map(
      ({ bet, odds, measured, book, errors, before }) =>
        `| \`${code}\` | ${bet} | ${(odds / 100).toFixed(2)} | ${book === null ? 'by pick' : share(book)} | ${share(measured)} | ${errors?.toFixed(2) ?? '-'} | ${before} |`,
    ),
  );
  return `# Return to the player of every fixed bet of the card tables

Written by \`npm run bench -- casino --rounds ${rounds} --record docs/returns-cards.md\`: ${rounds.toLocaleString('en')} rounds of each
table with bets of fixed odds, every bet in every round. Beside what was paid over what was staked stands the return by
calculation; the bench fails where the two are more than ${MOST_ERRORS} standard errors apart. Bets whose odds move with the cards are
priced by enumeration and proven by the tests of packages/casino.

No bet is offered that returns less than 92 %. Odds of the rule book (public tables of such games, which print odds and no
chances) that do are raised to the next ones that read well; the last column tells what the book has. Paid by a table and raised by
hand: four of a kind in the seven card bonus of \`poker\` (32 to 1, the book 30 to 1 and 91.791 %), the panas of \`worli\` (143, 380
and 2280 a unit for three different, two and three equal digits; the book 140, 240 and 700, which return 90.688 %, 58.300 % and
28.340 %). Total Point No of \`race20\` is taken at a rate of 94 (92.480 %; the book even money, 89.621 %).

| Table | Bet | Odds | By calculation | Measured | Errors apart | Book's odds and return |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}
