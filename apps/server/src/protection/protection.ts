/** Player protection: states of accounts, limits, breaks, self-exclusion, reality check. Rules in rules.ts, by profile. */
import type { AccountStanding } from '@fairgame/contract';
import { dayNumber } from '@fairgame/contract';
import type { User } from '../auth/auth.ts';
import type { Core } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import { AccountStates } from './account-states.ts';
import { guard } from './gate.ts';
import { Parts, type ProtectionOptions } from './parts.ts';
import { type AccountState, PROFILES } from './profiles.ts';
import { isAwake, mustBeAwake, realityDue } from './reality.ts';
import { limitsNow, profileOf, type Record } from './records.ts';
import { limitRoutes } from './routes/limits.ts';
import { operatorRoutes } from './routes/operator.ts';
import { realityRoutes } from './routes/reality.ts';
import { restrictionRoutes } from './routes/restrictions.ts';
import { statusRoutes } from './routes/status.ts';
import { frozenAt } from './rules.ts';

const TICK_MS = 30_000;
const DAY_MS = 86_400_000;
/** Bets are refused in the moment an account freezes; those that wait in the books may wait this much longer. */
const AGE_TICK_MS = 10 * 60_000;
/** Nobody is inactive sooner, whatever the profile. */
const LEAST_ABSENCE_MS = 300 * DAY_MS;

export class Protection {
  /** The core with protection in front: for every room that bets or pays. */
  readonly guarded: Core;
  private readonly parts: Parts;
  private readonly states: AccountStates;
  private readonly log: Log;
  private readonly isAlone: () => boolean;
  private readonly timer: NodeJS.Timeout;
  private readonly zones = new Map<number, string>();
  private agesAt = 0;

  constructor(options: ProtectionOptions) {
    const parts = new Parts(options);
    const states = new AccountStates(parts);
    this.parts = parts;
    this.states = states;
    this.log = options.log;
    this.isAlone = options.isAlone;
    this.guarded = guard({
      db: parts.db,
      core: parts.core,
      clock: parts.clock,
      isClear: (accountId) => this.isClear(accountId),
      recordOf: (accountId) => parts.records.of(accountId),
      mustBeActive: (record) => states.mustBeActive(record),
      mustTakeDeposits: (record) => states.mustTakeDeposits(record),
      mustBeAwake: (record) => mustBeAwake(parts, record),
      staked: (record, from) => parts.stakes.since(record, from),
      keepCore: (record) => states.keepCore(record),
      setAside: (record, amountMinor) => states.setAside(record, amountMinor),
      alone: (record, work) => parts.alone(record, work),
    });
    // Before a sign-in counts as access: a long absence has to be seen first.
    parts.auth.useStanding(async (userId) => {
      const record = await parts.records.of(userId);
      if (!record) return null;
      const state = await states.settle(record);
      if (state !== 'inactive' && state !== 'dormant') record.lastAccessAt = parts.clock();
      return states.standingOf(record, state);
    });
    this.timer = setInterval(() => {
      this.tick().catch((error: unknown) =>
        this.log.error({ err: error }, 'player protection could not keep its times'),
      );
    }, TICK_MS);
    this.timer.unref();
  }

  routes(http: Http): void {
    const { parts, states } = this;
    // Any call of a player is a sign of life.
    http.app.addHook('preHandler', (req, _reply, done) => {
      const session = req.fairSession;
      if (session?.role !== 'user' || session.isDemo || session.pending) return done();
      const known = parts.records.now(session.userId);
      const alive = known === undefined ? this.alive(session.userId) : known && this.goOn(known);
      if (alive) alive.then(() => done(), done);
      else done();
    });
    for (const routes of [statusRoutes, limitRoutes, restrictionRoutes, realityRoutes, operatorRoutes])
      routes(http, parts, states);
  }

  private async alive(userId: number): Promise<void> {
    const record = await this.parts.records.of(userId);
    if (record) await this.goOn(record);
  }

  private goOn(record: Record): Promise<void> | null {
    this.zones.set(record.userId, profileOf(record).timeZone);
    return this.parts.seen(record);
  }

  private isClear(accountId: number): boolean {
    const { parts, states } = this;
    const record = parts.records.now(accountId);
    if (!record) return record === null;
    return record.limits.length === 0 && !record.coreStale && states.isOpen(record) && isAwake(parts, record);
  }

  /** Whether a game may be opened. Throws ACCOUNT_BLOCKED with the reason, REALITY_CHECK_DUE, SESSION_TIME_LIMIT. */
  async mayPlay(userId: number): Promise<void> {
    const record = await this.parts.records.of(userId);
    if (!record) return;
    await this.states.mustBeActive(record);
    await mustBeAwake(this.parts, record);
  }

  /** When the player's visit began, ms; null for play money and for who is away. */
  visitSince(userId: number): number | null {
    return this.parts.visits.since(userId);
  }

  /** What a provider is told at a launch: the player's own limit of a stake, and how often a reality check is due. */
  async launchLimits(userId: number, slots: boolean): Promise<{ maxStakeMinor?: number; realityCheckSec?: number }> {
    const record = await this.parts.records.of(userId);
    if (!record) return {};
    const own = limitsNow(record, this.parts.clock()).filter(({ kind }) => kind === 'stake');
    const stakes = own.map(({ amountMinor }) => amountMinor);
    const { slotStakeMinor } = profileOf(record);
    if (slots && slotStakeMinor !== null) stakes.push(slotStakeMinor);
    const { minutes } = realityDue(this.parts, record);
    return {
      ...(stakes.length > 0 ? { maxStakeMinor: Math.min(...stakes) } : {}),
      ...(minutes > 0 ? { realityCheckSec: minutes * 60 } : {}),
    };
  }

