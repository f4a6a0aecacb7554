/** The expert's list of events, `/expert`; his panel is not the player's (OPN-43). */
import type { Catalog } from '../catalog/catalog.ts';
import type { Entry } from './entry.ts';

/** Gives the way to stop. */
export function expertSockets(entry: Entry, catalog: Catalog): () => void {
  const { nsp } = entry.endpoint('/expert');
  let n = 0;
  nsp.on('connection', (socket) => {
    entry.listen(socket, {});
    const matches = catalog.openEvents().map((live) => ({ id: live.id, matchType: live.matchType }));
    socket.emit('snapshot', { n, matches });
  });
  return catalog.onChange((change) => {
    if (change.type === 'score') return;
    n += 1;
    nsp.emit('change', { n, type: change.type, matchId: change.eventId });
  });
}
