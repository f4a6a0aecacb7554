/** Placed bets by filter (API-44 to API-46) and profit and loss level by level (API-48). */
import { CALLS, CodedError, isoDate } from '@fairgame/contract';
import type { Http } from '../http/http.ts';
import { betPage, profitLoss, type ReportDesk, readBetQuery } from '../ledger/ledger.ts';
import { type Names, toPlacedBet } from './rows.ts';

export function listRoutes(http: Http, { reports, names }: { reports: ReportDesk; names: Names }): void {
  const { bets } = CALLS;
  http.route(bets.list, async ({ query, session }) => {
    const asked = readBetQuery(query, session);
    // The statement sends isCurrentBets=true along with the bets it wants, settled ones too: then those filters rule.
    if (query.betId !== undefined || query.result !== undefined || query.status !== undefined) delete asked.open;
    asked.onlyAlive =
      asked.statuses === undefined && (asked.open === true || asked.results?.includes('PENDING') === true);
    const page = await reports.run(session.accountId, (db) => betPage(db, asked));
    const known = await names.of(page.rows.map((row) => row.marketId));
    return {
      ...page,
      rows: page.rows.map((row) => toPlacedBet(row, known.get(row.marketId) ?? names.now(row.marketId), row.settledAt)),
    };
  });

  http.route(bets.profitLoss, ({ body, session }) => {
    const from = timeOf('from', body.from, 0);
    const to = timeOf('to', body.to, DAY_MS - 1);
    const asked = {
      accountId: session.accountId,
      world: session.world,
      level: body.level,
      ...(body.eventType === undefined ? {} : { eventType: body.eventType }),
      ...(body.matchId === undefined ? {} : { matchId: body.matchId }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    return reports.run(session.accountId, (db) => profitLoss(db, asked));
  });
}

const DAY_MS = 86_400_000;
const DATE = isoDate();

/** A bare date means the whole day: `restOfDay` is added to it. */
function timeOf(field: string, text: string | undefined, restOfDay: number): number | undefined {
  if (text === undefined) return undefined;
  const at = DATE.safeParse(text).success
    ? Date.parse(/T/.test(text) && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text)
    : Number.NaN;
  if (!Number.isFinite(at)) throw new CodedError('BAD_INPUT', { field });
  return text.includes('T') ? at : at + restOfDay;
}
