import { dayNumber, type MatchItem } from '@fairgame/contract';
import { named } from '../../platform/named.ts';
import { timeZone } from '../../platform/zone.ts';

/** What a list of events shows of its sport, and in which order: kept in the address, so that a reload and the way back keep it. */
export interface ListFilter {
  when: 'all' | 'inplay' | 'coming';
  /** Id of a competition; empty for all. */
  competition: string;
  time: '' | '3h' | 'today' | 'tomorrow' | 'later';
  /** Least money matched in the main market, whole units of the currency; empty for any. */
  matched: '' | '1000' | '10000' | '100000';
  picture: boolean;
  kind: '' | 'bookmaker' | 'fancy';
  sort: 'start' | 'name' | 'competition' | 'matched' | 'markets';
  /** Against the order a player expects first: late, Z, little. */
  reverse: boolean;
}

const CHOICES = {
  when: ['all', 'inplay', 'coming'],
  time: ['', '3h', 'today', 'tomorrow', 'later'],
  matched: ['', '1000', '10000', '100000'],
  kind: ['', 'bookmaker', 'fancy'],
  sort: ['start', 'name', 'competition', 'matched', 'markets'],
} as const;

/** What an address says that was typed by hand is taken where it means something. */
export function readFilter(query: URLSearchParams): ListFilter {
  const of = <Name extends keyof typeof CHOICES>(name: Name): (typeof CHOICES)[Name][number] => {
    const values: readonly string[] = CHOICES[name];
    const value = query.get(name) ?? '';
    return (values.includes(value) ? value : values[0]) as (typeof CHOICES)[Name][number];
  };
  return {
    when: of('when'),
    competition: query.get('competition') ?? '',
    time: of('time'),
    matched: of('matched'),
    picture: query.has('picture'),
    kind: of('kind'),
    sort: of('sort'),
    reverse: query.has('reverse'),
  };
}

/** Only what is not as at first stands in the address. */
export function writeFilter(filter: ListFilter): Record<string, string> {
  const first = readFilter(new URLSearchParams());
  return Object.fromEntries(
    Object.entries(filter)
      .filter(([name, value]) => value !== first[name as keyof ListFilter])
      .map(([name, value]) => [name, value === true ? '1' : String(value)]),
  );
}

/** How many of the choices beside the order and the in-play switch narrow the list. */
export const narrowedBy = ({ competition, time, matched, picture, kind }: ListFilter): number =>
  [competition, time, matched, picture, kind].filter(Boolean).length;

const HOUR_MS = 3_600_000;

/** The events that are asked for, in the order that is. */
export function filtered(matches: readonly MatchItem[], filter: ListFilter, now: number): MatchItem[] {
  const fits = (match: MatchItem): boolean =>
    (filter.when === 'all' || match.inPlay === (filter.when === 'inplay')) &&
    (filter.competition === '' || match.competitionId === filter.competition) &&
    fitsTime(filter.time, match, now) &&
    (filter.matched === '' || matchedOf(match) >= Number(filter.matched) * 100) &&
    (!filter.picture || match.isTv) &&
    (filter.kind === '' || (filter.kind === 'bookmaker' ? match.isBookmaker : match.isFancy));
  const found = matches.filter(fits);
  // The list comes by start: what is alike stays so.
  found.sort(ORDERS[filter.sort]);
  return filter.reverse ? found.reverse() : found;
}

function fitsTime(time: ListFilter['time'], match: MatchItem, now: number): boolean {
  if (time === '') return true;
  const startAt = Date.parse(match.startAt);
  if (time === '3h') return match.inPlay || startAt <= now + 3 * HOUR_MS;
  const days = dayOf(startAt) - dayOf(now);
  if (time === 'today') return match.inPlay || days <= 0;
  return time === 'tomorrow' ? days === 1 : days > 1;
}

const ORDERS: Record<ListFilter['sort'], (a: MatchItem, b: MatchItem) => number> = {
  start: () => 0,
  name: (a, b) => a.title.localeCompare(b.title),
  competition: (a, b) => named(a.competitionName).localeCompare(named(b.competitionName)),
  // Most first.
  matched: (a, b) => matchedOf(b) - matchedOf(a),
  markets: (a, b) => b.marketCount - a.marketCount,
};

export const matchedOf = (match: MatchItem): number => match.head?.tradedMinor ?? 0;

/** Whole days on the player's own calendar. */
const dayOf = (at: number): number => dayNumber(at, timeZone());

export interface Competition {
  id: string;
  name: string;
  count: number;
}

/** Of the events of a sport, by name. */
export function competitionsOf(matches: readonly MatchItem[]): Competition[] {
  const found = new Map<string, Competition>();
  for (const { competitionId: id, competitionName } of matches) {
    const name = named(competitionName);
    const known = found.get(id) ?? { id, name, count: 0 };
    known.count += 1;
    found.set(id, known);
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}
