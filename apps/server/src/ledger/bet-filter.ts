/** Which bets a report is about: the query, as conditions of the database and as a question to what is kept of a part. */
import { SPORT_KEYS } from '@fairgame/contract';
import { likeText, Where, type World } from './where.ts';

export interface BetFilter {
  accountId: number;
  world: World;
  marketIds?: number[];
  runnerIds?: number[];
  eventIds?: number[];
  /** Sports, as the catalogue spells them. */
  eventTypes?: string[];
  results?: string[];
  statuses?: string[];
  /** True: the result is open. False: settled, void or taken out. */
  open?: boolean;
  /** Leaves out what ended without anything matched. */
  onlyAlive?: boolean;
  /** When it was placed, milliseconds since 1970, inclusive. */
  from?: number;
  to?: number;
  /** Part of the name of the market or event, any case. */
  keyword?: string;
}

/** Rounds of the card tables are no event of the catalogue. */
const CARDS = 'casino';
export const EVENT_TYPES = [...SPORT_KEYS, CARDS];

/**
 * The market of each bet, and its event, by their keys: joined plainly, a planner without statistics takes a world for one of few markets, and
 * reads all of it for every bet.
 */
export const FROM = `FROM bets b LEFT JOIN LATERAL (
    SELECT kind, name, event_id, view FROM markets WHERE world = b.world AND id = b.market_id OFFSET 0
  ) m ON true
  LEFT JOIN LATERAL (SELECT title, match_type, start_at_ms FROM events WHERE id = m.event_id OFFSET 0) ev ON true`;
const EVENT_TYPE = `COALESCE(ev.match_type, CASE WHEN m.kind = 'card' THEN '${CARDS}' END)`;
/** A bet taken back or lapsed before anything of it was matched is not open, though its market has no result yet. */
const IS_DEAD = "(b.result = 'PENDING' AND b.status = 'COMPLETE' AND b.matched = 0)";

/** Conditions of the filter for bets of these numbers. */
export function whereOf(query: BetFilter, { first, last }: { first: number; last: number }): Where {
  const where = new Where()
    .and('b.account_id =', query.accountId)
    .and('b.world =', query.world)
    .and('b.id >=', first)
    .and('b.id <=', last);
  if (query.marketIds) where.anyOf('b.market_id', query.marketIds, 'bigint');
  if (query.runnerIds) where.anyOf('b.runner_id', query.runnerIds, 'bigint');
  if (query.eventIds) where.anyOf('m.event_id', query.eventIds, 'bigint');
  if (query.eventTypes) where.anyOf(EVENT_TYPE, query.eventTypes, 'text');
  if (query.results) where.anyOf('b.result', query.results, 'text');
  if (query.statuses) where.anyOf('b.status', query.statuses, 'text');
  if (query.open !== undefined) where.also(query.open ? "b.result = 'PENDING'" : "b.result <> 'PENDING'");
  if (query.onlyAlive) where.also(`NOT ${IS_DEAD}`);
  if (query.from !== undefined) where.and('b.placed_at >=', query.from);
  if (query.to !== undefined) where.and('b.placed_at <=', query.to);
  if (query.keyword)
    where.and(`(COALESCE(ev.title, '') || ' ' || COALESCE(m.name, '')) ILIKE`, likeText(query.keyword));
  return where;
}

/** By what the bets of a part are kept apart. */
export const GROUPED = `${EVENT_TYPE} AS type, b.result, b.status, ${IS_DEAD} AS dead`;
export interface Kind {
  /** Null: the event is not known (yet). */
  type: string | null;
  result: string;
  status: string;
  dead: boolean;
}

/** Whether it takes bets of this kind, as far as one can say by that. */
export const takes = (
  { eventTypes, results, statuses, open, onlyAlive }: BetFilter,
  { type, result, status, dead }: Kind,
): boolean =>
  (eventTypes?.includes(type ?? '') ?? true) &&
  (results?.includes(result) ?? true) &&
  (statuses?.includes(status) ?? true) &&
  (open === undefined || open === (result === 'PENDING')) &&
  !(onlyAlive && dead);

/** Whether more than kind and time decide: bets must be looked at one by one. */
export const looksWithin = ({ marketIds, runnerIds, eventIds, keyword }: BetFilter): boolean =>
  [marketIds, runnerIds, eventIds, keyword].some((asked) => asked !== undefined);

/** Whether it takes every bet of its time. */
export const takesAllBets = (query: BetFilter): boolean =>
  !looksWithin(query) &&
  !query.onlyAlive &&
  [query.eventTypes, query.results, query.statuses, query.open].every((asked) => asked === undefined);
