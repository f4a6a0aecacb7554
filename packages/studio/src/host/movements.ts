/** Movements of money: each is written down before it is sent, and keeps what the operator said to it. */
import type { MoneyOptions } from './money.ts';
import type { Round, Tx } from './store.ts';
import type { WalletCode, WalletReply } from './wallet.ts';

export class Movements {
  private readonly options: Pick<MoneyOptions, 'store' | 'clock' | 'walletOf' | 'balanceSeen' | 'log'>;

  constructor(options: Pick<MoneyOptions, 'store' | 'clock' | 'walletOf' | 'balanceSeen' | 'log'>) {
    this.options = options;
  }

  write(round: Round, id: string, more: Pick<Tx, 'kind' | 'amountMinor'> & Partial<Tx>): Tx {
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
      at: this.options.clock.now(),
      state: 'sent',
      code: null,
      ...more,
    };
    this.options.store.txs.put(tx);
    return tx;
  }

  mark(tx: Tx, state: Tx['state'], code: WalletCode | null): void {
    tx.state = state;
    tx.code = code;
    this.options.store.txs.put(tx);
  }

  /** Sends it once; null where no answer came. */
  async send(tx: Tx): Promise<WalletReply | null> {
    const { store, balanceSeen, log } = this.options;
    try {
      if (tx.mode === 'real') await store.synced();
      const reply = await this.call(tx);
      if (reply.balanceMinor !== undefined) balanceSeen(tx.walletSession, reply.balanceMinor);
      return reply;
    } catch (error) {
      log('no answer from the wallet', { tx: tx.id, error: String(error) });
      return null;
    }
  }

  private call(tx: Tx): Promise<WalletReply> {
    const wallet = this.options.walletOf(tx.mode);
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
    switch (tx.kind) {
      case 'debit':
        return wallet.debit({ ...move, amountMinor });
      case 'credit':
        return wallet.credit({ ...move, amountMinor, roundClosed: tx.closes, refTx });
      case 'rollback':
        return wallet.rollback({ ...move, refTx });
      case 'round-end':
        return wallet.roundEnd(move);
      case 'debit-credit':
        return wallet.debitCredit!({ ...move, amountMinor, creditMinor, roundClosed: true });
    }
  }
}
