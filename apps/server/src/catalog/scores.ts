/** Scoreboards as the contract has them, from what a feed tells, and the one line of each for lists. */
import type { Score, SportKey } from '@fairgame/contract';
import type { Score as FeedScore, TeamSide } from '../feed/feed.ts';

export interface ScoreContext {
  matchType: SportKey;
  teamA: string;
  teamB: string;
  format?: string | undefined;
  distanceMetres?: number | undefined;
  /** Names and numbers of a race's runners. */
  runners?: ReadonlyArray<{ runnerId: number; name: string; clothNumber: number }> | undefined;
}

const OVERS: Readonly<Record<string, number>> = { T20: 20, ODI: 50, T10: 10 };
/** One length of a horse or a dog, in centimetres, to turn beaten lengths into a share of the distance. */
const LENGTH_CM = { horseRacing: 240, greyHound: 80 } as const;
const FINISHED: ReadonlySet<string> = new Set(['FINISHED', 'PHOTOGRAPH', 'RESULT', 'WEIGHEDIN']);

export function toScore(feed: FeedScore, context: ScoreContext): Score {
  const team = (side: TeamSide) => (side === 'A' ? context.teamA : context.teamB);
  switch (feed.sport) {
    case 'cricket':
      return {
        sport: 'cricket',
        format: context.format ?? '',
        maxOvers: OVERS[context.format ?? ''] ?? 0,
        innings: feed.innings.map((innings) => ({
          team: innings.superOver ? `${team(innings.team)} (super over)` : team(innings.team),
          short: shortName(team(innings.team)),
          runs: innings.runs,
          wickets: innings.wickets,
          balls: innings.balls,
          declared: innings.declared,
        })),
        battingIndex: Math.max(0, feed.innings.length - 1),
        target: feed.target > 0 ? feed.target : null,
        line: feed.note || feed.toss,
        note: feed.note,
        currentRunRate: rate(feed.currentRate),
        requiredRunRate: feed.target > 0 ? rate(feed.requiredRate) : '',
        batters: feed.batters.map(({ name, runs, balls, fours, sixes, onStrike }) => ({
          name,
          runs,
          balls,
          fours,
          sixes,
          onStrike,
        })),
        bowlers: feed.bowlers.map(({ name, balls, runs, wickets }) => ({ name, balls, runs, wickets })),
        partnership: { runs: feed.partnership.runs, balls: feed.partnership.balls },
        overs: feed.lastOvers,
        ballRunning: feed.phase === 'ballRunning',
      };
    case 'football': {
      const side = (of: TeamSide) => (of === 'A' ? ('home' as const) : ('away' as const));
      const events = [
        ...feed.goals.map((goal) => ({
          minute: goal.minute,
          side: side(goal.team),
          kind: goal.kind === 'penalty' ? ('penalty' as const) : ('goal' as const),
          player: goal.kind === 'ownGoal' ? `${goal.scorer} (own goal)` : goal.scorer,
        })),
        ...feed.cards.map((card) => ({
          minute: card.minute,
          side: side(card.team),
          kind: card.colour,
          player: card.player,
        })),
      ];
      return {
        sport: 'football',
        home: context.teamA,
        away: context.teamB,
        homeGoals: feed.goalsA,
        awayGoals: feed.goalsB,
        minute: feed.minute,
        phase: PHASES[feed.period],
        clock: feed.added > 0 ? `${feed.minute}+${feed.added}` : String(feed.minute),
        events: events.sort((a, b) => a.minute - b.minute),
      };
    }
    case 'tennis':
      return {
        sport: 'tennis',
        players: [context.teamA, context.teamB],
        sets: feed.sets.map((set) => [set.a, set.b]),
        setsWon: [feed.setsA, feed.setsB],
        points: [points(feed.pointsA), points(feed.pointsB)],
        server: feed.server === 'A' ? 0 : 1,
        bestOf: feed.bestOf,
        line: feed.note,
      };
    case 'race': {
      const sport = context.matchType === 'greyHound' ? 'greyHound' : 'horseRacing';
      const distance = context.distanceMetres ?? 0;
      const byId = new Map(context.runners?.map((runner) => [runner.runnerId, runner]));
      const running = feed.finish.length ? feed.finish : feed.positions;
      return {
        sport,
        progress: feed.status,
        remaining: feed.metresLeft,
        distance,
        order: running.map(({ runnerId, behind }) => {
          const behindShare = distance > 0 ? Math.round((behind * LENGTH_CM[sport]) / (distance * 10)) : 0;
          return {
            runnerId,
            name: byId.get(runnerId)?.name ?? '',
            clothNumber: byId.get(runnerId)?.clothNumber ?? 0,
            share: Math.min(1000, Math.max(0, feed.progress - behindShare)),
          };
        }),
        finished: FINISHED.has(feed.status),
      };
    }
    case 'politics':
      return { sport: 'politics', line: feed.note };
  }
}

/** One line for a list; empty before the start. */
export function scoreLine(score: Score | null): string {
  if (!score) return '';
  switch (score.sport) {
    case 'cricket': {
      const innings = score.innings[score.battingIndex];
      if (!innings) return '';
      const overs = `${Math.floor(innings.balls / 6)}.${innings.balls % 6}`;
      return `${innings.short} ${innings.runs}/${innings.wickets} (${overs})${score.note ? `, ${score.note}` : ''}`;
    }
    case 'football': {
      if (score.phase === 'NS') return '';
      const when = score.phase === 'HT' || score.phase === 'FT' ? score.phase : `${score.clock}'`;
      return `${score.homeGoals}-${score.awayGoals} ${when}`;
    }
    case 'tennis': {
      if (score.sets.length === 0) return '';
      const sets = score.sets.map(([a, b]) => `${a}-${b}`).join(' ');
      return score.points[0] === '0' && score.points[1] === '0' ? sets : `${sets} (${score.points.join('-')})`;
    }
    case 'horseRacing':
    case 'greyHound':
      return score.progress === 'DORMANT' ? '' : (PROGRESS[score.progress] ?? score.progress);
    case 'politics':
      return score.line;
  }
}

const PHASES = { notStarted: 'NS', firstHalf: '1H', halfTime: 'HT', secondHalf: '2H', fullTime: 'FT' } as const;
const PROGRESS: Readonly<Record<string, string>> = {
  PARADING: 'Parading',
  GOINGDOWN: 'Going down',
  ATTHEPOST: 'At the post',
  OFF: 'Running',
  PHOTOGRAPH: 'Photograph',
  FINISHED: 'Finished',
  RESULT: 'Result',
  WEIGHEDIN: 'Weighed in',
};

const rate = (hundredths: number): string => (hundredths / 100).toFixed(2);
const points = (text: string): string => (text === 'AD' ? 'A' : text);

/** AUS, NZ, SA: initials of several words, else the first three letters. */
function shortName(team: string): string {
  const words = team.split(/[\s-]+/).filter((word) => /^\p{L}/u.test(word));
  const letters = words.length > 1 ? words.map((word) => word[0]!).join('') : team.slice(0, 3);
  return letters.slice(0, 4).toUpperCase();
}
