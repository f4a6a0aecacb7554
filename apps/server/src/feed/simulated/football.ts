/**
 * A football match: goals, cards, corners, injury time, now and then a video review; the markets on it and their
 * settlement. The clock runs at twice the real pace; half-time is five minutes.
 */
import type { QuoteRow, Result } from '@fairgame/exchange';
import type { FootballScore, TeamSide } from '../feed.ts';
import {
  type Ctx,
  closeEvent,
  declare,
  isBook,
  marketOf,
  openMarket,
  resume,
  row,
  type SimBase,
  type SimMarket,
  setRows,
  suspend,
  turnInPlay,
} from './desk.ts';
import { EXPECTED_ADDED, type FootballChances, footballChances, goalRate, SIDE } from './footballModel.ts';
import { rateQuotes } from './ladder.ts';
import { type Fixture, teamSheet } from './names.ts';
import { between, chance, gaussian, pick, type Rng, uniform } from './rng.ts';

interface FootballState {
  /** Goals expected in a whole match; red cards bend them. */
  lambdaA: number;
  lambdaB: number;
  playersA: string[];
  playersB: string[];
  period: FootballScore['period'];
  /** Seconds of play of the half. */
  clock: number;
  /** Injury minutes of the half; announced in its last minute. */
  added: number;
  announced: boolean;
  goalsA: number;
  goalsB: number;
  halfTimeA: number;
  halfTimeB: number;
  goals: FootballScore['goals'];
  cards: FootballScore['cards'];
  cornersA: number;
  cornersB: number;
  /** Steps until the books open again; 0 when they are open. */
  suspendedFor: number;
  /** A goal under review, and whether it will stand. */
  review: { team: TeamSide; stands: boolean } | null;
  note: string;
  finished: number;
  idA: number;
  idB: number;
  idDraw: number;
}

export interface FootballSim extends SimBase {
  sport: 'football';
  state: FootballState;
}

/** One step is this much play, at twice the real pace. */
const STEP_PLAY_S = 15;
const STEP_MS = 7_500;
const HALF_TIME_MS = 5 * 60_000;
const RED_PER_MINUTE = 0.0009;
const YELLOW_PER_MINUTE = 0.02;
const CORNER_PER_MINUTE = 0.055;
const REVIEW_SHARE = 0.1;
const LINES = [0, 1, 2, 3, 4];
/** What all takers together may take of a quote before it is told again: twenty of the largest bets. */
const BOOKMAKER_SIZE_MINOR = 10_000_000;

export function startFootball(ctx: Ctx, base: SimBase, r: Rng, fixture: Fixture): FootballSim {
  const edge = gaussian(r) * 0.38;
  const tempo = Math.exp(gaussian(r) * 0.14);
  const sim: FootballSim = {
    ...base,
    sport: 'football',
    state: {
      lambdaA: 1.5 * tempo * Math.exp(edge),
      lambdaB: 1.2 * tempo * Math.exp(-edge),
      playersA: teamSheet(fixture.home.name, 14),
      playersB: teamSheet(fixture.away.name, 14),
      period: 'notStarted',
      clock: 0,
      added: 0,
      announced: false,
      goalsA: 0,
      goalsB: 0,
      halfTimeA: 0,
      halfTimeB: 0,
      goals: [],
      cards: [],
      cornersA: 0,
      cornersB: 0,
      suspendedFor: 0,
      review: null,
      note: '',
      finished: 0,
      idA: ctx.ids.next(),
      idB: ctx.ids.next(),
      idDraw: ctx.ids.next(),
    },
  };
  sim.nextAt = base.event.startAt;
  openMarkets(ctx, sim);
  return sim;
}

export function stepFootball(ctx: Ctx, sim: FootballSim): void {
  const s = sim.state;
  const at = sim.nextAt;
  sim.nextAt = at + STEP_MS;
  switch (s.period) {
    case 'notStarted':
      turnInPlay(ctx, sim, (market) => (market.def.kind === 'book' ? 6000 : 0));
      startHalf(sim, 'firstHalf', between(sim.play, 1, 4));
      return;
    case 'halfTime':
      startHalf(sim, 'secondHalf', between(sim.play, 3, 7));
      return;
    case 'fullTime':
      s.finished++;
      if (s.finished === 1) {
        settleAll(ctx, sim);
        sim.nextAt = at + 60_000;
      } else closeEvent(sim);
      return;
    default:
      play(ctx, sim);
  }
}

