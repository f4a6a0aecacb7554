import { bets as betCalls, CodedError, operator as calls } from '@fairgame/contract';
import type { Account } from '../account/account.ts';
import type { Auth } from '../auth/auth.ts';
import { type Bus, pack, unpack } from '../bus/bus.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core, Request, World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Audit, Backups } from '../ops/ops.ts';
import type { Protection } from '../protection/protection.ts';
import { createActs, signed } from './acts.ts';
import { backupActs } from './backups.ts';
import { onceBooked } from './booked.ts';
import { creditBook } from './credits.ts';
import { createEffects } from './effects.ts';
import { type FeedDesk, feedActs } from './feed.ts';
import { type FirstPeople, firstPeople } from './first-people.ts';
import { type HeldDesk, heldActs } from './held.ts';
import type { Holds } from './holds.ts';
import { judgingActs } from './judging.ts';
import { marketActs } from './markets.ts';
import { createOverdue, type OverdueDesk } from './overdue.ts';
import { createPaymentBook, type PaymentBook } from './payment-book.ts';
import { paymentActs } from './payments.ts';
import { createPeople, type People } from './people.ts';
import { entryRoutes, personActs } from './persons.ts';
import { playerActs } from './players.ts';
import { createRequests } from './requests.ts';

export { demoPeopleLines, type KnownPerson, PEOPLE_FILE } from './first-people.ts';
export { createHolds } from './holds.ts';

/** What players' screens must hear of at once, beside what the core tells. */
type Signal =
  /** Every client reloads, spread over half a minute. */
  | { type: 'refreshAll' }
  /** The text of a taken-out bet changed. */
  | { type: 'deleteReason'; world: World; accountId: number; betId: number; marketId: number; reason: string };

const SIGNAL = 'ctl.signal';

export interface Operator {
  /** People made by the site itself, at its start. */
  people: FirstPeople;
  /** What was not played in its time. */
  overdue: OverdueDesk;
  routes(http: Http): void;
  onSignal(listener: (signal: Signal) => void): () => void;
}

export interface OperatorOptions {
  db: Db;
  /** The way to the other processes of the site: what is changed here holds there. */
  bus: Bus;
  /** Whether this process does what only one of the site does. */
  isAlone: () => boolean;
  core: Core;
  auth: Auth;
  account: Account;
  catalog: Catalog;
  audit: Audit;
  holds: Holds;
  protection: Protection;
  feed: FeedDesk;
  held: HeldDesk;
  clock: () => number;
  log: Log;
  /** What a person may move in a day without a second one, minor units. */
  aloneMinor: number;
  /** Where an embedded database is copied to. */
  dataDir: string;
  backups: Backups;
}

interface BetPlace {
  id: number;
  world: World;
  account_id: number;
  market_id: number;
}

/** The operator's minimum (issue 2.8): enough to run the site by hand. Every act stands in the audit log. */
export async function createOperator(opts: OperatorOptions): Promise<Operator> {
  const { db, auth, bus, clock, log } = opts;
  const people = await createPeople({ db, auth, bus, clock, log });
  const payments = createPaymentBook(db, opts.core, clock, log);
  await payments.finish();
  return new OperatorDesk(opts, people, payments);
}

class OperatorDesk implements Operator {
  private readonly opts: OperatorOptions;
  /** Operators and what they may do. */
  private readonly staff: People;
  private readonly payments: PaymentBook;
  readonly overdue: OverdueDesk;
  private readonly listeners = new Set<(signal: Signal) => void>();
  readonly people: FirstPeople;

  constructor(opts: OperatorOptions, people: People, payments: PaymentBook) {
    this.opts = opts;
    this.staff = people;
    this.payments = payments;
    this.overdue = createOverdue({ ...opts, feedLate: () => opts.feed.late() });
    opts.bus.hear(SIGNAL, (body) => {
      const what = unpack<Signal>(body);
      for (const listener of this.listeners) listener(what);
    });
    this.people = firstPeople({ auth: opts.auth, people, audit: opts.audit });
  }

