/**
 * A cricket match as it is played: toss, balls, overs, wickets, innings, breaks, super over, result. The betting on it
 * is in cricketMarkets.ts.
 */
import type { TeamSide } from '../feed.ts';
import {
  cricketBallDone,
  cricketBallRunning,
  cricketFinished,
  cricketInningsOver,
  cricketInningsStart,
  cricketPreMatch,
  cricketResume,
  cricketSuspend,
} from './cricketMarkets.ts';
import { ballChances, inningsBalls, inningsWickets, OUT, OUTCOMES, RUNS, type Strength } from './cricketModel.ts';
import {
  type BatterLine,
  ballsLeftOf,
  type CricketSim,
  type CricketState,
  counted,
  current,
  type InningsState,
  lastOver,
  leadOf,
  other,
  strengthOf,
  teamName,
} from './cricketState.ts';
import { type Ctx, closeEvent, type SimBase, turnInPlay } from './desk.ts';
import { type Fixture, teamSheet } from './names.ts';
import { between, chance, gaussian, type Rng, uniform, weighted } from './rng.ts';
import { DAY_BALLS, declaresNow, TEST_BALLS } from './testModel.ts';

const TOSS_BEFORE_MS = 10 * 60_000;

export function startCricket(
  ctx: Ctx,
  base: SimBase,
  r: Rng,
  fixture: Fixture,
  format: CricketState['format'],
): CricketSim {
  const rating = (): number => Math.max(-1, Math.min(1, Math.round(gaussian(r) * 0.7)));
  const pitch = rating() * 0.5;
  const [batA, bowlA, batB, bowlB] = [rating(), rating(), rating(), rating()];
  const strength = (bat: number, bowl: number): Strength =>
    Math.max(-2, Math.min(2, Math.round(bat - bowl + pitch))) as Strength;
  const limited = format !== 'Test';
  const total = limited ? inningsBalls(format) * 2 : TEST_BALLS;
  const rain = limited && chance(base.play, 0.03);
  const sim: CricketSim = {
    ...base,
    sport: 'cricket',
    state: {
      format,
      strengthA: strength(batA, bowlB),
      strengthB: strength(batB, bowlA),
      playersA: teamSheet(fixture.home.name, 11),
      playersB: teamSheet(fixture.away.name, 11),
      skillsA: Array.from({ length: 11 }, () => Math.exp(gaussian(r) * 0.08)),
      skillsB: Array.from({ length: 11 }, () => Math.exp(gaussian(r) * 0.08)),
      codeA: fixture.home.code,
      codeB: fixture.away.code,
      toss: '',
      first: '',
      phase: 'notStarted',
      innings: [],
      balls: 0,
      day: 1,
      rainAt: rain ? between(base.play, 20, total - 20) : -1,
      rainEndsMatch: rain && chance(base.play, 0.4),
      winner: '',
      result: '',
      breakOpen: false,
      finished: 0,
      idA: ctx.ids.next(),
      idB: ctx.ids.next(),
      idDraw: limited ? 0 : ctx.ids.next(),
      chances: null,
    },
  };
  sim.nextAt = Math.max(base.nextAt, base.event.startAt - TOSS_BEFORE_MS);
  cricketPreMatch(ctx, sim);
  return sim;
}

/** What happens at `sim.nextAt`; sets the next moment. */
export function stepCricket(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const at = sim.nextAt;
  sim.scoreDirty = true;
  switch (s.phase) {
    case 'notStarted':
      if (s.first === '') {
        toss(sim);
        sim.dirty = true;
        sim.nextAt = Math.max(at + 1000, sim.event.startAt);
        return;
      }
      turnInPlay(ctx, sim, (market) => (market.def.kind === 'book' ? 5000 : 0));
      startInnings(ctx, sim, s.first, 0, false);
      sim.nextAt = at + 40_000;
      return;
    case 'betweenBalls':
    case 'overBreak':
      s.phase = 'ballRunning';
      cricketBallRunning(ctx, sim);
      sim.nextAt = at + between(sim.play, 4200, 5600);
      return;
    case 'ballRunning':
      deliver(ctx, sim);
      return;
    case 'wicket':
      if (current(sim).balls % 6 === 0 && current(sim).balls > 0 && lastOver(sim).balls.length > 0) newOver(sim);
      s.phase = 'betweenBalls';
      cricketResume(sim);
      sim.nextAt = at + ballGap(sim);
      return;
    case 'inningsBreak':
      if (s.breakOpen) nextInnings(ctx, sim);
      else {
        s.breakOpen = true;
        cricketResume(sim);
        sim.nextAt = at + breakMs(sim);
      }
      return;
    case 'interval':
    case 'stumps':
    case 'rain':
      if (s.phase === 'rain' && s.rainEndsMatch) {
        finish(sim, 'none', 'Match abandoned: no result');
        s.phase = 'result';
        sim.nextAt = at + 15_000;
        return;
      }
      s.phase = 'betweenBalls';
      cricketResume(sim);
      sim.nextAt = at + ballGap(sim);
      return;
    case 'superOver':
      s.phase = 'betweenBalls';
      sim.nextAt = at + ballGap(sim);
      return;
    case 'result':
      s.finished++;
      if (s.finished === 1) {
        cricketFinished(ctx, sim);
        sim.nextAt = at + 60_000;
      } else closeEvent(sim);
      return;
  }
}

