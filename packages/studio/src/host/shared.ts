/**
 * Rounds that all players share. A game's clock runs while somebody watches or a bet is open: bets, the round, a rest. The
 * seed of a round is fixed a round ahead, and the bettors' own seeds are mixed in when betting ends. A bet is a round of its
 * own to the operator; what a bet is cashed out at is decided by this clock alone.
 */
import { commitOf, createStream } from '@fairgame/casino';
import type { AnyShared } from '../game.ts';
import type { BetReply, LiveView } from '../wire.ts';
import type { Clock } from './clock.ts';
import { type Core, createLocks } from './core.ts';
import { Refusal } from './refusal.ts';
import type { Sessions } from './sessions.ts';
import { liveBet, SharedBets } from './shared-bets.ts';
import { recoverTable } from './shared-recovery.ts';
import { mustBeWithin, newRound, refusedStake } from './staking.ts';
import { newSeed, type Round, randomId, type Session, type Store, type TableMemory } from './store.ts';

export interface Table {
  view(session: Session): LiveView;
  /** Called at every change; the answer ends it. While one watches the clock runs. */
  watch(changed: () => void): () => void;
  /** Somebody is there without watching: the clock runs for another while. */
  touch(): void;
  bet(session: Session, key: string, roundId: string, wager: unknown): Promise<BetReply>;
  cashout(session: Session, betId: string): Promise<BetReply>;
  /** True while the seed of this round is a secret. */
  runs(roundId: string): boolean;
  stop(): void;
}

const LAST = 20;
const MOST_BETS = 40;
/** How long the start of a round waits for stakes that are still on their way. */
const STRAGGLERS_MS = 1000;
const TICK_MS = 50;
const TOUCH_MS = 30_000;

export function createTable(core: Core, sessions: Sessions, game: AnyShared): Table {
  return new SharedTable(core, sessions, game);
}

class SharedTable implements Table {
  private readonly sessions: Sessions;
  private readonly game: AnyShared;
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly locked = createLocks();
  private readonly watchers = new Set<() => void>();
  private memory: TableMemory;
  private readonly bets: SharedBets;
  private phaseStartedAt: number;
  private phaseEndsAt: number | null;
  private result: unknown = null;
  private running = false;
  private touchedAt = Number.NEGATIVE_INFINITY;
  private off = () => {};
  private announcing = false;

  constructor(core: Core, sessions: Sessions, game: AnyShared) {
    this.sessions = sessions;
    this.game = game;
    this.store = core.store;
    this.clock = core.clock;
    this.memory = recoverTable(core, game);
    this.bets = new SharedBets(core, game, () => this.announce());
    this.phaseStartedAt = this.clock.now();
    this.phaseEndsAt = this.phaseStartedAt;
  }

  view(session: Session): LiveView {
    const seat = this.sessions.seatOf(session);
    const over = this.memory.phase === 'rests';
    return {
      roundId: this.roundId(),
      phase: this.memory.phase,
      now: this.clock.now(),
      phaseStartedAt: this.phaseStartedAt,
      phaseEndsAt: this.phaseEndsAt,
      commit: commitOf(this.memory.serverSeed),
      nextCommit: commitOf(this.memory.nextSeed),
      nonce: this.memory.seq,
      clientSeed: this.bets.publicSeed(),
      view: this.memory.phase === 'bets' || this.result === null ? null : this.game.view(this.result, over),
      last: this.memory.last,
      bets: this.bets.shownTo(seat),
      players: this.bets.players(),
    };
  }

  watch(changed: () => void): () => void {
    this.watchers.add(changed);
    this.wake();
    return () => void this.watchers.delete(changed);
  }

  touch(): void {
    this.touchedAt = this.clock.now();
    this.wake();
  }

  bet(session: Session, key: string, forRound: string, input: unknown): Promise<BetReply> {
    return this.locked(`${session.id} ${key}`, () => this.takeBet(session, key, forRound, input));
  }

  async cashout(session: Session, betId: string): Promise<BetReply> {
    const bet = this.store.rounds.get(betId);
    if (bet === undefined || bet.seat !== this.sessions.seatOf(session).id || bet.table === null || !this.game.timesAt)
      throw new Refusal('BAD_INPUT', 'There is no such bet.', { field: 'betId' });
    if (bet.cashedTimes !== null) return this.replyOf(session, bet);
    if (bet.status !== 'open' || this.memory.phase !== 'runs' || bet.table !== this.roundId())
      throw new Refusal('ROUND_OVER');
    bet.walletSession = session.walletSession;
    const elapsedMs = this.clock.now() - this.phaseStartedAt;
    if (elapsedMs >= this.game.runMs(this.result)) throw new Refusal('ROUND_OVER');
    const cashed = await this.bets.cashOut(bet, this.result, this.game.timesAt(elapsedMs));
    if (!cashed) throw new Refusal('ROUND_OVER');
    return this.replyOf(session, bet);
  }

  runs(id: string): boolean {
    return id === this.roundId() && this.memory.phase !== 'rests';
  }

  stop(): void {
    this.off();
    this.running = false;
  }

