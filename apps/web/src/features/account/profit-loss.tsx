import { CALLS } from '@fairgame/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCall } from '../../api/api.ts';
import { dayText, formatDate, formatMoney } from '../../platform/format.ts';
import { sportName } from '../../platform/sports.ts';
import { useSession } from '../../session/session.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconChartBar, IconChevronRight } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import { betColumns } from './bet-columns.tsx';
import { behindQuery } from './bets-behind.tsx';
import { bounds, DateFilter, type Days, lastWeek } from './date-filter.tsx';
import { TIME_ZONE } from './days.ts';
import { amount, ExportButton } from './export.tsx';
import { type Report, Summary } from './profit-loss-summary.tsx';
import './reports.css';

type Row = Report['rows'][number];
const LIVE_CASINO = 'liveCasino';
interface Place {
  level: 'sport' | 'match' | 'market' | 'bets';
  eventType?: string;
  matchId?: number;
  betId?: number;
  name: string;
}

/** Profit and loss: by sport, then match, then market, then the bets; each row opens the next. */
export function Screen() {
  const [days, setDays] = useState<Days>(lastWeek);
  const navigate = useNavigate();
  const [path, setPath] = useState<Place[]>([{ level: 'sport', name: 'All sports' }]);
  const place = path.at(-1)!;
  const body =
    place.level === 'bets'
      ? null
      : {
          level: place.level,
          ...(place.eventType ? { eventType: place.eventType } : {}),
          ...(place.matchId ? { matchId: place.matchId } : {}),
          ...bounds(days),
          timeZone: TIME_ZONE,
        };
  const report = useCall(
    CALLS.bets.profitLoss,
    { body: body ?? { level: 'sport', ...bounds(days), timeZone: TIME_ZONE } },
    {
      // Rows of the level before must not stand under the next one: pressed there, they would lead astray.
      keep: ({ body: before }) =>
        before.level === place.level && before.eventType === place.eventType && before.matchId === place.matchId,
      enabled: body !== null,
    },
  );
  const whole = useCall(
    CALLS.bets.profitLoss,
    { body: { level: 'sport', ...bounds(days), timeZone: TIME_ZONE } },
    { keep: true },
  );
  const open = (row: Row) => {
    // Behind a provider's game stand its rounds: they have a report of their own.
    if (row.eventType === LIVE_CASINO && place.level !== 'sport') {
      void navigate('/live-casino-bets');
      return;
    }
    const next: Place =
      place.level === 'sport'
        ? { level: 'match', eventType: row.eventType, name: sportName(row.eventType) }
        : place.level === 'match'
          ? {
              level: 'market',
              eventType: row.eventType,
              ...(row.matchId ? { matchId: row.matchId } : {}),
              name: row.name,
            }
          : {
              level: 'bets',
              eventType: row.eventType,
              ...(row.matchId ? { matchId: row.matchId } : {}),
              ...(row.betId ? { betId: row.betId } : {}),
              name: row.name,
            };
    setPath([...path, next]);
  };
  const rows = report.data?.rows ?? [];
  return (
    <>
      <PageHead title="Profit and loss">
        <ExportButton
          name="profit-loss"
          head={['Event Type', 'Name', 'Bets', 'Commission', 'Profit/Loss']}
          disabled={rows.length === 0}
          lines={() =>
            rows.map((row) => [
              sportName(row.eventType),
              row.name,
              String(row.totalBet),
              amount(row.commission),
              amount(row.profitLoss),
            ])
          }
        />
      </PageHead>
      <DateFilter
        onApply={(next) => {
          setDays(next);
          setPath(path.slice(0, 1));
        }}
      />
      <p className="print-only">
        {dayText(days.from)} to {dayText(days.to)}
      </p>
      {report.isError ? (
        <ErrorNote title="The report did not load." onRetry={() => void report.refetch()} />
      ) : (
        <>
          {whole.data && whole.data.rows.length > 0 && <Summary report={whole.data} />}
          <nav className="pl-path" aria-label="Where you are">
            {path.map((one, at) => (
              <span key={`${one.level}${one.name}`}>
                {at > 0 && <Icon of={IconChevronRight} size={12} />}
                {at === path.length - 1 ? (
                  <b aria-current="page">{one.name}</b>
                ) : (
                  <button type="button" className="linkbtn" onClick={() => setPath(path.slice(0, at + 1))}>
                    {one.name}
                  </button>
                )}
              </span>
            ))}
          </nav>
          {place.level === 'bets' ? (
            <Bets place={place} />
          ) : (
            <Rows level={place.level} report={report.data} busy={report.isFetching} onOpen={open} />
          )}
        </>
      )}
    </>
  );
}

