/** Races by country and meeting, and the race card (specification 7, Matches; exchange reference 13). */
import {
  CALLS,
  CodedError,
  filterValues,
  type MarketImage,
  parseFilter,
  type RaceDetails,
  type RaceRunner,
  type ReplyOf,
} from '@fairgame/contract';
import type { MarketView } from '@fairgame/exchange';
import type { Catalog, Images, LiveEvent } from '../catalog/catalog.ts';
import { imageOfView, standingIn } from '../catalog/catalog.ts';
import type { Core, World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { FeedRaceRunner } from '../feed/feed.ts';
import type { Http } from '../http/http.ts';

type RaceItem = ReplyOf<typeof CALLS.racing.list>[number]['races'][number];

const SPORTS = ['horseRacing', 'greyHound'] as const;

interface RacingOptions {
  readonly catalog: Catalog;
  readonly core: Pick<Core, 'read'>;
  readonly db: Pick<Db, 'query'>;
}

interface Racing {
  routes(http: Http): void;
}

export function createRacing(options: RacingOptions): Racing {
  return new RaceRoom(options);
}

class RaceRoom implements Racing {
  private readonly catalog: Catalog;
  private readonly core: Pick<Core, 'read'>;
  private readonly db: Pick<Db, 'query'>;
  private readonly images: Images;

  constructor({ catalog, core, db }: RacingOptions) {
    this.catalog = catalog;
    this.core = core;
    this.db = db;
    this.images = catalog.images;
  }

  routes(http: Http): void {
    const { racing } = CALLS;
    http.shared(racing.countries, ({ query }) => {
      stillOpen(query['racingMatch.stopAt']);
      const rows = new Map<string, number>();
      const sports = filterValues('matchType', query.matchType, SPORTS);
      for (const live of this.races()) {
        if (sports && !sports.some((sport) => sport === live.matchType)) continue;
        const code = live.event.countryCode ?? '';
        rows.set(code, (rows.get(code) ?? 0) + 1);
      }
      return [...rows]
        .map(([countryCode, count]) => ({ countryCode, countryName: countryName(countryCode), count }))
        .sort((a, b) => (a.countryName < b.countryName ? -1 : 1));
    });
    http.shared(racing.list, ({ query }) => {
      stillOpen(query['racingMatch.stopAt']);
      const countries = filterValues('racingMatch.countryCode', query['racingMatch.countryCode']);
      const sports = filterValues('matchType', query.matchType, SPORTS);
      const meetings = new Map<string, { venue: string; countryCode: string; races: RaceItem[] }>();
      for (const live of this.races()) {
        if (sports && !sports.some((sport) => sport === live.matchType)) continue;
        if (countries && !countries.includes(live.event.countryCode ?? '')) continue;
        const row = this.item(live);
        const key = `${row.countryCode} ${row.venue} ${row.matchType}`;
        const meeting = meetings.get(key) ?? { venue: row.venue, countryCode: row.countryCode, races: [] };
        meeting.races.push(row);
        meetings.set(key, meeting);
      }
      return [...meetings.values()];
    });
    http.route(racing.race, async ({ params, session }) => {
      const live = await this.catalog.loadEvent(Number(params.id));
      if (!live?.event.race) throw new CodedError('MATCH_UNKNOWN');
      return this.details(live, session);
    });
  }

  private races(): LiveEvent[] {
    return this.catalog.openEvents().filter((live) => live.event.race !== undefined);
  }

  /** The market that decides the race, while it is in memory; others (place) stand beside it and are never it. */
  private winOf(eventId: number): number | undefined {
    const ids = this.images.marketsOf(eventId);
    const typed = ids.find((id) => this.catalog.place(id)?.marketType.toLowerCase() === 'win');
    return typed ?? ids.find((id) => isWin(this.images.view(id), this.catalog.place(id)?.marketType));
  }

  /** It leaves memory some time after its result; its place markets may still be open then. */
  private async archivedWin(eventId: number): Promise<MarketImage | null> {
    const rows = await this.db.query<{ view: string; marketType: string | null; sno: number | null }>(
      `SELECT k.view, m.market_type AS "marketType", m.sno FROM markets k LEFT JOIN market_meta m ON m.market_id = k.id
        WHERE k.world = 'real' AND k.event_id = $1 AND k.kind = 'book' ORDER BY k.id LIMIT 50`,
      [eventId],
    );
    const found = rows
      .map(({ view, ...row }) => ({ ...row, view: JSON.parse(view) as MarketView }))
      .find(({ view, marketType }) => isWin(view, marketType));
    return found ? imageOfView(found.view, found.sno ?? 0) : null;
  }

  private item(live: LiveEvent): RaceItem {
    const { event } = live;
    const win = this.winOf(live.id);
    return {
      id: live.id,
      title: event.title,
      venue: event.venue ?? event.competitionName,
      countryCode: event.countryCode ?? '',
      startAt: iso(live.startAt),
      matchType: live.matchType,
      inPlay: this.catalog.inPlay(live.id),
      runnerCount: event.race?.runners.filter((runner) => !runner.nonRunner).length ?? 0,
      status: progressOf(live) ?? (win === undefined ? 'INACTIVE' : (this.images.view(win)?.status ?? 'INACTIVE')),
    };
  }

  private async details(live: LiveEvent, holder: { world: World; accountId: number }): Promise<RaceDetails> {
    const { event } = live;
    const race = event.race;
    if (!race) throw new CodedError('MATCH_UNKNOWN');
    const all = this.images.marketsOf(live.id).flatMap((id) => this.images.image(holder.world, id) ?? []);
    const winId = this.winOf(live.id);
    const win = all.find((image) => image.id === winId) ?? (await this.archivedWin(live.id));
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
      runners: race.runners.map((runner) => this.card(live, runner, win)),
      matchOdd: win && { ...win, runners: win.runners.map((runner) => ({ ...runner, selectionId: runner.id })) },
      profitLossDataMatch: standingIn(
        this.core.read,
        holder,
        live.id,
        all.map((image) => image.id),
      ).match,
      markets: all.filter((image) => image !== win),
      scoreBoard: live.score,
    };
  }

  private card(live: LiveEvent, runner: FeedRaceRunner, win: MarketImage | null): RaceRunner {
    const priced = win?.runners.find((one) => one.id === runner.runnerId);
    const removed = priced?.status === 'REMOVED' || runner.nonRunner;
    const removedAt = win && removed ? this.images.removedAt(win.id, runner.runnerId) : null;
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
}

// ------------------------------------------------------------------------------------------------------- helpers

/** One horse wins it, or more in a dead heat: a place market pays several. */
const isWin = (view: MarketView | undefined, marketType: string | null | undefined): boolean =>
  marketType?.toLowerCase() === 'win' || (view?.winners === 1 && !/place/i.test(marketType ?? view.name));

/** Race lists hold only what is not over; the filter that says so is accepted and any other is refused (RAC-06). */
function stillOpen(value: string | undefined): void {
  if (value !== undefined && value !== '') parseFilter('racingMatch.stopAt', value, ['isNull']);
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
