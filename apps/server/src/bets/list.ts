/** Placed bets by filter (API-44 to API-46) and profit and loss level by level (API-48). */
import { beginOfDay, CALLS, CodedError, isoDate, type LanguageTag, type QueryOf } from '@fairgame/contract';
import type { Http, Session } from '../http/http.ts';
import { type BetQuery, betPage, profitLoss, type Reader, type ReportDesk, readBetQuery } from '../ledger/ledger.ts';
import { betFile } from './file.ts';
import { type Names, toPlacedBet } from './rows.ts';

export interface ListOptions {
  reports: ReportDesk;
  names: Names;
  /** By whose clock days and hours are told: that of the zone asked for, else the player's own. Throws BAD_INPUT. */
  zoneFor: (userId: number, asked: string | undefined) => Promise<string>;
  /** The same, and in which language. */
  readerOf: (userId: number, asked: { timeZone?: string; language?: LanguageTag }) => Promise<Reader>;
}

export function listRoutes(http: Http, { reports, names, zoneFor, readerOf }: ListOptions): void {
  const { bets } = CALLS;
  http.route(bets.list, async ({ query, session }) => {
    const asked = askedOf(query, session);
    const page = await reports.run(session.accountId, (db) => betPage(db, asked));
    const known = await names.of(page.rows.map((row) => row.marketId));
    return {
      ...page,
      rows: page.rows.map((row) => toPlacedBet(row, known.get(row.marketId) ?? names.now(row.marketId), row.settledAt)),
    };
  });

  http.file(bets.file, async ({ query: { timeZone, language, ...query }, session }) => {
    const reader = await readerOf(session.userId, { timeZone, language });
    return { name: 'bets.csv', chunks: betFile({ reports, names }, session, askedOf(query, session), reader) };
  });

  http.route(bets.profitLoss, async ({ body, session }) => {
    const zone = await zoneFor(session.userId, body.timeZone);
    const from = timeOf('from', body.from, 'start', zone);
    const to = timeOf('to', body.to, 'end', zone);
    const asked = {
      accountId: session.accountId,
      world: session.world,
      level: body.level,
      timeZone: zone,
      ...(body.eventType === undefined ? {} : { eventType: body.eventType }),
      ...(body.matchId === undefined ? {} : { matchId: body.matchId }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    return reports.run(session.accountId, (db) => profitLoss(db, asked));
  });
}

function askedOf(query: QueryOf<typeof CALLS.bets.list>, session: Session): BetQuery {
  const asked = readBetQuery(query, session);
  // The statement sends isCurrentBets=true along with the bets it wants, settled ones too: then those filters rule.
  const rules = query.betId !== undefined || query.result !== undefined || query.status !== undefined;
  if (rules && query.result !== 'isNull') delete asked.open;
  asked.onlyAlive =
    asked.statuses === undefined && (asked.open === true || asked.results?.includes('PENDING') === true);
  return asked;
}

const DAY_MS = 86_400_000;
const DATE = isoDate();

/** A moment without an offset is UTC; a bare date is its start in the zone, or the last millisecond of it. */
function timeOf(field: string, text: string | undefined, edge: 'start' | 'end', zone: string): number | undefined {
  if (text === undefined) return undefined;
  if (!DATE.safeParse(text).success) throw new CodedError('BAD_INPUT', { field });
  if (text.includes('T')) {
    const at = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
    if (!Number.isFinite(at)) throw new CodedError('BAD_INPUT', { field });
    return at;
  }
  const day = Date.parse(`${text}T00:00:00Z`);
  if (!Number.isFinite(day)) throw new CodedError('BAD_INPUT', { field });
  return edge === 'start' ? beginOfDay(day, zone) : beginOfDay(day + DAY_MS, zone) - 1;
}
