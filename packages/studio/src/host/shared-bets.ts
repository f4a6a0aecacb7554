/** The bets of one shared round: staked, cashed out, settled, given back; and the own seeds that their players bring into it. */
import { sharedSeed } from '@fairgame/casino';
import type { AnyShared } from '../game.ts';
import type { LiveBet } from '../wire.ts';
import type { Core } from './core.ts';
import type { Taken } from './money.ts';
import type { Round, Seat } from './store.ts';

const MOST_WORDS = 20;

export class SharedBets {
  private readonly core: Core;
  private readonly game: AnyShared;
  private readonly changed: () => void;
  private readonly base: string;
  private bets: Round[] = [];
  /** The own seeds of the first bettors, by seat: they go into the seed of the round after its hash was shown. */
  private readonly words = new Map<string, string>();
  private onTheWay = 0;

  constructor(core: Core, game: AnyShared, changed: () => void) {
    this.core = core;
    this.game = game;
    this.changed = changed;
    this.base = `${core.provider.name} ${game.name}`;
  }

  /** Forgets those of the round before. */
  clear(): void {
    this.bets = [];
    this.words.clear();
  }

  publicSeed(): string {
    return sharedSeed(this.base, [...this.words.values()]);
  }

  /** Betting has ended: the seed that all bets of the round share from now on. */
  seal(): string {
    const clientSeed = this.publicSeed();
    for (const bet of this.bets) {
      bet.clientSeed = clientSeed;
      bet.seedOf = { base: this.base, words: [...this.words.values()] };
      this.core.store.rounds.put(bet);
    }
    return clientSeed;
  }

  /** True while stakes have no answer yet. */
  isWaiting(): boolean {
    return this.onTheWay > 0;
  }

  async stake(bet: Round): Promise<Taken> {
    this.core.store.rounds.put(bet);
    this.onTheWay += 1;
    return this.core.money.stake(bet, 0, bet.stakeMinor).finally(() => {
      this.onTheWay -= 1;
    });
  }

  /** Its stake is taken, in time. */
  add(bet: Round, seat: Seat): void {
    bet.status = 'open';
    this.core.store.rounds.put(bet);
    this.bets.push(bet);
    if (this.words.size < MOST_WORDS && !this.words.has(seat.id)) this.words.set(seat.id, seat.clientSeed);
    this.changed();
  }

  giveBack(bet: Round): void {
    bet.status = 'void';
    this.core.store.rounds.put(bet);
    void this.core.money.giveBack(bet);
    this.changed();
  }

  cashPresets(result: unknown, times: number): void {
    for (const bet of this.bets) this.cashPreset(bet, result, times);
  }

  /** At its preset where that is reached, else at `times`. False where that pays nothing. */
  async cashOut(bet: Round, result: unknown, times: number): Promise<boolean> {
    this.cashPreset(bet, result, times);
    if (bet.status !== 'open') return true;
    const paidMinor = this.game.settle(bet.wager, result, times);
    if (paidMinor === 0) return false;
    bet.cashedTimes = times;
    await this.finish(bet, paidMinor);
    return true;
  }

  settle(result: unknown): void {
    for (const bet of this.bets) {
      if (bet.status !== 'open') continue;
      this.cashPreset(bet, result, Number.POSITIVE_INFINITY);
      if (bet.status === 'open') void this.finish(bet, this.game.settle(bet.wager, result, null));
    }
  }

  shownTo(seat: Seat): LiveBet[] {
    return this.bets.filter((bet) => bet.seat === seat.id && bet.status !== 'void').map(liveBet);
  }

  players(): number {
    return new Set(this.bets.filter((bet) => bet.status !== 'void').map((bet) => bet.seat)).size;
  }

  /** A preset that the multiple has reached is cashed out at exactly the preset, if the round got that far. */
  private cashPreset(bet: Round, result: unknown, times: number): void {
    if (bet.status !== 'open') return;
    const preset = this.game.autoTimes?.(bet.wager) ?? null;
    if (preset === null || times < preset) return;
    const paidMinor = this.game.settle(bet.wager, result, preset);
    if (paidMinor === 0) return;
    bet.cashedTimes = preset;
    void this.finish(bet, paidMinor);
  }

  private finish(bet: Round, paidMinor: number): Promise<void> {
    bet.status = 'over';
    bet.paidMinor = paidMinor;
    bet.lastAt = this.core.clock.now();
    bet.endedAt = bet.lastAt;
    this.core.store.rounds.put(bet);
    this.changed();
    return this.core.money.pay(bet, paidMinor, this.closes(bet));
  }

  /** Nothing else of the player is open in this round; a stake still on its way is waited for by the credit itself. */
  private closes(bet: Round): boolean {
    const { store } = this.core;
    return !store.inWalletRound(bet.walletRound, bet.player).some((other) => other.status === 'open');
  }
}

export const liveBet = (bet: Round): LiveBet => ({
  betId: bet.id,
  wager: bet.wager,
  stakeMinor: bet.stakeMinor,
  cashedTimes: bet.cashedTimes,
  paidMinor: bet.status === 'over' ? bet.paidMinor : null,
});