export function priceFootball(ctx: Ctx, sim: FootballSim): void {
  const s = sim.state;
  if (s.period === 'fullTime') return;
  const [meanA, meanB] = remaining(s);
  const chances = footballChances(s.goalsA, s.goalsB, meanA, meanB);
  for (const market of sim.markets) {
    if (isBook(market)) market.fair = fairOf(market, chances);
    else if (s.suspendedFor === 0) setRows(ctx, market, bookmakerRows(market, chances));
  }
}

export function footballScore(sim: FootballSim): FootballScore {
  const s = sim.state;
  const { minute, added } = clockOf(s);
  return {
    sport: 'football',
    period: s.period,
    minute,
    added,
    addedAnnounced: s.announced ? s.added : 0,
    goalsA: s.goalsA,
    goalsB: s.goalsB,
    halfTimeA: s.halfTimeA,
    halfTimeB: s.halfTimeB,
    goals: s.goals.slice(),
    cards: s.cards.slice(),
    cornersA: s.cornersA,
    cornersB: s.cornersB,
    note: s.note,
  };
}

/** Goals still expected of A and B. */
function remaining(s: FootballState): [number, number] {
  const first =
    s.period === 'notStarted'
      ? 45 + EXPECTED_ADDED[0]
      : s.period === 'firstHalf'
        ? Math.max(0, 45 + (s.announced ? s.added : EXPECTED_ADDED[0]) - s.clock / 60)
        : 0;
  const second =
    s.period === 'secondHalf'
      ? Math.max(0, 45 + (s.announced ? s.added : EXPECTED_ADDED[1]) - s.clock / 60)
      : s.period === 'fullTime'
        ? 0
        : 45 + EXPECTED_ADDED[1];
  const mean = (lambda: number): number => goalRate(lambda, 0) * first + goalRate(lambda, 1) * second;
  return [mean(s.lambdaA), mean(s.lambdaB)];
}

function openMarkets(ctx: Ctx, sim: FootballSim): void {
  const s = sim.state;
  const three = [
    { runnerId: s.idA, name: sim.event.teamA },
    { runnerId: s.idB, name: sim.event.teamB },
    { runnerId: s.idDraw, name: 'The Draw' },
  ];
  const book = { kind: 'book' as const, lapseOnSuspend: true, betDelayMs: 6000, main: true };
  openMarket(ctx, sim, {
    ...book,
    key: 'odds',
    name: 'Match Odds',
    runners: three,
    info: { sno: 1, marketType: 'matchOdd' },
    depthMinor: 1_200_000,
  });
  if (sim.slot % 3 === 0) {
    const info = { sno: 2, marketType: 'bookmaker' };
    openMarket(ctx, sim, { key: 'bookmaker', kind: 'bookmaker', name: 'Bookmaker', runners: three, info, main: true });
  }
  const two = (names: string[]): Array<{ runnerId: number; name: string }> =>
    names.map((name) => ({ runnerId: ctx.ids.next(), name }));
  for (const line of LINES) {
    openMarket(ctx, sim, {
      ...book,
      key: `over:${line}`,
      name: `Over/Under ${line}.5 Goals`,
      runners: two([`Over ${line}.5 Goals`, `Under ${line}.5 Goals`]),
      info: { sno: 5 + line, marketType: 'overUnder' },
      depthMinor: 500_000,
    });
  }
  openMarket(ctx, sim, {
    ...book,
    key: 'both',
    name: 'Both Teams To Score',
    runners: two(['Yes', 'No']),
    info: { sno: 11, marketType: 'bothTeamsToScore' },
    depthMinor: 350_000,
  });
  const scores: string[] = [];
  for (let a = 0; a <= 3; a++) for (let b = 0; b <= 3; b++) scores.push(`${a} - ${b}`);
  openMarket(ctx, sim, {
    ...book,
    key: 'score',
    name: 'Correct Score',
    runners: two([...scores, 'Any Other Home Win', 'Any Other Away Win', 'Any Other Draw']),
    info: { sno: 21, marketType: 'correctScore' },
    main: false,
    depthMinor: 200_000,
  });
}

