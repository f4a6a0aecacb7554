/** Betting on a cricket match: which markets open when, what they show, and how each is settled from the score. */
import { type InningsEnd, overSession, type Result } from '@fairgame/exchange';
import { inningsWickets } from './cricketModel.ts';
import { ballsLeftOf, type CricketSim, codeOf, current, KHADO_WIDTH, lastOver, playersOf } from './cricketState.ts';
import {
  type Ctx,
  declare,
  isBook,
  type MarketSpec,
  marketOf,
  openMarket,
  resume,
  type SimMarket,
  setRowStatus,
  suspend,
} from './desk.ts';

/** One delivery, as the markets see it. */
export interface BallSeen {
  over: number;
  /** Runs of a legal ball; -1 for a wide or no-ball. */
  ball: number;
  /** Index of the batter who is out; -1 for none. */
  batter: number;
  overDone: boolean;
}

/** A meter pays per run: 10.00 a run is much. */
const METER_MAX_STAKE_MINOR = 1_000;

export function cricketPreMatch(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const teams = [
    { runnerId: s.idA, name: sim.event.teamA },
    { runnerId: s.idB, name: sim.event.teamB },
  ];
  const draw = s.idDraw ? [{ runnerId: s.idDraw, name: 'The Draw' }] : [];
  openMarket(ctx, sim, {
    key: 'odds',
    kind: 'book',
    name: 'Match Odds',
    runners: [...teams, ...draw],
    info: { sno: 1, marketType: 'matchOdd' },
    betDelayMs: 5000,
    tieRule: 'DEAD_HEAT',
    main: true,
    depthMinor: 1_500_000,
  });
  openMarket(ctx, sim, {
    key: 'bookmaker',
    kind: 'bookmaker',
    name: 'Bookmaker',
    runners: teams,
    info: { sno: 2, marketType: 'bookmaker' },
    tieRule: 'VOID',
    main: true,
  });
  if (s.format === 'Test') return;
  const yesNo = (key: string, kind: 'tied' | 'completed', name: string, sno: number, marketType: string): void => {
    const runners = [
      { runnerId: ctx.ids.next(), name: 'Yes', stands: 'yes' as const },
      { runnerId: ctx.ids.next(), name: 'No', stands: 'no' as const },
    ];
    openMarket(ctx, sim, { key, kind, name, runners, info: { sno, marketType } });
  };
  yesNo('tied', 'tied', 'Tied Match', 3, 'tiedMatch1');
  yesNo('completed', 'completed', 'Completed Match', 4, 'completeMatch');
}

export function cricketInningsStart(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const innings = current(sim);
  if (innings.superOver) return;
  const at = s.innings.length - 1;
  const code = codeOf(s, innings.team);
  if (s.format === 'T20') {
    twoWay(ctx, sim, `oddEven:36:${at}`, `6 over runs ${code} odd or even`, { innings: at, at: 36 });
    khado(ctx, sim, at, code);
  }
  // A chase ends at its target, so only the first innings has markets on its total.
  if (s.format !== 'Test' && at === 0) {
    const total = s.format === 'T20' ? 120 : 300;
    session(ctx, sim, `total:${at}`, `${code} innings runs`, 60, 'lambi', { innings: at, at: total });
    twoWay(ctx, sim, `oddEven:${total}:${at}`, `${code} innings runs odd or even`, { innings: at, at: total });
    lastDigit(ctx, sim, at, code, total);
    meter(ctx, sim, at, code, total);
  }
  upkeep(ctx, sim);
}

/** Rows of the house quotes are veiled while the ball is in the air. */
export function cricketBallRunning(ctx: Ctx, sim: CricketSim): void {
  for (const market of sim.markets) if (!isBook(market)) setRowStatus(ctx, market, 'BALL_RUNNING');
}

export function cricketSuspend(ctx: Ctx, sim: CricketSim, reason: string): void {
  for (const market of sim.markets) suspend(ctx, market, reason);
}

export function cricketResume(sim: CricketSim): void {
  for (const market of sim.markets) resume(sim, market);
}

