import type { QuietHours } from '@fairgame/contract';
import { localOf } from '@fairgame/contract';

/** Whether a moment is in the quiet hours, by the clock on the wall of their time zone. */
export function isQuiet(quiet: QuietHours | null, at: number): boolean {
  if (!quiet) return false;
  const { from, to, zone } = quiet;
  const { hour, minute } = localOf(at, zone);
  const now = hour * 60 + minute;
  return from <= to ? now >= from && now < to : now >= from || now < to;
}
