/** A round of the player's own, from the press to what it paid. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RoundReply, RoundView } from '../wire.ts';
import { deliver, newKey, Refused } from './api.ts';
import { type Play, resultWords, useSecondsUntil } from './play.ts';
import type { Keep } from './till.ts';

/** A board that does not say that it has shown its result is believed to have, after this long (free spins take long). */
const SHOWN_AT_LATEST_MS = 60_000;

type Drawn = RoundView & { readonly fresh: boolean };
type Stage = 'idle' | 'sending' | 'showing';

/** Presses come faster than drawings: what is going on is asked of this, not of the state drawn last. */
interface Now {
  working: boolean;
  shown: Drawn | null;
  /** An answer was lost: a provider that started anew may tell a balance of before. */
  unsure: boolean;
}

export function useSoloRound(play: Play, keep: Keep) {
  const { session } = play;
  const [round, setRound] = useState<Drawn | null>(session.open ? { ...session.open, fresh: false } : null);
  const [stage, setStage] = useState<Stage>('idle');
  const [misses, setMisses] = useState(0);
  const [pace, setPace] = useState({ readyAt: session.readyAt, skewMs: session.now - Date.now() });
  const set = useMemo(() => ({ round: setRound, stage: setStage, misses: setMisses, pace: setPace }), []);
  const now = useRef<Now>({ working: false, shown: null, unsure: false });
  const waitS = useSecondsUntil(pace.readyAt, pace.skewMs);
  const renew = useRenew(play, keep, now, set);
  const act = useAct(play, keep, now, set, renew);
  const onShown = useShown(play, keep, now, set, renew);
  useEffect(() => {
    if (stage !== 'showing') return;
    const timer = setTimeout(onShown, SHOWN_AT_LATEST_MS);
    return () => clearTimeout(timer);
  }, [stage, onShown]);
  return { round, stage, misses, waitS, act, onShown, open: round !== null && !round.over };
}

type Change<T> = (next: T | ((held: T) => T)) => void;

interface Setters {
  readonly round: Change<Drawn | null>;
  readonly stage: Change<Stage>;
  readonly misses: Change<number>;
  readonly pace: Change<{ readyAt: number; skewMs: number }>;
}

/** Reads the session again: now, and whenever the page comes back in sight, since the balance moves by other games and bets too. */
function useRenew(play: Play, keep: Keep, now: RefObject<Now>, set: Setters) {
  const { api, refused, onNext } = play;
  const renew = useCallback(async () => {
    try {
      const session = await api.session();
      keep.balance(session.balanceMinor);
      set.pace({ readyAt: session.readyAt, skewMs: session.now - Date.now() });
      set.round((held) => (session.open ? { ...session.open, fresh: false } : held?.over ? held : null));
      onNext({ ...session.next, clientSeed: session.clientSeed });
    } catch (error) {
      if (error instanceof Refused) keep.note(refused(error.error));
    }
  }, [api, keep, onNext, refused, set]);
  useEffect(() => {
    const back = () => {
      if (!document.hidden && !now.current.working) void renew();
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [now, renew]);
  return renew;
}

/** Sends an opening or a move, however often it takes, and begins to show its answer. */
function useAct(play: Play, keep: Keep, now: RefObject<Now>, set: Setters, renew: () => Promise<void>) {
  const { site, refused, seen, onNext } = play;
  const answered = useCallback(
    (reply: RoundReply, started: { commit: string | null } | null) => {
      const fresh = { ...reply.round, fresh: true };
      now.current.shown = fresh;
      // What was paid is not told by the balance before the board has shown it.
      keep.balance(reply.balanceMinor - (fresh.over ? fresh.paidMinor : 0));
      set.pace({ readyAt: reply.readyAt, skewMs: reply.now - Date.now() });
      onNext(reply.next);
      set.stage('showing');
      set.round(fresh);
      if (started) {
        if (started.commit !== null) seen.keep(fresh.roundId, started.commit);
        site.send({ type: 'roundStart', roundId: fresh.roundId });
      }
      site.send({ type: 'balanceChanged' });
    },
    [keep, now, onNext, seen, set, site],
  );
  const failed = useCallback(
    (error: unknown) => {
      now.current.working = false;
      set.stage('idle');
      if (!(error instanceof Refused)) throw error;
      const { readyAt, code } = error.error;
      if (readyAt !== undefined) set.pace((held) => ({ ...held, readyAt }));
      // Too fast is said by the button itself.
      const said = refused(error.error);
      keep.note(code === 'TOO_FAST' ? null : said);
      if (code === 'WALLET_DOWN') seen.forget();
      if (code === 'ROUND_OVER' || code === 'WALLET_DOWN') void renew();
    },
    [keep, now, refused, renew, seen, set],
  );
  return useCallback(
    async (call: (key: string) => Promise<RoundReply>, starts: boolean) => {
      if (now.current.working) return;
      now.current.working = true;
      const key = newKey();
      const commit = seen.now();
      set.stage('sending');
      set.misses(0);
      keep.note(null);
      if (starts) keep.last(null);
      try {
        // After a lost answer nobody knows whether the stake was given back and the seed changed before it was asked again.
        let lost = false;
        const reply = await deliver(
          () => call(key),
          (count) => {
            lost = true;
            now.current.unsure = true;
            set.misses(count);
          },
        );
        answered(reply, starts ? { commit: lost ? null : commit } : null);
      } catch (error) {
        failed(error);
      }
    },
    [answered, failed, keep, now, seen, set],
  );
}

/** The board has shown the answer: now what was paid is said, and the next act may follow. */
function useShown(play: Play, keep: Keep, now: RefObject<Now>, set: Setters, renew: () => Promise<void>) {
  const { session, site, sound, say } = play;
  const before = session.open?.roundId;
  return useCallback(() => {
    const done = now.current.shown;
    if (!done) return;
    now.current.shown = null;
    now.current.working = false;
    set.round({ ...done, fresh: false });
    set.stage('idle');
    const says = keep.says();
    if (!done.over) {
      if (says) say(says);
      return;
    }
    const { stakeMinor, paidMinor, roundId } = done;
    keep.paid({ stakeMinor, paidMinor });
    keep.balance((balance) => balance + paidMinor);
    say([says, resultWords(stakeMinor, paidMinor)].filter(Boolean).join(' '));
    if (paidMinor > stakeMinor) sound.play('win');
    site.send({ type: 'balanceChanged' });
    site.send({ type: 'roundEnd', roundId });
    // A round that another session began may be paid to the account without this one hearing the new balance.
    if (roundId === before || now.current.unsure) void renew();
    now.current.unsure = false;
  }, [before, keep, now, renew, say, set, site, sound]);
}
