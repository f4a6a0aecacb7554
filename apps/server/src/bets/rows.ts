/** Bets as the player sees them: the core's record with the names of event, market and runner. */
import { divCeil, divFloor, type PlacedBet, roundDiv } from '@fairgame/contract';
import type { Bet, MarketId, MarketKind, MarketView } from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/db.ts';

/** What a bet's market is called. */
export interface MarketNames {
  marketId: MarketId;
  kind: MarketKind;
  name: string;
  marketType: string;
  eventId: number;
  eventName: string;
  eventType: string;
  beventId: string | null;
  runnerName(runnerId: number): string | undefined;
}

export interface Names {
  /** Of a market in memory. */
  now(marketId: MarketId): MarketNames;
  /** Of any markets, long gone ones too. */
  of(marketIds: readonly MarketId[]): Promise<Map<MarketId, MarketNames>>;
}

/** Card tables are events that the catalogue does not list. */
export type TableName = (eventId: number) => { name: string } | undefined;

export function createNames({ db, catalog, tableOf }: { db: Db; catalog: Catalog; tableOf: TableName }): Names {
  function now(marketId: MarketId): MarketNames {
    const view = catalog.images.view(marketId);
    const place = catalog.place(marketId);
    const eventId = view?.eventId ?? place?.eventId ?? 0;
    const event = catalog.event(eventId)?.event;
    return {
      marketId,
      kind: view?.kind ?? place?.kind ?? 'book',
      name: view?.name ?? place?.name ?? '',
      marketType: place?.marketType ?? view?.kind ?? '',
      eventId,
      eventName: event?.title ?? tableOf(eventId)?.name ?? '',
      eventType: event?.matchType ?? (view?.kind === 'card' ? 'casino' : ''),
      beventId: event?.beventId || null,
      runnerName: (runnerId) => catalog.images.runnerName(marketId, runnerId),
    };
  }

  return {
    now,
    async of(marketIds) {
      const names = new Map<MarketId, MarketNames>();
      const missing: MarketId[] = [];
      for (const marketId of new Set(marketIds)) {
        if (
          catalog.images.view(marketId) &&
          (catalog.place(marketId) || catalog.images.view(marketId)?.kind === 'card')
        )
          names.set(marketId, now(marketId));
        else missing.push(marketId);
      }
      if (missing.length === 0) return names;
      const rows = await db.query<NameRow>(
        `SELECT k.id, k.event_id, k.kind, k.name, k.view, m.market_type, e.title, e.match_type, e.event->>'beventId' AS bevent_id
           FROM markets k LEFT JOIN market_meta m ON m.market_id = k.id LEFT JOIN events e ON e.id = k.event_id
          WHERE k.world = 'real' AND k.id = ANY($1::bigint[])`,
        [missing],
      );
      for (const row of rows) {
        const { runners } = JSON.parse(row.view) as MarketView;
        const called = new Map(runners.map((runner) => [runner.runnerId, runner.name]));
        names.set(row.id, {
          marketId: row.id,
          kind: row.kind as MarketKind,
          name: row.name,
          marketType: row.market_type ?? row.kind,
          eventId: row.event_id,
          eventName: row.title ?? '',
          eventType: row.match_type ?? '',
          beventId: row.bevent_id || null,
          runnerName: (runnerId) => called.get(runnerId),
        });
      }
      return names;
    },
  };
}

interface NameRow {
  id: number;
  event_id: number;
  kind: string;
  name: string;
  view: string;
  market_type: string | null;
  title: string | null;
  match_type: string | null;
  bevent_id: string | null;
}

/** Number markets, whose placing path is bet/session. */
export const NUMBER_KINDS: ReadonlySet<MarketKind> = new Set([
  'session',
  'overByover',
  'ballByBall',
  'fancy1',
  'oddEven',
  'khado',
  'meter',
  'cricketCasino',
]);
/** Kinds whose sides are yes and no; the others' are back and lay. */
export const YES_NO: ReadonlySet<MarketKind> = new Set(['session', 'overByover', 'ballByBall', 'fancy1', 'meter']);
export const RACES: ReadonlySet<string> = new Set(['horseRacing', 'greyHound']);

/** `settledAt` comes from the table; the core's record does not carry it. */
export function toPlacedBet(bet: Bet, names: MarketNames, settledAt: number | null = null): PlacedBet {
  const back = bet.side === 'BACK';
  const amounts = amountsOf(bet);
  return {
    id: bet.betId,
    betId: bet.marketId,
    matchId: names.eventId,
    kind: names.kind,
    marketType: names.marketType,
    marketBetType:
      names.kind === 'card'
        ? 'CARD'
        : NUMBER_KINDS.has(names.kind)
          ? 'SESSION'
          : RACES.has(names.eventType)
            ? 'RACING'
            : 'MATCHBETTING',
    betType:
      YES_NO.has(names.kind) || (names.kind === 'card' && bet.line !== undefined) ? (back ? 'YES' : 'NO') : bet.side,
    eventName: names.eventName,
    eventType: names.eventType,
    bettingName: names.name,
    teamName: names.runnerName(bet.runnerId) ?? names.name,
    runnerId: bet.runnerId,
    odds: bet.price,
    line: bet.line ?? null,
    box: bet.box ?? null,
    oddsMatched:
      bet.matchedMinor === 0 ? 0 : bet.kind === 'quote' ? bet.price : roundDiv(bet.matchedSum, bet.matchedMinor),
    amount: bet.sizeMinor,
    matched: bet.matchedMinor,
    remaining: bet.remainingMinor,
    cancelled: bet.cancelledMinor,
    lapsed: bet.lapsedMinor,
    voided: bet.voidedMinor,
    winAmount: amounts.win,
    lossAmount: amounts.loss,
    status: bet.status,
    endCode: bet.endCode ?? null,
    persistence: bet.persistence,
    result: bet.result,
    profitLoss: bet.profitMinor,
    deleteReason: bet.reason ?? null,
    createdAt: iso(bet.placedAt),
    dueAt: bet.dueAt > 0 ? iso(bet.dueAt) : null,
    settledAt: settledAt === null ? null : iso(settledAt),
    version: bet.version,
    beventId: names.beventId,
  };
}

/** What the bet wins and loses: the matched part at its prices, the waiting part at the asked one. */
function amountsOf(bet: Bet): { win: number; loss: number } {
  if (bet.winMinor !== undefined && bet.lossMinor !== undefined) return { win: bet.winMinor, loss: bet.lossMinor };
  const stake = bet.matchedMinor + bet.remainingMinor;
  const prize = bet.matchedSum - 100 * bet.matchedMinor + bet.remainingMinor * (bet.price - 100);
  return bet.side === 'BACK' ? { win: divFloor(prize, 100), loss: stake } : { win: stake, loss: divCeil(prize, 100) };
}

/** Bets of a commit have one time, and are told to more than one: the last text is kept. */
let lastMs = 0;
let lastIso = new Date(lastMs).toISOString();
function iso(ms: number): string {
  if (ms !== lastMs) {
    lastIso = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastIso;
}
