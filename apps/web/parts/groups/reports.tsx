import { type Column, DataTable } from '../../src/ui/data-table.tsx';
import { IconReceipt } from '../../src/ui/icons.ts';
import { Money, SignedMoney } from '../../src/ui/money.tsx';
import { EmptyState, ErrorNote } from '../../src/ui/note.tsx';
import { Pagination } from '../../src/ui/pagination.tsx';
import { Kpi, Kpis, Panel } from '../../src/ui/panel.tsx';
import { SkeletonRows } from '../../src/ui/skeleton.tsx';
import type { Part, Say } from '../parts.ts';

const nothing = () => undefined;

interface Row {
  id: string;
  what: string;
  stake: number;
  result: number;
}
const ROWS: readonly Row[] = [
  { id: '1', what: 'India v Australia / Match Odds', stake: 100_000, result: 118_000 },
  { id: '2', what: 'Kenya v Nepal / Bookmaker', stake: 2_500, result: -2_500 },
  { id: '3', what: 'Lucky 7', stake: 1_000, result: 0 },
];
const columns = (say: Say): readonly Column<Row>[] => [
  { id: 'what', head: 'Market', cell: (row) => say(row.what), sortable: true, card: 'title' },
  {
    id: 'stake',
    head: 'Stake',
    cell: (row) => <Money minor={row.stake} />,
    numeric: true,
    sortable: true,
    card: 'meta',
  },
  { id: 'result', head: 'Result', cell: (row) => <SignedMoney minor={row.result} />, numeric: true, card: 'amount' },
];
const table = { caption: 'Bets', rowKey: (row: Row) => row.id };

export const REPORTS: readonly Part[] = [
  {
    name: 'table',
    wide: true,
    also: ['compact', 'long', 'rtl', 'phone'],
    states: {
      rows: (say) => (
        <DataTable
          {...table}
          columns={columns(say)}
          rows={ROWS}
          sort={{ id: 'stake', dir: 'desc' }}
          onSort={nothing}
          onRow={nothing}
          total={{ what: 'Total', stake: <Money minor={103_500} />, result: <SignedMoney minor={115_500} /> }}
        />
      ),
      'read again': (say) => <DataTable {...table} columns={columns(say)} rows={ROWS.slice(0, 1)} busy />,
      empty: (say) => (
        <DataTable
          {...table}
          columns={columns(say)}
          rows={[]}
          empty={
            <EmptyState icon={IconReceipt} title={say('No bets in these days')}>
              Choose other days.
            </EmptyState>
          }
        />
      ),
      error: (say) => (
        <ErrorNote title={say('The bets did not load.')} onRetry={nothing}>
          Nothing was changed.
        </ErrorNote>
      ),
      loading: () => <SkeletonRows kind="table" />,
    },
  },
  {
    name: 'pagination',
    wide: true,
    also: ['phone'],
    states: {
      'first page': () => <Pagination page={1} limit={15} total={248} onPage={nothing} onLimit={nothing} />,
      'in the middle': () => <Pagination page={9} limit={15} total={248} onPage={nothing} />,
      'one page': () => <Pagination page={1} limit={15} total={3} onPage={nothing} />,
      nothing: () => <Pagination page={1} limit={15} total={0} onPage={nothing} />,
    },
  },
  {
    name: 'panel',
    wide: true,
    also: ['phone'],
    states: {
      'with a count': (say) => (
        <Panel title={say('Open bets')} count={3} flush={false}>
          {say('What stands in it.')}
        </Panel>
      ),
      figures: (say) => (
        <Kpis>
          <Kpi label={say('Balance')} note={say('Free to bet')}>
            <Money minor={1_000_000} />
          </Kpi>
          <Kpi label="Exposure">
            <SignedMoney minor={-25_000} />
          </Kpi>
          <Kpi label="Profit">
            <SignedMoney minor={118_000} />
          </Kpi>
        </Kpis>
      ),
    },
  },
];
