import { CALLS, eq, inArr, PAGE, type PlacedBet } from '@fairgame/contract';
import { useState } from 'react';
import { useCall } from '../../api/api.ts';
import { useCancel } from '../../betting/betting.ts';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { IconReceipt } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/note.tsx';
import { usePages } from '../../ui/pagination.tsx';
import { betColumns, betTotals, ResultChip } from './bet-columns.tsx';
import { FilterChoice, SPORT_CHOICE } from './date-filter.tsx';
import { Report, ReportTable } from './report.tsx';

const STATES = {
  all: 'All open bets',
  EXECUTABLE: 'Unmatched',
  COMPLETE: 'Matched',
  PENDING: 'In their delay',
} as const;

/** Current Bet: every open bet, ten a page, newest first; unmatched ones can be cancelled here. */
export function Screen() {
  const [sport, setSport] = useState('');
  const [state, setState] = useState<keyof typeof STATES>('all');
  const { cancel, cancelAll, busy } = useCancel();
  const query = {
    result: inArr(['PENDING', 'UNDECLARE']),
    isCurrentBets: 'true' as const,
    sort: 'betPlaced.createdAt:DESC',
    ...(sport ? { 'betPlaced.eventType': eq(sport) } : {}),
    ...(state === 'all' ? {} : { status: eq(state) }),
  };
  const pages = usePages(query, PAGE.currentBets);
  const read = useCall(
    CALLS.bets.list,
    { query: { ...query, page: String(pages.page), limit: String(pages.limit) } },
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
  const waiting = (read.data?.rows ?? []).some((bet) => bet.status === 'EXECUTABLE');
  return (
    <Report
      title="Current Bet"
      actions={
        waiting && (
          <Button busy={busy} onClick={() => void cancelAll([])}>
            Cancel all unmatched
          </Button>
        )
      }
      filter={
        <section className="panel filters" aria-label="Filter">
          <div className="filters__f">
            <FilterChoice label="Sport" value={sport} options={SPORT_CHOICE} onChange={setSport} />
            <FilterChoice label="State" value={state} options={STATES} onChange={setState} />
          </div>
        </section>
      }
      read={read}
      failed="Your bets did not load."
      calm="Nothing was changed."
    >
      <ReportTable
        className="rep-open"
        caption="Current Bet"
        columns={columns}
        rowKey={(bet) => String(bet.id)}
        read={read}
        pages={pages}
        total={({ totals }) => betTotals(totals)}
        empty={
          <EmptyState icon={IconReceipt} title="No open bets">
            Bets waiting for a result show up here.
          </EmptyState>
        }
      />
    </Report>
  );
}
