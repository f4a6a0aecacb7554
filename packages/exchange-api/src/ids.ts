/** Our numbers in the shape of theirs, there and back. Those that a feed gives out have up to sixteen digits. */
const MARKETS_FROM = 200_000_000;
const EVENTS_FROM = 30_000_000;

export const toMarketId = (marketId: number): string => `1.${MARKETS_FROM + marketId}`;
/** Ours of theirs; null for one that cannot be of this site. */
export function fromMarketId(text: string): number | null {
  const match = /^1\.(\d{9,16})$/.exec(text);
  const id = match ? Number(match[1]) - MARKETS_FROM : 0;
  return id > 0 && Number.isSafeInteger(id) ? id : null;
}
export const toEventId = (eventId: number): string => String(EVENTS_FROM + eventId);
/** Ours of theirs; null for one that is no number. */
export function fromEventId(text: string): number | null {
  const id = numberIn(text);
  return id === null ? null : id - EVENTS_FROM;
}

/** The number that an id is written as, as bets are; null for one that is none. */
export function numberIn(text: string): number | null {
  const id = Number(text);
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(id) ? id : null;
}

/** Programs know these numbers and no others. */
const EVENT_TYPES = {
  football: ['1', 'Soccer'],
  tennis: ['2', 'Tennis'],
  cricket: ['4', 'Cricket'],
  horseRacing: ['7', 'Horse Racing'],
  greyHound: ['4339', 'Greyhound Racing'],
  politics: ['2378961', 'Politics'],
} as const;

/** The sport by its number and name; undefined for one that the format has no number for. */
export function eventTypeOf(sport: string): { id: string; name: string } | undefined {
  const found = Object.hasOwn(EVENT_TYPES, sport) ? EVENT_TYPES[sport as keyof typeof EVENT_TYPES] : undefined;
  return found && { id: found[0], name: found[1] };
}

const MARKET_TYPES: Readonly<Record<string, string>> = {
  matchOdd: 'MATCH_ODDS',
  win: 'WIN',
  place: 'PLACE',
  bothTeamsToScore: 'BOTH_TEAMS_TO_SCORE',
  correctScore: 'CORRECT_SCORE',
  halfTime: 'HALF_TIME',
  tournament: 'TOURNAMENT_WINNER',
  setWinner: 'SET_WINNER',
  completeMatch: 'COMPLETED_MATCH',
  tiedMatch: 'TIED_MATCH',
};

/** The type of a market by our word for it and its name: goal lines are types of their own. */
export function marketTypeOf(ours: string, name: string): string {
  const goals = /(\d+)\.(\d)/.exec(name);
  if (ours === 'overUnder' && goals) return `OVER_UNDER_${goals[1]}${goals[2]}`;
  return MARKET_TYPES[ours] ?? MARKET_TYPES[ours.replace(/\d+$/, '')] ?? ours.replace(/[A-Z]/g, '_$&').toUpperCase();
}