function startHalf(sim: FootballSim, period: 'firstHalf' | 'secondHalf', added: number): void {
  const s = sim.state;
  s.period = period;
  s.clock = 0;
  s.added = added;
  s.announced = false;
  s.note = period === 'firstHalf' ? 'Kick-off' : 'Second half under way';
  sim.dirty = true;
  sim.scoreDirty = true;
}

function play(ctx: Ctx, sim: FootballSim): void {
  const s = sim.state;
  const r = sim.play;
  const half = s.period === 'firstHalf' ? 0 : 1;
  s.clock += STEP_PLAY_S;
  const minutes = STEP_PLAY_S / 60;
  if (s.suspendedFor > 0 && --s.suspendedFor === 0) reopen(ctx, sim);
  if (!s.review) {
    // Overturned goals come on top, so that those that count keep their rate.
    const seen = 1 / (1 - REVIEW_SHARE / 2);
    const a = goalRate(s.lambdaA, half) * minutes * seen;
    const b = goalRate(s.lambdaB, half) * minutes * seen;
    const u = uniform(r);
    if (u < a) shot(ctx, sim, 'A');
    else if (u < a + b) shot(ctx, sim, 'B');
  }
  incidents(ctx, sim, minutes);
  if (!s.announced && s.clock >= 44 * 60) {
    s.announced = true;
    s.note = `${s.added} minute${s.added === 1 ? '' : 's'} of injury time`;
  }
  if (s.clock % 60 === 0) {
    sim.dirty = true;
    sim.scoreDirty = true;
  }
  if (s.clock < (45 + s.added) * 60 || s.review || s.suspendedFor > 0) return;
  sim.dirty = true;
  sim.scoreDirty = true;
  if (half === 0) {
    s.period = 'halfTime';
    s.note = 'Half-time';
    s.halfTimeA = s.goalsA;
    s.halfTimeB = s.goalsB;
    sim.nextAt += HALF_TIME_MS;
  } else {
    s.period = 'fullTime';
    s.note = 'Full time';
    for (const market of sim.markets) suspend(ctx, market, 'Full time');
    sim.nextAt += 12_000;
  }
}

/** The ball is in the net: all books shut at once; one in ten is looked at again, and half of those do not count. */
function shot(ctx: Ctx, sim: FootballSim, team: TeamSide): void {
  const s = sim.state;
  const review = chance(sim.play, REVIEW_SHARE);
  for (const market of sim.markets) suspend(ctx, market, review ? 'VAR' : 'Goal');
  s.suspendedFor = review ? between(sim.play, 7, 11) : between(sim.play, 4, 8);
  sim.scoreDirty = true;
  sim.dirty = true;
  if (review) {
    s.review = { team, stands: chance(sim.play, 0.5) };
    s.note = `VAR check: ${team === 'A' ? sim.event.teamA : sim.event.teamB}, possible goal`;
  } else goal(ctx, sim, team);
}

function goal(ctx: Ctx, sim: FootballSim, team: TeamSide): void {
  const s = sim.state;
  const r = sim.play;
  const { minute, added } = clockOf(s);
  const kind = uniform(r) < 0.08 ? 'penalty' : uniform(r) < 0.03 ? 'ownGoal' : 'goal';
  const own = team === 'A' ? s.playersA : s.playersB;
  const others = team === 'A' ? s.playersB : s.playersA;
  // Forwards stand at the end of the sheet's first eleven.
  const scorer = kind === 'ownGoal' ? others[between(r, 1, 5)]! : own[Math.max(between(r, 1, 10), between(r, 1, 10))]!;
  s.goals.push({ minute, added, team, scorer, kind });
  if (team === 'A') s.goalsA++;
  else s.goalsB++;
  s.note = `Goal: ${team === 'A' ? sim.event.teamA : sim.event.teamB}, ${scorer}`;
  sim.scoreDirty = true;
  sim.dirty = true;
  settleDecided(ctx, sim);
}

function reopen(ctx: Ctx, sim: FootballSim): void {
  const s = sim.state;
  const review = s.review;
  s.review = null;
  s.note = '';
  sim.scoreDirty = true;
  if (review?.stands) {
    goal(ctx, sim, review.team);
    s.suspendedFor = 3;
    return;
  }
  if (review) s.note = 'VAR: no goal';
  for (const market of sim.markets) resume(sim, market);
}

