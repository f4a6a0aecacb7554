/**
 * Sessions: made by a launch of the operator, begun by the page's first call, ended by the next one of the same player. The
 * address of a game opens it once: the page makes a key of its own, and whoever has the address without that key gets nothing.
 */
import { createHash } from 'node:crypto';
import type { AnyGame } from '../game.ts';
import type { Clock } from './clock.ts';
import type { Core } from './core.ts';
import { DEMO_BALANCE_MINOR } from './demo.ts';
import { Refusal, refusalOfWallet } from './refusal.ts';
import { type Mode, newSeed, randomId, type Seat, type Session, type Store } from './store.ts';
import type { OperatorWallet } from './wallet.ts';

export interface Launch {
  readonly mode: Mode;
  readonly game: string;
  /** Real mode only. */
  readonly player?: string | undefined;
  /** The operator's one-use token; real mode only. */
  readonly token?: string | undefined;
  readonly currency: string;
  readonly theme?: 'dark' | 'light' | undefined;
  readonly lobbyUrl?: string | undefined;
  readonly maxStakeMinor?: number | null | undefined;
}

export interface Launched {
  readonly url: string;
  readonly sessionId: string;
  readonly expiresAt: number;
}

export interface Sessions {
  /** Throws a Refusal: no such game (PAUSED), or a launch that cannot be (BAD_INPUT). */
  launch(launch: Launch): Launched;
  /**
   * Begins a new session on its first use, and binds it to the key that is used. `name`: the session's id, a dot, and the page's
   * key. Throws a Refusal where it is over, replaced, or the token is not taken; where the key is another one it is over too.
   */
  begin(name: string): Promise<Session>;
  /** A session that has begun. */
  use(name: string): Session;
  seatOf(session: Session): Seat;
  /** The operator named a balance. */
  balanceSeen(walletSession: string, balanceMinor: number): void;
  onEnd(listener: (session: Session, code: 'SESSION_OVER' | 'SESSION_REPLACED') => void): void;
  end(session: Session, code: 'SESSION_OVER' | 'SESSION_REPLACED'): void;
}

const TOKEN_MS = 60_000;
const IDLE_MS = 12 * 3_600_000;
/** A use is written down at most this often. */
const USED_EVERY_MS = 600_000;

export function createSessions(core: Core, at: { publicOrigin: string; parentOrigins: readonly string[] }): Sessions {
  return new SessionBook(core, at);
}

class SessionBook implements Sessions {
  private readonly core: Core;
  private readonly at: { publicOrigin: string; parentOrigins: readonly string[] };
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly games: ReadonlyMap<string, AnyGame>;
  private readonly wallet: OperatorWallet;
  /** Launched and not begun: the token and until when it is good. These do not outlive the program. */
  private readonly fresh = new Map<string, { session: Session; token: string; expiresAt: number; keyHash?: string }>();
  private readonly beginning = new Map<string, Promise<Session>>();
  private readonly byWallet = new Map<string, Session>();
  private readonly listeners: Parameters<Sessions['onEnd']>[0][] = [];

  constructor(core: Core, at: { publicOrigin: string; parentOrigins: readonly string[] }) {
    this.core = core;
    this.at = at;
    this.store = core.store;
    this.clock = core.clock;
    this.games = core.games;
    this.wallet = core.wallet;
    for (const session of this.store.sessions.values()) this.byWallet.set(session.walletSession, session);
  }

  end(session: Session, code: 'SESSION_OVER' | 'SESSION_REPLACED'): void {
    if (session.status !== 'active') return;
    session.status = code === 'SESSION_OVER' ? 'over' : 'replaced';
    this.store.sessions.put(session);
    this.byWallet.delete(session.walletSession);
    for (const listener of this.listeners) listener(session, code);
  }

  use(name: string): Session {
    const { id, keyHash } = partsOf(name);
    const session = this.store.sessions.get(id);
    if (session === undefined || session.status === 'over' || session.keyHash !== keyHash)
      throw new Refusal('SESSION_OVER');
    if (session.status === 'replaced') throw new Refusal('SESSION_REPLACED');
    const now = this.clock.now();
    if (now - session.usedAt > IDLE_MS) {
      this.end(session, 'SESSION_OVER');
      throw new Refusal('SESSION_OVER');
    }
    if (now - session.usedAt > USED_EVERY_MS) {
      session.usedAt = now;
      this.store.sessions.put(session);
    }
    return session;
  }

