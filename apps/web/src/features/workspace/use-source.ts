import { CALLS, type ReplyOf, type WorkspacePane } from '@fairgame/contract';
import { msg } from '@lingui/core/macro';
import { useCall } from '../../api/api.ts';
import { useMarket, useWatch } from '../../live/live.ts';
import type { Words } from '../../platform/language.ts';
import { FIRST_SIZE, ofMarket, ofMarkets, paneOf } from './arrangement.ts';

/** Made ready, by the word of their address. */
export const READY = {
  football: msg`Football match`,
  cricket: msg`Cricket match`,
  horseRacing: msg`Race day`,
  inPlay: msg`Six markets in play`,
} as const satisfies Record<string, Words>;
export type Ready = keyof typeof READY;

export type Kept = ReplyOf<typeof CALLS.account.workspaces>;
type ListedMatch = ReplyOf<typeof CALLS.catalog.list>['matches'][number];

interface Source {
  /** What it begins with; undefined until that is known. */
  panes: readonly WorkspacePane[] | undefined;
  /** What did not load. */
  failed: { error: unknown; retry: () => void } | null;
}

/** What the address asks for: one that is kept, one made ready, all of a market, or one part alone. */
export function useSource(search: URLSearchParams, kept: Kept | undefined): Source {
  const name = search.get('name');
  const ready = readyOf(search.get('ready'));
  const marketId = Number(search.get('market')) || 0;
  const alone = paneOf(search.get('pane'));
  const list = useReady(ready);
  const event = useCall(CALLS.catalog.eventOf, { params: { id: String(marketId) } }, { enabled: marketId > 0 });
  useWatch(event.data ? [event.data.id] : [], 'full');
  const market = useMarket(marketId);
  const of = (panes: Source['panes'], call?: { isError: boolean; error: unknown; refetch: () => unknown }): Source => ({
    panes,
    failed: call?.isError ? { error: call.error, retry: () => void call.refetch() } : null,
  });
  if (alone) return of([alone]);
  if (name !== null) return of(kept && (kept.find((one) => one.name === name)?.panes ?? []));
  if (ready) return of(list.panes, list.call);
  if (marketId > 0) return of(market && ofMarket(market), event);
  return of([]);
}

export const readyOf = (text: string | null): Ready | null =>
  text !== null && Object.hasOwn(READY, text) ? (text as Ready) : null;

const ofEvent = ({ head, isFancy }: ListedMatch) => [
  ...ofMarket(head!),
  ...(isFancy ? [{ kind: 'fancy' as const, marketId: head!.id, runnerId: 0, ...FIRST_SIZE.fancy }] : []),
];

/** Open markets first: a race that is run has a market still, and nothing to trade. Of those what is in play, of races what is not: they last a minute. */
const rank = ({ head, inPlay }: ListedMatch, ready: Ready | null): number =>
  (head?.status === 'OPEN' ? 0 : 2) + (inPlay === (ready === 'horseRacing') ? 1 : 0);

/** The first event of the sport with a market, the next race, or the first six in play. */
function useReady(ready: Ready | null) {
  const query = ready === 'inPlay' ? { inPlay: 'true' as const } : { 'match.matchType': ready ?? '' };
  const call = useCall(
    CALLS.catalog.list,
    { query: { ...query, page: '1', limit: '20' } },
    { enabled: ready !== null },
  );
  const found = (call.data?.matches ?? [])
    .filter(({ head }) => head !== null)
    .toSorted((one, other) => rank(one, ready) - rank(other, ready));
  const [first] = found;
  const panes =
    ready === 'inPlay' ? ofMarkets(found.slice(0, 6).map(({ head }) => head!.id)) : first ? ofEvent(first) : [];
  return { panes: call.data && panes, call };
}