  onSignal(listener: (signal: Signal) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  routes(http: Http): void {
    const { opts, staff: people, payments } = this;
    const { db, core, auth, account, catalog, audit, holds, feed, clock, dataDir, backups } = opts;
    http.useOperators(people);
    const act = createActs({ http, audit, people, requests: createRequests(db, clock) });
    const effects = createEffects(db, core);
    entryRoutes(http, { auth, people, audit });
    personActs(act, { auth, people });
    const credits = creditBook(opts);
    playerActs(act, http, { ...opts, people, effects, credits, payments });
    paymentActs(act, http, { auth, core, db, credits, payments });
    marketActs(act, { core, catalog, holds, feed, clock, effects });
    judgingActs(act, http, { core, catalog, effects, overdue: this.overdue, clock });
    feedActs(act, http, { core, catalog, db, feed, effects });
    heldActs(act, http, { auth, credits, desk: opts.held });
    backupActs(act, { db, dataDir, backups });

    act(
      calls.deleteBet,
      (body) => `bets:${body.ids.join(',')}`,
      async ({ body, actor }) => {
        const repeated = await this.voidAll(body.ids, body.reason, (part) =>
          signed(calls.deleteBet, actor, body, part),
        );
        const message = body.ids.length === 1 ? 'The bet is taken out.' : 'The bets are taken out.';
        return { data: { request: null, repeated }, message };
      },
    );

    act(
      betCalls.deleteRaceBets,
      (body) => `match:${body.data.matchId}`,
      async ({ body, actor }) => {
        await this.voidAll(body.data.betIds, body.data.deleteReason, () => ({ actor }), body.data.matchId);
        return { data: null, message: 'The bets are taken out.' };
      },
    );

    act(
      calls.deleteReason,
      (body) => `bets:${body.ids.join(',')}`,
      async ({ body }) => {
        const places = await this.placesOf(body.ids);
        await db.query(
          `INSERT INTO bet_reasons (bet_id, reason) SELECT id, $2 FROM unnest($1::bigint[]) AS ids (id)
           ON CONFLICT (bet_id) DO UPDATE SET reason = EXCLUDED.reason`,
          [body.ids, body.reason],
        );
        for (const { id, world, account_id, market_id } of places) {
          this.signal({
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
        this.signal({ type: 'refreshAll' });
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
  }

  private signal(what: Signal): void {
    this.opts.bus.tell(SIGNAL, pack(what));
  }

  private async placesOf(betIds: readonly number[]): Promise<BetPlace[]> {
    const rows = await this.opts.db.query<BetPlace>(
      'SELECT id, world, account_id, market_id FROM bets WHERE id = ANY($1::bigint[])',
      [betIds],
    );
    if (rows.length < new Set(betIds).size) throw new CodedError('BET_UNKNOWN', { field: 'ids' });
    return rows;
  }

  /** Takes bets out, market by market. All are known before the first is touched. */
  private async voidAll(
    betIds: readonly number[],
    reason: string,
    signature: (part: string) => Pick<Request, 'actor' | 'key' | 'payloadHash'>,
    eventId?: number,
  ): Promise<boolean> {
    const groups = new Map<string, BetPlace[]>();
    for (const place of await this.placesOf(betIds)) {
      const market = this.opts.core.read.market(place.market_id);
      if (eventId !== undefined && market && market.eventId !== eventId)
        throw new CodedError('BET_UNKNOWN', { field: 'matchId' });
      const key = `${place.world} ${place.market_id}`;
      groups.set(key, [...(groups.get(key) ?? []), place]);
    }
    let repeated = true;
    for (const [name, group] of groups) {
      const { world, market_id: marketId } = group[0]!;
      const { replayed } = await onceBooked(this.opts.core, {
        world,
        ...signature(` ${name}`),
        command: { type: 'bets.void', marketId, betIds: group.map((place) => place.id), reason },
      });
      repeated &&= replayed;
    }
    return repeated;
  }
}
