/** From the state of a cricket match to chances: who wins, who ties, and how many runs by when. */

import {
  ballChances,
  chaseFromStart,
  inningsBalls,
  OUT,
  type Outlook,
  outlook,
  RUNS,
  type Strength,
} from './cricketModel.ts';
import { ballsLeftOf, type CricketSim, type CricketState, current, other, strengthOf } from './cricketState.ts';
import { TEST_BALLS, testChances } from './testModel.ts';

export interface CricketChances {
  a: number;
  b: number;
  draw: number;
  /** Scores level after the innings of both sides (limited overs). */
  tie: number;
  /** Of the innings in progress; null between innings, before the match and in a super over. */
  innings: Outlook | null;
}

/** `marks` are legal balls from now in the innings in progress, ascending. */
export function cricketChances(sim: CricketSim, marks: readonly number[]): CricketChances {
  return sim.state.format === 'Test' ? testOdds(sim, marks) : limitedOdds(sim, marks);
}

/** Chance of `more` further runs of a batter at the crease: out first, or out of balls first. */
export function batterAtLeast(sim: CricketSim, more: number): number {
  if (more <= 0) return 1;
  const s = sim.state;
  const innings = current(sim);
  const left = ballsLeftOf(s, innings);
  const need = innings.target > 0 && s.format !== 'Test' ? innings.target - innings.runs : 0;
  const p = ballChances(s.format, strengthOf(s, innings.team), left, innings.wickets, need);
  const legal = 1 - p[OUT.wide]! - p[OUT.noBall]!;
  let mean = 0;
  for (let o = 0; o <= OUT.six; o++) mean += (p[o]! * RUNS[o]!) / legal;
  const perOut = mean / (p[OUT.wicket]! / legal);
  const stays = (perOut / (1 + perOut)) ** more;
  // Half of what is left to bowl is theirs to face; the total left to win bounds them too.
  const faced = Math.min(left / 2, 1000);
  const enough = need > 0 ? Math.min(faced * mean, need * 0.6) : faced * mean;
  const spread = Math.sqrt(Math.max(1, faced) * 2.6);
  return stays * normalTail((more - 0.5 - enough) / spread);
}

/** Chance of `more` further runs before the next wicket in a Test. */
export function partnershipAtLeast(sim: CricketSim, more: number): number {
  const s = sim.state;
  const innings = current(sim);
  const p = ballChances('Test', strengthOf(s, innings.team), 100_000, innings.wickets, 0);
  let mean = 0;
  for (let o = 0; o < RUNS.length; o++) mean += p[o]! * RUNS[o]!;
  const perWicket = mean / p[OUT.wicket]!;
  return more <= 0 ? 1 : (perWicket / (1 + perWicket)) ** more;
}

/** Distribution of the runs of the over after the current one. */
export function nextOver(sim: CricketSim, ballsToIt: number): Float64Array {
  const s = sim.state;
  const innings = current(sim);
  const need = innings.target > 0 && s.format !== 'Test' ? innings.target - innings.runs : 0;
  const left = Math.max(6, ballsLeftOf(s, innings) - ballsToIt);
  const needThen = need > 0 ? Math.max(7, Math.round(need * (left / (left + ballsToIt)))) : 0;
  const state = { ballsLeft: left, wickets: innings.wickets, need: needThen };
  return outlook(s.format, strengthOf(s, innings.team), state, [6], 6).marks[0]!;
}

/** Chance of at least one wicket in so many legal balls, and the runs of a single legal ball. */
export function wicketChance(sim: CricketSim, balls: number): number {
  const p = nextBall(sim);
  const each = p[OUT.wicket]! / (1 - p[OUT.wide]! - p[OUT.noBall]!);
  return 1 - (1 - each) ** balls;
}

export function ballAtLeast(sim: CricketSim, runs: number): number {
  const p = nextBall(sim);
  const legal = 1 - p[OUT.wide]! - p[OUT.noBall]!;
  let sum = 0;
  for (let o = 0; o < RUNS.length; o++) {
    if (o !== OUT.wide && o !== OUT.noBall && RUNS[o]! >= runs) sum += p[o]!;
  }
  return sum / legal;
}

function nextBall(sim: CricketSim): Float64Array {
  const s = sim.state;
  const innings = current(sim);
  const need = innings.target > 0 && s.format !== 'Test' ? innings.target - innings.runs : 0;
  return ballChances(s.format, strengthOf(s, innings.team), ballsLeftOf(s, innings), innings.wickets, need);
}

function limitedOdds(sim: CricketSim, marks: readonly number[]): CricketChances {
  const s = sim.state;
  const format = s.format as 'T20' | 'ODI';
  if (s.innings.length === 0) {
    const firstA = wholeMatch(format, s.strengthA, s.strengthB);
    const firstB = wholeMatch(format, s.strengthB, s.strengthA);
    const share = s.first === 'A' ? 1 : s.first === 'B' ? 0 : 0.5;
    const tie = share * firstA.tie + (1 - share) * firstB.tie;
    const a = share * firstA.first + (1 - share) * firstB.second + tie / 2;
    return { a, b: 1 - a, draw: 0, tie, innings: null };
  }
  const innings = current(sim);
  const level = s.innings.length > 1 && s.innings[0]!.runs === s.innings[1]!.runs && s.innings[1]!.ended;
  if (innings.superOver || level) return superOverOdds(sim, level);
  if (s.innings.length === 1) {
    const chaser = strengthOf(s, other(innings.team));
    if (innings.ended) {
      const chase = chaseFromStart(format, chaser, innings.runs + 1);
      return sided(innings.team, 1 - chase.win - chase.tie / 2, chase.tie, null);
    }
    const state = { ballsLeft: ballsLeftOf(s, innings), wickets: innings.wickets, need: 0 };
    const ahead = outlook(format, strengthOf(s, innings.team), state, marks);
    let lose = 0;
    let tie = 0;
    ahead.total.forEach((p, r) => {
      if (p < 1e-9) return;
      const chase = chaseFromStart(format, chaser, innings.runs + r + 1);
      lose += p * chase.win;
      tie += p * chase.tie;
    });
    return sided(innings.team, 1 - lose - tie / 2, tie, ahead);
  }
  const need = innings.target - innings.runs;
  if (innings.ended) {
    const won = need <= 0 ? 1 : 0;
    return sided(innings.team, won, 0, null);
  }
  const state = { ballsLeft: ballsLeftOf(s, innings), wickets: innings.wickets, need };
  const ahead = outlook(format, strengthOf(s, innings.team), state, marks);
  return sided(innings.team, ahead.win + ahead.tie / 2, ahead.tie, ahead);
}

