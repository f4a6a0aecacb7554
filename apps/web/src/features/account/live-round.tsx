import { CALLS, type ReplyOf } from '@fairgame/contract';
import { useCall } from '../../api/api.ts';
import { formatDateTime, formatTime } from '../../platform/format.ts';
import { Chip } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { IconCloudOff } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Money, SignedMoney } from '../../ui/money.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { Kpi, Kpis } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import panelCss from '../../ui/panel.module.css';
import css from './reports.module.css';

export type LiveBetRow = ReplyOf<typeof CALLS.provider.bets>['rows'][number];
type Movement = ReplyOf<typeof CALLS.provider.round>['movements'][number];

const KINDS: Record<Movement['kind'], string> = {
  debit: 'Stake',
  debitCredit: 'Stake and pay-out',
  credit: 'Pay-out',
  rollback: 'Taken back',
  promo: 'Gift of the studio',
};

/** Result of a round in a cell: its money once it is over, else what it is. */
export function RoundResult({ row }: { row: Pick<LiveBetRow, 'status' | 'result'> }) {
  if (row.status === 'OPEN') return <Chip tone="live">Open</Chip>;
  if (row.status === 'VOID') return <Chip>Void</Chip>;
  return <SignedMoney minor={row.result} />;
}

/** One round at a provider's game: its money as our books have it, and what the provider published to check it by. */
export function LiveRound({ row, onClose }: { row: LiveBetRow; onClose: () => void }) {
  const { data, isError, refetch } = useCall(CALLS.provider.round, { params: { id: String(row.id) } });
  const bet = data?.bet ?? row;
  const columns: Column<Movement>[] = [
    { id: 'what', head: 'Movement', card: 'title', cell: (one) => KINDS[one.kind] },
    {
      id: 'stake',
      head: 'Stake',
      numeric: true,
      card: 'note',
      cell: (one) => one.stakeMinor !== 0 && <SignedMoney minor={-one.stakeMinor} />,
    },
    {
      id: 'paid',
      head: 'Paid',
      numeric: true,
      card: 'amount',
      cell: (one) => one.paidMinor !== 0 && <SignedMoney minor={one.paidMinor} />,
    },
    { id: 'at', head: 'Time', card: 'meta', cell: (one) => formatTime(Date.parse(one.createdAt)) },
  ];
  return (
    <Modal open onClose={onClose} title={`${row.gameName}, ${row.providerName}`} width="l">
      <div className={cx('stack g-5', css.round)}>
        <Kpis>
          <Kpi label="Stake">
            <Money minor={bet.stake} />
          </Kpi>
          <Kpi label="Paid back">{bet.status === 'OPEN' ? '\u2013' : <Money minor={bet.stake + bet.result} />}</Kpi>
          <Kpi label="Result">
            <RoundResult row={bet} />
          </Kpi>
        </Kpis>
        <dl className={css.list}>
          <div>
            <dt>Round</dt>
            <dd className="num">{row.round}</dd>
          </div>
          <div>
            <dt>Begun</dt>
            <dd>{formatDateTime(Date.parse(row.createdAt))}</dd>
          </div>
          <div>
            <dt>Over</dt>
            <dd>{data?.endedAt ? formatDateTime(Date.parse(data.endedAt)) : '\u2013'}</dd>
          </div>
        </dl>
        {isError ? (
          <ErrorNote title="The movements of this round did not load." onRetry={() => void refetch()} />
        ) : data ? (
          <>
            <section className={panelCss.panel} aria-label="Movements">
              <DataTable
                caption="Movements of this round"
                columns={columns}
                rows={data.movements}
                rowKey={(one) => `${one.kind} ${one.createdAt} ${one.stakeMinor} ${one.paidMinor}`}
              />
            </section>
            <Proof data={data} />
          </>
        ) : (
          <SkeletonRows rows={2} kind="table" />
        )}
      </div>
    </Modal>
  );
}

/** Seeds as the provider published them; the game itself deals the round again from them. */
function Proof({ data }: { data: ReplyOf<typeof CALLS.provider.round> }) {
  if (!data.reachable) {
    return (
      <Note icon={IconCloudOff}>
        {data.bet.providerName} does not answer at the moment, so its seeds are missing here. The money above is from
        our own books.
      </Note>
    );
  }
  const proofs = (Array.isArray(data.proof) ? data.proof : [data.proof]).map(seedsOf);
  const seeds = proofs.find((one) => one !== null);
  if (!seeds) return data.bet.status === 'OPEN' ? <Note>The seeds are published when the round is over.</Note> : null;
  return (
    <details className={css.proof}>
      <summary>Seeds of this round</summary>
      <dl className={cx(css.list, css.listOne)}>
        {Object.entries(seeds).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={css.proofValue}>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="t3 fs-12">The history of the game plays the round again from these and compares.</p>
      <LinkButton to={`/live-casino?provider=${encodeURIComponent(data.bet.providerName)}`} size="sm">
        To the games of {data.bet.providerName}
      </LinkButton>
    </details>
  );
}

/** What came from the provider is only shown where it is what it should be: short text and whole numbers. */
function seedsOf(proof: unknown): Record<string, string> | null {
  if (typeof proof !== 'object' || proof === null) return null;
  const { commit, serverSeed, clientSeed, nonce } = proof as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' && value.length <= 128 ? value : null);
  const all = {
    'Hash before the round': text(commit),
    'Server seed': text(serverSeed),
    'Your seed': text(clientSeed),
    Nonce: Number.isSafeInteger(nonce) ? String(nonce) : null,
  };
  return Object.values(all).every((value) => value !== null) ? (all as Record<string, string>) : null;
}
