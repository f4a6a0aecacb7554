/**
 * Chances of a tennis match, exactly: from the chance of a point on serve to a game, a set and the match, with the
 * number of games. Points are independent; a deciding tie-break is like any other.
 */

/** How a set can end: who wins and after how many games (a tie-break counts as one). */
interface SetEnd {
  games: number;
  aWins: boolean;
  p: number;
}

export interface TennisModel {
  /** Chance of a point for the server, A and B. */
  serveA: number;
  serveB: number;
  bestOf: number;
}

export interface TennisState {
  setsA: number;
  setsB: number;
  gamesA: number;
  gamesB: number;
  /** Points in the game or tie-break. */
  pointsA: number;
  pointsB: number;
  tieBreak: boolean;
  /** Who serves this game; in a tie-break who served its first point. */
  aServes: boolean;
  gamesBefore: number;
}

export interface TennisChances {
  match: number;
  set: number;
  /** Total games of the match, index by number. */
  games: Float64Array;
}

const MOST_GAMES = 66;

/** Chance that the server wins a game from these points. */
export function gameChance(p: number, server: number, receiver: number): number {
  if (server >= 4 && server - receiver >= 2) return 1;
  if (receiver >= 4 && receiver - server >= 2) return 0;
  if (server >= 3 && receiver >= 3) {
    const deuce = (p * p) / (p * p + (1 - p) * (1 - p));
    return server === receiver ? deuce : server > receiver ? p + (1 - p) * deuce : p * deuce;
  }
  return p * gameChance(p, server + 1, receiver) + (1 - p) * gameChance(p, server, receiver + 1);
}

/** Chance that A wins the tie-break; `aFirst` served its first point. */
export function tieBreakChance(m: TennisModel, a: number, b: number, aFirst: boolean): number {
  if (a >= 7 && a - b >= 2) return 1;
  if (b >= 7 && b - a >= 2) return 0;
  if (a >= 6 && b >= 6) {
    // From level each pair of points has one serve of each; a point ahead is one serve further.
    const both = m.serveA * (1 - m.serveB);
    const none = (1 - m.serveA) * m.serveB;
    const level = both / (both + none);
    if (a === b) return level;
    const p = servesPoint(a + b, aFirst) ? m.serveA : 1 - m.serveB;
    return a > b ? p + (1 - p) * level : p * level;
  }
  const p = servesPoint(a + b, aFirst) ? m.serveA : 1 - m.serveB;
  return p * tieBreakChance(m, a + 1, b, aFirst) + (1 - p) * tieBreakChance(m, a, b + 1, aFirst);
}

/** The first point by one, then two each. */
export function servesPoint(played: number, aFirst: boolean): boolean {
  return (Math.floor((played + 1) / 2) % 2 === 0) === aFirst;
}

export function tennisChances(m: TennisModel, s: TennisState): TennisChances {
  const memo = tables(m);
  const need = (m.bestOf + 1) / 2;
  const games = new Float64Array(MOST_GAMES + 1);
  let match = 0;
  let set = 0;
  const spread = (setsA: number, setsB: number, aServesNext: boolean, played: number, p: number): void => {
    if (setsA === need || setsB === need) {
      games[Math.min(MOST_GAMES, played)]! += p;
      if (setsA === need) match += p;
      return;
    }
    const rest = memo.rest(setsA, setsB, aServesNext);
    match += p * rest.match;
    rest.games.forEach((mass, n) => {
      if (mass > 0) games[Math.min(MOST_GAMES, played + n)]! += p * mass;
    });
  };
  for (const end of currentSet(m, memo, s)) {
    if (end.aWins) set += end.p;
    // The server changes with each game: an even number of games from here leaves the same one to start.
    const fromHere = end.games - (s.gamesA + s.gamesB);
    const next = fromHere % 2 === 0 ? s.aServes : !s.aServes;
    spread(s.setsA + (end.aWins ? 1 : 0), s.setsB + (end.aWins ? 0 : 1), next, s.gamesBefore + end.games, end.p);
  }
  return { match, set, games };
}

