import { between, CALLS, PAGE, type TransactionRow } from '@fairgame/contract';
import { useState } from 'react';
import { api, useCall } from '../../api/api.ts';
import { dayText, formatDate, formatDateTime, formatMoney, formatSigned, formatTime } from '../../platform/format.ts';
import { useSession } from '../../session/session.ts';
import { alone } from '../../ui/boundary.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconChevronRight, IconFileInvoice, IconSearch } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Kpi, Kpis, PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StepChart } from '../../ui/step-chart.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { BetsBehind } from './bets-behind.tsx';
import { bounds, DayFields, daysWrong, FilterChoice, FilterForm } from './date-filter.tsx';
import { localDay } from './days.ts';
import { EntryType, typeWord } from './entry-type.tsx';
import { amount, ExportButton, readWhole } from './export.tsx';
import { Withdrawals } from './withdrawals.tsx';
import './reports.css';

const BalanceChart = alone('The chart', StepChart);

interface Filter {
  type: string;
  from: string;
  to: string;
  keyword: string;
}
const TYPES = {
  '': 'All entries',
  '0': 'Deposits and withdrawals',
  '1': 'Sport',
  '2': 'Casino',
  '3': 'Live casino',
} as const;

const DAY_MS = 86_400_000;
/** Periods by one press, beside the dates of the filter. */
const RANGES = [
  { id: '7', label: '7 days' },
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: 'period', label: 'This period' },
] as const;
type Range = (typeof RANGES)[number]['id'];
const SORT = 'transaction.createdAt:DESC,transaction.uniqueId:DESC';

