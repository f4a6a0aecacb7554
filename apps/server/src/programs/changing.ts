/**
 * Cancelling, changing and replacing what rests. Each instruction is answered for itself, and those that can be carried out are:
 * a request is a frame of commands that are handed in at once, not one command as placing is.
 */
import { CodedError, tickIndex } from '@fairgame/contract';
import type { Bet, Command } from '@fairgame/exchange';
import {
  type CancelRequest,
  causeOf,
  decimal,
  errorIn,
  failedReport,
  type InstructionReport,
  isoTime,
  numberIn,
  type Refs,
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
import { type BettingParts, carryOut, newRequest, PATIENCE_MS, reportFor, submitted, within } from './carrying.ts';
import type { Caller } from './entry.ts';
import { UNMET_FROM } from './lines.ts';

export interface ChangingParts extends BettingParts {
  db: Db;
}

type Found = { bet: Bet } | { wrong: 'INVALID_BET_ID' | 'BET_TAKEN_OR_LAPSED' | 'BET_IN_PROGRESS' };

/** What became of an instruction. `whole`: it failed of something that is no matter of this bet alone. */
interface Outcome {
  report: InstructionReport;
  whole?: ReportError;
}

/** A bet that can be replaced, and by what. */
interface Replacing {
  bet: Bet;
  price: number;
  refs: Refs;
  requestId: string;
  /** What the report says of the new bet's instruction. */
  echo: object;
}

interface Asked {
  marketId: string | undefined;
  customerRef: string | undefined;
  wrong: ReportError | undefined;
  instructions: ReadonlyArray<{ betId: string; echo: object }>;
}

export class Changing {
  private readonly parts: ChangingParts;

  constructor(parts: ChangingParts) {
    this.parts = parts;
  }

  async cancel(asked: CancelRequest, caller: Caller): Promise<object> {
    const { instructions, marketId } = asked;
    if (!instructions)
      return this.once('cancel', { ...asked, instructions: [] }, caller, () => this.cancelAll(asked, caller));
    return this.once('cancel', { ...asked, instructions }, caller, async () => {
      const found = await this.findAll(instructions, marketId, caller);
      return Promise.all(
        instructions.map(async ({ byMinor, echo }, n) => {
          if (byMinor === null || (byMinor !== undefined && byMinor <= 0)) return failed(echo, 'INVALID_BET_SIZE');
          const one = found[n]!;
          return 'wrong' in one ? failed(echo, one.wrong) : this.cancelOne(one.bet, byMinor, echo, caller);
        }),
      );
    });
  }

  async update(asked: UpdateRequest, caller: Caller): Promise<object> {
    const { instructions, marketId } = asked;
    const { accountId } = caller.session;
    return this.once('update', asked, caller, async () => {
      const found = await this.findAll(instructions, marketId, caller);
      return Promise.all(
        instructions.map(async ({ persistence, echo }, n) => {
          const one = found[n]!;
          if ('wrong' in one) return failed(echo, one.wrong);
          if (persistence === 'MARKET_ON_CLOSE') return failed(echo, 'INVALID_PERSISTENCE_TYPE');
          const { betId, persistence: before } = one.bet;
          if (before === persistence) return failed(echo, 'NO_ACTION_REQUIRED');
          const done = await this.done({ type: 'order.persistence', accountId, betId, persistence }, echo, caller);
          return 'answer' in done ? { report: { status: 'SUCCESS' as const, instruction: echo } } : done;
        }),
      );
    });
  }

  /**
   * The core's replacing is one step: where the new bet is refused, the old one is alive. Those that move away from the other
   * side go first: so none meets a bet of the same account that is about to leave.
   */
  async replace(asked: ReplaceRequest, caller: Caller): Promise<object> {
    const { instructions } = asked;
    const work = async (): Promise<Outcome[]> => {
      const wishes = await this.wishes(asked, caller);
      const going = wishes.flatMap((wish) => ('bet' in wish ? [wish] : []));
      const { orders } = this.parts;
      const [first] = going;
      if (first) {
        const plans = new Map(going.map(({ requestId, refs }) => [requestId, [refs]]));
        await orders.plan(caller.session.userId, first.bet.marketId, plans);
      }
      const carried = new Map<Replacing, Outcome>();
      const carry = (some: readonly Replacing[]) =>
        Promise.all(some.map(async (one) => carried.set(one, await this.replaceOne(one, asked, caller))));
      const all = carry(going.filter(movesAway)).then(() => carry(going.filter((one) => !movesAway(one))));
      if (asked.async) all.catch((error: unknown) => this.parts.log.error({ err: error }, 'orders were not replaced'));
      else await all;
      return wishes.map((wish) => ('bet' in wish ? (asked.async ? pendingOf(wish) : carried.get(wish)!) : wish));
    };
    const refused = (n: number, code: string) => notReplaced(unknownBet(instructions[n]!), code);
    return this.once('replace', asked, caller, work, refused);
  }

  private async wishes(asked: ReplaceRequest, caller: Caller): Promise<Array<Replacing | Outcome>> {
    const { orders, core, markets } = this.parts;
    const { instructions, marketId } = asked;
    const found = await this.findAll(instructions, marketId, caller);
    const bets = found.flatMap((one) => ('bet' in one ? [one.bet] : []));
    const refs = await orders.refsOf(bets);
    const view = core.read.market(markets.idOf(marketId) ?? 0, caller.session.world);
    const isOld = asked.version !== undefined && view !== undefined && view.version > asked.version;
    return instructions.map((instruction, n) => {
      const one = found[n]!;
      if ('wrong' in one) return { report: notReplaced(unknownBet(instruction), one.wrong) };
      const { bet } = one;
      const own = refs.get(bet.betId) ?? {};
      const told = { betId: String(bet.betId), echo: placeEcho(bet, instruction.echo, own) };
      const fail = (code: string, place?: string) => ({ report: notReplaced(told, code, place) });
      const { price } = instruction;
      if (isOld) return fail('BET_TAKEN_OR_LAPSED');
      if (price === null || tickIndex(price) < 0) return fail('ERROR_IN_ORDER', 'INVALID_ODDS');
      if (price === bet.price) return fail('NO_ACTION_REQUIRED');
      return { bet, price, refs: own, requestId: newRequest(), echo: told.echo };
    });
  }

  private async replaceOne(
    { bet, price, requestId, echo }: Replacing,
    { version, marketId }: ReplaceRequest,
    caller: Caller,
  ): Promise<Outcome> {
    const { core, markets, clock } = this.parts;
    const { accountId, world } = caller.session;
    const { betId, remainingMinor } = bet;
    const view = version === undefined ? undefined : core.read.market(markets.idOf(marketId) ?? 0, world);
    const command = {
      type: 'order.replace',
      accountId,
      betId,
      newBetId: 0,
      price,
      sizeMinor: remainingMinor,
      remainingMinor,
      ...(view ? { marketVersion: view.version } : {}),
    } as const;
    const placed = await carryOut(this.parts, command, requestId, caller);
    if ('refused' in placed) {
      const { instruction, whole } = causeIn(placed.refused);
      return { report: notReplaced({ betId: String(betId), echo }, 'ERROR_IN_ORDER', instruction), ...whole };
    }
    const [made] = placed.bets;
    const status = made ? 'SUCCESS' : 'TIMEOUT';
    const cancelled = { status, instruction: { betId: String(betId) } } as const;
    return {
      report: {
        status,
        cancelInstructionReport: made
          ? { ...cancelled, sizeCancelled: decimal(remainingMinor), cancelledDate: isoTime(clock()) }
          : cancelled,
        placeInstructionReport: reportFor(made, echo),
      },
    };
  }

  /** One request under its name, at most so many instructions, each bet once. */
  private async once(
    operation: string,
    { marketId, customerRef, wrong, instructions }: Asked,
    caller: Caller,
    work: () => Promise<Outcome[]>,
    refused = (n: number, code: string): InstructionReport => failedReport(instructions[n]!.echo, code),
  ): Promise<object> {
    const { claims, markets } = this.parts;
    const { userId } = caller.session;
    const report = (reports: readonly InstructionReport[], error?: ReportError) =>
      reportOf(marketId, customerRef, reports, error);
    const refuse = (error: ReportError) =>
      report(
        instructions.map((_, n) => refused(n, 'ERROR_IN_ORDER')),
        error,
      );
    if (wrong) return report([], wrong);
    if (marketId !== undefined && markets.idOf(marketId) === null) return refuse('INVALID_MARKET_ID');
    if (new Set(instructions.map(({ betId }) => betId)).size < instructions.length) return refuse('DUPLICATE_BETIDS');
    if (!(await claims.take(userId, operation, customerRef))) return report([], 'DUPLICATE_TRANSACTION');
    const outcomes = await work();
    const reports = outcomes.map((one) => one.report);
    const [first] = outcomes;
    const whole = outcomes.every((one) => one.whole === first?.whole) ? first?.whole : undefined;
    // Nothing was decided: the program sends it again under the same name.
    if (whole === 'SERVICE_UNAVAILABLE') await claims.giveBack(userId, operation, customerRef);
    const told = report(reports, whole ?? errorIn(reports));
    return reports.some(({ status }) => status === 'TIMEOUT') ? { ...told, status: 'TIMEOUT' } : told;
  }

  private async cancelOne(bet: Bet, byMinor: number | undefined, echo: object, caller: Caller): Promise<Outcome> {
    const { accountId } = caller.session;
    const { betId, cancelledMinor: before } = bet;
    const by = byMinor === undefined || byMinor >= bet.remainingMinor ? {} : { byMinor };
    const done = await this.done({ type: 'order.cancel', accountId, betId, ...by }, echo, caller);
    if (!('answer' in done)) return done;
    const { events, at } = done.answer;
    const after = events.findLast((event) => event.type === 'bet' && event.bet.betId === betId);
    return { report: cancelledReport(echo, after?.type === 'bet' ? after.bet.cancelledMinor - before : 0, at) };
  }

  /** Everything that rests, in one market or in all; delayed bets are not among it, and so not in the report. */
  private async cancelAll(asked: CancelRequest, caller: Caller): Promise<Outcome[]> {
    const { core, markets } = this.parts;
    const { accountId, world } = caller.session;
    const marketId = asked.marketId === undefined ? undefined : markets.idOf(asked.marketId)!;
    const bets = core.read.openBets(world, accountId, marketId);
    const before = new Map(bets.map((bet) => [bet.betId, bet.cancelledMinor]));
    const outcomes = new Map<number, Outcome>();
    const heard = async (answer: Promise<Answer>): Promise<Answer> => {
      const { events, at } = await answer;
      for (const event of events) {
        if (event.type !== 'bet' || event.bet.accountId !== accountId) continue;
        const { betId, cancelledMinor } = event.bet;
        const minor = cancelledMinor - (before.get(betId) ?? 0);
        outcomes.set(betId, { report: cancelledReport({ betId: String(betId) }, minor, at) });
      }
      return answer;
    };
    const tellOthers = (told: (echo: object) => Outcome) => {
      for (const { betId, status, remainingMinor } of bets)
        if (status !== 'PENDING' && remainingMinor > 0 && !outcomes.has(betId))
          outcomes.set(betId, told({ betId: String(betId) }));
    };
    const command = { type: 'order.cancelAll', accountId, ...(marketId === undefined ? {} : { marketId }) } as const;
    const request = { world, actor: `player:${accountId}`, requestId: newRequest() };
    try {
      const done = await within(PATIENCE_MS, cancelAll({ submit: (one) => heard(core.submit(one)) }, command, request));
      if (!done) tellOthers((instruction) => ({ report: { status: 'TIMEOUT', instruction } }));
    } catch (error) {
      if (!(error instanceof CodedError) || bets.length === 0) throw error;
      const { instruction, whole } = causeIn(error);
      tellOthers((echo) => ({ ...failed(echo, instruction), ...whole }));
    }
    return [...outcomes.values()];
  }

  /** A command of one instruction, or what became of it instead. */
  private async done(command: Command, echo: object, caller: Caller): Promise<{ answer: Answer } | Outcome> {
    try {
      const answer = await submitted(this.parts.core, caller, command, newRequest());
      return answer ? { answer } : { report: { status: 'TIMEOUT', instruction: echo } };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const { instruction, whole } = causeIn(error);
      return { ...failed(echo, instruction), ...whole };
    }
  }

  private async findAll(
    instructions: ReadonlyArray<{ betId: string }>,
    market: string | undefined,
    { session }: Caller,
  ): Promise<Found[]> {
    const { core, markets, db } = this.parts;
    const { world, accountId } = session;
    const ids = instructions.map(({ betId }) => numberIn(betId));
    const missing = ids.filter((id) => id !== null && !core.read.bet(world, id));
    // What the house did not take, or bets that have left memory.
    const rows =
      missing.length === 0
        ? []
        : await db.query<{ id: number }>(
            `SELECT b.id FROM bets b JOIN markets m ON m.id = b.market_id AND m.world = b.world
              WHERE b.id = ANY($1::bigint[]) AND b.account_id = $2 AND m.kind = ANY($3::text[])`,
            [missing, accountId, TOLD_KINDS],
          );
    const known = new Set(rows.map(({ id }) => id));
    return ids.map((id): Found => {
      if (id === null) return { wrong: 'INVALID_BET_ID' };
      const bet = core.read.bet(world, id);
      if (!bet) return { wrong: known.has(id) || id >= UNMET_FROM ? 'BET_TAKEN_OR_LAPSED' : 'INVALID_BET_ID' };
      const isHis = bet.accountId === accountId && markets.facts(bet.marketId) !== null;
      if (!isHis || (market !== undefined && market !== toMarketId(bet.marketId))) return { wrong: 'INVALID_BET_ID' };
      if (bet.status === 'PENDING') return { wrong: 'BET_IN_PROGRESS' };
      return bet.remainingMinor > 0 ? { bet } : { wrong: 'BET_TAKEN_OR_LAPSED' };
    });
  }
}

/** Away from the bets of the other side: a back to a higher price, a lay to a lower one. */
const movesAway = ({ bet, price }: Replacing): boolean => (bet.side === 'BACK' ? price > bet.price : price < bet.price);

const failed = (echo: object, code: string): Outcome => ({ report: failedReport(echo, code) });

function causeIn({ code }: CodedError): { instruction: string; whole?: { whole: ReportError } } {
  const { report, instruction } = causeOf(code);
  return report === 'BET_ACTION_ERROR' ? { instruction } : { instruction, whole: { whole: report } };
}

const placeEcho = (
  { runnerId, side, remainingMinor, persistence }: Bet,
  price: { newPrice?: number },
  { order }: Refs,
): object => ({
  selectionId: runnerId,
  handicap: 0,
  limitOrder: { size: decimal(remainingMinor), ...priceIn(price), persistenceType: persistence },
  orderType: 'LIMIT',
  side,
  ...(order === undefined ? {} : { customerOrderRef: order }),
});

const priceIn = ({ newPrice }: { newPrice?: number }) => (newPrice === undefined ? {} : { price: newPrice });

/** Programs read a whole instruction even of a bet that is not there. */
const unknownBet = ({ betId, echo }: ReplaceRequest['instructions'][number]) => ({
  betId,
  echo: {
    selectionId: 0,
    handicap: 0,
    limitOrder: { size: 0, ...priceIn(echo), persistenceType: 'LAPSE' },
    orderType: 'LIMIT',
    side: 'BACK',
  },
});

/** Programs look into both parts of it, and know no instruction above them. */
const notReplaced = (
  { betId, echo }: { betId: string; echo: object },
  code: string,
  place = code === 'ERROR_IN_ORDER' ? code : 'RELATED_ACTION_FAILED',
): InstructionReport => ({
  status: 'FAILURE',
  errorCode: code,
  cancelInstructionReport: failedReport({ betId }, code),
  placeInstructionReport: failedReport(echo, place),
});

/** What becomes of it is told by stream and lists alone. */
const pendingOf = ({ bet, echo }: Replacing): Outcome => ({
  report: {
    status: 'SUCCESS',
    cancelInstructionReport: { status: 'SUCCESS', instruction: { betId: String(bet.betId) } },
    placeInstructionReport: { status: 'SUCCESS', instruction: echo, orderStatus: 'PENDING' },
  },
});

const cancelledReport = (echo: object, minor: number, at: number): InstructionReport => ({
  status: 'SUCCESS',
  instruction: echo,
  sizeCancelled: decimal(minor),
  cancelledDate: isoTime(at),
});
