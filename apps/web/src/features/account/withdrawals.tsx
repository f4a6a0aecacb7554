import { CALLS, type Withdrawal } from '@fairgame/contract';
import { msg, plural, t } from '@lingui/core/macro';
import { useCall } from '../../api/api.ts';
import { formatDate, formatMoney } from '../../platform/format.ts';
import { say, type Words } from '../../platform/language.ts';
import { useSession } from '../../session/session.ts';
import { Chip } from '../../ui/badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import css from './reports.module.css';

const STATES: Readonly<Record<Withdrawal['state'], Words>> = {
  requested: msg`Requested`,
  approved: msg`Approved`,
  denied: msg`Denied`,
  cancelled: msg`Cancelled`,
};
const TONES = { requested: {}, approved: { tone: 'pos' }, denied: { tone: 'neg' }, cancelled: {} } as const;

/** The server tells the newest first. */
const MOST = 5;

/** Where the player's withdrawals are; nothing for who never asked for one. Support notes and decides them (OPN-18). */
export function Withdrawals() {
  const isReal = useSession()?.isDemo === false;
  const { data } = useCall(CALLS.account.withdrawals, {}, { enabled: isReal });
  if (!data || data.length === 0) return null;
  return (
    <Panel title={t`Withdrawals`} flush={false}>
      <ul className={css.out}>
        {data.slice(0, MOST).map((row) => (
          <li key={row.id}>
            <b className="num">{formatMoney(row.amountMinor)}</b>
            <Chip {...TONES[row.state]}>{say(STATES[row.state])}</Chip>
            <span>{t`Withdrawal ${{ id: row.id }}, asked for on ${{ day: day(row.askedAt) }}. ${{ next: whatFollows(row) }}`}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function whatFollows({ state, decideBy, changedAt, parts }: Withdrawal): string {
  if (state === 'requested') return t`Is decided by ${{ day: day(decideBy) }}. The money has left your balance.`;
  if (state !== 'approved') return t`Back in your balance since ${{ day: day(changedAt) }}.`;
  if (!parts) return t`Approved on ${{ day: day(changedAt) }}.`;
  const [count, amount, last] = [parts.length, formatMoney(parts[0]!.amountMinor), day(parts.at(-1)!.at)];
  return plural(count, {
    one: `Paid in # monthly part of ${amount}, the last on ${last}.`,
    other: `Paid in # monthly parts of ${amount}, the last on ${last}.`,
  });
}

const day = (iso: string): string => formatDate(Date.parse(iso));