/** Account Statement: every movement of the balance, newest first; a row opens the bets behind it. */
export function Screen() {
  const userId = useSession()?.userId ?? 0;
  const start = (): Filter => ({ type: '', from: localDay(-7), to: localDay(0), keyword: '' });
  const [draft, setDraft] = useState<Filter>(start);
  const [filter, setFilter] = useState<Filter>(start);
  const [page, setPage] = useState<number>(PAGE.first);
  const [limit, setLimit] = useState<number>(PAGE.statement);
  const [open, setOpen] = useState<TransactionRow | null>(null);

  const query = queryOf(filter);
  const { data, isError, isFetching, refetch } = useCall(
    CALLS.account.transactions,
    { params: { userId: String(userId) }, query: { ...query, page: String(page), limit: String(limit), sort: SORT } },
    { keep: true, enabled: userId > 0 },
  );
  const curve = useCall(
    CALLS.account.curve,
    {
      params: { userId: String(userId) },
      query: { 'transaction.createdAt': query['transaction.createdAt'] },
    },
    { keep: true, enabled: userId > 0 },
  );

  const show = (next: Filter) => {
    setDraft(next);
    setFilter(next);
    setPage(1);
  };
  const lines = async () => {
    const rows = await readWhole(
      (at, size) =>
        api(
          CALLS.account.transactions,
          {
            params: { userId: String(userId) },
            query: { ...query, page: at, limit: size, sort: 'transaction.uniqueId:ASC' },
          },
          { quiet: true },
        ),
      (row) => row.uniqueId,
    );
    return rows.map((row) => [
      row.createdAt,
      String(row.uniqueId),
      typeWord(row),
      row.description,
      amount(row.amount),
      amount(row.closingBalance),
    ]);
  };

  const columns: Column<TransactionRow>[] = [
    { id: 'date', head: 'Date', card: 'meta', cell: (row) => formatDateTime(Date.parse(row.createdAt)) },
    { id: 'no', head: 'Sr no', cell: (row) => <span className="num">{row.uniqueId}</span> },
    { id: 'type', head: 'Type', card: 'tag', cell: (row) => <EntryType row={row} /> },
    {
      id: 'remark',
      head: 'Remark',
      card: 'title',
      wrap: true,
      cell: (row) =>
        row.betId.length > 0 ? (
          <button type="button" className="linkbtn" onClick={() => setOpen(row)}>
            {row.description}
            <Icon of={IconChevronRight} size={14} className="t3" />
          </button>
        ) : (
          row.description
        ),
    },
    {
      id: 'credit',
      head: 'Credit',
      numeric: true,
      card: 'amount',
      cell: (row) => row.amount > 0 && <SignedMoney minor={row.amount} />,
    },
    {
      id: 'debit',
      head: 'Debit',
      numeric: true,
      card: 'amount',
      cell: (row) => row.amount < 0 && <SignedMoney minor={row.amount} />,
    },
    {
      id: 'balance',
      head: 'Balance',
      numeric: true,
      card: 'note',
      cell: (row) => <b className="num">{formatMoney(row.closingBalance)}</b>,
    },
  ];
  const points = (curve.data?.points ?? []).map(([t, v]) => ({ t, v }));

  const oneDay = points.length > 1 && points.at(-1)!.t - points[0]!.t < DAY_MS;
  const choose = (range: Range) => {
    if (range === 'period') return;
    show({ ...filter, from: localDay(-Number(range)), to: localDay(0) });
  };

  return (
    <>
      <PageHead title="Account Statement">
        <ExportButton
          name="account-statement"
          head={['Date', 'Transaction', 'Type', 'Description', 'Amount', 'Balance']}
          disabled={!data || data.total === 0}
          lines={lines}
        />
      </PageHead>
      <FilterForm
        days={filter}
        chosen={[filter.type && TYPES[filter.type as keyof typeof TYPES], filter.keyword.trim()]}
        wrong={daysWrong(draft)}
        onApply={() => show(draft)}
        onReset={() => show(start())}
      >
        <FilterChoice
          label="Account"
          value={draft.type}
          options={TYPES}
          onChange={(type) => setDraft({ ...draft, type })}
        />
        <DayFields days={draft} onChange={setDraft} />
        <Field label="Search" grow>
          <TextInput
            type="search"
            icon={IconSearch}
            value={draft.keyword}
            placeholder="Event or market"
            maxLength={100}
            onChange={(event) => setDraft({ ...draft, keyword: event.target.value })}
          />
        </Field>
      </FilterForm>
      <p className="print-only">
        {dayText(filter.from)} to {dayText(filter.to)}
      </p>
      {isError ? (
        <ErrorNote title="The statement did not load." onRetry={() => void refetch()}>
          Your balance is not affected.
        </ErrorNote>
      ) : (
        <>
          <section className="panel" aria-label="Totals">
            <Kpis>
              <Kpi label="Opening balance" note={dayText(filter.from)}>
                {data ? formatMoney(data.totals.opening) : '\u2013'}
              </Kpi>
              <Kpi label="Money in" note="Deposits, wins, credit">
                {data ? <SignedMoney minor={data.totals.credit} /> : '\u2013'}
              </Kpi>
              <Kpi label="Money out" note="Withdrawals, losses">
                {data ? <SignedMoney minor={-Math.abs(data.totals.debit)} /> : '\u2013'}
              </Kpi>
              <Kpi label="Closing balance" note={dayText(filter.to)}>
                {data ? formatMoney(data.totals.closing) : '\u2013'}
              </Kpi>
            </Kpis>
            {points.length > 1 && (
              <div className="rep-chart">
                <div className="rep-chart__h">
                  <h2 className="fs-13">Running balance</h2>
                  <Segmented label="Period" items={RANGES} value={rangeOf(filter)} onChange={choose} />
                </div>
                <BalanceChart
                  series={[{ name: 'Balance', points }]}
                  label={`Running balance, ${dayText(filter.from)} to ${dayText(filter.to)}, at the end ${formatMoney(points.at(-1)!.v)}`}
                  formatValue={(v) => formatMoney(Math.round(v), 0)}
                  formatTime={oneDay ? formatTime : formatDate}
                  tip={(t) => tipAt(points, t)}
                />
              </div>
            )}
          </section>
          <Withdrawals />
          <section className="panel">
            <DataTable
              caption="Account Statement"
              columns={columns}
              rows={data?.rows ?? []}
              rowKey={(row) => String(row.uniqueId)}
              busy={isFetching}
              empty={
                data && (
                  <EmptyState icon={IconFileInvoice} title="No entries in this time">
                    Choose other dates, or place a bet and come back when it is settled.
                  </EmptyState>
                )
              }
            />
            {data ? (
              <Pagination
                page={page}
                limit={limit}
                total={data.total}
                onPage={setPage}
                onLimit={(next) => {
                  setLimit(next);
                  setPage(1);
                }}
              />
            ) : (
              <SkeletonRows rows={6} kind="table" />
            )}
          </section>
        </>
      )}
      {open && <BetsBehind row={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function rangeOf({ from, to }: Filter): Range {
  if (to !== localDay(0)) return 'period';
  return RANGES.find(({ id }) => id !== 'period' && from === localDay(-Number(id)))?.id ?? 'period';
}

function queryOf(filter: Filter) {
  const { from, to } = bounds(filter);
  return {
    'transaction.createdAt': between(from, to),
    ...(filter.type ? { type: filter.type as '0' | '1' | '2' | '3' } : {}),
    ...(filter.keyword.trim() ? { searchBy: 'description' as const, keyword: filter.keyword.trim() } : {}),
  };
}

function tipAt(points: ReadonlyArray<{ t: number; v: number }>, t: number): string[] {
  let at = 0;
  while (at + 1 < points.length && points[at + 1]!.t <= t) at++;
  const change = at > 0 ? points[at]!.v - points[at - 1]!.v : 0;
  return [formatDateTime(points[at]!.t), formatMoney(points[at]!.v), formatSigned(change)];
}