function Rows({
  level,
  report,
  busy,
  onOpen,
}: {
  level: 'sport' | 'match' | 'market';
  report: Report | undefined;
  busy: boolean;
  onOpen: (row: Row) => void;
}) {
  const columns: Column<Row>[] = [
    {
      id: 'name',
      head: level === 'sport' ? 'Event Type' : level === 'match' ? 'Event' : 'Market',
      card: 'title',
      cell: (row) => (
        <button type="button" className="linkbtn" onClick={() => onOpen(row)}>
          {level === 'sport' && <SportIcon sport={row.eventType} size={17} className="t2" />}
          {level === 'sport' ? sportName(row.eventType) : row.name}
          <Icon of={IconChevronRight} size={14} className="t3" />
        </button>
      ),
    },
    { id: 'bets', head: 'Bets', numeric: true, card: 'note', cell: (row) => countText(row.totalBet) },
    {
      id: 'settled',
      head: 'Settled',
      card: 'meta',
      cell: (row) => (row.settledAt ? formatDate(Date.parse(row.settledAt)) : ''),
    },
    { id: 'commission', head: 'Commission', numeric: true, cell: (row) => formatMoney(Math.abs(row.commission)) },
    {
      id: 'net',
      head: 'Profit/Loss',
      numeric: true,
      card: 'amount',
      cell: (row) => <SignedMoney minor={row.profitLoss} />,
    },
  ];
  return (
    <section className="panel">
      <DataTable
        caption="Profit and loss"
        columns={columns}
        rows={report?.rows ?? []}
        rowKey={(row) => row.id}
        busy={busy}
        {...(report
          ? {
              total: {
                name: 'Total',
                bets: countText(report.rows.reduce((sum, row) => sum + row.totalBet, 0)),
                commission: formatMoney(report.rows.reduce((sum, row) => sum + Math.abs(row.commission), 0)),
                net: <SignedMoney minor={report.rows.reduce((sum, row) => sum + row.profitLoss, 0)} />,
              },
            }
          : {})}
        empty={
          report && (
            <EmptyState icon={IconChartBar} title="Nothing settled in this time">
              Choose other dates, or come back when a bet is settled.
            </EmptyState>
          )
        }
      />
      {!report && <SkeletonRows rows={4} kind="table" />}
    </section>
  );
}

/** "3", on a phone "3 bets": there the word of the column's head is missing. */
function countText(count: number) {
  return (
    <>
      {count}
      <span className="phone-only">{count === 1 ? ' bet' : ' bets'}</span>
    </>
  );
}

function Bets({ place }: { place: Place }) {
  const userId = useSession()?.userId ?? 0;
  const { data, isError, refetch } = useCall(CALLS.bets.list, {
    query: behindQuery({ markets: [place.betId ?? 0], runnerId: null, card: false }, userId),
  });
  if (isError) return <ErrorNote title="The bets did not load." onRetry={() => void refetch()} />;
  return (
    <section className="panel">
      <DataTable
        caption={`Bets in ${place.name}`}
        columns={betColumns(true)}
        rows={data?.rows ?? []}
        rowKey={(bet) => String(bet.id)}
        busy={!data}
        empty={<EmptyState icon={IconChartBar} title="No bets stand behind this row" />}
      />
    </section>
  );
}
