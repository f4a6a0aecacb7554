/**
 * Placing: everything that can be known is checked first, then all instructions go to the core as one command under one key:
 * it takes all of them or none.
 */
import { type CodedError, tickIndex } from '@fairgame/contract';
import type { MarketView, QuoteRow } from '@fairgame/exchange';
import {
  causeOf,
  failedReport,
  type InstructionReport,
  isLine,
  isLineKind,
  type PlaceInstruction,
  type PlaceRequest,
  type ReportError,
  reportOf,
  type Wish,
} from '@fairgame/exchange-api';
import type { Core } from '../core/types.ts';
import { type BettingParts, carryOut, newRequest, type PlacingCommand, refsOf, reportFor } from './carrying.ts';
import type { Caller } from './entry.ts';
import { placeLines } from './lines.ts';

export class Placing {
  private readonly parts: BettingParts;

  constructor(parts: BettingParts) {
    this.parts = parts;
  }

  async place(asked: PlaceRequest, caller: Caller): Promise<object> {
    const { markets, claims, core, log } = this.parts;
    const { session } = caller;
    const { instructions, customerRef } = asked;
    const report = (reports: readonly InstructionReport[], error?: ReportError) =>
      reportOf(asked.marketId, customerRef, reports, error);
    const refuse = (error: ReportError) =>
      report(
        instructions.map(({ echo }) => failedReport(echo, 'ERROR_IN_ORDER')),
        error,
      );
    if (asked.wrong) return asked.wrong === 'TOO_MANY_INSTRUCTIONS' ? report([], asked.wrong) : refuse(asked.wrong);
    const marketId = markets.idOf(asked.marketId);
    const view = marketId === null ? undefined : core.read.market(marketId, session.world);
    if (!view) return refuse('INVALID_MARKET_ID');
    const rows = isLineKind(view.kind) ? core.read.quotes(session.world, view.marketId) : [];
    const bestOf = (runnerId: number) => core.read.depth(session.world, view.marketId, runnerId, 1);
    const wrong = judge(view, rows, bestOf, instructions, asked.version);
    if (wrong) return report(wrong.reports, wrong.error);
    if (!(await claims.take(session.userId, 'place', customerRef))) return report([], 'DUPLICATE_TRANSACTION');

    const wishes = instructions.map(({ wish }) => wish as Wish);
    const going = isLineKind(view.kind)
      ? this.onLines(asked, view, wishes, caller)
      : this.together(asked, view, wishes, caller);
    if (!asked.async) return going;
    going.catch((error: unknown) => log.error({ err: error }, 'orders were not placed'));
    return report(instructions.map(({ echo }) => ({ status: 'SUCCESS', instruction: echo, orderStatus: 'PENDING' })));
  }

  private async together(
    asked: PlaceRequest,
    view: MarketView,
    wishes: readonly Wish[],
    caller: Caller,
  ): Promise<object> {
    const { instructions, marketId, customerRef } = asked;
    const requestId = newRequest();
    const refs = wishes.map((wish) => refsOf(wish, asked.strategyRef));
    await this.parts.orders.plan(caller.session.userId, view.marketId, new Map([[requestId, refs]]));
    const placed = await carryOut(this.parts, placeCommand(view, wishes, caller, asked.version), requestId, caller);
    if ('refused' in placed) return this.refused(asked, placed.refused, caller);
    const reports = placed.bets.map((bet, n) => reportFor(bet, instructions[n]!.echo));
    const report = reportOf(marketId, customerRef, reports);
    return placed.bets.includes(undefined) ? { ...report, status: 'TIMEOUT' } : report;
  }

  private async onLines(
    asked: PlaceRequest,
    view: MarketView,
    wishes: readonly Wish[],
    caller: Caller,
  ): Promise<object> {
    const done = await placeLines(this.parts, { asked, view, wishes }, caller);
    if ('refused' in done) return this.refused(asked, done.refused, caller, done.places);
    const report = reportOf(asked.marketId, asked.customerRef, done.reports);
    return done.reports.some(({ status }) => status === 'TIMEOUT') ? { ...report, status: 'TIMEOUT' } : report;
  }

  /** `places`: which instructions the command was of; all of them where it is not said. None was taken: who is at fault is told so, where it is one of them. */
  private async refused(
    asked: PlaceRequest,
    { code, field }: CodedError,
    caller: Caller,
    places?: readonly number[],
  ): Promise<object> {
    const { report, instruction } = causeOf(code);
    const named = /^(?:orders|takes)\.(\d+)\./.exec(field ?? '')?.[1];
    const guilty = named === undefined ? undefined : (places?.[Number(named)] ?? Number(named));
    const reports = asked.instructions.map(({ echo }, n) =>
      failedReport(echo, guilty === undefined || guilty === n ? instruction : 'ERROR_IN_ORDER'),
    );
    // Nothing was decided: the program sends it again under the same name.
    if (report === 'SERVICE_UNAVAILABLE')
      await this.parts.claims.giveBack(caller.session.userId, 'place', asked.customerRef);
    return reportOf(asked.marketId, asked.customerRef, reports, report);
  }
}

