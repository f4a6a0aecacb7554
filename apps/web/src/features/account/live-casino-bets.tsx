import { between, CALLS, eq, PAGE } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useState } from 'react';
import { api, useCall } from '../../api/api.ts';
import { formatDateTime, formatMoney } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { timeZone } from '../../platform/zone.ts';
import { useSession } from '../../session/session.ts';
import { cx } from '../../ui/cx.ts';
import type { Column, Sort } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconBroadcast, IconChevronRight } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/note.tsx';
import { usePages } from '../../ui/pagination.tsx';
import { bounds, FilterChoice, FilterForm, FilterSearch, lastWeek, useFilter } from './date-filter.tsx';
import { amount, type Cells, readWhole, saveRows, timeCell } from './export.tsx';
import { type LiveBetRow, LiveRound, RoundResult } from './live-round.tsx';
import { Report, ReportTable } from './report.tsx';
import buttonCss from '../../ui/button.module.css';
import css from './reports.module.css';

const stateChoice = () => ({
  '': t`All`,
  OPEN: t({ message: 'Open', context: 'state' }),
  CLOSED: t`Finished`,
  VOID: t`Void`,
});

const providerChoice = (names: readonly string[]): Record<string, string> => ({
  '': t`All providers`,
  ...Object.fromEntries(names.map((name) => [name, name])),
});

const resultCell = ({ status, result }: LiveBetRow): string =>
  status === 'CLOSED' ? amount(result) : status === 'OPEN' ? t({ message: 'open', context: 'state' }) : t`void`;

const cells = (): Cells<LiveBetRow> => [
  [msg`Provider`, (row) => row.providerName],
  [msg`Game`, (row) => named(row.gameName)],
  [msg`Round`, (row) => row.round],
  [msg`Stake`, (row) => amount(row.stake)],
  [msg({ message: 'Result', context: 'money' }), resultCell],
  [msg`Date (${{ TIME_ZONE: timeZone() }})`, (row) => timeCell(row.createdAt)],
];
const start = () => ({ ...lastWeek(), provider: '', state: '' as keyof ReturnType<typeof stateChoice>, keyword: '' });

function queryOf({ provider, state, keyword, ...days }: ReturnType<typeof start>, dir: Sort['dir']) {
  const { from, to } = bounds(days);
  return {
    sort: `virtualCasinoBetPlaced.createdAt:${dir === 'asc' ? 'ASC' : 'DESC'}`,
    createdAt: between(from, to),
    ...(provider ? { providerName: eq(provider) } : {}),
    ...(state ? { filter: eq(state) } : {}),
    ...(keyword.trim() ? { searchBy: 'gameName', keyword: keyword.trim() } : {}),
  };
}

/** Live Casino Bets, oldest first as specified, with provider and dates. */
export function Screen() {
  const userId = useSession()?.userId ?? 0;
  const filter = useFilter(start);
  const { provider, state, keyword: words, ...days } = filter.shown;
  const keyword = words.trim();
  const states = stateChoice();
  const providers = useCall(CALLS.provider.providers, {});
  const [dir, setDir] = useState<Sort['dir']>('asc');
  const [open, setOpen] = useState<LiveBetRow | null>(null);
  const params = { id: String(userId) };
  const query = queryOf(filter.shown, dir);
  const pages = usePages(query, PAGE.casinoBets);
  const read = useCall(
    CALLS.provider.bets,
    { params, query: { page: String(pages.page), limit: String(pages.limit), ...query } },
    { keep: true, enabled: userId > 0 },
  );
  const all = async () => {
    const oldestFirst = 'virtualCasinoBetPlaced.createdAt:ASC';
    const rows = await readWhole(
      (page, limit) =>
        api(CALLS.provider.bets, { params, query: { ...query, sort: oldestFirst, page, limit } }, { quiet: true }),
      (row) => row.id,
    );
    return dir === 'asc' ? rows.reverse() : rows;
  };
  return (
    <Report
      title={t`Live Casino Bets`}
      file={{ save: () => saveRows('live-casino-bets', cells(), all()), empty: !read.data?.total }}
      filter={
        <FilterForm filter={filter} chosen={[provider, state && states[state], keyword]}>
          <FilterChoice
            label={t`Provider`}
            value={provider}
            options={providerChoice(providers.data ?? [])}
            onChange={(next) => filter.choose({ provider: next })}
          />
          <FilterChoice
            label={t`Rounds`}
            value={state}
            options={states}
            onChange={(next) => filter.choose({ state: next })}
          />
          <FilterSearch filter={filter} placeholder={t`Game`} />
        </FilterForm>
      }
      days={days}
      read={read}
      failed={t`Your bets did not load.`}
    >
      <ReportTable
        caption={t`Live Casino Bets`}
        columns={roundColumns(setOpen)}
        rowKey={(row) => String(row.id)}
        read={read}
        pages={pages}
        sort={{ id: 'date', dir }}
        onSort={(sort) => setDir(sort.dir)}
        onRow={setOpen}
        empty={
          <EmptyState icon={IconBroadcast} title={t`No live casino bets in this time`}>
            {t`Rounds you play at a provider's table show up here.`}
          </EmptyState>
        }
      />
      {open && <LiveRound row={open} onClose={() => setOpen(null)} />}
    </Report>
  );
}

const roundColumns = (onOpen: (row: LiveBetRow) => void): Column<LiveBetRow>[] => [
  { id: 'provider', head: t`Provider`, card: 'tag', cell: (row) => row.providerName },
  { id: 'game', head: t`Game`, card: 'title', cell: (row) => named(row.gameName) },
  {
    id: 'round',
    head: t`Round`,
    card: 'note',
    cell: (row) => (
      <button
        type="button"
        className={buttonCss.asLink}
        onClick={() => onOpen(row)}
        aria-label={t`Round ${{ roundNo: row.round }}`}
      >
        <span className={cx('num', css.rounds)} title={row.round}>
          {row.round}
        </span>
        <Icon of={IconChevronRight} size={14} className="t3" />
      </button>
    ),
  },
  { id: 'stake', head: t`Stake`, numeric: true, cell: (row) => formatMoney(row.stake) },
  {
    id: 'result',
    head: t({ message: 'Result', context: 'money' }),
    numeric: true,
    card: 'amount',
    cell: (row) => <RoundResult row={row} />,
  },
  {
    id: 'date',
    head: t`Date`,
    card: 'meta',
    sortable: true,
    cell: (row) => formatDateTime(Date.parse(row.createdAt)),
  },
];
