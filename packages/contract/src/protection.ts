import * as z from 'zod/mini';
import { call, minor, nothing } from './call.ts';

const kind = z.enum(['deposit', 'loss', 'wager', 'stake', 'exposure']);
const span = z.enum(['bet', 'always', 'day', 'week', 'month']);
const coolOff = z.enum(['24h', '1w', '3w', '1m', '6w']);
const state = z.enum(['active', 'frozen', 'blocked', 'closed', 'self-excluded', 'cooling off', 'inactive', 'dormant']);
const iso = z.string();
const reason = z.string().check(z.minLength(3), z.maxLength(300));
const userName = z.string().check(z.regex(/^[A-Za-z0-9_.-]{3,32}$/));
/** A limit of a player's own: 1.00 to a hundred million. */
const limitMinor = z.int().check(z.minimum(100), z.maximum(10_000_000_000), z.meta({ unit: 'minor units' }));

/** What stands in the way of betting, for the banner and the bet slip; null when nothing does. */
export const standing = z.object({ state, text: z.string(), until: z.nullable(iso) });
export type AccountStanding = z.output<typeof standing>;

const limit = z.object({
  kind,
  span,
  amountMinor: minor(),
  /** Of the running window; for `bet` 0, for `always` the exposure now. */
  usedMinor: minor(),
  /** When the window ends; null for `bet` and `always`. */
  resetsAt: z.nullable(iso),
  /** A raise on its way; null amount takes the limit away. */
  pending: z.nullable(z.object({ amountMinor: z.nullable(minor()), at: iso })),
});
export type PlayLimit = z.output<typeof limit>;

export const protectionStatus = z.object({
  state,
  standing: z.nullable(standing),
  jurisdiction: z.enum(['INT', 'GB', 'MT', 'SE']),
  raiseDays: z.int(),
  limits: z.array(limit),
  coolOffs: z.array(z.object({ length: coolOff, until: iso })),
  /** Months to choose from; 0 is without an end. */
  exclusions: z.array(z.object({ months: z.int(), until: z.nullable(iso) })),
  exclusionEndsItself: z.boolean(),
  restriction: z.nullable(
    z.object({
      state: z.enum(['self-excluded', 'cooling off']),
      since: iso,
      until: z.nullable(iso),
      /** When it ends, as things stand; null: not by itself. */
      endsAt: z.nullable(iso),
      /** From here on a revocation counts; null: support does it. */
      revocableFrom: z.nullable(iso),
      revokedFrom: z.nullable(iso),
    }),
  ),
  reality: z.object({
    /** 0 is off. */
    minutes: z.int(),
    choices: z.array(z.int()),
    dueAt: z.nullable(iso),
    due: z.boolean(),
  }),
  session: z.object({
    startedAt: iso,
    elapsedMs: z.int(),
    /** Result of settled bets since the session began. */
    netMinor: minor(),
    /** Stakes placed since. */
    stakedMinor: minor(),
  }),
  today: z.object({ playedMs: z.int(), limitMinutes: z.nullable(z.int()) }),
  weekNetMinor: minor(),
  monthDepositsMinor: minor(),
});
export type ProtectionStatus = z.output<typeof protectionStatus>;

const real = <B extends z.ZodMiniType, R extends z.ZodMiniType>(
  name: string,
  path: string,
  summary: string,
  body: B,
  reply: R,
  errors: Parameters<typeof call>[1]['errors'] = [],
) =>
  call(`protection.${name}`, { method: 'POST', path: `/protection${path}`, who: 'real', summary, body, reply, errors });

