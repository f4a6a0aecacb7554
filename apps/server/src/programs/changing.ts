/** Cancelling, changing and replacing what rests. */
import { CodedError, tickIndex } from '@fairgame/contract';
import type { Bet } from '@fairgame/exchange';
import {
  type CancelRequest,
  causeOf,
  decimal,
  errorIn,
  failedReport,
  type InstructionReport,
  isoTime,
  numberIn,
  type ReplaceRequest,
  type ReportError,
  reportOf,
  TOLD_KINDS,
  toMarketId,
  type UpdateRequest,
} from '@fairgame/exchange-api';
import { cancelAll } from '../core/core.ts';
import type { Answer } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { type BettingParts, carryOut, newRequest, reportFor, submit } from './carrying.ts';
import type { Caller } from './entry.ts';
import { UNMET_FROM } from './lines.ts';

export interface ChangingParts extends BettingParts {
  db: Db;
}

type Found = { bet: Bet } | { wrong: 'INVALID_BET_ID' | 'BET_TAKEN_OR_LAPSED' | 'BET_IN_PROGRESS' };

export class Changing {
  private readonly parts: ChangingParts;

  constructor(parts: ChangingParts) {
    this.parts = parts;
  }

  async cancel(asked: CancelRequest, caller: Caller): Promise<object> {
    if (asked.marketId !== undefined && this.parts.markets.idOf(asked.marketId) === null && !asked.instructions)
      return reportOf(asked.marketId, asked.customerRef, [], 'INVALID_MARKET_ID');
    const { instructions } = asked;
    if (!instructions)
      return this.once('cancel', { ...asked, instructions: [] }, caller, async () => this.cancelAll(asked, caller));
    return this.once('cancel', { ...asked, instructions }, caller, () =>
      Promise.all(
        instructions.map(async ({ betId, byMinor, echo }) => {
          if (byMinor === null || (byMinor !== undefined && byMinor <= 0))
            return failedReport(echo, 'INVALID_BET_SIZE');
          const found = await this.find(betId, asked.marketId, caller);
          return 'wrong' in found ? failedReport(echo, found.wrong) : this.cancelOne(found.bet, byMinor, echo, caller);
        }),
      ),
    );
  }

  async update(asked: UpdateRequest, caller: Caller): Promise<object> {
    const { core } = this.parts;
    const { accountId } = caller.session;
    return this.once('update', asked, caller, () =>
      Promise.all(
        asked.instructions.map(async ({ betId, persistence, echo }) => {
          const found = await this.find(betId, asked.marketId, caller);
          if ('wrong' in found) return failedReport(echo, found.wrong);
          if (persistence === 'MARKET_ON_CLOSE') return failedReport(echo, 'INVALID_PERSISTENCE_TYPE');
          if (found.bet.persistence === persistence) return failedReport(echo, 'NO_ACTION_REQUIRED');
          const command = { type: 'order.persistence', accountId, betId: found.bet.betId, persistence } as const;
          const done = await attempt(() => submit(core, caller, command, newRequest()));
          return 'wrong' in done ? failedReport(echo, done.wrong) : { status: 'SUCCESS' as const, instruction: echo };
        }),
      ),
    );
  }

  /** The core's replacing is one step: where the new bet is refused, the old one is alive. */
  async replace(asked: ReplaceRequest, caller: Caller): Promise<object> {
    const view = this.parts.core.read.market(this.parts.markets.idOf(asked.marketId) ?? 0, caller.session.world);
    const isOld = asked.version !== undefined && view !== undefined && view.version > asked.version;
    const one = async ({ betId, price, echo }: ReplaceRequest['instructions'][number]): Promise<InstructionReport> => {
      const fail = (code: string, place?: string) => notReplaced(echo, code, place);
      const found = await this.find(betId, asked.marketId, caller);
      if ('wrong' in found) return fail(found.wrong);
      const { bet } = found;
      if (isOld) return fail('BET_TAKEN_OR_LAPSED');
      if (price === null || tickIndex(price) < 0) return fail('ERROR_IN_ORDER', 'INVALID_ODDS');
      if (price === bet.price) return fail('NO_ACTION_REQUIRED');
      return this.replaceOne(bet, price, { betId }, caller, fail);
    };
    return this.once('replace', asked, caller, () => Promise.all(asked.instructions.map(one)), notReplaced);
  }

