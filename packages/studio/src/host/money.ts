/**
 * Every movement of money: written down first, then sent. A stake whose answer is missing is rolled back; a rollback and a
 * pay-out are sent again until the operator has decided, over a restart too. Ids are made from the round's, so that nothing
 * that is done twice moves money twice. Over 300 lines: one closure holds what is on its way, which nothing else may touch.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import type { Round, Store, Tx } from './store.ts';
import type { OperatorWallet, WalletCode, WalletReply } from './wallet.ts';

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
  const { store, clock, walletOf, log } = options;
  const waiting = new Set<() => void>();
  const deciding = new Map<string, Promise<void>>();
  let stopped = false;

  const write = (round: Round, id: string, more: Pick<Tx, 'kind' | 'amountMinor'> & Partial<Tx>): Tx => {
    const tx: Tx = {
      id,
      round: round.id,
      walletRound: round.walletRound,
      mode: round.mode,
      player: round.player,
      walletSession: round.walletSession,
      game: round.game,
      currency: round.currency,
      creditMinor: 0,
      refTx: null,
      closes: false,
      at: clock.now(),
      state: 'sent',
      code: null,
      ...more,
    };
    store.txs.put(tx);
    return tx;
  };

  const mark = (tx: Tx, state: Tx['state'], code: WalletCode | null) => {
    tx.state = state;
    tx.code = code;
    store.txs.put(tx);
  };

  async function call(tx: Tx): Promise<WalletReply | null> {
    const wallet = walletOf(tx.mode);
    const move = {
      session: tx.walletSession,
      player: tx.player,
      tx: tx.id,
      round: tx.walletRound,
      game: tx.game,
      currency: tx.currency,
    };
    const { amountMinor, creditMinor } = tx;
    const refTx = tx.refTx ?? '';
    try {
      if (tx.mode === 'real') await store.synced();
      const reply =
        tx.kind === 'debit'
          ? await wallet.debit({ ...move, amountMinor })
          : tx.kind === 'credit'
            ? await wallet.credit({ ...move, amountMinor, roundClosed: tx.closes, refTx })
            : tx.kind === 'rollback'
              ? await wallet.rollback({ ...move, refTx })
              : tx.kind === 'round-end'
                ? await wallet.roundEnd(move)
                : await wallet.debitCredit!({ ...move, amountMinor, creditMinor, roundClosed: true });
      if (reply.balanceMinor !== undefined) options.balanceSeen(tx.walletSession, reply.balanceMinor);
      return reply;
    } catch (error) {
      log('no answer from the wallet', { tx: tx.id, error: String(error) });
      return null;
    }
  }

  function once(round: Round, tx: Tx): Promise<Taken> {
    const taken = onceOnly(round, tx);
    const known = taken.then(() => {}).finally(() => deciding.delete(tx.id));
    deciding.set(tx.id, known);
    return taken;
  }

  async function onceOnly(round: Round, tx: Tx): Promise<Taken> {
    const reply = await call(tx);
    if (reply?.code === 'OK') {
      mark(tx, 'done', 'OK');
      return { kind: 'done' };
    }
    if (reply !== null && REFUSED.includes(reply.code)) {
      mark(tx, 'refused', reply.code);
      return { kind: 'refused', code: reply.code };
    }
    log('a stake of unknown fate is rolled back', { tx: tx.id, code: reply?.code });
    // Not waited for: the player is told at once.
    void rollBack(round, tx);
    return { kind: 'unknown' };
  }

  function rollBack(round: Round, debit: Tx): Promise<void> {
    const id = `${debit.id}.r`;
    if (store.txs.get(id) !== undefined) return deciding.get(id) ?? Promise.resolve();
    const { amountMinor, creditMinor } = debit;
    return decide(write(round, id, { kind: 'rollback', amountMinor, creditMinor, refTx: debit.id }));
  }

  /** Sends a credit or rollback until the operator has decided; resolves only then. */
  function decide(tx: Tx): Promise<void> {
    const already = deciding.get(tx.id);
    if (already !== undefined) return already;
    const running = untilDecided(tx).finally(() => deciding.delete(tx.id));
    deciding.set(tx.id, running);
    return running;
  }

  async function untilDecided(tx: Tx): Promise<void> {
    if (tx.closes) await othersDecided(tx);
    for (let attempt = 0; ; attempt++) {
      const reply = await call(tx);
      if (stopped) return;
      if (reply?.code === 'OK') {
        mark(tx, 'done', 'OK');
        if (tx.kind === 'rollback') settleDebit(tx, reply.tombstone === true);
        return;
      }
      if (reply?.code === 'ALREADY_SETTLED' && stands(tx)) return;
      if (reply !== null && FINAL.includes(reply.code)) {
        mark(tx, 'failed', reply.code);
        log('a movement was refused for good', { tx: tx.id, code: reply.code });
        return;
      }
      if (clock.now() - tx.at > GIVE_UP_MS) {
        mark(tx, 'failed', reply?.code ?? null);
        log('a movement is given up after a day', { tx: tx.id });
        return;
      }
      await pause(BACK_OFF_MS[attempt] ?? LONG_BACK_OFF_MS);
    }
  }

  /** Nothing that is still to come in the operator's round may find it closed: not a stake, its rollback or another credit. */
  async function othersDecided(tx: Tx): Promise<void> {
    for (;;) {
      const rounds = store.inWalletRound(tx.walletRound, tx.player);
      const open = rounds
        .flatMap((round) => store.txsOf(round.id))
        .filter((other) => other.id !== tx.id && !other.closes);
      const running = open.flatMap((other) => deciding.get(other.id) ?? []);
      if (running.length === 0) return;
      await Promise.all(running);
      // Who waits for the same answers may have something to send now.
      await turn();
    }
  }

  /** The fate of a debit that had none is known once its rollback is taken. */
  function settleDebit(rollback: Tx, tombstone: boolean): void {
    const debit = store.txs.get(rollback.refTx ?? '');
    if (debit?.state === 'sent') mark(debit, tombstone ? 'none' : 'done', null);
  }

  /** A stake and its pay-out in one call had come before their rollback: the round stands as it was played. */
  function stands(rollback: Tx): boolean {
    const both = store.txs.get(rollback.refTx ?? '');
    if (both?.kind !== 'debit-credit') return false;
    mark(both, 'done', 'OK');
    mark(rollback, 'none', 'ALREADY_SETTLED');
    const round = store.rounds.get(both.round);
    if (round !== undefined) {
      round.status = 'over';
      round.paidMinor = both.creditMinor;
      round.endedAt ??= clock.now();
      store.rounds.put(round);
    }
    return true;
  }

  /** Never ends once the host has stopped. */
  const pause = (delayMs: number) =>
    new Promise<void>((resolve) => {
      const off = clock.after(delayMs, () => {
        waiting.delete(off);
        resolve();
      });
      waiting.add(off);
    });

  const patient = (work: Promise<void>) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, options.patienceMs);
      void work.finally(() => {
        clearTimeout(timer);
        resolve();
      });
    });

  return {
    inOneCall: (round) => walletOf(round.mode).debitCredit !== undefined,
    stake: (round, part, amountMinor) =>
      once(round, write(round, `${round.id}.d${part}`, { kind: 'debit', amountMinor })),
    stakeAndPay: (round, amountMinor, creditMinor) =>
      once(round, write(round, `${round.id}.x`, { kind: 'debit-credit', amountMinor, creditMinor, closes: true })),
    pay(round, paidMinor, closes = true) {
      const id = `${round.id}.c`;
      if (store.txs.get(id) !== undefined) return Promise.resolve();
      const tx = write(round, id, { kind: 'credit', amountMinor: paidMinor, refTx: `${round.id}.d0`, closes });
      return patient(decide(tx));
    },
    endRound(round) {
      const id = `${round.id}.e`;
      if (store.txs.get(id) !== undefined) return Promise.resolve();
      return patient(decide(write(round, id, { kind: 'round-end', amountMinor: 0, closes: true })));
    },
    async giveBack(round) {
      const debits = store.txsOf(round.id).filter((tx) => tx.kind === 'debit' || tx.kind === 'debit-credit');
      const back = debits.filter((tx) => tx.state === 'sent' || tx.state === 'done');
      await patient(Promise.all(back.map((tx) => rollBack(round, tx))).then(() => {}));
    },
    resume() {
      const onTheWay = [...store.txs.values()].filter((tx) => tx.state === 'sent');
      const isStake = (tx: Tx) => tx.kind === 'debit' || tx.kind === 'debit-credit';
      // What closes a round waits for the others of it: those first.
      for (const tx of onTheWay.filter(isStake)) {
        const round = store.rounds.get(tx.round);
        if (round !== undefined) void rollBack(round, tx);
      }
      for (const tx of onTheWay
        .filter((one) => !isStake(one))
        .sort((one, other) => Number(one.closes) - Number(other.closes)))
        void decide(tx);
    },
    stop() {
      stopped = true;
      for (const off of waiting) off();
      waiting.clear();
    },
  };
}
