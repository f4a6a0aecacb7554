import { CALLS, type ReplyOf } from '@fairgame/contract';
import { Link } from 'react-router';
import { useCall } from '../../api/queries.ts';
import { IconButton } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { IconReceipt, IconRefresh } from '../../ui/icons.ts';
import { eventPath } from '../../ui/links.ts';
import { Modal } from '../../ui/modal.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { sportName } from '../../ui/sports.ts';

type Row = ReplyOf<typeof CALLS.bets.myMarket>[number];

/** The modal My Market: where the player has open bets, and what they may cost. Also what a press on Exposure opens. */
export function ModalScreen({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data, isError, isFetching, refetch } = useCall(CALLS.bets.myMarket, {});
  const columns: Column<Row>[] = [
    { id: 'type', head: 'EventType', card: 'tag', cell: (row) => sportName(row.eventType) },
    {
      id: 'event',
      head: 'Event Name',
      card: 'title',
      cell: (row) => (
        <Link to={eventPath({ matchType: row.eventType, id: row.matchId, beventId: row.beventId })} onClick={onClose}>
          {row.eventName}
        </Link>
      ),
    },
    { id: 'match', head: 'Match Name', card: 'meta', cell: (row) => row.groupedmarkettype ?? row.marketType },
    { id: 'trade', head: 'Trade', numeric: true, card: 'note', cell: (row) => row.trade },
    {
      id: 'exposure',
      head: 'Exposure',
      numeric: true,
      card: 'amount',
      cell: (row) => <SignedMoney minor={-Math.abs(row.exposure)} />,
    },
  ];
  return (
    <Modal
      open={open}
      onClose={onClose}
      title="My Market"
      width="l"
      flush
      head={
        <IconButton
          icon={IconRefresh}
          label="Refresh"
          className={isFetching ? 'is-spinning' : ''}
          onClick={() => void refetch()}
        />
      }
    >
      {isError ? (
        <ErrorNote title="Your markets did not load." onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption="My Market"
          columns={columns}
          rows={data ?? []}
          rowKey={(row) => String(row.betId)}
          busy={!data}
          empty={
            <EmptyState icon={IconReceipt} title="No open bets">
              Markets in which you have bets show up here.
            </EmptyState>
          }
        />
      )}
    </Modal>
  );
}
