/** Days of the player's own calendar. */

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The moment a day begins in a zone, ms; `day` is its midnight in UTC. Where clocks skip midnight, the first moment after. */
export function midnight(day: number, zone: string): number {
  // Twice: the offset at the first guess may be that of the other side of a change.
  let at = day - offsetAt(day, zone);
  at = day - offsetAt(at, zone);
  return at;
}

/** What the zone's clocks are ahead of UTC at a moment, ms. */
function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)!.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(at / 1000) * 1000;
}
