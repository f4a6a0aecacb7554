import * as z from 'zod/mini';
import { call, id, languageTag, minor, nothing, odds, stakeMinor } from './call.ts';
import { SPORT_KEYS } from './limits.ts';

/** What an alert waits for; what each needs is in the summary of `alerts.create`. */
export const ALERT_KINDS = [
  'PRICE',
  'SIZE',
  'MATCHED',
  'IN_PLAY',
  'SUSPENDED',
  'SCORE',
  'OFF',
  'RESULT',
  'BET',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Why an alert is over. */
export const ALERT_ENDS = ['CLOSED', 'GONE'] as const;
export type AlertEnd = (typeof ALERT_ENDS)[number];

export const MOST_ALERTS = 100;
export const MOST_PUSH_PLACES = 10;
/** An alert for every time is told at most once in so long: a price that trembles at the mark is one piece of news. */
export const ALERT_PAUSE_MS = 30_000;

const figure = z.enum(['BACK', 'LAY', 'LAST']);
const when = z.enum(['UP', 'DOWN']);
const seconds = () => z.int().check(z.minimum(1), z.maximum(3600), z.meta({ unit: 'seconds' }));

/** An alert as its owner sees it; null is what its kind has not. */
export const alert = z.object({
  id: z.int(),
  kind: z.enum(ALERT_KINDS),
  /** The market; null: own bets wherever they are. */
  betId: z.nullable(z.int()),
  matchId: z.nullable(z.int()),
  beventId: z.nullable(z.string()),
  matchType: z.nullable(z.enum(SPORT_KEYS)),
  eventName: z.string(),
  bettingName: z.string(),
  runnerId: z.nullable(z.int()),
  teamName: z.string(),
  /** Which price, or which size: what can be backed, laid, or was matched last. */
  figure: z.nullable(figure),
  /** At the mark or beyond it, upwards or downwards. */
  when: z.nullable(when),
  price: z.nullable(odds()),
  amountMinor: z.nullable(minor()),
  seconds: z.nullable(z.int()),
  /** Told every time it comes true, not once. */
  every: z.boolean(),
  /** OVER: nothing can come of it any more. */
  state: z.enum(['WAITING', 'FIRED', 'OVER']),
  /** Why it is over: its market has closed, or is not there any more. Null while it is not. */
  ended: z.nullable(z.enum(ALERT_ENDS)),
  createdAt: z.string(),
  firedAt: z.nullable(z.string()),
  times: z.int(),
});
export type Alert = z.output<typeof alert>;

const fields = {
  kind: z.enum(ALERT_KINDS),
  /** The market. */
  betId: z.optional(id()),
  runnerId: z.optional(id()),
  figure: z.optional(figure),
  when: z.optional(when),
  price: z.optional(odds().check(z.minimum(1), z.maximum(1_000_000))),
  amountMinor: z.optional(stakeMinor()),
  seconds: z.optional(seconds()),
  every: z.boolean(),
};
export const alertBody = z.strictObject(fields);
export type AlertBody = z.output<typeof alertBody>;

/** Hours of a day, in minutes from midnight, over midnight where `from` is later; of a time zone as `Europe/Paris`. */
export const quietHours = z.strictObject({
  from: z.int().check(z.minimum(0), z.maximum(1439)),
  to: z.int().check(z.minimum(0), z.maximum(1439)),
  zone: z.string().check(z.minLength(1), z.maxLength(60)),
});
export type QuietHours = z.output<typeof quietHours>;

/** How a player is told beside the page itself: a sound, a notification of an open page, a push. Each has hours of its own. */
export const ALERT_WAYS = ['SOUND', 'NOTICE', 'PUSH'] as const;
export type AlertWay = (typeof ALERT_WAYS)[number];
const quietByWay = z.strictObject({
  SOUND: z.nullable(quietHours),
  NOTICE: z.nullable(quietHours),
  PUSH: z.nullable(quietHours),
});
export type QuietByWay = z.output<typeof quietByWay>;

const errors = [
  'ALERT_LIMIT',
  'CONDITION_MET',
  'MARKET_UNKNOWN',
  'MARKET_CLOSED',
  'RUNNER_UNKNOWN',
  'RUNNER_REMOVED',
  'PRICE_INVALID',
  'WRONG_KIND',
] as const;

const says =
  'PRICE (betId, runnerId, figure, when, price), SIZE (betId, runnerId, figure BACK or LAY, amountMinor: so much at the best price), MATCHED (betId, amountMinor), SUSPENDED (betId, seconds), IN_PLAY, SCORE (a goal or a wicket), OFF (of a race), RESULT (each: betId), BET (own bets met by others, or lapsed; of one market with betId).';

/** What the server watches for a player, and where it tells him. */
export const alerts = {
  list: call('alerts.list', {
    method: 'GET',
    path: '/alerts',
    who: 'player',
    summary: 'All alerts of the player, the newest first, and the hours in which each way of telling is silent.',
    reply: z.object({ alerts: z.array(alert), quiet: quietByWay }),
  }),
  create: call('alerts.create', {
    method: 'POST',
    path: '/alerts',
    who: 'player',
    summary: `Sets an alert: ${says} At most ${MOST_ALERTS} that wait; one whose market has closed waits no more. Beyond that the oldest that is over gives way.`,
    body: alertBody,
    reply: alert,
    errors: [...errors],
  }),
  change: call('alerts.change', {
    method: 'POST',
    path: '/alerts/change',
    who: 'player',
    summary: 'Puts another alert in the place of one, which waits again.',
    body: z.strictObject({ id: id(), ...fields }),
    reply: alert,
    errors: ['NOT_FOUND', ...errors],
  }),
  remove: call('alerts.remove', {
    method: 'POST',
    path: '/alerts/delete',
    who: 'player',
    summary: 'Takes an alert away.',
    body: z.strictObject({ id: id() }),
    reply: nothing,
    errors: ['NOT_FOUND'],
  }),
  setQuiet: call('alerts.setQuiet', {
    method: 'POST',
    path: '/alerts/quiet',
    who: 'player',
    summary:
      'Sets the quiet hours of each way: what comes true then stands in the list and in the page, and is not told that way; null for none.',
    body: z.strictObject({ quiet: quietByWay }),
    reply: nothing,
  }),
  pushKey: call('alerts.pushKey', {
    method: 'GET',
    path: '/alerts/push',
    who: 'player',
    summary: "The site's public key for web push (VAPID), and how many browsers of the player are told.",
    reply: z.object({ key: z.string(), places: z.int() }),
  }),
  subscribe: call('alerts.subscribe', {
    method: 'POST',
    path: '/alerts/push',
    who: 'player',
    summary:
      'Tells this browser by web push, as long as the session lasts; with `keep` until it is ended or the password changes.',
    body: z.strictObject({
      endpoint: z.string().check(z.minLength(10), z.maxLength(1000)),
      p256dh: z.string().check(z.regex(/^[A-Za-z0-9_-]{87}=?$/)),
      auth: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}(==)?$/)),
      keep: z.boolean(),
      /** What is pushed is said in it, unless the account has a language. */
      language: z.optional(languageTag),
    }),
    reply: nothing,
    errors: ['BAD_INPUT'],
  }),
  unsubscribe: call('alerts.unsubscribe', {
    method: 'POST',
    path: '/alerts/push/delete',
    who: 'player',
    summary: 'No push to this browser any more.',
    body: z.strictObject({ endpoint: z.string().check(z.maxLength(1000)) }),
    reply: nothing,
  }),
};

/** What `userAlertsOver` says on the main socket, beside its number. */
export interface AlertsOver {
  alerts: readonly Alert[];
}

/** What `userAlert` says on the main socket, beside its number. */
export interface AlertNews {
  alert: Alert;
  /** The figure as it was then: price, size, amount, seconds. */
  seen: number | null;
  /** The ways in whose quiet hours it came. */
  silent: readonly AlertWay[];
}
