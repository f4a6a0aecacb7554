import { CALLS, eq, inArr, PAGE, type PlacedBet, type TransactionRow } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { readFile, useCall } from '../../api/api.ts';
import { isDeleted, selectionPrice, sideLetter, sideOf, sideWord } from '../../betting/betting.ts';
import { formatDateTime, formatMoney } from '../../platform/format.ts';
import { named, namedLine } from '../../platform/named.ts';
import { useSession } from '../../session/session.ts';
import { SideChip } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { IconFileInvoice } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { Pagination, usePages } from '../../ui/pagination.tsx';
import { ResultChip } from './bet-columns.tsx';
import { saveBlob } from './csv.ts';
import { ExportButton } from './export.tsx';
import css from '../../ui/overlay.module.css';

/** Filters take at most fifty ids. */
const MOST_IDS = 50;
const SETTLED = ['WIN', 'LOSS', 'TIE', 'VOID', 'UNDECLARE'];

/**
 * What a statement row or a market of the profit report asks of the bet list (REP-14..17). Rounds of a card table have their
 * own name for the runner and are not among the current bets.
 */
export function behindQuery(
  from: { markets: readonly number[]; runnerId: number | null; card: boolean },
  userId: number,
) {
  const { markets, runnerId, card } = from;
  return {
    betId: inArr(markets.slice(0, MOST_IDS)),
    ...(runnerId ? { [card ? 'betPlaced.runnerId' : 'runnerId']: eq(runnerId) } : {}),
    result: inArr(SETTLED),
    createBy: eq(userId),
    sort: 'betPlaced.createdAt:DESC',
    ...(card ? {} : { isCurrentBets: 'true' as const }),
  };
}

/** A page of them: however many stand behind a row, each can be reached. */
export function useBehind(query: ReturnType<typeof behindQuery>) {
  const pages = usePages(query, PAGE.statement);
  const read = useCall(
    CALLS.bets.list,
    { query: { ...query, page: String(pages.page), limit: String(pages.limit) } },
    {
      // Rows of another page stand until its own have come; those of another market never.
      keep: ({ query: before }) => before?.betId === query.betId,
    },
  );
  return { pages, read };
}

/** Statement rows of the card tables. */
const CASINO = 2;

/** The prices of a row's markets, where the site kept them. */
function useRecording(row: TransactionRow): { kept: boolean; save: () => Promise<void> } {
  const { data: recorded } = useCall(
    CALLS.programs.recorded,
    { query: { marketIds: row.betId.slice(0, MOST_IDS).join() } },
    { enabled: row.type !== CASINO && row.betId.length > 0 },
  );
  const markets = recorded?.marketIds ?? [];
  const save = async () => {
    for (const id of markets)
      saveBlob(`market-${id}.bz2`, await readFile(CALLS.programs.recording, { params: { marketId: String(id) } }));
  };
  return { kept: markets.length > 0, save };
}

const columnsBehind = (): Column<PlacedBet>[] => [
  {
    id: 'selection',
    head: t`Selection`,
    card: 'title',
    cell: (bet) => (
      <span className="row g-3">
        <SideChip side={sideOf(bet) === 'BACK' ? 'back' : 'lay'} letter={sideLetter(bet.kind, sideOf(bet))} />
        {isDeleted(bet) ? <s>{named(bet.teamName)}</s> : named(bet.teamName)}
      </span>
    ),
  },
  { id: 'side', head: t`Side`, cell: (bet) => sideWord(bet.kind, sideOf(bet)) },
  {
    id: 'price',
    head: t`Price`,
    numeric: true,
    cell: (bet) => selectionPrice({ kind: bet.kind, price: bet.oddsMatched || bet.odds, line: bet.line }),
  },
  { id: 'stake', head: t`Stake`, numeric: true, card: 'note', cell: (bet) => formatMoney(bet.matched) },
  {
    id: 'result',
    head: t`Profit/Loss`,
    numeric: true,
    card: 'amount',
    cell: (bet) => <SignedMoney minor={bet.profitLoss} />,
  },
  { id: 'placed', head: t`Placed at`, card: 'meta', cell: (bet) => formatDateTime(Date.parse(bet.createdAt)) },
  { id: 'status', head: t`Status`, card: 'tag', cell: (bet) => <ResultChip bet={bet} /> },
];

/** The bets a statement row comes from. */
export function BetsBehind({ row, onClose }: { row: TransactionRow; onClose: () => void }) {
  const userId = useSession()?.userId ?? 0;
  const { pages, read } = useBehind(
    behindQuery({ markets: row.betId, runnerId: row.runnerId, card: row.type === CASINO }, userId),
  );
  const { data, isError, refetch } = read;
  const { kept, save } = useRecording(row);
  return (
    <Modal
      open
      onClose={onClose}
      title={namedLine(row.description)}
      width="l"
      flush
      footer={
        kept && (
          <ExportButton save={save} disabled={false}>
            {t`Recording of the prices`}
          </ExportButton>
        )
      }
    >
      {isError ? (
        <div className={css.modalBody}>
          <ErrorNote title={t`The bets did not load.`} onRetry={() => void refetch()} />
        </div>
      ) : (
        <>
          <DataTable
            caption={t`Bets behind this entry`}
            columns={columnsBehind()}
            rows={data?.rows ?? []}
            rowKey={(bet) => String(bet.id)}
            busy={!data || read.isPlaceholderData}
            empty={<EmptyState icon={IconFileInvoice} title={t`No bets stand behind this entry`} />}
          />
          {data && data.total > 0 && <Pagination {...pages} total={data.total} />}
        </>
      )}
    </Modal>
  );
}
