/** What a player sees of his protection: his state, his limits with what is used of them, and what he may ask for. */
import { protection as calls, type ProtectionStatus, windowOf } from '@fairgame/contract';
import type { Http } from '../../http/http.ts';
import type { AccountStates } from '../account-states.ts';
import { deposited, played } from '../figures.ts';
import type { Parts } from '../parts.ts';
import { realityDue } from '../reality.ts';
import { limitsNow, profileOf, type Record } from '../records.ts';
import { coolOffEnd, endsAt, exclusionEnd, type Limit, limitWindow, revocableFrom } from '../rules.ts';
import { iso, isoOrNull, needsSupport } from './words.ts';

export function statusRoutes(http: Http, parts: Parts, states: AccountStates): void {
  http.route(calls.status, async ({ session }) => {
    const record = await parts.mustKnow(session.userId);
    const state = await states.settle(record);
    const now = parts.clock();
    const profile = profileOf(record);
    const { dueAt, due, minutes } = realityDue(parts, record);
    return {
      state,
      standing: states.standingOf(record, state),
      jurisdiction: profile.jurisdiction,
      raiseDays: profile.raiseDays,
      coolOffs: profile.coolOffs.map((length) => ({ length, until: iso(coolOffEnd(length, now, profile)) })),
      exclusions: profile.exclusionMonths.map((months) => ({
        months,
        until: isoOrNull(exclusionEnd(months, now, profile)),
      })),
      exclusionEndsItself: profile.exclusionEndsItself,
      restriction: restrictionRow(record, states),
      reality: { minutes, choices: [...profile.realityMinutes], dueAt: isoOrNull(dueAt), due },
      ...(await figures(parts, record, now)),
    };
  });
}

function restrictionRow(record: Record, states: AccountStates): ProtectionStatus['restriction'] {
  const running = states.running(record);
  const profile = profileOf(record);
  return (
    running && {
      state: running.state,
      since: iso(running.since),
      until: isoOrNull(running.until),
      endsAt: isoOrNull(endsAt(running, profile)),
      revocableFrom: needsSupport(record) ? null : iso(revocableFrom(running, profile)),
      revokedFrom:
        running.revokeAskedAt === null ? null : iso(running.revokeAskedAt + profile.revocationDays * 86_400_000),
    }
  );
}

/** What has been played, staked and paid in, beside the limits on it. */
async function figures(
  parts: Parts,
  record: Record,
  now: number,
): Promise<Pick<ProtectionStatus, 'limits' | 'session' | 'today' | 'weekNetMinor' | 'monthDepositsMinor'>> {
  const { db, visits, stakes } = parts;
  const { timeZone } = profileOf(record);
  const week = windowOf('week', now, timeZone).from;
  const month = windowOf('month', now, timeZone).from;
  const since = visits.since(record.userId) ?? now;
  const [net, stakedMinor, monthDepositsMinor, playedMs, limits] = await Promise.all([
    played(db, record, [since, week]),
    stakes.since(record, since),
    deposited(db, record, month),
    visits.playedMs(record.userId, parts.dayOf(record)),
    Promise.all(
      limitsNow(record, now)
        .sort(byOrder)
        .map((limit) => limitRow(parts, record, limit)),
    ),
  ]);
  return {
    limits,
    session: { startedAt: iso(since), elapsedMs: now - since, netMinor: net.netMinor[0]!, stakedMinor },
    today: { playedMs, limitMinutes: record.sessionMinutes },
    weekNetMinor: net.netMinor[1]!,
    monthDepositsMinor,
  };
}

async function limitRow(parts: Parts, record: Record, limit: Limit): Promise<ProtectionStatus['limits'][number]> {
  const { kind, span, amountMinor, pending } = limit;
  const window = limitWindow(span, parts.clock(), profileOf(record));
  return {
    kind,
    span,
    amountMinor,
    usedMinor: await used(parts, record, kind, window?.from ?? 0),
    resetsAt: window ? iso(window.to) : null,
    pending: pending && { amountMinor: pending.amountMinor, at: iso(pending.at) },
  };
}

async function used({ db, core, stakes }: Parts, record: Record, kind: Limit['kind'], from: number): Promise<number> {
  const exposureMinor = () => Math.abs(core.read.wallet(record.world, record.userId).exposureMinor);
  switch (kind) {
    case 'stake':
      return 0;
    case 'exposure':
      return exposureMinor();
    case 'deposit':
      return deposited(db, record, from);
    case 'wager':
      return stakes.since(record, from);
    case 'loss':
      // What is lost, and what open bets may still lose.
      return Math.max(0, exposureMinor() - (await played(db, record, [from])).netMinor[0]!);
  }
}

const ORDER = ['deposit', 'loss', 'wager', 'stake', 'exposure'];
const SPANS = ['bet', 'always', 'day', 'week', 'month'];

function byOrder(a: Limit, b: Limit): number {
  return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || SPANS.indexOf(a.span) - SPANS.indexOf(b.span);
}
