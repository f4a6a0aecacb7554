/** The markets that programs see: order books and lines of sports that the format has a number for, in the world of the account. */

import type { Bet, MarketView } from '@fairgame/exchange';
import {
  type Book,
  eventTypeOf,
  fromMarketId,
  isLineKind,
  type ListedMarket,
  lineRunners,
  type MarketFacts,
  toEventId,
  toldBet,
  toMarketId,
  typeOf,
} from '@fairgame/exchange-api';
import type { Catalog, LiveEvent } from '../catalog/catalog.ts';
import { perWorld } from '../core/core.ts';
import type { Core, World } from '../core/types.ts';

/** Of which what was struck is kept. */
const MOST_LINES = 10_000;

interface Struck {
  last: number;
  byLine: Map<number, number>;
  at: number;
}

/** Sports whose books stay open once it has begun. */
const IN_PLAY_SPORTS: ReadonlySet<string> = new Set(['cricket', 'football', 'tennis']);

export class ProgramMarkets {
  readonly catalog: Catalog;
  private readonly core: Pick<Core, 'read'>;
  /** What was struck on lines since the process began, by market and runner. */
  private readonly struck = perWorld(() => new Map<string, Struck>());

  constructor(catalog: Catalog, core: Pick<Core, 'read'>) {
    this.catalog = catalog;
    this.core = core;
  }

  /** Ours of their number, where programs may see it. */
  idOf(text: string): number | null {
    const id = fromMarketId(text);
    return id !== null && this.facts(id) ? id : null;
  }

  facts(marketId: number): MarketFacts | null {
    const view = this.catalog.images.view(marketId);
    const live = view && this.catalog.event(view.eventId);
    return view && live ? factsOf(view, live, this.catalog.place(marketId)?.marketType ?? '') : null;
  }

  private lines(world: World, view: MarketView): Book['runners'] {
    const rows = this.core.read.quotes(world, view.marketId);
    return lineRunners(view, rows, (runnerId) => this.struck[world].get(`${view.marketId}.${runnerId}`));
  }

  /** A bet of the site that the house took on a line. */
  took(world: World, bet: Bet, at: number): void {
    const { price, matchedMinor } = toldBet(bet);
    const name = `${bet.marketId}.${bet.runnerId}`;
    const trades = this.struck[world].get(name) ?? { last: 0, byLine: new Map<number, number>(), at };
    if (this.struck[world].size >= MOST_LINES) this.struck[world].delete(this.struck[world].keys().next().value!);
    trades.last = price;
    trades.at = at;
    trades.byLine.set(price, (trades.byLine.get(price) ?? 0) + matchedMinor);
    this.struck[world].set(name, trades);
  }

  /** A bet of a market that programs see, in their words. */
  told(bet: Bet): Bet | null {
    return this.facts(bet.marketId) ? toldBet(bet) : null;
  }

  /** Those of an account that are not over, what a delay still holds among them. */
  openBets(world: World, accountId: number, marketId?: number): Bet[] {
    return this.core.read.openBets(world, accountId, marketId).flatMap((bet) => this.told(bet) ?? []);
  }

  /** Every market that is not over, by the start of its event. */
  open(): MarketFacts[] {
    return this.catalog.openEvents().flatMap((live) =>
      this.catalog.images.marketsOf(live.id).flatMap((marketId) => {
        const view = this.catalog.images.view(marketId);
        const facts = view && view.status !== 'CLOSED' ? this.facts(marketId) : null;
        return facts ?? [];
      }),
    );
  }

  listed(world: World, facts: MarketFacts): ListedMarket {
    const { view, runners } = this.book(world, fromMarketId(facts.marketId)!)!;
    const race = this.catalog.event(view.eventId)?.event.race;
    const sum = (of: (runner: Book['runners'][number]) => number) => runners.reduce((all, one) => all + of(one), 0);
    return {
      ...facts,
      commissionBps: view.commissionBps,
      totalMatchedMinor: sum((runner) => runner.tradedMinor),
      availableMinor: sum(({ back, lay }) => [...back, ...lay].reduce((all, [, minor]) => all + minor, 0)),
      rules: RULES,
      runners: view.runners.map(({ runnerId, name }) => ({
        selectionId: runnerId,
        name,
        metadata: metadataOf(
          race?.runners.find((one) => one.runnerId === runnerId),
          race?.type === 'Greyhound',
        ),
      })),
    };
  }