/** The best offers of a runner. */
type BestOf = (runnerId: number) => Pick<ReturnType<Core['read']['depth']>, 'back' | 'lay'>;

/** What is wrong with a request before the core has seen it; null where nothing is. */
function judge(
  view: MarketView,
  rows: readonly QuoteRow[],
  bestOf: BestOf,
  instructions: readonly PlaceInstruction[],
  version: number | undefined,
): { error: ReportError; reports: InstructionReport[] } | null {
  const all = (error: ReportError, code: string) => ({
    error,
    reports: instructions.map(({ echo }) => failedReport(echo, code)),
  });
  if (view.status === 'SUSPENDED' || view.status === 'SETTLING') return all('MARKET_SUSPENDED', 'ERROR_IN_ORDER');
  if (view.status !== 'OPEN') return all('MARKET_NOT_OPEN_FOR_BETTING', 'MARKET_NOT_OPEN_FOR_BETTING');
  if (version !== undefined && view.version > version) return all('BET_ACTION_ERROR', 'BET_TAKEN_OR_LAPSED');
  const causes = instructions.map(({ wish }) =>
    typeof wish === 'string' ? wish : wrongWith(view, rows, bestOf, wish),
  );
  if (causes.includes('MARKET_SUSPENDED')) return all('MARKET_SUSPENDED', 'ERROR_IN_ORDER');
  // The house alone is on the other side of a line.
  if (!isLineKind(view.kind)) markCrossing(instructions, causes);
  if (causes.every((cause) => cause === null)) return null;
  return {
    error: causes.every((cause) => cause === null || cause === 'INVALID_ORDER') ? 'INVALID_ORDER' : 'BET_ACTION_ERROR',
    reports: instructions.map(({ echo }, at) => {
      const cause = causes[at];
      return failedReport(echo, !cause || cause === 'INVALID_ORDER' ? 'ERROR_IN_ORDER' : cause);
    }),
  };
}

function wrongWith(view: MarketView, rows: readonly QuoteRow[], bestOf: BestOf, wish: Wish): string | null {
  const runner = view.runners.find(({ runnerId }) => runnerId === wish.runnerId);
  if (!runner) return 'INVALID_RUNNER';
  if (runner.status === 'REMOVED') return 'RUNNER_REMOVED';
  const row = rows.find(({ runnerId }) => runnerId === wish.runnerId);
  if (runner.status !== 'ACTIVE' || (row && row.status !== 'ACTIVE')) return 'MARKET_SUSPENDED';
  if (isLineKind(view.kind) ? !isLine(wish.price) : tickIndex(wish.price) < 0) return 'INVALID_ODDS';
  if (wish.isTarget && (isLineKind(view.kind) || isBettered(wish, bestOf(wish.runnerId)))) return 'INVALID_ORDER';
  return wish.sizeMinor < view.minStakeMinor || wish.sizeMinor > view.maxStakeMinor ? 'INVALID_BET_SIZE' : null;
}

/** Whether there is more to be had than is asked for. */
const isBettered = ({ side, price }: Wish, { back, lay }: ReturnType<BestOf>): boolean =>
  side === 'BACK' ? (back[0]?.[0] ?? 0) > price : (lay[0]?.[0] ?? Number.POSITIVE_INFINITY) < price;

/** A back and a lay of one runner that would meet each other. */
function markCrossing(instructions: readonly PlaceInstruction[], causes: Array<string | null>): void {
  for (const [at, { wish }] of instructions.entries()) {
    if (typeof wish === 'string' || wish.side !== 'BACK') continue;
    for (const [other, { wish: lay }] of instructions.entries()) {
      if (typeof lay === 'string' || lay.side !== 'LAY' || lay.runnerId !== wish.runnerId || lay.price < wish.price)
        continue;
      causes[at] ??= 'INVALID_BACK_LAY_COMBINATION';
      causes[other] ??= 'INVALID_BACK_LAY_COMBINATION';
    }
  }
}

function placeCommand(
  view: MarketView,
  wishes: readonly Wish[],
  { session }: Caller,
  version: number | undefined,
): PlacingCommand {
  return {
    type: 'orders.place',
    betId: 0,
    accountId: session.accountId,
    marketId: view.marketId,
    orders: wishes.map((wish) => {
      const { orderRef: _, isTarget: __, ...order } = wish;
      return order;
    }),
    ...(version === undefined ? {} : { marketVersion: view.version }),
  };
}
