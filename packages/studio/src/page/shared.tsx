/** A game of rounds that all players share: board, buttons and panel; what becomes of bets is shared-round.ts. */
import { useEffect, useMemo, useState } from 'react';
import type { AnyShared } from '../game.ts';
import { payOf } from '../game.ts';
import type { LiveBet } from '../wire.ts';
import { amount, PanelContext, type SharedBoard } from './board.ts';
import { OwnBets } from './own-bets.tsx';
import { ActButton, StakePanel, standingOf } from './panel.tsx';
import { type Note, type Play, useSecondsUntil } from './play.ts';
import { useSharedRound } from './shared-round.ts';
import { type Till, useTill } from './till.ts';
import { WinBadge } from './win.tsx';
import actsCss from './acts.module.css';
import css from './page.module.css';

const WORTH_MS = 80;
const LOST: Note = { tone: 'warn', text: 'The connection is lost. Bets that were placed stay placed.' };

export function SharedPlay({ play, rules, Board }: { play: Play; rules: AnyShared; Board: SharedBoard }) {
  const { session, sound } = play;
  const till = useTill(play, rules);
  const shared = useSharedRound(play, till.keep);
  const { live, closed } = shared;
  const effect = useMemo(() => (name: Parameters<typeof sound.play>[0]) => sound.play(name), [sound]);
  return (
    <PanelContext value={till.setPanel}>
      <div className={css.stage}>
        <div className={css.board} data-stage={live?.phase}>
          {live ? (
            <Board
              live={live as never}
              skewMs={shared.skewMs}
              stakeMinor={till.stakeMinor}
              currency={session.currency}
              busy={closed}
              motion={play.motion}
              onBet={shared.onBet}
              onCashout={shared.onCashout}
              sound={effect}
            />
          ) : (
            <div className={css.boardSkeleton} />
          )}
        </div>
        {live?.phase === 'rests' && <WinBadge key={live.roundId} paid={till.last} motion={play.motion} />}
      </div>
      <StakePanel
        play={play}
        till={till}
        note={shared.lost ? LOST : till.note}
        locked={false}
        own={
          live && live.phase !== 'rests' && live.bets.length > 0 ? (
            <OwnBets bets={live.bets} phase={live.phase} />
          ) : null
        }
      >
        <Acts play={play} rules={rules} till={till} shared={shared} />
      </StakePanel>
    </PanelContext>
  );
}

type Shared = ReturnType<typeof useSharedRound>;

/** The buttons of the board or, while the round runs, one for each bet that can be cashed out. */
function Acts(props: { play: Play; rules: AnyShared; till: Till; shared: Shared }) {
  const { rules, till, shared } = props;
  const { live, closed, sending } = shared;
  const { actions } = till.panel;
  const now = useStanding(props.play, till, shared);
  const riding = live?.phase === 'runs' && rules.timesAt ? live.bets.filter((bet) => bet.paidMinor === null) : [];
  return (
    <div className={actsCss.acts} data-count={riding.length || actions.length}>
      {riding.length > 0
        ? riding.map((bet, at) => (
            <CashButton
              key={bet.betId}
              bet={bet}
              rules={rules}
              from={live!.phaseStartedAt - shared.skewMs}
              main={at === 0}
              off={closed}
              busy={sending.cashing.includes(bet.betId)}
              onPress={() => shared.onCashout(bet.betId)}
            />
          ))
        : actions.map((action, at) => (
            <ActButton
              // biome-ignore lint/suspicious/noArrayIndexKey: a button keeps its place, and the focus, when its word changes
              key={at}
              {...standingOf(action, at === 0, now)}
              main={at === 0}
              onPress={() => shared.onBet(action.wager)}
            />
          ))}
    </div>
  );
}

/** What the words of the buttons follow from. */
function useStanding(
  play: Play,
  till: Till,
  { live, lost, skewMs, sending }: Shared,
): Parameters<typeof standingOf>[2] {
  const endsIn = useSecondsUntil(live?.phaseEndsAt ?? 0, skewMs);
  const resting = live?.phase === 'rests' && endsIn > 0 ? `Next round in ${endsIn} s` : 'Bets are closed';
  return {
    play: lost ? { ...play, closed: 'Connecting again' } : live === null ? { ...play, closed: 'Connecting' } : play,
    stage: sending.bets > 0 ? 'sending' : 'idle',
    misses: sending.misses,
    waitS: 0,
    balanceMinor: till.balanceMinor,
    maxMinor: till.limits.maxMinor,
    wagerOff: live?.phase === 'bets' ? undefined : resting,
  };
}

/** Shows what the bet is worth at this moment; the provider pays what it is worth when the press arrives there. */
function CashButton(props: {
  bet: LiveBet;
  rules: AnyShared;
  from: number;
  main: boolean;
  off: boolean;
  busy: boolean;
  onPress: () => void;
}) {
  const { rules, bet, from } = props;
  const worth = () => payOf(bet.stakeMinor, rules.timesAt!(Math.max(0, Date.now() - from)));
  const [minor, setMinor] = useState(worth);
  useEffect(() => {
    const timer = setInterval(
      () => setMinor(payOf(bet.stakeMinor, rules.timesAt!(Math.max(0, Date.now() - from)))),
      WORTH_MS,
    );
    return () => clearInterval(timer);
  }, [bet.stakeMinor, from, rules]);
  return (
    <ActButton
      text={props.busy ? 'Cashing out' : 'Cash out'}
      detail={amount(minor)}
      off={props.off || props.busy}
      busy={props.busy}
      main={props.main}
      tone="cash"
      onPress={props.onPress}
    />
  );
}
