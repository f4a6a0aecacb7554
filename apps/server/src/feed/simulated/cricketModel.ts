/**
 * The honest model of cricket: what one delivery brings, and from it, by going forward ball by ball over every possible
 * score, what an over, an innings and a match bring. The simulation draws from the same chances, so odds, score and
 * result agree.
 */

export type Format = 'T20' | 'ODI' | 'Test' | 'SO';

/** What a delivery brings. Wides and no-balls are one run and are bowled again; a bye is a legal ball. */
export const OUTCOMES = ['0', '1', '2', '3', '4', '6', 'W', 'wd', 'nb', 'b'] as const;
export const OUT = {
  dot: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  six: 5,
  wicket: 6,
  wide: 7,
  noBall: 8,
  bye: 9,
} as const;
export const RUNS = [0, 1, 2, 3, 4, 6, 0, 1, 1, 1] as const;

interface FormatModel {
  balls: number;
  wickets: number;
  /** Weights of OUTCOMES until this legal ball of the innings. */
  phases: Array<{ until: number; weights: number[] }>;
  /** Batting quality by wickets down. */
  quality: number[];
  maxRuns: number;
}

const FLAT = [1, 1, 1, 0.99, 0.96, 0.91, 0.84, 0.74, 0.64, 0.54];
const MODELS: Record<Format, FormatModel> = {
  T20: {
    balls: 120,
    wickets: 10,
    phases: [
      { until: 36, weights: [40, 28, 5, 0.6, 14, 4.2, 4.1, 3.5, 0.4, 1.2] },
      { until: 90, weights: [32, 39, 6.5, 0.5, 9.5, 4.8, 4.4, 2.8, 0.3, 1.2] },
      { until: 120, weights: [25, 34, 8, 0.5, 12, 9.5, 7.8, 4, 0.6, 1.3] },
    ],
    quality: FLAT,
    maxRuns: 330,
  },
  ODI: {
    balls: 300,
    wickets: 10,
    phases: [
      { until: 60, weights: [58, 24, 4, 0.6, 9.6, 1.3, 2.6, 2.5, 0.3, 1] },
      { until: 240, weights: [45, 39, 5, 0.5, 6.2, 1.6, 2.5, 1.8, 0.2, 0.9] },
      { until: 300, weights: [28, 38, 8, 0.5, 10.5, 5.2, 6.2, 3, 0.4, 1.2] },
    ],
    quality: FLAT,
    maxRuns: 480,
  },
  Test: {
    balls: 100_000,
    wickets: 10,
    phases: [{ until: 100_000, weights: [69, 16.5, 4.2, 0.9, 6.9, 0.5, 1.27, 0.5, 0.4, 1] }],
    quality: FLAT,
    maxRuns: 900,
  },
  SO: {
    balls: 6,
    wickets: 2,
    phases: [{ until: 6, weights: [24, 28, 8, 0.3, 15, 14, 8, 4, 0.5, 0.5] }],
    quality: [1, 0.95],
    maxRuns: 40,
  },
};

/** Batting strength against this bowling on this pitch, in steps of about eight percent of the runs. */
export type Strength = -2 | -1 | 0 | 1 | 2;

const LEVELS = 9;
const levelOf = (aggression: number): number => Math.max(0, Math.min(LEVELS - 1, Math.round((aggression + 0.6) / 0.2)));

export const inningsBalls = (format: Format): number => MODELS[format].balls;
export const inningsWickets = (format: Format): number => MODELS[format].wickets;

/**
 * Chances of OUTCOMES for the next delivery. `need` is the runs still to win, 0 when there is no target. The average
 * over the two batters and all bowlers; the simulation bends them for the batter and bowler at hand.
 */
export function ballChances(
  format: Format,
  strength: Strength,
  ballsLeft: number,
  wickets: number,
  need: number,
): Float64Array {
  const set = tables(format, strength);
  return set.chances[phaseAt(format, ballsLeft)]![wickets]![levels(set, ballsLeft, wickets, need)(0)]!;
}

export interface Outlook {
  /** Chance of the innings total being the current one plus i. */
  total: Float64Array;
  /** The same at the asked legal balls from now: runs by then (or at the end, when it comes sooner). */
  marks: Float64Array[];
  /** Runs added when the next wicket falls, or at the end without one. */
  nextWicket: Float64Array;
  /** With a target: chance of reaching it, and of ending level. */
  win: number;
  tie: number;
}

