/** What a recorded market is called on the site: its sport, event, names and card. Streams carry few names; the rest is neutral. */
import type { FeedEvent, FeedRace, FeedRaceRunner, MarketInfo, MatchType, RaceScore } from '../feed.ts';
import { isRemoved } from './fold.ts';
import type { Definition, RunnerDefinition } from './message.ts';

/** Selection of the draw in every three-way market of the exchange that publishes these streams. */
const THE_DRAW = 58805;

/** Sports by event type. Those the site has no page for stand under politics (plain lists of runners, no score) in a competition of their own name. */
const SPORTS: Record<string, MatchType> = {
  1: 'football',
  2: 'tennis',
  4: 'cricket',
  7: 'horseRacing',
  4339: 'greyHound',
};
const COMPETITIONS: Record<string, string> = {
  1: 'Recorded football',
  2: 'Recorded tennis',
  3: 'Golf',
  4: 'Recorded cricket',
  5: 'Rugby Union',
  6: 'Boxing',
  1477: 'Rugby League',
  2378961: 'Politics',
  6422: 'Snooker',
  6423: 'American Football',
  7511: 'Baseball',
  7522: 'Basketball',
  7524: 'Ice Hockey',
  26420387: 'Mixed Martial Arts',
};
/** Above the numbers the other feeds use for competitions. */
const FIRST_COMPETITION = 9_000_000;

export function matchTypeOf(definition: Definition): MatchType {
  return SPORTS[definition.eventTypeId] ?? 'politics';
}

export function isRace(definition: Definition): boolean {
  const type = matchTypeOf(definition);
  return type === 'horseRacing' || type === 'greyHound';
}

/** A recorded event is a meeting in racing: the site's event is one race of it. */
export function eventKey(definition: Definition): string {
  return isRace(definition) ? `${definition.eventId}@${definition.marketTimeMs}` : definition.eventId;
}

/** Why the site cannot offer a market, or null when it can. */
export function unsupported(definition: Definition): string | null {
  if (definition.bettingType !== 'ODDS') return `betting type ${definition.bettingType}`;
  if (definition.ladder !== 'CLASSIC') return `price ladder ${definition.ladder}`;
  if (definition.marketType === 'EACH_WAY') return 'each-way market';
  if (definition.runners.some((runner) => runner.handicap !== 0)) return 'handicap runners';
  if (definition.numberOfWinners < 1) return 'no number of winners';
  if (definition.runners.length < 2) return 'fewer than two runners';
  if (new Set(definition.runners.map((runner) => runner.runnerId)).size < definition.runners.length)
    return 'one runner twice';
  return null;
}

export function runnerName(definition: Definition, runner: RunnerDefinition): string {
  const name = runner.name?.replace(/^\d+[A-Z]?\.\s+/, '').trim();
  if (name) return name;
  if (runner.runnerId === THE_DRAW) return 'The Draw';
  return `Runner ${runner.sortPriority || definition.runners.indexOf(runner) + 1}`;
}

export function marketName(definition: Definition): string {
  if (isRace(definition) && definition.marketType === 'WIN') return 'Win';
  if (definition.marketName) return definition.marketName;
  const words = definition.marketType.toLowerCase().split('_').filter(Boolean);
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' ') || 'Market';
}

export function marketInfo(definition: Definition, order: number): MarketInfo {
  const type = definition.marketType;
  const known: Record<string, string> = {
    MATCH_ODDS: 'matchOdd',
    WIN: 'win',
    PLACE: 'place',
    SET_WINNER: 'setWinner',
    HALF_TIME: 'halfTime',
  };
  const marketType = known[type] ?? (type.startsWith('OVER_UNDER') ? 'overUnder' : camelCase(type));
  const first = type === 'MATCH_ODDS' || type === 'WIN';
  return { sno: first ? 0 : order, marketType };
}

/** The site's event for the markets known of it so far, in the order they appeared. `startAt` is the site's time. */
export function feedEvent(eventId: number, definitions: readonly Definition[], startAt: number): FeedEvent {
  const main =
    definitions.find((one) => one.marketType === 'MATCH_ODDS' || one.marketType === 'WIN') ?? definitions[0]!;
  const matchType = matchTypeOf(main);
  const names = main.runners.filter((runner) => runner.runnerId !== THE_DRAW).map((runner) => runnerName(main, runner));
  const draw = main.runners.find((runner) => runner.runnerId === THE_DRAW);
  const [nameA, nameB] = main.eventName?.split(/\s+(?:v|vs|@)\s+/) ?? [];
  const race = isRace(main) ? feedRace(definitions, main) : undefined;
  const venue = main.venue ?? (race ? main.eventName?.replace(/\s+\(?\w*\)?\s*\d+\w* \w+$/, '') : undefined);
  const title = race
    ? [venue ?? 'Recorded race', main.marketName].filter(Boolean).join(' ')
    : (main.eventName ?? names.slice(0, 2).join(' v '));
  return {
    eventId,
    matchType,
    title,
    competitionId: FIRST_COMPETITION + (Number(main.eventTypeId) % 1_000_000 || 0),
    competitionName: race ? (venue ?? 'Recorded races') : (COMPETITIONS[main.eventTypeId] ?? 'Other sports'),
    startAt,
    teamA: nameB ? nameA! : (names[0] ?? title),
    teamB: nameB ?? names[1] ?? '',
    ...(draw && { teamC: runnerName(main, draw) }),
    ...(main.countryCode && { countryCode: main.countryCode }),
    ...(venue && { venue }),
    isTv: false,
    beventId: main.eventId,
    gmid: main.eventId,
    ...(race && { race }),
  };
}