interface Memo {
  set(a: number, b: number, aServes: boolean): SetEnd[];
  rest(setsA: number, setsB: number, aServes: boolean): { match: number; games: Float64Array };
}

const models = new Map<string, Memo>();

function currentSet(m: TennisModel, memo: Memo, s: TennisState): SetEnd[] {
  if (s.tieBreak) {
    const p = tieBreakChance(m, s.pointsA, s.pointsB, s.aServes);
    return [
      { games: 13, aWins: true, p },
      { games: 13, aWins: false, p: 1 - p },
    ];
  }
  const a = s.aServes ? gameChance(m.serveA, s.pointsA, s.pointsB) : 1 - gameChance(m.serveB, s.pointsB, s.pointsA);
  return merge(memo.set(s.gamesA + 1, s.gamesB, !s.aServes), a, memo.set(s.gamesA, s.gamesB + 1, !s.aServes), 1 - a);
}

function tables(m: TennisModel): Memo {
  const key = `${m.serveA}|${m.serveB}|${m.bestOf}`;
  const known = models.get(key);
  if (known) return known;
  const holdA = gameChance(m.serveA, 0, 0);
  const holdB = gameChance(m.serveB, 0, 0);
  const sets = new Map<number, SetEnd[]>();
  const rests = new Map<number, { match: number; games: Float64Array }>();
  const need = (m.bestOf + 1) / 2;
  const memo: Memo = {
    set(a, b, aServes) {
      if ((a === 6 && b <= 4) || a === 7) return [{ games: a + b, aWins: true, p: 1 }];
      if ((b === 6 && a <= 4) || b === 7) return [{ games: a + b, aWins: false, p: 1 }];
      const at = (a * 8 + b) * 2 + (aServes ? 1 : 0);
      const seen = sets.get(at);
      if (seen) return seen;
      let ends: SetEnd[];
      if (a === 6 && b === 6) {
        const p = tieBreakChance(m, 0, 0, aServes);
        ends = [
          { games: 13, aWins: true, p },
          { games: 13, aWins: false, p: 1 - p },
        ];
      } else {
        const p = aServes ? holdA : 1 - holdB;
        ends = merge(memo.set(a + 1, b, !aServes), p, memo.set(a, b + 1, !aServes), 1 - p);
      }
      sets.set(at, ends);
      return ends;
    },
    rest(setsA, setsB, aServes) {
      const at = (setsA * 4 + setsB) * 2 + (aServes ? 1 : 0);
      const seen = rests.get(at);
      if (seen) return seen;
      const out = { match: 0, games: new Float64Array(MOST_GAMES + 1) };
      for (const end of memo.set(0, 0, aServes)) {
        const [a, b] = end.aWins ? [setsA + 1, setsB] : [setsA, setsB + 1];
        if (a === need || b === need) {
          out.games[end.games]! += end.p;
          if (a === need) out.match += end.p;
          continue;
        }
        const next = memo.rest(a, b, end.games % 2 === 0 ? aServes : !aServes);
        out.match += end.p * next.match;
        next.games.forEach((mass, n) => {
          if (mass > 0) out.games[Math.min(MOST_GAMES, n + end.games)]! += end.p * mass;
        });
      }
      rests.set(at, out);
      return out;
    },
  };
  if (models.size > 200) models.clear();
  models.set(key, memo);
  return memo;
}

function merge(x: SetEnd[], px: number, y: SetEnd[], py: number): SetEnd[] {
  const out = new Map<number, SetEnd>();
  for (const [ends, p] of [
    [x, px],
    [y, py],
  ] as const) {
    for (const end of ends) {
      const key = end.games * 2 + (end.aWins ? 1 : 0);
      const seen = out.get(key);
      if (seen) seen.p += end.p * p;
      else out.set(key, { ...end, p: end.p * p });
    }
  }
  return [...out.values()];
}
