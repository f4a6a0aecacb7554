/** The scoreboard of a cricket match as the page draws it. */
import type { CricketBatter, CricketBowler, CricketScore } from '../feed.ts';
import { ballsLeftOf, type CricketSim, counted, current, leadOf, other, playersOf, teamName } from './cricketState.ts';
import { DAY_BALLS } from './testModel.ts';

export function cricketScore(sim: CricketSim): CricketScore {
  const s = sim.state;
  const innings = s.innings.length > 0 ? current(sim) : null;
  const left = innings
    ? s.format === 'Test' && !innings.superOver
      ? s.day * DAY_BALLS - s.balls
      : ballsLeftOf(s, innings)
    : 0;
  const need = innings?.target ? Math.max(0, innings.target - innings.runs) : 0;
  const limited = s.format !== 'Test';
  return {
    sport: 'cricket',
    phase: s.phase,
    note: note(sim, left, need),
    toss: s.toss,
    innings: s.innings.map(({ team, runs, wickets, balls, declared, superOver }) => ({
      team,
      runs,
      wickets,
      balls,
      declared,
      superOver,
    })),
    batting: innings?.team ?? (s.first === '' ? 'A' : s.first),
    target: innings?.target ?? 0,
    ballsLeft: Math.max(0, left),
    currentRate: innings && innings.balls > 0 ? Math.round((innings.runs * 600) / innings.balls) : 0,
    requiredRate: need > 0 && limited && left > 0 ? Math.round((need * 600) / left) : 0,
    batters: batters(sim),
    partnership: {
      wicket: Math.min(10, (innings?.wickets ?? 0) + 1),
      ...(innings?.partnership ?? { runs: 0, balls: 0, fours: 0, sixes: 0 }),
    },
    bowlers: bowlers(sim),
    lastOvers: (innings?.overs ?? []).map(({ over, balls, runs }) => ({ over, balls: balls.slice(), runs })).reverse(),
    ...(limited ? {} : { day: s.day }),
  };
}

/** What there is to say of the match beside the toss, which has a field of its own; empty while that is all. */
function note(sim: CricketSim, ballsLeft: number, need: number): string {
  const s = sim.state;
  if (s.result) return s.result;
  if (s.innings.length === 0) return s.toss ? '' : 'Match not started';
  const innings = current(sim);
  const batting = teamName(sim, innings.team);
  const last = s.innings.length;
  if (s.phase === 'rain') return 'Rain has stopped play';
  if (s.phase === 'stumps') return `Stumps, day ${s.day - 1}`;
  if (innings.ended && s.format === 'T20' && last >= 2) return 'Scores level: super over to come';
  if (innings.ended && s.format !== 'Test')
    return `${teamName(sim, other(innings.team))} need ${innings.runs + 1} to win`;
  if (innings.target > 0 && s.format === 'Test' && !innings.superOver)
    return `${batting} need ${counted(need, 'run')} to win`;
  if (innings.target > 0) return `${batting} need ${need} off ${ballsLeft}`;
  if (s.format === 'Test' && last > 1) {
    const lead = leadOf(s);
    return lead === 0
      ? 'Scores level'
      : `${batting} ${lead > 0 ? 'lead' : 'trail'} by ${counted(Math.abs(lead), 'run')}`;
  }
  return innings.superOver ? 'Super over' : '';
}

function batters(sim: CricketSim): CricketBatter[] {
  const s = sim.state;
  if (s.innings.length === 0) return [];
  const innings = current(sim);
  const order = [innings.striker, innings.nonStriker].sort((a, b) => a - b);
  return order.map((at) => {
    const { player, runs, balls, fours, sixes, out } = innings.batters[at]!;
    const name = playersOf(s, innings.team)[player]!;
    return { name, runs, balls, fours, sixes, onStrike: at === innings.striker && !out };
  });
}

function bowlers(sim: CricketSim): CricketBowler[] {
  const s = sim.state;
  if (s.innings.length === 0) return [];
  const innings = current(sim);
  const names = playersOf(s, other(innings.team));
  const now = innings.bowlers[innings.bowler];
  const rest = innings.bowlers
    .filter((bowler) => bowler !== now)
    .sort((a, b) => b.wickets - a.wickets || b.balls - a.balls);
  return [...(now ? [now] : []), ...rest].slice(0, 3).map((bowler) => ({
    name: names[bowler.player]!,
    balls: bowler.balls,
    runs: bowler.runs,
    wickets: bowler.wickets,
    bowling: bowler === now,
  }));
}