function incidents(ctx: Ctx, sim: FootballSim, minutes: number): void {
  const s = sim.state;
  const r = sim.play;
  for (const team of ['A', 'B'] as const) {
    const players = team === 'A' ? s.playersA : s.playersB;
    if (chance(r, CORNER_PER_MINUTE * minutes)) {
      s[team === 'A' ? 'cornersA' : 'cornersB']++;
      sim.scoreDirty = true;
    }
    const at = clockOf(s);
    if (chance(r, YELLOW_PER_MINUTE * minutes)) {
      s.cards.push({ ...at, team, player: pick(r, players.slice(1, 11)), colour: 'yellow' });
      sim.scoreDirty = true;
    }
    if (chance(r, RED_PER_MINUTE * minutes)) {
      s.cards.push({ ...at, team, player: pick(r, players.slice(1, 11)), colour: 'red' });
      s.lambdaA *= team === 'A' ? 0.72 : 1.22;
      s.lambdaB *= team === 'B' ? 0.72 : 1.22;
      s.note = `Red card: ${team === 'A' ? sim.event.teamA : sim.event.teamB}`;
      sim.scoreDirty = true;
      sim.dirty = true;
      if (s.review) continue;
      for (const market of sim.markets) suspend(ctx, market, 'Red Card');
      s.suspendedFor = Math.max(s.suspendedFor, 4);
    }
  }
}

function clockOf(s: FootballState): { minute: number; added: number } {
  if (s.period === 'notStarted') return { minute: 0, added: 0 };
  if (s.period === 'halfTime') return { minute: 45, added: 0 };
  if (s.period === 'fullTime') return { minute: 90, added: 0 };
  const minute = Math.floor(s.clock / 60) + 1;
  const start = s.period === 'firstHalf' ? 0 : 45;
  return { minute: start + Math.min(45, minute), added: Math.max(0, minute - 45) };
}

function fairOf(market: SimMarket, chances: FootballChances): number[] {
  if (market.key === 'odds') return [chances.home, chances.away, chances.draw];
  if (market.key === 'both') return [chances.bothScore, 1 - chances.bothScore];
  if (market.key.startsWith('over')) {
    const over = chances.over[Number(market.key.slice(5))]!;
    return [over, 1 - over];
  }
  const fair = market.def.runners.map(() => 0);
  chances.grid.forEach((p, i) => {
    fair[scoreRunner(Math.floor(i / SIDE), i % SIDE)]! += p;
  });
  return fair;
}

function scoreRunner(a: number, b: number): number {
  if (a <= 3 && b <= 3) return a * 4 + b;
  return a > b ? 16 : a < b ? 17 : 18;
}

function bookmakerRows(market: SimMarket, chances: FootballChances): QuoteRow[] {
  return [chances.home, chances.away, chances.draw].map((p, i) => {
    const { back, lay } = rateQuotes(p, 0.02, BOOKMAKER_SIZE_MINOR);
    return row(market.def.runners[i]!.runnerId, back, lay);
  });
}

/** Over/under and both-to-score close as soon as they are decided while the rest play on. */
function settleDecided(ctx: Ctx, sim: FootballSim): void {
  const s = sim.state;
  for (const line of LINES) {
    const market = marketOf(sim, `over:${line}`);
    if (market && s.goalsA + s.goalsB > line) declare(ctx, sim, market, winner(market, 0));
  }
  const both = marketOf(sim, 'both');
  if (both && s.goalsA > 0 && s.goalsB > 0) declare(ctx, sim, both, winner(both, 0));
}

function settleAll(ctx: Ctx, sim: FootballSim): void {
  const s = sim.state;
  for (const market of sim.markets.slice()) {
    if (market.key === 'odds' || market.key === 'bookmaker') {
      declare(ctx, sim, market, winner(market, s.goalsA > s.goalsB ? 0 : s.goalsA < s.goalsB ? 1 : 2));
    } else if (market.key === 'score') declare(ctx, sim, market, winner(market, scoreRunner(s.goalsA, s.goalsB)));
    else declare(ctx, sim, market, winner(market, 1));
  }
}

function winner(market: SimMarket, index: number): Result {
  return { kind: 'winners', runnerIds: [market.def.runners[index]!.runnerId] };
}
