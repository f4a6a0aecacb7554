import type { QuietHours } from '@fairgame/contract';

/** Whether a moment is in the quiet hours, by the clock on the wall of their time zone. */
export function isQuiet(quiet: QuietHours | null, at: number): boolean {
  if (!quiet) return false;
  const { from, to, zone } = quiet;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const [hour, minute] = parts.format(at).split(':').map(Number) as [number, number];
  const now = hour * 60 + minute;
  return from <= to ? now >= from && now < to : now >= from || now < to;
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
