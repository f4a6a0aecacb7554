/** Settled, voided, lapsed and cancelled bets as they are written, alone and in groups. */
import type { Bet } from '@fairgame/exchange';
import type { BET_STATUSES, GROUPS_BY, Word } from './enums.ts';
import { toEventId, toMarketId } from './ids.ts';
import { averagePrice, decimal, isoTime } from './numbers.ts';
import { type Refs, refsOf } from './orders.ts';

type BetStatus = Word<typeof BET_STATUSES>;

export interface ClearedBet {
  bet: Bet;
  eventId: number;
  eventTypeId: string;
  /** When it was settled or, without a result, when it ended. */
  clearedAt: number;
  /** When it was last matched, where that is known. */
  matchedAt?: number;
  refs: Refs;
  names?: {
    eventType: string;
    event: string;
    market: string;
    marketType: string;
    startAt: number;
    runner: string;
    winners: number;
  };
}

/** Whether the bet belongs into the list of a status; one that was matched in part may stand in two. */
export function isOf(status: BetStatus, bet: Bet): boolean {
  switch (status) {
    case 'SETTLED':
      return bet.matchedMinor > 0 && (bet.result === 'WIN' || bet.result === 'LOSS' || bet.result === 'TIE');
    case 'VOIDED':
      return bet.voidedMinor > 0 || (bet.matchedMinor > 0 && (bet.result === 'VOID' || bet.result === 'UNDECLARE'));
    case 'LAPSED':
      return bet.lapsedMinor > 0;
    case 'CANCELLED':
      return bet.cancelledMinor > 0 && bet.remainingMinor === 0;
  }
}

/** What of the bet the list is about, minor units. */
function sizeIn(status: BetStatus, bet: Bet): number {
  if (status === 'VOIDED') return bet.voidedMinor || bet.matchedMinor;
  if (status === 'LAPSED') return bet.lapsedMinor;
  return bet.cancelledMinor;
}

export function clearedOf(status: BetStatus, cleared: ClearedBet) {
  const { bet, eventId, eventTypeId, clearedAt, matchedAt, refs, names } = cleared;
  const common = {
    eventTypeId,
    eventId: toEventId(eventId),
    marketId: toMarketId(bet.marketId),
    selectionId: bet.runnerId,
    handicap: 0,
    betId: String(bet.betId),
    placedDate: isoTime(bet.placedAt),
    persistenceType: bet.persistence,
    orderType: 'LIMIT',
    side: bet.side,
    ...(names ? { itemDescription: descriptionOf(names) } : {}),
    priceRequested: decimal(bet.firstPrice ?? bet.price),
    settledDate: isoTime(clearedAt),
    ...(matchedAt === undefined ? {} : { lastMatchedDate: isoTime(matchedAt) }),
    betCount: 1,
    ...refsOf(refs),
  };
  if (status !== 'SETTLED') return { ...common, profit: 0, sizeCancelled: decimal(sizeIn(status, bet)) };
  return {
    ...common,
    betOutcome: bet.profitMinor >= 0 ? 'WON' : 'LOST',
    priceMatched: averagePrice(bet.matchedSum, bet.matchedMinor),
    priceReduced: bet.firstPrice !== undefined && bet.firstPrice !== bet.price,
    sizeSettled: decimal(bet.matchedMinor),
    profit: decimal(bet.profitMinor),
  };
}

const descriptionOf = (names: NonNullable<ClearedBet['names']>) => ({
  eventTypeDesc: names.eventType,
  eventDesc: names.event,
  marketType: names.marketType,
  marketDesc: names.market,
  marketStartTime: isoTime(names.startAt),
  runnerDesc: names.runner,
  numberOfWinners: names.winners,
  eachWayDivisor: 1,
});

/** Sums of settled bets. `commissionMinor`: what the results of a market cost the account. */
export function groupedOf(
  by: Exclude<Word<typeof GROUPS_BY>, 'BET'>,
  bets: readonly ClearedBet[],
  commissionMinor: (marketId: number) => number,
) {
  const groups = new Map<string, ClearedBet[]>();
  for (const one of bets) {
    const key = keyOf(by, one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map((group) => {
    const [{ bet, eventId, eventTypeId, refs }] = group as [ClearedBet];
    const markets = new Set(group.map((one) => one.bet.marketId));
    const sum = (of: (bet: Bet) => number) => group.reduce((all, one) => all + of(one.bet), 0);
    const depth = DEPTH[by];
    return {
      ...(by === 'STRATEGY' ? refsOf(refs.strategy === undefined ? {} : { strategy: refs.strategy }) : { eventTypeId }),
      ...(depth >= 1 ? { eventId: toEventId(eventId) } : {}),
      ...(depth >= 2 ? { marketId: toMarketId(bet.marketId) } : {}),
      ...(depth >= 3 ? { selectionId: bet.runnerId, handicap: 0 } : {}),
      ...(depth >= 4
        ? {
            side: bet.side,
            priceMatched: averagePrice(
              sum(({ matchedSum }) => matchedSum),
              sum(({ matchedMinor }) => matchedMinor),
            ),
            sizeSettled: decimal(sum(({ matchedMinor }) => matchedMinor)),
          }
        : {}),
      settledDate: isoTime(Math.max(...group.map(({ clearedAt }) => clearedAt))),
      betCount: group.length,
      ...(by !== 'STRATEGY' && depth <= 2
        ? { commission: decimal([...markets].reduce((all, marketId) => all + commissionMinor(marketId), 0)) }
        : {}),
      profit: decimal(sum(({ profitMinor }) => profitMinor)),
    };
  });
}

const DEPTH = { EVENT_TYPE: 0, STRATEGY: 0, EVENT: 1, MARKET: 2, RUNNER: 3, SIDE: 4 } as const;

function keyOf(by: keyof typeof DEPTH, { bet, eventId, eventTypeId, refs }: ClearedBet): string {
  if (by === 'STRATEGY') return refs.strategy ?? '';
  const path = [eventTypeId, eventId, bet.marketId, bet.runnerId, bet.side];
  return path.slice(0, DEPTH[by] + 1).join('.');
}
