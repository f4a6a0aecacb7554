/**
 * A provider in the browser, for looking at boards without a host (`vite` only; the built page has no such thing).
 * `?fake=CODE` and, as wished: `look=a|b`, `theme=light`, `lag=MS`, `lose=1` (the first answer of every act is lost),
 * Over 300 lines: one closure is the whole provider, and no part of the product.
 * `refuse=CODE` with `at=session|open|bet`, `balance=MINOR`, `seed=TEXT` for the same rounds every time.
 */
import { commitOf, createStream, sharedSeed } from '@fairgame/casino';
import type { AnyGame, AnyShared, AnySolo, Step } from '../game.ts';
import { RuleError } from '../game.ts';
import type { LiveBet, LiveView, PageError, RoundProof, RoundReply, RoundView, SessionView } from '../wire.ts';
import { type Api, NoAnswer, Refused } from './api.ts';

interface Wishes {
  readonly look: 'a' | 'b';
  readonly theme: 'dark' | 'light';
  readonly lagMs: number;
  readonly lose: boolean;
  readonly refuse: string | null;
  readonly at: string;
  readonly balanceMinor: number;
  readonly seed: string | null;
}

export function wishesOf(query: URLSearchParams): Wishes {
  return {
    look: query.get('look') === 'b' ? 'b' : 'a',
    theme: query.get('theme') === 'light' ? 'light' : 'dark',
    lagMs: Number(query.get('lag') ?? 120),
    lose: query.get('lose') === '1',
    refuse: query.get('refuse'),
    at: query.get('at') ?? 'open',
    balanceMinor: Number(query.get('balance') ?? 500_000),
    seed: query.get('seed'),
  };
}

