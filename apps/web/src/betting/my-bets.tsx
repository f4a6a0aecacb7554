import type { PlacedBet } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { isFresh } from '../live/live.ts';
import { formatStake } from '../platform/format.ts';
import { later } from '../platform/later.tsx';
import { eventPath } from '../platform/links.ts';
import { named } from '../platform/named.ts';
import { Link } from '../platform/routing.tsx';
import { alone } from '../ui/boundary.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { Panel } from '../ui/panel.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { BetGroup, BetRow, CancelAll } from '../ui/slip-parts.tsx';
import { endOf, isDeleted, oddsOf } from './bet-state.ts';
import { useCancel } from './cancel.ts';
import { useHeldOrders } from './held-orders.ts';
import { useKeepFocus } from './keep-focus.ts';
import { sideLetter } from './kinds.ts';
import { sideOf, useOpenBets } from './positions.ts';
import css from '../ui/bets.module.css';

const HeldGroup = later(async () => (await import('./held-group.tsx')).HeldGroup);
const EditBet = later(async () => (await import('./edit-bet.tsx')).EditBet);

/** Open bets, unmatched first; of one match, or of all with the event under each and the way to it. */
function MyBetsDrawn({
  matchId,
  marketId,
  title = t`My bets`,
}: {
  matchId?: number;
  marketId?: number;
  title?: string;
}) {
  const { data, isError, isPending, refetch } = useOpenBets(matchId);
  const { data: held } = useHeldOrders(marketId);
  const keep = useKeepFocus();
  const all = matchId === undefined;
  const rows = (data?.rows ?? []).filter((bet) => marketId === undefined || bet.betId === marketId);
  const waiting = rows.filter((bet) => !isDeleted(bet) && bet.status !== 'COMPLETE');
  const matched = rows.filter((bet) => !isDeleted(bet) && bet.status === 'COMPLETE' && bet.matched > 0);
  const deleted = rows.filter(isDeleted);
  const orders = (held ?? []).filter((order) => all || order.matchId === matchId);
  const total = marketId === undefined ? (data?.total ?? 0) : rows.length;
  return (
    <div {...keep}>
      <Panel title={title} count={data ? total : undefined} small>
        {isPending && <SkeletonRows rows={2} kind="table" />}
        {isError && (
          <ErrorNote title={t`Your bets did not load.`} onRetry={() => void refetch()}>
            {t`Nothing was changed.`}
          </ErrorNote>
        )}
        {data && rows.length === 0 && (
          <p className={css.none}>{t`No open bets. Bets waiting for a result show up here.`}</p>
        )}
        {waiting.length > 0 && <Waiting bets={waiting} all={all} />}
        {orders.length > 0 && <HeldGroup orders={orders} all={all} />}
        {matched.length > 0 && <Matched bets={matched} all={all} />}
        {deleted.length > 0 && (
          <BetGroup title={t`Deleted`}>
            {deleted.map((bet) => (
              <BetRow
                key={bet.id}
                {...look(bet, all, named(bet.deleteReason ?? ''))}
                odds={oddsOf(bet, bet.odds)}
                stake={formatStake(bet.amount)}
                state="deleted"
              />
            ))}
          </BetGroup>
        )}
        {total > rows.length && <NotAll count={rows.length} total={total} />}
      </Panel>
    </div>
  );
}

function NotAll({ count, total }: { count: number; total: number }) {
  return (
    <p className={css.none}>
      <Trans>
        {count} of {total} are shown, unmatched ones first.{' '}
        <Link className="link" to="/unsettled-bet">
          All open bets
        </Link>
      </Trans>
    </p>
  );
}

export const MyBets = alone(msg`The list of your bets`, MyBetsDrawn);

function Matched({ bets, all }: { bets: readonly PlacedBet[]; all: boolean }) {
  return (
    <BetGroup title={t`Matched`} end={<span className="t3">{t`Average odds`}</span>}>
      {bets.map((bet) => (
        <BetRow
          key={bet.id}
          {...look(bet, all, matchedText(bet))}
          odds={oddsOf(bet, bet.oddsMatched || bet.odds)}
          stake={formatStake(bet.matched)}
          state="matched"
        />
      ))}
    </BetGroup>
  );
}

function Waiting({ bets, all }: { bets: readonly PlacedBet[]; all: boolean }) {
  const { cancel, cancelAll, busy } = useCancel();
  const [editing, setEditing] = useState<number | null>(null);
  return (
    <BetGroup
      title={t`Unmatched`}
      end={<CancelAll busy={busy} onPress={() => void cancelAll(all ? [] : bets.map((bet) => bet.betId))} />}
    >
      {bets.map((bet) => {
        const open = bet.status === 'EXECUTABLE';
        return (
          <div key={bet.id}>
            <BetRow
              {...look(bet, all, waitingText(bet))}
              odds={oddsOf(bet, bet.odds)}
              stake={formatStake(bet.amount)}
              state="waiting"
              matchedPercent={Math.round((bet.matched / bet.amount) * 100)}
              onCancel={open ? () => void cancel(bet.id) : undefined}
              onEdit={open ? () => setEditing(editing === bet.id ? null : bet.id) : undefined}
              editing={editing === bet.id}
            />
            {open && editing === bet.id && <EditBet bet={bet} onDone={() => setEditing(null)} />}
          </div>
        );
      })}
    </BetGroup>
  );
}

function look(bet: PlacedBet, withEvent: boolean, text: string) {
  const side = sideOf(bet);
  return {
    side: side === 'BACK' ? ('back' as const) : ('lay' as const),
    letter: sideLetter(bet.kind, side),
    name: bet.betType === 'YES' || bet.betType === 'NO' ? named(bet.bettingName) : named(bet.teamName),
    sub: text,
    ...(withEvent
      ? {
          event: named(bet.eventName),
          to: eventPath({ matchType: bet.eventType, id: bet.matchId, beventId: bet.beventId }),
        }
      : {}),
    isNew: isFresh(bet.id),
  };
}

/** The market, or for a bet on runs its side and line. */
const whereText = (bet: PlacedBet): string =>
  bet.line === null
    ? named(bet.bettingName)
    : `${bet.betType === 'NO' ? t({ message: 'No', context: 'bet' }) : t({ message: 'Yes', context: 'bet' })} ${bet.line}`;

function waitingText(bet: PlacedBet): string {
  if (bet.status === 'PENDING') return t`${{ where: whereText(bet) }}, in its delay`;
  if (bet.matched > 0)
    return t`${{ matched: formatStake(bet.matched) }} of ${{ stake: formatStake(bet.amount) }} matched`;
  return bet.persistence === 'PERSIST' ? t`${{ where: whereText(bet) }}, kept in-play` : whereText(bet);
}

/** A price reduced by a non-runner is told by its reason, a rest that ended by what became of it. */
function matchedText(bet: PlacedBet): string {
  const end = endOf(bet);
  const rest =
    end &&
    t`${{ matched: formatStake(bet.matched) }} of ${{ stake: formatStake(bet.amount) }}, rest ${{ state: end.word.toLowerCase() }}`;
  return [whereText(bet), rest, named(bet.deleteReason ?? '')].filter(Boolean).join('; ');
}
