import { noonOf } from '../../platform/format.ts';

/** Whose days they are: the server tells results by the same. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A day of the player's own calendar as YYYY-MM-DD, `offset` days from today. */
export function localDay(offset: number): string {
  const date = new Date();
  date.setDate(date.getDate() + offset);
  return text(date);
}

export function dayAfter(day: string): string {
  const date = new Date(noonOf(day));
  date.setDate(date.getDate() + 1);
  return text(date);
}

function text(date: Date): string {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}
