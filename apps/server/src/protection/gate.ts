import { CodedError } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import type { Answer, Core, Request } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { deposited } from './figures.ts';
import { limitsNow, profileOf, type Record } from './records.ts';
import { limitWindow } from './rules.ts';

/** What the gate asks of the room. */
export interface GateParts {
  db: Db;
  core: Core;
  clock: () => number;
  /** Whether a bet of the account is nothing of the gate's: known at once, as for nearly every bet. */
  isClear(accountId: number): boolean;
  recordOf(accountId: number): Promise<Record | null>;
  /** Brings the state to the clock; throws ACCOUNT_BLOCKED with the reason when betting is off. */
  mustBeActive(record: Record): Promise<void>;
  /** Throws ACCOUNT_BLOCKED where the state takes no money in. */
  mustTakeDeposits(record: Record): Promise<void>;
  /** Throws REALITY_CHECK_DUE, SESSION_TIME_LIMIT. */
  mustBeAwake(record: Record): Promise<void>;
  /** In minor units, since a moment. */
  staked(record: Record, from: number): Promise<number>;
  /** The core hears of the restriction as it is now, when it may not know it. */
  keepCore(record: Record): Promise<void>;
  /** The core keeps so much of a turnover limit from what it places itself; 0 ends that. */
  setAside(record: Record, amountMinor: number): Promise<void>;
  /** One after the other, per account, over all gateways; the record is the newest then. */
  alone<T>(record: Record, work: () => Promise<T>): Promise<T>;
}

type Placing = Extract<
  Command,
  {
    type:
      | 'order.place'
      | 'orders.place'
      | 'quote.take'
      | 'quotes.take'
      | 'order.replace'
      | 'bets.hedge'
      | 'conditional.make'
      | 'game.debit'
      | 'game.debitCredit';
  }
>;

/**
 * The core with player protection in front. State, exposure and loss limits are kept by the core itself, in the step that
 * accepts the bet; here they get their reason in words. Stake, turnover and deposit limits are kept here (of bets that the core places
 * itself, by the core: core-limits.ts): the acts of one account go one after the other, each decided on what is committed. Only this way in may be given to rooms that bet or pay.
 */
export function guard(parts: GateParts): Core {
  const { core } = parts;

  function submit(request: Request): Promise<Answer> {
    const { command, world } = request;
    if (world === 'demo') return core.submit(request);
    if (isPlacing(command))
      return parts.isClear(command.accountId) ? core.submit(request) : submitBet(request, command);
    if (isFunding(command)) return submitFunding(request, command);
    return core.submit(request);
  }

  /** In one turn of the writer where nothing of it is a player's risk; else each through its own gate, in order. */
  async function submitAll(requests: Request[]): Promise<Array<Answer | Error>> {
    if (!requests.some(({ world, command }) => world !== 'demo' && isGuarded(command))) return core.submitAll(requests);
    return inOrder(requests, submit);
  }

  async function submitBet(request: Request, command: Placing): Promise<Answer> {
    const record = await parts.recordOf(command.accountId);
    if (!record) return core.submit(request);
    try {
      await parts.mustBeActive(record);
      await parts.mustBeAwake(record);
    } catch (error) {
      return firstAnswer(request, error);
    }
    if (record.limits.length === 0 && !record.coreStale) return core.submit(request);
    return parts.alone(record, () =>
      withAside(parts, record, command, async (asideMinor) => {
        try {
          await (asideMinor > 0 ? parts.setAside(record, asideMinor) : parts.keepCore(record));
          await checkStakes(parts, record, command);
        } catch (error) {
          return firstAnswer(request, error);
        }
        if (asideMinor === 0 || command.type === 'conditional.make') return core.submit(request);
        return core.submit({ ...request, command: { ...command, takesAside: true } });
      }),
    );
  }

  /** A bet that was taken is told again, whatever has changed since; else the refusal stands, for its late copies too. */
  async function firstAnswer(request: Request, refusal: unknown): Promise<Answer> {
    if (!(refusal instanceof CodedError)) throw refusal;
    return core.refuse(request, refusal);
  }

  async function submitFunding(request: Request, funding: Funding): Promise<Answer> {
    const record = await parts.recordOf(funding.accountId);
    if (!record) return core.submit(request);
    return parts.alone(record, async () => {
      try {
        await mayFund(parts, record, funding);
      } catch (error) {
        return firstAnswer(request, error);
      }
      return core.submit(request);
    });
  }

  return {
    submit,
    submitAll,
    ...passedOn(core),
  };
}

/** What is set aside for a bet is given back whatever came of it; where that fails the record knows that the core must hear anew. */
async function withAside<T>(
  parts: GateParts,
  record: Record,
  command: Placing,
  work: (asideMinor: number) => Promise<T>,
): Promise<T> {
  const asideMinor = asideFor(parts, record, command);
  try {
    return await work(asideMinor);
  } finally {
    if (asideMinor > 0) await parts.setAside(record, 0).catch(() => undefined);
  }
}

/**
 * How much of a turnover limit is to be kept for a bet from a conditional order of the account that may fire while it is judged:
 * both would be placed, and together be too much. The bet itself brings it back, so that orders which fire with it find the rest.
 */
function asideFor({ core, clock }: GateParts, record: Record, command: Placing): number {
  if (command.type === 'conditional.make') return 0;
  if (!limitsNow(record, clock()).some(({ kind }) => kind === 'wager')) return 0;
  return core.read.conditionals(record.world, record.userId).length === 0 ? 0 : addedMinor(core, record, command);
}

