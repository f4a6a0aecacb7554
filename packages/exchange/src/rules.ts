/**
 * When a market stands and when it is void: the rules of the sports (specification 9, exchange reference 12.8). Pure
 * questions about what was played; whoever settles a market asks them and declares `void` with the reason they give.
 * Overs are completed overs. Penalty runs and super overs belong to no session, so callers leave them out.
 */

/** Null when the market stands, else the reason players read at their void bets. */
export type VoidReason = string | null;

/** How an innings ended by itself. Rain, bad light and the end of play do not end an innings; null for those. */
export type InningsEnd = 'allOut' | 'declared' | 'targetReached' | 'oversUp' | null;

export interface InningsPlayed {
  oversCompleted: number;
  end: InningsEnd;
}

/** "Runs after n overs": valid when that over was completed or the innings ended before it. */
export function overSession(played: InningsPlayed, overs: number): VoidReason {
  return played.oversCompleted >= overs || played.end !== null ? null : `Over ${overs} was not completed`;
}

/** Least number of completed overs: of the session, of the first day, of the innings, of the match. */
export const TEST_LEAST_OVERS = { session: 25, firstDayTotal: 80, lambi: 70, otherFancy: 300 } as const;

export type TestFancy = keyof typeof TEST_LEAST_OVERS;

/**
 * Test cricket. `overs` are those of the session, day, innings or match the market is about. `complete` says that what
 * the market is about came to its own end: the innings (lambi) or the match (other fancies) with fewer overs. A session
 * and a first day have no end but the clock's, so it does not help them.
 */
export function testFancy(kind: TestFancy, overs: number, complete = false): VoidReason {
  const least = TEST_LEAST_OVERS[kind];
  if (overs >= least || (complete && (kind === 'lambi' || kind === 'otherFancy'))) return null;
  return `${overs} of the ${least} overs needed were bowled`;
}

/** After how many overs an incomplete match is decided for markets that compare the teams. */
export const COMPARED_AFTER_OVERS = { ODI: 25, T20: 10 } as const;

export interface ScoreAtOver extends InningsPlayed {
  /** All three as they stood after the over of COMPARED_AFTER_OVERS, or at the end of an innings that ended before it. */
  runs: number;
  wickets: number;
  boundaries: number;
}

/** An incomplete match: more runs, then fewer wickets, then more boundaries; null is no result. */
export function compareIncomplete(
  format: keyof typeof COMPARED_AFTER_OVERS,
  first: ScoreAtOver,
  second: ScoreAtOver,
): 'first' | 'second' | null {
  const overs = COMPARED_AFTER_OVERS[format];
  if (overSession(first, overs) !== null || overSession(second, overs) !== null) return null;
  const lead = first.runs - second.runs || second.wickets - first.wickets || first.boundaries - second.boundaries;
  return lead === 0 ? null : lead > 0 ? 'first' : 'second';
}

export interface TournamentFigures {
  fours: number;
  sixes: number;
  wickets: number;
}

/** What an abandoned match counts for in the totals of a tournament: the averages of the world cup special. */
export const WORLD_CUP_AVERAGES: TournamentFigures = { fours: 45, sixes: 11, wickets: 15 };

/** Totals of a tournament; null stands for an abandoned match and takes the averages. */
export function tournamentTotals(
  matches: ReadonlyArray<TournamentFigures | null>,
  averages: TournamentFigures = WORLD_CUP_AVERAGES,
): TournamentFigures {
  const sum = { fours: 0, sixes: 0, wickets: 0 };
  for (const match of matches) {
    const figures = match ?? averages;
    sum.fours += figures.fours;
    sum.sixes += figures.sixes;
    sum.wickets += figures.wickets;
  }
  return sum;
}

const HOUR_MS = 3_600_000;

export const FOOTBALL_VOID_AFTER_MS = 48 * HOUR_MS;

/**
 * Football: void when no match was played within 48 hours of its time. `playedAt` is when it finished, null while it has
 * not. Stands (null) as long as it may still be played. `decided`: the market's question was answered before the stop.
 */
export function footballStands(
  match: { startAt: number; playedAt: number | null; decided?: boolean },
  now: number,
): VoidReason {
  const until = match.startAt + FOOTBALL_VOID_AFTER_MS;
  if (match.decided || (match.playedAt ?? now) <= until) return null;
  return 'No match within 48 hours';
}

export const MOTOR_RACE_WITHIN_MS = 72 * HOUR_MS;

/** Motor sports: bets stand if the race concludes within 72 hours of its start time. */
export function motorRaceStands(race: { startAt: number; concludedAt: number | null }, now: number): VoidReason {
  if ((race.concludedAt ?? now) <= race.startAt + MOTOR_RACE_WITHIN_MS) return null;
  return 'The race did not conclude within 72 hours';
}

export const BASKETBALL_LEFT_MS = 5 * 60_000;

/** Basketball, stopped before its end: bets stand with 5 minutes or less left to play. */
export function basketballStands(leftMs: number): VoidReason {
  return leftMs <= BASKETBALL_LEFT_MS ? null : 'More than 5 minutes were left when the match was stopped';
}
