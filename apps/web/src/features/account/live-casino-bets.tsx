import { between, CALLS, eq, PAGE } from '@fairgame/contract';
import { useState } from 'react';
import { api, useCall } from '../../api/api.ts';
import { formatDateTime, formatMoney } from '../../platform/format.ts';
import { useSession } from '../../session/session.ts';
import { type Column, DataTable, type Sort } from '../../ui/data-table.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconBroadcast, IconChevronRight, IconSearch } from '../../ui/icons.ts';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { bounds, DateFilter, type Days, FilterChoice, lastWeek } from './date-filter.tsx';
import { amount, ExportButton, readWhole } from './export.tsx';
import { type LiveBetRow, LiveRound, RoundResult } from './live-round.tsx';
import './reports.css';

const STATES = { '': 'All', OPEN: 'Open', CLOSED: 'Finished', VOID: 'Void' } as const;

/** Live Casino Bets, oldest first as specified, with provider and dates. */
export function Screen() {
  const userId = useSession()?.userId ?? 0;
  const [days, setDays] = useState<Days>(lastWeek);
  const [provider, setProvider] = useState('');
  const [state, setState] = useState('');
  const [draft, setDraft] = useState('');
  const [keyword, setKeyword] = useState('');
  const [page, setPage] = useState<number>(PAGE.first);
  const providers = useCall(CALLS.provider.providers, {});
  const [dir, setDir] = useState<Sort['dir']>('asc');
  const [open, setOpen] = useState<LiveBetRow | null>(null);
  const { from, to } = bounds(days);
  const params = { id: String(userId) };
  const query = {
    sort: `virtualCasinoBetPlaced.createdAt:${dir === 'asc' ? 'ASC' : 'DESC'}`,
    createdAt: between(from, to),
    ...(provider ? { providerName: eq(provider) } : {}),
    ...(state ? { filter: eq(state) } : {}),
    ...(keyword ? { searchBy: 'gameName', keyword } : {}),
  };
  const { data, isError, isFetching, refetch } = useCall(
    CALLS.provider.bets,
    { params, query: { page: String(page), limit: String(PAGE.casinoBets), ...query } },
    { keep: true, enabled: userId > 0 },
  );
  const lines = async () => {
    const oldestFirst = 'virtualCasinoBetPlaced.createdAt:ASC';
    const rows = await readWhole(
      (at, size) =>
        api(
          CALLS.provider.bets,
          { params, query: { ...query, sort: oldestFirst, page: at, limit: size } },
          { quiet: true },
        ),
      (row) => row.id,
    );
    if (dir === 'asc') rows.reverse();
    return rows.map((row) => [
      row.providerName,
      row.gameName,
      row.round,
      amount(row.stake),
      row.status === 'CLOSED' ? amount(row.result) : row.status.toLowerCase(),
      row.createdAt,
    ]);
  };
  const columns: Column<LiveBetRow>[] = [
    { id: 'provider', head: 'Provider', card: 'tag', cell: (row) => row.providerName },
    { id: 'game', head: 'Game', card: 'title', cell: (row) => row.gameName },
    {
      id: 'round',
      head: 'Round',
      card: 'note',
      cell: (row) => (
        <button type="button" className="linkbtn" onClick={() => setOpen(row)} aria-label={`Round ${row.round}`}>
          <span className="num rnd" title={row.round}>
            {row.round}
          </span>
          <Icon of={IconChevronRight} size={14} className="t3" />
        </button>
      ),
    },
    { id: 'stake', head: 'Stake', numeric: true, cell: (row) => formatMoney(row.stake) },
    { id: 'result', head: 'Result', numeric: true, card: 'amount', cell: (row) => <RoundResult row={row} /> },
    {
      id: 'date',
      head: 'Date',
      card: 'meta',
      sortable: true,
      cell: (row) => formatDateTime(Date.parse(row.createdAt)),
    },
  ];
  return (
    <>
      <PageHead title="Live Casino Bets">
        <ExportButton
          name="live-casino-bets"
          head={['Provider', 'Game', 'Round', 'Stake', 'Result', 'Date']}
          disabled={!data || data.total === 0}
          lines={lines}
        />
      </PageHead>
      <DateFilter
        chosen={[provider, state && STATES[state as keyof typeof STATES], keyword]}
        onApply={(next) => {
          setDays(next);
          setKeyword(draft.trim());
          setPage(1);
        }}
        onReset={() => {
          setProvider('');
          setState('');
          setDraft('');
        }}
      >
        <FilterChoice
          label="Provider"
          value={provider}
          options={{ '': 'All providers', ...Object.fromEntries((providers.data ?? []).map((name) => [name, name])) }}
          onChange={(next) => {
            setProvider(next);
            setPage(1);
          }}
        />
        <FilterChoice
          label="Rounds"
          value={state}
          options={STATES}
          onChange={(next) => {
            setState(next);
            setPage(1);
          }}
        />
        <Field label="Search" grow>
          <TextInput
            type="search"
            icon={IconSearch}
            value={draft}
            placeholder="Game"
            maxLength={100}
            onChange={(event) => setDraft(event.target.value)}
          />
        </Field>
      </DateFilter>
      {isError ? (
        <ErrorNote title="Your bets did not load." onRetry={() => void refetch()} />
      ) : (
        <section className="panel">
          <DataTable
            caption="Live Casino Bets"
            columns={columns}
            rows={data?.rows ?? []}
            rowKey={(row) => String(row.id)}
            busy={isFetching}
            sort={{ id: 'date', dir }}
            onSort={(sort) => {
              setDir(sort.dir);
              setPage(1);
            }}
            onRow={setOpen}
            empty={
              data && (
                <EmptyState icon={IconBroadcast} title="No live casino bets in this time">
                  Rounds you play at a provider's table show up here.
                </EmptyState>
              )
            }
          />
          {data ? (
            <Pagination page={page} limit={PAGE.casinoBets} total={data.total} onPage={setPage} />
          ) : (
            <SkeletonRows rows={6} kind="table" />
          )}
        </section>
      )}
      {open && <LiveRound row={open} onClose={() => setOpen(null)} />}
    </>
  );
}
