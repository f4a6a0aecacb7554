import { CodedError, operator as calls } from '@fairgame/contract';
import type { Command, MarketDef, MarketId, MarketView, RunnerId } from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { FeedEvent } from '../feed/feed.ts';
import { NEW_MARKET } from '../new-market.ts';
import { type Acts, signed } from './acts.ts';
import { onceBack, onceBooked } from './booked.ts';
import type { Effects } from './effects.ts';
import type { FeedDesk } from './feed.ts';
import type { Holds } from './holds.ts';

/** What a market made by hand starts with; the books' limits of decisions.md for the main markets. */
const LIMITS = { minStakeMinor: 100, maxStakeMinor: 500_000, commissionBps: 200 } as const;
/** Sessions are taken at the house's rate: no commission, the smaller limits of decisions.md. */
const SESSION_LIMITS = { minStakeMinor: 100, maxStakeMinor: 25_000, commissionBps: 0 } as const;
const DRAW = 'The Draw';

/** Calls about events and markets: each is a command for all worlds, since every player sees the same markets. */
export function marketActs(
  act: Acts,
  {
    core,
    catalog,
    holds,
    feed,
    clock,
    effects,
  }: {
    core: Core;
    catalog: Catalog;
    holds: Holds;
    feed: Pick<FeedDesk, 'takesBack'>;
    clock: () => number;
    effects: Effects;
  },
): void {
  const submit = (actor: string, command: Command) => onceBooked(core, { world: 'all', actor, command });

  act(
    calls.addMatch,
    () => 'match',
    async ({ body, actor }) => {
      const startAt = Date.parse(body.startAt);
      if (!Number.isFinite(startAt)) throw new CodedError('BAD_INPUT', { field: 'startAt' });
      const names = body.teams.map((team) => team.trim());
      if (new Set(names).size < names.length || names.some((name) => name === ''))
        throw new CodedError('BAD_INPUT', { field: 'teams' });
      if (body.matchType === 'football' && names.length === 2) names.push(DRAW);
      const eventId = core.nextId();
      const event: FeedEvent = {
        eventId,
        matchType: body.matchType,
        title: body.title.trim(),
        competitionId: competitionId(catalog, body.competitionName, body.matchType) ?? core.nextId(),
        competitionName: body.competitionName.trim(),
        startAt,
        teamA: names[0]!,
        teamB: names[1]!,
        ...(names[2] === undefined ? {} : { teamC: names[2] }),
        isTv: false,
        beventId: `op-${eventId}`,
        gmid: `op-${eventId}`,
      };
      const market: MarketDef = {
        marketId: core.nextId(),
        eventId,
        kind: 'book',
        name: 'Match Odds',
        runners: names.map((name) => ({ runnerId: core.nextId(), name })),
        ...NEW_MARKET,
        ...LIMITS,
        lapseOnSuspend: body.matchType === 'football',
        tieRule: 'VOID',
      };
      catalog.addEvent(event);
      catalog.addMarket(market, undefined, 'operator');
      await catalog.flush();
      await submit(actor, { type: 'market.create', market });
      const data = {
        matchId: eventId,
        betId: market.marketId,
        runnerIds: market.runners.map((runner) => runner.runnerId),
      };
      return { data, message: 'The match is added.' };
    },
  );

  act(
    calls.addSession,
    (body) => `match:${body.matchId}`,
    async ({ body, actor }) => {
      const live = catalog.openEvents().find(({ id }) => id === body.matchId);
      if (!live) throw new CodedError('MATCH_UNKNOWN', { field: 'matchId' });
      const name = body.name.trim();
      if (name === '') throw new CodedError('BAD_INPUT', { field: 'name' });
      const kind = body.kind ?? 'session';
      const market: MarketDef = {
        marketId: core.nextId(),
        eventId: live.id,
        kind,
        name,
        runners: [{ runnerId: core.nextId(), name, ...(kind === 'fancy1' && { stands: 'yes' }) }],
        ...NEW_MARKET,
        ...SESSION_LIMITS,
      };
      catalog.addMarket(market, { sno: 70, marketType: kind }, 'operator');
      await catalog.flush();
      await submit(actor, { type: 'market.create', market });
      const runnerIds = market.runners.map((runner) => runner.runnerId);
      return { data: { matchId: live.id, betId: market.marketId, runnerIds }, message: 'The session is added.' };
    },
  );

  act(
    calls.quote,
    (body) => `market:${body.betId}`,
    async ({ body, actor }) => {
      const market = marketOf(body.betId);
      if (!market.runners.some((runner) => runner.runnerId === body.runnerId))
        throw new CodedError('RUNNER_UNKNOWN', { field: 'runnerId' });
      await submit(actor, quoteCommand(market, body));
      return { data: null, message: 'The prices are set.' };
    },
  );

  act(calls.suspend, objectOf, async ({ body, actor }) => {
    const markets = chosen(body);
    await holds.hold(
      markets.map((market) => market.marketId),
      clock(),
      body.reason,
    );
    // One that is settling takes no bets as it is; it may not keep the others open.
    for (const { marketId } of markets.filter((market) => market.status !== 'SETTLING'))
      await submit(actor, { type: 'market.state', marketId, status: 'SUSPENDED', reason: body.reason });
    return {
      data: null,
      message: markets.length === 1 ? 'The market is suspended.' : `${markets.length} markets are suspended.`,
    };
  });

  act(calls.resume, objectOf, async ({ body, actor }) => {
    const markets = chosen(body);
    await holds.release(markets.map((market) => market.marketId));
    for (const { marketId } of markets) {
      if (!(await feed.takesBack(marketId)))
        await submit(actor, { type: 'market.state', marketId, status: 'OPEN', reason: '' });
    }
    return {
      data: null,
      message: markets.length === 1 ? 'The market is given back.' : `${markets.length} markets are given back.`,
    };
  });

  act(
    calls.declare,
    (body) => `market:${body.betId}`,
    async ({ body, actor }) => {
      const { replayed } = await onceBooked(core, {
        world: 'all',
        ...signed(calls.declare, actor, body),
        command: { type: 'market.declare', marketId: body.betId, result: body.result },
      });
      return { data: { request: null, repeated: replayed }, message: 'The result is declared.' };
    },
    {
      // Every stake goes back: as large an act as taking a result back.
      needed: ({ body }) => body.result.kind === 'void',
      effect: (body) => effects.result(body.betId, body.result),
      waiting: (request) => ({ request, repeated: false }),
    },
  );

  act(
    calls.undeclare,
    (body) => `market:${body.betId}`,
    async ({ body, actor }) => {
      const { replayed } = await onceBooked(core, {
        world: 'all',
        ...signed(calls.undeclare, actor, body),
        command: { type: 'market.undeclare', marketId: body.betId },
      });
      return { data: { request: null, repeated: replayed }, message: 'The result is taken back.' };
    },
    {
      needed: () => true,
      effect: (body) => effects.result(body.betId, null),
      waiting: (request) => ({ request, repeated: false }),
    },
  );

  act(
    calls.removeRunner,
    (body) => `market:${body.betId}`,
    async ({ body: { betId, runnerId, factor, force, reason }, actor }) => {
      const forced = force ? { force: reason } : {};
      await submit(actor, { type: 'runner.remove', marketId: betId, runnerId, factor, ...forced });
      return { data: null, message: 'The runner is taken out.' };
    },
  );

  act(
    calls.reinstateRunner,
    (body) => `market:${body.betId}`,
    async ({ body: { betId, runnerId, factor, force, reason }, actor }) => {
      const forced = force ? { force: reason } : {};
      await onceBack(core, actor, { type: 'runner.reinstate', marketId: betId, runnerId, factor, ...forced });
      return { data: null, message: 'The runner is back, and its bets with it.' };
    },
  );

  function marketOf(marketId: MarketId): MarketView {
    const market = core.read.market(marketId);
    if (!market) throw new CodedError('MARKET_UNKNOWN', { field: 'betId' });
    return market;
  }

  /** The market named, or every open one of the event named. */
  function chosen(body: { betId?: number | undefined; matchId?: number | undefined }): MarketView[] {
    if ((body.betId === undefined) === (body.matchId === undefined))
      throw new CodedError('BAD_INPUT', { field: 'betId', message: 'Name a market or an event.' });
    if (body.betId !== undefined) {
      const market = marketOf(body.betId);
      if (market.status === 'CLOSED') throw new CodedError('MARKET_CLOSED', { field: 'betId' });
      return [market];
    }
    const markets = core.read
      .markets()
      .filter((market) => market.eventId === body.matchId && market.status !== 'CLOSED');
    if (markets.length === 0) throw new CodedError('MATCH_UNKNOWN', { field: 'matchId' });
    return markets;
  }
}