function toss(sim: CricketSim): void {
  const s = sim.state;
  const won: TeamSide = chance(sim.play, 0.5) ? 'A' : 'B';
  const bat = chance(sim.play, 0.5);
  s.first = bat ? won : other(won);
  s.toss = `${teamName(sim, won)} won the toss and chose to ${bat ? 'bat' : 'field'}`;
}

function startInnings(ctx: Ctx, sim: CricketSim, team: TeamSide, target: number, superOver: boolean): void {
  const s = sim.state;
  const line = (player: number): BatterLine => ({ player, runs: 0, balls: 0, fours: 0, sixes: 0, out: false });
  s.innings.push({
    team,
    runs: 0,
    wickets: 0,
    balls: 0,
    declared: false,
    ended: false,
    superOver,
    target,
    batters: [line(0), line(1)],
    striker: 0,
    nonStriker: 1,
    bowlers: [],
    bowler: -1,
    previousBowler: -1,
    partnership: { runs: 0, balls: 0, fours: 0, sixes: 0 },
    overs: [],
  });
  s.phase = superOver ? 'superOver' : 'betweenBalls';
  newOver(sim);
  cricketInningsStart(ctx, sim);
}

function newOver(sim: CricketSim): void {
  const s = sim.state;
  const innings = current(sim);
  const over = Math.floor(innings.balls / 6) + 1;
  innings.overs.push({ over, balls: [], runs: 0, wicket: false, boundary: false });
  if (innings.overs.length > 3) innings.overs.shift();
  innings.previousBowler = innings.bowler;
  // Six bowlers, players 5 to 10; nobody bowls two overs running, and those with fewer overs come first.
  const quota = s.format === 'Test' || innings.superOver ? 10_000 : inningsBalls(s.format) / 5;
  const best = Array.from({ length: 6 }, (_, i) => 10 - i)
    .filter((player) => innings.bowlers[innings.previousBowler]?.player !== player)
    .map((player) => ({ player, bowled: innings.bowlers.find((b) => b.player === player)?.balls ?? 0 }))
    .filter((b, _, all) => b.bowled < quota || all.every((c) => c.bowled >= quota))
    .sort((a, b) => a.bowled - b.bowled);
  const chosen = best[Math.min(best.length - 1, Math.floor(uniform(sim.play) ** 2 * 3))]!.player;
  let at = innings.bowlers.findIndex((b) => b.player === chosen);
  if (at < 0) at = innings.bowlers.push({ player: chosen, balls: 0, runs: 0, wickets: 0 }) - 1;
  innings.bowler = at;
}

