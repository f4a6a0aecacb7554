import { CALLS, eq, inArr, PAGE, type PlacedBet } from '@fairgame/contract';
import { useState } from 'react';
import { readFile, useCall } from '../../api/api.ts';
import { useCancel } from '../../betting/betting.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import type { Column } from '../../ui/data-table.tsx';
import { IconReceipt } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/note.tsx';
import { usePages } from '../../ui/pagination.tsx';
import { betColumns, betTotals, ResultChip } from './bet-columns.tsx';
import { saveBlob } from './csv.ts';
import { FilterChoice, SPORT_CHOICE } from './date-filter.tsx';
import { TIME_ZONE } from './days.ts';
import { Report, ReportTable } from './report.tsx';
import dataCss from '../../ui/data.module.css';
import panelCss from '../../ui/panel.module.css';
import css from './reports.module.css';

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
  const { sort: _, ...filters } = query;
  const save = async () =>
    saveBlob('current-bets.csv', await readFile(CALLS.bets.file, { query: { ...filters, timeZone: TIME_ZONE } }));
  const columns = [...betColumns(false), stateColumn(busy, cancel)];
  const waiting = (read.data?.rows ?? []).some((bet) => bet.status === 'EXECUTABLE');
  return (
    <Report
      title="Current Bet"
      file={{ save, empty: !read.data?.total }}
      actions={
        waiting && (
          <Button busy={busy} onClick={() => void cancelAll([])}>
            Cancel all unmatched
          </Button>
        )
      }
      filter={
        <section className={cx(panelCss.panel, dataCss.filters)} aria-label="Filter">
          <div className={dataCss.filterFields}>
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
        className={css.open}
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

/** What became of a bet, and a way to cancel what waits. */
const stateColumn = (busy: boolean, cancel: ReturnType<typeof useCancel>['cancel']): Column<PlacedBet> => ({
  id: 'status',
  head: 'Status',
  card: 'more',
  cell: (bet) => (
    <span className={css.state}>
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
});
