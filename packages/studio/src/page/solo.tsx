/** A game of rounds of the player's own: board, buttons and panel; what becomes of a round is solo-round.ts. */
import { useCallback, useMemo } from 'react';
import { type Action, PanelContext, type SoloBoard } from './board.ts';
import { ActButton, StakePanel, standingOf } from './panel.tsx';
import type { Play } from './play.ts';
import { useSoloRound } from './solo-round.ts';
import { type Till, useTill } from './till.ts';
import { WinBadge } from './win.tsx';
import actsCss from './acts.module.css';
import css from './page.module.css';

export function SoloPlay({ play, Board }: { play: Play; Board: SoloBoard }) {
  const { session, sound } = play;
  const till = useTill(play, play.rules);
  const solo = useSoloRound(play, till.keep);
  const { round, stage, onShown } = solo;
  const closed = play.closed !== null;
  const { onOpen, onMove } = usePresses(play, solo, closed);
  const effect = useMemo(() => (name: Parameters<typeof sound.play>[0]) => sound.play(name), [sound]);
  return (
    <PanelContext value={till.setPanel}>
      <div className={css.stage}>
        <div className={css.board} data-stage={stage}>
          <Board
            round={round as never}
            stakeMinor={till.stakeMinor}
            currency={session.currency}
            busy={closed || stage !== 'idle'}
            motion={play.motion}
            onOpen={onOpen}
            onMove={onMove}
            onShown={onShown}
            sound={effect}
          />
        </div>
        <WinBadge key={round?.roundId} paid={till.last} motion={play.motion} />
      </div>
      <StakePanel play={play} till={till} note={till.note} locked={solo.open || stage !== 'idle'}>
        <Acts
          play={play}
          till={till}
          solo={solo}
          onPress={(action) => (action.move !== undefined ? onMove(action.move) : onOpen(action.wager))}
        />
        {solo.misses > 3 && stage === 'sending' && (
          <button type="button" className={css.textButton} onClick={() => location.reload()}>
            Load the game again
          </button>
        )}
      </StakePanel>
    </PanelContext>
  );
}

type Solo = ReturnType<typeof useSoloRound>;

/** A press that opens a round, and one that moves in it; neither does anything where the other is due. */
function usePresses({ api }: Play, { round, open, waitS, act }: Solo, closed: boolean) {
  const roundId = round?.roundId;
  const onOpen = useCallback(
    (wager: unknown) => {
      if (!closed && !open && waitS === 0) void act((key) => api.open(key, wager), true);
    },
    [act, api, closed, open, waitS],
  );
  const onMove = useCallback(
    (move: unknown) => {
      if (!closed && open && roundId !== undefined) void act((key) => api.move(key, roundId, move), false);
    },
    [act, api, closed, open, roundId],
  );
  return { onOpen, onMove };
}

function Acts({
  play,
  till,
  solo,
  onPress,
}: {
  play: Play;
  till: Till;
  solo: Solo;
  onPress: (action: Action) => void;
}) {
  const now = {
    play,
    stage: solo.stage,
    misses: solo.misses,
    waitS: solo.waitS,
    balanceMinor: till.balanceMinor,
    maxMinor: till.limits.maxMinor,
    wagerOff: solo.open ? 'A round is open' : undefined,
    moveOff: solo.open ? undefined : 'No round is open',
  };
  return (
    <div className={actsCss.acts} data-count={till.panel.actions.length}>
      {till.panel.actions.map((action, at) => (
        <ActButton
          // biome-ignore lint/suspicious/noArrayIndexKey: a button keeps its place, and the focus, when its word changes
          key={at}
          {...standingOf(action, at === 0, now)}
          main={at === 0}
          {...(action.worthMinor !== undefined && { tone: 'cash' as const })}
          onPress={() => onPress(action)}
        />
      ))}
    </div>
  );
}
