import { dayNumber, minorToText, oddsText, parseMinor, parseOdds } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { language, locale, speech } from './language.ts';
import { timeZone } from './zone.ts';

/** Numbers and times as players read them (ui.md, numbers). Money comes in minor units, times in epoch milliseconds. */
const MINUS = '\u2212';
/** Before its figure on a page from right to left, too: a mark that nobody sees makes it read from left to right. */
const signed = (sign: string, figure: string): string => (language() === 'ur' ? '\u200e' : '') + sign + figure;

/** 123456 -> "1,234.56"; negative with the true minus. */
export function formatMoney(minor: number, decimals: 0 | 2 = 2): string {
  return minor < 0 ? signed(MINUS, absolute(minor, decimals)) : absolute(minor, decimals);
}

/** A stake: to the cent where it has any. "25", "1,250", "2.50". */
export const formatStake = (minor: number): string => formatMoney(minor, minor % 100 === 0 ? 0 : 2);

/** An amount as it is typed into a box: "1250", "2.50". */
export const typedAmount = (minor: number): string => (minor % 100 === 0 ? String(minor / 100) : minorToText(minor));

/** Minor units of an amount as the player writes one: "1,250.50", "1,00,000", in Spanish "1.250,50"; null where it is none. */
export function typedMinor(text: string): number | null {
  const typed = written(text, true);
  return parseMinor(/^\d\d?(,\d\d)+,\d{3}(\.\d+)?$/.test(typed) ? typed.replaceAll(',', '') : typed);
}

/** Hundredths of odds as the player writes them; null where they are none. */
export const typedOdds = (text: string): number | null => parseOdds(written(text, false));

const written = (text: string, amount: boolean): string => speech?.typed(text.trim(), amount) ?? text.trim();

/** Results carry a sign; zero has none: "+275.46", "−860.00", "0.00". */
export function formatSigned(minor: number, decimals: 0 | 2 = 2): string {
  const text = absolute(minor, decimals);
  if (signOf(minor) === 0) return text;
  return signed(minor > 0 ? '+' : MINUS, text);
}

/** A result where there is little room: to the cent below 1,000, rounded to whole units from there. */
export function formatSignedShort(minor: number): string {
  return Math.abs(minor) < 100_000
    ? formatSigned(minor)
    : formatSigned(Math.sign(minor) * Math.round(Math.abs(minor) / 100) * 100, 0);
}

/** Sizes in market cells: whole units with commas, short from a million. */
export function formatWhole(minor: number): string {
  const whole = Math.trunc(minor / 100);
  return Math.abs(whole) > 999_999 ? formatShort(minor) : group(whole);
}

/** Sizes in lists: 860, 1.9k, 24.6k, 12k above a hundred thousand, 1.2M. */
export function formatShort(minor: number): string {
  const whole = Math.trunc(minor / 100);
  if (whole < 1000) return String(whole);
  const short = whole < 999_950 ? `${trim(whole / 1000)}k` : `${trim(whole / 1_000_000)}M`;
  return speech?.short(short) ?? short;
}

/** Odds in hundredths: two decimals under 10, one from 10, none from 20. */
export function formatOdds(hundredths: number): string {
  return oddsText(hundredths);
}

