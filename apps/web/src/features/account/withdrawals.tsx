import { CALLS, type Withdrawal } from '@fairgame/contract';
import { useCall } from '../../api/api.ts';
import { formatDate, formatMoney } from '../../platform/format.ts';
import { useSession } from '../../session/session.ts';
import { Chip } from '../../ui/badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import css from './reports.module.css';

const CHIPS = {
  requested: <Chip>Requested</Chip>,
  approved: <Chip tone="pos">Approved</Chip>,
  denied: <Chip tone="neg">Denied</Chip>,
  cancelled: <Chip>Cancelled</Chip>,
} as const;

/** The server tells the newest first. */
const MOST = 5;

/** Where the player's withdrawals are; nothing for who never asked for one. Support notes and decides them (OPN-18). */
export function Withdrawals() {
  const isReal = useSession()?.isDemo === false;
  const { data } = useCall(CALLS.account.withdrawals, {}, { enabled: isReal });
  if (!data || data.length === 0) return null;
  return (
    <Panel title="Withdrawals" flush={false}>
      <ul className={css.out}>
        {data.slice(0, MOST).map((row) => (
          <li key={row.id}>
            <b className="num">{formatMoney(row.amountMinor)}</b>
            {CHIPS[row.state]}
            <span>
              Withdrawal {row.id}, asked for on {day(row.askedAt)}. {whatFollows(row)}
            </span>
          </li>
        ))}
      </ul>
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
