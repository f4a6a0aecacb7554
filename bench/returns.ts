import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { AnyGame, AnyShared, AnySolo, Random } from '../packages/studio/src/game.ts';
import { GAMES } from '../packages/studio/src/studio.ts';
import { type Strategy, strategies } from '../packages/studio/test/strategies.ts';
import { report, round } from './report.ts';

/**
 * npm run bench -- returns [--rounds N] [--game CODE[,CODE]] [--seed N] [--record FILE]
 * Return of every game of the two demonstration providers over N simulated rounds (10,000,000 unless given) of one fixed
 * strategy or spread of bets, beside the return by calculation. Chance comes from a quick seeded generator, not from the
 * hashed stream of real rounds. Fails where a game is more than four standard errors away. `--record` writes the lines
 * of the measured games into a Markdown table, the other lines of which stay.
 */
const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const rounds = Number(option('rounds') ?? 10_000_000);
const seed = Number(option('seed') ?? 5);
const only = option('game')?.split(',');
const record = option('record');

/** Most standard errors between measured and computed. */
const MOST_ERRORS = 4;
const MOST_MOVES = 10_000;

const unknown = only?.filter((code) => !GAMES.has(code)) ?? [];
if (unknown.length > 0) throw new Error(`There is no game ${unknown.join(', ')}.`);
let failed = false;
const lines = new Map<string, string>();
for (const game of GAMES.values()) {
  if (only && !only.includes(game.code)) continue;
  const strategy = strategies[game.code];
  if (!strategy) {
    console.error(`${game.code} has no strategy in packages/studio/test/strategies.ts.`);
    failed = true;
    continue;
  }
  measure(game, strategy);
}
if (record) writeRecord(record);
if (failed) process.exitCode = 1;

function measure(game: AnyGame, strategy: Strategy): void {
  const started = performance.now();
  const { returned, error } = simulate(game, strategy);
  const seconds = (performance.now() - started) / 1000;
  const measuredPpm = returned * 1_000_000;
  const errorPpm = Math.hypot(error * 1_000_000, strategy.errorPpm ?? 0);
  const apart = measuredPpm - strategy.expectedPpm;
  // Figures are whole millionths, so half a millionth is no difference.
  const errors = Math.max(0, Math.abs(apart) - 0.5) / Math.max(errorPpm, 1e-9);
  if (!(errors <= MOST_ERRORS)) failed = true;
  const figures = game.returns().map(({ ppm }) => ppm);
  report({
    name: `returns.${game.code}`,
    unit: 'standard errors between measured and computed return',
    value: round(errors),
    baseline: MOST_ERRORS,
    ratio: errors === 0 ? null : round(MOST_ERRORS / errors),
    strategy: strategy.says,
    rounds,
    measuredPpm: round(measuredPpm, 1),
    standardErrorPpm: round(error * 1_000_000, 1),
    computedPpm: round(strategy.expectedPpm, 1),
    computedErrorPpm: strategy.errorPpm ?? 0,
    betsPpm: [Math.min(...figures), Math.max(...figures)],
    seconds: round(seconds, 1),
  });
  const cells = [
    `\`${game.code}\``,
    game.name,
    strategy.says,
    [...new Set([Math.min(...figures), Math.max(...figures)])].map(percent).join(' to '),
    percent(strategy.expectedPpm) + (strategy.errorPpm ? ` (simulated, ± ${percent(strategy.errorPpm)})` : ''),
    percent(measuredPpm),
    percent(error * 1_000_000),
    errors.toFixed(2),
    rounds.toLocaleString('en'),
  ];
  lines.set(game.code, `| ${cells.join(' | ')} |`);
}

/** Return (paid over staked, or by the first stake) and its standard error, of a ratio of two sums. */
function simulate(game: AnyGame, strategy: Strategy): { returned: number; error: number } {
  const random = quickRandom(seed);
  const play = game.kind === 'solo' ? soloPlayer(game, strategy, random) : sharedPlayer(game, strategy, random);
  const byFirst = strategy.per === 'first';
  let [sumS, sumP, sumSS, sumSP, sumPP] = [0, 0, 0, 0, 0];
  for (let i = 0; i < rounds; i++) {
    const { first, staked, paid } = play();
    const s = byFirst ? first : staked;
    const p = byFirst ? first + paid - staked : paid;
    sumS += s;
    sumP += p;
    sumSS += s * s;
    sumSP += s * p;
    sumPP += p * p;
  }
  const returned = sumP / sumS;
  const squares = sumPP - 2 * returned * sumSP + returned * returned * sumSS;
  return { returned, error: Math.sqrt(Math.max(0, squares)) / sumS };
}

interface Played {
  readonly first: number;
  readonly staked: number;
  readonly paid: number;
}

function soloPlayer(game: AnySolo, strategy: Strategy, random: Random): () => Played {
  return () => {
    const wager = game.wager(strategy.wager(random));
    const first = game.stakeOf(wager);
    let staked = first;
    let step = game.open(wager, random);
    for (let moves = 0; !step.over; moves++) {
      if (moves === MOST_MOVES || !strategy.move || !game.move || !game.play)
        throw new Error(`A round of ${game.code} does not end by its strategy.`);
      const move = game.move(strategy.move(game.view(step.state), random));
      staked += game.extra?.(step.state, move) ?? 0;
      step = game.play(step.state, move);
    }
    return { first, staked, paid: step.paidMinor };
  };
}

function sharedPlayer(game: AnyShared, strategy: Strategy, random: Random): () => Played {
  return () => {
    const wager = game.wager(strategy.wager(random));
    const staked = game.stakeOf(wager);
    const paid = game.settle(wager, game.draw(random), game.autoTimes?.(wager) ?? null);
    return { first: staked, staked, paid };
  };
}

/** Small fast counter generator (sfc32): its period is far beyond the numbers of a run. */
function quickRandom(from: number): Random {
  let [a, b, c, d] = [from >>> 0, 0x9e3779b9, 0x243f6a88, 1];
  const uint32 = () => {
    const t = (((a + b) >>> 0) + d) >>> 0;
    d = (d + 1) >>> 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) >>> 0;
    c = ((c << 21) | (c >>> 11)) >>> 0;
    c = (c + t) >>> 0;
    return t;
  };
  for (let i = 0; i < 20; i++) uint32();
  return { int: (n) => Math.floor((uint32() / 0x1_0000_0000) * n) };
}

function percent(ppm: number): string {
  return `${(ppm / 10_000).toFixed(3)} %`;
}

function writeRecord(file: string): void {
  const kept = new Map<string, string>();
  if (existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const code = /^\| `([a-z0-9-]+)` \|/.exec(line)?.[1];
      if (code && GAMES.has(code)) kept.set(code, line);
    }
  }
  const all = [...GAMES.keys()].flatMap((code) => lines.get(code) ?? kept.get(code) ?? []);
  writeFileSync(
    file,
    `# Return to the player of every game

Written by \`npm run bench -- returns --record docs/returns.md\` (seed ${seed}). Every game of the two demonstration
providers is played by one fixed strategy or spread of bets; measured is what was paid over what was staked (where the
strategy says so, over the first stake). Beside it stands the return by calculation: exact unless marked simulated. The
bench fails where the two are more than ${MOST_ERRORS} standard errors apart.

| Code | Game | Strategy | Lowest and highest bet | Computed | Measured | Standard error | Errors apart | Rounds |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${all.join('\n')}
`,
  );
}
