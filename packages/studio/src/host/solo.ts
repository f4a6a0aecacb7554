/** Rounds of one player: seeds fixed before, stake, the game's steps, pay-out. What a round was is played again from its seeds. */
import { commitOf, isClientSeed } from '@fairgame/casino';
import type { AnyGame, Step } from '../game.ts';
import type { RoundReply, RoundView, SeedReply } from '../wire.ts';
import type { Clock } from './clock.ts';
import { type Core, createLocks } from './core.ts';
import type { Money } from './money.ts';
import { Refusal } from './refusal.ts';
import type { Sessions } from './sessions.ts';
import { SoloSteps } from './solo-steps.ts';
import { mustBeWithin, newRound, refusedStake } from './staking.ts';
import { newSeed, type Round, randomId, type Seat, type Session, type Store } from './store.ts';

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
  return new SoloRounds(core, sessions, leaveAfterMs);
}

class SoloRounds implements Solo {
  private readonly core: Core;
  private readonly sessions: Sessions;
  private readonly leaveAfterMs: number;
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly money: Money;
  private readonly games: ReadonlyMap<string, AnyGame>;
  private readonly locked = createLocks();
  private readonly steps: SoloSteps;
  private stopSweep = () => {};

  constructor(core: Core, sessions: Sessions, leaveAfterMs: number) {
    this.core = core;
    this.sessions = sessions;
    this.leaveAfterMs = leaveAfterMs;
    this.store = core.store;
    this.clock = core.clock;
    this.money = core.money;
    this.games = core.games;
    this.steps = new SoloSteps(core.games);
  }

  open(session: Session, key: string, input: unknown): Promise<RoundReply> {
    const seat = this.sessions.seatOf(session);
    return this.locked(seat.id, async () => {
      const lately = this.store.roundsOf(seat.id).slice(0, KEYS_HELD);
      const again = lately.find((round) => round.key === key && round.status !== 'void');
      if (again !== undefined) return this.replyOf(session, seat, again);
      const game = this.steps.gameOf(session.game);
      const wager = game.wager(input);
      const stakeMinor = game.stakeOf(wager);
      mustBeWithin(session, game, stakeMinor);
      if (seat.openRound !== null) throw new Refusal('BAD_INPUT', 'End the open round first.');
      const now = this.clock.now();
      if (now < seat.readyAt) throw new Refusal('TOO_FAST', undefined, { readyAt: seat.readyAt });

      const id = randomId('r');
      const round = newRound(session, seat, {
        id,
        walletRound: id,
        table: null,
        key,
        wager,
        stakeMinor,
        serverSeed: seat.serverSeed,
        clientSeed: seat.clientSeed,
        nonce: seat.nonce,
        startedAt: now,
      });
      this.store.rounds.put(round);
      const step = this.steps.of(round);
      const inOne = step.over && this.money.inOneCall(round);
      const taken = inOne
        ? await this.money.stakeAndPay(round, stakeMinor, step.paidMinor)
        : await this.money.stake(round, 0, stakeMinor);
      if (taken.kind !== 'done') {
        round.status = 'void';
        this.steps.forget(round);
        this.store.rounds.put(round);
        // Of a call without an answer the operator may know the result: its seed is not used again.
        if (taken.kind === 'unknown') this.takeSeed(seat);
        throw refusedStake(taken, this.sessions, session, now + game.cycleMs);
      }
      // From the wallet's answer on: it counts the pace from when the stake reached it, which may be late on a slow line.
      seat.readyAt = this.clock.now() + game.cycleMs;
      this.takeSeed(seat);
      await this.opened(round, seat, inOne);
      return this.replyOf(session, seat, round);
    });
  }

  move(session: Session, key: string, roundId: string, input: unknown): Promise<RoundReply> {
    const seat = this.sessions.seatOf(session);
    return this.locked(seat.id, async () => {
      const round = this.store.rounds.get(roundId);
      if (round === undefined || round.seat !== seat.id || round.status === 'void')
        throw new Refusal('BAD_INPUT', 'There is no such round.', { field: 'roundId' });
      if (round.moves.some((move) => move.key === key)) return this.replyOf(session, seat, round);
      if (round.status !== 'open') throw new Refusal('ROUND_OVER');
      const game = this.steps.gameOf(round.game);
      if (!game.move || !game.play) throw new Refusal('ROUND_OVER');
      const move = game.move(input);
      round.walletSession = session.walletSession;
      const { state } = this.steps.of(round);
      const step = game.play(state, move);
      const extraMinor = game.extra?.(state, move) ?? 0;
      if (extraMinor > 0) {
        const part = this.store.txsOf(round.id).filter((tx) => tx.kind === 'debit').length;
        round.pending = { key, move, tx: `${round.id}.d${part}` };
        this.store.rounds.put(round);
        const taken = await this.money.stake(round, part, extraMinor);
        round.pending = null;
        if (taken.kind !== 'done') {
          this.store.rounds.put(round);
          throw refusedStake(taken, this.sessions, session, this.clock.now() + game.cycleMs);
        }
        round.stakeMinor += extraMinor;
      }
      round.moves.push({ key, move });
      await this.advance(round, seat, step);
      return this.replyOf(session, seat, round);
    });
  }

