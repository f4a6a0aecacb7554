/** Races by country and meeting, and the race card (specification 7, Matches; exchange reference 13). */
import {
  CALLS,
  CodedError,
  type MarketImage,
  parseFilter,
  type RaceDetails,
  type RaceRunner,
} from '@fairgame/contract';
import type { Catalog, LiveEvent } from '../catalog/catalog.ts';
import { standingIn } from '../catalog/catalog.ts';
import type { Core, World } from '../core/types.ts';
import type { FeedRaceRunner } from '../feed/feed.ts';
import type { Http } from '../http/http.ts';

const SPORTS = ['horseRacing', 'greyHound'] as const;

export function createRacing({ catalog, core }: { catalog: Catalog; core: Pick<Core, 'read'> }): {
  routes(http: Http): void;
} {
  const { images } = catalog;
  const races = (): LiveEvent[] => catalog.openEvents().filter((live) => live.event.race !== undefined);

  /** The market that decides the race; others (place) stand beside it. */
  function winOf(eventId: number): number | undefined {
    const ids = images.marketsOf(eventId);
    return ids.find((id) => catalog.place(id)?.marketType.toLowerCase() === 'win') ?? catalog.headOf(eventId);
  }

  function item(live: LiveEvent) {
    const { event } = live;
    const win = winOf(live.id);
    return {
      id: live.id,
      title: event.title,
      venue: event.venue ?? event.competitionName,
      countryCode: event.countryCode ?? '',
      startAt: iso(live.startAt),
      matchType: live.matchType,
      inPlay: catalog.inPlay(live.id),
      runnerCount: event.race?.runners.filter((runner) => !runner.nonRunner).length ?? 0,
      status: progressOf(live) ?? (win === undefined ? 'INACTIVE' : (images.view(win)?.status ?? 'INACTIVE')),
    };
  }

  function details(live: LiveEvent, holder: { world: World; accountId: number }): RaceDetails {
    const { event } = live;
    const race = event.race;
    if (!race) throw new CodedError('MATCH_UNKNOWN');
    const all = images.marketsOf(live.id).flatMap((id) => images.image(holder.world, id) ?? []);
    const winId = winOf(live.id);
    const win = all.find((image) => image.id === winId) ?? null;
    return {
      id: live.id,
      matchType: live.matchType,
      title: event.title,
      venue: event.venue ?? event.competitionName,
      countryCode: event.countryCode ?? '',
      startAt: iso(live.startAt),
      stopAt: live.stopAt === null ? null : iso(live.stopAt),
      eventId: String(live.id),
      competitionName: event.competitionName,
      distance: race.distance,
      going: race.going,
      raceClass: race.class,
      raceType: race.type,
      prize: race.prizeMinor > 0 ? money(race.prizeMinor) : null,
      progress: progressOf(live) ?? 'DORMANT',
      betPlaceStartBefore: null,
      runners: race.runners.map((runner) => card(live, runner, win)),
      matchOdd: win && { ...win, selectionIds: win.runners.map((runner) => runner.id) },
      profitLossDataMatch: standingIn(
        core.read,
        holder,
        live.id,
        all.map((image) => image.id),
      ).match,
      markets: all.filter((image) => image !== win),
      scoreBoard: live.score,
    };
  }

  function card(live: LiveEvent, runner: FeedRaceRunner, win: MarketImage | null): RaceRunner {
    const priced = win?.runners.find((one) => one.id === runner.runnerId);
    const removed = priced?.status === 'REMOVED' || runner.nonRunner;
    const removedAt = win && removed ? images.removedAt(win.id, runner.runnerId) : null;
    const dog = live.matchType === 'greyHound';
    return {
      selectionId: runner.runnerId,
      clothNumber: runner.clothNumber,
      draw: runner.draw || null,
      name: runner.name,
      jockey: runner.jockey || null,
      trainer: runner.trainer || null,
      age: runner.age || null,
      weight: runner.weight > 0 ? weightText(runner.weight, dog) : null,
      form: runner.form || null,
      officialRating: runner.officialRating || null,
      silks: runner.silks,
      status: priced?.status ?? (runner.nonRunner ? 'REMOVED' : 'ACTIVE'),
      adjustmentFactor: priced?.factor ?? runner.adjustmentFactor,
      removedAt: removedAt === null ? null : iso(removedAt),
    };
  }

  return {
    routes(http) {
      const { racing } = CALLS;
      http.route(racing.countries, ({ query }) => {
        stillOpen(query['racingMatch.stopAt']);
        const rows = new Map<string, number>();
        for (const live of races()) {
          if (query.matchType && live.matchType !== query.matchType) continue;
          const code = live.event.countryCode ?? '';
          rows.set(code, (rows.get(code) ?? 0) + 1);
        }
        return [...rows]
          .map(([countryCode, count]) => ({ countryCode, countryName: countryName(countryCode), count }))
          .sort((a, b) => (a.countryName < b.countryName ? -1 : 1));
      });
      http.route(racing.list, ({ query }) => {
        stillOpen(query['racingMatch.stopAt']);
        const countries = valuesOf('racingMatch.countryCode', query['racingMatch.countryCode']);
        const sports = valuesOf('matchType', query.matchType);
        if (sports?.some((sport) => !SPORTS.includes(sport as (typeof SPORTS)[number])))
          throw new CodedError('BAD_FILTER', { field: 'matchType' });
        const meetings = new Map<string, { venue: string; countryCode: string; races: ReturnType<typeof item>[] }>();
        for (const live of races()) {
          if (sports && !sports.includes(live.matchType)) continue;
          if (countries && !countries.includes(live.event.countryCode ?? '')) continue;
          const row = item(live);
          const key = `${row.countryCode} ${row.venue} ${row.matchType}`;
          const meeting = meetings.get(key) ?? { venue: row.venue, countryCode: row.countryCode, races: [] };
          meeting.races.push(row);
          meetings.set(key, meeting);
        }
        return [...meetings.values()];
      });
      http.route(racing.race, async ({ params, session }) => {
        const live = await catalog.loadEvent(Number(params.id));
        if (!live?.event.race) throw new CodedError('MATCH_UNKNOWN');
        return details(live, session);
      });
    },
  };
}

// ------------------------------------------------------------------------------------------------------- helpers

/** Race lists hold only what is not over; the filter that says so is accepted and any other is refused (RAC-06). */
function stillOpen(value: string | undefined): void {
  if (value !== undefined) parseFilter('racingMatch.stopAt', value, ['isNull']);
}

function valuesOf(field: string, value: string | undefined): string[] | null {
  if (value === undefined) return null;
  const filter = parseFilter(field, value, ['eq', 'inArr']);
  return filter.op === 'eq' ? [filter.value] : filter.op === 'inArr' ? filter.values : null;
}

function progressOf(live: LiveEvent): string | null {
  const { score } = live;
  return score && (score.sport === 'horseRacing' || score.sport === 'greyHound') ? score.progress : null;
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (NAMES.of(code) ?? code) : code || 'Other';
}

/** Pounds as stones and pounds ("9-7"), or tenths of a kilogram as "31.5 kg". */
function weightText(weight: number, dog: boolean): string {
  return dog ? `${(weight / 10).toFixed(1)} kg` : `${Math.floor(weight / 14)}-${weight % 14}`;
}

function money(minor: number): string {
  return Math.round(minor / 100).toLocaleString('en-GB');
}

const iso = (ms: number): string => new Date(ms).toISOString();
