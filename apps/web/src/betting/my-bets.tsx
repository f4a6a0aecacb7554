import type { PlacedBet } from '@fairgame/contract';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { formatMoney } from '../ui/format.ts';
import { ErrorNote } from '../ui/note.tsx';
import { Panel } from '../ui/panel.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { BetGroup, BetRow, CancelAll } from '../ui/slip-parts.tsx';
import { useCancel } from './cancel.ts';
import { EditBet } from './edit-bet.tsx';
import { useKeepFocus } from './keep-focus.ts';
import { priceText, sideLetter } from './kinds.ts';
import { sideOf, useOpenBets } from './positions.ts';

/** Open bets, unmatched first; of one match, or of all with the event under each. */
export function MyBets({
  matchId,
  marketId,
  title = 'My bets',
}: {
  matchId?: number;
  marketId?: number;
  title?: string;
}) {
  const { data, isError, isPending, refetch } = useOpenBets(matchId);
  const { cancel, cancelAll, busy } = useCancel();
  const [editing, setEditing] = useState<PlacedBet | null>(null);
  const keep = useKeepFocus();
  const rows = (data?.rows ?? []).filter((bet) => marketId === undefined || bet.betId === marketId);
  const waiting = rows.filter((bet) => bet.deleteReason === null && bet.status !== 'COMPLETE');
  const matched = rows.filter((bet) => bet.deleteReason === null && bet.status === 'COMPLETE' && bet.matched > 0);
  const deleted = rows.filter((bet) => bet.deleteReason !== null);
  return (
    <div {...keep}>
      <Panel title={title} count={data ? rows.length : undefined} small>
        {isPending && <SkeletonRows rows={2} kind="table" />}
        {isError && (
          <ErrorNote title="Your bets did not load." onRetry={() => void refetch()}>
            Nothing was changed.
          </ErrorNote>
        )}
        {data && rows.length === 0 && (
          <p className="bets__none">No open bets. Bets waiting for a result show up here.</p>
        )}
        {waiting.length > 0 && (
          <BetGroup
            title="Unmatched"
            end={
              <CancelAll
                busy={busy}
                onPress={() => void cancelAll(matchId === undefined ? [] : waiting.map((bet) => bet.betId))}
              />
            }
          >
            {waiting.map((bet) => (
              <div key={bet.id}>
                <BetRow
                  {...look(bet, matchId === undefined)}
                  sub={waitingText(bet)}
                  odds={oddsOf(bet, bet.odds)}
                  stake={stakeOf(bet.amount)}
                  state="waiting"
                  matchedPercent={Math.round((bet.matched / bet.amount) * 100)}
                  onCancel={bet.status === 'EXECUTABLE' ? () => void cancel(bet.id) : undefined}
                />
                {bet.status === 'EXECUTABLE' && (
                  <div className="bet__more">
                    <Button
                      kind="ghost"
                      size="sm"
                      aria-expanded={editing?.id === bet.id}
                      onClick={() => setEditing(editing?.id === bet.id ? null : bet)}
                    >
                      Edit
                    </Button>
                  </div>
                )}
                {editing?.id === bet.id && <EditBet bet={bet} onDone={() => setEditing(null)} />}
              </div>
            ))}
          </BetGroup>
        )}
        {matched.length > 0 && (
          <BetGroup title="Matched" end={<span className="t3">Average odds</span>}>
            {matched.map((bet) => (
              <BetRow
                key={bet.id}
                {...look(bet, matchId === undefined)}
                odds={oddsOf(bet, bet.oddsMatched || bet.odds)}
                stake={stakeOf(bet.matched)}
                state="matched"
              />
            ))}
          </BetGroup>
        )}
        {deleted.length > 0 && (
          <BetGroup title="Taken out">
            {deleted.map((bet) => (
              <BetRow
                key={bet.id}
                {...look(bet, false)}
                sub={bet.deleteReason ?? ''}
                odds={oddsOf(bet, bet.odds)}
                stake={stakeOf(bet.amount)}
                state="deleted"
              />
            ))}
          </BetGroup>
        )}
      </Panel>
    </div>
  );
}

function look(bet: PlacedBet, withEvent: boolean) {
  const side = sideOf(bet);
  return {
    side: side === 'BACK' ? ('back' as const) : ('lay' as const),
    letter: sideLetter(bet.kind, side),
    name: bet.betType === 'YES' || bet.betType === 'NO' ? bet.bettingName : bet.teamName,
    sub: withEvent
      ? `${bet.bettingName}, ${bet.eventName}`
      : bet.line === null
        ? bet.bettingName
        : `${bet.betType === 'NO' ? 'No' : 'Yes'} ${bet.line}`,
  };
}

function waitingText(bet: PlacedBet): string {
  if (bet.status === 'PENDING') return `${bet.bettingName}, in its delay`;
  if (bet.matched > 0) return `${stakeOf(bet.matched)} of ${stakeOf(bet.amount)} matched`;
  return bet.persistence === 'PERSIST' ? `${bet.bettingName}, kept in-play` : bet.bettingName;
}

const oddsOf = (bet: PlacedBet, odds: number): string => (bet.line === null ? priceText(bet.kind, odds) : String(odds));

/** A player's own stake is shown to the cent, where it has any. */
const stakeOf = (minor: number): string => formatMoney(minor, minor % 100 === 0 ? 0 : 2);