  /** What the player lets his open bets cost at most; null where he set no limit. */
  async exposureLimit(userId: number): Promise<number | null> {
    const record = await this.parts.records.of(userId);
    const limits = record ? limitsNow(record, this.parts.clock()) : [];
    return limits.find(({ kind }) => kind === 'exposure')?.amountMinor ?? null;
  }

  /** What the player's jurisdiction says of slots: the most a round may take (null: no cap) and the least between two. */
  async slotRules(userId: number): Promise<{ stakeMinor: number | null; roundMs: number }> {
    const record = await this.parts.records.of(userId);
    const { slotStakeMinor, slotRoundMs } = record ? profileOf(record) : PROFILES.INT;
    return { stakeMinor: slotStakeMinor, roundMs: slotRoundMs };
  }

  /** By whose clock the player's jurisdiction counts days; null where it names none. */
  async clockOf(userId: number): Promise<string | null> {
    const record = await this.parts.records.of(userId);
    const zone = (record ? profileOf(record) : PROFILES.INT).timeZone;
    return zone === PROFILES.INT.timeZone ? null : zone;
  }

  /**
   * Why betting is off, and the state by the clock; brings both up to date. `freezesAt`: when an account freezes whose age is
   * not verified by then, null where none will.
   */
  async standing(userId: number): Promise<{
    state: AccountState;
    standing: AccountStanding | null;
    freezesAt: number | null;
    ageVerified: boolean;
  }> {
    const record = await this.parts.records.of(userId);
    if (!record) return { state: 'active', standing: null, freezesAt: null, ageVerified: false };
    const state = await this.states.settle(record);
    // What has happened is said by the state.
    const freezes = frozenAt(record, profileOf(record));
    return {
      state,
      standing: this.states.standingOf(record, state),
      freezesAt: freezes > this.parts.clock() && freezes < Number.POSITIVE_INFINITY ? freezes : null,
      ageVerified: record.ageVerified,
    };
  }

  /** The operator's block of an account or of its betting; a restriction of the player's own goes on behind it. */
  async block(user: User, what: 'account' | 'betting', on: boolean, actor: string): Promise<void> {
    const { parts, states } = this;
    const record = await parts.mustKnow(user.id);
    await parts.alone(record, async () => {
      if (what === 'account') return states.setBase(record, on ? 'blocked' : 'active', actor);
      record.betBlocked = on;
      await states.bringCore(record);
      await parts.auth.setBetBlocked(user, on);
      await parts.records.change(record, () => {
        record.betBlocked = on;
      });
      parts.profileChanged(user.id);
    });
  }

  /** What a revocation would end, and from when; throws REVOCATION_EARLY, STATE_NOT_FITTING where it may not be asked for. */
  async mayRevoke(user: User): Promise<{ state: string; from: number }> {
    const record = await this.parts.mustKnow(user.id);
    await this.states.settle(record);
    const { restriction, from } = this.states.mayRevoke(record);
    return { state: restriction.state, from };
  }

  /** Takes a player's request to end his restriction; answers when it ends. Throws as `mayRevoke`. */
  async revoke(user: User, actor: string): Promise<number> {
    const record = await this.parts.mustKnow(user.id);
    return this.parts.alone(record, async () => {
      await this.states.settle(record);
      return this.states.revoke(record, actor);
    });
  }

  /** Somebody saw that the player is old enough (LGL-05). Throws ACCOUNT_UNKNOWN. */
  async verifyAge(userId: number, actor: string): Promise<void> {
    const { parts, states } = this;
    const record = await parts.mustKnow(userId);
    await parts.alone(record, async () => {
      await parts.record(actor, 'protection.settings', userId, { ageVerified: true });
      await parts.records.change(record, () => {
        record.ageVerified = true;
      });
      await states.settle(record, actor);
    });
  }

  /** How the sockets of a player hear that his profile changed, and who has one open. */
  useSockets(sockets: { profileChanged(accountId: number): void; isHere(accountId: number): boolean }): void {
    this.parts.onProfileChanged((accountId) => sockets.profileChanged(accountId));
    this.parts.visits.present = (accountId) => sockets.isHere(accountId);
  }

  /** What the timer does: played time is written down and, by one process of the site, restrictions end and absences count. */
  async tick(): Promise<void> {
    await this.saveVisits();
    if (this.isAlone()) await this.settleDue();
  }

  private async settleDue(): Promise<void> {
    const { clock, records } = this.parts;
    const ids = await records.clocked(clock() - LEAST_ABSENCE_MS);
    if (clock() - this.agesAt >= AGE_TICK_MS) {
      this.agesAt = clock();
      ids.push(...(await records.unverified()));
    }
    for (const id of new Set(ids)) {
      const record = await records.of(id);
      if (record) await this.parts.alone(record, () => this.states.settle(record));
    }
    await this.keepWaiting();
  }

  /** Before a bet the gate tells the core of a new window; one that the core places by itself goes through no gate. */
  private async keepWaiting(): Promise<void> {
    const { core, records } = this.parts;
    for (const id of await records.limited()) {
      const world = core.read.worldOf(id);
      if (!world || core.read.conditionals(world, id).length === 0) continue;
      const record = await records.of(id);
      if (record && this.states.isCoreBehind(record))
        await this.parts.alone(record, () => this.states.keepCore(record));
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.parts.records.stop();
    await this.saveVisits().catch(() => undefined);
  }

  private saveVisits(): Promise<void> {
    const { clock, visits } = this.parts;
    return visits.tick(clock(), (accountId) => dayNumber(clock(), this.zones.get(accountId) ?? 'UTC'));
  }
}