function deliver(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const innings = current(sim);
  const outcome = weighted(sim.play, deliveryChances(sim));
  const runs = RUNS[outcome]!;
  const legal = outcome !== OUT.wide && outcome !== OUT.noBall;
  const striker = innings.batters[innings.striker]!;
  const bowler = innings.bowlers[innings.bowler]!;
  const over = lastOver(sim);
  const offBat = outcome <= OUT.six;
  innings.runs += runs;
  innings.partnership.runs += runs;
  over.runs += runs;
  over.balls.push(legal ? (outcome === OUT.bye ? '1b' : OUTCOMES[outcome]!) : outcome === OUT.wide ? '1wd' : '1nb');
  if (outcome !== OUT.bye) bowler.runs += runs;
  if (legal) {
    innings.balls++;
    s.balls++;
    bowler.balls++;
    striker.balls++;
    innings.partnership.balls++;
  }
  if (offBat) striker.runs += runs;
  if (outcome === OUT.four || outcome === OUT.six) {
    over.boundary = true;
    striker[outcome === OUT.four ? 'fours' : 'sixes']++;
    innings.partnership[outcome === OUT.four ? 'fours' : 'sixes']++;
  }
  if (legal && runs % 2 === 1) swapStrike(innings);
  const wicket = outcome === OUT.wicket;
  if (wicket) {
    striker.out = true;
    bowler.wickets++;
    over.wicket = true;
    innings.wickets++;
  }
  const overDone = legal && innings.balls % 6 === 0;
  // Markets see the wicket with the two who batted, then the next batter comes in.
  const before = { over: over.over, ball: legal ? runs : -1, batter: wicket ? innings.striker : -1, overDone };
  const ended = inningsEnds(sim);
  if (wicket && !ended) {
    innings.partnership = { runs: 0, balls: 0, fours: 0, sixes: 0 };
    const player = innings.batters.length;
    innings.striker = innings.batters.push({ player, runs: 0, balls: 0, fours: 0, sixes: 0, out: false }) - 1;
  }
  if (overDone) swapStrike(innings);
  innings.ended = ended;
  cricketBallDone(ctx, sim, before);
  afterBall(ctx, sim, wicket, overDone);
}

/** The model's chances, bent for the batter facing (against the partner) and the bowler; the side's average is kept. */
function deliveryChances(sim: CricketSim): Float64Array {
  const s = sim.state;
  const innings = current(sim);
  // A Test chase is played like any other innings; the roll-outs of testModel.ts count on it.
  const need = innings.target > 0 && s.format !== 'Test' ? innings.target - innings.runs : 0;
  const format = innings.superOver ? 'SO' : s.format;
  const strength = innings.superOver ? 0 : strengthOf(s, innings.team);
  const p = ballChances(format, strength, ballsLeftOf(s, innings), innings.wickets, need).slice();
  const skills = innings.team === 'A' ? s.skillsA : s.skillsB;
  const bowling = innings.team === 'A' ? s.skillsB : s.skillsA;
  const facing = skills[innings.batters[innings.striker]!.player]!;
  const partner = skills[innings.batters[innings.nonStriker]!.player]!;
  const bowl =
    bowling[innings.bowlers[innings.bowler]!.player]! / (bowling.slice(5).reduce((a, b) => a + b, 0) / 6) - 1;
  // Each factor has the mean one over the pair and over the bowlers, so that the side stays what the prices say it is.
  const bat = 2 / (facing + partner);
  p[OUT.four]! *= bat * facing * (1 - bowl / 2);
  p[OUT.six]! *= bat * facing * (1 - bowl / 2);
  p[OUT.wicket]! *= bat * partner * (1 + bowl / 2);
  return p;
}

function swapStrike(innings: InningsState): void {
  [innings.striker, innings.nonStriker] = [innings.nonStriker, innings.striker];
}

function inningsEnds(sim: CricketSim): boolean {
  const s = sim.state;
  const innings = current(sim);
  const format = innings.superOver ? 'SO' : s.format;
  if (innings.wickets >= inningsWickets(format)) return true;
  if (innings.target > 0 && innings.runs >= innings.target) return true;
  if (s.format !== 'Test' || innings.superOver) return ballsLeftOf(s, innings) <= 0;
  if (s.balls >= TEST_BALLS) return true;
  const at = s.innings.length - 1;
  if (innings.balls % 6 === 0 && at < 3 && declaresNow(at, innings.runs, leadOf(s), TEST_BALLS - s.balls)) {
    innings.declared = true;
    return true;
  }
  return false;
}