/** Settles what this ball decided and opens what comes next. */
export function cricketBallDone(ctx: Ctx, sim: CricketSim, ball: BallSeen): void {
  const s = sim.state;
  const innings = current(sim);
  if (innings.superOver) return;
  const here = s.innings.length - 1;
  for (const market of sim.markets.slice()) {
    if (market.about?.innings !== here) continue;
    const result = decided(sim, market, ball);
    if (result) declare(ctx, sim, market, result);
  }
  if (!innings.ended) upkeep(ctx, sim);
}

/**
 * The innings is over: whatever still hangs on it is settled on the score, what never began is void. So are the runs at
 * an over that a Test innings did not reach because play was over.
 */
export function cricketInningsOver(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const innings = current(sim);
  const here = s.innings.length - 1;
  const bowledIn = innings.balls % 6 === 0 ? innings.balls / 6 : Math.floor(innings.balls / 6) + 1;
  for (const market of sim.markets.slice()) {
    if (market.about?.innings !== here) continue;
    const about = market.about;
    const word = market.key.split(':')[0]!;
    let result: Result = { kind: 'score', score: innings.runs };
    if (word === 'over' || word === 'wicketIn') {
      if (about.at > bowledIn) result = { kind: 'void', reason: 'Over not bowled' };
      else if (word === 'over') result = { kind: 'score', score: lastOver(sim).runs };
      else result = { kind: 'yes', yes: lastOver(sim).wicket };
    } else if (word === 'ball') result = { kind: 'void', reason: 'Ball not bowled' };
    else if (word === 'batter') result = { kind: 'score', score: innings.batters[about.at]!.runs };
    else if (word === 'stand') result = { kind: 'score', score: innings.runs - about.mark! };
    else if (word === 'runs' || word === 'khado' || word === 'oddEven') {
      const played = { oversCompleted: Math.floor(innings.balls / 6), end: endOf(sim) };
      const reason = overSession(played, about.at / 6);
      if (reason !== null) result = { kind: 'void', reason };
    }
    declare(ctx, sim, market, result);
  }
}

/** The match is over: every market that is left. */
export function cricketFinished(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const abandoned = s.winner === 'none';
  const [one, two] = s.innings;
  for (const market of sim.markets.slice()) {
    let result: Result = { kind: 'void', reason: 'Match abandoned' };
    if (market.key === 'completed') result = { kind: 'yes', yes: !abandoned };
    else if (!abandoned && market.key === 'tied') {
      result = { kind: 'yes', yes: one !== undefined && two !== undefined && one.runs === two.runs };
    } else if (!abandoned && (market.key === 'odds' || market.key === 'bookmaker')) {
      if (s.winner === 'A' || s.winner === 'B') {
        result = { kind: 'winners', runnerIds: [s.winner === 'A' ? s.idA : s.idB] };
      } else if (s.winner === 'draw' && market.key === 'odds') result = { kind: 'winners', runnerIds: [s.idDraw] };
      else result = { kind: 'tie' };
    }
    declare(ctx, sim, market, result);
  }
}

function decided(sim: CricketSim, market: SimMarket, ball: BallSeen): Result | null {
  const innings = current(sim);
  const about = market.about!;
  const score = (value: number): Result => ({ kind: 'score', score: value });
  switch (market.key.split(':')[0]) {
    case 'over':
      return ball.overDone && ball.over === about.at ? score(lastOver(sim).runs) : null;
    case 'wicketIn':
      if (ball.over !== about.at) return null;
      if (lastOver(sim).wicket) return { kind: 'yes', yes: true };
      return ball.overDone ? { kind: 'yes', yes: false } : null;
    case 'ball':
      return ball.ball >= 0 && innings.balls >= about.at ? score(ball.ball) : null;
    case 'batter':
      return innings.batters[about.at]!.out ? score(innings.batters[about.at]!.runs) : null;
    case 'wicket':
      return innings.wickets >= about.at ? score(innings.runs) : null;
    case 'stand':
      return innings.wickets >= about.at ? score(innings.runs - about.mark!) : null;
    case 'total':
    case 'digit':
    case 'meter':
      return null;
    default:
      // Runs at a mark; an innings total waits for the end of the innings.
      return innings.balls >= about.at && about.at < totalBalls(sim) ? score(innings.runs) : null;
  }
}

