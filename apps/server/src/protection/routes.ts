import { CodedError, protection as calls, type ProtectionStatus } from '@fairgame/contract';
import { dayNumber, windowOf } from '../calendar.ts';
import type { Http, Session } from '../http/http.ts';
import { deposited, played, staked } from './figures.ts';
import type { Room } from './protection.ts';
import { limitsNow, profileOf, type Record } from './records.ts';
import {
  change,
  coolOffEnd,
  endsAt,
  exclusionEnd,
  type Limit,
  limitWindow,
  revocableFrom,
  ripe,
  runs,
  spanFits,
} from './rules.ts';

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
const by = (session: Session): string => `player:${session.userId}`;

export function protectionRoutes(http: Http, room: Room): void {
  const { records, visits, opts } = room;
  const { clock, db, auth, core } = opts;

  http.route(calls.status, async ({ session }) => status(await room.mine(session.userId)));

  async function status(record: Record): Promise<ProtectionStatus> {
    const state = await room.settle(record);
    const now = clock();
    const { userId, restriction } = record;
    const profile = profileOf(record);
    const { timeZone } = profile;
    const week = windowOf('week', now, timeZone).from;
    const month = windowOf('month', now, timeZone).from;
    const since = visits.since(userId) ?? now;
    const [net, sinceStaked, monthDepositsMinor, playedMs, limits] = await Promise.all([
      played(db, record, [since, week]),
      staked(db, record, since),
      deposited(db, record, month),
      visits.playedMs(userId, dayNumber(now, timeZone)),
      Promise.all(
        limitsNow(record, now)
          .sort(byOrder)
          .map((limit) => limitRow(record, limit)),
      ),
    ]);
    const { dueAt, due, minutes } = room.realityDue(record);
    const running = restriction && runs(restriction, now, profile) ? restriction : null;
    return {
      state,
      standing: room.standingOf(record, state),
      jurisdiction: profile.jurisdiction,
      raiseDays: profile.raiseDays,
      limits,
      coolOffs: profile.coolOffs.map((length) => ({ length, until: iso(coolOffEnd(length, now, profile)) })),
      exclusions: profile.exclusionMonths.map((months) => ({
        months,
        until: isoOrNull(exclusionEnd(months, now, profile)),
      })),
      exclusionEndsItself: profile.exclusionEndsItself,
      restriction: running && {
        state: running.state,
        since: iso(running.since),
        until: isoOrNull(running.until),
        endsAt: isoOrNull(endsAt(running, profile)),
        revocableFrom: needsSupport(record) ? null : iso(revocableFrom(running, profile)),
        revokedFrom:
          running.revokeAskedAt === null ? null : iso(running.revokeAskedAt + profile.revocationDays * 86_400_000),
      },
      reality: { minutes, choices: [...profile.realityMinutes], dueAt: isoOrNull(dueAt), due },
      session: {
        startedAt: iso(since),
        elapsedMs: now - since,
        netMinor: net.netMinor[0]!,
        stakedMinor: sinceStaked,
      },
      today: { playedMs, limitMinutes: record.sessionMinutes },
      weekNetMinor: net.netMinor[1]!,
      monthDepositsMinor,
    };
  }

  async function limitRow(record: Record, limit: Limit): Promise<ProtectionStatus['limits'][number]> {
    const window = limitWindow(limit.span, clock(), profileOf(record));
    return {
      kind: limit.kind,
      span: limit.span,
      amountMinor: limit.amountMinor,
      usedMinor: await used(record, limit.kind, window?.from ?? 0),
      resetsAt: window ? iso(window.to) : null,
      pending: limit.pending && { amountMinor: limit.pending.amountMinor, at: iso(limit.pending.at) },
    };
  }

  async function used(record: Record, kind: Limit['kind'], from: number): Promise<number> {
    const exposureMinor = () => Math.abs(core.read.wallet(record.world, record.userId).exposureMinor);
    switch (kind) {
      case 'stake':
        return 0;
      case 'exposure':
        return exposureMinor();
      case 'deposit':
        return deposited(db, record, from);
      case 'wager':
        return staked(db, record, from);
      case 'loss':
        // What is lost, and what open bets may still lose.
        return Math.max(0, exposureMinor() - (await played(db, record, [from])).netMinor[0]!);
    }
  }

  http.route(calls.setLimit, async ({ session, body }) => {
    if (!spanFits(body.kind, body.span)) throw new CodedError('BAD_INPUT', { field: 'span' });
    const record = await room.mine(session.userId);
    return room.alone(record.userId, async () => {
      const now = clock();
      const stored = record.limits.find((limit) => limit.kind === body.kind && limit.span === body.span);
      const held = stored ? ripe(stored, now) : null;
      if (!held && body.amountMinor === null) throw new CodedError('LIMIT_UNKNOWN');
      const { limit, when } = change(held, body, now, profileOf(record));
      // A raise is a step back from protection: after an idle hour the password is needed again (PP-11).
      if (when === 'later' && session.stepUpDue) throw new CodedError('STEP_UP_REQUIRED');
      await room.record(by(session), 'protection.limit', record.userId, {
        ...body,
        before: held?.amountMinor ?? null,
        from: limit?.pending?.at ?? now,
      });
      await records.saveLimit(record, body.kind, body.span, limit);
      await room.limitsChanged(record);
      return {
        data: { when, at: iso(limit?.pending?.at ?? now) },
        message: when === 'now' ? 'Your limit is set.' : 'Your limit changes later. Until then the old one counts.',
      };
    });
  });

  http.route(calls.cancelRaise, async ({ session, body }) => {
    const record = await room.mine(session.userId);
    return room.alone(record.userId, async () => {
      const stored = record.limits.find((limit) => limit.kind === body.kind && limit.span === body.span);
      const held = stored ? ripe(stored, clock()) : null;
      if (!held?.pending) throw new CodedError('LIMIT_UNKNOWN');
      await room.record(by(session), 'protection.limit.keep', record.userId, body);
      await records.saveLimit(record, body.kind, body.span, { ...held, pending: null });
      await room.limitsChanged(record);
      return { data: null, message: 'Your limit stays as it is.' };
    });
  });

  /** A restriction of the player's own. Blocked and closed accounts have none to ask for. */
  async function restrict(
    session: Session,
    state: 'cooling off' | 'self-excluded',
    endOf: (record: Record, now: number) => number | null,
  ): Promise<string | null> {
    const record = await room.mine(session.userId);
    return room.alone(record.userId, async () => {
      const standing = await room.settle(record);
      if (standing === 'closed' || standing === 'blocked') throw new CodedError('STATE_NOT_FITTING');
      if (state === 'cooling off' && standing === 'self-excluded') throw new CodedError('RESTRICTION_RUNS');
      const now = clock();
      const until = endOf(record, now);
      await room.record(by(session), 'protection.restrict', record.userId, { state, until: isoOrNull(until) });
      await room.restrict(record, { state, since: now, until, revokeAskedAt: null }, by(session));
      return isoOrNull(record.restriction?.until ?? null);
    });
  }

  http.route(calls.coolOff, async ({ session, body }) => {
    const until = await restrict(session, 'cooling off', (record, now) => {
      const profile = profileOf(record);
      if (!profile.coolOffs.includes(body.length)) throw new CodedError('BAD_INPUT', { field: 'length' });
      return coolOffEnd(body.length, now, profile);
    });
    return { data: { until }, message: 'Your break has begun. Betting is off.' };
  });

  http.route(calls.selfExclude, async ({ session, body }) => {
    const until = await restrict(session, 'self-excluded', (record, now) => {
      const profile = profileOf(record);
      if (!profile.exclusionMonths.includes(body.months)) throw new CodedError('BAD_INPUT', { field: 'months' });
      return exclusionEnd(body.months, now, profile);
    });
    return { data: { until }, message: 'You have excluded yourself. Betting is off.' };
  });

  const needsSupport = (record: Record): boolean =>
    record.restriction?.state === 'self-excluded' && profileOf(record).exclusionNeedsSupport;

  http.route(calls.revoke, async ({ session }) => {
    const record = await room.mine(session.userId);
    return room.alone(record.userId, async () => {
      await room.settle(record);
      if (needsSupport(record)) throw new CodedError('SUPPORT_NEEDED');
      if (session.stepUpDue) throw new CodedError('STEP_UP_REQUIRED');
      const at = iso(await room.revoke(record, by(session)));
      return { data: { at }, message: 'Your request is noted.' };
    });
  });

  http.route(calls.wake, async ({ session }) => {
    const record = await room.mine(session.userId);
    return room.alone(record.userId, async () => {
      const state = await room.settle(record);
      if (state === 'dormant') throw new CodedError('SUPPORT_NEEDED');
      if (state !== 'inactive') throw new CodedError('STATE_NOT_FITTING');
      await room.record(by(session), 'protection.wake', record.userId, {});
      await room.setBase(record, 'active', by(session));
      return { data: null, message: 'Your account is active again.' };
    });
  });

  http.route(calls.setReality, async ({ session, body }) => {
    const record = await room.mine(session.userId);
    if (!profileOf(record).realityMinutes.includes(body.minutes))
      throw new CodedError('BAD_INPUT', { field: 'minutes' });
    await room.record(by(session), 'protection.reality', record.userId, { minutes: body.minutes });
    record.realityMinutes = body.minutes;
    await records.save(record);
    room.told(record.userId);
    return { data: null, message: 'The reality check is set.' };
  });

  http.route(calls.answerReality, async ({ session }) => {
    const record = await room.mine(session.userId);
    record.realityAnsweredAt = clock();
    await records.save(record);
    return { nextAt: isoOrNull(room.realityDue(record).dueAt) };
  });

  // ---------------------------------------------------------------------------------------------- operator

  http.route(calls.operatorState, async ({ session, body }) => {
    const user = await auth.userNamed(body.userName);
    const record = await room.mine(user.id);
    const actor = `operator:${session.userName}`;
    return room.alone(user.id, async () => {
      await room.record(actor, 'protection.setState', user.id, { state: body.state }, body.reason);
      const now = clock();
      const profile = profileOf(record);
      const { state } = body;
      if (state === 'self-excluded' || state === 'cooling off') {
        const until = state === 'cooling off' ? coolOffEnd('24h', now, profile) : exclusionEnd(6, now, profile);
        await room.restrict(record, { state, since: now, until, revokeAskedAt: null }, actor);
      } else {
        if (state === 'active' && record.restriction && runs(record.restriction, now, profile))
          throw new CodedError('RESTRICTION_RUNS');
        await room.setBase(record, state, actor);
      }
      return { data: null, message: `The account is ${state}.` } satisfies { data: null; message: string };
    });
  });

  http.route(calls.operatorSettings, async ({ session, body }) => {
    const user = await auth.userNamed(body.userName);
    const record = await room.mine(user.id);
    const actor = `operator:${session.userName}`;
    const { userName: _, reason, ...changes } = body;
    return room.alone(user.id, async () => {
      // Another country's rules may let a restriction end sooner, or by itself.
      const { restriction } = record;
      const moves = body.jurisdiction !== undefined && body.jurisdiction !== record.jurisdiction;
      if (moves && restriction && runs(restriction, clock(), profileOf(record)))
        throw new CodedError('RESTRICTION_RUNS', {
          field: 'jurisdiction',
          message: 'The jurisdiction cannot change while the account is restricted.',
        });
      await room.record(actor, 'protection.settings', user.id, changes, reason);
      if (body.jurisdiction !== undefined) {
        record.jurisdiction = body.jurisdiction;
        // A choice the new profile has not is given up for its own.
        const minutes = record.realityMinutes;
        if (minutes !== null && !profileOf(record).realityMinutes.includes(minutes)) record.realityMinutes = null;
      }
      if (body.sessionMinutes !== undefined) record.sessionMinutes = body.sessionMinutes;
      if (body.ageVerified !== undefined) record.ageVerified = body.ageVerified;
      await records.save(record);
      await room.settle(record, actor);
      await room.limitsChanged(record);
      return { data: null, message: 'The settings are changed.' };
    });
  });
}

const ORDER = ['deposit', 'loss', 'wager', 'stake', 'exposure'];
const SPANS = ['bet', 'always', 'day', 'week', 'month'];

function byOrder(a: Limit, b: Limit): number {
  return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || SPANS.indexOf(a.span) - SPANS.indexOf(b.span);
}
