import { between, CALLS, PAGE, type ReplyOf, type TransactionRow } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useState } from 'react';
import { readFile, useCall } from '../../api/api.ts';
import { dayText, formatDate, formatDateTime, formatMoney, formatSigned, formatTime } from '../../platform/format.ts';
import { say } from '../../platform/language.ts';
import { namedLine } from '../../platform/named.ts';
import { useSession } from '../../session/session.ts';
import { alone } from '../../ui/boundary.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconChevronRight, IconFileInvoice } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState } from '../../ui/note.tsx';
import { usePages } from '../../ui/pagination.tsx';
import { Kpi, Kpis } from '../../ui/panel.tsx';
import { StepChart } from '../../ui/step-chart.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { BetsBehind } from './bets-behind.tsx';
import { saveBlob } from './csv.ts';
import {
  bounds,
  daysText,
  type Filter,
  FilterChoice,
  FilterForm,
  FilterSearch,
  lastWeek,
  useFilter,
} from './date-filter.tsx';
import { localDay } from './days.ts';
import { EntryType } from './entry-type.tsx';
import { reader } from './export.tsx';
import { Report, ReportTable } from './report.tsx';
import { Withdrawals } from './withdrawals.tsx';
import { YearFile } from './year-file.tsx';
import buttonCss from '../../ui/button.module.css';
import panelCss from '../../ui/panel.module.css';
import css from './reports.module.css';

const BalanceChart = alone(msg`The chart`, StepChart);

const typeChoice = () => ({
  '': t`All entries`,
  '0': t`Deposits and withdrawals`,
  '1': t`Sport`,
  '2': t`Casino`,
  '3': t`Live casino`,
});

const DAY_MS = 86_400_000;
/** Periods by one press, beside the dates of the filter. */
const RANGES = [
  { id: '7', label: msg`7 days` },
  { id: '30', label: msg`30 days` },
  { id: '90', label: msg`90 days` },
  { id: 'period', label: msg`This period` },
] as const;
type Range = (typeof RANGES)[number]['id'];
const SORT = 'transaction.createdAt:DESC,transaction.uniqueId:DESC';

const start = () => ({ ...lastWeek(), type: '' as keyof ReturnType<typeof typeChoice>, keyword: '' });
type Shown = ReturnType<typeof start>;

/** Account Statement: every movement of the balance, newest first; a row opens the bets behind it. */
export function Screen() {
  const userId = useSession()?.userId ?? 0;
  const filter = useFilter(start);
  const { shown } = filter;
  const [open, setOpen] = useState<TransactionRow | null>(null);
  const types = typeChoice();
  const params = { userId: String(userId) };
  const query = queryOf(shown);
  const pages = usePages(query, PAGE.statement);
  const read = useCall(
    CALLS.account.transactions,
    { params, query: { ...query, page: String(pages.page), limit: String(pages.limit), sort: SORT } },
    { keep: true, enabled: userId > 0 },
  );
  const save = async () =>
    saveBlob(
      'account-statement.csv',
      await readFile(CALLS.account.transactionFile, { params, query: { ...query, ...reader() } }),
    );
  return (
    <Report
      title={t`Account Statement`}
      actions={<YearFile userId={userId} />}
      file={{ save, empty: !read.data?.total }}
      filter={
        <FilterForm filter={filter} chosen={[shown.type && types[shown.type], shown.keyword.trim()]}>
          <FilterChoice
            label={t`Account`}
            value={filter.draft.type}
            options={types}
            onChange={(type) => filter.edit({ type })}
          />
          <FilterSearch filter={filter} placeholder={t`Event or market`} />
        </FilterForm>
      }
      days={shown}
      read={read}
      failed={t`The statement did not load.`}
      calm={t`Your balance is not affected.`}
    >
      <Totals filter={filter} totals={read.data?.totals} />
      <Withdrawals />
      <ReportTable
        caption={t`Account Statement`}
        columns={entryColumns(setOpen)}
        rowKey={(row) => String(row.uniqueId)}
        read={read}
        pages={pages}
        empty={
          <EmptyState icon={IconFileInvoice} title={t`No entries in this time`}>
            {t`Choose other dates, or place a bet and come back when it is settled.`}
          </EmptyState>
        }
      />
      {open && <BetsBehind row={open} onClose={() => setOpen(null)} />}
    </Report>
  );
}

