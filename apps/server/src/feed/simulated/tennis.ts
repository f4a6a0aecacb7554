/** A tennis match point by point, its markets and their settlement. */
import type { Result } from '@fairgame/exchange';
import type { TennisScore } from '../feed.ts';
import {
  type Ctx,
  closeEvent,
  declare,
  marketOf,
  openMarket,
  type SimBase,
  type SimMarket,
  suspend,
  turnInPlay,
} from './desk.ts';
import { between, chance, gaussian, type Rng } from './rng.ts';
import { servesPoint, type TennisModel, type TennisState, tennisChances } from './tennisModel.ts';

interface TennisMatch extends TennisState {
  model: TennisModel;
  sets: TennisScore['sets'];
  status: TennisScore['status'];
  finished: number;
  idA: number;
  idB: number;
  /** The line of the total games market, n means n and a half. */
  line: number;
  note: string;
}

export interface TennisSim extends SimBase {
  sport: 'tennis';
  state: TennisMatch;
}

const BET_DELAY_MS = 3000;

export function startTennis(ctx: Ctx, base: SimBase, r: Rng, bestOf: number): TennisSim {
  const level = 0.635 + gaussian(r) * 0.02;
  const edge = Math.max(-0.07, Math.min(0.07, gaussian(r) * 0.032));
  const model: TennisModel = { serveA: round(level + edge / 2), serveB: round(level - edge / 2), bestOf };
  const sim: TennisSim = {
    ...base,
    sport: 'tennis',
    state: {
      model,
      setsA: 0,
      setsB: 0,
      gamesA: 0,
      gamesB: 0,
      pointsA: 0,
      pointsB: 0,
      tieBreak: false,
      aServes: chance(base.play, 0.5),
      gamesBefore: 0,
      sets: [],
      status: 'notStarted',
      finished: 0,
      idA: ctx.ids.next(),
      idB: ctx.ids.next(),
      line: 0,
      note: '',
    },
  };
  sim.nextAt = base.event.startAt;
  const s = sim.state;
  const { games } = tennisChances(model, s);
  let under = 0;
  while (under < 0.5) under += games[s.line++]!;
  s.line--;
  const book = { kind: 'book' as const, betDelayMs: BET_DELAY_MS, main: true };
  openMarket(ctx, sim, {
    ...book,
    key: 'odds',
    name: 'Match Odds',
    runners: players(sim),
    info: { sno: 1, marketType: 'matchOdd' },
    depthMinor: 1_000_000,
  });
  openSet(ctx, sim, 1);
  openMarket(ctx, sim, {
    ...book,
    key: 'games',
    name: `Total Games Over/Under ${s.line}.5`,
    runners: [`Over ${s.line}.5 Games`, `Under ${s.line}.5 Games`].map((name) => ({ runnerId: ctx.ids.next(), name })),
    info: { sno: 8, marketType: 'totalGames' },
    depthMinor: 300_000,
  });
  return sim;
}

export function stepTennis(ctx: Ctx, sim: TennisSim): void {
  const s = sim.state;
  const at = sim.nextAt;
  sim.scoreDirty = true;
  sim.dirty = true;
  switch (s.status) {
    case 'notStarted':
      turnInPlay(ctx, sim, () => BET_DELAY_MS);
      s.status = 'inPlay';
      s.sets.push({ a: 0, b: 0 });
      sim.nextAt = at + 15_000;
      return;
    case 'finished':
      s.finished++;
      if (s.finished === 1) {
        settleAll(ctx, sim);
        sim.nextAt = at + 60_000;
      } else closeEvent(sim);
      return;
    default:
      s.status = 'inPlay';
      point(ctx, sim);
  }
}

export function priceTennis(_ctx: Ctx, sim: TennisSim): void {
  const s = sim.state;
  if (s.status === 'finished') return;
  const chances = tennisChances(s.model, s);
  for (const market of sim.markets) {
    if (market.key === 'odds') market.fair = [chances.match, 1 - chances.match];
    else if (market.key === `set:${s.setsA + s.setsB + 1}`) market.fair = [chances.set, 1 - chances.set];
    else if (market.key === 'games') {
      let over = 0;
      for (let n = s.line + 1; n < chances.games.length; n++) over += chances.games[n]!;
      market.fair = [over, 1 - over];
    }
  }
}

export function tennisScore(sim: TennisSim): TennisScore {
  const s = sim.state;
  const [pointsA, pointsB] = pointWords(s);
  const served = s.tieBreak ? servesPoint(s.pointsA + s.pointsB, s.aServes) : s.aServes;
  return {
    sport: 'tennis',
    status: s.status,
    bestOf: s.model.bestOf,
    sets: s.sets.map((set) => ({ ...set })),
    setsA: s.setsA,
    setsB: s.setsB,
    pointsA,
    pointsB,
    server: served ? 'A' : 'B',
    tieBreak: s.tieBreak,
    note: s.note,
  };
}

