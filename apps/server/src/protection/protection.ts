/** Player protection: states of accounts, limits, breaks, self-exclusion, reality check. Rules in rules.ts, by profile. */
import { type AccountStanding, CodedError } from '@fairgame/contract';
import type { Auth, User } from '../auth/auth.ts';
import { dayNumber, type Window, windowOf } from '../calendar.ts';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import { inTurn } from '../in-turn.ts';
import type { Audit } from '../ops/ops.ts';
import { firstDepositAt, played } from './figures.ts';
import { guard } from './gate.ts';
import { type AccountState, PROFILES } from './profiles.ts';
import { limitsNow, profileOf, type Record, Records } from './records.ts';
import { protectionRoutes } from './routes.ts';
import {
  type BaseState,
  combine,
  frozenAt,
  lossFloor,
  type Restriction,
  realityDueAt,
  revocableFrom,
  runs,
  stateAt,
} from './rules.ts';
import { Visits } from './visits.ts';
import { standingOf } from './words.ts';

export interface Protection {
  /** The core with protection in front: for every room that bets or pays. */
  guarded: Core;
  routes(http: Http): void;
  /** Whether a game may be opened. Throws ACCOUNT_BLOCKED with the reason, REALITY_CHECK_DUE, SESSION_TIME_LIMIT. */
  mayPlay(userId: number): Promise<void>;
  /** When the player's visit began, ms; null for play money and for who is away. */
  visitSince(userId: number): number | null;
  /** What a provider is told at a launch: the player's own limit of a stake, and how often a reality check is due. */
  launchLimits(userId: number, slots: boolean): Promise<{ maxStakeMinor?: number; realityCheckSec?: number }>;
  /** What the player's jurisdiction says of slots: the most a round may take (null: no cap) and the least between two. */
  slotRules(userId: number): Promise<{ stakeMinor: number | null; roundMs: number }>;
  /**
   * Why betting is off, and the state by the clock; brings both up to date. `freezesAt`: when an account freezes whose age is
   * not verified by then, null where none will.
   */
  standing(
    userId: number,
  ): Promise<{ state: AccountState; standing: AccountStanding | null; freezesAt: number | null; ageVerified: boolean }>;
  /** The operator's block of an account or of its betting; a restriction of the player's own goes on behind it. */
  block(user: User, what: 'account' | 'betting', on: boolean, actor: string): Promise<void>;
  /** What a revocation would end, and from when; throws REVOCATION_EARLY, STATE_NOT_FITTING where it may not be asked for. */
  mayRevoke(user: User): Promise<{ state: string; from: number }>;
  /** Takes a player's request to end his restriction; answers when it ends. Throws as `mayRevoke`. */
  revoke(user: User, actor: string): Promise<number>;
  /** Somebody saw that the player is old enough (LGL-05). Throws ACCOUNT_UNKNOWN. */
  verifyAge(userId: number, actor: string): Promise<void>;
  /** How the sockets of a player hear that his profile changed, and who has one open. */
  useSockets(sockets: { profileChanged(accountId: number): void; isHere(accountId: number): boolean }): void;
  /** What the timer does: restrictions end, absences count, played time is written down. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProtectionOptions {
  db: Db;
  core: Core;
  auth: Auth;
  audit: Audit;
  clock: () => number;
  log: Log;
}

const TICK_MS = 30_000;
const DAY_MS = 86_400_000;
/** Bets are refused in the moment an account freezes; those that wait in the books may wait this much longer. */
const AGE_TICK_MS = 10 * 60_000;
/** A loss floor is reckoned so often beside money that moves. */
const MOST_RECKONINGS = 5;
/** Nobody is inactive sooner, whatever the profile. */
const LEAST_ABSENCE_MS = 300 * DAY_MS;
/** These take no money in (INV-18). */
const NO_DEPOSITS: ReadonlySet<AccountState> = new Set(['self-excluded', 'cooling off', 'frozen', 'closed']);

/** What the routes of this room use. */
export interface Room {
  opts: ProtectionOptions;
  records: Records;
  visits: Visits;
  /** Throws ACCOUNT_UNKNOWN. */
  mine(userId: number): Promise<Record>;
  /** Brings the state to the clock; answers it. */
  settle(record: Record, actor?: string): Promise<AccountState>;
  standingOf(record: Record, state: AccountState): AccountStanding | null;
  restrict(record: Record, asked: Restriction, actor: string): Promise<AccountState>;
  /** From when a revocation counts takes effect; throws REVOCATION_EARLY, STATE_NOT_FITTING. */
  revoke(record: Record, actor: string): Promise<number>;
  setBase(record: Record, base: BaseState, actor: string): Promise<void>;
  /** After a limit changed: the core hears of it. */
  limitsChanged(record: Record): Promise<void>;
  realityDue(record: Record): { dueAt: number | null; due: boolean; minutes: number };
  alone<T>(accountId: number, work: () => Promise<T>): Promise<T>;
  record(actor: string, action: string, userId: number, detail: object, reason?: string): Promise<void>;
  told(userId: number): void;
}

export function createProtection(opts: ProtectionOptions): Protection {
  const { db, core, auth, audit, clock, log } = opts;
  const records = new Records(db, (currency, isDemo) => core.worldFor(currency, isDemo));
  const visits = new Visits(db);
  /** Acts of an account; within them, and beside them, what brings core and tables to its state. */
  const alone = inTurn<number>();
  const settling = inTurn<number>();
  const zones = new Map<number, string>();
  let profileChanged: (accountId: number) => void = () => undefined;

  async function mine(userId: number): Promise<Record> {
    const record = await records.of(userId);
    if (!record) throw new CodedError('ACCOUNT_UNKNOWN');
    return record;
  }

  /** Asked for until there is one: every bet of a player whose age is not verified would ask again. */
  async function depositOf(record: Record): Promise<number | null> {
    record.firstDepositAt ??= await firstDepositAt(db, record);
    return record.firstDepositAt;
  }

  async function stateNow(record: Record): Promise<AccountState> {
    const { base, restriction, ageVerified, lastAccessAt } = record;
    return stateAt(
      {
        base,
        restriction,
        ageVerified,
        lastAccessAt,
        firstDepositAt: ageVerified ? null : await depositOf(record),
        balanceMinor: core.read.wallet(record.world, record.userId).balanceMinor,
      },
      clock(),
      profileOf(record),
    );
  }

  /**
   * The core first: from that command on no bet is accepted. Then unmatched bets leave the books, the tables follow, and
   * the player's sockets are told.
   */
  async function settle(record: Record, actor = 'core'): Promise<AccountState> {
    const state = await stateNow(record);
    return state === record.told ? state : settling(record.userId, () => changeState(record, actor));
  }

  async function changeState(record: Record, actor: string): Promise<AccountState> {
    // Somebody may have been faster.
    const state = await stateNow(record);
    if (state === record.told) return state;
    const before = record.told;
    await audit.record({
      actor,
      action: 'protection.state',
      object: `player:${record.userId}`,
      detail: { before, after: state },
    });
    await submitRestriction(record, state);
    if (state !== 'active') await cancelAll(record.userId, actor);
    if (record.restriction && !runs(record.restriction, clock(), profileOf(record))) record.restriction = null;
    if (state === 'inactive' || state === 'dormant') record.base = state;
    await records.save(record);
    await auth.setState(record.userId, state);
    record.told = state;
    profileChanged(record.userId);
    return state;
  }

  async function cancelAll(accountId: number, actor: string): Promise<void> {
    const world = core.read.worldOf(accountId);
    if (!world || core.read.openBets(world, accountId).length === 0) return;
    await core.submit({ world, actor, command: { type: 'order.cancelAll', accountId } });
  }

  /** The core hears of the restriction as it is when its turn comes, so that an older one never comes last. */
  function tellCore(record: Record): Promise<void> {
    record.coreStale = true;
    return settling(record.userId, async () => submitRestriction(record, await stateNow(record)));
  }

  /**
   * The whole restriction of an account as the core keeps it: state, exposure limit, loss floor. A floor counts in the moment
   * it is reckoned from: the writer refuses it when a deposit or a result came between, and it is reckoned anew.
   */
  async function submitRestriction(record: Record, state: AccountState): Promise<void> {
    record.coreStale = true;
    const now = clock();
    for (let tried = 1; ; tried += 1) {
      const isLast = tried === MOST_RECKONINGS;
      const floor = await floorNow(record, now);
      try {
        await core.submit({
          world: record.world,
          actor: 'core',
          command: {
            type: 'account.restrict',
            accountId: record.userId,
            betBlocked: state !== 'active' || record.betBlocked,
            exposureLimitMinor: limitsNow(record, now).find((limit) => limit.kind === 'exposure')?.amountMinor ?? 0,
            ...(floor === null ? {} : { lossFloorMinor: floor.floorMinor }),
            // A block must not wait for quiet: the last one goes as it is, and the core hears again before the next bet.
            ...(floor === null || isLast ? {} : { balanceMinor: floor.balanceMinor }),
          },
        });
      } catch (error) {
        if (error instanceof CodedError && error.code === 'BALANCE_MOVED') continue;
        throw error;
      }
      record.floorUntil = Math.min(
        ...lossWindows(record, now).map(({ window }) => window.to),
        ...record.limits.map((limit) => (limit.pending && limit.pending.at > now ? limit.pending.at : Infinity)),
      );
      record.coreStale = isLast;
      return;
    }
  }

  function lossWindows(record: Record, now: number): Array<{ amountMinor: number; window: Window }> {
    const { timeZone } = profileOf(record);
    return limitsNow(record, now).flatMap(({ kind, span, amountMinor }) =>
      kind === 'loss' && span !== 'bet' && span !== 'always'
        ? [{ amountMinor, window: windowOf(span, now, timeZone) }]
        : [],
    );
  }

  /** Null without a loss limit. */
  async function floorNow(record: Record, now: number): Promise<{ floorMinor: number; balanceMinor: number } | null> {
    const windows = lossWindows(record, now);
    if (windows.length === 0) return null;
    const { balanceMinor, netMinor } = await played(
      db,
      record,
      windows.map(({ window }) => window.from),
    );
    const floorMinor = lossFloor(
      balanceMinor,
      windows.map(({ amountMinor }, i) => ({ amountMinor, lostMinor: -netMinor[i]! })),
    );
    return floorMinor === null ? null : { floorMinor, balanceMinor };
  }

  async function bringCore(record: Record): Promise<void> {
    if (record.coreStale || clock() >= record.floorUntil) await tellCore(record);
  }

  async function mustBeActive(record: Record): Promise<void> {
    const state = await settle(record);
    const standing = standingOf(state, record.restriction, record.betBlocked, profileOf(record));
    if (standing) throw new CodedError('ACCOUNT_BLOCKED', { message: standing.text });
  }

  async function mustTakeDeposits(record: Record): Promise<void> {
    const state = await settle(record);
    if (NO_DEPOSITS.has(state)) throw new CodedError('ACCOUNT_BLOCKED', { message: `The account is ${state}.` });
  }

  const dayOf = (record: Record): number => dayNumber(clock(), profileOf(record).timeZone);

  function realityDue(record: Record): { dueAt: number | null; due: boolean; minutes: number } {
    const minutes = record.realityMinutes ?? profileOf(record).realityMinutes[0]!;
    const since = visits.since(record.userId) ?? clock();
    const dueAt = realityDueAt(since, record.realityAnsweredAt, minutes);
    return { dueAt, due: dueAt !== null && dueAt <= clock(), minutes };
  }

  async function mustBeAwake(record: Record): Promise<void> {
    if (realityDue(record).due) throw new CodedError('REALITY_CHECK_DUE');
    const { sessionMinutes } = record;
    if (sessionMinutes !== null && (await visits.playedMs(record.userId, dayOf(record))) >= sessionMinutes * 60_000)
      throw new CodedError('SESSION_TIME_LIMIT');
  }

  const room: Room = {
    opts,
    records,
    visits,
    mine,
    settle,
    standingOf: (record, state) => standingOf(state, record.restriction, record.betBlocked, profileOf(record)),
    async restrict(record, asked, actor) {
      const running =
        record.restriction && runs(record.restriction, clock(), profileOf(record)) ? record.restriction : null;
      record.restriction = combine(running, asked);
      await records.save(record);
      const state = await settle(record, actor);
      profileChanged(record.userId);
      return state;
    },
    async revoke(record, actor) {
      const { restriction } = record;
      const profile = profileOf(record);
      if (!restriction || !runs(restriction, clock(), profile)) throw new CodedError('STATE_NOT_FITTING');
      if (clock() < revocableFrom(restriction, profile)) throw new CodedError('REVOCATION_EARLY');
      await room.record(actor, 'protection.revoke', record.userId, { state: restriction.state });
      restriction.revokeAskedAt ??= clock();
      await records.save(record);
      profileChanged(record.userId);
      return restriction.revokeAskedAt + profile.revocationDays * DAY_MS;
    },
    async setBase(record, base, actor) {
      record.base = base;
      if (base === 'active') record.lastAccessAt = clock();
      await records.save(record);
      await settle(record, actor);
    },
    async limitsChanged(record) {
      await tellCore(record);
      profileChanged(record.userId);
    },
    realityDue,
    alone,
    record: (actor, action, userId, detail, reason) =>
      audit.record({ actor, action, object: `player:${userId}`, detail, reason }),
    told: (userId) => profileChanged(userId),
  };

  // Before a sign-in counts as access: a long absence has to be seen first.
  auth.useStanding(async (userId) => {
    const record = await records.of(userId);
    if (!record) return null;
    const state = await settle(record);
    if (state !== 'inactive' && state !== 'dormant') record.lastAccessAt = clock();
    return room.standingOf(record, state);
  });

  let agesAt = 0;
  async function tick(): Promise<void> {
    const ids = await records.clocked(clock() - LEAST_ABSENCE_MS);
    if (clock() - agesAt >= AGE_TICK_MS) {
      agesAt = clock();
      ids.push(...(await records.unverified()));
    }
    for (const id of new Set(ids)) {
      const record = await records.of(id);
      if (record) await alone(id, () => settle(record));
    }
    await visits.tick(clock(), (accountId) => dayNumber(clock(), zones.get(accountId) ?? 'UTC'));
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => log.error({ err: error }, 'player protection could not keep its times'));
  }, TICK_MS);
  timer.unref();

  return {
    guarded: guard({
      db,
      core,
      clock,
      recordOf: (accountId) => records.of(accountId),
      mustBeActive,
      mustTakeDeposits,
      mustBeAwake,
      bringCore,
      alone,
    }),
    routes(http) {
      // Any call of a player is a sign of life.
      http.app.addHook('preHandler', async (req) => {
        const session = req.fairSession;
        if (session?.role !== 'user' || session.isDemo || session.pending) return;
        const record = await records.of(session.userId);
        if (!record) return;
        zones.set(record.userId, profileOf(record).timeZone);
        visits.seen(record.userId, clock(), dayOf(record));
      });
      protectionRoutes(http, room);
    },
    visitSince: (userId) => visits.since(userId),
    async mayPlay(userId) {
      const record = await records.of(userId);
      if (!record) return;
      await mustBeActive(record);
      await mustBeAwake(record);
    },
    async slotRules(userId) {
      const record = await records.of(userId);
      const { slotStakeMinor, slotRoundMs } = record ? profileOf(record) : PROFILES.INT;
      return { stakeMinor: slotStakeMinor, roundMs: slotRoundMs };
    },
    async launchLimits(userId, slots) {
      const record = await records.of(userId);
      if (!record) return {};
      const stakes = limitsNow(record, clock()).flatMap(({ kind, amountMinor }) =>
        kind === 'stake' ? [amountMinor] : [],
      );
      const { slotStakeMinor } = profileOf(record);
      if (slots && slotStakeMinor !== null) stakes.push(slotStakeMinor);
      const { minutes } = realityDue(record);
      return {
        ...(stakes.length > 0 ? { maxStakeMinor: Math.min(...stakes) } : {}),
        ...(minutes > 0 ? { realityCheckSec: minutes * 60 } : {}),
      };
    },
    async standing(userId) {
      const record = await records.of(userId);
      if (!record) return { state: 'active', standing: null, freezesAt: null, ageVerified: false };
      const state = await settle(record);
      // What has happened is said by the state.
      const freezes = frozenAt(record, profileOf(record));
      return {
        state,
        standing: room.standingOf(record, state),
        freezesAt: freezes > clock() && freezes < Number.POSITIVE_INFINITY ? freezes : null,
        ageVerified: record.ageVerified,
      };
    },
    async block(user, what, on, actor) {
      const record = await mine(user.id);
      await alone(user.id, async () => {
        if (what === 'betting') {
          record.betBlocked = on;
          await tellCore(record);
          await auth.setBetBlocked(user, on);
          profileChanged(user.id);
        } else await room.setBase(record, on ? 'blocked' : 'active', actor);
      });
    },
    async mayRevoke(user) {
      const record = await mine(user.id);
      await settle(record);
      const { restriction } = record;
      const profile = profileOf(record);
      if (!restriction || !runs(restriction, clock(), profile)) throw new CodedError('STATE_NOT_FITTING');
      if (clock() < revocableFrom(restriction, profile)) throw new CodedError('REVOCATION_EARLY');
      const asked = restriction.revokeAskedAt ?? clock();
      return { state: restriction.state, from: asked + profile.revocationDays * DAY_MS };
    },
    async revoke(user, actor) {
      const record = await mine(user.id);
      return alone(user.id, async () => {
        await settle(record);
        return room.revoke(record, actor);
      });
    },
    async verifyAge(userId, actor) {
      const record = await mine(userId);
      await alone(userId, async () => {
        await room.record(actor, 'protection.settings', userId, { ageVerified: true });
        record.ageVerified = true;
        await records.save(record);
        await settle(record, actor);
      });
    },
    useSockets(sockets) {
      profileChanged = (accountId) => sockets.profileChanged(accountId);
      visits.present = (accountId) => sockets.isHere(accountId);
    },
    tick,
    async stop() {
      clearInterval(timer);
      await visits.tick(clock(), (id) => dayNumber(clock(), zones.get(id) ?? 'UTC')).catch(() => undefined);
    },
  };
}