/** A tied super over is played again: half to each. */
function superOverOdds(sim: CricketSim, level: boolean): CricketChances {
  const s = sim.state;
  const innings = current(sim);
  const tie = level || s.innings[0]!.runs === s.innings[1]!.runs ? 1 : 0;
  if (!innings.superOver || (innings.ended && innings.target > 0)) {
    const whole = wholeMatch('SO', 0, 0);
    const again = innings.target > 0 && innings.superOver && innings.runs !== innings.target - 1;
    const batsNext = innings.team;
    const p = again ? (innings.runs >= innings.target ? 1 : 0) : whole.first + whole.tie / 2;
    return sided(batsNext, p, tie, null);
  }
  if (innings.target === 0) {
    let win = 0;
    if (innings.ended) {
      const chase = chaseFromStart('SO', 0, innings.runs + 1);
      win = 1 - chase.win - chase.tie / 2;
    } else {
      const state = { ballsLeft: ballsLeftOf(s, innings), wickets: innings.wickets, need: 0 };
      outlook('SO', 0, state, []).total.forEach((p, r) => {
        const chase = chaseFromStart('SO', 0, innings.runs + r + 1);
        win += p * (1 - chase.win - chase.tie / 2);
      });
    }
    return sided(innings.team, win, tie, null);
  }
  const need = innings.target - innings.runs;
  const state = { ballsLeft: ballsLeftOf(s, innings), wickets: innings.wickets, need };
  const ahead = outlook('SO', 0, state, []);
  return sided(innings.team, ahead.win + ahead.tie / 2, tie, null);
}

function sided(team: 'A' | 'B', p: number, tie: number, innings: Outlook | null): CricketChances {
  const a = team === 'A' ? p : 1 - p;
  return { a, b: 1 - a, draw: 0, tie, innings };
}

const whole = new Map<string, { first: number; second: number; tie: number }>();

/** Before the first ball: the side batting first wins, the other wins, or level. */
function wholeMatch(
  format: 'T20' | 'ODI' | 'SO',
  first: Strength,
  second: Strength,
): { first: number; second: number; tie: number } {
  const key = `${format}${first}${second}`;
  const known = whole.get(key);
  if (known) return known;
  const made = { first: 0, second: 0, tie: 0 };
  const state = { ballsLeft: inningsBalls(format), wickets: 0, need: 0 };
  outlook(format, first, state, []).total.forEach((p, r) => {
    const chase = chaseFromStart(format, second, r + 1);
    made.second += p * chase.win;
    made.tie += p * chase.tie;
  });
  made.first = 1 - made.second - made.tie;
  whole.set(key, made);
  return made;
}

function testOdds(sim: CricketSim, marks: readonly number[]): CricketChances {
  const s = sim.state;
  const ahead = s.innings.length > 0 && !current(sim).ended ? testOutlook(s, sim, marks) : null;
  const stamp = testStamp(s);
  if (s.chances?.at !== stamp) s.chances = { at: stamp, values: testValues(sim) };
  const [a, b, draw] = s.chances.values;
  return { a, b, draw, tie: 0, innings: ahead };
}

/** Worked out anew at each over and each wicket. */
function testStamp(s: CricketState): number {
  const last = s.innings[s.innings.length - 1];
  return s.innings.length * 1_000_000 + (last ? last.wickets * 10_000 + Math.floor(last.balls / 6) : s.first ? 1 : 0);
}

function testValues(sim: CricketSim): [number, number, number] {
  const s = sim.state;
  const run = (first: 'A' | 'B'): [number, number, number] => {
    const strengths = [strengthOf(s, first), strengthOf(s, other(first))] as const;
    const [x, y, draw] = testChances(
      { strengths, innings: s.innings, ballsLeft: TEST_BALLS - s.balls },
      sim.event.eventId,
    );
    return first === 'A' ? [x, y, draw] : [y, x, draw];
  };
  if (s.first !== '') return run(s.first);
  const [a, b] = [run('A'), run('B')];
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
}

function testOutlook(s: CricketState, sim: CricketSim, marks: readonly number[]): Outlook {
  const innings = current(sim);
  const horizon = marks[marks.length - 1] ?? 0;
  const state = { ballsLeft: 100_000, wickets: innings.wickets, need: 0 };
  return outlook('Test', strengthOf(s, innings.team), state, marks, horizon);
}

function normalTail(z: number): number {
  // Logistic approximation of the normal, good to 0.01: these are lines, not settlements.
  return 1 / (1 + Math.exp(1.702 * z));
}