export function fakeApi(rules: AnyGame, wishes: Wishes): Api {
  let balanceMinor = wishes.balanceMinor;
  let clientSeed = 'seed-of-the-player';
  let nonce = 0;
  let readyAt = 0;
  let serverSeed = newSeed(0);
  let open: {
    round: RoundView;
    step: Step<unknown>;
    proof: Omit<RoundProof, 'moves' | 'stakeMinor' | 'paidMinor'>;
  } | null = null;
  const proofs: { proof: RoundProof; at: number }[] = [];
  const answers = new Map<string, unknown>();
  const table = rules.kind === 'shared' ? fakeTable(rules) : null;

  function newSeed(of: number): string {
    if (wishes.seed !== null) return commitOf(`${wishes.seed}:${of}`);
    return Array.from(crypto.getRandomValues(new Uint8Array(32)), (b) => b.toString(16).padStart(2, '0')).join('');
  }
  const next = () => ({ commit: commitOf(serverSeed), nonce });
  const refuse = (code: PageError['code'], text: string, more: object = {}): never => {
    throw new Refused({ code, text, ...more });
  };
  const take = (minor: number) => {
    if (minor > balanceMinor) refuse('NO_FUNDS', 'Your balance does not cover this stake.');
    balanceMinor -= minor;
  };

  /** One effect a key, and the lost answers that were wished for. */
  async function act<T>(name: string, key: string | null, effect: () => T): Promise<T> {
    await new Promise((resolve) => setTimeout(resolve, wishes.lagMs));
    if (wishes.refuse && wishes.at === name)
      refuse(wishes.refuse as PageError['code'], `Refused as wished: ${wishes.refuse}.`);
    if (key !== null && answers.has(key)) return answers.get(key) as T;
    try {
      const answer = effect();
      if (key === null) return answer;
      answers.set(key, answer);
      if (wishes.lose) throw new NoAnswer();
      return answer;
    } catch (error) {
      if (error instanceof RuleError) refuse('BAD_INPUT', error.message, { field: error.field });
      throw error;
    }
  }

  function put(
    game: AnySolo,
    step: Step<unknown>,
    roundId: string,
    wager: unknown,
    moves: readonly unknown[],
    stake: number,
  ) {
    const round: RoundView = {
      roundId,
      wager,
      view: game.view(step.state),
      over: step.over,
      stakeMinor: stake,
      paidMinor: step.over ? step.paidMinor : 0,
      moves,
    };
    if (open) open = { ...open, round, step };
    if (!step.over) return reply(round);
    balanceMinor += step.paidMinor;
    if (open)
      proofs.unshift({
        proof: { ...open.proof, moves, stakeMinor: stake, paidMinor: step.paidMinor },
        at: Date.now(),
      });
    open = null;
    return reply(round);
  }
  const reply = (round: RoundView): RoundReply => ({ round, balanceMinor, readyAt, now: Date.now(), next: next() });

  function fakeTable(game: AnyShared) {
    let live: LiveView;
    let result: unknown;
    let elapsedFrom = 0;
    let number = 0;
    const last: unknown[] = [];
    const hearers = new Set<(view: LiveView) => void>();
    const tell = () => {
      live = { ...live, now: Date.now() };
      for (const hear of hearers) hear(live);
    };
    const phase = (name: LiveView['phase'], ms: number, view: unknown, endsKnown = true) => {
      const now = Date.now();
      live = {
        ...live,
        phase: name,
        phaseStartedAt: now,
        phaseEndsAt: endsKnown ? now + ms : null,
        view,
        last: [...last],
      };
      tell();
      return new Promise((resolve) => setTimeout(resolve, ms));
    };
    const pay = (bet: LiveBet): LiveBet => {
      if (bet.paidMinor !== null) return bet;
      const paidMinor = game.settle(game.wager(bet.wager), result, bet.cashedTimes);
      balanceMinor += paidMinor;
      return { ...bet, paidMinor };
    };
    const autos = () => {
      if (live.phase !== 'runs' || !game.timesAt) return;
      const at = game.timesAt(Date.now() - elapsedFrom);
      let changed = false;
      const bets = live.bets.map((bet) => {
        const wish = game.autoTimes?.(game.wager(bet.wager)) ?? null;
        if (bet.cashedTimes !== null || wish === null || at < wish) return bet;
        changed = true;
        return pay({ ...bet, cashedTimes: wish });
      });
      if (!changed) return;
      live = { ...live, bets };
      tell();
    };
    void (async () => {
      for (;;) {
        number += 1;
        serverSeed = newSeed(number);
        live = {
          roundId: `round-${number}`,
          phase: 'bets',
          now: 0,
          phaseStartedAt: 0,
          phaseEndsAt: 0,
          commit: commitOf(serverSeed),
          nextCommit: commitOf(`after ${serverSeed}`),
          nonce: number,
          clientSeed: 'public-seed',
          view: null,
          last: [...last],
          bets: [],
          players: 3 + (number % 9),
        };
        await phase('bets', game.betMs, null);
        const words = live.bets.length > 0 ? [clientSeed] : [];
        live = { ...live, clientSeed: sharedSeed('public-seed', words) };
        const stream = createStream({ serverSeed, clientSeed: live.clientSeed, nonce: number });
        result = game.draw(stream);
        elapsedFrom = Date.now();
        const ticking = setInterval(autos, 50);
        await phase('runs', game.runMs(result), game.view(result, false), !game.timesAt);
        clearInterval(ticking);
        const bets = live!.bets.map((bet) => {
          const wish = game.autoTimes?.(game.wager(bet.wager)) ?? null;
          return pay(bet.cashedTimes === null && wish !== null ? { ...bet, cashedTimes: wish } : bet);
        });
        live = { ...live!, bets };
        for (const bet of bets) {
          proofs.unshift({
            at: Date.now(),
            proof: {
              roundId: bet.betId,
              game: game.code,
              commit: live.commit,
              serverSeed,
              clientSeed: live.clientSeed,
              seedOf: { base: 'public-seed', words },
              nonce: number,
              wager: bet.wager,
              moves: [],
              stakeMinor: bet.stakeMinor,
              paidMinor: bet.paidMinor ?? 0,
              cashedTimes: bet.cashedTimes,
            },
          });
        }
        const whole = game.view(result, true);
        last.unshift(whole);
        last.splice(20);
        await phase('rests', game.restMs, whole);
      }
    })();
    return {
      follow(hear: (view: LiveView) => void) {
        hearers.add(hear);
        hear({ ...live, now: Date.now() });
        return () => hearers.delete(hear);
      },
      bet(roundId: string, input: unknown) {
        if (live.phase !== 'bets' || live.roundId !== roundId) refuse('BETS_CLOSED', 'Bets of this round are closed.');
        const wager = game.wager(input);
        const stakeMinor = game.stakeOf(wager);
        take(stakeMinor);
        const bet = {
          betId: `bet-${live.roundId}-${live.bets.length}`,
          wager,
          stakeMinor,
          cashedTimes: null,
          paidMinor: null,
        };
        live = { ...live, bets: [...live.bets, bet] };
        tell();
        return { bet, balanceMinor };
      },
      cashout(betId: string) {
        const at = game.timesAt?.(Date.now() - elapsedFrom) ?? null;
        const bet = live.bets.find((one) => one.betId === betId);
        if (!bet || live.phase !== 'runs' || at === null || bet.paidMinor !== null)
          return refuse('BETS_CLOSED', 'The round was over before.');
        const paid = pay({ ...bet, cashedTimes: at });
        live = { ...live, bets: live.bets.map((one) => (one.betId === betId ? paid : one)) };
        tell();
        return { bet: paid, balanceMinor };
      },
    };
  }

  return {
    session: () =>
      act(
        'session',
        null,
        (): SessionView => ({
          game: rules.code,
          brand: { name: wishes.look === 'a' ? 'Alder Games' : 'Beacon Live', look: wishes.look },
          mode: 'demo',
          currency: 'PTS',
          balanceMinor,
          maxStakeMinor: rules.maxStakeMinor,
          clientSeed,
          next: next(),
          open: open?.round ?? null,
          readyAt,
          now: Date.now(),
          theme: wishes.theme,
          parentOrigin: location.origin,
        }),
      ),
    open: (key, input) =>
      act('open', key, () => {
        if (rules.kind !== 'solo') return refuse('BAD_INPUT', 'This game is shared.');
        if (open) return refuse('BAD_INPUT', 'A round is open.');
        if (Date.now() < readyAt) refuse('TOO_FAST', 'The next round may start a little later.', { readyAt });
        const wager = rules.wager(input);
        const stakeMinor = rules.stakeOf(wager);
        take(stakeMinor);
        const seeds = { serverSeed, clientSeed, nonce };
        const step = rules.open(wager, createStream(seeds));
        const roundId = `round-${nonce + 1}`;
        const proof = { roundId, game: rules.code, commit: commitOf(serverSeed), ...seeds, wager, cashedTimes: null };
        readyAt = Date.now() + rules.cycleMs;
        nonce += 1;
        serverSeed = newSeed(nonce);
        open = { round: {} as RoundView, step, proof };
        return put(rules, step, roundId, wager, [], stakeMinor);
      }),
    move: (key, roundId, input) =>
      act('move', key, () => {
        if (rules.kind !== 'solo' || !open || open.round.roundId !== roundId || !rules.move || !rules.play)
          return refuse('ROUND_OVER', 'This round is over.');
        const move = rules.move(input);
        const extra = rules.extra?.(open.step.state, move) ?? 0;
        if (extra > balanceMinor) refuse('NO_FUNDS', 'Your balance does not cover this stake.');
        const step = rules.play(open.step.state, move);
        balanceMinor -= extra;
        return put(rules, step, roundId, open.round.wager, [...open.round.moves, move], open.round.stakeMinor + extra);
      }),
    bet: (key, roundId, wager) => act('bet', key, () => table!.bet(roundId, wager)),
    cashout: (key, betId) => act('cashout', key, () => table!.cashout(betId)),
    history: () =>
      act('history', null, () =>
        proofs.slice(0, 50).map(({ proof, at }) => ({
          roundId: proof.roundId,
          at,
          stakeMinor: proof.stakeMinor,
          paidMinor: proof.paidMinor,
          over: true,
        })),
      ),
    round: (id) =>
      act('round', null, () => {
        const found = proofs.find(({ proof }) => proof.roundId === id);
        return found ? found.proof : refuse('BAD_INPUT', 'There is no such round.');
      }),
    seed: (text) =>
      act('seed', null, () => {
        clientSeed = text;
        return { clientSeed, next: next() };
      }),
    live: (on) => table!.follow(on.view),
  };
}