  private async replaceOne(
    bet: Bet,
    price: number,
    cancelEcho: object,
    caller: Caller,
    fail: (code: string, place?: string) => InstructionReport,
  ): Promise<InstructionReport> {
    const { orders, clock } = this.parts;
    const { accountId } = caller.session;
    const requestId = newRequest();
    const refs = (await orders.refsOf([bet])).get(bet.betId) ?? {};
    await orders.plan(caller.session.userId, bet.marketId, requestId, [refs]);
    const { betId, remainingMinor } = bet;
    const command = {
      type: 'order.replace',
      accountId,
      betId,
      newBetId: 0,
      price,
      sizeMinor: remainingMinor,
      remainingMinor,
    } as const;
    const placed = await carryOut(this.parts, command, requestId, caller);
    if ('refused' in placed) return fail('ERROR_IN_ORDER', causeOf(placed.refused.code).instruction);
    const [made] = placed.bets;
    const place = {
      selectionId: bet.runnerId,
      handicap: 0,
      limitOrder: { size: decimal(remainingMinor), price: decimal(price), persistenceType: bet.persistence },
      orderType: 'LIMIT',
      side: bet.side,
      ...(refs.order === undefined ? {} : { customerOrderRef: refs.order }),
    };
    return {
      status: made ? 'SUCCESS' : 'TIMEOUT',
      cancelInstructionReport: {
        status: made ? 'SUCCESS' : 'TIMEOUT',
        instruction: cancelEcho,
        sizeCancelled: made ? decimal(remainingMinor) : 0,
        cancelledDate: isoTime(clock()),
      },
      placeInstructionReport: reportFor(made, place),
    };
  }

  /** One request under its name, at most so many instructions, each bet once. */
  private async once<
    T extends {
      marketId: string | undefined;
      customerRef: string | undefined;
      wrong: ReportError | undefined;
      instructions: ReadonlyArray<{ betId: string; echo: object }>;
    },
  >(
    operation: string,
    asked: T,
    caller: Caller,
    work: () => Promise<InstructionReport[]>,
    refused: (echo: object, code: string) => InstructionReport = failedReport,
  ): Promise<object> {
    const { marketId, customerRef, wrong, instructions } = asked;
    const report = (reports: readonly InstructionReport[], error?: ReportError) =>
      reportOf(marketId, customerRef, reports, error);
    if (wrong) return report([], wrong);
    if (new Set(instructions.map(({ betId }) => betId)).size < instructions.length)
      return report(
        instructions.map(({ echo }) => refused(echo, 'ERROR_IN_ORDER')),
        'DUPLICATE_BETIDS',
      );
    if (!(await this.parts.claims.take(caller.session.userId, operation, customerRef)))
      return report([], 'DUPLICATE_TRANSACTION');
    const reports = await work();
    return report(reports, errorIn(reports));
  }

  private async cancelOne(
    bet: Bet,
    byMinor: number | undefined,
    echo: object,
    caller: Caller,
  ): Promise<InstructionReport> {
    const { core } = this.parts;
    const { accountId } = caller.session;
    const { betId, cancelledMinor: before } = bet;
    const by = byMinor === undefined || byMinor >= bet.remainingMinor ? {} : { byMinor };
    const done = await attempt(() =>
      submit(core, caller, { type: 'order.cancel', accountId, betId, ...by }, newRequest()),
    );
    if ('wrong' in done) return failedReport(echo, done.wrong);
    const after = done.answer.events.findLast((event) => event.type === 'bet' && event.bet.betId === betId);
    return cancelledReport(echo, after?.type === 'bet' ? after.bet.cancelledMinor - before : 0, done.answer.at);
  }

