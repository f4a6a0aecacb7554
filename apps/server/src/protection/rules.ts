/**
 * The rules of player protection, by clock and data alone: limits, cool-off, self-exclusion, revocation, states. Times are
 * milliseconds since 1970, money is minor units. Sources: specification 4.12, 6.4, 9.5; trust 3; decisions.md.
 */

import { addMonths, type Span, type Window, windowOf } from '@fairgame/contract';
import type { AccountState, CoolOff, Profile } from './profiles.ts';

const HOUR_MS = 3_600_000;
/** Shorter than any month, clocks that are put on included. */
const SHORT_MONTH_MS = 27 * 24 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;

// ----------------------------------------------------------------------------------------------- limits

export const LIMIT_KINDS = ['deposit', 'loss', 'wager', 'stake', 'exposure'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];
/** `bet`: each bet (stake). `always`: at any moment (exposure). */
export type LimitSpan = 'bet' | 'always' | Span;

export interface Limit {
  kind: LimitKind;
  span: LimitSpan;
  amountMinor: number;
  /** A raise on its way; amount null takes the limit away. */
  pending: { amountMinor: number | null; at: number } | null;
}

/** A stake is a thing of one bet, exposure of any moment, the others of a window. */
export function spanFits(kind: LimitKind, span: LimitSpan): boolean {
  if (kind === 'stake') return span === 'bet';
  if (kind === 'exposure') return span === 'always';
  return span === 'day' || span === 'week' || span === 'month';
}

/** The limit as it counts now: a raise whose day has come is in force, a removal leaves none. */
export function ripe(limit: Limit, now: number): Limit | null {
  if (!limit.pending || limit.pending.at > now) return limit;
  const { amountMinor } = limit.pending;
  return amountMinor === null ? null : { ...limit, amountMinor, pending: null };
}

/**
 * What a wish makes of a limit: lower (or a first limit) at once, higher or none after the profile's days (LGL-24, LGL-25).
 * `held` is the limit as it counts now.
 */
export function change(
  held: Limit | null,
  wish: { kind: LimitKind; span: LimitSpan; amountMinor: number | null },
  now: number,
  profile: Profile,
): { limit: Limit | null; when: 'now' | 'later' } {
  const { kind, span, amountMinor } = wish;
  if (!held) return { limit: amountMinor === null ? null : { kind, span, amountMinor, pending: null }, when: 'now' };
  if (amountMinor !== null && amountMinor <= held.amountMinor) {
    // Lowered: a raise that was on its way is given up.
    return { limit: { ...held, amountMinor, pending: null }, when: 'now' };
  }
  return { limit: { ...held, pending: { amountMinor, at: raiseAt(span, now, profile) } }, when: 'later' };
}

/** When a raise asked for now is in force. */
export function raiseAt(span: LimitSpan, now: number, profile: Profile): number {
  const after = now + profile.raiseDays * DAY_MS;
  if (!profile.raiseAfterWindow || span === 'bet' || span === 'always') return after;
  return Math.max(after, windowOf(span, now, profile.timeZone).to);
}

export function limitWindow(span: LimitSpan, now: number, profile: Profile): Window | null {
  return span === 'bet' || span === 'always' ? null : windowOf(span, now, profile.timeZone);
}

/**
 * Loss limits as the money a new bet must leave available: what the account would hold had it only lost up to the limit.
 * `lostMinor` is the net loss by play in the limit's window (negative for a gain). Null without limits.
 */
export function lossFloor(
  balanceMinor: number,
  limits: ReadonlyArray<{ amountMinor: number; lostMinor: number }>,
): number | null {
  if (limits.length === 0) return null;
  return Math.max(...limits.map(({ amountMinor, lostMinor }) => balanceMinor + lostMinor - amountMinor));
}

// ----------------------------------------------------------------------------------------------- restrictions

/** The end of a cool-off begun now. Hours and weeks are exact; a month is one of the calendar (PP-08). */
export function coolOffEnd(length: CoolOff, now: number, profile: Profile): number {
  switch (length) {
    case '24h':
      return now + DAY_MS;
    case '1w':
      return now + 7 * DAY_MS;
    case '3w':
      return now + 21 * DAY_MS;
    case '6w':
      return now + 42 * DAY_MS;
    case '1m':
      return addMonths(now, 1, profile.timeZone);
  }
}

/** The end of a self-exclusion begun now; null for none (0 months). */
export function exclusionEnd(months: number, now: number, profile: Profile): number | null {
  return months === 0 ? null : addMonths(now, months, profile.timeZone);
}

export interface Restriction {
  state: 'self-excluded' | 'cooling off';
  since: number;
  until: number | null;
  revokeAskedAt: number | null;
}

