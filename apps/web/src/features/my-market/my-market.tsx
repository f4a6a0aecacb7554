import { CALLS, type ReplyOf } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useCall } from '../../api/api.ts';
import { eventPath } from '../../platform/links.ts';
import { named } from '../../platform/named.ts';
import { Link, useNavigate } from '../../platform/routing.tsx';
import { sportName } from '../../platform/sports.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { IconLayoutList, IconReceipt, IconRefresh } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import overlayCss from '../../ui/overlay.module.css';
import css from './my-market.module.css';

type Row = ReplyOf<typeof CALLS.bets.myMarket>[number];

/** The modal My Market: where the player has open bets, and what they may cost. Also what a press on Exposure opens. */
export function ModalScreen({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data, isError, isFetching, refetch } = useCall(CALLS.bets.myMarket, {});
  const navigate = useNavigate();
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t`My Market`}
      width="l"
      flush
      footer={
        <>
          <span className={cx('t2 fs-12', css.sum)}>{sumText(data ?? [])}</span>
          {data && data.length > 0 && (
            <Button
              icon={IconLayoutList}
              onClick={() => {
                onClose();
                void navigate('/home', { state: { tab: 'mine' } });
              }}
            >
              {t`On one screen`}
            </Button>
          )}
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
      head={
        <IconButton
          icon={IconRefresh}
          label={t`Refresh`}
          className={isFetching ? 'is-spinning' : ''}
          onClick={() => void refetch()}
        />
      }
    >
      {isError ? (
        <div className={overlayCss.modalBody}>
          <ErrorNote title={t`Your markets did not load.`} onRetry={() => void refetch()} />
        </div>
      ) : (
        <DataTable
          caption={t`My Market`}
          columns={marketColumns(onClose)}
          rows={data ?? []}
          rowKey={(row) => String(row.betId)}
          busy={!data}
          empty={
            <EmptyState icon={IconReceipt} title={t`No open bets`}>
              {t`Markets in which you have bets show up here.`}
            </EmptyState>
          }
        />
      )}
    </Modal>
  );
}

const marketColumns = (onLeave: () => void): Column<Row>[] => [
  { id: 'type', head: t`EventType`, card: 'tag', cell: (row) => <Sport type={row.eventType} /> },
  {
    id: 'event',
    head: t`Event Name`,
    card: 'title',
    cell: (row) => (
      <Link
        className="link"
        to={eventPath({ matchType: row.eventType, id: row.matchId, beventId: row.beventId })}
        onClick={onLeave}
      >
        {named(row.eventName)}
      </Link>
    ),
  },
  { id: 'match', head: t`Match Name`, card: 'meta', cell: (row) => row.groupedmarkettype ?? row.marketType },
  { id: 'trade', head: t`Trade`, numeric: true, card: 'note', cell: (row) => row.trade },
  {
    id: 'exposure',
    head: t`Exposure`,
    numeric: true,
    card: 'amount',
    cell: (row) => <SignedMoney minor={-Math.abs(row.exposure)} />,
  },
];

function Sport({ type }: { type: string }) {
  return (
    <span className="row g-4">
      <SportIcon sport={type} size={17} className="t2" />
      {sportName(type)}
    </span>
  );
}

/** "9 open bets in 6 markets". */
function sumText(rows: readonly Row[]): string {
  const bets = rows.reduce((sum, row) => sum + row.trade, 0);
  if (bets === 0) return '';
  const markets = rows.length;
  return t`${plural(bets, { one: '# open bet', other: '# open bets' })} in ${plural(markets, { one: '# market', other: '# markets' })}`;
}
