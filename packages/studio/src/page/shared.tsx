/** A game of rounds that all players share: bets while they are taken, cashing out while it runs, and what it paid. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AnyShared } from '../game.ts';
import { payOf } from '../game.ts';
import type { BetReply, LiveBet, LiveView } from '../wire.ts';
import { deliver, newKey, Refused } from './api.ts';
import { amount, type Panel, PanelContext, type SharedBoard, times } from './board.ts';
import { OwnBets } from './own-bets.tsx';
import { ActButton, type Paid, RECENT, StakePanel, standingOf } from './panel.tsx';
import { type Note, type Play, resultWords, useSecondsUntil } from './play.ts';
import { presetsOf, within } from './stake.ts';
import { WinBadge } from './win.tsx';
import actsCss from './acts.module.css';
import css from './page.module.css';

const WORTH_MS = 80;

export function SharedPlay({ play, rules, Board }: { play: Play; rules: AnyShared; Board: SharedBoard }) {
  const { api, session, site, sound, say, refused, seen, onNext } = play;
  const [live, setLive] = useState<LiveView | null>(null);
  const [lost, setLost] = useState(false);
  const [skewMs, setSkew] = useState(session.now - Date.now());
  const [balanceMinor, setBalance] = useState(session.balanceMinor);
  const [sending, setSending] = useState({ bets: 0, cashing: [] as readonly string[], misses: 0 });
  const [last, setLast] = useState<Paid | null>(null);
  const [recent, setRecent] = useState<readonly Paid[]>([]);
  const [note, setNote] = useState<Note | null>(null);
  const [panel, setPanel] = useState<Panel>({ actions: [] });
  const saying = useRef<string | undefined>(undefined);
  saying.current = panel.says;

  const limits = { minMinor: rules.minStakeMinor, maxMinor: Math.min(rules.maxStakeMinor, session.maxStakeMinor) };
  const [wish, setWish] = useState(() => presetsOf(limits)[1] ?? limits.minMinor);
  const stakeMinor = within(wish, limits);

  const reread = useCallback(
    () =>
      void api.session().then(
        (now) => setBalance(now.balanceMinor),
        () => undefined,
      ),
    [api],
  );

  useEffect(() => {
    const skews: number[] = [];
    let away = false;
    return api.live({
      view(next) {
        // Every message arrives late: the least late of the last ones is nearest to the provider's clock.
        skews.push(next.now - Date.now());
        if (skews.length > 12) skews.shift();
        setSkew(Math.max(...skews));
        setLost(false);
        setLive(next);
        // Meanwhile stakes may have been given back, or rounds paid.
        if (away) reread();
        away = false;
        onNext({
          commit: next.nextCommit,
          nonce: next.nonce + 1,
          table: { commit: next.commit, nonce: next.nonce, seed: next.clientSeed },
        });
      },
      lost() {
        away = true;
        setLost(true);
      },
      refused: (error) => setNote(refused(error)),
    });
  }, [api, onNext, refused, reread]);

  // What a round paid is told once, when it has been shown.
  const phase = live?.phase;
  const roundId = live?.roundId;
  const told = useRef<string | null>(null);
  const bets = live?.bets;
  useEffect(() => {
    if (phase === undefined || roundId === undefined || !bets) return;
    if (phase === 'bets' && told.current !== roundId) setLast((held) => (told.current === null ? held : null));
    if (phase !== 'rests' || told.current === roundId) return;
    told.current = roundId;
    const paid = sumOf(bets);
    const words = [saying.current];
    if (paid) {
      setLast(paid);
      setRecent((held) => [paid, ...held].slice(0, RECENT));
      words.push(resultWords(paid.stakeMinor, paid.paidMinor));
      if (paid.paidMinor > paid.stakeMinor) sound.play('win');
      site.send({ type: 'balanceChanged' });
      site.send({ type: 'roundEnd', roundId });
      reread();
    }
    const text = words.filter(Boolean).join(' ');
    if (text) say(text);
  }, [phase, roundId, bets, reread, say, site, sound]);

  const reply = useCallback((answer: BetReply) => {
    setBalance(answer.balanceMinor);
    setLive((held) => held && { ...held, bets: withBet(held.bets, answer.bet) });
  }, []);

  const failed = useCallback(
    (error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      setNote(refused(error.error));
    },
    [refused],
  );

  const closed = play.closed !== null || lost || live === null;
  const taking = !closed && live?.phase === 'bets' && roundId !== undefined;
  const commit = live?.commit;
  const started = useRef<string | null>(null);
  const onBet = useCallback(
    (wager: unknown) => {
      if (!taking || roundId === undefined) return;
      const key = newKey();
      setNote(null);
      setSending((held) => ({ ...held, bets: held.bets + 1, misses: 0 }));
      sound.play('place');
      deliver(
        () => api.bet(key, roundId, wager),
        (misses) => setSending((held) => ({ ...held, misses })),
      )
        .then((answer) => {
          reply(answer);
          if (commit !== undefined) seen.keep(answer.bet.betId, commit);
          say(`Bet of ${amount(answer.bet.stakeMinor)} is placed.`);
          if (started.current !== roundId) site.send({ type: 'roundStart', roundId });
          started.current = roundId;
          site.send({ type: 'balanceChanged' });
        })
        .catch(failed)
        .finally(() => setSending((held) => ({ ...held, bets: held.bets - 1 })));
    },
    [api, commit, failed, reply, roundId, say, seen, site, sound, taking],
  );

  const cashing = useRef(new Set<string>());
  const onCashout = useCallback(
    (betId: string) => {
      if (closed || cashing.current.has(betId)) return;
      cashing.current.add(betId);
      const key = newKey();
      setNote(null);
      setSending((held) => ({ ...held, cashing: [...cashing.current], misses: 0 }));
      deliver(
        () => api.cashout(key, betId),
        (misses) => setSending((held) => ({ ...held, misses })),
      )
        .then((answer) => {
          reply(answer);
          const { cashedTimes, paidMinor, stakeMinor: staked } = answer.bet;
          if (cashedTimes !== null) say(`Cashed out at ${times(cashedTimes)}: ${amount(paidMinor ?? 0)}.`);
          if ((paidMinor ?? 0) > staked) sound.play('cash');
          site.send({ type: 'balanceChanged' });
        })
        .catch(failed)
        .finally(() => {
          cashing.current.delete(betId);
          setSending((held) => ({ ...held, cashing: [...cashing.current] }));
        });
    },
    [api, closed, failed, reply, say, site, sound],
  );

  const effect = useMemo(() => (name: Parameters<typeof sound.play>[0]) => sound.play(name), [sound]);
  const endsIn = useSecondsUntil(live?.phaseEndsAt ?? 0, skewMs);
  const riding = live?.phase === 'runs' && rules.timesAt ? live.bets.filter((bet) => bet.paidMinor === null) : [];

  const now = {
    play: lost ? { ...play, closed: 'Connecting again' } : live === null ? { ...play, closed: 'Connecting' } : play,
    stage: sending.bets > 0 ? ('sending' as const) : ('idle' as const),
    misses: sending.misses,
    waitS: 0,
    balanceMinor,
    maxMinor: limits.maxMinor,
    wagerOff:
      live?.phase === 'bets'
        ? undefined
        : live?.phase === 'rests' && endsIn > 0
          ? `Next round in ${endsIn} s`
          : 'Bets are closed',
  };
  return (
    <PanelContext value={setPanel}>
      <div className={css.stage}>
        <div className={css.board} data-stage={live?.phase}>
          {live ? (
            <Board
              live={live as never}
              skewMs={skewMs}
              stakeMinor={stakeMinor}
              currency={session.currency}
              busy={closed}
              motion={play.motion}
              onBet={onBet}
              onCashout={onCashout}
              sound={effect}
            />
          ) : (
            <div className={css.boardSkeleton} />
          )}
        </div>
        {live?.phase === 'rests' && <WinBadge key={live.roundId} paid={last} motion={play.motion} />}
      </div>
      <StakePanel
        play={play}
        panel={panel}
        stakeMinor={stakeMinor}
        onStake={setWish}
        limits={limits}
        locked={false}
        balanceMinor={balanceMinor}
        last={last}
        recent={recent}
        note={lost ? { tone: 'warn', text: 'The connection is lost. Bets that were placed stay placed.' } : note}
        own={
          live && live.phase !== 'rests' && live.bets.length > 0 ? (
            <OwnBets bets={live.bets} phase={live.phase} />
          ) : null
        }
      >
        <div className={actsCss.acts} data-count={riding.length || panel.actions.length}>
          {riding.length > 0
            ? riding.map((bet, at) => (
                <CashButton
                  key={bet.betId}
                  bet={bet}
                  rules={rules}
                  from={live!.phaseStartedAt - skewMs}
                  main={at === 0}
                  off={closed}
                  busy={sending.cashing.includes(bet.betId)}
                  onPress={() => onCashout(bet.betId)}
                />
              ))
            : panel.actions.map((action, at) => (
                <ActButton
                  // biome-ignore lint/suspicious/noArrayIndexKey: a button keeps its place, and the focus, when its word changes
                  key={at}
                  {...standingOf(action, at === 0, now)}
                  main={at === 0}
                  onPress={() => onBet(action.wager)}
                />
              ))}
        </div>
      </StakePanel>
    </PanelContext>
  );
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

function withBet(bets: readonly LiveBet[], bet: LiveBet): readonly LiveBet[] {
  return bets.some((held) => held.betId === bet.betId)
    ? bets.map((held) => (held.betId === bet.betId ? bet : held))
    : [...bets, bet];
}

function sumOf(bets: readonly LiveBet[]): Paid | null {
  if (bets.length === 0) return null;
  return {
    stakeMinor: bets.reduce((sum, bet) => sum + bet.stakeMinor, 0),
    paidMinor: bets.reduce((sum, bet) => sum + (bet.paidMinor ?? 0), 0),
  };
}
