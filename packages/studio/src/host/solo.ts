/** Rounds of one player: seeds fixed before, stake, the game's steps, pay-out. What a round was is played again from its seeds. */
import { commitOf, createStream, isClientSeed } from '@fairgame/casino';
import type { AnySolo, Step } from '../game.ts';
import type { RoundReply, RoundView, SeedReply } from '../wire.ts';
import { type Core, createLocks, mostStake } from './core.ts';
import type { Taken } from './money.ts';
import { Refusal, refusalOfWallet } from './refusal.ts';
import type { Sessions } from './sessions.ts';
import { newSeed, type Round, randomId, type Seat, type Session } from './store.ts';

export interface Solo {
  open(session: Session, key: string, wager: unknown): Promise<RoundReply>;
  move(session: Session, key: string, roundId: string, move: unknown): Promise<RoundReply>;
  seed(session: Session, clientSeed: string): Promise<SeedReply>;
  openRound(session: Session): RoundView | null;
  /** Finishes what a restart cut off and from then on ends rounds that are left open. */
  start(): void;
  stop(): void;
}

/** A call is known again by its key within this many rounds. */
const KEYS_HELD = 200;
const SWEEP_MS = 15_000;
/** No game has more steps; a `leave` that does not end its round would go on for ever. */
const MOST_LEAVES = 200;

