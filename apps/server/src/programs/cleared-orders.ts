/** Orders that are over, from the tables. */
import { SPORT_KEYS } from '@fairgame/contract';
import {
  ApiError,
  type ClearedBet,
  type ClearedOrdersRequest,
  clearedOf,
  eventTypeOf,
  fromEventId,
  fromMarketId,
  groupedOf,
  numberIn,
  type Refs,
  TOLD_KINDS,
  toldBet,
  typeOf,
  winnersIn,
} from '@fairgame/exchange-api';
import { type ClearedRow, clearedBets, profitLoss } from '../ledger/ledger.ts';
import type { Caller } from './entry.ts';
import type { ReadingParts } from './reading.ts';

const DAYS_90_MS = 90 * 86_400_000;
/** Of one answer, with all its pages before it. */
const MOST_CLEARED = 10_000;

export async function clearedOrders(parts: ReadingParts, asked: ClearedOrdersRequest, { session }: Caller) {
  const { groupBy, status, from, count } = asked;
  if (groupBy !== 'BET' && status !== 'SETTLED') throw new ApiError('INVALID_INPUT_DATA', 'groupBy');
  const isGrouped = groupBy !== 'BET';
  const most = isGrouped ? MOST_CLEARED : from + count + 1;
  if (most > MOST_CLEARED) throw new ApiError('TOO_MUCH_DATA', 'fromRecord');
  const found = await readCleared(parts, asked, session, most);
  if (!isGrouped) {
    const rows = found.slice(from, from + count).map((cleared) => clearedOf(status, cleared));
    return { clearedOrders: rows, moreAvailable: found.length > from + count };
  }
  const range = rangeOf(asked, parts.clock());
  const { rows } = await parts.reports.run(session.accountId, (db) =>
    profitLoss(db, { accountId: session.accountId, world: session.world, level: 'market', ...range }),
  );
  const commissions = new Map(rows.map(({ betId, commission }) => [betId, commission]));
  const groups = groupedOf(groupBy, found, (marketId) => commissions.get(marketId) ?? 0);
  return { clearedOrders: groups.slice(from, from + count), moreAvailable: groups.length > from + count };
}

const rangeOf = ({ range }: ClearedOrdersRequest, now: number) => ({
  from: range?.from ?? now - DAYS_90_MS,
  to: range?.to ?? now,
});

async function readCleared(
  { orders, reports, clock }: ReadingParts,
  asked: ClearedOrdersRequest,
  session: Caller['session'],
  most: number,
): Promise<ClearedBet[]> {
  const { world, accountId, userId } = session;
  const range = rangeOf(asked, clock());
  const named =
    asked.orderRefs || asked.strategyRefs
      ? await orders.betsNamed(userId, asked.orderRefs, asked.strategyRefs)
      : undefined;
  const betIds = [asked.betIds?.flatMap((id) => numberIn(id) ?? []), named].reduce((all, one) =>
    all && one ? all.filter((id) => one.includes(id)) : (all ?? one),
  );
  const chosen = defined({
    betIds,
    marketIds: asked.marketIds?.flatMap((id) => fromMarketId(id) ?? []),
    eventIds: asked.eventIds?.flatMap((id) => fromEventId(id) ?? []),
    eventTypes:
      asked.eventTypeIds && SPORT_KEYS.filter((sport) => asked.eventTypeIds!.includes(eventTypeOf(sport)?.id ?? '')),
    runners: asked.runnerIds?.flatMap(({ marketId, runnerId }): Array<[number, number]> => {
      const id = fromMarketId(marketId);
      return id === null ? [] : [[id, runnerId]];
    }),
    // Who lays a line has a back in the core.
    sides: asked.side && [
      { kind: 'order' as const, side: asked.side },
      { kind: 'quote' as const, side: asked.side === 'BACK' ? ('LAY' as const) : ('BACK' as const) },
    ],
  });
  const rows = await reports.run(accountId, (db) =>
    clearedBets(db, { accountId, world, status: asked.status, ...range, ...chosen, kinds: TOLD_KINDS, most }),
  );
  const refs = await orders.refsOf(rows);
  return rows.map((row) => {
    const matchedAt = orders.matchedAt(row.betId);
    const times = matchedAt === undefined || row.matchedMinor === 0 ? {} : { matchedAt };
    return { ...clearedRow(row, refs.get(row.betId) ?? {}, asked.described), ...times };
  });
}

function clearedRow(row: ClearedRow, refs: Refs, described: boolean): ClearedBet {
  const { settledAt, eventId, market, eventName, eventType: sport, marketType, startAt, ...bet } = row;
  const eventType = eventTypeOf(sport ?? '');
  return {
    bet: toldBet(bet),
    eventId,
    eventTypeId: eventType?.id ?? '',
    clearedAt: settledAt ?? bet.placedAt,
    refs,
    ...(described && market
      ? {
          names: {
            eventType: eventType?.name ?? '',
            event: eventName ?? '',
            market: market.name,
            marketType: typeOf(market, marketType ?? ''),
            startAt: startAt ?? bet.placedAt,
            runner: market.runners.find(({ runnerId }) => runnerId === bet.runnerId)?.name ?? '',
            winners: winnersIn(market),
          },
        }
      : {}),
  };
}

function defined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;
}
