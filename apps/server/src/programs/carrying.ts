/** A command that places: handed in, waited for, and told in the words of the format. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { Bet, Command } from '@fairgame/exchange';
import { type InstructionReport, placedReport, type Refs, toldBet, type Wish } from '@fairgame/exchange-api';
import { betIdsOf, ownBets } from '../core/core.ts';
import type { Answer, Core } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Claims } from './claims.ts';
import type { Caller } from './entry.ts';
import type { ProgramMarkets } from './markets.ts';
import { type ProgramOrders, REQUEST } from './orders.ts';

/** A decision takes milliseconds; after this nobody knows. */
export const PATIENCE_MS = 5000;

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

/** One `Command` of a caller, under a key that nobody else has; undefined where nobody knows what became of it. */
export function submitted(
  core: Core,
  { session }: Caller,
  command: Command,
  requestId: string,
): Promise<Answer | undefined> {
  const { world, accountId } = session;
  // What has waited longer is told as not known: it must not be taken after that.
  const expiresAt = performance.now() + PATIENCE_MS;
  const named = { key: requestId, keyIsNew: true, requestId } as const;
  return within(PATIENCE_MS, core.submit({ world, command, actor: `player:${accountId}`, ...named, expiresAt }));
}

export const newRequest = (): string => `${REQUEST}${randomUUID()}`;

/** Hands a placing command in and waits until its bets are decided, their delay included. */
export async function carryOut(
  { core, orders, clock }: BettingParts,
  command: PlacingCommand,
  requestId: string,
  caller: Caller,
): Promise<Placed> {
  const { accountId, world } = caller.session;
  const count = betIdsOf(command)!.count;
  const unknown = { bets: Array.from({ length: count }, () => undefined) };
  try {
    const answer = await submitted(core, caller, command, requestId);
    const bets = answer ? placedIn(answer, accountId, count) : [];
    if (bets.length < count) return unknown;
    const late = Math.max(0, ...bets.map(({ dueAt }) => dueAt - clock())) + PATIENCE_MS;
    return { bets: await Promise.all(bets.map((bet) => orders.decided(bet, world, late))) };
  } catch (error) {
    if (error instanceof CodedError) return { refused: error };
    throw error;
  }
}

export type PlacingCommand = Extract<Command, { type: 'orders.place' | 'order.replace' | 'quotes.take' }>;

/** A bet as the answer to its instruction says it. */
export function reportFor(bet: Bet | undefined, echo: object): InstructionReport {
  if (!bet) return { status: 'TIMEOUT', instruction: echo };
  const isUnmet = bet.status === 'COMPLETE' && bet.matchedMinor === 0;
  return placedReport(echo, toldBet(bet), isUnmet && (bet.endCode === 'KILLED' || bet.kind === 'quote'));
}

export const refsOf = ({ orderRef }: Wish, strategyRef: string | undefined): Refs => ({
  ...(orderRef === undefined ? {} : { order: orderRef }),
  ...(strategyRef === undefined ? {} : { strategy: strategyRef }),
});

/** The bets that a placing command made: the last of the account's own in its answer, in their order. */
const placedIn = ({ events }: Answer, accountId: number, count: number): Bet[] =>
  ownBets(events, accountId)
    .sort((a, b) => a.betId - b.betId)
    .slice(-count);

/** What comes in time; undefined else, and then what comes of it is not waited for. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
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