function afterBall(ctx: Ctx, sim: CricketSim, wicket: boolean, overDone: boolean): void {
  const s = sim.state;
  const innings = current(sim);
  const at = sim.nextAt;
  sim.dirty = true;
  if (innings.ended) {
    endInnings(ctx, sim);
    return;
  }
  if (s.rainAt >= 0 && s.balls >= s.rainAt && !innings.superOver) {
    s.rainAt = -1;
    s.phase = 'rain';
    cricketSuspend(ctx, sim, 'Rain');
    if (overDone) newOver(sim);
    sim.nextAt = at + between(sim.play, 180_000, 360_000);
    return;
  }
  if (wicket) {
    s.phase = 'wicket';
    cricketSuspend(ctx, sim, 'Wicket');
    sim.nextAt = at + between(sim.play, 22_000, 34_000);
    return;
  }
  if (overDone) newOver(sim);
  const pause = s.format === 'Test' && overDone ? testPause(sim) : 0;
  if (pause > 0) {
    sim.nextAt = at + pause;
    return;
  }
  s.phase = overDone ? 'overBreak' : 'betweenBalls';
  sim.nextAt = at + (overDone ? between(sim.play, 16_000, 24_000) : ballGap(sim));
}

/** Lunch and tea after a third and two thirds of the day's balls, stumps at its end; 0 when play goes on. */
function testPause(sim: CricketSim): number {
  const s = sim.state;
  const today = s.balls - (s.day - 1) * DAY_BALLS;
  if (today >= DAY_BALLS) {
    s.day++;
    s.phase = 'stumps';
    return 15 * 60_000;
  }
  if (today === DAY_BALLS / 3 || today === (DAY_BALLS * 2) / 3) {
    s.phase = 'interval';
    return 5 * 60_000;
  }
  return 0;
}

function ballGap(sim: CricketSim): number {
  return between(sim.play, 7500, 12_500);
}

function endInnings(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const at = sim.nextAt;
  cricketSuspend(ctx, sim, 'Innings over');
  cricketInningsOver(ctx, sim);
  if (decide(sim)) {
    s.phase = 'result';
    sim.nextAt = at + 15_000;
    return;
  }
  s.phase = 'inningsBreak';
  s.breakOpen = false;
  sim.nextAt = at + 25_000;
}

function breakMs(sim: CricketSim): number {
  const { format, innings } = sim.state;
  if (format === 'T20') return (innings.length >= 2 ? 2 : 5) * 60_000;
  return (format === 'ODI' ? 8 : 4) * 60_000;
}

/** Sets the winner when the match is over. */
function decide(sim: CricketSim): boolean {
  const s = sim.state;
  const innings = current(sim);
  const batting = teamName(sim, innings.team);
  const fielding = teamName(sim, other(innings.team));
  const wicketsLeft = inningsWickets(innings.superOver ? 'SO' : s.format) - innings.wickets;
  if (innings.target > 0 && innings.runs >= innings.target) {
    const by = innings.superOver ? 'in the super over' : `by ${counted(wicketsLeft, 'wicket')}`;
    finish(sim, innings.team, `${batting} won ${by}`);
  } else if (s.format === 'Test' && s.balls >= TEST_BALLS && innings.wickets < 10) {
    finish(sim, 'draw', 'Match drawn');
  } else if (s.format === 'Test' && s.innings.length === 3 && innings.wickets >= 10 && leadOf(s) < 0) {
    finish(sim, other(innings.team), `${fielding} won by an innings and ${counted(-leadOf(s), 'run')}`);
  } else if (innings.target > 0 && innings.runs === innings.target - 1) {
    if (s.format === 'T20') return false;
    finish(sim, 'tie', 'Match tied');
  } else if (innings.target > 0) {
    const by = innings.target - 1 - innings.runs;
    const how = innings.superOver ? 'in the super over' : `by ${counted(by, 'run')}`;
    finish(sim, other(innings.team), `${fielding} won ${how}`);
  } else if (s.format === 'Test' && s.balls >= TEST_BALLS) {
    finish(sim, 'draw', 'Match drawn');
  } else return false;
  return true;
}

function finish(sim: CricketSim, winner: CricketState['winner'], result: string): void {
  sim.state.winner = winner;
  sim.state.result = result;
}

function nextInnings(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const last = current(sim);
  const played = s.innings.length;
  const team = other(last.team);
  // Innings come in pairs after the first two of a T20: each pair is a super over.
  const superOver = s.format === 'T20' && played >= 2;
  if (superOver) {
    const second = played % 2 === 1;
    startInnings(ctx, sim, second ? team : last.team, second ? last.runs + 1 : 0, true);
  } else {
    const chasing = s.format === 'Test' ? played === 3 : played === 1;
    startInnings(ctx, sim, team, chasing ? (s.format === 'Test' ? leadOf(s) : last.runs) + 1 : 0, false);
  }
  cricketResume(sim);
  sim.nextAt += 15_000;
}
