/** Scores as they are asked for and written. Values are texts by name; of the names those of the format are few, the rest are ours. */
import type { Score } from '@fairgame/contract';
import { Given, must } from './given.ts';
import { isoTime } from './numbers.ts';

/** A score of an event, one of those that followed each other. */
export interface ScoreState {
  sequence: number;
  at: number;
  score: Score;
}

export interface ScoredEvent {
  eventId: string;
  eventTypeId: string;
  startAt: number;
  isLive: boolean;
}

export const readAvailable = (params: Given) => ({
  eventIds: params.texts('eventIds'),
  eventTypeIds: params.texts('eventTypeIds'),
  statuses: params.texts('eventStatus'),
});

/** Events by number, each with the sequence that is known of it. */
export function readUpdateKeys(params: Given): Map<string, number> {
  const keys = params.list('updateKeys', (one) => {
    const given = new Given(one, 'updateKeys');
    return [must(given.text('eventId'), 'eventId'), given.int('lastUpdateSequenceProcessed') ?? 0] as const;
  });
  return new Map(must(keys, 'updateKeys'));
}

export const readRaces = (params: Given) => ({
  meetingIds: params.texts('meetingIds'),
  raceIds: params.texts('raceIds'),
});

export const IN_PROGRESS = 'IN_PROGRESS';
export const availableOf = ({ eventId, eventTypeId }: ScoredEvent) => ({
  eventId,
  eventTypeId,
  eventStatus: IN_PROGRESS,
});

export const scoreOf = (event: ScoredEvent, state: ScoreState) => ({
  ...availableOf(event),
  responseCode: 'OK',
  ...updateOf(event, state),
});

/** The states by their place, the oldest first. */
export const incidentsOf = (event: ScoredEvent, states: readonly ScoreState[]) => ({
  ...availableOf(event),
  responseCode: 'OK',
  incidents: Object.fromEntries(states.map((state, n) => [String(n), updateOf(event, state)])),
});

function updateOf(event: ScoredEvent, { sequence, at, score }: ScoreState) {
  const minutes = score.sport === 'football' ? score.minute : Math.max(0, Math.floor((at - event.startAt) / 60_000));
  return {
    updateContext: {
      eventTime: `${minutes}:00`,
      lastUpdated: isoTime(at),
      updateSequence: sequence,
      updateType: 'SCORE',
    },
    values: texts({ isLive: event.isLive, ...valuesOf(score) }),
  };
}

type Values = Record<string, string | number | boolean | null>;

function valuesOf(score: Score): Values {
  switch (score.sport) {
    case 'football':
      return {
        eventTypeStatus: score.phase,
        homeName: score.home,
        awayName: score.away,
        homeGoals: score.homeGoals,
        awayGoals: score.awayGoals,
        clock: score.clock,
      };
    case 'tennis':
      return { eventTypeStatus: score.line, bestOf: score.bestOf, ...playerOf(score, 0), ...playerOf(score, 1) };
    case 'cricket':
      return Object.assign(
        { eventTypeStatus: score.line, target: score.target, ballRunning: score.ballRunning },
        ...score.innings.map(({ team, runs, wickets, balls }, n) => ({
          [`innings${n + 1}Team`]: team,
          [`innings${n + 1}Runs`]: runs,
          [`innings${n + 1}Wickets`]: wickets,
          [`innings${n + 1}Balls`]: balls,
        })),
      ) as Values;
    case 'politics':
      return { eventTypeStatus: score.line };
    default:
      return { eventTypeStatus: score.progress, metresLeft: score.remaining };
  }
}

function playerOf({ players, setsWon, sets, points, server }: Score & { sport: 'tennis' }, at: 0 | 1): Values {
  const name = `player${at + 1}`;
  return {
    [`${name}Name`]: players[at] ?? '',
    [`${name}SetsWon`]: setsWon[at],
    [`${name}GamesWon`]: sets.at(-1)?.[at] ?? 0,
    [`${name}Score`]: points[at],
    [`${name}IsServing`]: server === at,
  };
}

/** What is not known is left out. */
const texts = (values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );

/** A race by its meeting and the time of day at which it starts. */
export const raceIdOf = (eventId: string, startAt: number): string =>
  `${eventId}.${isoTime(startAt).slice(11, 16).replace(':', '')}`;
