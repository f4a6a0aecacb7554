import { CALLS, type Withdrawal } from '@fairgame/contract';
import { useCall } from '../../api/queries.ts';
import { useSession } from '../../session/hooks.ts';
import { Chip } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatDate, formatMoney } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';

const CHIPS = {
  requested: <Chip>Requested</Chip>,
  approved: <Chip tone="pos">Approved</Chip>,
  denied: <Chip tone="neg">Denied</Chip>,
  cancelled: <Chip>Cancelled</Chip>,
} as const;

const COLUMNS: Array<Column<Withdrawal>> = [
  { id: 'date', head: 'Date', card: 'meta', cell: (row) => day(row.askedAt) },
  { id: 'no', head: 'No', cell: (row) => <span className="num">{row.id}</span> },
  { id: 'state', head: 'State', card: 'tag', cell: (row) => CHIPS[row.state] },
  { id: 'next', head: 'What follows', card: 'title', wrap: true, cell: whatFollows },
  {
    id: 'amount',
    head: 'Amount',
    numeric: true,
    card: 'amount',
    cell: (row) => <b className="num">{formatMoney(row.amountMinor)}</b>,
  },
];

/** Where the player's withdrawals are; nothing for who never asked for one. Support notes and decides them (OPN-18). */
export function Withdrawals() {
  const isReal = useSession()?.isDemo === false;
  const { data } = useCall(CALLS.account.withdrawals, {}, { enabled: isReal });
  if (!data || data.length === 0) return null;
  return (
    <Panel title="Withdrawals">
      <DataTable caption="Withdrawals" columns={COLUMNS} rows={data} rowKey={(row) => String(row.id)} />
    </Panel>
  );
}

function whatFollows({ state, decideBy, changedAt, parts }: Withdrawal): string {
  if (state === 'requested') return `Is decided by ${day(decideBy)}. The money has left your balance.`;
  if (state !== 'approved') return `Back in your balance since ${day(changedAt)}.`;
  if (!parts) return `Approved on ${day(changedAt)}.`;
  const last = parts.at(-1)!;
  return `Paid in ${parts.length} monthly parts of ${formatMoney(parts[0]!.amountMinor)}, the last on ${day(last.at)}.`;
}

const day = (iso: string): string => formatDate(Date.parse(iso));
