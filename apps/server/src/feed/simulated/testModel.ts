/**
 * Win, draw and loss of a Test match: several hundred roll-outs, partnership by partnership, of everything that is left.
 * A partnership lasts a geometric number of balls and scores by the same chances as the ball-by-ball simulation.
 * Every call of one match draws the same random numbers, so the price moves with the score and not with the draw.
 */
import { ballChances, OUT, RUNS, type Strength } from './cricketModel.ts';
import { gaussian, makeRng, type Rng, uniform } from './rng.ts';

/** Five days of 84 overs: what a day brings after slow over rates and bad light. */
export const TEST_BALLS = 2520;
export const DAY_BALLS = 504;

export interface TestState {
  /** Of the side batting first and the other. */
  strengths: readonly [Strength, Strength];
  /** At most four; the last one is in progress unless `between` innings. */
  innings: ReadonlyArray<{ runs: number; wickets: number; ended: boolean }>;
  ballsLeft: number;
}

/** Shared by play and roll-out: whether the batting captain calls them in. `lead` counts the runs of this innings. */
export function declaresNow(innings: number, runs: number, lead: number, matchBallsLeft: number): boolean {
  if (innings < 2) return runs >= 560;
  return innings === 2 && lead >= declareLead(matchBallsLeft);
}

/** Chances of the side that batted first, the other side, and the draw; a tie counts half to each. */
export function testChances(state: TestState, seed: number, rollouts = 800): [number, number, number] {
  const r = makeRng('roll-out', seed);
  const count: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < rollouts; i++) {
    const winner = rollOut(r, state);
    if (winner === 3) {
      count[0] += 0.5;
      count[1] += 0.5;
    } else count[winner as 0 | 1 | 2]++;
  }
  // Nothing is certain before it has happened.
  const sum = rollouts + 0.6;
  return [(count[0] + 0.2) / sum, (count[1] + 0.2) / sum, (count[2] + 0.2) / sum];
}

interface Partnership {
  /** Log of the chance that a ball takes no wicket. */
  logSurvive: number;
  mean: number;
  sd: number;
}

const shapes = new Map<Strength, Partnership[]>();

function declareLead(matchBallsLeft: number): number {
  return Math.max(250, Math.min(430, Math.round(matchBallsLeft * 0.52)));
}

/** The part of a partnership after which the growing lead meets the falling one that is enough. */
function declaredAt(lead: number, runs: number, balls: number, matchBallsLeft: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 7; i++) {
    const part = (low + high) / 2;
    if (lead + runs * part >= declareLead(matchBallsLeft - balls * part)) high = part;
    else low = part;
  }
  return high;
}

/** 0 or 1: that side wins; 2 draw; 3 tie. */
function rollOut(r: Rng, state: TestState): number {
  let balls = state.ballsLeft;
  const totals = [0, 0];
  for (let i = 0; i < 4; i++) {
    const side = i % 2;
    const started = state.innings[i];
    const others = totals[1 - side]!;
    let mine = totals[side]! + (started?.runs ?? 0);
    if (!started?.ended) {
      const shape = shapeOf(state.strengths[side]!);
      for (let w = started?.wickets ?? 0; w < 10; w++) {
        const p = shape[w]!;
        let last = Math.max(1, Math.ceil(Math.log(1 - uniform(r)) / p.logSurvive));
        const noise = gaussian(r);
        const out = last <= balls;
        last = Math.min(last, balls);
        const runs = Math.max(0, Math.round(last * p.mean + Math.sqrt(last) * p.sd * noise));
        const bound =
          i === 3
            ? others + 1 - mine
            : i === 2
              ? declareLead(balls - last) + others - mine
              : 560 - (mine - totals[side]!);
        if (runs >= bound) {
          // The target is reached, or the captain calls them in, part of the way.
          const part =
            i === 2 ? declaredAt(mine - others, runs, last, balls) : runs > 0 ? Math.max(0, bound) / runs : 0;
          balls -= Math.round(last * part);
          mine += i === 2 ? Math.round(runs * part) : Math.max(0, bound);
          if (i === 3) return side;
          break;
        }
        mine += runs;
        balls -= last;
        if (!out) return 2;
      }
    }
    totals[side] = mine;
    if (i === 2 && mine < others) return 1 - side;
    if (i === 3) return mine > others ? side : mine === others ? 3 : 1 - side;
    if (balls <= 0) return 2;
  }
  return 2;
}

function shapeOf(strength: Strength): Partnership[] {
  const known = shapes.get(strength);
  if (known) return known;
  const made = Array.from({ length: 10 }, (_, w) => {
    const p = ballChances('Test', strength, 100_000, w, 0);
    const legal = 1 - p[OUT.wide]! - p[OUT.noBall]!;
    let mean = 0;
    let square = 0;
    for (let o = 0; o < RUNS.length; o++) {
      mean += (p[o]! * RUNS[o]!) / legal;
      square += (p[o]! * RUNS[o]! ** 2) / legal;
    }
    return { logSurvive: Math.log(1 - p[OUT.wicket]! / legal), mean, sd: Math.sqrt(square - mean * mean) };
  });
  shapes.set(strength, made);
  return made;
}
