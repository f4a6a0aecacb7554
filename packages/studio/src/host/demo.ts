/** Play money: the same wallet without an operator. The balance is the session's own and nothing leaves the program. */
import type { Store } from './store.ts';
import type { OperatorWallet, WalletReply } from './wallet.ts';

export const DEMO_BALANCE_MINOR = 1_000_000;

export function demoWallet(store: Store): OperatorWallet {
  const move = (sessionId: string, byMinor: number): Promise<WalletReply> => {
    const session = store.sessions.get(sessionId);
    if (session === undefined) return Promise.resolve({ code: 'INVALID_TOKEN' });
    if (session.balanceMinor + byMinor < 0)
      return Promise.resolve({ code: 'INSUFFICIENT_FUNDS', balanceMinor: session.balanceMinor });
    session.balanceMinor += byMinor;
    store.sessions.put(session);
    return Promise.resolve({ code: 'OK', balanceMinor: session.balanceMinor });
  };
  return {
    authenticate: () => Promise.resolve({ code: 'INVALID_TOKEN' }),
    balance: (session) => move(session, 0),
    debit: (at) => move(at.session, -at.amountMinor),
    credit: (at) => move(at.session, at.amountMinor),
    rollback: (at) => {
      const debit = store.txs.get(at.refTx);
      return move(at.session, debit?.state === 'done' ? debit.amountMinor : 0);
    },
    roundEnd: (at) => move(at.session, 0),
    sessionEnd: (session) => move(session, 0),
  };
}
