/** Readings of the books from the tables: statement, profit and loss, bets of the past, and the check of everything. */
export { stakesSince } from './bet-parts.ts';
export {
  type BetPage,
  type BetQuery,
  type BetRow,
  betPage,
  betSlice,
  type ClearedRow,
  clearedBets,
  readBetQuery,
} from './bet-report.ts';
export { conditionalEnds, type EndPlace, type EndQuery, type EndRow, readEndQuery } from './conditional-report.ts';
export { balanceCurve } from './curve.ts';
export { createReportDesk, type ReportDesk } from './desk.ts';
export { ENTRIES, entryRange, NEWEST_ENTRY } from './entry-range.ts';
export { amountText, type Columns, csvOf, type Reader, zoneOf } from './files.ts';
export { lifetimeProfit, type ProfitQuery, type ProfitReport, profitLoss } from './profit.ts';
export { namesIn, namesInAll } from './said.ts';
export { readStatementQuery, type StatementPage, type StatementQuery, statement, statementSlice } from './statement.ts';
export { type Check, type Report, verify } from './verify.ts';
export { likeText } from './where.ts';
export { type MonthSums, type YearSums, yearSums } from './year.ts';
