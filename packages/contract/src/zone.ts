/** Clocks of places: what every page asks of them. Pure. */
const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The one spelling of a zone's name, as Europe/Berlin; null for what is none. */
export function zoneNamed(text: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Days since 1970 on the calendar of the place. */
export const dayNumber = (at: number, timeZone: string): number => Math.floor((at + offsetOf(at, timeZone)) / DAY_MS);

/** How far the clock of the place is before UTC, ms. */
export function offsetOf(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  let format = formats.get(timeZone);
  if (!format) {
    // Swedes write "2026-11-20 19:42:07".
    format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
