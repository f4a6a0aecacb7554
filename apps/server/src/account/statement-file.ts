/** The account statement as a file: the columns of its table, with the figures shown there. */
import { clockText, lineInWords, type TransactionRow } from '@fairgame/contract';
import {
  amountText,
  type Columns,
  csvOf,
  type Reader,
  type ReportDesk,
  type StatementQuery,
  statementSlice,
} from '../ledger/ledger.ts';
import type { Word } from '../words.ts';

const WORDS: Readonly<Record<TransactionRow['transType'], Word>> = {
  add: 'Deposit',
  withDraw: 'Withdrawal',
  win: 'Win',
  loss: 'Loss',
  creditReference: 'Credit',
};
/** A round of a live game is in the books by its movements: a stake is no loss yet, and what came back is no win yet. */
const LIVE_CASINO = 3;
const wordOf = ({ type, amount, transType }: TransactionRow): Word =>
  type === LIVE_CASINO ? (amount < 0 ? 'Stake' : 'Paid back') : WORDS[transType];

const HEADS = ['Sr no', 'Type', 'Remark', 'Credit', 'Debit', 'Balance'] as const;

const columns = ({ zone, say, named }: Reader): Columns<TransactionRow> => ({
  heads: [`${say('Date')} (${zone})`, ...HEADS.map(say)],
  cells: (row) => [
    clockText(Date.parse(row.createdAt), zone),
    String(row.uniqueId),
    say(wordOf(row)),
    lineInWords(row.description, named),
    row.amount > 0 ? amountText(row.amount) : '',
    row.amount < 0 ? amountText(row.amount) : '',
    amountText(row.closingBalance),
  ],
});

export function statementFile(reports: ReportDesk, query: StatementQuery, reader: Reader): AsyncIterable<string> {
  return csvOf(columns(reader), reader, (after: TransactionRow | null, limit) =>
    reports.run(query.accountId, (db) => statementSlice(db, query, after?.uniqueId ?? null, limit)),
  );
}
