import { CALLS, eq, inArr, PAGE, type PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { readFile, useCall } from '../../api/api.ts';
import { useCancel } from '../../betting/betting.ts';
import { named } from '../../platform/named.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import type { Column } from '../../ui/data-table.tsx';
import { IconReceipt } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState } from '../../ui/note.tsx';
import { usePages } from '../../ui/pagination.tsx';
import { betColumns, betTotals, ResultChip } from './bet-columns.tsx';
import { saveBlob } from './csv.ts';
import { FilterChoice, sportChoice } from './date-filter.tsx';
import { reader } from './export.tsx';
import { HeldTable } from './held-table.tsx';
import { Report, ReportTable } from './report.tsx';
import dataCss from '../../ui/data.module.css';
import panelCss from '../../ui/panel.module.css';
import css from './reports.module.css';

const stateChoice = () => ({
  all: t`All open bets`,
  EXECUTABLE: t`Unmatched`,
  COMPLETE: t`Matched`,
  PENDING: t`In their delay`,
});

/** Current Bet: every open bet, ten a page, newest first; unmatched ones can be cancelled here. */
export function Screen() {
  const [sport, setSport] = useState('');
  const [state, setState] = useState<keyof ReturnType<typeof stateChoice>>('all');
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
    saveBlob('current-bets.csv', await readFile(CALLS.bets.file, { query: { ...filters, ...reader() } }));
  const columns = [...betColumns(false), stateColumn(busy, cancel)];
  const waiting = (read.data?.rows ?? []).some((bet) => bet.status === 'EXECUTABLE');
  return (
    <Report
      title={t`Current Bet`}
      file={{ save, empty: !read.data?.total }}
      actions={
        <>
          <LinkButton to="/order-history">{t`Order history`}</LinkButton>
          {waiting && (
            <Button busy={busy} onClick={() => void cancelAll([])}>
              {t`Cancel all unmatched`}
            </Button>
          )}
        </>
      }
      filter={
        <section className={cx(panelCss.panel, dataCss.filters)} aria-label={t`Filter`}>
          <div className={dataCss.filterFields}>
            <FilterChoice label={t`Sport`} value={sport} options={sportChoice()} onChange={setSport} />
            <FilterChoice label={t`State`} value={state} options={stateChoice()} onChange={setState} />
          </div>
        </section>
      }
      read={read}
      failed={t`Your bets did not load.`}
      calm={t`Nothing was changed.`}
    >
      <ReportTable
        className={css.open}
        caption={t`Current Bet`}
        columns={columns}
        rowKey={(bet) => String(bet.id)}
        read={read}
        pages={pages}
        total={({ totals }) => betTotals(totals)}
        empty={
          <EmptyState icon={IconReceipt} title={t`No open bets`}>
            {t`Bets waiting for a result show up here.`}
          </EmptyState>
        }
      />
      <HeldTable />
    </Report>
  );
}

/** What became of a bet, and a way to cancel what waits. */
const stateColumn = (busy: boolean, cancel: ReturnType<typeof useCancel>['cancel']): Column<PlacedBet> => ({
  id: 'status',
  head: t`Status`,
  card: 'more',
  cell: (bet) => (
    <span className={css.state}>
      <ResultChip bet={bet} />
      {bet.status === 'EXECUTABLE' && (
        <Button
          size="sm"
          disabled={busy}
          onClick={() => void cancel(bet.id)}
          aria-label={t`Cancel bet on ${{ runner: named(bet.teamName) }}`}
        >
          {t`Cancel`}
        </Button>
      )}
    </span>
  ),
});
