/**
 * Every movement of money: written down first, then sent. A stake whose answer is missing is rolled back; a rollback and a
 * pay-out are sent again until the operator has decided, over a restart too. Ids are made from the round's, so that nothing
 * that is done twice moves money twice.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { Movements } from './movements.ts';
import type { Round, Store, Tx } from './store.ts';
import type { OperatorWallet, WalletCode } from './wallet.ts';

export type Taken =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: WalletCode }
  /** Nobody knows yet; it is being rolled back. */
  | { readonly kind: 'unknown' };

export interface Money {
  /** True where stake and pay-out of a round that is over at once go in one call. */
  inOneCall(round: Round): boolean;
  /** `part` numbers the stakes of a round: 0, 1, 2 ... */
  stake(round: Round, part: number, amountMinor: number): Promise<Taken>;
  stakeAndPay(round: Round, amountMinor: number, paidMinor: number): Promise<Taken>;
  /**
   * Pays a round, 0 too; `closes` where nothing else is open in the operator's round. Resolves with the operator's answer, or
   * without it when patience ends.
   */
  pay(round: Round, paidMinor: number, closes?: boolean): Promise<void>;
  /** Closes an operator's round whose last open bet was given back. */
  endRound(round: Round): Promise<void>;
  /** Rolls back every stake of the round that may have been taken. */
  giveBack(round: Round): Promise<void>;
  /** After a restart: all that was on its way. */
  resume(): void;
  stop(): void;
}

export interface MoneyOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly walletOf: (mode: Round['mode']) => OperatorWallet;
  /** Told of every balance that the operator names. */
  readonly balanceSeen: (walletSession: string, balanceMinor: number) => void;
  readonly log: (text: string, what: object) => void;
  /** How long a page waits for the answer to a pay-out, which comes in any case. */
  readonly patienceMs: number;
}

const BACK_OFF_MS = [200, 1000, 5000, 30_000];
const LONG_BACK_OFF_MS = 300_000;
const GIVE_UP_MS = 86_400_000;

/** Answers to a debit that say: not taken, and never will be. All others leave it open. */
const REFUSED: readonly WalletCode[] = [
  'INVALID_TOKEN',
  'TOKEN_EXPIRED',
  'USER_DISABLED',
  'INSUFFICIENT_FUNDS',
  'LIMIT_REACHED',
  'REALITY_CHECK_DUE',
  'TOO_FAST',
  'WRONG_CURRENCY',
  'INVALID_GAME',
  'INVALID_AMOUNT',
  'ALREADY_ROLLED_BACK',
];
/** Answers to a credit or rollback after which sending it again is of no use. */
const FINAL: readonly WalletCode[] = [
  'DUPLICATE_MISMATCH',
  'ALREADY_SETTLED',
  'ALREADY_ROLLED_BACK',
  'WRONG_CURRENCY',
  'INVALID_AMOUNT',
  'INVALID_GAME',
  'UNKNOWN',
];

export function createMoney(options: MoneyOptions): Money {
  return new Cashier(options);
}

class Cashier implements Money {
  private readonly options: MoneyOptions;
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly movements: Movements;
  private readonly log: (text: string, what: object) => void;
  /** Ends the pauses that are on. */
  private readonly waiting = new Set<() => void>();
  /** By its id, what is on its way to a decision. */
  private readonly deciding = new Map<string, Promise<void>>();
  private stopped = false;

  constructor(options: MoneyOptions) {
    this.options = options;
    this.store = options.store;
    this.clock = options.clock;
    this.movements = new Movements(options);
    this.log = options.log;
  }

  inOneCall(round: Round): boolean {
    return this.options.walletOf(round.mode).debitCredit !== undefined;
  }

  stake(round: Round, part: number, amountMinor: number): Promise<Taken> {
    return this.once(round, this.movements.write(round, `${round.id}.d${part}`, { kind: 'debit', amountMinor }));
  }

  stakeAndPay(round: Round, amountMinor: number, creditMinor: number): Promise<Taken> {
    return this.once(
      round,
      this.movements.write(round, `${round.id}.x`, { kind: 'debit-credit', amountMinor, creditMinor, closes: true }),
    );
  }

  pay(round: Round, paidMinor: number, closes = true): Promise<void> {
    const id = `${round.id}.c`;
    if (this.store.txs.get(id) !== undefined) return Promise.resolve();
    const tx = this.movements.write(round, id, {
      kind: 'credit',
      amountMinor: paidMinor,
      refTx: `${round.id}.d0`,
      closes,
    });
    return this.patient(this.decide(tx));
  }

  endRound(round: Round): Promise<void> {
    const id = `${round.id}.e`;
    if (this.store.txs.get(id) !== undefined) return Promise.resolve();
    return this.patient(
      this.decide(this.movements.write(round, id, { kind: 'round-end', amountMinor: 0, closes: true })),
    );
  }

  async giveBack(round: Round): Promise<void> {
    const debits = this.store.txsOf(round.id).filter((tx) => tx.kind === 'debit' || tx.kind === 'debit-credit');
    const back = debits.filter((tx) => tx.state === 'sent' || tx.state === 'done');
    await this.patient(Promise.all(back.map((tx) => this.rollBack(round, tx))).then(() => {}));
  }

