/** A shared round as this page sees it: what the provider tells of it, the player's own bets on it, and cashing them out. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { BetReply, LiveBet, LiveView } from '../wire.ts';
import { deliver, newKey, Refused } from './api.ts';
import { amount, times } from './board.ts';
import { type Play, resultWords } from './play.ts';
import type { Keep, Paid } from './till.ts';

/** The shared round, kept up to date; `lost` while there is no connection to the provider. */
export function useSharedRound(play: Play, keep: Keep) {
  const reread = useReread(play, keep);
  const { live, setLive, lost, skewMs } = useLive(play, keep, reread);
  useTold(play, keep, live, reread);
  const closed = play.closed !== null || lost || live === null;
  const acts = useActs(play, keep, setLive);
  const { sending } = acts;
  const onBet = useBet(play, acts, live, closed);
  const onCashout = useCashout(play, acts, closed);
  return { live, lost, skewMs, closed, sending, onBet, onCashout };
}

function useReread({ api }: Play, keep: Keep): () => void {
  return useCallback(
    () =>
      void api.session().then(
        (now) => keep.balance(now.balanceMinor),
        () => undefined,
      ),
    [api, keep],
  );
}

function useLive({ api, session, refused, onNext }: Play, keep: Keep, reread: () => void) {
  const [live, setLive] = useState<LiveView | null>(null);
  const [lost, setLost] = useState(false);
  const [skewMs, setSkew] = useState(session.now - Date.now());
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
      refused: (error) => keep.note(refused(error)),
    });
  }, [api, keep, onNext, refused, reread]);
  return { live, setLive, lost, skewMs };
}

/** What a round paid is told once, when it has been shown. */
function useTold({ site, sound, say }: Play, keep: Keep, live: LiveView | null, reread: () => void): void {
  const phase = live?.phase;
  const roundId = live?.roundId;
  const bets = live?.bets;
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (phase === undefined || roundId === undefined || !bets) return;
    if (phase === 'bets' && told.current !== roundId) keep.last((held) => (told.current === null ? held : null));
    if (phase !== 'rests' || told.current === roundId) return;
    told.current = roundId;
    const paid = sumOf(bets);
    const words = [keep.says()];
    if (paid) {
      keep.paid(paid);
      words.push(resultWords(paid.stakeMinor, paid.paidMinor));
      if (paid.paidMinor > paid.stakeMinor) sound.play('win');
      site.send({ type: 'balanceChanged' });
      site.send({ type: 'roundEnd', roundId });
      reread();
    }
    const text = words.filter(Boolean).join(' ');
    if (text) say(text);
  }, [phase, roundId, bets, keep, reread, say, site, sound]);
}

type Acts = ReturnType<typeof useActs>;

/** What a bet and a cash out have in common: how many are on their way, and what an answer or a refusal changes. */
function useActs({ refused }: Play, keep: Keep, setLive: (next: (held: LiveView | null) => LiveView | null) => void) {
  const [sending, setSending] = useState({ bets: 0, cashing: [] as readonly string[], misses: 0 });
  const send = useMemo(() => {
    const misses = (count: number) => setSending((held) => ({ ...held, misses: count }));
    return {
      bets(more: 1 | -1) {
        setSending((held) => ({ ...held, bets: held.bets + more }));
      },
      cashing(betIds: readonly string[]) {
        setSending((held) => ({ ...held, cashing: betIds }));
      },
      /** Sends until there is an answer, and counts what was lost. */
      deliver(call: () => Promise<BetReply>) {
        keep.note(null);
        misses(0);
        return deliver(call, misses);
      },
      answered(answer: BetReply) {
        keep.balance(answer.balanceMinor);
        setLive((held) => held && { ...held, bets: withBet(held.bets, answer.bet) });
      },
    };
  }, [keep, setLive]);
  const failed = useCallback(
    (error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      keep.note(refused(error.error));
    },
    [keep, refused],
  );
  return { sending, send, failed };
}

function useBet({ api, site, sound, say, seen }: Play, { send, failed }: Acts, live: LiveView | null, closed: boolean) {
  const { phase, roundId, commit } = live ?? {};
  const taking = !closed && phase === 'bets';
  const started = useRef<string | null>(null);
  return useCallback(
    (wager: unknown) => {
      if (!taking || roundId === undefined) return;
      const key = newKey();
      send.bets(1);
      sound.play('place');
      send
        .deliver(() => api.bet(key, roundId, wager))
        .then((answer) => {
          send.answered(answer);
          if (commit !== undefined) seen.keep(answer.bet.betId, commit);
          say(`Bet of ${amount(answer.bet.stakeMinor)} is placed.`);
          if (started.current !== roundId) site.send({ type: 'roundStart', roundId });
          started.current = roundId;
          site.send({ type: 'balanceChanged' });
        })
        .catch(failed)
        .finally(() => send.bets(-1));
    },
    [api, commit, failed, roundId, say, seen, send, site, sound, taking],
  );
}

function useCashout({ api, site, sound, say }: Play, { send, failed }: Acts, closed: boolean) {
  const cashing = useRef(new Set<string>());
  return useCallback(
    (betId: string) => {
      if (closed || cashing.current.has(betId)) return;
      cashing.current.add(betId);
      const key = newKey();
      send.cashing([...cashing.current]);
      send
        .deliver(() => api.cashout(key, betId))
        .then((answer) => {
          send.answered(answer);
          const { cashedTimes, paidMinor, stakeMinor: staked } = answer.bet;
          if (cashedTimes !== null) say(`Cashed out at ${times(cashedTimes)}: ${amount(paidMinor ?? 0)}.`);
          if ((paidMinor ?? 0) > staked) sound.play('cash');
          site.send({ type: 'balanceChanged' });
        })
        .catch(failed)
        .finally(() => {
          cashing.current.delete(betId);
          send.cashing([...cashing.current]);
        });
    },
    [api, closed, failed, say, send, site, sound],
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
