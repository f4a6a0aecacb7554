/** A server with a feed the test speaks for: one event of each sport, with markets of many kinds. */
import type { MarketDef, MarketKind, RunnerDef } from '@fairgame/exchange';
import type { FeedEvent, FeedOutput, FeedRaceRunner, MarketInfo } from '../src/feed/feed.ts';
import { makeServer, type TestServer } from './server.ts';

export interface Site extends TestServer {
  /** Hands outputs to the bridge, as the feed would, and waits until they are carried out. */
  feed(...outputs: FeedOutput[]): Promise<void>;
  ids: typeof IDS;
}

const [CRICKET, FOOTBALL, TENNIS, RACE, DOGS, POLITICS] = [9001, 9002, 9003, 9004, 9005, 9006];
export const IDS = {
  cricket: {
    event: CRICKET,
    odds: 9101,
    teamA: 9201,
    teamB: 9202,
    bookmaker: 9102,
    session: 9103,
    sessionRow: 9210,
    fancy: 9104,
    yes: 9211,
    no: 9212,
    khado: 9105,
    khadoRow: 9213,
    oddEven: 9106,
    odd: 9214,
    even: 9215,
    tied: 9107,
  },
  football: {
    event: FOOTBALL,
    odds: 9111,
    home: 9221,
    away: 9222,
    draw: 9223,
    overUnder: 9112,
    over: 9224,
    under: 9225,
  },
  tennis: { event: TENNIS, odds: 9121, one: 9231, two: 9232 },
  race: { event: RACE, win: 9131, place: 9132, horses: [9241, 9242, 9243] as const },
  dogs: { event: DOGS, win: 9141, dogs: [9251, 9252] as const },
  politics: { event: POLITICS, odds: 9151, left: 9261, right: 9262 },
};

export async function makeSite(env: Record<string, string> = {}): Promise<Site> {
  return withFeed(await makeServer(env));
}

/** The server with such a feed; of several processes it is the one that has the role. */
export async function withFeed(server: TestServer): Promise<Site> {
  let sink: ((batch: FeedOutput[], now: number) => void) | null = null;
  await server.app.bridge.start({
    start(given) {
      sink = given;
      given(slate(server.clock()), server.clock());
    },
    stop: () => Promise.resolve(),
  });
  return {
    ...server,
    ids: IDS,
    async feed(...outputs) {
      // Over two parts: what was done at the gateway is known where the feed is.
      await server.app.bridge.idle();
      sink!(outputs, server.clock());
      await server.app.bridge.idle();
    },
  };
}

/** House prices of a book market: [back, lay] by runner, 500.00 on each. */
export function prices(marketId: number, ...runners: Array<[number, number, number]>): FeedOutput {
  return {
    type: 'command',
    command: {
      type: 'house.book',
      marketId,
      runners: runners.map(([runnerId, back, lay]) => ({
        runnerId,
        backable: back > 0 ? [[back, 50_000]] : [],
        layable: lay > 0 ? [[lay, 50_000]] : [],
      })),
    },
  };
}

export function state(marketId: number, change: object): FeedOutput {
  return { type: 'command', command: { type: 'market.state', marketId, ...change } };
}

/** A football match in its first half; nothing happened in it but goals of the home side. */
export function goals(eventId: number, minute: number, goalsA: number): FeedOutput {
  const none = { added: 0, addedAnnounced: 0, halfTimeA: 0, halfTimeB: 0, cornersA: 0, cornersB: 0 };
  return {
    type: 'score',
    eventId,
    score: {
      ...none,
      sport: 'football',
      period: 'firstHalf',
      minute,
      goalsA,
      goalsB: 0,
      goals: [],
      cards: [],
      note: '',
    },
  };
}

export function market(
  eventId: number,
  marketId: number,
  kind: MarketKind,
  name: string,
  runners: MarketDef['runners'],
  info: MarketInfo,
  more: Partial<MarketDef> = {},
): FeedOutput {
  return {
    type: 'command',
    info,
    command: {
      type: 'market.create',
      market: {
        marketId,
        eventId,
        kind,
        name,
        runners,
        winners: 1,
        commissionBps: 0,
        minStakeMinor: 100,
        maxStakeMinor: 500_000,
        maxExposureMinor: 0,
        maxBets: 0,
        inPlay: false,
        status: 'OPEN',
        betDelayMs: 0,
        lapseOnSuspend: false,
        ...more,
      },
    },
  };
}

