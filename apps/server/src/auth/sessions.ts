import { hash, randomBytes } from 'node:crypto';
import { CodedError, TIME } from '@fairgame/contract';
import type { Bus, Stop } from '../bus/bus.ts';
import type { Log } from '../db/db.ts';
import type { Session } from '../http/session.ts';
import { HeldSessions } from './held-sessions.ts';
import { type Kept, ofUser, type SessionRows } from './session-rows.ts';
import type { User } from './users.ts';

const MOST_SESSIONS = 3;
/** Sessions of people behind the site. */
export const OPERATOR_TIME = { sessionMs: 12 * 3_600_000, idleMs: 30 * 60_000 } as const;
/** A sign-in whose code does not come; a code lives ten minutes. */
const PENDING_MS = 15 * 60_000;
/** The password counts this long, however busy the player is. */
const PROOF_MS = 12 * 3_600_000;
const KEEP_ENDED_MS = 7 * 86_400_000;
/** What another process did with a session that was quiet here for so long is read before it is used again. */
const QUIET_MS = 60_000;
/** While nobody can tell of ends, they are read this often. */
const AWAY_MS = 5000;
const ENDED = 'ctl.session.ended';
const CHANGED = 'ctl.session.changed';

export type EndReason =
  | 'logout'
  | 'password'
  | 'code'
  | 'forced'
  | 'expired'
  | 'newer'
  | 'renewed'
  | 'ended'
  | 'removed';
/** `elsewhere`: another process ended them and did what is done once; here only what this one holds is let go. */
export type EndListener = (sessionIds: string[], userId: number, reason: EndReason, elsewhere: boolean) => void;

interface Ended {
  ids: string[];
  userId: number;
  reason: EndReason;
}

/**
 * The live sessions this process has seen, in memory; the rows are the truth. Memory answers, so an end counts at once, and
 * is told to the other processes; who cannot be told reads the rows every five seconds. In a site of one process memory has
 * all of them, and the rows bring them back after a restart. A token is 256 random bits and stored as its SHA-256 only
 * (trust SEC-S1).
 */
export class SessionBook {
  private readonly held = new HeldSessions();
  private readonly listeners = new Set<EndListener>();
  /** Ends the database has not heard of yet. */
  private readonly unsaved = new Map<string, EndReason>();
  /** Ended a moment ago, when: the row of one may say so later than its end was told. */
  private readonly gone = new Map<string, number>();
  private readonly stops: Stop[];
  private readonly rows: SessionRows;
  private readonly log: Log;
  private readonly clock: () => number;
  private readonly bus: Bus;

  constructor(opts: { rows: SessionRows; log: Log; clock: () => number; bus: Bus }) {
    this.rows = opts.rows;
    this.log = opts.log;
    this.clock = opts.clock;
    this.bus = opts.bus;
    const away = setInterval(() => {
      if (!this.bus.hears()) void this.readEnds();
    }, AWAY_MS);
    away.unref();
    this.stops = [
      () => clearInterval(away),
      this.bus.hear(ENDED, (body) => {
        const { ids, userId, reason } = said(body) as Ended;
        this.endedElsewhere(ids, userId, reason);
      }),
      this.bus.hear(CHANGED, (body) => void this.readAgain(said(body) as string[])),
      this.bus.onHearing(() => void this.readEnds()),
    ];
  }

  /** Brings the sessions of the last run back. One of several processes reads each when it is shown. */
  async load(): Promise<void> {
    if (!this.bus.alone) return;
    const now = this.clock();
    for (const kept of await this.rows.since(now - TIME.sessionMs, now)) this.held.add(kept);
  }