  /** Everything that rests, in one market or in all; delayed bets are not among it, and so not in the report. */
  private async cancelAll(asked: CancelRequest, caller: Caller): Promise<InstructionReport[]> {
    const { core, markets } = this.parts;
    const { accountId, world } = caller.session;
    const marketId = asked.marketId === undefined ? undefined : markets.idOf(asked.marketId)!;
    const before = new Map(
      core.read.openBets(world, accountId, marketId).map((bet) => [bet.betId, bet.cancelledMinor]),
    );
    const reports: InstructionReport[] = [];
    const heard = async (answer: Promise<Answer>): Promise<Answer> => {
      const { events, at } = await answer;
      for (const event of events) {
        if (event.type !== 'bet' || event.bet.accountId !== accountId) continue;
        const { betId, cancelledMinor } = event.bet;
        reports.push(cancelledReport({ betId: String(betId) }, cancelledMinor - (before.get(betId) ?? 0), at));
      }
      return answer;
    };
    const command = { type: 'order.cancelAll', accountId, ...(marketId === undefined ? {} : { marketId }) } as const;
    const request = { world, actor: `player:${accountId}`, requestId: newRequest() };
    const done = await attempt(() =>
      cancelAll({ submit: (one) => heard(core.submit(one)) }, command, request).then(({ last }) => last),
    );
    if ('wrong' in done && reports.length === 0) return [failedReport({}, done.wrong)];
    return reports;
  }

  private async find(text: string, market: string | undefined, caller: Caller): Promise<Found> {
    const { core, markets, db } = this.parts;
    const { world, accountId } = caller.session;
    const betId = numberIn(text);
    if (betId === null) return { wrong: 'INVALID_BET_ID' };
    const bet = core.read.bet(world, betId);
    if (!bet) {
      // What the house did not take, or a bet that has left memory.
      const [known] = await db.query(
        `SELECT 1 FROM bets b JOIN markets m ON m.id = b.market_id AND m.world = b.world
          WHERE b.id = $1 AND b.account_id = $2 AND m.kind = ANY($3::text[])`,
        [betId, accountId, TOLD_KINDS],
      );
      return { wrong: known || betId >= UNMET_FROM ? 'BET_TAKEN_OR_LAPSED' : 'INVALID_BET_ID' };
    }
    const isHis = bet.accountId === accountId && markets.facts(bet.marketId) !== null;
    if (!isHis || (market !== undefined && market !== toMarketId(bet.marketId))) return { wrong: 'INVALID_BET_ID' };
    if (bet.status === 'PENDING') return { wrong: 'BET_IN_PROGRESS' };
    return bet.remainingMinor > 0 ? { bet } : { wrong: 'BET_TAKEN_OR_LAPSED' };
  }
}

/** Programs look into both parts of it, and know no instruction above them. */
function notReplaced(echo: object, code: string, place = code): InstructionReport {
  const { betId } = echo as { betId: string };
  return {
    status: 'FAILURE',
    errorCode: code,
    cancelInstructionReport: failedReport({ betId }, code === place ? code : 'ERROR_IN_ORDER'),
    placeInstructionReport: failedReport({}, code === place ? 'RELATED_ACTION_FAILED' : place),
  };
}

const cancelledReport = (echo: object, minor: number, at: number): InstructionReport => ({
  status: 'SUCCESS',
  instruction: echo,
  sizeCancelled: decimal(minor),
  cancelledDate: isoTime(at),
});

async function attempt(act: () => Promise<Answer>): Promise<{ answer: Answer } | { wrong: string }> {
  try {
    return { answer: await act() };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { wrong: causeOf(error.code).instruction };
  }
}