function objectOf(body: { betId?: number | undefined; matchId?: number | undefined }): string {
  return body.betId === undefined ? `match:${body.matchId ?? ''}` : `market:${body.betId}`;
}

function quoteCommand(
  market: MarketView,
  body: { runnerId: RunnerId; back: Array<[number, number]>; lay: Array<[number, number]>; line?: number | undefined },
): Command {
  const { marketId } = market;
  if (market.kind === 'book') {
    return {
      type: 'house.book',
      marketId,
      runners: [{ runnerId: body.runnerId, backable: body.back, layable: body.lay }],
    };
  }
  const side = ([level]: Array<[number, number]>) =>
    level ? { price: level[0], sizeMinor: level[1], ...(body.line === undefined ? {} : { line: body.line }) } : null;
  return {
    type: 'house.quotes',
    marketId,
    rows: [{ runnerId: body.runnerId, back: side(body.back), lay: side(body.lay), status: 'ACTIVE' }],
  };
}

/** The competition of that name and sport, when an open event has it. */
function competitionId(catalog: Catalog, name: string, matchType: string): number | undefined {
  const key = name.trim().toLowerCase();
  return catalog
    .openEvents()
    .find((live) => live.event.matchType === matchType && live.event.competitionName.toLowerCase() === key)?.event
    .competitionId;
}