  /**
   * Opens a session and gives its token, which is never seen again. A fourth session ends the oldest; a sign-in that still
   * owes its code counts only beside others of its kind (CAR-14). `user`: as he was when he was proven; `from`: the session
   * that asks. Throws LOGIN_FAILED, SESSION_ENDED where one of them counts no more.
   */
  async open(
    user: User,
    about: { ip: string; device: string; pending: boolean; codeAt?: number; from?: Session },
  ): Promise<{ token: string; session: Session }> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock();
    const kept: Kept = {
      ...ofUser(user),
      sessionId: randomBytes(12).toString('base64url'),
      tokenHash: hashOf(token),
      createdAt: now,
      lastSeenAt: now,
      provedAt: now,
      codeAt: about.codeAt ?? 0,
      pending: about.pending,
      stepUpDue: false,
      ip: about.ip,
      device: about.device,
      ended: false,
      dirty: false,
      readAt: now,
    };
    await this.rows.insert(kept);
    this.held.add(kept);
    // Asked when it is there to be ended: who changed the password or the factor, shut the account or ended the session that
    // asks while this was under way has either not seen it, and then is seen here, or has ended it.
    if (about.from?.ended || kept.ended || !(await this.rows.isStill(user))) {
      await this.end([kept], 'forced');
      throw new CodedError(about.from ? 'SESSION_ENDED' : 'LOGIN_FAILED');
    }
    const alike = (await this.ofUser(user.id)).filter(({ pending }) => pending === kept.pending);
    const oldestFirst = alike
      .filter(({ sessionId }) => sessionId !== kept.sessionId)
      .sort((a, b) => a.createdAt - b.createdAt);
    const tooMany = oldestFirst.slice(0, Math.max(0, alike.length - MOST_SESSIONS));
    if (tooMany.length > 0) await this.end(tooMany, 'newer');
    return { token, session: kept };
  }

  /** Null: what `sessionOf` would say of this token is known here. Else to be waited for before asking. */
  look(token: string): Promise<void> | null {
    if (this.bus.alone) return null;
    const tokenHash = hashOf(token);
    const kept = this.held.ofToken(tokenHash);
    const now = this.clock();
    if (kept && now - Math.max(kept.lastSeenAt, kept.readAt) < QUIET_MS) return null;
    return this.rows.ofToken(tokenHash, now).then((found) => this.take(found));
  }

  /** The live session of a token, or null. An expired one is ended on sight. */
  sessionOf(token: string): Session | null {
    const kept = this.held.ofToken(hashOf(token));
    if (!kept) return null;
    if (this.isExpired(kept)) {
      void this.end([kept], 'expired');
      return null;
    }
    return kept;
  }

  touch(session: Session, attended = true): void {
    const kept = this.held.get(session.sessionId);
    if (!kept) return;
    const now = this.clock();
    const isStale = now - kept.lastSeenAt > TIME.stepUpMs || now - kept.provedAt > PROOF_MS;
    if (isStale && !kept.isDemo) kept.stepUpDue = true;
    // What a client reads by itself is no sign of its player.
    if (attended) kept.lastSeenAt = now;
    kept.dirty = true;
  }

  /** The password was given again; with a second factor too, that is said with its time. */
  async proved(session: Session, codeAt?: number): Promise<void> {
    const kept = this.held.get(session.sessionId);
    if (!kept) return;
    kept.provedAt = this.clock();
    if (codeAt !== undefined) kept.codeAt = codeAt;
    kept.stepUpDue = false;
    kept.dirty = true;
    if (this.bus.alone) return;
    await this.rows.save([kept]);
    this.tell(CHANGED, [kept.sessionId]);
  }

  /** When this session last gave a second factor; 0 for never. */
  codeAt(session: Session): number {
    return this.held.get(session.sessionId)?.codeAt ?? 0;
  }

  async ofUser(userId: number): Promise<Session[]> {
    if (!this.bus.alone) this.take(await this.rows.ofUser(userId, this.clock()));
    return this.held.ofUser(userId).filter((kept) => !this.isExpired(kept));
  }

  async all(): Promise<Session[]> {
    const now = this.clock();
    if (!this.bus.alone) this.take(await this.rows.since(now - TIME.sessionMs, now));
    return this.held.all();
  }

  /** Ends sessions: at once in memory, for listeners and other processes, then in the database (retried by `tick` when that fails). */
  async end(sessions: readonly Session[], reason: EndReason): Promise<void> {
    for (const [userId, ids] of this.letGo(sessions.map(({ sessionId }) => sessionId))) {
      for (const id of ids) this.unsaved.set(id, reason);
      this.tell(ENDED, { ids, userId, reason } satisfies Ended);
      for (const listener of this.listeners) listener(ids, userId, reason, false);
    }
    await this.saveEnds();
  }

  onEnded(listener: EndListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Every half minute: ends what has expired, saves the idle clocks. */
  async tick(): Promise<void> {
    const due = this.held.all().filter((kept) => this.isExpired(kept));
    if (due.length > 0 && !this.bus.alone) await this.readAgain(due.map(({ sessionId }) => sessionId));
    const expired = due.filter((kept) => this.isExpired(kept));
    if (expired.length > 0) await this.end(expired, 'expired');
    else await this.saveEnds();
    if (!this.bus.alone) await this.readEnds();
    const dirty = this.held.all().filter((kept) => kept.dirty);
    if (dirty.length > 0) {
      for (const kept of dirty) kept.dirty = false;
      await this.rows.save(dirty);
    }
    const now = this.clock();
    for (const [id, at] of this.gone) if (now - at > QUIET_MS && !this.unsaved.has(id)) this.gone.delete(id);
  }

  /** Rows of sessions that ended long ago; by one process of the site. */
  forgetOld(): Promise<void> {
    return this.rows.forgetBefore(this.clock() - KEEP_ENDED_MS);
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  /** Sessions as their rows have them: new ones, and what another process did with those that are here. */
  private take(found: readonly Kept[]): void {
    for (const fresh of found) {
      const kept = this.held.get(fresh.sessionId);
      if (!kept) {
        if (!this.gone.has(fresh.sessionId)) this.held.add(fresh);
        continue;
      }
      kept.readAt = fresh.readAt;
      kept.lastSeenAt = Math.max(kept.lastSeenAt, fresh.lastSeenAt);
      kept.codeAt = Math.max(kept.codeAt, fresh.codeAt);
      if (fresh.provedAt < kept.provedAt) continue;
      kept.provedAt = fresh.provedAt;
      kept.stepUpDue = fresh.stepUpDue;
    }
  }

  private async readAgain(ids: readonly string[]): Promise<void> {
    const held = ids.filter((id) => this.held.get(id));
    if (held.length === 0) return;
    try {
      this.take(await this.rows.byIds(held, this.clock()));
    } catch (error) {
      this.log.warn({ err: error }, 'sessions could not be read again');
    }
  }

  /** What ended while nobody could tell this process, or was told and not heard. */
  private async readEnds(): Promise<void> {
    const ids = this.held.all().map(({ sessionId }) => sessionId);
    if (ids.length === 0) return;
    try {
      for (const { id, reason } of await this.rows.ended(ids)) {
        const kept = this.held.get(id);
        if (kept) this.endedElsewhere([id], kept.userId, reason as EndReason);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'ended sessions could not be read');
    }
  }

  private endedElsewhere(ids: string[], userId: number, reason: EndReason): void {
    if (this.letGo(ids).size > 0) for (const listener of this.listeners) listener(ids, userId, reason, true);
  }

  /** Out of memory, and not to be taken in again from a row that does not say so yet; by user. */
  private letGo(ids: readonly string[]): Map<number, string[]> {
    for (const id of ids) this.gone.set(id, this.clock());
    return this.held.letGo(ids);
  }

  private tell(subject: string, about: object): void {
    if (!this.bus.alone) this.bus.tell(subject, Buffer.from(JSON.stringify(about)));
  }

  private isExpired(kept: Kept): boolean {
    const now = this.clock();
    if (kept.pending && now - kept.createdAt >= PENDING_MS) return true;
    const { sessionMs, idleMs } = kept.role === 'operator' ? OPERATOR_TIME : TIME;
    return now - kept.createdAt >= sessionMs || now - kept.lastSeenAt >= idleMs;
  }

  private async saveEnds(): Promise<void> {
    if (this.unsaved.size === 0) return;
    const ends = [...this.unsaved];
    try {
      await this.rows.end(ends, this.clock());
      for (const [id] of ends) this.unsaved.delete(id);
    } catch (error) {
      this.log.error({ err: error, sessions: ends.length }, 'ended sessions not saved yet');
    }
  }
}

const said = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString());
const hashOf = (token: string): string => hash('sha256', token, 'base64url');