export function event(eventId: number, matchType: FeedEvent['matchType'], more: Partial<FeedEvent>): FeedOutput {
  return {
    type: 'event',
    event: {
      eventId,
      matchType,
      title: 'A v B',
      competitionId: 700,
      competitionName: 'Cup',
      startAt: 0,
      teamA: 'A',
      teamB: 'B',
      isTv: true,
      beventId: `b${eventId}`,
      gmid: `g${eventId}`,
      ...more,
    },
  };
}

function slate(now: number): FeedOutput[] {
  const { cricket, football, tennis, race, dogs, politics } = IDS;
  const hour = 3_600_000;
  const sided = (runnerId: number, name: string) => ({ runnerId, name });
  const answers = (...runners: Array<[number, string, RunnerDef['stands']]>) =>
    runners.map(([runnerId, name, stands]) => ({ runnerId, name, stands }));
  return [
    event(CRICKET, 'cricket', {
      title: 'São Paulo v New Zealand',
      teamA: 'São Paulo',
      teamB: 'New Zealand',
      format: 'T20',
      competitionId: 701,
      competitionName: 'Coastal League',
      startAt: now - hour,
    }),
    market(
      CRICKET,
      cricket.odds,
      'book',
      'Match Odds',
      [sided(cricket.teamA, 'São Paulo'), sided(cricket.teamB, 'New Zealand')],
      {
        sno: 1,
        marketType: 'matchOdd',
      },
    ),
    market(
      CRICKET,
      cricket.bookmaker,
      'bookmaker',
      'Bookmaker',
      [sided(cricket.teamA, 'São Paulo'), sided(cricket.teamB, 'New Zealand')],
      { sno: 2, marketType: 'bookmaker' },
      { maxStakeMinor: 30_000 },
    ),
    market(
      CRICKET,
      cricket.session,
      'session',
      '6 over runs',
      [sided(cricket.sessionRow, '6 over runs')],
      { sno: 21.5, marketType: 'session' },
      { maxStakeMinor: 25_000 },
    ),
    market(
      CRICKET,
      cricket.fancy,
      'fancy1',
      'Wicket in over 7',
      answers([cricket.yes, 'Yes', 'yes'], [cricket.no, 'No', 'no']),
      {
        sno: 30,
        marketType: 'fancy1',
      },
    ),
    market(
      CRICKET,
      cricket.khado,
      'khado',
      '10 over khado',
      [{ runnerId: cricket.khadoRow, name: '10 over-5', width: 5 }],
      { sno: 31, marketType: 'khado' },
    ),
    market(
      CRICKET,
      cricket.oddEven,
      'oddEven',
      'Odd or even',
      answers([cricket.odd, 'Odd', 'odd'], [cricket.even, 'Even', 'even']),
      { sno: 32, marketType: 'oddEven' },
    ),
    prices(cricket.odds, [cricket.teamA, 180, 184], [cricket.teamB, 220, 226]),
    quotes(cricket.bookmaker, [cricket.teamA, 85, 87]),
    quotes(cricket.session, [cricket.sessionRow, 100, 100, 48, 47]),
    quotes(cricket.fancy, [cricket.yes, 190, 210]),
    quotes(cricket.khado, [cricket.khadoRow, 300, 0, 75]),
    quotes(cricket.oddEven, [cricket.odd, 197, 0], [cricket.even, 195, 0]),
    event(FOOTBALL, 'football', {
      title: 'Rovers v United',
      teamA: 'Rovers',
      teamB: 'United',
      teamC: 'The Draw',
      competitionId: 702,
      competitionName: 'North Premier',
      startAt: now + hour,
    }),
    market(
      FOOTBALL,
      football.odds,
      'book',
      'Match Odds',
      [sided(football.home, 'Rovers'), sided(football.away, 'United'), sided(football.draw, 'The Draw')],
      { sno: 1, marketType: 'matchOdd' },
    ),
    market(
      FOOTBALL,
      football.overUnder,
      'book',
      'Over/Under 2.5',
      [sided(football.over, 'Over'), sided(football.under, 'Under')],
      { sno: 5, marketType: 'overUnder' },
    ),
    prices(football.odds, [football.home, 200, 204], [football.away, 380, 390], [football.draw, 340, 350]),
    event(TENNIS, 'tennis', {
      title: 'Ivo Marsh v Teo Lind',
      teamA: 'Ivo Marsh',
      teamB: 'Teo Lind',
      isTv: false,
      competitionId: 703,
      competitionName: 'Harbour Open',
      startAt: now + 26 * hour,
    }),
    market(TENNIS, tennis.odds, 'book', 'Match Odds', [sided(tennis.one, 'Ivo Marsh'), sided(tennis.two, 'Teo Lind')], {
      sno: 1,
      marketType: 'matchOdd',
    }),
    prices(tennis.odds, [tennis.one, 150, 152], [tennis.two, 290, 300]),
    event(RACE, 'horseRacing', {
      title: '2m Handicap',
      competitionId: 704,
      competitionName: 'Elmford',
      venue: 'Elmford',
      countryCode: 'GB',
      startAt: now + hour / 4,
      race: card('Flat', race.horses),
    }),
    market(
      RACE,
      race.win,
      'book',
      'Win',
      race.horses.map((id, i) => ({ runnerId: id, name: `Horse ${i + 1}`, adjustmentFactor: 3000 })),
      { sno: 1, marketType: 'win' },
      { removable: true },
    ),
    market(
      RACE,
      race.place,
      'book',
      'To be placed',
      race.horses.map((id, i) => ({ runnerId: id, name: `Horse ${i + 1}`, adjustmentFactor: 1000 })),
      { sno: 2, marketType: 'place' },
      { winners: 2, placeMarket: true, removable: true },
    ),
    prices(race.win, [race.horses[0], 250, 260], [race.horses[1], 300, 310], [race.horses[2], 400, 420]),
    event(DOGS, 'greyHound', {
      title: '480m A3',
      competitionId: 705,
      competitionName: 'Mill Lane',
      venue: 'Mill Lane',
      countryCode: 'AU',
      startAt: now + hour / 2,
      race: card('Greyhound', dogs.dogs),
    }),
    market(
      DOGS,
      dogs.win,
      'book',
      'Win',
      dogs.dogs.map((id, i) => sided(id, `Dog ${i + 1}`)),
      { sno: 1, marketType: 'win' },
    ),
    event(POLITICS, 'politics', {
      title: 'Next prime minister',
      competitionId: 706,
      competitionName: 'Elections',
      startAt: now + 900 * hour,
      isTv: false,
    }),
    market(POLITICS, politics.odds, 'book', 'Winner', [sided(politics.left, 'Left'), sided(politics.right, 'Right')], {
      sno: 1,
      marketType: 'matchOdd',
    }),
    prices(politics.odds, [politics.left, 200, 210], [politics.right, 200, 210]),
  ];
}

