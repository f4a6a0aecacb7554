/** The account statement: its pages, its curve, and as files. Always the session's own. */
import { CodedError, account as calls, filterRange, type LanguageTag } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import type { Http, Session } from '../http/http.ts';
import {
  balanceCurve,
  type Reader,
  type ReportDesk,
  readStatementQuery,
  statement,
  yearSums,
} from '../ledger/ledger.ts';
import { statementFile } from './statement-file.ts';
import { yearFile } from './year-file.ts';

export function statementRoutes(
  http: Http,
  {
    reports,
    auth,
    clock,
    readerOf,
  }: {
    reports: ReportDesk;
    auth: Pick<Auth, 'user'>;
    clock: () => number;
    readerOf: (userId: number, asked: { timeZone?: string; language?: LanguageTag }) => Promise<Reader>;
  },
): void {
  const own = ({ userId }: { userId: string }, session: Session): void => {
    if (Number(userId) !== session.userId) throw new CodedError('NOT_ALLOWED', { field: 'userId' });
  };

  http.route(calls.transactions, ({ session, params, query }) => {
    own(params, session);
    const asked = readStatementQuery(query, session);
    return reports.run(session.accountId, (q) => statement(q, asked));
  });

  http.route(calls.curve, async ({ session, params, query }) => {
    own(params, session);
    const range = filterRange('transaction.createdAt', query['transaction.createdAt']) ?? {};
    return { points: await reports.run(session.accountId, (q) => balanceCurve(q, session, range)) };
  });

  http.file(calls.transactionFile, async ({ session, params, query: { timeZone, language, ...query } }) => {
    own(params, session);
    const asked = readStatementQuery(query, session);
    const reader = await readerOf(session.userId, { timeZone, language });
    return { name: 'account-statement.csv', chunks: statementFile(reports, asked, reader) };
  });

  http.file(calls.transactionYear, async ({ session, params, query }) => {
    own(params, session);
    const reader = await readerOf(session.userId, query);
    const year = Number(query.year);
    const user = await auth.user(session.userId);
    if (!user) throw new CodedError('SESSION_ENDED');
    const sums = await reports.run(session.accountId, (q) => yearSums(q, session, year, reader.zone));
    const { userName, currency } = user;
    const facts = { userName, userId: session.userId, currency, at: clock() };
    return { name: `statement-${year}.pdf`, chunks: await yearFile(year, sums, facts, reader) };
  });
}
