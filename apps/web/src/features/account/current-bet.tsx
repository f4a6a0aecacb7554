import { CALLS, eq, inArr, PAGE, type PlacedBet } from '@fairgame/contract';
import { useState } from 'react';
import { useCall } from '../../api/api.ts';
import { useCancel } from '../../betting/betting.ts';
import { formatMoney } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { IconReceipt } from '../../ui/icons.ts';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { betColumns, ResultChip } from './bet-columns.tsx';
import { FilterChoice, SPORT_CHOICE } from './date-filter.tsx';
import './reports.css';

const STATES = {
  all: 'All open bets',
  EXECUTABLE: 'Unmatched',
  COMPLETE: 'Matched',
  PENDING: 'In their delay',
} as const;

/** Current Bet: every open bet, ten a page, newest first; unmatched ones can be cancelled here. */
export function Screen() {
  const [page, setPage] = useState<number>(PAGE.first);
  const [limit, setLimit] = useState<number>(PAGE.currentBets);
  const [sport, setSport] = useState('');
  const [state, setState] = useState<keyof typeof STATES>('all');
  const { cancel, cancelAll, busy } = useCancel();
  const { data, isError, isFetching, refetch } = useCall(
    CALLS.bets.list,
    {
      query: {
        result: inArr(['PENDING', 'UNDECLARE']),
        isCurrentBets: 'true',
        page: String(page),
        limit: String(limit),
        sort: 'betPlaced.createdAt:DESC',
        ...(sport ? { 'betPlaced.eventType': eq(sport) } : {}),
        ...(state === 'all' ? {} : { status: eq(state) }),
      },
    },
    { keep: true },
  );
  const columns: Column<PlacedBet>[] = [
    ...betColumns(false),
    {
      id: 'status',
      head: 'Status',
      card: 'more',
      cell: (bet) => (
        <span className="rep-state">
          <ResultChip bet={bet} />
          {bet.status === 'EXECUTABLE' && (
            <Button
              size="sm"
              disabled={busy}
              onClick={() => void cancel(bet.id)}
              aria-label={`Cancel bet on ${bet.teamName}`}
            >
              Cancel
            </Button>
          )}
        </span>
      ),
    },
  ];
  const waiting = (data?.rows ?? []).some((bet) => bet.status === 'EXECUTABLE');
  return (
    <>
      <PageHead title="Current Bet">
        {waiting && (
          <Button busy={busy} onClick={() => void cancelAll([])}>
            Cancel all unmatched
          </Button>
        )}
      </PageHead>
      <section className="panel filters" aria-label="Filter">
        <div className="filters__f">
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
            label="State"
            value={state}
            options={STATES}
            onChange={(next) => {
              setState(next);
              setPage(1);
            }}
          />
        </div>
      </section>
      {isError ? (
        <ErrorNote title="Your bets did not load." onRetry={() => void refetch()}>
          Nothing was changed.
        </ErrorNote>
      ) : (
        <section className="panel rep-open">
          <DataTable
            caption="Current Bet"
            columns={columns}
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
                  },
                }
              : {})}
            empty={
              data && (
                <EmptyState icon={IconReceipt} title="No open bets">
                  Bets waiting for a result show up here.
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
