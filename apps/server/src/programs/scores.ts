/** Scores as programs read them: the boards of the catalogue, and what each was before. */
import {
  availableOf,
  eventTypeOf,
  type Given,
  IN_PROGRESS,
  incidentsOf,
  isoTime,
  raceIdOf,
  readAvailable,
  readRaces,
  readUpdateKeys,
  type ScoredEvent,
  type ScoreState,
  scoreOf,
  toEventId,
} from '@fairgame/exchange-api';
import type { Catalog, LiveEvent } from '../catalog/catalog.ts';
import type { Operation } from './operations.ts';

/** Of one event. */
const MOST_KEPT = 100;

export class Scores {
  private readonly catalog: Catalog;
  private readonly clock: () => number;
  /** The states of each event since the process began, oldest first. */
  private readonly states = new Map<number, ScoreState[]>();
  private off: () => void = () => undefined;

  constructor(catalog: Catalog, clock: () => number) {
    this.catalog = catalog;
    this.clock = clock;
  }

  /** Keeps what comes from now on. */
  follow(): void {
    this.off = this.catalog.onChange(({ type, eventId }) => {
      if (type === 'score') this.note(eventId);
      else if (type === 'closed') this.states.delete(eventId);
    });
  }

  stop(): void {
    this.off();
  }

  operations(): Record<string, Operation> {
    const read = (run: (params: Given) => object[]): Operation => ({ api: 'betting', run });
    const asked = (params: Given) => {
      const keys = readUpdateKeys(params);
      return this.live().flatMap(({ live, told }) => {
        const known = keys.get(told.eventId);
        return known === undefined ? [] : [{ told, known, states: this.statesOf(live) }];
      });
    };
    return {
      listAvailableEvents: read((params) => {
        const { eventIds, eventTypeIds, statuses } = readAvailable(params);
        if (statuses && !statuses.includes(IN_PROGRESS)) return [];
        return this.live()
          .filter(({ told }) => !eventIds || eventIds.includes(told.eventId))
          .filter(({ told }) => !eventTypeIds || eventTypeIds.includes(told.eventTypeId))
          .map(({ told }) => availableOf(told));
      }),
      listScores: read((params) => asked(params).map(({ told, states }) => scoreOf(told, states.at(-1)!))),
      listIncidents: read((params) =>
        asked(params).map(({ told, known, states }) =>
          incidentsOf(
            told,
            states.filter(({ sequence }) => sequence > known),
          ),
        ),
      ),
      listRaceDetails: read((params) => this.races(readRaces(params))),
    };
  }

  /** Each event here is one race, and so a meeting of its own. */
  private races({ meetingIds, raceIds }: ReturnType<typeof readRaces>): object[] {
    return this.catalog.openEvents().flatMap((live) => {
      if (!live.event.race) return [];
      const meetingId = toEventId(live.id);
      const raceId = raceIdOf(meetingId, live.startAt);
      if ((meetingIds && !meetingIds.includes(meetingId)) || (raceIds && !raceIds.includes(raceId))) return [];
      const { score } = live;
      return {
        meetingId,
        raceId,
        raceStatus: score && 'progress' in score ? score.progress : 'DORMANT',
        lastUpdated: isoTime(this.states.get(live.id)?.at(-1)?.at ?? live.startAt),
        responseCode: 'OK',
      };
    });
  }

  /** Events that have a score and are not over, of sports that the format has a number for. */
  private live(): Array<{ live: LiveEvent; told: ScoredEvent }> {
    return this.catalog.openEvents().flatMap((live) => {
      const eventType = eventTypeOf(live.matchType);
      if (!live.score || !eventType) return [];
      const { id, startAt } = live;
      const isLive = this.catalog.inPlay(id);
      return { live, told: { eventId: toEventId(id), eventTypeId: eventType.id, startAt, isLive } };
    });
  }

  /** At least the one that stands now. */
  private statesOf(live: LiveEvent): readonly ScoreState[] {
    const kept = this.states.get(live.id) ?? [];
    if (kept.at(-1)?.sequence === live.scoreSeq) return kept;
    return [...kept, { sequence: live.scoreSeq, at: live.startAt, score: live.score! }];
  }

  private note(eventId: number): void {
    const live = this.catalog.event(eventId);
    if (!live?.score) return;
    const states = this.states.get(eventId) ?? [];
    if (states.at(-1)?.sequence === live.scoreSeq) return;
    states.push({ sequence: live.scoreSeq, at: this.clock(), score: live.score });
    if (states.length > MOST_KEPT) states.shift();
    this.states.set(eventId, states);
  }
}