/** Null for a Test innings that only the end of play stopped. */
function endOf(sim: CricketSim): InningsEnd {
  const innings = current(sim);
  if (innings.target > 0 && innings.runs >= innings.target) return 'targetReached';
  if (innings.wickets >= inningsWickets(sim.state.format)) return 'allOut';
  if (innings.declared) return 'declared';
  return ballsLeftOf(sim.state, innings) <= 0 ? 'oversUp' : null;
}

const totalBalls = (sim: CricketSim): number =>
  sim.state.format === 'T20' ? 120 : sim.state.format === 'ODI' ? 300 : 1_000_000;

/** Keeps the coming over marks, the next wicket, the two batters and the next over on offer. */
function upkeep(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  const innings = current(sim);
  const here = s.innings.length - 1;
  const code = codeOf(s, innings.team);
  const marks = s.format === 'T20' ? [36, 60, 90] : nextMarks(innings.balls, s.format === 'ODI' ? 300 : 1_000_000);
  for (const mark of marks) {
    if (mark <= innings.balls || marketOf(sim, `runs:${mark}:${here}`)) continue;
    session(ctx, sim, `runs:${mark}:${here}`, `${mark / 6} over runs, ${code}`, 20 + mark / 60, 'session', {
      innings: here,
      at: mark,
    });
  }
  const wicket = innings.wickets + 1;
  if (wicket <= 10 && !marketOf(sim, `wicket:${wicket}:${here}`)) {
    const info = { innings: here, at: wicket, mark: innings.runs };
    session(ctx, sim, `wicket:${wicket}:${here}`, `Fall of ${ordinal(wicket)} wicket, ${code}`, 40, 'session', info);
    if (s.format !== 'T20') {
      session(
        ctx,
        sim,
        `stand:${wicket}:${here}`,
        `${ordinal(wicket)} wicket partnership, ${code}`,
        41,
        'session',
        info,
      );
    }
  }
  for (const at of [innings.striker, innings.nonStriker]) {
    if (innings.batters[at]!.out || marketOf(sim, `batter:${at}:${here}`)) continue;
    const name = playersOf(s, innings.team)[innings.batters[at]!.player]!;
    session(ctx, sim, `batter:${at}:${here}`, `${name} runs`, 50, 'session', { innings: here, at });
  }
  overMarkets(ctx, sim, here, code);
}

function overMarkets(ctx: Ctx, sim: CricketSim, here: number, code: string): void {
  const s = sim.state;
  const innings = current(sim);
  const bowled = Math.floor(innings.balls / 6);
  for (const over of innings.balls % 6 === 0 ? [bowled + 1, bowled + 2] : [bowled + 2]) {
    if (over * 6 > totalBalls(sim) || marketOf(sim, `over:${over}:${here}`)) continue;
    const about = { innings: here, at: over };
    openMarket(ctx, sim, {
      key: `over:${over}:${here}`,
      kind: 'overByover',
      name: `Over ${over} runs, ${code}`,
      runners: [{ runnerId: ctx.ids.next(), name: `Over ${over} runs, ${code}` }],
      info: { sno: 70, marketType: 'overByover', group: 'overs' },
      about,
    });
    if (s.format === 'Test') continue;
    openMarket(ctx, sim, {
      key: `wicketIn:${over}:${here}`,
      kind: 'fancy1',
      name: `Wicket in over ${over}, ${code}`,
      runners: [{ runnerId: ctx.ids.next(), name: `Wicket in over ${over}, ${code}`, stands: 'yes' }],
      info: { sno: 80, marketType: 'fancy1', group: 'wickets' },
      about,
    });
    if (s.format !== 'T20') continue;
    openMarket(ctx, sim, {
      key: `ball:${over}:${here}`,
      kind: 'ballByBall',
      name: `${over - 1}.3 ball runs, ${code}`,
      runners: [{ runnerId: ctx.ids.next(), name: `${over - 1}.3 ball runs, ${code}` }],
      info: { sno: 75, marketType: 'ballByBall', group: 'balls' },
      about: { innings: here, at: (over - 1) * 6 + 3 },
    });
  }
}