/** As much of a race as its win market tells: at the post, off, finished, and who won. */
export function raceScore(win: Definition): RaceScore {
  const closed = win.status === 'CLOSED';
  const off = win.inPlay || closed;
  const status = closed
    ? 'RESULT'
    : win.inPlay
      ? win.status === 'SUSPENDED'
        ? 'FINISHED'
        : 'OFF'
      : win.status === 'SUSPENDED'
        ? 'ATTHEPOST'
        : 'DORMANT';
  const winners = win.runners.filter((runner) => runner.status === 'WINNER');
  return {
    sport: 'race',
    status,
    progress: off && status !== 'OFF' ? 1000 : 0,
    metresLeft: 0,
    positions: [],
    finish: winners.map((runner) => ({ runnerId: runner.runnerId, place: 1, behind: 0 })),
    nonRunners: win.runners.filter(isRemoved).map((runner) => runner.runnerId),
    note: winners.length > 0 ? `Won by ${winners.map((runner) => runnerName(win, runner)).join(' and ')}` : '',
  };
}

// ---------------------------------------------------------------------------------------------------- race cards

const SILKS = ['#1f6feb', '#d1242f', '#2da44e', '#bf8700', '#8250df', '#0f766e', '#bf3989', '#57606a'];
/** Traps 1 to 6: red, blue, white, black, orange, striped (exchange reference 13). */
const TRAPS = ['#d1242f', '#1f6feb', '#ffffff', '#111111', '#e36209', '#111111'];

function feedRace(definitions: readonly Definition[], main: Definition): FeedRace {
  const name = main.marketName ?? '';
  const distance = /\b(?:\d+m\s?\d+f|\d+f|\d+m)\b/.exec(name)?.[0] ?? '';
  const greyhound = matchTypeOf(main) === 'greyHound';
  const place = definitions.find((one) => one.marketType === 'PLACE' || one.marketType === 'OTHER_PLACE');
  return {
    raceNumber: Number(/^R(\d+)\b/.exec(name)?.[1] ?? 0) || 1,
    distance,
    distanceMetres: metres(distance),
    going: '',
    class: name
      .replace(/^R\d+\b/, '')
      .replace(distance, '')
      .trim(),
    type: greyhound ? 'Greyhound' : /\bChs\b/i.test(name) ? 'Chase' : /\b(Hrd|Hdl)\b/i.test(name) ? 'Hurdle' : 'Flat',
    prizeMinor: 0,
    places: place?.numberOfWinners ?? 0,
    inPlayBetting: main.turnInPlay,
    runners: main.runners.map((runner, at) => raceRunner(main, runner, at, greyhound)),
  };
}

function raceRunner(main: Definition, runner: RunnerDefinition, at: number, greyhound: boolean): FeedRaceRunner {
  const cloth = Number(/^(\d+)/.exec(runner.name ?? '')?.[1] ?? 0) || runner.sortPriority || at + 1;
  const body = greyhound ? (TRAPS[cloth - 1] ?? '#57606a') : SILKS[cloth % SILKS.length]!;
  const striped = greyhound && cloth === 6;
  return {
    runnerId: runner.runnerId,
    clothNumber: cloth,
    draw: greyhound ? cloth : 0,
    name: runnerName(main, runner),
    jockey: '',
    trainer: '',
    age: 0,
    weight: 0,
    form: '',
    officialRating: 0,
    silks: { body, sleeves: body, cap: body, pattern: striped ? 'stripes' : 'plain', patternColour: '#ffffff' },
    nonRunner: isRemoved(runner),
    adjustmentFactor: runner.adjustmentFactor,
  };
}

/** "1m 2f" is miles and furlongs; a bare "480m" is metres, "1m" a mile. */
function metres(distance: string): number {
  const [, whole, unit, furlongs] = /^(\d+)(m|f)\s?(?:(\d+)f)?$/.exec(distance) ?? [];
  if (!whole) return 0;
  if (unit === 'f') return Math.round(Number(whole) * 201.168);
  if (Number(whole) > 9 && !furlongs) return Number(whole);
  return Math.round(Number(whole) * 1609.344 + Number(furlongs ?? 0) * 201.168);
}

function camelCase(type: string): string {
  return type.toLowerCase().replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase()) || 'market';
}