/** Rows of a house-quoted market: [runner, back, lay, yesLine?, noLine?]; 0 quotes nothing. */
export function quotes(marketId: number, ...rows: Array<[number, number, number, number?, number?]>): FeedOutput {
  const side = (price: number, line: number | undefined) =>
    price > 0 ? { price, sizeMinor: 25_000, ...(line === undefined ? {} : { line }) } : null;
  return {
    type: 'command',
    command: {
      type: 'house.quotes',
      marketId,
      rows: rows.map(([runnerId, back, lay, yesLine, noLine]) => ({
        runnerId,
        back: side(back, yesLine),
        lay: side(lay, noLine ?? yesLine),
        status: 'ACTIVE' as const,
      })),
    },
  };
}

function card(type: 'Flat' | 'Greyhound', ids: readonly number[]) {
  const dog = type === 'Greyhound';
  const runner = (runnerId: number, i: number): FeedRaceRunner => ({
    runnerId,
    clothNumber: i + 1,
    draw: ids.length - i,
    name: `${dog ? 'Dog' : 'Horse'} ${i + 1}`,
    jockey: dog ? '' : 'P. Vance',
    trainer: 'R. Oak',
    age: 4,
    weight: dog ? 315 : 133,
    form: '1203',
    officialRating: 88,
    silks: { body: '#ff0000', sleeves: '#ffffff', cap: '#000000', pattern: 'plain', patternColour: '#ffffff' },
    nonRunner: false,
    adjustmentFactor: dog ? 0 : 3000,
  });
  return {
    raceNumber: 1,
    distance: dog ? '480m' : '2m',
    distanceMetres: dog ? 480 : 3219,
    going: 'Good',
    class: 'Class 4',
    type,
    prizeMinor: 1_200_000,
    places: 2,
    inPlayBetting: false,
    runners: ids.map(runner),
  };
}