  launch(launch: Launch): Launched {
    if (!this.games.has(launch.game)) throw new Refusal('PAUSED');
    const real = launch.mode === 'real';
    if (real && (!launch.player || !launch.token)) throw new Refusal('BAD_INPUT', 'A player and a token are needed.');
    if (!/^[A-Z]{3}$/.test(launch.currency)) throw new Refusal('BAD_INPUT', 'A currency has three letters.');
    const now = this.clock.now();
    for (const [id, one] of this.fresh) if (one.expiresAt < now) this.fresh.delete(id);
    const id = randomId('g');
    const session: Session = {
      id,
      mode: launch.mode,
      game: launch.game,
      player: real ? (launch.player ?? '') : `demo-${id}`,
      currency: launch.currency,
      walletSession: '',
      keyHash: '',
      maxStakeMinor: launch.maxStakeMinor ?? null,
      theme: launch.theme ?? 'dark',
      parentOrigin: parentOf(launch.lobbyUrl, this.at.parentOrigins),
      status: 'new',
      balanceMinor: 0,
      usedAt: now,
    };
    const expiresAt = now + TOKEN_MS;
    this.fresh.set(id, { session, token: launch.token ?? '', expiresAt });
    return { url: `${this.at.publicOrigin}/play?s=${id}`, sessionId: id, expiresAt };
  }

  begin(name: string): Promise<Session> {
    const { id, keyHash } = partsOf(name);
    const launched = this.fresh.get(id);
    if (launched === undefined) return Promise.resolve().then(() => this.use(name));
    // Bound before the wallet is asked: a second one that comes meanwhile, or after a miss, is no first.
    launched.keyHash ??= keyHash;
    if (launched.keyHash !== keyHash) return Promise.reject(new Refusal('SESSION_OVER'));
    let begun = this.beginning.get(id);
    if (begun === undefined) {
      begun = this.first(id, keyHash).finally(() => this.beginning.delete(id));
      this.beginning.set(id, begun);
    }
    return begun;
  }

  seatOf(session: Session): Seat {
    const id = `${session.mode}:${session.player}:${session.game}`;
    const seat = this.store.seats.get(id);
    if (seat !== undefined) return seat;
    const added: Seat = {
      id,
      clientSeed: newSeed().slice(0, 16),
      serverSeed: newSeed(),
      nonce: 0,
      openRound: null,
      readyAt: 0,
    };
    this.store.seats.put(added);
    return added;
  }

  balanceSeen(walletSession: string, balanceMinor: number): void {
    const session = this.byWallet.get(walletSession);
    if (session !== undefined) session.balanceMinor = balanceMinor;
  }

  onEnd(listener: (session: Session, code: 'SESSION_OVER' | 'SESSION_REPLACED') => void): void {
    this.listeners.push(listener);
  }

  private async first(id: string, keyHash: string): Promise<Session> {
    const launched = this.fresh.get(id);
    if (launched === undefined) throw new Refusal('SESSION_OVER');
    const { session, token, expiresAt } = launched;
    if (this.clock.now() > expiresAt) {
      this.fresh.delete(id);
      throw new Refusal('SESSION_OVER');
    }
    if (session.mode === 'demo') {
      session.walletSession = session.id;
      session.balanceMinor = DEMO_BALANCE_MINOR;
    } else {
      const login = await this.wallet.authenticate(token, session.game).catch((error: unknown) => {
        this.core.log('no answer to a token', { error: String(error) });
        return null;
      });
      if (login === null || login.code === 'RETRY') throw new Refusal('WALLET_DOWN');
      this.fresh.delete(id);
      if (login.code !== 'OK' || login.session === undefined) throw refusalOfWallet(login.code, 0);
      // The token says who plays: it must be the player and the currency of the launch.
      if (login.player !== session.player || login.currency !== session.currency) throw new Refusal('SESSION_OVER');
      session.walletSession = login.session;
      session.balanceMinor = login.balanceMinor ?? 0;
    }
    this.fresh.delete(id);
    session.keyHash = keyHash;
    for (const other of this.store.sessions.values()) {
      const same = other.mode === session.mode && other.player === session.player && other.game === session.game;
      if (same && other.status === 'active') {
        this.end(other, 'SESSION_REPLACED');
        if (other.mode === 'real' && other.walletSession !== session.walletSession)
          this.wallet.sessionEnd(other.walletSession).catch(() => {});
      }
    }
    session.status = 'active';
    session.usedAt = this.clock.now();
    this.store.sessions.put(session);
    this.byWallet.set(session.walletSession, session);
    return session;
  }
}

function partsOf(name: string): { id: string; keyHash: string } {
  const [id = '', key = ''] = name.split('.');
  return { id, keyHash: createHash('sha256').update(key).digest('hex') };
}

/** The site's page that opened the game, if it is one of those that may; else the first of these. */
function parentOf(lobbyUrl: string | undefined, allowed: readonly string[]): string {
  if (lobbyUrl !== undefined && URL.canParse(lobbyUrl)) {
    const { origin } = new URL(lobbyUrl);
    if (allowed.includes(origin)) return origin;
  }
  return allowed[0] ?? '';
}
