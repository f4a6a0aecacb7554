import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from './icons.ts';
import dataCss from './data.module.css';
import css from './data-table.module.css';
import shellCss from './shell.module.css';

export type Column<Row> = {
  id: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned figures. */
  numeric?: boolean;
  sortable?: boolean;
  /** Long text that may take several lines. */
  wrap?: boolean;
  /**
   * The place of the cell in the two-line card of a phone: first line `title` and `amount`, second line `tag`, `meta` and
   * `note`, below them `more` over the whole width. Cells without one are not shown there.
   */
  card?: 'title' | 'amount' | 'tag' | 'meta' | 'note' | 'more';
  /** Shown in the card alone. */
  only?: 'card';
};

export type Sort = { id: string; dir: 'asc' | 'desc' };

/** A report: sticky head, right-aligned figures, optional sort and total row; each row a two-line card on a phone. */
export function DataTable<Row>({
  columns,
  rows,
  rowKey,
  caption,
  sort,
  onSort,
  total,
  empty,
  onRow,
  busy = false,
}: {
  columns: ReadonlyArray<Column<Row>>;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Names the table for screen readers. */
  caption: string;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  /** Cells of the total row by column id. */
  total?: Readonly<Record<string, ReactNode>>;
  empty?: ReactNode;
  /** A press on a row; the row also needs a link or button in one of its cells for the keyboard. */
  onRow?: (row: Row) => void;
  /** Reloading: old rows stay, a thin line runs above them. */
  busy?: boolean;
}) {
  return (
    <div className={dataCss.tableBox} aria-busy={busy || undefined}>
      {busy && <div className={shellCss.reload} />}
      <table className={cx(css.table, css.cards)}>
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort ?? null} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={onRow ? 'is-link' : undefined}
              onClick={onRow ? () => onRow(row) : undefined}
            >
              <Cells columns={columns} of={({ cell }) => cell(row)} />
            </tr>
          ))}
        </tbody>
        {total && rows.length > 0 && (
          <tfoot>
            <tr>
              <Cells columns={columns} of={({ id }) => total[id]} />
            </tr>
          </tfoot>
        )}
      </table>
      {rows.length === 0 && !busy && empty}
    </div>
  );
}

function Cells<Row>({ columns, of }: { columns: ReadonlyArray<Column<Row>>; of: (column: Column<Row>) => ReactNode }) {
  return columns.map((column) => (
    <td
      key={column.id}
      className={cx(column.numeric && 'n', column.wrap && css.wrapCell, column.only && css.onlyCard)}
      data-card={column.card}
    >
      {of(column)}
    </td>
  ));
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: Sort | null;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  const dir = sort?.id === column.id ? sort.dir : null;
  const className = column.only ? css.onlyCard : column.numeric ? 'n' : undefined;
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" className={className}>
        {column.head}
      </th>
    );
  }
  return (
    <th scope="col" className={className} aria-sort={dir ? (dir === 'asc' ? 'ascending' : 'descending') : undefined}>
      <button type="button" onClick={() => onSort({ id: column.id, dir: dir === 'desc' ? 'asc' : 'desc' })}>
        {column.head}
        <Icon of={dir ? (dir === 'asc' ? IconArrowUp : IconArrowDown) : IconArrowsSort} size={13} />
      </button>
    </th>
  );
}
