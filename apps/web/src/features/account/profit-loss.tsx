import { CALLS } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { readFile, useCall } from '../../api/api.ts';
import { formatDate, formatMoney } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { useNavigate } from '../../platform/routing.tsx';
import { sportName } from '../../platform/sports.ts';
import { timeZone } from '../../platform/zone.ts';
import { useSession } from '../../session/session.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconChartBar, IconChevronRight } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import { betColumns } from './bet-columns.tsx';
import { behindQuery, useBehind } from './bets-behind.tsx';
import { saveBlob } from './csv.ts';
import { bounds, FilterForm, lastWeek, useFilter } from './date-filter.tsx';
import { amount, type Cells, reader, saveRows, timeCell } from './export.tsx';
import { type ProfitLoss, Summary } from './profit-loss-summary.tsx';
import { Report, ReportTable } from './report.tsx';
import buttonCss from '../../ui/button.module.css';
import css from './reports.module.css';

type Row = ProfitLoss['rows'][number];
/** The columns of the table at each level. */
const NAMES = {
  sport: [msg`Event Type`, (row: Row) => sportName(row.eventType)],
  match: [msg`Event`, (row: Row) => named(row.name)],
  market: [msg`Market`, (row: Row) => named(row.name)],
} as const;
const FIGURES: Cells<Row> = [
  [msg`Bets`, (row) => String(row.totalBet)],
  [msg`Settled`, (row) => (row.settledAt ? timeCell(row.settledAt) : '')],
  [msg`Commission`, (row) => amount(Math.abs(row.commission))],
  [msg`Profit/Loss`, (row) => amount(row.profitLoss)],
];
const LIVE_CASINO = 'liveCasino';
interface Place {
  level: 'sport' | 'match' | 'market' | 'bets';
  eventType?: string;
  matchId?: number;
  betId?: number;
  name: string;
}

const top = (): readonly Place[] => [{ level: 'sport', name: t`All sports` }];

/** Profit and loss: by sport, then match, then market, then the bets; each row opens the next. */
export function Screen() {
  const filter = useFilter(lastWeek);
  const days = filter.shown;
  const navigate = useNavigate();
  // Other days begin at all sports again.
  const [trail, setTrail] = useState({ of: days, places: top() });
  const path = trail.of === days ? trail.places : top();
  const setPath = (places: readonly Place[]) => setTrail({ of: days, places });
  const place = path.at(-1)!;
  const span = { ...bounds(days), timeZone: timeZone() };
  const whole = { level: 'sport', ...span } as const;
  const body =
    place.level === 'bets'
      ? null
      : {
          level: place.level,
          ...(place.eventType ? { eventType: place.eventType } : {}),
          ...(place.matchId ? { matchId: place.matchId } : {}),
          ...span,
        };
  const report = useCall(
    CALLS.bets.profitLoss,
    { body: body ?? whole },
    {
      // Rows of the level before must not stand under the next one: pressed there, they would lead astray.
      keep: ({ body: before }) =>
        before.level === place.level && before.eventType === place.eventType && before.matchId === place.matchId,
      enabled: body !== null,
    },
  );
  const sums = useCall(CALLS.bets.profitLoss, { body: whole }, { keep: true });
  const open = (row: Row) => {
    // Behind a provider's game stand its rounds: they have a report of their own.
    if (row.eventType === LIVE_CASINO && place.level !== 'sport') {
      void navigate('/live-casino-bets');
      return;
    }
    setPath([...path, below(place.level, row)]);
  };
  const rows = report.data?.rows ?? [];
  const { level } = place;
  const userId = useSession()?.userId ?? 0;
  const save = async () => {
    if (level !== 'bets') return saveRows('profit-loss', [NAMES[level], ...FIGURES], rows);
    const { sort: _, ...filters } = behindPlace(place, userId);
    saveBlob('bets.csv', await readFile(CALLS.bets.file, { query: { ...filters, ...reader() } }));
  };
  return (
    <Report
      title={t`Profit and loss`}
      file={{ save, empty: level !== 'bets' && rows.length === 0 }}
      filter={<FilterForm filter={filter} />}
      days={days}
      read={report}
      failed={t`The report did not load.`}
    >
      {sums.data && sums.data.rows.length > 0 && <Summary report={sums.data} />}
      <Trail places={path} onGo={(depth) => setPath(path.slice(0, depth))} />
      {place.level === 'bets' ? <Bets place={place} /> : <Rows level={place.level} report={report} onOpen={open} />}
    </Report>
  );
}