/** Everything that can still happen in this innings, exactly. Marks are legal balls from now, ascending. */
export function outlook(
  format: Format,
  strength: Strength,
  state: { ballsLeft: number; wickets: number; need: number },
  marks: readonly number[],
  horizon = Number.POSITIVE_INFINITY,
): Outlook {
  const set = tables(format, strength);
  const model = MODELS[format];
  const { need } = state;
  const balls = Math.min(state.ballsLeft, horizon);
  const size = Math.min(model.maxRuns, need > 0 ? need + 6 : balls * 6 + 40);
  const ended = new Float64Array(size + 1);
  const out: Outlook = { total: ended, marks: [], nextWicket: new Float64Array(size + 1), win: 0, tie: 0 };
  let now = freshRows(model.wickets, size);
  let next = freshRows(model.wickets, size);
  const reach = { top: 0, next: 0 };
  now[state.wickets]![0] = 1;
  let markAt = 0;
  const record = (ball: number): void => {
    while (markAt < marks.length && marks[markAt]! <= ball) {
      out.marks.push(sumRows(now, ended, size));
      markAt++;
    }
  };
  record(0);
  for (let ball = 0; ball < balls; ball++) {
    const left = state.ballsLeft - ball;
    const phase = set.chances[phaseAt(format, left)]!;
    reach.next = reach.top;
    for (let w = state.wickets; w < model.wickets; w++) {
      const rows = {
        row: now[w]!,
        stay: next[w]!,
        falls: w + 1 < model.wickets ? next[w + 1]! : ended,
        ended,
        nextWicket: w === state.wickets ? out.nextWicket : null,
      };
      playBall(rows, reach, need, phase[w]!, levels(set, left, w, need));
    }
    reach.top = Math.min(size, Math.max(reach.next, reach.top));
    if (need > 0) {
      for (let r = need; r <= size; r++) out.nextWicket[r]! += next[state.wickets]![r]!;
      settleReached(next, ended, need, model.wickets);
    }
    [now, next] = [next, now];
    record(ball + 1);
  }
  for (let r = 0; r <= size; r++) out.nextWicket[r]! += now[state.wickets]![r]!;
  const total = sumRows(now, ended, size);
  out.total = total;
  record(Number.POSITIVE_INFINITY);
  if (need > 0) {
    for (let r = need; r <= size; r++) out.win += total[r]!;
    out.tie = need - 1 <= size ? total[need - 1]! : 0;
  }
  return out;
}

/** What a ball does to the innings with so many wickets down: how likely each number of runs is. */
interface BallRows {
  /** Before the ball; left empty. */
  row: Float64Array;
  /** After it without a wicket, and with one. */
  stay: Float64Array;
  falls: Float64Array;
  ended: Float64Array;
  /** Where this is the wicket that is awaited. */
  nextWicket: Float64Array | null;
}

/**
 * `reach.top` is the most runs that are likely enough to be looked at before the ball, `reach.next` after it. `levelAt` says
 * how hard the batters go at it with so many runs.
 */
function playBall(
  { row, stay, falls, ended, nextWicket }: BallRows,
  reach: { top: number; next: number },
  need: number,
  chances: readonly Float64Array[],
  levelAt: (runs: number) => number,
): void {
  const size = row.length - 1;
  let level = -1;
  let [illegal, dot, one, two, three, four, six, wicket] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let r = 0; r <= reach.top; r++) {
    const mass = row[r]!;
    row[r] = 0;
    if (mass < 1e-10) continue;
    if (need > 0 && r >= need) {
      ended[r]! += mass;
      if (nextWicket) nextWicket[r]! += mass;
      continue;
    }
    const wanted = levelAt(r);
    if (wanted !== level) {
      level = wanted;
      const p = chances[level]!;
      illegal = p[OUT.wide]! + p[OUT.noBall]!;
      dot = p[OUT.dot]!;
      one = p[OUT.one]! + p[OUT.bye]!;
      two = p[OUT.two]!;
      three = p[OUT.three]!;
      four = p[OUT.four]!;
      six = p[OUT.six]!;
      wicket = p[OUT.wicket]!;
    }
    const free = Math.min(r + 1, size);
    const extra = mass * illegal;
    // A wide that wins the match ends it; else the ball is bowled again from one run more.
    if (need > 0 && free >= need) {
      ended[free]! += extra;
      if (nextWicket) nextWicket[free]! += extra;
    } else if (free === r) stay[r]! += extra;
    else {
      row[free]! += extra;
      if (free > reach.top && extra > 1e-9) reach.top = free;
    }
    stay[r]! += mass * dot;
    stay[free]! += mass * one;
    stay[Math.min(size, r + 2)]! += mass * two;
    stay[Math.min(size, r + 3)]! += mass * three;
    stay[Math.min(size, r + 4)]! += mass * four;
    stay[Math.min(size, r + 6)]! += mass * six;
    falls[r]! += mass * wicket;
    if (nextWicket) nextWicket[r]! += mass * wicket;
    if (r + 6 > reach.next) reach.next = r + 6;
  }
}