/** A changed bet counts with what it adds. */
function addedMinor(core: Core, record: Record, command: Placing): number {
  const before =
    command.type === 'order.replace' ? (core.read.bet(record.world, command.betId)?.remainingMinor ?? 0) : 0;
  return Math.max(0, askedMinor(command) - before);
}

/** Throws STAKE_LIMIT, WAGER_LIMIT. */
async function checkStakes(parts: GateParts, record: Record, command: Placing): Promise<void> {
  const { core, clock } = parts;
  const now = clock();
  const added = addedMinor(core, record, command);
  for (const { kind, span, amountMinor } of limitsNow(record, now)) {
    if (kind === 'stake' && largestMinor(command) > amountMinor)
      throw new CodedError('STAKE_LIMIT', { field: 'stake' });
    const window = kind === 'wager' ? limitWindow(span, now, profileOf(record)) : null;
    if (!window || added === 0) continue;
    if ((await parts.staked(record, window.from)) + added > amountMinor)
      throw new CodedError('WAGER_LIMIT', { field: 'stake' });
  }
}

/**
 * Throws ACCOUNT_BLOCKED, DEPOSIT_LIMIT: the whole deposit is refused. A correction is nobody's deposit and counts to no
 * limit, but to a closed or excluded account it brings no money either; credit is a deposit that the house lends.
 */
async function mayFund(parts: GateParts, record: Record, { amountMinor, reason }: Funding): Promise<void> {
  await parts.mustTakeDeposits(record);
  if (reason === 'creditReference' && !profileOf(record).credit)
    throw new CodedError('STATE_NOT_FITTING', { message: 'Credit is not allowed in this jurisdiction.' });
  if (reason !== 'correction') await checkDeposits(parts, record, amountMinor);
}

/** Throws DEPOSIT_LIMIT. */
async function checkDeposits({ db, clock }: GateParts, record: Record, amountMinor: number): Promise<void> {
  const now = clock();
  for (const limit of limitsNow(record, now)) {
    const window = limit.kind === 'deposit' ? limitWindow(limit.span, now, profileOf(record)) : null;
    if (window && (await deposited(db, record, window.from)) + amountMinor > limit.amountMinor)
      throw new CodedError('DEPOSIT_LIMIT', { field: 'amountMinor' });
  }
}

async function inOrder(
  requests: readonly Request[],
  submit: (request: Request) => Promise<Answer>,
): Promise<Array<Answer | Error>> {
  const answers: Array<Answer | Error> = [];
  for (const request of requests) {
    answers.push(
      await submit(request).catch((error: unknown) => {
        if (error instanceof Error) return error;
        throw error;
      }),
    );
  }
  return answers;
}

/** Of this nothing is guarded. */
function passedOn(core: Core): Omit<Core, 'submit' | 'submitAll'> {
  return {
    answerOf: (actor, key) => core.answerOf(actor, key),
    isBurnt: (actor, key) => core.isBurnt(actor, key),
    burn: (actor, key) => core.burn(actor, key),
    refuse: (request, error) => core.refuse(request, error),
    read: core.read,
    reached: (seq) => core.reached(seq),
    currencies: core.currencies,
    worldFor: (currency, isDemo) => core.worldFor(currency, isDemo),
    terms: (world) => core.terms(world),
    onCommitted: (listener) => core.onCommitted(listener),
    nextId: () => core.nextId(),
    health: () => core.health(),
    stop: () => core.stop(),
  };
}

/** Money that comes to the player from outside his play, by whatever name (INV-18, PP-22). */
type Funding = Extract<Command, { type: 'account.transfer' }>;

function isFunding(command: Command): command is Funding {
  return command.type === 'account.transfer' && command.amountMinor > 0 && command.reason !== 'withdrawal';
}

const PLACING: ReadonlySet<string> = new Set<Placing['type']>([
  'order.place',
  'orders.place',
  'quote.take',
  'quotes.take',
  'order.replace',
  'bets.hedge',
  // Its bet is judged by these limits now, and by what the core knows of them when it fires.
  'conditional.make',
  'game.debit',
  'game.debitCredit',
]);

const isGuarded = (command: Command): boolean => isPlacing(command) || isFunding(command);

/** Of several bets the largest: a limit on one bet is kept by each of them. */
function largestMinor(command: Placing): number {
  return Math.max(...(severalIn(command) ?? [askedMinor(command)]));
}

/** The stakes of a command of several bets. */
function severalIn(command: Placing): number[] | null {
  if (command.type === 'quotes.take') return command.takes.map((one) => one.stakeMinor);
  const several =
    command.type === 'bets.hedge' ? command.legs : command.type === 'orders.place' ? command.orders : null;
  return several?.map((one) => one.sizeMinor) ?? null;
}

function askedMinor(command: Placing): number {
  switch (command.type) {
    case 'quote.take':
      return command.stakeMinor;
    case 'bets.hedge':
    case 'orders.place':
    case 'quotes.take':
      return severalIn(command)!.reduce((sum, one) => sum + one, 0);
    case 'game.debit':
    case 'game.debitCredit':
      return command.amountMinor;
    case 'conditional.make':
      return 'sizeMinor' in command ? command.sizeMinor : 0;
    default:
      return command.sizeMinor;
  }
}

function isPlacing(command: Command): command is Placing {
  return PLACING.has(command.type);
}