/** The next two marks of ten overs, or of five within the last ten. */
function nextMarks(balls: number, total: number): number[] {
  const marks: number[] = [];
  const step = (mark: number): number => (mark >= 240 && total === 300 ? 30 : 60);
  for (let mark = 60; mark < total && marks.length < 3; mark += step(mark)) if (mark > balls) marks.push(mark);
  return marks;
}

function session(
  ctx: Ctx,
  sim: CricketSim,
  key: string,
  name: string,
  sno: number,
  marketType: string,
  about: NonNullable<MarketSpec['about']>,
): void {
  const group = key.startsWith('batter')
    ? 'batters'
    : key.startsWith('runs') || key.startsWith('total')
      ? 'overs'
      : 'wickets';
  const runners = [{ runnerId: ctx.ids.next(), name }];
  openMarket(ctx, sim, { key, kind: 'session', name, runners, info: { sno, marketType, group }, about });
}

function twoWay(ctx: Ctx, sim: CricketSim, key: string, name: string, about: NonNullable<MarketSpec['about']>): void {
  const runners = [
    { runnerId: ctx.ids.next(), name: 'Odd', stands: 'odd' as const },
    { runnerId: ctx.ids.next(), name: 'Even', stands: 'even' as const },
  ];
  const info = { sno: 90, marketType: 'oddEven', group: 'oddEven' as const };
  openMarket(ctx, sim, { key, kind: 'oddEven', name, runners, info, about });
}

/** Three ranges of five runs around the expected score; fixed when the market opens. */
function khado(ctx: Ctx, sim: CricketSim, at: number, code: string): void {
  const from = 33 + Math.round(meanShift(sim) * 4);
  const runners = [0, 1, 2, 3].map((i) => ({
    runnerId: ctx.ids.next(),
    name: `6 over runs ${code} ${from + i * KHADO_WIDTH}-${KHADO_WIDTH}`,
    width: KHADO_WIDTH,
  }));
  openMarket(ctx, sim, {
    key: `khado:36:${at}`,
    kind: 'khado',
    name: `6 over khado, ${code}`,
    runners,
    info: { sno: 95, marketType: 'khado', group: 'other' },
    about: { innings: at, at: 36, mark: from },
  });
}

const meanShift = (sim: CricketSim): number => (current(sim).team === 'A' ? sim.state.strengthA : sim.state.strengthB);

function lastDigit(ctx: Ctx, sim: CricketSim, at: number, code: string, total: number): void {
  const runners = Array.from({ length: 10 }, (_, digit) => ({
    runnerId: ctx.ids.next(),
    name: `Digit ${digit}`,
    digit,
  }));
  openMarket(ctx, sim, {
    key: `digit:${at}`,
    kind: 'cricketCasino',
    name: `${code} innings last digit`,
    runners,
    info: { sno: 96, marketType: 'cricketCasino', group: 'other' },
    about: { innings: at, at: total },
  });
}

function meter(ctx: Ctx, sim: CricketSim, at: number, code: string, total: number): void {
  openMarket(ctx, sim, {
    key: `meter:${at}`,
    kind: 'meter',
    name: `${code} innings meter`,
    runners: [{ runnerId: ctx.ids.next(), name: `${code} innings meter` }],
    info: { sno: 97, marketType: 'meter', group: 'other' },
    maxStakeMinor: METER_MAX_STAKE_MINOR,
    cap: sim.state.format === 'T20' ? 300 : 450,
    about: { innings: at, at: total },
  });
}

function ordinal(n: number): string {
  return `${n}${n === 1 ? 'st' : n === 2 ? 'nd' : n === 3 ? 'rd' : 'th'}`;
}
