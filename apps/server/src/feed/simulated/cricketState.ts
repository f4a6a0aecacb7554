/** A cricket match as plain data, and the small questions everybody asks of it. */
import type { CricketPhase, TeamSide } from '../feed.ts';
import { inningsBalls, type Strength } from './cricketModel.ts';
import type { SimBase } from './desk.ts';

export interface BatterLine {
  player: number;
  runs: number;
  balls: number;
  fours: number;
  sixes: number;
  out: boolean;
}

interface BowlerLine {
  player: number;
  balls: number;
  runs: number;
  wickets: number;
}

export interface InningsState {
  team: TeamSide;
  runs: number;
  wickets: number;
  balls: number;
  declared: boolean;
  ended: boolean;
  superOver: boolean;
  /** Runs to win this innings; 0 without a target. */
  target: number;
  batters: BatterLine[];
  striker: number;
  nonStriker: number;
  bowlers: BowlerLine[];
  bowler: number;
  previousBowler: number;
  partnership: { runs: number; balls: number; fours: number; sixes: number };
  /** The last three overs, the current one last. */
  overs: Array<{ over: number; balls: string[]; runs: number; wicket: boolean; boundary: boolean }>;
}

export interface CricketState {
  format: 'T20' | 'ODI' | 'Test';
  /** Of each side's batting against the other's bowling on this pitch. */
  strengthA: Strength;
  strengthB: Strength;
  playersA: string[];
  playersB: string[];
  skillsA: number[];
  skillsB: number[];
  codeA: string;
  codeB: string;
  toss: string;
  /** Empty until the toss. */
  first: TeamSide | '';
  phase: CricketPhase;
  innings: InningsState[];
  /** Legal balls of the whole match and, for a Test, of the day. */
  balls: number;
  day: number;
  /** Rain comes after this many legal balls of the match; -1 for a dry day. */
  rainAt: number;
  rainEndsMatch: boolean;
  /** side A, side B, level, draw or no result; empty while it is on. */
  winner: TeamSide | 'tie' | 'draw' | 'none' | '';
  result: string;
  /** Betting is open again during the break between innings. */
  breakOpen: boolean;
  finished: number;
  idA: number;
  idB: number;
  idDraw: number;
  /** Test: last worked-out chances, [A, B, draw], and when (balls). */
  chances: { at: number; values: [number, number, number] } | null;
}

export interface CricketSim extends SimBase {
  sport: 'cricket';
  state: CricketState;
}

/** How many runs a khado row covers. */
export const KHADO_WIDTH = 5;

export const current = (sim: CricketSim): InningsState => sim.state.innings[sim.state.innings.length - 1]!;
export const other = (side: TeamSide): TeamSide => (side === 'A' ? 'B' : 'A');
export const strengthOf = (s: CricketState, side: TeamSide): Strength => (side === 'A' ? s.strengthA : s.strengthB);
export const playersOf = (s: CricketState, side: TeamSide): string[] => (side === 'A' ? s.playersA : s.playersB);
export const teamName = (sim: CricketSim, side: TeamSide): string => (side === 'A' ? sim.event.teamA : sim.event.teamB);
export const codeOf = (s: CricketState, side: TeamSide): string => (side === 'A' ? s.codeA : s.codeB);
export const lastOver = (sim: CricketSim): InningsState['overs'][number] => {
  const innings = current(sim);
  return innings.overs[innings.overs.length - 1]!;
};
/** Legal balls left in the innings; a Test innings has no last ball of its own. */
export function ballsLeftOf(s: CricketState, innings: InningsState): number {
  if (innings.superOver) return 6 - innings.balls;
  return s.format === 'Test' ? 100_000 : inningsBalls(s.format) - innings.balls;
}

/** Lead of the side now batting in a Test. */
export function leadOf(s: CricketState): number {
  const team = s.innings[s.innings.length - 1]!.team;
  return s.innings.reduce((sum, innings) => sum + (innings.team === team ? innings.runs : -innings.runs), 0);
}

/** "1 run", "24 runs". */
export const counted = (count: number, what: 'run' | 'wicket'): string => `${count} ${what}${count === 1 ? '' : 's'}`;