/** Chance that a side with all its wickets makes `need` runs in a whole innings, and that it ends level. */
export function chaseFromStart(format: Format, strength: Strength, need: number): { win: number; tie: number } {
  const table = chaseTable(format, strength);
  if (need >= table.win.length) return { win: 0, tie: 0 };
  return { win: table.win[need]!, tie: table.tie[need]! };
}

interface Tables {
  /** By phase, wickets down, level. */
  chances: Float64Array[][][];
  /** Mean runs to come by balls left and wickets down, batting first. */
  mean: Float64Array[];
  /** Level of aggression batting first, by balls left and wickets down. */
  level: Int8Array[];
  aggression: Float64Array[];
  logPar: Float64Array[];
}

const cache = new Map<string, Tables>();
const chaseCache = new Map<string, { win: Float64Array; tie: Float64Array }>();

function tables(format: Format, strength: Strength): Tables {
  const key = `${format}${strength}`;
  const known = cache.get(key);
  if (known) return known;
  const model = MODELS[format];
  const chances = model.phases.map((phase) =>
    model.quality.map((quality) =>
      Array.from({ length: LEVELS }, (_, level) => bend(phase.weights, strength, quality, level * 0.2 - 0.6)),
    ),
  );
  // A Test has no last ball: one row stands for all.
  const rows = format === 'Test' ? 1 : model.balls;
  const set: Tables = { chances, mean: [], level: [], aggression: [], logPar: [] };
  for (let left = 0; left <= rows; left++) {
    const mean = new Float64Array(model.wickets + 1);
    const level = new Int8Array(model.wickets);
    const aggression = new Float64Array(model.wickets);
    const logPar = new Float64Array(model.wickets);
    for (let w = model.wickets - 1; w >= 0; w--) {
      aggression[w] = format === 'Test' ? 0 : firstInningsAggression(model, left, w);
      level[w] = levelOf(aggression[w]!);
      if (left === 0) continue;
      const p = chances[phaseAt(format, left)]![w]![level[w]!]!;
      const before = format === 'Test' ? null : set.mean[left - 1]!;
      let sum = 0;
      for (let o = 0; o < RUNS.length; o++) sum += p[o]! * RUNS[o]!;
      if (before) {
        const illegal = p[OUT.wide]! + p[OUT.noBall]!;
        const legal = 1 - illegal - p[OUT.wicket]!;
        mean[w] = (sum + legal * before[w]! + p[OUT.wicket]! * before[w + 1]!) / (1 - illegal);
      } else {
        mean[w] = sum / p[OUT.wicket]! + mean[w + 1]!;
      }
      logPar[w] = Math.log(Math.max(0.3, mean[w]!));
    }
    set.mean.push(mean);
    set.level.push(level);
    set.aggression.push(aggression);
    set.logPar.push(logPar);
  }
  cache.set(key, set);
  return set;
}

/** More careful with wickets lost early, freer with wickets in hand late. */
function firstInningsAggression(model: FormatModel, ballsLeft: number, wickets: number): number {
  const gone = 1 - ballsLeft / model.balls;
  const due = model.wickets * 0.58 * gone ** 1.25;
  return Math.max(-0.5, Math.min(0.5, (due - wickets) * 0.09));
}

const LOG = Float64Array.from({ length: 1000 }, (_, i) => Math.log(Math.max(0.3, i)));

/** How hard the batters go at it, by the runs made from here on. */
function levels(set: Tables, ballsLeft: number, wickets: number, need: number): (runs: number) => number {
  const at = Math.min(ballsLeft, set.mean.length - 1);
  const first = set.level[at]![wickets]!;
  if (need === 0) return () => first;
  const par = set.logPar[at]![wickets]!;
  const aggression = set.aggression[at]![wickets]!;
  return (runs) => {
    const pressure = LOG[Math.min(999, need - runs)]! - par;
    return levelOf(aggression + Math.max(-0.5, Math.min(1.1, 0.9 * pressure)));
  };
}

/** Weights under aggression, strength and batting quality, brought to a sum of one. */
function bend(weights: number[], strength: Strength, quality: number, aggression: number): Float64Array {
  const a = aggression;
  const skill = quality * 1.05 ** strength;
  const p = new Float64Array(OUTCOMES.length);
  const factor = [
    Math.exp(-0.3 * a),
    skill ** 0.5 * Math.exp(-0.05 * a),
    skill * Math.exp(0.1 * a),
    skill,
    skill ** 1.2 * Math.exp(0.7 * a),
    skill ** 1.6 * Math.exp(1.3 * a),
    skill ** -1.1 * Math.exp(1.05 * a),
    Math.exp(0.2 * a),
    1,
    1,
  ];
  let sum = 0;
  for (let i = 0; i < p.length; i++) {
    p[i] = weights[i]! * factor[i]!;
    sum += p[i]!;
  }
  for (let i = 0; i < p.length; i++) p[i]! /= sum;
  return p;
}

