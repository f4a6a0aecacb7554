/**
 * Placing: everything that can be known is checked first, then all instructions go to the core as one command under one key:
 * it takes all of them or none.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { Bet, Command, MarketView } from '@fairgame/exchange';
import {
  causeOf,
  failedReport,
  type InstructionReport,
  type PlaceInstruction,
  type PlaceRequest,
  placedReport,
  type Refs,
  type ReportError,
  reportOf,
  type Wish,
} from '@fairgame/exchange-api';
import { ownBets } from '../core/core.ts';
import type { Answer, Core } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Claims } from './claims.ts';
import type { Caller } from './entry.ts';
import type { ProgramMarkets } from './markets.ts';
import { type ProgramOrders, REQUEST } from './orders.ts';

/** A decision takes milliseconds; after this nobody knows. */
const PATIENCE_MS = 5000;

export interface BettingParts {
  /** With player protection in front. */
  core: Core;
  markets: ProgramMarkets;
  orders: ProgramOrders;
  claims: Claims;
  clock: () => number;
  log: Log;
}

/** What became of a command that places: its bets in their order, undefined each of which nobody knows; or why there are none. */
export type Placed = { bets: Array<Bet | undefined> } | { refused: CodedError };

/** One `Command` of a caller, under a key that nobody else has. */
export function submit(core: Core, { session }: Caller, command: Command, requestId: string): Promise<Answer> {
  const { world, accountId } = session;
  // What has waited longer is told as not known: it must not be taken after that.
  const expiresAt = performance.now() + PATIENCE_MS;
  return core.submit({
    world,
    command,
    actor: `player:${accountId}`,
    key: requestId,
    keyIsNew: true,
    requestId,
    expiresAt,
  });
}

export const newRequest = (): string => `${REQUEST}${randomUUID()}`;

export class Placing {
  private readonly parts: BettingParts;

  constructor(parts: BettingParts) {
    this.parts = parts;
  }

  async place(asked: PlaceRequest, caller: Caller): Promise<object> {
    const { markets, orders, claims, core, log } = this.parts;
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
    const wrong = judge(view, instructions, asked.version);
    if (wrong) return report(wrong.reports, wrong.error);
    if (!(await claims.take(session.userId, 'place', customerRef))) return report([], 'DUPLICATE_TRANSACTION');

    const wishes = instructions.map(({ wish }) => wish as Wish);
    const requestId = newRequest();
    const refs = wishes.map((wish) => refsOf(wish, asked.strategyRef));
    await orders.plan(session.userId, view.marketId, requestId, refs);
    const going = this.carryOut(placeCommand(view, wishes, caller, asked.version), requestId, caller);
    if (asked.async) {
      going.catch((error: unknown) => log.error({ err: error }, 'orders were not placed'));
      return report(instructions.map(({ echo }) => ({ status: 'SUCCESS', instruction: echo, orderStatus: 'PENDING' })));
    }
    const placed = await going;
    if ('refused' in placed) return this.refused(asked, placed.refused, caller);
    const reports = placed.bets.map((bet, n) => reportFor(bet, instructions[n]!.echo));
    return placed.bets.includes(undefined) ? { ...report(reports), status: 'TIMEOUT' } : report(reports);
  }

  /** Hands a placing command in and waits until its bets are decided, their delay included. */
  async carryOut(command: PlacingCommand, requestId: string, caller: Caller): Promise<Placed> {
    const { core, orders } = this.parts;
    const { accountId, world } = caller.session;
    const count = command.type === 'orders.place' ? command.orders.length : 1;
    const unknown = { bets: Array.from({ length: count }, () => undefined) };
    try {
      const answer = await within(PATIENCE_MS, submit(core, caller, command, requestId));
      const bets = answer ? placedIn(answer, accountId, count) : [];
      if (bets.length < count) return unknown;
      const late = Math.max(0, ...bets.map(({ dueAt }) => dueAt - this.parts.clock())) + PATIENCE_MS;
      return { bets: await Promise.all(bets.map((bet) => orders.decided(bet, world, late))) };
    } catch (error) {
      if (error instanceof CodedError) return { refused: error };
      throw error;
    }
  }

  /** None was taken: who is at fault is told so, where it is one of them. */
  private async refused(asked: PlaceRequest, { code, field }: CodedError, caller: Caller): Promise<object> {
    const { report, instruction } = causeOf(code);
    const guilty = /^orders\.(\d+)\./.exec(field ?? '')?.[1];
    const reports = asked.instructions.map(({ echo }, n) =>
      failedReport(echo, guilty === undefined || Number(guilty) === n ? instruction : 'ERROR_IN_ORDER'),
    );
    // Nothing was decided: the program sends it again under the same name.
    if (report === 'SERVICE_UNAVAILABLE')
      await this.parts.claims.giveBack(caller.session.userId, 'place', asked.customerRef);
    return reportOf(asked.marketId, asked.customerRef, reports, report);
  }
}

type PlacingCommand = Extract<Command, { type: 'orders.place' | 'order.replace' }>;

/** A bet as the answer to its instruction says it. */
export function reportFor(bet: Bet | undefined, echo: object): InstructionReport {
  if (!bet) return { status: 'TIMEOUT', instruction: echo };
  return placedReport(echo, bet, bet.endCode === 'KILLED' && bet.matchedMinor === 0);
}

/** What is wrong with a request before the core has seen it; null where nothing is. */
function judge(
  view: MarketView,
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
  const causes = instructions.map(({ wish }) => (typeof wish === 'string' ? wish : wrongWith(view, wish)));
  if (causes.includes('MARKET_SUSPENDED')) return all('MARKET_SUSPENDED', 'ERROR_IN_ORDER');
  markCrossing(instructions, causes);
  if (causes.every((cause) => cause === null)) return null;
  return {
    error: causes.every((cause) => cause === null || cause === 'INVALID_ORDER') ? 'INVALID_ORDER' : 'BET_ACTION_ERROR',
    reports: instructions.map(({ echo }, at) => {
      const cause = causes[at];
      return failedReport(echo, !cause || cause === 'INVALID_ORDER' ? 'ERROR_IN_ORDER' : cause);
    }),
  };
}

function wrongWith(view: MarketView, wish: Wish): string | null {
  const runner = view.runners.find(({ runnerId }) => runnerId === wish.runnerId);
  if (!runner) return 'INVALID_RUNNER';
  if (runner.status === 'REMOVED') return 'RUNNER_REMOVED';
  if (runner.status !== 'ACTIVE') return 'MARKET_SUSPENDED';
  return wish.sizeMinor < view.minStakeMinor || wish.sizeMinor > view.maxStakeMinor ? 'INVALID_BET_SIZE' : null;
}

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

const refsOf = ({ orderRef }: Wish, strategyRef: string | undefined): Refs => ({
  ...(orderRef === undefined ? {} : { order: orderRef }),
  ...(strategyRef === undefined ? {} : { strategy: strategyRef }),
});

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
    orders: wishes.map(({ orderRef: _, ...order }) => order),
    ...(version === undefined ? {} : { marketVersion: view.version }),
  };
}

/** The bets that a placing command made: the last of the account's own in its answer, in their order. */
const placedIn = ({ events }: Answer, accountId: number, count: number): Bet[] =>
  ownBets(events, accountId)
    .sort((a, b) => a.betId - b.betId)
    .slice(-count);

/** What comes in time; undefined else, and then what comes of it is not waited for. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