/** Where a row of a report leads. */
function below(level: Place['level'], row: Row): Place {
  const { eventType } = row;
  if (level === 'sport') return { level: 'match', eventType, name: sportName(eventType) };
  const at = { eventType, ...(row.matchId ? { matchId: row.matchId } : {}), name: named(row.name) };
  return level === 'match'
    ? { level: 'market', ...at }
    : { level: 'bets', ...at, ...(row.betId ? { betId: row.betId } : {}) };
}

/** The way here; each step leads back to itself. */
function Trail({ places, onGo }: { places: readonly Place[]; onGo: (depth: number) => void }) {
  return (
    <nav className={css.path} aria-label={t`Where you are`}>
      {places.map((one, at) => (
        <span key={`${one.level}${one.name}`}>
          {at > 0 && <Icon of={IconChevronRight} size={12} />}
          {at === places.length - 1 ? (
            <b aria-current="page">{one.name}</b>
          ) : (
            <button type="button" className={buttonCss.asLink} onClick={() => onGo(at + 1)}>
              {one.name}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

function Rows({
  level,
  report,
  onOpen,
}: {
  level: 'sport' | 'match' | 'market';
  report: UseQueryResult<ProfitLoss>;
  onOpen: (row: Row) => void;
}) {
  const columns: Column<Row>[] = [
    {
      id: 'name',
      head: level === 'sport' ? t`Event Type` : level === 'match' ? t`Event` : t`Market`,
      card: 'title',
      cell: (row) => (
        <button type="button" className={buttonCss.asLink} onClick={() => onOpen(row)}>
          {level === 'sport' && <SportIcon sport={row.eventType} size={17} className="t2" />}
          {NAMES[level][1](row)}
          <Icon of={IconChevronRight} size={14} className="t3" />
        </button>
      ),
    },
    { id: 'bets', head: t`Bets`, numeric: true, card: 'note', cell: (row) => countText(row.totalBet) },
    {
      id: 'settled',
      head: t`Settled`,
      card: 'meta',
      cell: (row) => (row.settledAt ? formatDate(Date.parse(row.settledAt)) : ''),
    },
    { id: 'commission', head: t`Commission`, numeric: true, cell: (row) => formatMoney(Math.abs(row.commission)) },
    {
      id: 'net',
      head: t`Profit/Loss`,
      numeric: true,
      card: 'amount',
      cell: (row) => <SignedMoney minor={row.profitLoss} />,
    },
  ];
  return (
    <ReportTable
      caption={t`Profit and loss`}
      columns={columns}
      rowKey={(row) => row.id}
      read={report}
      total={({ rows }) => ({
        name: t`Total`,
        bets: countText(sum(rows, (row) => row.totalBet)),
        commission: formatMoney(sum(rows, (row) => Math.abs(row.commission))),
        net: <SignedMoney minor={sum(rows, (row) => row.profitLoss)} />,
      })}
      empty={
        <EmptyState icon={IconChartBar} title={t`Nothing settled in this time`}>
          {t`Choose other dates, or come back when a bet is settled.`}
        </EmptyState>
      }
    />
  );
}

const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0);

/** "3", on a phone "3 bets": there the word of the column's head is missing. */
function countText(count: number) {
  return (
    <Plural
      value={count}
      one={
        <Trans>
          #<span className={css.phoneOnly}> bet</span>
        </Trans>
      }
      other={
        <Trans>
          #<span className={css.phoneOnly}> bets</span>
        </Trans>
      }
    />
  );
}

const behindPlace = ({ betId = 0 }: Place, userId: number) =>
  behindQuery({ markets: [betId], runnerId: null, card: false }, userId);

function Bets({ place }: { place: Place }) {
  const userId = useSession()?.userId ?? 0;
  const { pages, read } = useBehind(behindPlace(place, userId));
  if (read.isError) return <ErrorNote title={t`The bets did not load.`} onRetry={() => void read.refetch()} />;
  return (
    <ReportTable
      caption={t`Bets in ${{ market: place.name }}`}
      columns={betColumns(true)}
      rowKey={(bet) => String(bet.id)}
      read={read}
      pages={pages}
      empty={<EmptyState icon={IconChartBar} title={t`No bets stand behind this row`} />}
    />
  );
}
