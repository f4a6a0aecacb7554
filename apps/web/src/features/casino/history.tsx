import { ENDINGS, type TableCode } from '@fairgame/casino';
import { CALLS, type CardResult, PAGE, type ReplyOf } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useCall } from '../../api/api.ts';
import { formatDateTime, formatMoney } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { SelectInput, TextInput } from '../../ui/field.tsx';
import { IconArrowLeft, IconHistory } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { CursorPages, Pagination, useCursor, usePages } from '../../ui/pagination.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { Badge } from './badges.tsx';
import { RoundView } from './round-view.tsx';
import { endingWords } from './vocabulary.ts';

interface Props {
  code: string;
  name: string;
  matchId: number;
  /** A round to open at once; null opens the list. */
  mid: string | null;
  onClose: () => void;
}

/** The rounds of a table by page, the player's own among them, and each round with cards, bets and proof (REP-06, REP-19). */
export function History({ code, name, matchId, mid, onClose }: Props) {
  const [open, setOpen] = useState(mid);
  const [whose, setWhose] = useState<'all' | 'mine'>('all');
  return (
    <Modal
      open
      onClose={onClose}
      title={open === null ? t`Rounds of ${name}` : name}
      width="l"
      head={
        open === null ? (
          <Segmented
            label={t`Whose rounds`}
            value={whose}
            onChange={setWhose}
            items={{ all: t`All rounds`, mine: t`My rounds` }}
          />
        ) : (
          <Button kind="ghost" size="sm" icon={IconArrowLeft} onClick={() => setOpen(null)}>
            {t`All rounds`}
          </Button>
        )
      }
    >
      {open !== null ? (
        <RoundView key={open} code={code} matchId={matchId} mid={open} />
      ) : whose === 'mine' ? (
        <MyRounds code={code} onOpen={setOpen} />
      ) : (
        <Rounds code={code} onOpen={setOpen} />
      )}
    </Modal>
  );
}

function Rounds({ code, onOpen }: { code: string; onOpen: (mid: string) => void }) {
  const [by, setBy] = useState<'mid' | 'result'>('result');
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const { page, limit, onPage } = usePages([code, by, asked], PAGE.cardReport);
  const { data, isError, isPending, isFetching, refetch } = useCall(
    CALLS.casino.report,
    {
      params: { type: code },
      query: {
        page: String(page),
        limit: String(limit),
        sort: 'cardResult.createdAt:DESC',
        ...(asked === '' ? {} : { searchBy: by, keyword: asked }),
      },
    },
    { keep: true },
  );
  return (
    <div className="stack g-5">
      <form
        className="row g-4 wrap"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(text.trim());
        }}
      >
        <SelectInput
          aria-label={t`Search in`}
          value={by}
          onChange={(event) => setBy(event.target.value as 'mid' | 'result')}
        >
          <option value="result">{t`Result`}</option>
          <option value="mid">{t`Round id`}</option>
        </SelectInput>
        <TextInput
          aria-label={t`Search for`}
          value={text}
          maxLength={60}
          placeholder={t`Search`}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">{t`Search`}</Button>
      </form>
      {isError && (
        <ErrorNote title={t`The rounds did not load.`} onRetry={() => void refetch()}>
          {t`Nothing was changed.`}
        </ErrorNote>
      )}
      {isPending && <SkeletonRows rows={8} kind="table" />}
      {data && (
        <>
          <DataTable
            caption={t`Rounds, newest first`}
            columns={columnsOf(code, onOpen)}
            rows={data.rows}
            rowKey={(row) => row.mid}
            onRow={(row) => onOpen(row.mid)}
            busy={isFetching}
            empty={<EmptyState icon={IconHistory} title={t`No rounds found`} />}
          />
          <Pagination page={page} limit={limit} total={data.total} onPage={onPage} />
        </>
      )}
    </div>
  );
}

/** The rounds the player had bets in, with what each brought. */
function MyRounds({ code, onOpen }: { code: string; onOpen: (mid: string) => void }) {
  const pages = useCursor<number>(code);
  const before = pages.start;
  const { data, isError, isPending, isFetching, refetch } = useCall(
    CALLS.casino.myRounds,
    { params: { type: code }, query: before === null ? {} : { before: String(before) } },
    { keep: true },
  );
  if (isError) {
    return (
      <ErrorNote title={t`Your rounds did not load.`} onRetry={() => void refetch()}>
        {t`Nothing was changed.`}
      </ErrorNote>
    );
  }
  if (isPending || !data) return <SkeletonRows rows={8} kind="table" />;
  return (
    <div className="stack g-5">
      <DataTable
        caption={t`Your rounds, newest first`}
        columns={[
          ...columnsOf<MyRound>(code, onOpen).map((column) =>
            column.card === 'amount' ? { ...column, card: 'note' as const } : column,
          ),
          { id: 'stake', head: t`Stakes`, numeric: true, cell: (row) => formatMoney(row.stake) },
          {
            id: 'net',
            head: t({ message: 'Result', context: 'money' }),
            numeric: true,
            card: 'amount',
            cell: (row) => <SignedMoney minor={row.net} />,
          },
        ]}
        rows={data.rows}
        rowKey={(row) => row.mid}
        onRow={(row) => onOpen(row.mid)}
        busy={isFetching}
        empty={
          <EmptyState
            icon={IconHistory}
            title={data.next === null ? t`No rounds of yours` : t`None among these bets`}
          />
        }
      />
      <CursorPages {...pages} next={data.next} />
    </div>
  );
}

type MyRound = ReplyOf<typeof CALLS.casino.myRounds>['rows'][number];

function columnsOf<R extends CardResult>(code: string, onOpen: (mid: string) => void): Column<R>[] {
  const endings = ENDINGS[code as TableCode] ?? [];
  return [
    {
      id: 'badge',
      head: t`Result`,
      card: 'tag',
      cell: (row) => <Badge endings={endings} badge={row.badge} />,
    },
    {
      id: 'text',
      head: t`In words`,
      card: 'title',
      wrap: true,
      cell: (row) => (
        <button type="button" className="link" onClick={() => onOpen(row.mid)}>
          {endingWords(row, endings) || t`Open the round`}
        </button>
      ),
    },
    { id: 'round', head: t`Round`, numeric: true, card: 'amount', cell: (row) => row.roundNo },
    { id: 'date', head: t`Time`, card: 'meta', cell: (row) => formatDateTime(Date.parse(row.createdAt)) },
  ];
}