const entryColumns = (onOpen: (row: TransactionRow) => void): Column<TransactionRow>[] => [
  { id: 'date', head: t`Date`, card: 'meta', cell: (row) => formatDateTime(Date.parse(row.createdAt)) },
  { id: 'no', head: t`Sr no`, cell: (row) => <span className="num">{row.uniqueId}</span> },
  { id: 'type', head: t`Type`, card: 'tag', cell: (row) => <EntryType row={row} /> },
  {
    id: 'remark',
    head: t`Remark`,
    card: 'title',
    wrap: true,
    cell: (row) =>
      row.betId.length > 0 ? (
        <button type="button" className={buttonCss.asLink} onClick={() => onOpen(row)}>
          {namedLine(row.description)}
          <Icon of={IconChevronRight} size={14} className="t3" />
        </button>
      ) : (
        namedLine(row.description)
      ),
  },
  {
    id: 'credit',
    head: t`Credit`,
    numeric: true,
    card: 'amount',
    cell: (row) => row.amount > 0 && <SignedMoney minor={row.amount} />,
  },
  {
    id: 'debit',
    head: t`Debit`,
    numeric: true,
    card: 'amount',
    cell: (row) => row.amount < 0 && <SignedMoney minor={row.amount} />,
  },
  {
    id: 'balance',
    head: t`Balance`,
    numeric: true,
    card: 'note',
    cell: (row) => <b className="num">{formatMoney(row.closingBalance)}</b>,
  },
];

/** What the time came to, and how the balance ran. */
function Totals({
  filter,
  totals,
}: {
  filter: Filter<Shown>;
  totals: ReplyOf<typeof CALLS.account.transactions>['totals'] | undefined;
}) {
  const userId = useSession()?.userId ?? 0;
  const { shown } = filter;
  const curve = useCall(
    CALLS.account.curve,
    {
      params: { userId: String(userId) },
      query: { 'transaction.createdAt': queryOf(shown)['transaction.createdAt'] },
    },
    { keep: true, enabled: userId > 0 },
  );
  const points = (curve.data?.points ?? []).map(([time, v]) => ({ t: time, v }));
  const oneDay = points.length > 1 && points.at(-1)!.t - points[0]!.t < DAY_MS;
  return (
    <section className={panelCss.panel} aria-label={t`Totals`}>
      <Kpis>
        <Kpi label={t`Opening balance`} note={dayText(shown.from)}>
          {totals ? formatMoney(totals.opening) : '\u2013'}
        </Kpi>
        <Kpi label={t`Money in`} note={t`Deposits, wins, credit`}>
          {totals ? <SignedMoney minor={totals.credit} /> : '\u2013'}
        </Kpi>
        <Kpi label={t`Money out`} note={t`Withdrawals, losses`}>
          {totals ? <SignedMoney minor={-Math.abs(totals.debit)} /> : '\u2013'}
        </Kpi>
        <Kpi label={t`Closing balance`} note={dayText(shown.to)}>
          {totals ? formatMoney(totals.closing) : '\u2013'}
        </Kpi>
      </Kpis>
      {points.length > 1 && (
        <div className={css.chart}>
          <div className={css.chartHead}>
            <h2 className="fs-13">{t`Running balance`}</h2>
            <Segmented
              label={t`Period`}
              items={RANGES.map(({ id, label }) => ({ id, label: say(label) }))}
              value={rangeOf(shown)}
              onChange={(range) => {
                if (range !== 'period') filter.choose({ from: localDay(-Number(range)), to: localDay(0) });
              }}
            />
          </div>
          <BalanceChart
            series={[{ name: t`Balance`, points }]}
            label={t`Running balance, ${{ days: daysText(shown) }}, at the end ${{ amount: formatMoney(points.at(-1)!.v) }}`}
            formatValue={(v) => formatMoney(Math.round(v), 0)}
            formatTime={oneDay ? formatTime : formatDate}
            tip={(time) => tipAt(points, time)}
          />
        </div>
      )}
    </section>
  );
}

function rangeOf({ from, to }: Shown): Range {
  if (to !== localDay(0)) return 'period';
  return RANGES.find(({ id }) => id !== 'period' && from === localDay(-Number(id)))?.id ?? 'period';
}

function queryOf(filter: Shown) {
  const { from, to } = bounds(filter);
  return {
    'transaction.createdAt': between(from, to),
    ...(filter.type ? { type: filter.type } : {}),
    ...(filter.keyword.trim() ? { searchBy: 'description' as const, keyword: filter.keyword.trim() } : {}),
  };
}

function tipAt(points: ReadonlyArray<{ t: number; v: number }>, time: number): string[] {
  let at = 0;
  while (at + 1 < points.length && points[at + 1]!.t <= time) at++;
  const change = at > 0 ? points[at]!.v - points[at - 1]!.v : 0;
  return [formatDateTime(points[at]!.t), formatMoney(points[at]!.v), formatSigned(change)];
}