/**
 * A new restriction beside one that runs: nothing ever shortens a running period (CAR-52), and a cool-off never takes the
 * place of a self-exclusion.
 */
export function combine(running: Restriction | null, asked: Restriction): Restriction {
  if (!running) return asked;
  const state = running.state === 'self-excluded' ? 'self-excluded' : asked.state;
  const until = running.until === null || asked.until === null ? null : Math.max(running.until, asked.until);
  // Asking for more protection takes back a wish to end it.
  return { state, since: running.since, until, revokeAskedAt: null };
}

/**
 * When a restriction ends by itself: at its end, outside the profiles where self-exclusion stays until support ends it
 * (ACC-09..11), or by a revocation that was asked for. Null: not by itself.
 */
export function endsAt(restriction: Restriction, profile: Profile): number | null {
  const { state, until, revokeAskedAt } = restriction;
  const byItself = state === 'cooling off' || profile.exclusionEndsItself ? until : null;
  const revoked = revokeAskedAt === null ? null : revokeAskedAt + profile.revocationDays * DAY_MS;
  if (byItself === null || revoked === null) return byItself ?? revoked;
  return Math.min(byItself, revoked);
}

/** The earliest moment a revocation counts: the period has elapsed (ACC-13). One without end can be revoked after the shortest period. */
export function revocableFrom(restriction: Restriction, profile: Profile): number {
  if (restriction.until !== null) return restriction.until;
  const shortest = Math.min(...profile.exclusionMonths.filter((months) => months > 0));
  return addMonths(restriction.since, shortest, profile.timeZone);
}

// ----------------------------------------------------------------------------------------------- states by clock

/** What an account is apart from a restriction the player put on it; set by the operator or by long absence. */
export type BaseState = Exclude<AccountState, 'self-excluded' | 'cooling off'>;

export interface Standing {
  base: BaseState;
  restriction: Restriction | null;
  ageVerified: boolean;
  firstDepositAt: number | null;
  lastAccessAt: number;
  balanceMinor: number;
}

/**
 * The state of an account at a moment. Blocked and closed stay; a restriction ends by its rule; an unverified age freezes
 * after its hours (ACC-02); long absence makes an account inactive, then dormant (ACC-03, ACC-04).
 */
export function stateAt(standing: Standing, now: number, profile: Profile): AccountState {
  const { base, restriction } = standing;
  if (base === 'blocked' || base === 'closed') return base;
  if (restriction && runs(restriction, now, profile)) return restriction.state;
  if (base === 'frozen' || frozenAt(standing, profile) <= now) return 'frozen';
  if (base === 'dormant' || isDormant(standing, now, profile)) return 'dormant';
  if (base === 'inactive' || isInactive(standing, now, profile)) return 'inactive';
  return 'active';
}

export function runs(restriction: Restriction, now: number, profile: Profile): boolean {
  const end = endsAt(restriction, profile);
  return end === null || now < end;
}

/** When an account whose age is not verified freezes; never, when it is or when nothing was deposited. */
export function frozenAt(
  { ageVerified, firstDepositAt }: Pick<Standing, 'ageVerified' | 'firstDepositAt'>,
  profile: Profile,
): number {
  return ageVerified || firstDepositAt === null
    ? Number.POSITIVE_INFINITY
    : firstDepositAt + profile.ageCheckHours * HOUR_MS;
}

export function isInactive(
  { balanceMinor, lastAccessAt }: Pick<Standing, 'balanceMinor' | 'lastAccessAt'>,
  now: number,
  profile: Profile,
): boolean {
  return balanceMinor > 0 && havePassed(lastAccessAt, profile.inactiveMonths, now, profile.timeZone);
}

export function isDormant({ lastAccessAt }: Pick<Standing, 'lastAccessAt'>, now: number, profile: Profile): boolean {
  return havePassed(lastAccessAt, profile.dormantMonths, now, profile.timeZone);
}

/** Asked before every bet: the calendar is looked at only where it can matter. */
function havePassed(from: number, months: number, now: number, timeZone: string): boolean {
  return now >= from + months * SHORT_MONTH_MS && now >= addMonths(from, months, timeZone);
}

// ----------------------------------------------------------------------------------------------- time

/** Playing after so long a silence is a new visit: its clock and its reality check begin again. */
export const VISIT_GAP_MS = 30 * 60_000;

/** When the next reality check is due; null where the player has none. */
export function realityDueAt(visitSince: number, answeredAt: number | null, minutes: number): number | null {
  return minutes === 0 ? null : Math.max(visitSince, answeredAt ?? 0) + minutes * 60_000;
}
