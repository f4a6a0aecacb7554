/**
 * The timetable. A lane is a row of slots of equal length, numbered from 1970, each holding one event of a kind; events
 * near in time are all on the slate, of those further off only every n-th. So there is always something in play, soon
 * and later, and the same slot is the same event whenever the server was started.
 */
import type { FeedEvent, MatchType, Score } from '../feed.ts';
import { startCricket, stepCricket } from './cricket.ts';
import { priceCricket } from './cricketPrices.ts';
import { cricketScore } from './cricketScore.ts';
import type { CricketSim } from './cricketState.ts';
import type { Ctx, SimBase } from './desk.ts';
import { type FootballSim, footballScore, priceFootball, startFootball, stepFootball } from './football.ts';
import { cricketFixture, election, footballFixture, raceVenue, tennisFixture } from './names.ts';
import { type PoliticsSim, politicsScore, pricePolitics, startPolitics, stepPolitics } from './politics.ts';
import { priceRace, type RaceSim, raceScore, startRace, stepRace } from './racing.ts';
import { chance, makeRng, type Rng } from './rng.ts';
import { priceTennis, startTennis, stepTennis, type TennisSim, tennisScore } from './tennis.ts';

export type SimEvent = CricketSim | FootballSim | TennisSim | RaceSim | PoliticsSim;

