/** A game of rounds of the player's own: opens, moves, shows, pays. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RoundReply, RoundView } from '../wire.ts';
import { deliver, newKey, Refused } from './api.ts';
import { type Panel, PanelContext, type SoloBoard } from './board.ts';
import { ActButton, type Paid, RECENT, StakePanel, standingOf } from './panel.tsx';
import { type Note, type Play, resultWords, useSecondsUntil } from './play.ts';
import { presetsOf, within } from './stake.ts';
import { WinBadge } from './win.tsx';
import actsCss from './acts.module.css';
import css from './page.module.css';

/** A board that does not say that it has shown its result is believed to have, after this long (free spins take long). */
const SHOWN_AT_LATEST_MS = 60_000;

type Drawn = RoundView & { readonly fresh: boolean };
type Stage = 'idle' | 'sending' | 'showing';

export function SoloPlay({ play, Board }: { play: Play; Board: SoloBoard }) {
  const { api, rules, session, site, sound, say, refused, seen, onNext } = play;
  const [round, setRound] = useState<Drawn | null>(session.open ? { ...session.open, fresh: false } : null);
  const [stage, setStage] = useState<Stage>('idle');
  const [misses, setMisses] = useState(0);
  const [balanceMinor, setBalance] = useState(session.balanceMinor);
  const [pace, setPace] = useState({ readyAt: session.readyAt, skewMs: session.now - Date.now() });
  const [last, setLast] = useState<Paid | null>(null);
  const [recent, setRecent] = useState<readonly Paid[]>([]);
  const [note, setNote] = useState<Note | null>(null);
  const [panel, setPanel] = useState<Panel>({ actions: [] });
  const waitS = useSecondsUntil(pace.readyAt, pace.skewMs);

  const limits = { minMinor: rules.minStakeMinor, maxMinor: Math.min(rules.maxStakeMinor, session.maxStakeMinor) };
  const [wish, setWish] = useState(() => presetsOf(limits)[1] ?? limits.minMinor);
  const stakeMinor = within(wish, limits);

  const open = round !== null && !round.over;
  const before = session.open?.roundId;
  // Presses come faster than drawings: what is going on is asked of these, not of the state drawn last.
  const working = useRef(false);
  const shown = useRef<Drawn | null>(null);
  /** An answer was lost: a provider that started anew may tell a balance of before. */
  const unsure = useRef(false);
  const saying = useRef<string | undefined>(undefined);
  saying.current = panel.says;

  const renew = useCallback(async () => {
    try {
      const now = await api.session();
      setBalance(now.balanceMinor);
      setPace({ readyAt: now.readyAt, skewMs: now.now - Date.now() });
      setRound((held) => (now.open ? { ...now.open, fresh: false } : held?.over ? held : null));
      onNext({ ...now.next, clientSeed: now.clientSeed });
    } catch (error) {
      if (error instanceof Refused) setNote(refused(error.error));
    }
  }, [api, onNext, refused]);

  // The balance moves by other games and bets too: read again when the page comes back in sight.
  useEffect(() => {
    const back = () => {
      if (!document.hidden && !working.current) void renew();
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [renew]);

  const onShown = useCallback(() => {
    const done = shown.current;
    if (!done) return;
    shown.current = null;
    working.current = false;
    setRound({ ...done, fresh: false });
    setStage('idle');
    if (!done.over) {
      if (saying.current) say(saying.current);
      return;
    }
    const paid = { stakeMinor: done.stakeMinor, paidMinor: done.paidMinor };
    setLast(paid);
    setRecent((held) => [paid, ...held].slice(0, RECENT));
    setBalance((balance) => balance + done.paidMinor);
    say([saying.current, resultWords(paid.stakeMinor, paid.paidMinor)].filter(Boolean).join(' '));
    if (paid.paidMinor > paid.stakeMinor) sound.play('win');
    site.send({ type: 'balanceChanged' });
    site.send({ type: 'roundEnd', roundId: done.roundId });
    // A round that another session began may be paid to the account without this one hearing the new balance.
    if (done.roundId === before || unsure.current) void renew();
    unsure.current = false;
  }, [before, renew, say, site, sound]);

  const act = useCallback(
    async (call: (key: string) => Promise<RoundReply>, starts: boolean) => {
      if (working.current) return;
      working.current = true;
      const key = newKey();
      const commit = seen.now();
      setStage('sending');
      setMisses(0);
      setNote(null);
      if (starts) setLast(null);
      try {
        // After a lost answer nobody knows whether the stake was given back and the seed changed before it was asked again.
        let lost = false;
        const reply = await deliver(
          () => call(key),
          (count) => {
            lost = true;
            unsure.current = true;
            setMisses(count);
          },
        );
        const fresh = { ...reply.round, fresh: true };
        shown.current = fresh;
        // What was paid is not told by the balance before the board has shown it.
        setBalance(reply.balanceMinor - (fresh.over ? fresh.paidMinor : 0));
        setPace({ readyAt: reply.readyAt, skewMs: reply.now - Date.now() });
        onNext(reply.next);
        setStage('showing');
        setRound(fresh);
        if (starts) {
          if (commit !== null && !lost) seen.keep(fresh.roundId, commit);
          site.send({ type: 'roundStart', roundId: fresh.roundId });
        }
        site.send({ type: 'balanceChanged' });
      } catch (error) {
        working.current = false;
        setStage('idle');
        if (!(error instanceof Refused)) throw error;
        const { readyAt, code } = error.error;
        if (readyAt !== undefined) setPace((held) => ({ ...held, readyAt }));
        // Too fast is said by the button itself.
        const said = refused(error.error);
        setNote(code === 'TOO_FAST' ? null : said);
        if (code === 'WALLET_DOWN') seen.forget();
        if (code === 'ROUND_OVER' || code === 'WALLET_DOWN') void renew();
      }
    },
    [onNext, refused, renew, seen, site],
  );

  useEffect(() => {
    if (stage !== 'showing') return;
    const timer = setTimeout(onShown, SHOWN_AT_LATEST_MS);
    return () => clearTimeout(timer);
  }, [stage, onShown]);

  const closed = play.closed !== null;
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
  const effect = useMemo(() => (name: Parameters<typeof sound.play>[0]) => sound.play(name), [sound]);

  const now = {
    play,
    stage,
    misses,
    waitS,
    balanceMinor,
    maxMinor: limits.maxMinor,
    wagerOff: open ? 'A round is open' : undefined,
    moveOff: open ? undefined : 'No round is open',
  };
  return (
    <PanelContext value={setPanel}>
      <div className={css.stage}>
        <div className={css.board} data-stage={stage}>
          <Board
            round={round as never}
            stakeMinor={stakeMinor}
            currency={session.currency}
            busy={closed || stage !== 'idle'}
            motion={play.motion}
            onOpen={onOpen}
            onMove={onMove}
            onShown={onShown}
            sound={effect}
          />
        </div>
        <WinBadge key={round?.roundId} paid={last} motion={play.motion} />
      </div>
      <StakePanel
        play={play}
        panel={panel}
        stakeMinor={stakeMinor}
        onStake={setWish}
        limits={limits}
        locked={open || stage !== 'idle'}
        balanceMinor={balanceMinor}
        last={last}
        recent={recent}
        note={note}
      >
        <div className={actsCss.acts} data-count={panel.actions.length}>
          {panel.actions.map((action, at) => (
            <ActButton
              // biome-ignore lint/suspicious/noArrayIndexKey: a button keeps its place, and the focus, when its word changes
              key={at}
              {...standingOf(action, at === 0, now)}
              main={at === 0}
              {...(action.worthMinor !== undefined && { tone: 'cash' as const })}
              onPress={() => (action.move !== undefined ? onMove(action.move) : onOpen(action.wager))}
            />
          ))}
        </div>
        {misses > 3 && stage === 'sending' && (
          <button type="button" className={css.textButton} onClick={() => location.reload()}>
            Load the game again
          </button>
        )}
      </StakePanel>
    </PanelContext>
  );
}