  resume(): void {
    const onTheWay = [...this.store.txs.values()].filter((tx) => tx.state === 'sent');
    const isStake = (tx: Tx) => tx.kind === 'debit' || tx.kind === 'debit-credit';
    // What closes a round waits for the others of it: those first.
    for (const tx of onTheWay.filter(isStake)) {
      const round = this.store.rounds.get(tx.round);
      if (round !== undefined) void this.rollBack(round, tx);
    }
    for (const tx of onTheWay
      .filter((one) => !isStake(one))
      .sort((one, other) => Number(one.closes) - Number(other.closes)))
      void this.decide(tx);
  }

  stop(): void {
    this.stopped = true;
    for (const off of this.waiting) off();
    this.waiting.clear();
  }

  private once(round: Round, tx: Tx): Promise<Taken> {
    const taken = this.onceOnly(round, tx);
    const known = taken.then(() => {}).finally(() => this.deciding.delete(tx.id));
    this.deciding.set(tx.id, known);
    return taken;
  }

  private async onceOnly(round: Round, tx: Tx): Promise<Taken> {
    const reply = await this.movements.send(tx);
    if (reply?.code === 'OK') {
      this.movements.mark(tx, 'done', 'OK');
      return { kind: 'done' };
    }
    if (reply !== null && REFUSED.includes(reply.code)) {
      this.movements.mark(tx, 'refused', reply.code);
      return { kind: 'refused', code: reply.code };
    }
    this.log('a stake of unknown fate is rolled back', { tx: tx.id, code: reply?.code });
    // Not waited for: the player is told at once.
    void this.rollBack(round, tx);
    return { kind: 'unknown' };
  }

  private rollBack(round: Round, debit: Tx): Promise<void> {
    const id = `${debit.id}.r`;
    if (this.store.txs.get(id) !== undefined) return this.deciding.get(id) ?? Promise.resolve();
    const { amountMinor, creditMinor } = debit;
    return this.decide(
      this.movements.write(round, id, { kind: 'rollback', amountMinor, creditMinor, refTx: debit.id }),
    );
  }

  /** Sends a credit or rollback until the operator has decided; resolves only then. */
  private decide(tx: Tx): Promise<void> {
    const already = this.deciding.get(tx.id);
    if (already !== undefined) return already;
    const running = this.untilDecided(tx).finally(() => this.deciding.delete(tx.id));
    this.deciding.set(tx.id, running);
    return running;
  }

  private async untilDecided(tx: Tx): Promise<void> {
    if (tx.closes) await this.othersDecided(tx);
    for (let attempt = 0; ; attempt++) {
      const reply = await this.movements.send(tx);
      if (this.stopped) return;
      if (reply?.code === 'OK') {
        this.movements.mark(tx, 'done', 'OK');
        if (tx.kind === 'rollback') this.settleDebit(tx, reply.tombstone === true);
        return;
      }
      if (reply?.code === 'ALREADY_SETTLED' && this.stands(tx)) return;
      if (reply !== null && FINAL.includes(reply.code)) {
        this.movements.mark(tx, 'failed', reply.code);
        this.log('a movement was refused for good', { tx: tx.id, code: reply.code });
        return;
      }
      if (this.clock.now() - tx.at > GIVE_UP_MS) {
        this.movements.mark(tx, 'failed', reply?.code ?? null);
        this.log('a movement is given up after a day', { tx: tx.id });
        return;
      }
      await this.pause(BACK_OFF_MS[attempt] ?? LONG_BACK_OFF_MS);
    }
  }

  /** Nothing that is still to come in the operator's round may find it closed: not a stake, its rollback or another credit. */
  private async othersDecided(tx: Tx): Promise<void> {
    for (;;) {
      const rounds = this.store.inWalletRound(tx.walletRound, tx.player);
      const open = rounds
        .flatMap((round) => this.store.txsOf(round.id))
        .filter((other) => other.id !== tx.id && !other.closes);
      const running = open.flatMap((other) => this.deciding.get(other.id) ?? []);
      if (running.length === 0) return;
      await Promise.all(running);
      // Who waits for the same answers may have something to send now.
      await turn();
    }
  }

  /** The fate of a debit that had none is known once its rollback is taken. */
  private settleDebit(rollback: Tx, tombstone: boolean): void {
    const debit = this.store.txs.get(rollback.refTx ?? '');
    if (debit?.state === 'sent') this.movements.mark(debit, tombstone ? 'none' : 'done', null);
  }

  /** A stake and its pay-out in one call had come before their rollback: the round stands as it was played. */
  private stands(rollback: Tx): boolean {
    const both = this.store.txs.get(rollback.refTx ?? '');
    if (both?.kind !== 'debit-credit') return false;
    this.movements.mark(both, 'done', 'OK');
    this.movements.mark(rollback, 'none', 'ALREADY_SETTLED');
    const round = this.store.rounds.get(both.round);
    if (round !== undefined) {
      round.status = 'over';
      round.paidMinor = both.creditMinor;
      round.endedAt ??= this.clock.now();
      this.store.rounds.put(round);
    }
    return true;
  }

  /** Never ends once the host has stopped. */
  private pause(delayMs: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const off = this.clock.after(delayMs, () => {
        this.waiting.delete(off);
        resolve();
      });
      this.waiting.add(off);
    });
  }

  private patient(work: Promise<void>): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.patienceMs);
      void work.finally(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