function point(ctx: Ctx, sim: TennisSim): void {
  const s = sim.state;
  const aServes = s.tieBreak ? servesPoint(s.pointsA + s.pointsB, s.aServes) : s.aServes;
  const aWins = aServes ? chance(sim.play, s.model.serveA) : !chance(sim.play, s.model.serveB);
  if (aWins) s.pointsA++;
  else s.pointsB++;
  s.note = '';
  sim.nextAt += between(sim.play, 15_000, 25_000);
  const [mine, theirs] = aWins ? [s.pointsA, s.pointsB] : [s.pointsB, s.pointsA];
  if (mine >= (s.tieBreak ? 7 : 4) && mine - theirs >= 2) game(ctx, sim, aWins);
}

function game(ctx: Ctx, sim: TennisSim, aWins: boolean): void {
  const s = sim.state;
  const set = s.sets[s.sets.length - 1]!;
  if (s.tieBreak) set.tieBreak = { a: s.pointsA, b: s.pointsB };
  else if (aWins !== s.aServes) s.note = `Break of serve: ${aWins ? sim.event.teamA : sim.event.teamB}`;
  if (aWins) s.gamesA++;
  else s.gamesB++;
  set.a = s.gamesA;
  set.b = s.gamesB;
  s.pointsA = 0;
  s.pointsB = 0;
  // Whoever served the first point of a tie-break receives first in the next set, as after any game.
  s.aServes = !s.aServes;
  const [mine, theirs] = aWins ? [s.gamesA, s.gamesB] : [s.gamesB, s.gamesA];
  const won = s.tieBreak || (mine >= 6 && mine - theirs >= 2);
  s.tieBreak = false;
  if (won) {
    endSet(ctx, sim, aWins);
    return;
  }
  s.tieBreak = s.gamesA === 6 && s.gamesB === 6;
  if ((s.gamesA + s.gamesB) % 2 === 1 && s.gamesA + s.gamesB > 1) {
    s.status = 'changeover';
    sim.nextAt += 60_000;
  } else sim.nextAt += 12_000;
  settleGames(ctx, sim);
}

function endSet(ctx: Ctx, sim: TennisSim, aWins: boolean): void {
  const s = sim.state;
  const number = s.setsA + s.setsB + 1;
  if (aWins) s.setsA++;
  else s.setsB++;
  s.gamesBefore += s.gamesA + s.gamesB;
  const market = marketOf(sim, `set:${number}`);
  if (market) declare(ctx, sim, market, winner(market, aWins ? 0 : 1));
  s.gamesA = 0;
  s.gamesB = 0;
  settleGames(ctx, sim);
  const need = (s.model.bestOf + 1) / 2;
  if (s.setsA === need || s.setsB === need) {
    s.status = 'finished';
    s.note = `${s.setsA === need ? sim.event.teamA : sim.event.teamB} won ${Math.max(s.setsA, s.setsB)}-${Math.min(s.setsA, s.setsB)}`;
    for (const open of sim.markets) suspend(ctx, open, 'Match over');
    sim.nextAt += 5_000;
    return;
  }
  s.status = 'setBreak';
  s.note = `Set ${number}: ${aWins ? sim.event.teamA : sim.event.teamB}`;
  s.sets.push({ a: 0, b: 0 });
  sim.nextAt += 100_000;
  openSet(ctx, sim, number + 1);
}

function openSet(ctx: Ctx, sim: TennisSim, number: number): void {
  openMarket(ctx, sim, {
    key: `set:${number}`,
    kind: 'book',
    name: `Set ${number} Winner`,
    runners: players(sim),
    info: { sno: 2 + number, marketType: 'setWinner' },
    betDelayMs: BET_DELAY_MS,
    main: true,
    depthMinor: 400_000,
  });
}

/** Over is sure as soon as the games played and those the match must still bring pass the line. */
function settleGames(ctx: Ctx, sim: TennisSim): void {
  const s = sim.state;
  const market = marketOf(sim, 'games');
  if (market && s.gamesBefore + s.gamesA + s.gamesB > s.line) declare(ctx, sim, market, winner(market, 0));
}

function settleAll(ctx: Ctx, sim: TennisSim): void {
  const s = sim.state;
  for (const market of sim.markets.slice()) {
    declare(ctx, sim, market, winner(market, market.key === 'odds' ? (s.setsA > s.setsB ? 0 : 1) : 1));
  }
}

function pointWords(s: TennisMatch): [string, string] {
  if (s.tieBreak) return [String(s.pointsA), String(s.pointsB)];
  if (s.pointsA >= 3 && s.pointsB >= 3) {
    return s.pointsA === s.pointsB ? ['40', '40'] : s.pointsA > s.pointsB ? ['AD', '40'] : ['40', 'AD'];
  }
  const word = (n: number): string => ['0', '15', '30', '40'][n]!;
  return [word(s.pointsA), word(s.pointsB)];
}

function players(sim: TennisSim): Array<{ runnerId: number; name: string }> {
  return [
    { runnerId: sim.state.idA, name: sim.event.teamA },
    { runnerId: sim.state.idB, name: sim.event.teamB },
  ];
}

function winner(market: SimMarket, index: number): Result {
  return { kind: 'winners', runnerIds: [market.def.runners[index]!.runnerId] };
}

const round = (p: number): number => Math.round(p * 1000) / 1000;
