import { between, CALLS, eq, inArr, PAGE } from '@fairgame/contract';
import { useState } from 'react';
import { api, useCall } from '../../api/api.ts';
import { kindOf } from '../../betting/betting.ts';
import { dayText, formatMoney } from '../../platform/format.ts';
import { sportName } from '../../platform/sports.ts';
import { useSession } from '../../session/session.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { IconHistory } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { betColumns } from './bet-columns.tsx';
import { bounds, DateFilter, type Days, FilterChoice, lastWeek, SPORT_CHOICE } from './date-filter.tsx';
import { amount, ExportButton, readWhole } from './export.tsx';
import './reports.css';

const RESULTS = { all: 'All results', WIN: 'Won', LOSS: 'Lost', VOID: 'Void', UNDECLARE: 'Deleted' } as const;
const SETTLED = ['WIN', 'LOSS', 'TIE', 'VOID', 'UNDECLARE'];

/** Bet history: settled bets, newest first. */
export function Screen() {
  const userId = useSession()?.userId ?? 0;
  const [days, setDays] = useState<Days>(lastWeek);
  const [sport, setSport] = useState('');
  const [result, setResult] = useState<keyof typeof RESULTS>('all');
  const [page, setPage] = useState<number>(PAGE.first);
  const [limit, setLimit] = useState<number>(PAGE.statement);
  const { from, to } = bounds(days);
  const query = {
    result: result === 'all' ? inArr(SETTLED) : eq(result),
    'betPlaced.createdAt': between(from, to),
    createBy: eq(userId),
    sort: 'betPlaced.createdAt:DESC',
    ...(sport ? { 'betPlaced.eventType': eq(sport) } : {}),
  };
  const { data, isError, isFetching, refetch } = useCall(
    CALLS.bets.list,
    { query: { ...query, page: String(page), limit: String(limit) } },
    { keep: true, enabled: userId > 0 },
  );

  const lines = async () => {
    const rows = await readWhole(
      (at, size) =>
        api(
          CALLS.bets.list,
          { query: { ...query, sort: 'betPlaced.createdAt:ASC', page: at, limit: size } },
          { quiet: true },
        ),
      (bet) => bet.id,
    );
    return rows.map((bet) => [
      bet.createdAt,
      bet.eventName,
      bet.bettingName,
      bet.teamName,
      bet.betType,
      bet.line === null ? '' : String(bet.line),
      priceCell(bet.kind, bet.oddsMatched),
      amount(bet.matched),
      amount(bet.profitLoss),
      bet.result,
    ]);
  };
  return (
    <>
      <PageHead title="Bet history">
        <ExportButton
          name="bet-history"
          head={[
            'Placed at',
            'Event',
            'Market',
            'Selection',
            'Side',
            'Line',
            'Price',
            'Stake',
            'Profit/Loss',
            'Status',
          ]}
          disabled={!data || data.total === 0}
          lines={lines}
        />
      </PageHead>
      <DateFilter
        chosen={[sport && sportName(sport), result === 'all' ? '' : RESULTS[result]]}
        onApply={(next) => {
          setDays(next);
          setPage(1);
        }}
        onReset={() => {
          setSport('');
          setResult('all');
        }}
      >
        <FilterChoice
          label="Sport"
          value={sport}
          options={SPORT_CHOICE}
          onChange={(next) => {
            setSport(next);
            setPage(1);
          }}
        />
        <FilterChoice
          label="Result"
          value={result}
          options={RESULTS}
          onChange={(next) => {
            setResult(next);
            setPage(1);
          }}
        />
      </DateFilter>
      <p className="print-only">
        {dayText(days.from)} to {dayText(days.to)}
      </p>
      {isError ? (
        <ErrorNote title="Your bets did not load." onRetry={() => void refetch()} />
      ) : (
        <section className="panel">
          <DataTable
            caption="Bet history"
            columns={betColumns(true)}
            rows={data?.rows ?? []}
            rowKey={(bet) => String(bet.id)}
            busy={isFetching}
            {...(data
              ? {
                  total: {
                    event: 'Total',
                    stake: formatMoney(data.totals.stake),
                    matched: formatMoney(data.totals.matched),
                    facts: `Stake ${formatMoney(data.totals.stake)}, matched ${formatMoney(data.totals.matched)}`,
                    profit: <SignedMoney minor={data.totals.profitLoss} />,
                  },
                }
              : {})}
            empty={
              data && (
                <EmptyState icon={IconHistory} title="No settled bets in this time">
                  Choose other dates, or come back when a bet is settled.
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
      )}
    </>
  );
}

/** Odds as decimals; a rate stands as it is, per 100. */
const priceCell = (kind: string, price: number): string => (kindOf(kind).rate ? String(price) : amount(price));
