/** What the parts of the host share. */
import type { AnyGame } from '../game.ts';
import type { Clock } from './clock.ts';
import type { Money } from './money.ts';
import type { Session, Store } from './store.ts';
import type { OperatorWallet } from './wallet.ts';

export interface Core {
  readonly provider: Provider;
  readonly store: Store;
  readonly clock: Clock;
  readonly money: Money;
  /** The games of this provider that exist, in the order of its list. */
  readonly games: ReadonlyMap<string, AnyGame>;
  readonly wallet: OperatorWallet;
  readonly log: (text: string, what: object) => void;
}

export interface Provider {
  readonly code: 'a' | 'b';
  readonly name: string;
  readonly look: 'a' | 'b';
  readonly subProvider: string;
  /** Codes of its games in the order of the lobby. */
  readonly games: readonly string[];
}

/** The highest stake that session and game both allow. */
export function mostStake(session: Session, game: AnyGame): number {
  return Math.min(game.maxStakeMinor, session.maxStakeMinor ?? game.maxStakeMinor);
}

/** Work for one key after the other: a seat does one thing at a time. */
export function createLocks(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    const run = before.then(work, work);
    const tail = run.catch(() => {});
    tails.set(key, tail);
    void tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
    return run;
  };
}
