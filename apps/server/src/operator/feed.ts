import { type BodyOf, CodedError, operator as calls } from '@fairgame/contract';
import type { MarketId } from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import { type Acts, signed } from './acts.ts';
import { onceBooked } from './booked.ts';
import type { Effects } from './effects.ts';

/** What the operator sees of the feed and says to it. */
export interface FeedDesk {
  stats(): { lastHeardAt: number | null; commands: number; waiting: number; refused: Record<string, number> };
  /** Prices are known to be old. */
  late(): boolean;
  source(): { connected: boolean; troubles: number };
  attention(): Array<{ marketId: MarketId; why: 'forsaken' | 'jump' | 'result'; since: number }>;
  /** Whether the feed gives a market that is held no more the state it should have; else it is simply opened. */
  takesBack(marketId: MarketId): Promise<boolean>;
  /** False when none of the market's prices is in doubt. */
  confirm(marketId: MarketId, actor: string): Promise<boolean>;
}

/** Calls about what a machine left to a person: markets without a source, prices in doubt, commands put aside. */
export function feedActs(
  act: Acts,
  http: Http,
  { core, catalog, db, feed, effects }: { core: Core; catalog: Catalog; db: Db; feed: FeedDesk; effects: Effects },
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
      let repeated = true;
      const marketIds = [...new Set(body.betIds)];
      for (const marketId of marketIds) {
        const signature = await mayVoid(actor, body, marketId);
        const answer = await onceBooked(core, {
          ...signature,
          world: 'all',
          command: { type: 'market.declare', marketId, result: resultOf(body) },
        });
        repeated &&= answer.replayed;
      }
      const voided = marketIds.length;
      return {
        data: { request: null, voided, repeated },
        message: voided === 1 ? 'The market is void.' : `${voided} markets are void.`,
      };
    },
    {
      // What cannot be voided is refused at once; a line that was carried out is repeated by the same person alone.
      needed: async ({ body, actor }) => {
        const done = await Promise.all(
          body.betIds.map(async (marketId) => core.answerOf(actor, (await mayVoid(actor, body, marketId)).key)),
        );
        return done.some((answer) => !answer);
      },
      effect: async (body) =>
        (await Promise.all(body.betIds.map((marketId) => effects.result(marketId, resultOf(body))))).flat(),
      waiting: (request) => ({ request, voided: 0, repeated: false }),
    },
  );

  const resultOf = ({ reason }: { reason: string }) => ({ kind: 'void' as const, reason });

  /** What a market is voided under. Throws MARKET_UNKNOWN where its feed still names it, and it was not voided before. */
  async function mayVoid(actor: string, body: BodyOf<typeof calls.voidForsaken>, marketId: MarketId) {
    const signature = signed(calls.voidForsaken, actor, body, `:${marketId}`);
    const forsaken = feed.attention().some((one) => one.marketId === marketId && one.why === 'forsaken');
    if (!forsaken && !(await core.answerOf(actor, signature.key)))
      throw new CodedError('MARKET_UNKNOWN', { field: 'betIds', message: `Market ${marketId} has its feed.` });
    return signature;
  }

  http.route(calls.quarantine, async ({ query }) => {
    const rows = await db.query<{ id: number; at: number; actor: string; command: string; error: string }>(
      'SELECT id, at, actor, command, error FROM core_quarantine ORDER BY id DESC LIMIT $1',
      [Math.min(500, Number(query.limit ?? 50))],
    );
    return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
  });
}
