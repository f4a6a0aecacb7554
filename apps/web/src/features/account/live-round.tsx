import { CALLS, type ReplyOf } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useCall } from '../../api/api.ts';
import { formatDateTime, formatTime, listed } from '../../platform/format.ts';
import { say, type Words } from '../../platform/language.ts';
import { named } from '../../platform/named.ts';
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

const KINDS: Record<Movement['kind'], Words> = {
  debit: msg`Stake`,
  debitCredit: msg`Stake and pay-out`,
  credit: msg`Pay-out`,
  rollback: msg`Taken back`,
  promo: msg`Gift of the studio`,
};

/** Result of a round in a cell: its money once it is over, else what it is. */
export function RoundResult({ row }: { row: Pick<LiveBetRow, 'status' | 'result'> }) {
  if (row.status === 'OPEN') return <Chip tone="live">{t({ message: 'Open', context: 'state' })}</Chip>;
  if (row.status === 'VOID') return <Chip>{t`Void`}</Chip>;
  return <SignedMoney minor={row.result} />;
}

/** One round at a provider's game: its money as our books have it, and what the provider published to check it by. */
export function LiveRound({ row, onClose }: { row: LiveBetRow; onClose: () => void }) {
  const { data, isError, refetch } = useCall(CALLS.provider.round, { params: { id: String(row.id) } });
  const bet = data?.bet ?? row;
  const columns: Column<Movement>[] = [
    { id: 'what', head: t`Movement`, card: 'title', cell: (one) => say(KINDS[one.kind]) },
    {
      id: 'stake',
      head: t`Stake`,
      numeric: true,
      card: 'note',
      cell: (one) => one.stakeMinor !== 0 && <SignedMoney minor={-one.stakeMinor} />,
    },
    {
      id: 'paid',
      head: t`Paid`,
      numeric: true,
      card: 'amount',
      cell: (one) => one.paidMinor !== 0 && <SignedMoney minor={one.paidMinor} />,
    },
    { id: 'at', head: t`Time`, card: 'meta', cell: (one) => formatTime(Date.parse(one.createdAt)) },
  ];
  return (
    <Modal open onClose={onClose} title={listed(named(row.gameName), row.providerName)} width="l">
      <div className={cx('stack g-5', css.round)}>
        <Kpis>
          <Kpi label={t`Stake`}>
            <Money minor={bet.stake} />
          </Kpi>
          <Kpi label={t`Paid back`}>{bet.status === 'OPEN' ? '\u2013' : <Money minor={bet.stake + bet.result} />}</Kpi>
          <Kpi label={t({ message: 'Result', context: 'money' })}>
            <RoundResult row={bet} />
          </Kpi>
        </Kpis>
        <dl className={css.list}>
          <div>
            <dt>{t`Round`}</dt>
            <dd className="num">{row.round}</dd>
          </div>
          <div>
            <dt>{t`Begun`}</dt>
            <dd>{formatDateTime(Date.parse(row.createdAt))}</dd>
          </div>
          <div>
            <dt>{t`Over`}</dt>
            <dd>{data?.endedAt ? formatDateTime(Date.parse(data.endedAt)) : '\u2013'}</dd>
          </div>
        </dl>
        {isError ? (
          <ErrorNote title={t`The movements of this round did not load.`} onRetry={() => void refetch()} />
        ) : data ? (
          <>
            <section className={panelCss.panel} aria-label={t`Movements`}>
              <DataTable
                caption={t`Movements of this round`}
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
        {t`${{ provider: data.bet.providerName }} does not answer at the moment, so its seeds are missing here. The money above is from our own books.`}
      </Note>
    );
  }
  const proofs = (Array.isArray(data.proof) ? data.proof : [data.proof]).map(seedsOf);
  const seeds = proofs.find((one) => one !== null);
  if (!seeds)
    return data.bet.status === 'OPEN' ? <Note>{t`The seeds are published when the round is over.`}</Note> : null;
  return (
    <details className={css.proof}>
      <summary>{t`Seeds of this round`}</summary>
      <dl className={cx(css.list, css.listOne)}>
        {seeds.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={css.proofValue}>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="t3 fs-12">{t`The history of the game plays the round again from these and compares.`}</p>
      <LinkButton to={`/live-casino?provider=${encodeURIComponent(data.bet.providerName)}`} size="sm">
        {t`To the games of ${{ provider: data.bet.providerName }}`}
      </LinkButton>
    </details>
  );
}

/** What came from the provider is only shown where it is what it should be: short text and whole numbers. */
function seedsOf(proof: unknown): ReadonlyArray<readonly [name: string, value: string]> | null {
  if (typeof proof !== 'object' || proof === null) return null;
  const { commit, serverSeed, clientSeed, nonce } = proof as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' && value.length <= 128 ? value : null);
  const all = [
    [t`Hash before the round`, text(commit)],
    [t`Server seed`, text(serverSeed)],
    [t`Your seed`, text(clientSeed)],
    [t`Nonce`, Number.isSafeInteger(nonce) ? String(nonce) : null],
  ] as const;
  const known = all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return known.length === all.length ? known : null;
}