  private roundId(): string {
    return `${this.game.code}-${this.memory.seq}`;
  }

  private after(delayMs: number, work: () => void): void {
    this.off = this.clock.after(Math.max(0, delayMs), work);
  }

  private announce(): void {
    if (this.announcing) return;
    this.announcing = true;
    // Several changes of one moment are told once.
    setImmediate(() => {
      this.announcing = false;
      for (const changed of this.watchers) changed();
    });
  }

  private remember(more: Partial<TableMemory>): void {
    this.memory = { ...this.memory, ...more };
    this.store.tables.put(this.memory);
  }

  private enter(phase: TableMemory['phase'], forMs: number | null, more: Partial<TableMemory> = {}): void {
    this.phaseStartedAt = this.clock.now();
    this.phaseEndsAt = forMs === null ? null : this.phaseStartedAt + forMs;
    this.remember({ phase, ...more });
    this.announce();
  }

  private wake(): void {
    if (this.running) return;
    this.running = true;
    this.takeBets();
  }

  private takeBets(): void {
    this.bets.clear();
    this.result = null;
    this.enter('bets', this.game.betMs, {
      seq: this.memory.seq + 1,
      serverSeed: this.memory.nextSeed,
      nextSeed: newSeed(),
    });
    this.after(this.game.betMs, () => this.closeBets());
  }

  private closeBets(waitedMs = 0): void {
    if (this.bets.isWaiting() && waitedMs < STRAGGLERS_MS) {
      this.after(TICK_MS, () => this.closeBets(waitedMs + TICK_MS));
      return;
    }
    const clientSeed = this.bets.seal();
    this.result = this.game.draw(
      createStream({ serverSeed: this.memory.serverSeed, clientSeed, nonce: this.memory.seq }),
    );
    const runMs = this.game.runMs(this.result);
    // A crash game's end is not told before it comes.
    this.enter('runs', this.game.timesAt ? null : runMs);
    this.run(runMs);
  }

  private run(runMs: number): void {
    const elapsedMs = this.clock.now() - this.phaseStartedAt;
    if (elapsedMs >= runMs) {
      this.rest();
      return;
    }
    if (this.game.timesAt) this.bets.cashPresets(this.result, this.game.timesAt(elapsedMs));
    this.after(Math.min(this.game.timesAt ? TICK_MS : runMs, runMs - elapsedMs), () => this.run(runMs));
  }

  private rest(): void {
    this.bets.settle(this.result);
    const last = [this.game.view(this.result, true), ...this.memory.last].slice(0, LAST);
    // The pace of play holds here too: from betting to betting.
    const restMs = Math.max(
      this.game.restMs,
      this.game.cycleMs - this.game.betMs - (this.clock.now() - this.phaseStartedAt),
    );
    this.enter('rests', restMs, { last });
    this.after(restMs, () => this.next());
  }

  private next(): void {
    const wanted = this.watchers.size > 0 || this.clock.now() - this.touchedAt < TOUCH_MS;
    if (wanted) this.takeBets();
    else this.running = false;
  }

  private replyOf(session: Session, bet: Round): BetReply {
    return {
      bet: liveBet(bet),
      balanceMinor: session.balanceMinor,
    };
  }

  private betting(id: string): boolean {
    return this.memory.phase === 'bets' && this.running && id === this.roundId();
  }

  private async takeBet(session: Session, key: string, forRound: string, input: unknown): Promise<BetReply> {
    const seat = this.sessions.seatOf(session);
    this.touchedAt = this.clock.now();
    const own = this.store.roundsOf(seat.id).slice(0, 2 * MOST_BETS);
    const again = own.find((bet) => bet.key === key && bet.status !== 'void');
    if (again !== undefined) return this.replyOf(session, again);
    const wager = this.game.wager(input);
    const stakeMinor = this.game.stakeOf(wager);
    mustBeWithin(session, this.game, stakeMinor);
    const now = this.clock.now();
    if (!this.betting(forRound) || now >= (this.phaseEndsAt ?? 0)) throw new Refusal('BETS_CLOSED');
    if (own.filter((bet) => bet.table === forRound && bet.status !== 'void').length >= MOST_BETS)
      throw new Refusal('LIMIT_REACHED', `There are at most ${MOST_BETS} bets in a round.`);
    const bet = newRound(session, seat, {
      id: randomId(`${forRound}-`).slice(0, 60),
      walletRound: forRound,
      table: forRound,
      key,
      wager,
      stakeMinor,
      serverSeed: this.memory.serverSeed,
      clientSeed: '',
      nonce: this.memory.seq,
      startedAt: now,
    });
    const taken = await this.bets.stake(bet);
    if (taken.kind === 'done' && this.betting(forRound)) {
      this.bets.add(bet, seat);
      return this.replyOf(session, bet);
    }
    if (taken.kind === 'done') {
      this.bets.giveBack(bet);
      throw new Refusal('BETS_CLOSED', 'Bets were closed before your account answered. The stake is given back.');
    }
    bet.status = 'void';
    this.store.rounds.put(bet);
    throw refusedStake(taken, this.sessions, session, now + this.game.cycleMs);
  }
}
