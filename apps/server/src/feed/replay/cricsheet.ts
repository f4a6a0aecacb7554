/**
 * Ball-by-ball cricket matches in the Cricsheet JSON format, folded to what betting needs: totals over by over, how each
 * innings ended, the result, and the score a session settles on (exchange reference 14.5 and 12.8). Pure.
 */
import { overSession } from '@fairgame/exchange';

interface CricketOver {
  /** From 0, as in the file. */
  over: number;
  runs: number;
  /** Runs in it that were awarded as a penalty; they stand on the scoreboard and in no session. */
  penaltyRuns: number;
  wickets: number;
  legalBalls: number;
  /** Scoreboard after the over. */
  totalRuns: number;
  totalWickets: number;
}

interface CricketInningsFold {
  team: string;
  overs: CricketOver[];
  runs: number;
  wickets: number;
  /** Penalty runs outside deliveries; part of `runs`. */
  penaltyPre: number;
  penaltyPost: number;
  declared: boolean;
  allOut: boolean;
  /** Runs needed to win, 0 when the side set the target itself. */
  target: number;
  targetReached: boolean;
}

interface CricketOutcome {
  winner: string | null;
  by: { runs?: number; wickets?: number; innings?: number };
  result: 'won' | 'tie' | 'draw' | 'noResult';
  /** Who won the super over or the bowl-out of a tie. */
  decider: string | null;
  /** "D/L", "Awarded" and the like. */
  method: string | null;
}

export interface CricketMatch {
  teams: string[];
  matchType: string;
  /** Overs a side, 0 where there is no limit. */
  overs: number;
  ballsPerOver: number;
  /** Super overs are not innings of the match: they stand apart and count in no session. */
  innings: CricketInningsFold[];
  superOvers: CricketInningsFold[];
  outcome: CricketOutcome;
}

/** A file that is not a match of this format; the message names the place. */
export class NotCricsheet extends Error {}

/** Folds a parsed file. Throws NotCricsheet. */
export function foldCricsheet(json: unknown): CricketMatch {
  const file = object(json, 'the file');
  const info = object(file.info, 'info');
  const ballsPerOver = count(info.balls_per_over) || 6;
  const raw = array(file.innings ?? [], 'innings').map((one, at) => object(one, `innings[${at}]`));
  const fold = (one: Record<string, unknown>): CricketInningsFold =>
    foldInnings(one, count(object(one.target ?? {}, 'target').runs));
  return {
    teams: array(info.teams, 'info.teams').map((team) => text(team, 'info.teams')),
    matchType: text(info.match_type, 'info.match_type'),
    overs: count(info.overs),
    ballsPerOver,
    innings: raw.filter((one) => one.super_over !== true).map(fold),
    superOvers: raw.filter((one) => one.super_over === true).map(fold),
    outcome: foldOutcome(object(info.outcome, 'info.outcome')),
  };
}

/**
 * The score a session "runs after `overs` overs" of an innings (from 0) settles on, or null when it is void: the over was
 * never finished, and the innings did not end by itself (all out, declared, target reached). Penalty runs do not count.
 */
export function sessionScore(match: CricketMatch, innings: number, overs: number): number | null {
  const played = match.innings[innings];
  if (!played || !(overs >= 1)) return null;
  const until = played.overs.filter((over) => over.over < overs);
  const runs = until.reduce((sum, over) => sum + over.runs - over.penaltyRuns, 0);
  const end = played.allOut ? 'allOut' : played.declared ? 'declared' : played.targetReached ? 'targetReached' : null;
  const last = played.overs.find((over) => over.over === overs - 1);
  // An over that another one follows is finished however many balls the umpire counted.
  const finished =
    last !== undefined && (last.legalBalls >= match.ballsPerOver || played.overs.some((over) => over.over >= overs));
  const oversCompleted = finished ? overs : overs - 1;
  return overSession({ oversCompleted, end }, overs) === null ? runs : null;
}

/** What match odds settle on. A tie and a match without a result are the market's rule to judge. */
export function matchResult(
  match: CricketMatch,
):
  | { kind: 'winner'; team: string }
  | { kind: 'tie'; decider: string | null }
  | { kind: 'draw' }
  | { kind: 'noResult' } {
  const { outcome } = match;
  if (outcome.result === 'won' && outcome.winner !== null) return { kind: 'winner', team: outcome.winner };
  if (outcome.result === 'tie') return { kind: 'tie', decider: outcome.decider };
  return outcome.result === 'draw' ? { kind: 'draw' } : { kind: 'noResult' };
}

// ---------------------------------------------------------------------------------------------------- fold

function foldInnings(raw: Record<string, unknown>, target: number): CricketInningsFold {
  const penalty = object(raw.penalty_runs ?? {}, 'penalty_runs');
  const penaltyPre = count(penalty.pre);
  const penaltyPost = count(penalty.post);
  let runs = penaltyPre;
  let wickets = 0;
  const overs: CricketOver[] = [];
  for (const rawOver of array(raw.overs ?? [], 'overs')) {
    const entry = object(rawOver, 'over');
    const over: CricketOver = {
      over: count(entry.over),
      runs: 0,
      penaltyRuns: 0,
      wickets: 0,
      legalBalls: 0,
      totalRuns: 0,
      totalWickets: 0,
    };
    for (const rawBall of array(entry.deliveries, 'deliveries')) {
      const ball = object(rawBall, 'delivery');
      const extras = object(ball.extras ?? {}, 'extras');
      over.runs += count(object(ball.runs, 'runs').total);
      over.penaltyRuns += count(extras.penalty);
      over.wickets += array(ball.wickets ?? [], 'wickets').filter(isWicket).length;
      if (extras.wides === undefined && extras.noballs === undefined) over.legalBalls++;
    }
    runs += over.runs;
    wickets += over.wickets;
    overs.push({ ...over, totalRuns: runs, totalWickets: wickets });
  }
  runs += penaltyPost;
  const absent = array(raw.absent_hurt ?? [], 'absent_hurt').length;
  return {
    team: text(raw.team, 'innings.team'),
    overs,
    runs,
    wickets,
    penaltyPre,
    penaltyPost,
    declared: raw.declared === true,
    allOut: wickets + absent >= 10,
    target,
    targetReached: target > 0 && runs >= target,
  };
}

function isWicket(raw: unknown): boolean {
  const kind = object(raw, 'wicket').kind;
  return kind !== 'retired hurt' && kind !== 'retired not out';
}

function foldOutcome(raw: Record<string, unknown>): CricketOutcome {
  const by = object(raw.by ?? {}, 'outcome.by');
  const winner = typeof raw.winner === 'string' ? raw.winner : null;
  const word = raw.result;
  const decider = raw.eliminator ?? raw.bowl_out;
  return {
    winner,
    by: {
      ...(by.runs !== undefined && { runs: count(by.runs) }),
      ...(by.wickets !== undefined && { wickets: count(by.wickets) }),
      ...(by.innings !== undefined && { innings: count(by.innings) }),
    },
    result: winner !== null ? 'won' : word === 'tie' ? 'tie' : word === 'draw' ? 'draw' : 'noResult',
    decider: typeof decider === 'string' ? decider : null,
    method: typeof raw.method === 'string' ? raw.method : null,
  };
}

// ---------------------------------------------------------------------------------------------------- shapes

function object(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NotCricsheet(`${where} is not an object`);
  return value as Record<string, unknown>;
}

function array(value: unknown, where: string): unknown[] {
  if (!Array.isArray(value)) throw new NotCricsheet(`${where} is not a list`);
  return value;
}

function text(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new NotCricsheet(`${where} is not text`);
  return value;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}
