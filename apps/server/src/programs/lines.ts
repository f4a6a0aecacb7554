/** Orders on lines: the house takes each whole at its quote, or it is killed. Nothing of them rests, so they go one by one. */
import type { Bet, MarketView } from '@fairgame/exchange';
import {
  causeOf,
  errorIn,
  failedReport,
  type InstructionReport,
  lineMet,
  lineOffers,
  type PlaceRequest,
  reportOf,
  type Wish,
} from '@fairgame/exchange-api';
import { type BettingParts, carryOut, newRequest, refsOf, reportFor } from './carrying.ts';
import type { Caller } from './entry.ts';

/** Ids of orders that never were bets of the core: far above all of its own. */
export const UNMET_FROM = 1_000_000_000_000_000;

/** What the core says where the quote is another one by now, or what is left of it too little. */
const NOT_MET = new Set(['PRICE_CHANGED', 'LINE_CHANGED', 'STAKE_TOO_LARGE']);

interface Lines {
  asked: PlaceRequest;
  view: MarketView;
  wishes: readonly Wish[];
}

export async function placeLines(parts: BettingParts, lines: Lines, caller: Caller): Promise<object> {
  const { marketId, customerRef } = lines.asked;
  const reports = await Promise.all(lines.wishes.map((_, n) => placeLine(parts, lines, n, caller)));
  const error = errorIn(reports);
  const report = reportOf(marketId, customerRef, reports, error);
  const isUnknown = error === undefined && reports.some(({ status }) => status === 'TIMEOUT');
  return isUnknown ? { ...report, status: 'TIMEOUT' } : report;
}

async function placeLine(
  parts: BettingParts,
  { asked, view, wishes }: Lines,
  n: number,
  caller: Caller,
): Promise<InstructionReport> {
  const { core, orders } = parts;
  const { world, accountId, userId } = caller.session;
  const { echo } = asked.instructions[n]!;
  const wish = wishes[n]!;
  const refs = refsOf(wish, asked.strategyRef);
  const unmet = () => {
    const bet = unmetBet(parts, view, wish, accountId);
    orders.unmet(world, bet, refs);
    return reportFor(bet, echo);
  };
  const row = core.read.quotes(world, view.marketId).find(({ runnerId }) => runnerId === wish.runnerId);
  const offer = lineMet(lineOffers(view, row), wish);
  if (!offer) return unmet();
  const requestId = newRequest();
  await orders.plan(userId, view.marketId, requestId, [refs]);
  const at = { betId: 0, accountId, marketId: view.marketId, runnerId: wish.runnerId, stakeMinor: wish.sizeMinor };
  const version = asked.version === undefined ? {} : { marketVersion: view.version };
  const placed = await carryOut(parts, { type: 'quote.take', ...at, ...offer.take, ...version }, requestId, caller);
  if (!('refused' in placed)) return reportFor(placed.bets[0], echo);
  const { code } = placed.refused;
  return NOT_MET.has(code) ? unmet() : failedReport(echo, causeOf(code).instruction);
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
