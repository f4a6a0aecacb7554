/**
 * Placing: everything that can be known is checked first, then all instructions go to the core at once, in order, each a command
 * under a key of its own. Where one is refused after all, what rests of the others is taken back, and what is matched is told.
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
import type { Answer, Core, World } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Claims } from './claims.ts';
import type { Caller } from './entry.ts';
import type { ProgramMarkets } from './markets.ts';
import { type ProgramOrders, REQUEST } from './orders.ts';

/** A decision takes milliseconds; after this nobody knows. */
const PATIENCE_MS = 5000;
/** Ids of orders that never were bets of the core: far above all of its own. */
const KILLED_FROM = 1_000_000_000_000_000;

export interface BettingParts {
  /** With player protection in front. */
  core: Core;
  markets: ProgramMarkets;
  orders: ProgramOrders;
  claims: Claims;
  clock: () => number;
  log: Log;
}

/** What became of one command. */
export type Outcome =
  | { is: 'taken'; bet: Bet }
  | { is: 'killed'; bet: Bet }
  | { is: 'refused'; code: string }
  | { is: 'unknown' };

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

    const planned = instructions.map(({ wish }) => ({
      requestId: newRequest(),
      wish: wish as Wish,
      refs: refsOf(wish as Wish, asked.strategyRef),
    }));
    await orders.plan(session.userId, view.marketId, planned);
    const going = planned.map(({ requestId, wish }) =>
      this.one(placeCommand(view, wish, caller, asked.version), requestId, caller),
    );
    if (asked.async) {
      for (const one of going) one.catch((error: unknown) => log.error({ err: error }, 'an order was not placed'));
      return report(instructions.map(({ echo }) => ({ status: 'SUCCESS', instruction: echo, orderStatus: 'PENDING' })));
    }
    const outcomes = await Promise.all(going);
    return this.answer(asked, outcomes, caller);
  }

  /** Hands a placing command in and waits until its bet is decided, its delay included. */
  async one(command: Command, requestId: string, caller: Caller): Promise<Outcome> {
    const { core, orders } = this.parts;
    const { world } = caller.session;
    try {
      const answer = await within(PATIENCE_MS, submit(core, caller, command, requestId));
      if (!answer) return { is: 'unknown' };
      const bet = placedIn(answer, caller.session.accountId);
      if (!bet) return { is: 'unknown' };
      const delayMs = Math.max(0, bet.dueAt - this.parts.clock());
      const decided = bet.status === 'PENDING' ? await orders.decided(bet, world, delayMs + PATIENCE_MS) : bet;
      if (!decided) return { is: 'unknown' };
      return decided.endCode === 'KILLED' && decided.matchedMinor === 0
        ? { is: 'killed', bet: decided }
        : { is: 'taken', bet: decided };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      if (error.code !== 'NOT_FILLED' || command.type !== 'order.place') return { is: 'refused', code: error.code };
      return { is: 'killed', bet: await this.killed(command, requestId, world) };
    }
  }

  private async killed(
    command: Extract<Command, { type: 'order.place' }>,
    requestId: string,
    world: World,
  ): Promise<Bet> {
    const { accountId, marketId, runnerId, side, price, sizeMinor, persistence } = command;
    const bet: Bet = {
      betId: KILLED_FROM + this.parts.core.nextId(),
      accountId,
      marketId,
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
      placedAt: this.parts.clock(),
      result: 'PENDING',
      profitMinor: 0,
      version: 1,
    };
    await this.parts.orders.killed(requestId, world, bet);
    return bet;
  }

  private async answer(asked: PlaceRequest, outcomes: readonly Outcome[], caller: Caller): Promise<object> {
    const { claims } = this.parts;
    const refused = outcomes.flatMap((one) => (one.is === 'refused' ? [causeOf(one.code)] : []));
    const taken = outcomes.filter(({ is }) => is === 'taken' || is === 'killed');
    const isUnknown = outcomes.some(({ is }) => is === 'unknown');
    const final =
      refused.length > 0 && taken.length > 0
        ? await Promise.all(outcomes.map((one) => this.takeBack(one, caller)))
        : outcomes;
    const reports = final.map((one, at) => reportFor(one, asked.instructions[at]!.echo));
    if (isUnknown) return { ...reportOf(asked.marketId, asked.customerRef, reports), status: 'TIMEOUT' };
    if (refused.length === 0) return reportOf(asked.marketId, asked.customerRef, reports);
    if (taken.length > 0) return reportOf(asked.marketId, asked.customerRef, reports, 'PROCESSED_WITH_ERRORS');
    const [first] = refused as [ReturnType<typeof causeOf>];
    const whole = refused.every(({ report }) => report === first.report) ? first.report : 'BET_ACTION_ERROR';
    // Nothing was decided: the program sends it again under the same name.
    if (whole === 'SERVICE_UNAVAILABLE') await claims.giveBack(caller.session.userId, 'place', asked.customerRef);
    return reportOf(asked.marketId, asked.customerRef, reports, whole);
  }

  private async takeBack(one: Outcome, caller: Caller): Promise<Outcome> {
    if (one.is !== 'taken' || one.bet.remainingMinor === 0) return one;
    const { core } = this.parts;
    const { accountId, world } = caller.session;
    const { betId } = one.bet;
    try {
      await submit(core, caller, { type: 'order.cancel', accountId, betId }, newRequest());
    } catch (error) {
      // Matched, or over, in the meantime.
      if (!(error instanceof CodedError)) throw error;
    }
    return { is: 'taken', bet: core.read.bet(world, betId) ?? one.bet };
  }
}

function reportFor(outcome: Outcome, echo: object): InstructionReport {
  switch (outcome.is) {
    case 'taken':
      return placedReport(echo, outcome.bet);
    case 'killed':
      return placedReport(echo, outcome.bet, true);
    case 'refused':
      return failedReport(echo, causeOf(outcome.code).instruction);
    case 'unknown':
      return { status: 'TIMEOUT', instruction: echo };
  }
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

function placeCommand(view: MarketView, wish: Wish, { session }: Caller, version: number | undefined): Command {
  const { runnerId, side, price, sizeMinor, persistence, minFillMinor } = wish;
  return {
    type: 'order.place',
    betId: 0,
    accountId: session.accountId,
    marketId: view.marketId,
    runnerId,
    side,
    price,
    sizeMinor,
    persistence,
    ...(minFillMinor === undefined ? {} : { minFillMinor }),
    ...(version === undefined ? {} : { marketVersion: view.version }),
  };
}

/** The bet a placing command made: the newest of the account's in its answer. */
export function placedIn({ events }: Answer, accountId: number): Bet | undefined {
  let placed: Bet | undefined;
  for (const event of events)
    if (event.type === 'bet' && event.bet.accountId === accountId && (!placed || event.bet.betId >= placed.betId))
      placed = event.bet;
  return placed;
}

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
