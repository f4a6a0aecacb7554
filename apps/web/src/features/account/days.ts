/** A day of the player's own calendar as YYYY-MM-DD, `offset` days from today. */
export function localDay(offset: number): string {
  const date = new Date();
  date.setDate(date.getDate() + offset);
  return text(date);
}

export function dayAfter(day: string): string {
  const date = new Date(`${day}T12:00:00`);
  date.setDate(date.getDate() + 1);
  return text(date);
}

function text(date: Date): string {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}