export function signOf(value: number): -1 | 0 | 1 {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

const HOUR = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const KINDS = {
  moment: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  date: { day: '2-digit', month: 'short', year: 'numeric' },
  day: { day: '2-digit', month: 'short' },
  time: HOUR,
  clock: { ...HOUR, second: '2-digit' },
  weekday: { weekday: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const INDIA = /^Asia\/(Calcutta|Kolkata)$/;
/** Where amounts in English have their commas: players of India group 1,00,000 there too. Other languages know it themselves. */
const grouping = (): RegExp =>
  language() === 'en' && INDIA.test(timeZone()) ? /\B(?=(\d\d)*\d{3}$)/g : /\B(?=(\d{3})+$)/g;
const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

function kept<F extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => F): F {
  const format = (made.get(key) as F | undefined) ?? make();
  made.set(key, format);
  return format;
}

/** "24/11/2026": Brazilians write a whole day so; with the month's name it is four words. */
const short = (kind: keyof typeof KINDS): Intl.DateTimeFormatOptions =>
  kind === 'date' && language() === 'pt-BR' ? { month: '2-digit' } : {};

const told = (kind: keyof typeof KINDS, ms: number, zone = timeZone()): string =>
  kept(
    `${locale()} ${zone} ${kind}`,
    () => new Intl.DateTimeFormat(locale(), { ...KINDS[kind], ...short(kind), timeZone: zone }),
  ).format(ms);

/** "Sat 21 Nov 2026", by the player's clock. */
export const formatWeekdayDate = (ms: number): string => told('moment', ms).replace(',', '');

/** "20 Nov 2026", by the player's clock. */
export function formatDate(ms: number): string {
  return told('date', ms);
}

/** "20 Nov", by the player's clock. */
export function formatShortDay(ms: number): string {
  return told('day', ms);
}

/** "19:42", by the player's clock, 24-hour. */
export function formatTime(ms: number): string {
  return told('time', ms);
}

/** "19:42:07", by the player's clock, 24-hour. */
export function formatSeconds(ms: number): string {
  return told('clock', ms);
}

/** Figures with signs between or behind them ("2–1", "65'"), which belong together: read from left to right in Urdu, too. */
export const figures = (text: string): string => (language() === 'ur' ? `\u200e${text}\u200e` : text);

/** What is there of these, with the comma of the language between. */
export const listed = (...parts: readonly unknown[]): string => parts.filter(Boolean).join(speech?.comma ?? ', ');

/** "20 Nov 2026, 19:42". */
export function formatDateTime(ms: number): string {
  return listed(told('date', ms), told('time', ms));
}

/** "Fri 20 Nov 2026, 19:42:07", the clock of the notice bar. */
export function formatClock(ms: number): string {
  return listed(`${told('weekday', ms)} ${told('date', ms)}`, told('clock', ms));
}

/** Dates of the sport tree: "2026/11/20" from a date-only text or from epoch ms; grouped by UTC day (OPN-59). */
export function formatTreeDate(day: string | number): string {
  const text = typeof day === 'number' ? new Date(day).toISOString() : day;
  return text.slice(0, 10).replaceAll('-', '/');
}

/** "Today", "Tomorrow" or "20 Nov": the day of an event as lists show it. */
export function formatDay(ms: number, nowMs: number = Date.now()): string {
  const days = daysUntil(ms, nowMs);
  if (days === 0) return t`Today`;
  if (days === 1) return t`Tomorrow`;
  return formatShortDay(ms);
}

/** A duration as hours and minutes, "0:42". */
export function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

/** A length of time in words: "33 minutes", "1 hour", "2 hours 5 minutes". */
export function formatSpan(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const hours = plural({ count: Math.floor(minutes / 60) }, { one: '# hour', other: '# hours' });
  const rest = plural({ count: minutes % 60 }, { one: '# minute', other: '# minutes' });
  if (minutes === 0) return t`less than a minute`;
  if (minutes < 60) return rest;
  return minutes % 60 === 0 ? hours : `${hours} ${rest}`;
}

function absolute(minor: number, decimals: 0 | 2): string {
  const cents = Math.round(Math.abs(minor));
  // A format of the browser takes a phone a tenth of a second to make, before the first price: English does without.
  if (locale() === 'en-GB') {
    const whole = String(Math.floor(cents / 100)).replace(grouping(), ',');
    return decimals === 0 ? whole : `${whole}.${String(cents % 100).padStart(2, '0')}`;
  }
  // Spanish would leave 1.250 without its point, and read it with one.
  const fixed = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: 'always' } as const;
  const amount = decimals === 0 ? Math.floor(cents / 100) : cents / 100;
  return kept(`${locale()} ${decimals}`, () => new Intl.NumberFormat(locale(), fixed)).format(amount);
}

function group(whole: number): string {
  return absolute(whole * 100, 0);
}

function trim(value: number): string {
  const text = value >= 100 ? String(Math.floor(value)) : (Math.floor(value * 10) / 10).toFixed(1);
  return text.endsWith('.0') && value >= 10 ? text.slice(0, -2) : text;
}

/** By the player's clock. */
const daysUntil = (ms: number, nowMs: number): number => dayNumber(ms, timeZone()) - dayNumber(nowMs, timeZone());

/** How far off a start is, by whole minutes: "due off", "in 25 min", "in 2 h 15 min". */
export function formatUntil(minutes: number): string {
  if (minutes <= 0) return t`due off`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return minutes < 60 ? t`in ${minutes} min` : t`in ${hours} h ${rest} min`;
}

/** When a race is off: how long until then, or its day where that is another one. */
export function formatOff(startMs: number, nowMs: number): string {
  if (daysUntil(startMs, nowMs) !== 0) return formatDay(startMs, nowMs);
  return formatUntil(Math.round((startMs - nowMs) / 60_000));
}

/** "20 Nov 2026" of a YYYY-MM-DD. */
export const dayText = (day: string): string => told('date', Date.parse(day), 'UTC');
/** "20 Nov" of the same, for an axis. */
export const shortDayText = (day: string): string => told('day', Date.parse(day), 'UTC');