/** Limits, breaks and self-exclusion (specification 6.4, trust 3). Not for play money. */
export const protection = {
  status: call('protection.status', {
    method: 'GET',
    path: '/protection',
    who: 'real',
    summary: "The player's limits, restrictions, reality check and session figures.",
    reply: protectionStatus,
  }),
  setLimit: real(
    'setLimit',
    '/limit',
    'Set, lower (at once), raise or remove (null; both after the days of the profile) a limit. A raise after an idle hour needs the password again.',
    z.strictObject({ kind, span, amountMinor: z.nullable(limitMinor) }),
    z.object({ when: z.enum(['now', 'later']), at: iso }),
    ['LIMIT_UNKNOWN', 'BAD_INPUT'],
  ),
  cancelRaise: real(
    'cancelRaise',
    '/limit/cancel',
    'Give up a raise that is on its way.',
    z.strictObject({ kind, span }),
    nothing,
    ['LIMIT_UNKNOWN'],
  ),
  coolOff: real(
    'coolOff',
    '/cool-off',
    'Lock betting for a while, at once. It cannot be cut short.',
    z.strictObject({ length: coolOff }),
    z.object({ until: z.nullable(iso) }),
    ['RESTRICTION_RUNS', 'STATE_NOT_FITTING'],
  ),
  selfExclude: real(
    'selfExclude',
    '/self-exclusion',
    'Close the account to betting for months (0: without an end), at once.',
    z.strictObject({ months: z.int().check(z.minimum(0), z.maximum(120)) }),
    z.object({ until: z.nullable(iso) }),
    ['STATE_NOT_FITTING'],
  ),
  revoke: real(
    'revoke',
    '/revoke',
    'Ask to end a restriction whose period has elapsed; it ends 7 days later.',
    z.strictObject({}),
    z.object({ at: iso }),
    ['REVOCATION_EARLY', 'SUPPORT_NEEDED', 'STATE_NOT_FITTING'],
  ),
  wake: real('wake', '/wake', 'Use an inactive account again.', z.strictObject({}), nothing, [
    'STATE_NOT_FITTING',
    'SUPPORT_NEEDED',
  ]),
  setReality: real(
    'setReality',
    '/reality',
    'Minutes between reality checks, one of the choices.',
    z.strictObject({ minutes: z.int().check(z.minimum(0), z.maximum(240)) }),
    nothing,
    ['BAD_INPUT'],
  ),
  answerReality: real(
    'answerReality',
    '/reality/answer',
    'The player has seen the reality check and goes on.',
    z.strictObject({}),
    z.object({ nextAt: z.nullable(iso) }),
  ),
  operatorState: call('protection.operatorState', {
    method: 'POST',
    path: '/protection/operator/state',
    who: 'operator',
    right: 'protection',
    summary: 'Set the state of an account; a running self-exclusion or cool-off is never cut short by it.',
    body: z.strictObject({ userName, state, reason }),
    reply: nothing,
    errors: ['ACCOUNT_UNKNOWN', 'RESTRICTION_RUNS'],
  }),
  operatorSettings: call('protection.operatorSettings', {
    method: 'POST',
    path: '/protection/operator/settings',
    who: 'operator',
    right: 'protection',
    summary:
      'Jurisdiction, session time limit in minutes a day (null: none), age check: what support sets for a player.',
    body: z.strictObject({
      userName,
      jurisdiction: z.optional(z.enum(['INT', 'GB', 'MT', 'SE'])),
      sessionMinutes: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(1440)))),
      ageVerified: z.optional(z.boolean()),
      reason,
    }),
    reply: nothing,
    errors: ['ACCOUNT_UNKNOWN'],
  }),
  operatorRevoke: call('protection.operatorRevoke', {
    method: 'POST',
    path: '/protection/operator/revoke',
    who: 'operator',
    right: 'protection',
    proof: true,
    summary:
      "A player's request to end a restriction whose period has elapsed; it ends 7 days later. Needs two people (`request`).",
    body: z.strictObject({ userName, reason }),
    reply: z.object({ request: z.nullable(z.int()), at: z.nullable(iso) }),
    errors: ['ACCOUNT_UNKNOWN', 'REVOCATION_EARLY', 'STATE_NOT_FITTING'],
  }),
};
