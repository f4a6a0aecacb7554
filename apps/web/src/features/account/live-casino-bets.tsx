import { between, CALLS, eq, PAGE, type ReplyOf } from '@fairgame/contract';
import { useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { useSession } from '../../session/hooks.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Field, SelectInput, TextInput } from '../../ui/field.tsx';
import { formatDateTime, formatMoney } from '../../ui/format.ts';
import { IconBroadcast, IconSearch } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { bounds, DateFilter, type Days, lastWeek } from './date-filter.tsx';

type Row = ReplyOf<typeof CALLS.provider.bets>['rows'][number];

/** Live Casino Bets, oldest first as specified, with provider and dates. */
export function Screen() {
  const userId = useSession()?.userId ?? 0;
  const [days, setDays] = useState<Days>(lastWeek);
  const [provider, setProvider] = useState('');
  const [draft, setDraft] = useState('');
  const [keyword, setKeyword] = useState('');
  const [page, setPage] = useState<number>(PAGE.first);
  const providers = useCall(CALLS.provider.providers, {});
  const { from, to } = bounds(days);
  const { data, isError, isFetching, refetch } = useCall(
    CALLS.provider.bets,
    {
      params: { id: String(userId) },
      query: {
        page: String(page),
        limit: String(PAGE.casinoBets),
        sort: 'virtualCasinoBetPlaced.createdAt:ASC',
        createdAt: between(from, to),
        ...(provider ? { providerName: eq(provider) } : {}),
        ...(keyword ? { searchBy: 'gameName', keyword } : {}),
      },
    },
    { keep: true, enabled: userId > 0 },
  );
  const columns: Column<Row>[] = [
    { id: 'provider', head: 'Provider', card: 'tag', cell: (row) => row.providerName },
    { id: 'game', head: 'Game', card: 'title', cell: (row) => row.gameName },
    { id: 'round', head: 'Round', card: 'note', cell: (row) => row.round },
    { id: 'stake', head: 'Stake', numeric: true, cell: (row) => formatMoney(row.stake) },
    { id: 'result', head: 'Result', numeric: true, card: 'amount', cell: (row) => <SignedMoney minor={row.result} /> },
    { id: 'date', head: 'Date', card: 'meta', cell: (row) => formatDateTime(Date.parse(row.createdAt)) },
  ];
  return (
    <>
      <PageHead title="Live Casino Bets" />
      <DateFilter
        onApply={(next) => {
          setDays(next);
          setKeyword(draft.trim());
          setPage(1);
        }}
        onReset={() => {
          setProvider('');
          setDraft('');
        }}
      >
        <Field label="Provider">
          <SelectInput
            value={provider}
            options={[
              { value: '', label: 'All providers' },
              ...(providers.data ?? []).map((name) => ({ value: name, label: name })),
            ]}
            onChange={(event) => {
              setProvider(event.target.value);
              setPage(1);
            }}
          />
        </Field>
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
    </>
  );
}