  seed(session: Session, clientSeed: string): Promise<SeedReply> {
    const seat = this.sessions.seatOf(session);
    return this.locked(seat.id, () => {
      if (!isClientSeed(clientSeed))
        throw new Refusal('BAD_INPUT', 'A seed has at most 64 characters.', { field: 'clientSeed' });
      if (seat.openRound !== null) throw new Refusal('BAD_INPUT', 'End the open round first.');
      seat.clientSeed = clientSeed;
      seat.nonce = 0;
      this.store.seats.put(seat);
      return Promise.resolve({ clientSeed, next: this.nextOf(seat) });
    });
  }

  openRound(session: Session): RoundView | null {
    const { openRound } = this.sessions.seatOf(session);
    const round = openRound === null ? undefined : this.store.rounds.get(openRound);
    return round?.status === 'open' ? this.steps.viewOf(round) : null;
  }

  start(): void {
    void this.recover().catch((error: unknown) => this.core.log('recovery', { error: String(error) }));
    const again = () => {
      void this.sweep();
      this.stopSweep = this.clock.after(SWEEP_MS, again);
    };
    this.stopSweep = this.clock.after(SWEEP_MS, again);
  }

  stop(): void {
    this.stopSweep();
  }

  private nextOf(seat: Seat) {
    return { commit: commitOf(seat.serverSeed), nonce: seat.nonce };
  }

  private replyOf(session: Session, seat: Seat, round: Round): RoundReply {
    return {
      round: this.steps.viewOf(round),
      balanceMinor: session.balanceMinor,
      readyAt: seat.readyAt,
      now: this.clock.now(),
      next: this.nextOf(seat),
    };
  }

  private takeSeed(seat: Seat): void {
    seat.serverSeed = newSeed();
    seat.nonce += 1;
    this.store.seats.put(seat);
  }

  /** The stake is taken: the round is. `paid` where its pay-out went in the same call. */
  private async opened(round: Round, seat: Seat, paid: boolean): Promise<void> {
    round.status = 'open';
    seat.openRound = round.id;
    await this.advance(round, seat, this.steps.of(round), paid);
  }

  /** Writes a step of a round down, and pays where it is the last. */
  private async advance(round: Round, seat: Seat, step: Step<unknown>, paid = false): Promise<void> {
    const now = this.clock.now();
    this.steps.keep(round, step);
    round.lastAt = now;
    if (step.over) {
      round.status = 'over';
      round.paidMinor = step.paidMinor;
      round.endedAt = now;
      seat.openRound = null;
    }
    this.store.rounds.put(round);
    this.store.seats.put(seat);
    if (step.over && !paid) await this.money.pay(round, step.paidMinor);
    if (step.over) this.steps.forget(round);
  }

  /** Ends a round whose player went away, at its best sure value. */
  private async leave(round: Round, seat: Seat): Promise<void> {
    const game = this.steps.gameOf(round.game);
    for (let moves = 0; round.status === 'open' && moves < MOST_LEAVES; moves++) {
      if (!game.leave || !game.play) throw new Error(`${round.game} cannot be left.`);
      const { state } = this.steps.of(round);
      const move = game.leave(state);
      const step = game.play(state, move);
      round.moves.push({ key: `leave-${moves}`, move });
      await this.advance(round, seat, step);
    }
  }

  private async sweep(): Promise<void> {
    const before = this.clock.now() - this.leaveAfterMs;
    for (const round of this.store.rounds.values()) {
      if (round.table !== null || round.status !== 'open' || round.lastAt > before) continue;
      const seat = this.store.seats.get(round.seat);
      if (seat === undefined || !this.games.has(round.game)) continue;
      await this.locked(seat.id, async () => {
        if (round.status === 'open' && round.lastAt <= before && round.pending === null) await this.leave(round, seat);
      }).catch((error: unknown) =>
        this.core.log('a round could not be left', { round: round.id, error: String(error) }),
      );
    }
  }

  /** What the end of the program cut off between two steps; money of unknown fate is rolled back beside this. */
  private async recover(): Promise<void> {
    for (const round of this.store.rounds.values()) {
      const seat = this.store.seats.get(round.seat);
      if (round.table !== null || seat === undefined || !this.games.has(round.game)) continue;
      if (round.status === 'opening') {
        const inOne = this.store.txs.get(`${round.id}.x`);
        const stake = inOne ?? this.store.txs.get(`${round.id}.d0`);
        if (stake?.state === 'done') {
          this.takeSeedOf(round, seat);
          await this.opened(round, seat, inOne !== undefined);
        } else {
          round.status = 'void';
          this.store.rounds.put(round);
          this.takeSeedOf(round, seat);
        }
      } else if (round.status === 'open' && round.pending !== null) {
        const { key, move, tx } = round.pending;
        round.pending = null;
        const debit = this.store.txs.get(tx);
        if (debit?.state === 'done') {
          const step = this.steps.gameOf(round.game).play!(this.steps.of(round).state, move);
          round.moves.push({ key, move });
          round.stakeMinor += debit.amountMinor;
          await this.advance(round, seat, step);
        } else this.store.rounds.put(round);
      } else if (round.status === 'over' && this.store.txs.get(`${round.id}.x`)?.state !== 'done') {
        void this.money.pay(round, round.paidMinor);
      }
    }
  }

  /** A round that was on its way when the program ended has used up its seed. */
  private takeSeedOf(round: Round, seat: Seat): void {
    if (seat.serverSeed === round.serverSeed) this.takeSeed(seat);
  }
}
