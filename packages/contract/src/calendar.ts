/** Days, weeks and months of a calendar, by the clock of its place: a day may have 23 or 25 hours. Pure. */

import { dayNumber, offsetOf } from './zone.ts';

export type Span = 'day' | 'week' | 'month';
export interface Window {
  /** Inclusive. */
  from: number;
  /** Exclusive: the next window begins here. */
  to: number;
}

export interface Local {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  ms: number;
}

const DAY_MS = 86_400_000;

/** The running day, week (from Monday) or month of a moment. */
export function windowOf(span: Span, at: number, timeZone: string): Window {
  const { year, month, day } = localOf(at, timeZone);
  const midnight = (y: number, m: number, d: number) => beginOfDay(Date.UTC(y, m - 1, d), timeZone);
  if (span === 'month') return { from: midnight(year, month, 1), to: midnight(year, month + 1, 1) };
  // 1970-01-01 was a Thursday.
  const back = span === 'week' ? (dayNumber(at, timeZone) + 3) % 7 : 0;
  const length = span === 'week' ? 7 : 1;
  return { from: midnight(year, month, day - back), to: midnight(year, month, day - back + length) };
}

/** The same time of day so many months later; a day that month has not is the first of the next, so never a shorter time. */
export function addMonths(at: number, months: number, timeZone: string): number {
  const local = localOf(at, timeZone);
  const target = new Date(Date.UTC(local.year, local.month - 1 + months, 1));
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  const over = local.day > last;
  return momentOf(
    {
      ...local,
      year: target.getUTCFullYear(),
      month: target.getUTCMonth() + 1 + (over ? 1 : 0),
      day: over ? 1 : local.day,
    },
    timeZone,
  );
}

/** The moment a day of the calendar begins at the place; `day` is its midnight in UTC. Where clocks skip it, the first after. */
export function beginOfDay(day: number, timeZone: string): number {
  const date = new Date(day);
  return momentOf(
    {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: 0,
      minute: 0,
      second: 0,
      ms: 0,
    },
    timeZone,
  );
}

/** Wall clock of a moment. */
export function localOf(at: number, timeZone: string): Local {
  const shifted = new Date(at + offsetOf(at, timeZone));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
    ms: shifted.getUTCMilliseconds(),
  };
}

/** "2026-11-20 19:42:07" by the clock of the place. */
export function clockText(at: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = localOf(at, timeZone);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** The moment of a wall clock; a time that a change of the clock leaves out is the one an hour later, never earlier. */
function momentOf(local: Local, timeZone: string): number {
  const wall = Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second, local.ms);
  const before = wall - offsetOf(wall - DAY_MS, timeZone);
  const after = wall - offsetOf(wall + DAY_MS, timeZone);
  if (before === after) return before;
  // Of two readings the later one: no window and no restriction is made shorter by the clock.
  const fits = [after, before].filter((at) => at + offsetOf(at, timeZone) === wall);
  return fits.length > 0 ? Math.max(...fits) : before;
}
