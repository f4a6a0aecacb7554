import { t } from '@lingui/core/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { type Column, DataTable, type Sort } from '../../ui/data-table.tsx';
import { IconWifiOff } from '../../ui/icons.ts';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { CursorPages, Pagination, type useCursor, type usePages } from '../../ui/pagination.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { type Days, daysText } from './date-filter.tsx';
import { ExportButton } from './export.tsx';
import panelCss from '../../ui/panel.module.css';
import css from './reports.module.css';

type Read<Answer> = Pick<
  UseQueryResult<Answer>,
  'data' | 'isError' | 'errorUpdateCount' | 'isFetching' | 'isPlaceholderData' | 'fetchStatus' | 'refetch'
>;

/** The frame of a report: its head with what can be done, its filter, and what it reads or that it could not. */
export function Report({
  title,
  file,
  actions,
  filter,
  days,
  read,
  failed,
  calm,
  children,
}: {
  title: string;
  /** Saves all its rows, not the page that is shown. */
  file?: { save: () => Promise<void>; empty: boolean };
  actions?: ReactNode;
  filter: ReactNode;
  /** Printed in place of the filter. */
  days?: Days;
  read: Read<unknown>;
  /** A sentence, and what it does not mean. */
  failed: string;
  calm?: string;
  children: ReactNode;
}) {
  // Read again, by whatever event, it has still failed until it is there: its button does not go from under the finger.
  const failedBefore = read.errorUpdateCount > 0 && (read.data === undefined || read.isPlaceholderData);
  return (
    <>
      <PageHead title={title}>
        {actions}
        {file && <ExportButton save={file.save} disabled={file.empty} />}
      </PageHead>
      {filter}
      {days && <p className={css.printOnly}>{daysText(days)}</p>}
      {read.isError || failedBefore ? (
        <ErrorNote title={failed} busy={read.isFetching} onRetry={() => void read.refetch()}>
          {calm}
        </ErrorNote>
      ) : (
        children
      )}
    </>
  );
}

/** The rows of a report, page by page where there are pages or cursors, in every state they can be in. */
export function ReportTable<Row, Answer extends { rows: Row[] }>({
  caption,
  columns,
  rowKey,
  read,
  pages,
  cursor,
  total,
  sort = null,
  onSort,
  onRow,
  empty,
  className,
}: {
  caption: string;
  columns: ReadonlyArray<Column<Row>>;
  rowKey: (row: Row) => string;
  read: Read<Answer>;
  /** The answer says how many rows there are. */
  pages?: Answer extends { total: number } ? ReturnType<typeof usePages> : never;
  /** The answer says where the next page begins. */
  cursor?: Answer extends { next: string | null } ? ReturnType<typeof useCursor<string>> : never;
  total?: (answer: Answer) => Readonly<Record<string, ReactNode>>;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  onRow?: (row: Row) => void;
  empty: ReactNode;
  className?: string;
}) {
  const { data, isFetching, isPlaceholderData, fetchStatus } = read;
  return (
    <section className={cx(panelCss.panel, className)}>
      <DataTable
        caption={caption}
        columns={columns}
        rows={data?.rows ?? []}
        rowKey={rowKey}
        // Without a network nothing is fetched, and rows of another page or filter wait for their own to come.
        busy={isFetching || isPlaceholderData}
        sort={sort}
        {...(onSort ? { onSort } : {})}
        {...(onRow ? { onRow } : {})}
        {...(total && data ? { total: total(data) } : {})}
        empty={data && empty}
      />
      {data && pages && 'total' in data && <Pagination {...pages} total={data.total as number} />}
      {data && cursor && 'next' in data && (cursor.onNewer !== null || data.next !== null) && (
        <div className={css.cursor}>
          <CursorPages {...cursor} next={data.next as string | null} />
        </div>
      )}
      {!data && fetchStatus !== 'paused' && <SkeletonRows rows={6} kind="table" />}
      {!data && fetchStatus === 'paused' && (
        <EmptyState icon={IconWifiOff} title={t`You are offline`}>
          {t`This loads when the line is back.`}
        </EmptyState>
      )}
    </section>
  );
}
