/** Orders on lines: the house takes each whole at its quote, or it is killed. Nothing of them rests. */
import type { CodedError } from '@fairgame/contract';
import type { Bet, MarketView } from '@fairgame/exchange';
import { type InstructionReport, lineMet, lineOffers, type PlaceRequest, type Wish } from '@fairgame/exchange-api';
import { type BettingParts, carryOut, newRequest, refsOf, reportFor } from './carrying.ts';
import type { Caller } from './entry.ts';

/** Ids of orders that never were bets of the core: far above all of its own. */
export const UNMET_FROM = 1_000_000_000_000_000;

interface Lines {
  asked: PlaceRequest;
  view: MarketView;
  wishes: readonly Wish[];
}

/** What became of each instruction; or why none was placed, and which of them (`places`) the core was asked for. */
export type Lined = { reports: InstructionReport[] } | { refused: CodedError; places: number[] };

/** What meets an offer goes to the core as one command; there each is taken at the quote it was seen at, or killed. */
export async function placeLines(parts: BettingParts, lines: Lines, caller: Caller): Promise<Lined> {
  const { core, orders } = parts;
  const { asked, view, wishes } = lines;
  const { world, accountId, userId } = caller.session;
  const rows = core.read.quotes(world, view.marketId);
  const met = wishes.flatMap((wish, n) => {
    const row = rows.find(({ runnerId }) => runnerId === wish.runnerId);
    const offer = lineMet(lineOffers(view, row), wish);
    return offer ? [{ n, take: { runnerId: wish.runnerId, stakeMinor: wish.sizeMinor, ...offer.take } }] : [];
  });
  const places = met.map(({ n }) => n);
  const refs = wishes.map((wish) => refsOf(wish, asked.strategyRef));
  const taken = new Map<number, Bet | undefined>();
  if (met.length > 0) {
    const requestId = newRequest();
    const named = places.map((n) => refs[n]!);
    await orders.plan(userId, view.marketId, new Map([[requestId, named]]));
    const version = asked.version === undefined ? {} : { marketVersion: view.version };
    const takes = met.map(({ take }) => take);
    const command = { type: 'quotes.take', betId: 0, accountId, marketId: view.marketId, takes, ...version } as const;
    const placed = await carryOut(parts, command, requestId, caller);
    if ('refused' in placed) return { refused: placed.refused, places };
    for (const [at, n] of places.entries()) taken.set(n, placed.bets[at]);
  }
  const reports = wishes.map((wish, n) => {
    const { echo } = asked.instructions[n]!;
    if (taken.has(n)) return reportFor(taken.get(n), echo);
    const bet = unmetBet(parts, view, wish, accountId);
    orders.unmet(world, bet, refs[n]!);
    return reportFor(bet, echo);
  });
  return { reports };
}

function unmetBet({ core, clock }: BettingParts, view: MarketView, wish: Wish, accountId: number): Bet {
  const { runnerId, side, price, sizeMinor, persistence } = wish;
  return {
    betId: UNMET_FROM + core.nextId(),
    accountId,
    marketId: view.marketId,
    runnerId,
    side,
    price,
    sizeMinor,
    persistence,
    kind: 'order',
    matchedSum: 0,
    matchedMinor: 0,
    remainingMinor: 0,
    cancelledMinor: sizeMinor,
    lapsedMinor: 0,
    voidedMinor: 0,
    status: 'COMPLETE',
    endCode: 'KILLED',
    dueAt: 0,
    placedAt: clock(),
    result: 'PENDING',
    profitMinor: 0,
    version: 1,
  };
}