function phaseAt(format: Format, ballsLeft: number): number {
  const { phases, balls } = MODELS[format];
  const ball = balls - ballsLeft;
  let i = 0;
  while (i < phases.length - 1 && ball >= phases[i]!.until) i++;
  return i;
}

/** Backward over balls, wickets and runs needed; only the row of the whole innings is kept. */
function chaseTable(format: Format, strength: Strength): { win: Float64Array; tie: Float64Array } {
  const key = `${format}${strength}`;
  const known = chaseCache.get(key);
  if (known) return known;
  const model = MODELS[format];
  const set = tables(format, strength);
  const size = model.maxRuns;
  let win = freshRows(model.wickets + 1, size);
  let tie = freshRows(model.wickets + 1, size);
  let winNext = freshRows(model.wickets + 1, size);
  let tieNext = freshRows(model.wickets + 1, size);
  // None needed is won.
  for (const row of [...win, ...winNext]) row[0] = 1;
  // One run short with nothing left is level.
  for (let w = 0; w <= model.wickets; w++) tie[w]![1] = 1;
  tieNext[model.wickets]![1] = 1;
  for (let left = 1; left <= model.balls; left++) {
    const phase = set.chances[phaseAt(format, left)]!;
    for (let w = 0; w < model.wickets; w++) {
      const before = { win: win[w]!, winOut: win[w + 1]!, tie: tie[w]!, tieOut: tie[w + 1]! };
      chaseBall(before, { win: winNext[w]!, tie: tieNext[w]! }, phase[w]!, levels(set, left, w, size));
    }
    [win, winNext] = [winNext, win];
    [tie, tieNext] = [tieNext, tie];
  }
  const done = { win: win[0]!, tie: tie[0]! };
  chaseCache.set(key, done);
  return done;
}

/** Chances by runs needed, of a side that has bowled to it one ball more than `before`. `levelAt` as in playBall. */
function chaseBall(
  { win, winOut, tie, tieOut }: Record<'win' | 'winOut' | 'tie' | 'tieOut', Float64Array>,
  now: { win: Float64Array; tie: Float64Array },
  chances: readonly Float64Array[],
  levelAt: (runs: number) => number,
): void {
  const size = now.win.length - 1;
  let known = -1;
  let [illegal, dot, one, two, three, four, six, wicket] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let need = 1; need <= size; need++) {
    const wanted = levelAt(size - need);
    if (wanted !== known) {
      known = wanted;
      const p = chances[wanted]!;
      illegal = p[OUT.wide]! + p[OUT.noBall]!;
      dot = p[OUT.dot]!;
      one = p[OUT.one]! + p[OUT.bye]!;
      two = p[OUT.two]!;
      three = p[OUT.three]!;
      four = p[OUT.four]!;
      six = p[OUT.six]!;
      wicket = p[OUT.wicket]!;
    }
    const by2 = Math.max(0, need - 2);
    const by3 = Math.max(0, need - 3);
    const by4 = Math.max(0, need - 4);
    const by6 = Math.max(0, need - 6);
    let won = wicket * winOut[need]! + illegal * now.win[need - 1]!;
    won += dot * win[need]!;
    won += one * win[need - 1]!;
    won += two * win[by2]!;
    won += three * win[by3]!;
    won += four * win[by4]!;
    won += six * win[by6]!;
    now.win[need] = won;
    let level = wicket * tieOut[need]! + illegal * now.tie[need - 1]!;
    level += dot * tie[need]!;
    level += one * tie[need - 1]!;
    level += two * tie[by2]!;
    level += three * tie[by3]!;
    level += four * tie[by4]!;
    level += six * tie[by6]!;
    now.tie[need] = level;
  }
}

function freshRows(count: number, size: number): Float64Array[] {
  return Array.from({ length: count }, () => new Float64Array(size + 1));
}

function settleReached(rows: Float64Array[], ended: Float64Array, need: number, wickets: number): void {
  for (let w = 0; w < wickets; w++) {
    const row = rows[w]!;
    for (let r = need; r < row.length; r++) {
      ended[r]! += row[r]!;
      row[r] = 0;
    }
  }
}

function sumRows(rows: Float64Array[], ended: Float64Array, size: number): Float64Array {
  const sum = new Float64Array(size + 1);
  for (let r = 0; r <= size; r++) sum[r] = ended[r]!;
  for (const row of rows) for (let r = 0; r <= size; r++) sum[r]! += row[r]!;
  return sum;
}
