import { bets as betCalls, CodedError, operator as calls } from '@fairgame/contract';
import type { Account } from '../account/account.ts';
import type { Auth } from '../auth/auth.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core, Request, World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Audit } from '../ops/ops.ts';
import type { Protection } from '../protection/protection.ts';
import { createActs, signed } from './acts.ts';
import { type FeedDesk, feedActs } from './feed.ts';
import type { Holds } from './holds.ts';
import { marketActs } from './markets.ts';
import { playerActs } from './players.ts';

export { createHolds } from './holds.ts';

/** What players' screens must hear of at once, beside what the core tells. */
type Signal =
  /** Every client reloads, spread over half a minute. */
  | { type: 'refreshAll' }
  /** The text of a taken-out bet changed. */
  | { type: 'deleteReason'; world: World; accountId: number; betId: number; marketId: number; reason: string };

export interface Operator {
  routes(http: Http): void;
  onSignal(listener: (signal: Signal) => void): () => void;
}

export interface OperatorOptions {
  db: Db;
  core: Core;
  auth: Auth;
  account: Account;
  catalog: Catalog;
  audit: Audit;
  holds: Holds;
  protection: Protection;
  feed: FeedDesk;
  clock: () => number;
}

interface BetPlace {
  id: number;
  world: World;
  account_id: number;
  market_id: number;
}

/** The operator's minimum (issue 2.8): enough to run the site by hand. Every act stands in the audit log. */
export function createOperator(opts: OperatorOptions): Operator {
  const { db, core, auth, account, catalog, audit, holds, protection, feed, clock } = opts;
  const listeners = new Set<(signal: Signal) => void>();
  const signal = (what: Signal): void => {
    for (const listener of listeners) listener(what);
  };

  async function placesOf(betIds: readonly number[]): Promise<BetPlace[]> {
    const rows = await db.query<BetPlace>(
      'SELECT id, world, account_id, market_id FROM bets WHERE id = ANY($1::bigint[])',
      [betIds],
    );
    if (rows.length < new Set(betIds).size) throw new CodedError('BET_UNKNOWN', { field: 'ids' });
    return rows;
  }

  /** Takes bets out, market by market. All are known before the first is touched. */
  async function takeOut(
    betIds: readonly number[],
    reason: string,
    signature: (part: string) => Pick<Request, 'actor' | 'key' | 'payloadHash'>,
    eventId?: number,
  ): Promise<boolean> {
    const groups = new Map<string, BetPlace[]>();
    for (const place of await placesOf(betIds)) {
      const market = core.read.market(place.market_id);
      if (eventId !== undefined && market && market.eventId !== eventId)
        throw new CodedError('BET_UNKNOWN', { field: 'matchId' });
      const key = `${place.world} ${place.market_id}`;
      groups.set(key, [...(groups.get(key) ?? []), place]);
    }
    let repeated = true;
    for (const [name, group] of groups) {
      const { world, market_id: marketId } = group[0]!;
      const { replayed } = await core.submit({
        world,
        ...signature(` ${name}`),
        command: { type: 'bets.void', marketId, betIds: group.map((place) => place.id), reason },
      });
      repeated &&= replayed;
    }
    return repeated;
  }

  return {
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    routes(http) {
      const act = createActs(http, audit);
      http.open(calls.login, async ({ body, ip, device }) => ({
        token: await auth.operatorLogin(body.userName, body.password, ip, device),
      }));
      playerActs(act, http, { core, auth, protection });
      marketActs(act, { core, catalog, holds, clock });
      feedActs(act, http, { core, catalog, db, feed });

      act(
        calls.deleteBet,
        (body) => `bets:${body.ids.join(',')}`,
        async ({ body, actor }) => {
          const repeated = await takeOut(body.ids, body.reason, (part) => signed(calls.deleteBet, actor, body, part));
          const message = body.ids.length === 1 ? 'The bet is taken out.' : 'The bets are taken out.';
          return { data: { repeated }, message };
        },
      );

      act(
        betCalls.deleteRaceBets,
        (body) => `match:${body.data.matchId}`,
        async ({ body, actor }) => {
          await takeOut(body.data.betIds, body.data.deleteReason, () => ({ actor }), body.data.matchId);
          return { data: null, message: 'The bets are taken out.' };
        },
      );

      act(
        calls.deleteReason,
        (body) => `bets:${body.ids.join(',')}`,
        async ({ body }) => {
          const places = await placesOf(body.ids);
          await db.query(
            `INSERT INTO bet_reasons (bet_id, reason) SELECT id, $2 FROM unnest($1::bigint[]) AS ids (id)
           ON CONFLICT (bet_id) DO UPDATE SET reason = EXCLUDED.reason`,
            [body.ids, body.reason],
          );
          for (const { id, world, account_id, market_id } of places) {
            signal({
              type: 'deleteReason',
              world,
              accountId: account_id,
              betId: id,
              marketId: market_id,
              reason: body.reason,
            });
          }
          return { data: null, message: 'The reason is changed.' };
        },
      );

      act(
        calls.marquee,
        (body) => `notice:${body.type ?? 'marquee'}`,
        async ({ body }) => {
          await account.setNotice(body.type ?? '', body.value);
          return { data: null, message: 'The text is set.' };
        },
      );

      act(
        calls.rules,
        (body) => `rules:${body.sportName}`,
        async ({ body }) => {
          await account.setRules(body);
          return { data: null, message: 'The rules are set.' };
        },
      );

      act(
        calls.refreshAll,
        () => 'clients',
        async () => {
          signal({ type: 'refreshAll' });
          return Promise.resolve({ data: null, message: 'Every client is asked to reload.' });
        },
      );

      http.route(calls.audit, async ({ query }) => {
        const rows = await audit.newest(Math.min(500, Number(query.limit ?? 50)));
        return rows.map(({ n, at, actor, action, object, reason, detail, hash }) => ({
          n,
          at: new Date(at).toISOString(),
          actor,
          action,
          object,
          reason: reason ?? null,
          detail,
          hash,
        }));
      });
    },
  };
}
