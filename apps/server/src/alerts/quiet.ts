import { ALERT_WAYS, type AlertWay, localOf, type QuietByWay, type QuietHours } from '@fairgame/contract';

/** Whether a moment is in the quiet hours, by the clock on the wall of their time zone. */
export function isQuiet(quiet: QuietHours | null, at: number): boolean {
  if (!quiet) return false;
  const { from, to, zone } = quiet;
  const { hour, minute } = localOf(at, zone);
  const now = hour * 60 + minute;
  return from <= to ? now >= from && now < to : now >= from || now < to;
}

/** The ways in whose quiet hours a moment is. */
export const silentAt = (quiet: QuietByWay, at: number): AlertWay[] =>
  ALERT_WAYS.filter((way) => isQuiet(quiet[way], at));