export function createSolo(core: Core, sessions: Sessions, leaveAfterMs: number): Solo {
  const { store, clock, money, games } = core;
  const locked = createLocks();
  const steps = new Map<string, Step<unknown>>();
  let stopSweep = () => {};

  const gameOf = (code: string): AnySolo => {
    const game = games.get(code);
    if (game?.kind !== 'solo') throw new Refusal('BAD_INPUT', 'This game is played in shared rounds.');
    return game;
  };

  function stepOf(round: Round): Step<unknown> {
    let step = steps.get(round.id);
    if (step !== undefined) return step;
    const game = gameOf(round.game);
    step = game.open(round.wager, createStream(round));
    for (const { move } of round.moves) step = game.play!(step.state, move);
    steps.set(round.id, step);
    return step;
  }

  function viewOf(round: Round): RoundView {
    return {
      roundId: round.id,
      wager: round.wager,
      view: gameOf(round.game).view(stepOf(round).state),
      over: round.status === 'over',
      stakeMinor: round.stakeMinor,
      paidMinor: round.paidMinor,
      moves: round.moves.map(({ move }) => move),
    };
  }

  const nextOf = (seat: Seat) => ({ commit: commitOf(seat.serverSeed), nonce: seat.nonce });

  const replyOf = (session: Session, seat: Seat, round: Round): RoundReply => ({
    round: viewOf(round),
    balanceMinor: session.balanceMinor,
    readyAt: seat.readyAt,
    now: clock.now(),
    next: nextOf(seat),
  });

  function refuseUnlessDone(taken: Taken, session: Session, readyAt: number): void {
    if (taken.kind === 'done') return;
    if (taken.kind === 'unknown') throw new Refusal('WALLET_DOWN');
    const refusal = refusalOfWallet(taken.code, readyAt);
    if (refusal.page.code === 'SESSION_OVER') sessions.end(session, 'SESSION_OVER');
    throw refusal;
  }

  function takeSeed(seat: Seat): void {
    seat.serverSeed = newSeed();
    seat.nonce += 1;
    store.seats.put(seat);
  }

  /** The stake is taken: the round is. `paid` where its pay-out went in the same call. */
  async function opened(round: Round, seat: Seat, paid: boolean): Promise<void> {
    round.status = 'open';
    seat.openRound = round.id;
    await advance(round, seat, stepOf(round), paid);
  }

  /** Writes a step of a round down, and pays where it is the last. */
  async function advance(round: Round, seat: Seat, step: Step<unknown>, paid = false): Promise<void> {
    const now = clock.now();
    steps.set(round.id, step);
    round.lastAt = now;
    if (step.over) {
      round.status = 'over';
      round.paidMinor = step.paidMinor;
      round.endedAt = now;
      seat.openRound = null;
    }
    store.rounds.put(round);
    store.seats.put(seat);
    if (step.over && !paid) await money.pay(round, step.paidMinor);
    if (step.over) steps.delete(round.id);
  }

  /** Ends a round whose player went away, at its best sure value. */
  async function leave(round: Round, seat: Seat): Promise<void> {
    const game = gameOf(round.game);
    for (let moves = 0; round.status === 'open' && moves < MOST_LEAVES; moves++) {
      if (!game.leave || !game.play) throw new Error(`${round.game} cannot be left.`);
      const { state } = stepOf(round);
      const move = game.leave(state);
      const step = game.play(state, move);
      round.moves.push({ key: `leave-${moves}`, move });
      await advance(round, seat, step);
    }
  }

  async function sweep(): Promise<void> {
    const before = clock.now() - leaveAfterMs;
    for (const round of store.rounds.values()) {
      if (round.table !== null || round.status !== 'open' || round.lastAt > before) continue;
      const seat = store.seats.get(round.seat);
      if (seat === undefined || !games.has(round.game)) continue;
      await locked(seat.id, async () => {
        if (round.status === 'open' && round.lastAt <= before && round.pending === null) await leave(round, seat);
      }).catch((error: unknown) => core.log('a round could not be left', { round: round.id, error: String(error) }));
    }
  }

  /** What the end of the program cut off between two steps; money of unknown fate is rolled back beside this. */
  async function recover(): Promise<void> {
    for (const round of store.rounds.values()) {
      const seat = store.seats.get(round.seat);
      if (round.table !== null || seat === undefined || !games.has(round.game)) continue;
      if (round.status === 'opening') {
        const inOne = store.txs.get(`${round.id}.x`);
        const stake = inOne ?? store.txs.get(`${round.id}.d0`);
        if (stake?.state === 'done') {
          takeSeedOf(round, seat);
          await opened(round, seat, inOne !== undefined);
        } else {
          round.status = 'void';
          store.rounds.put(round);
          takeSeedOf(round, seat);
        }
      } else if (round.status === 'open' && round.pending !== null) {
        const { key, move, tx } = round.pending;
        round.pending = null;
        const debit = store.txs.get(tx);
        if (debit?.state === 'done') {
          const step = gameOf(round.game).play!(stepOf(round).state, move);
          round.moves.push({ key, move });
          round.stakeMinor += debit.amountMinor;
          await advance(round, seat, step);
        } else store.rounds.put(round);
      } else if (round.status === 'over' && store.txs.get(`${round.id}.x`)?.state !== 'done') {
        void money.pay(round, round.paidMinor);
      }
    }
  }

  /** A round that was on its way when the program ended has used up its seed. */
  function takeSeedOf(round: Round, seat: Seat): void {
    if (seat.serverSeed === round.serverSeed) takeSeed(seat);
  }

  return {
    open(session, key, input) {
      const seat = sessions.seatOf(session);
      return locked(seat.id, async () => {
        const lately = store.roundsOf(seat.id).slice(0, KEYS_HELD);
        const again = lately.find((round) => round.key === key && round.status !== 'void');
        if (again !== undefined) return replyOf(session, seat, again);
        const game = gameOf(session.game);
        const wager = game.wager(input);
        const stakeMinor = game.stakeOf(wager);
        if (stakeMinor > mostStake(session, game))
          throw new Refusal('LIMIT_REACHED', 'This stake is higher than you may stake in this game.', {
            field: 'stakeMinor',
          });
        if (seat.openRound !== null) throw new Refusal('BAD_INPUT', 'End the open round first.');
        const now = clock.now();
        if (now < seat.readyAt) throw new Refusal('TOO_FAST', undefined, { readyAt: seat.readyAt });

        const id = randomId('r');
        const round: Round = {
          id,
          walletRound: id,
          seat: seat.id,
          sessionId: session.id,
          mode: session.mode,
          game: session.game,
          player: session.player,
          walletSession: session.walletSession,
          currency: session.currency,
          key,
          wager,
          serverSeed: seat.serverSeed,
          clientSeed: seat.clientSeed,
          seedOf: null,
          nonce: seat.nonce,
          table: null,
          startedAt: now,
          status: 'opening',
          moves: [],
          pending: null,
          stakeMinor,
          paidMinor: 0,
          cashedTimes: null,
          lastAt: now,
          endedAt: null,
        };
        store.rounds.put(round);
        const step = stepOf(round);
        const inOne = step.over && money.inOneCall(round);
        const taken = inOne
          ? await money.stakeAndPay(round, stakeMinor, step.paidMinor)
          : await money.stake(round, 0, stakeMinor);
        if (taken.kind !== 'done') {
          round.status = 'void';
          steps.delete(round.id);
          store.rounds.put(round);
          // Of a call without an answer the operator may know the result: its seed is not used again.
          if (taken.kind === 'unknown') takeSeed(seat);
        }
        refuseUnlessDone(taken, session, now + game.cycleMs);
        // From the wallet's answer on: it counts the pace from when the stake reached it, which may be late on a slow line.
        seat.readyAt = clock.now() + game.cycleMs;
        takeSeed(seat);
        await opened(round, seat, inOne);
        return replyOf(session, seat, round);
      });
    },

    move(session, key, roundId, input) {
      const seat = sessions.seatOf(session);
      return locked(seat.id, async () => {
        const round = store.rounds.get(roundId);
        if (round === undefined || round.seat !== seat.id || round.status === 'void')
          throw new Refusal('BAD_INPUT', 'There is no such round.', { field: 'roundId' });
        if (round.moves.some((move) => move.key === key)) return replyOf(session, seat, round);
        if (round.status !== 'open') throw new Refusal('ROUND_OVER');
        const game = gameOf(round.game);
        if (!game.move || !game.play) throw new Refusal('ROUND_OVER');
        const move = game.move(input);
        round.walletSession = session.walletSession;
        const { state } = stepOf(round);
        const step = game.play(state, move);
        const extraMinor = game.extra?.(state, move) ?? 0;
        if (extraMinor > 0) {
          const part = store.txsOf(round.id).filter((tx) => tx.kind === 'debit').length;
          round.pending = { key, move, tx: `${round.id}.d${part}` };
          store.rounds.put(round);
          const taken = await money.stake(round, part, extraMinor);
          round.pending = null;
          if (taken.kind !== 'done') store.rounds.put(round);
          refuseUnlessDone(taken, session, clock.now() + game.cycleMs);
          round.stakeMinor += extraMinor;
        }
        round.moves.push({ key, move });
        await advance(round, seat, step);
        return replyOf(session, seat, round);
      });
    },

    seed(session, clientSeed) {
      const seat = sessions.seatOf(session);
      return locked(seat.id, () => {
        if (!isClientSeed(clientSeed))
          throw new Refusal('BAD_INPUT', 'A seed has at most 64 characters.', { field: 'clientSeed' });
        if (seat.openRound !== null) throw new Refusal('BAD_INPUT', 'End the open round first.');
        seat.clientSeed = clientSeed;
        seat.nonce = 0;
        store.seats.put(seat);
        return Promise.resolve({ clientSeed, next: nextOf(seat) });
      });
    },

    openRound(session) {
      const { openRound } = sessions.seatOf(session);
      const round = openRound === null ? undefined : store.rounds.get(openRound);
      return round?.status === 'open' ? viewOf(round) : null;
    },

    start() {
      void recover().catch((error: unknown) => core.log('recovery', { error: String(error) }));
      const again = () => {
        void sweep();
        stopSweep = clock.after(SWEEP_MS, again);
      };
      stopSweep = clock.after(SWEEP_MS, again);
    },
    stop: () => stopSweep(),
  };
}
