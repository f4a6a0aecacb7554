import { CodedError, operator as calls } from '@fairgame/contract';
import type { MarketId } from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import { type Acts, signed } from './acts.ts';

/** What the operator sees of the feed and says to it. */
export interface FeedDesk {
  stats(): { lastHeardAt: number | null; commands: number; waiting: number; refused: Record<string, number> };
  source(): { connected: boolean; troubles: number };
  attention(): Array<{ marketId: MarketId; why: 'forsaken' | 'jump' | 'result'; since: number }>;
  /** False when none of the market's prices is in doubt. */
  confirm(marketId: MarketId, actor: string): Promise<boolean>;
}

/** Calls about what a machine left to a person: markets without a source, prices in doubt, commands put aside. */
export function feedActs(
  act: Acts,
  http: Http,
  { core, catalog, db, feed }: { core: Core; catalog: Catalog; db: Db; feed: FeedDesk },
): void {
  http.route(calls.feed, () => {
    const { lastHeardAt, commands, waiting, refused } = feed.stats();
    return {
      lastHeardAt: lastHeardAt === null ? null : new Date(lastHeardAt).toISOString(),
      ...feed.source(),
      commands,
      waiting,
      refused: Object.entries(refused).map(([what, times]) => ({ what, times })),
      attention: feed.attention().flatMap(({ marketId, why, since }) => {
        const market = core.read.market(marketId);
        if (!market) return [];
        return {
          betId: marketId,
          matchId: market.eventId,
          match: catalog.event(market.eventId)?.event.title ?? '',
          market: market.name,
          why,
          since: new Date(since).toISOString(),
          status: market.status,
        };
      }),
    };
  });

  act(
    calls.confirmPrice,
    (body) => `market:${body.betId}`,
    async ({ body, actor }) => {
      if (!(await feed.confirm(body.betId, actor)))
        throw new CodedError('MARKET_UNKNOWN', {
          field: 'betId',
          message: 'No price of this market is in doubt.',
        });
      return { data: null, message: 'The price is taken as right.' };
    },
  );

  act(
    calls.voidForsaken,
    (body) => `markets:${body.betIds.join(',')}`,
    async ({ body, actor }) => {
      const forsaken = new Set(feed.attention().flatMap(({ marketId, why }) => (why === 'forsaken' ? [marketId] : [])));
      let voided = 0;
      let repeated = true;
      for (const marketId of new Set(body.betIds)) {
        const signature = signed(calls.voidForsaken, actor, body, `:${marketId}`);
        // What was voided under this key before is forsaken no more.
        if (!forsaken.has(marketId) && !(await core.answerOf(actor, signature.key)))
          throw new CodedError('MARKET_UNKNOWN', { field: 'betIds', message: `Market ${marketId} has its feed.` });
        const result = { kind: 'void' as const, reason: body.reason };
        const answer = await core.submit({
          ...signature,
          world: 'both',
          command: { type: 'market.declare', marketId, result },
        });
        repeated &&= answer.replayed;
        voided++;
      }
      return {
        data: { voided, repeated },
        message: voided === 1 ? 'The market is void.' : `${voided} markets are void.`,
      };
    },
  );

  http.route(calls.quarantine, async ({ query }) => {
    const rows = await db.query<{ id: number; at: number; actor: string; command: string; error: string }>(
      'SELECT id, at, actor, command, error FROM core_quarantine ORDER BY id DESC LIMIT $1',
      [Math.min(500, Number(query.limit ?? 50))],
    );
    return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
  });
}
