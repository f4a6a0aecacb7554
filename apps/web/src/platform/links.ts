/** Where an event type leads (NAV-20, OPN-08): an event page, a race page, or the contact-admin screen with its id. */
export const EVENT_TYPES: Readonly<Record<string, 'game-detail' | 'race' | number>> = {
  cricket: 'game-detail',
  football: 'game-detail',
  tennis: 'game-detail',
  politics: 'game-detail',
  horseRacing: 'race',
  greyHound: 'race',
  lottery: 1,
  tableTennis: 777,
  volleyball: 888,
  racing: 98,
  tembo: 89,
};

/**
 * The page of an event as search results and lists link it (SRC-06..09): races to /race/{id}; everything else to
 * /game-detail/{matchType}/{id}, with ?bid= when the exchange knows the event and it is not cricket.
 */
export function eventPath(event: {
  matchType: string;
  id: string | number;
  beventId?: string | null | undefined;
}): string {
  const { matchType, beventId } = event;
  const id = encodeURIComponent(String(event.id));
  // A card table's event has no page of its own: the lobby leads to the table.
  if (matchType === 'casino') return '/casino';
  if (matchType === 'greyHound' || matchType === 'horseRacing') return `/race/${id}`;
  const bid = beventId && matchType !== 'cricket' ? `?bid=${encodeURIComponent(beventId)}` : '';
  return `/game-detail/${encodeURIComponent(matchType)}/${id}${bid}`;
}

/** The page of an event type that has no event of its own: its list where it has one, else contact-admin (NAV-20). */
export function typePath(type: string): string {
  const to = EVENT_TYPES[type];
  if (to === 'game-detail' || to === 'race') return `/game-list/${type}`;
  return `/contact-admin/${encodeURIComponent(String(to ?? type))}`;
}

/** All events with these words. */
export const searchPath = (words: string): string => `/search?q=${encodeURIComponent(words)}`;