export interface Lane {
  matchType: MatchType;
  format?: 'T20' | 'ODI' | 'Test';
  slotMs: number;
  offsetMs: number;
  /** Every slot that starts within this is on the slate; of the rest every `featureEvery`-th within `featureAheadMs`. */
  aheadMs: number;
  featureEvery: number;
  featureAheadMs: number;
  /** No event of the lane lasts longer, settlement included. */
  longestMs: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const LANES: readonly Lane[] = [
  lane('cricket', 60 * MINUTE, 0, 2 * HOUR, 8, 3 * DAY, 3 * HOUR, 'T20'),
  lane('cricket', 150 * MINUTE, 30 * MINUTE, 5 * HOUR, 4, 3 * DAY, 6 * HOUR, 'ODI'),
  lane('cricket', 8 * HOUR, 2 * HOUR, 9 * HOUR, 2, 3 * DAY, 18 * HOUR, 'Test'),
  lane('football', 15 * MINUTE, 0, 75 * MINUTE, 20, 54 * HOUR, 100 * MINUTE),
  lane('tennis', 25 * MINUTE, 10 * MINUTE, 75 * MINUTE, 18, 50 * HOUR, 6 * HOUR),
  lane('horseRacing', 4 * MINUTE, 0, 36 * MINUTE, 45, 30 * HOUR, 10 * MINUTE),
  lane('greyHound', 5 * MINUTE, 2 * MINUTE, 25 * MINUTE, 48, 26 * HOUR, 8 * MINUTE),
  lane('politics', 3 * DAY, 18 * HOUR, 13 * DAY, 1, 13 * DAY, 15 * MINUTE),
];

export function slotStart(of: Lane, slot: number): number {
  return slot * of.slotMs + of.offsetMs;
}

/** First slot that starts at or after the given time. */
export function slotFrom(of: Lane, at: number): number {
  return Math.ceil((at - of.offsetMs) / of.slotMs);
}

/** Makes the event of a slot. `competition` gives a stable id for a name. */
export function startEvent(
  ctx: Ctx,
  seed: string,
  laneAt: number,
  slot: number,
  now: number,
  others: readonly SimEvent[],
  competition: (name: string) => number,
): SimEvent {
  const of = LANES[laneAt]!;
  const streamOf = (subject: 'fixture' | 'play' | 'prices'): Rng => makeRng(seed, subject, laneAt, slot);
  const fixtures = streamOf('fixture');
  const startAt = slotStart(of, slot);
  const event: FeedEvent = blankEvent(ctx, of, startAt, fixtures);
  const base: SimBase = {
    event,
    lane: laneAt,
    slot,
    play: streamOf('play'),
    noise: streamOf('prices'),
    nextAt: now,
    markets: [],
    inPlay: false,
    closed: false,
    dirty: true,
    scoreDirty: true,
    quotedAt: 0,
  };
  return startIn(ctx, of, base, fixtures, competition, busyTeams(others, of.matchType, startAt));
}

/** The event's fixture and sport; who plays at that time already does not play in it. */
function startIn(
  ctx: Ctx,
  of: Lane,
  base: SimBase,
  fixtures: Rng,
  competition: (name: string) => number,
  busy: Set<string>,
): SimEvent {
  const { event, slot } = base;
  const named = (name: string): void => {
    event.competitionName = name;
    event.competitionId = competition(name);
  };
  switch (of.matchType) {
    case 'cricket':
    case 'football': {
      const fixture = of.format ? cricketFixture(fixtures, of.format, busy) : footballFixture(fixtures, busy);
      named(fixture.competition);
      event.teamA = fixture.home.name;
      event.teamB = fixture.away.name;
      event.title = `${fixture.home.name} v ${fixture.away.name}`;
      event.countryCode = fixture.countryCode;
      event.venue = fixture.venue;
      if (of.format !== 'T20' && of.format !== 'ODI') event.teamC = 'The Draw';
      return of.format
        ? startCricket(ctx, base, fixtures, fixture, of.format)
        : startFootball(ctx, base, fixtures, fixture);
    }
    case 'tennis': {
      const fixture = tennisFixture(fixtures, busy);
      named(fixture.competition);
      event.teamA = fixture.home;
      event.teamB = fixture.away;
      event.title = `${fixture.home} v ${fixture.away}`;
      event.format = `Best of ${fixture.bestOf}`;
      return startTennis(ctx, base, fixtures, fixture.bestOf);
    }
    case 'politics': {
      const made = election(slot);
      named(made.competition);
      event.title = made.title;
      event.teamA = made.options[0]!;
      event.teamB = made.options[1]!;
      event.countryCode = made.countryCode;
      return startPolitics(ctx, base, fixtures, made);
    }
    default: {
      const { venue, countryCode } = raceVenue(fixtures, of.matchType === 'greyHound');
      named(venue);
      event.venue = venue;
      event.countryCode = countryCode;
      return startRace(ctx, base, fixtures);
    }
  }
}

export function stepEvent(ctx: Ctx, sim: SimEvent): void {
  switch (sim.sport) {
    case 'cricket':
      stepCricket(ctx, sim);
      return;
    case 'football':
      stepFootball(ctx, sim);
      return;
    case 'tennis':
      stepTennis(ctx, sim);
      return;
    case 'race':
      stepRace(ctx, sim);
      return;
    case 'politics':
      stepPolitics(ctx, sim);
      return;
  }
}

export function priceEvent(ctx: Ctx, sim: SimEvent): void {
  switch (sim.sport) {
    case 'cricket':
      priceCricket(ctx, sim);
      return;
    case 'football':
      priceFootball(ctx, sim);
      return;
    case 'tennis':
      priceTennis(ctx, sim);
      return;
    case 'race':
      priceRace(ctx, sim);
      return;
    case 'politics':
      pricePolitics(ctx, sim);
      return;
  }
}

export function scoreOf(sim: SimEvent): Score {
  switch (sim.sport) {
    case 'cricket':
      return cricketScore(sim);
    case 'football':
      return footballScore(sim);
    case 'tennis':
      return tennisScore(sim);
    case 'race':
      return raceScore(sim);
    case 'politics':
      return politicsScore(sim);
  }
}

function lane(
  matchType: MatchType,
  slotMs: number,
  offsetMs: number,
  aheadMs: number,
  featureEvery: number,
  featureAheadMs: number,
  longestMs: number,
  format?: Lane['format'],
): Lane {
  const made: Lane = { matchType, slotMs, offsetMs, aheadMs, featureEvery, featureAheadMs, longestMs };
  return format ? { ...made, format } : made;
}

function blankEvent(ctx: Ctx, of: Lane, startAt: number, fixtures: Rng): FeedEvent {
  const eventId = ctx.ids.next();
  return {
    eventId,
    matchType: of.matchType,
    title: '',
    competitionId: 0,
    competitionName: '',
    startAt,
    teamA: '',
    teamB: '',
    isTv: chance(fixtures, 0.7),
    ...(of.format ? { format: of.format } : {}),
    beventId: String(30_000_000 + eventId),
    gmid: String(500_000_000 + eventId),
  };
}

/** Nobody plays two matches within half a day. */
function busyTeams(others: readonly SimEvent[], matchType: MatchType, startAt: number): Set<string> {
  const busy = new Set<string>();
  for (const { event } of others) {
    if (event.matchType !== matchType || Math.abs(event.startAt - startAt) > 12 * HOUR) continue;
    busy.add(event.teamA);
    busy.add(event.teamB);
  }
  return busy;
}