  book(world: World, marketId: number): Book | null {
    const view = this.core.read.market(marketId, world);
    if (!view) return null;
    const { images } = this.catalog;
    const isLine = isLineKind(view.kind);
    const struckAt = view.runners.map(({ runnerId }) => this.struck[world].get(`${marketId}.${runnerId}`)?.at ?? 0);
    const matchedAt = isLine ? Math.max(0, ...struckAt) || null : images.matchedAt(world, marketId);
    const settledAt = images.closedAt(world, marketId);
    const times = {
      ...(matchedAt === null ? {} : { matchedAt }),
      ...(settledAt === null ? {} : { settledAt }),
    };
    if (isLine) return { view, ...times, runners: this.lines(world, view) };
    return {
      view,
      ...times,
      runners: view.runners.map(({ runnerId, status, adjustmentFactor }) => {
        const depth = images.depth(world, marketId, runnerId);
        const { tradedMinor } = this.core.read.depth(world, marketId, runnerId, 0);
        return {
          runnerId,
          status,
          ...(adjustmentFactor === undefined ? {} : { adjustmentFactor }),
          removedAt: images.removedAt(marketId, runnerId),
          lastPrice: depth?.last ?? 0,
          tradedMinor,
          back: depth?.back ?? [],
          lay: depth?.lay ?? [],
          traded: depth?.traded ?? [],
        };
      }),
    };
  }
}

const RULES = 'The rules of fairGame hold; they stand on its website under Rules.';

function factsOf(view: MarketView, { event, startAt, matchType }: LiveEvent, ours: string): MarketFacts | null {
  const eventType = eventTypeOf(matchType);
  const isLine = isLineKind(view.kind);
  if ((view.kind !== 'book' && !isLine) || !eventType) return null;
  const { competitionId, competitionName, venue, countryCode, race } = event;
  return {
    marketId: toMarketId(view.marketId),
    marketName: view.name,
    marketType: typeOf(view, ours),
    bettingType: isLine ? 'LINE' : 'ODDS',
    eventId: toEventId(view.eventId),
    eventName: event.title,
    eventType,
    ...(race || competitionName === '' ? {} : { competition: { id: String(competitionId), name: competitionName } }),
    ...(venue === undefined ? {} : { venue }),
    ...(countryCode === undefined ? {} : { countryCode }),
    ...(race ? { raceType: race.type } : {}),
    startAt,
    inPlay: view.inPlay,
    turnInPlay: view.inPlay || (race ? race.inPlayBetting : IN_PLAY_SPORTS.has(matchType)),
  };
}

type Horse = NonNullable<LiveEvent['event']['race']>['runners'][number];

/** Texts only; what is not known is left out. */
function metadataOf(horse: Horse | undefined, isDog: boolean): Record<string, string> {
  if (!horse) return {};
  const { clothNumber, draw, jockey, trainer, age, weight, form, officialRating } = horse;
  // Of greyhounds it is in tenths of a kilogram.
  const [value, units] = isDog ? [weight / 10, 'kilograms'] : [weight, 'pounds'];
  const known = {
    CLOTH_NUMBER: clothNumber,
    STALL_DRAW: draw,
    JOCKEY_NAME: jockey,
    TRAINER_NAME: trainer,
    AGE: age,
    WEIGHT_VALUE: value,
    WEIGHT_UNITS: weight > 0 ? units : '',
    FORM: form,
    OFFICIAL_RATING: officialRating,
  };
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, value]) => (value === '' || value === 0 ? [] : [[name, String(value)]])),
  );
}
