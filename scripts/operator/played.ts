/** What was played and with what result, as words of a command line. */
import type { Own } from './commands.ts';
import { needed, Usage, whole, wholes, words } from './fields.ts';

export const RESULT_OPTIONS = {
  '--winner IDS': 'runners that won',
  '--ranks ID=RANK[,ID=RANK]': 'places; equal ranks tied',
  '--score N': 'runs, for lines and numbers',
  '--yes': 'it happened',
  '--no': 'it did not',
  '--tie': 'nobody won',
  '--void REASON': 'stakes go back',
} as const;

export const PLAYED_OPTIONS = {
  '--rule NAME': 'overSession, testFancy, compareIncomplete, tournament, football, motorRace or basketball',
  '--over N': 'the over a session is named after',
  '--bowled N': 'overs that were completed: of the innings, the session, the day or the match the rule is about',
  '--end WORD': 'allOut, declared, targetReached or oversUp, where the innings ended by itself',
  '--fancy WORD': 'session, firstDayTotal, lambi or otherFancy of a Test',
  '--complete': 'the innings or the match came to its own end',
  '--format WORD': 'ODI or T20',
  '--first OVERS:RUNS:WICKETS:BOUNDARIES[:END]': "of the market's first runner, after over 25 or 10",
  '--second OVERS:RUNS:WICKETS:BOUNDARIES[:END]': 'of its second',
  '--figure WORD': 'fours, sixes or wickets',
  '--matches LIST': 'FOURS:SIXES:WICKETS[,...] of each match; none for one that was abandoned',
  '--at TIME': 'when the match finished or the race concluded',
  '--decided': 'the question was answered before the match was stopped',
  '--left SECONDS': 'left to play',
} as const;

export function resultOf(own: Own): object {
  if (typeof own.winner === 'string') return { kind: 'winners', runnerIds: wholes(own.winner) };
  if (typeof own.ranks === 'string') return { kind: 'ranks', ranks: words(own.ranks).map(rankOf) };
  if (typeof own.score === 'string') return { kind: 'score', score: whole(own.score) };
  if (own.yes || own.no) return { kind: 'yes', yes: Boolean(own.yes) };
  if (own.tie) return { kind: 'tie' };
  if (typeof own.void === 'string') return { kind: 'void', reason: own.void };
  throw new Usage('--winner, --ranks, --score, --yes, --no, --tie or --void is missing.');
}

function rankOf(text: string): { runnerId: number; rank: number } {
  const [runnerId = '', rank = ''] = text.split('=');
  return { runnerId: whole(runnerId), rank: whole(rank) };
}

/** Throws Usage. */
export function playedOf(own: Own): object {
  const rule = needed(own, 'rule');
  const overs = (): number => whole(needed(own, 'bowled'));
  const end = typeof own.end === 'string' ? { end: own.end } : {};
  const at = typeof own.at === 'string' ? own.at : null;
  const perhaps = at !== null || own.decided ? { result: resultOf(own) } : {};
  switch (rule) {
    case 'overSession':
      return { rule, overs: whole(needed(own, 'over')), oversCompleted: overs(), ...end, result: resultOf(own) };
    case 'testFancy': {
      const complete = own.complete ? { complete: true } : {};
      return { rule, fancy: needed(own, 'fancy'), overs: overs(), ...complete, result: resultOf(own) };
    }
    case 'compareIncomplete':
      return {
        rule,
        format: needed(own, 'format'),
        first: scoreOf(needed(own, 'first')),
        second: scoreOf(needed(own, 'second')),
      };
    case 'tournament':
      return { rule, figure: needed(own, 'figure'), matches: words(needed(own, 'matches')).map(figuresOf) };
    case 'football':
      return { rule, playedAt: at, ...(own.decided ? { decided: true } : {}), ...perhaps };
    case 'motorRace':
      return { rule, concludedAt: at, ...perhaps };
    case 'basketball':
      return { rule, secondsLeft: whole(needed(own, 'left')), result: resultOf(own) };
    default:
      throw new Usage(`${rule} is no rule.`);
  }
}

function scoreOf(text: string): object {
  const [oversCompleted, runs, wickets, boundaries, end] = text.split(':');
  return {
    oversCompleted: whole(oversCompleted ?? ''),
    runs: whole(runs ?? ''),
    wickets: whole(wickets ?? ''),
    boundaries: whole(boundaries ?? ''),
    ...(end === undefined ? {} : { end }),
  };
}

function figuresOf(text: string): object | null {
  if (text === 'none') return null;
  const [fours, sixes, wickets] = text.split(':');
  return { fours: whole(fours ?? ''), sixes: whole(sixes ?? ''), wickets: whole(wickets ?? '') };
}
